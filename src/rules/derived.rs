//! Copies and computed values: their sources, their repair and how they fail. One module a rule, or a family of ids.

pub(super) mod average_without_sum;
pub(super) mod negative_counter;
pub(super) mod registry;
