//! Copies and computed values: their sources, their repair and how they fail. One module a rule, or a family of ids.

pub(super) mod negative_counter;
