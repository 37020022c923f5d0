//! The shape of stored documents. One module a rule, or a family of ids.

pub(super) mod deprecated_type;
pub(super) mod duplicate_key;
pub(super) mod illegal_name;
pub(super) mod inline_file;
pub(super) mod internal_timestamp;
pub(super) mod long_names;
pub(super) mod mixed_id;
pub(super) mod sentinel_date;
pub(super) mod vector_length;
