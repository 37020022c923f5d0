//! Copies and computed values: their sources, their repair and how they fail. One module a rule, or a family of ids.

pub(super) mod average_without_sum;
pub(super) mod change_stream_no_resume;
pub(super) mod delete_policy_broken;
pub(super) mod dual_write;
pub(super) mod edited_copy;
pub(super) mod fan_out;
mod flow;
pub(super) mod missed_path;
pub(super) mod missing_event_index;
pub(super) mod negative_counter;
pub(super) mod non_idempotent;
pub(super) mod outbox_outside_transaction;
pub(super) mod personal_data_copied;
pub(super) mod read_modify_write;
pub(super) mod registry;
pub(super) mod stale_copy;
pub(super) mod synced_snapshot;
pub(super) mod undeclared_copy;
pub(super) mod unguarded_projection;
