//! Copies and computed values: their sources, their repair and how they fail. One module a rule, or a family of ids.

pub(super) mod average_without_sum;
pub(super) mod delete_policy_broken;
pub(super) mod negative_counter;
pub(super) mod personal_data_copied;
pub(super) mod registry;
pub(super) mod stale_copy;
pub(super) mod undeclared_copy;
