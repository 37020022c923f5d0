//! Rules on writes.

pub(super) mod all_documents;
