//! The shape of stored documents. One module a rule, or a family of ids.
