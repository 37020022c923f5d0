//! The shape of stored documents. One module a rule, or a family of ids.

pub(super) mod deprecated_type;
pub(super) mod duplicate_key;
pub(super) mod empty_placeholders;
pub(super) mod illegal_name;
pub(super) mod inconsistent_naming;
pub(super) mod inline_file;
pub(super) mod internal_timestamp;
pub(super) mod long_names;
pub(super) mod mixed_id;
pub(super) mod rare_field;
pub(super) mod sentinel_date;
pub(super) mod similar_names;
pub(super) mod vector_length;
