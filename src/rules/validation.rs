//! Validators against what is stored and what the server takes. One module a rule, or a family of ids.

pub(super) mod bad_keyword;
pub(super) mod contradiction;
pub(super) mod drift;
pub(super) mod lenient;
pub(super) mod missing;
pub(super) mod never_used;
pub(super) mod no_variants;
pub(super) mod number_trap;
pub(super) mod unbounded_array;
pub(super) mod untyped_required;
pub(super) mod violations;
