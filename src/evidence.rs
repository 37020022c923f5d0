//! One reader for each kind of evidence: bytes in, facts out.

pub mod metadata;
