//! Aggregations that are repeated over documents that hardly change. Words, reasons and examples:
//! computed-candidate.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::statement;
use crate::model::{Model, reads};
use crate::rules::{Findings, Place};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Runs a day, declared or of those that were seen, from which on an aggregation counts as repeated.
    runs: u64,
    /// How many times more often it must run than its documents are written.
    ratio: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options { runs: reads::MIN_REPEATED, ratio: reads::MIN_RATIO }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for repeated in reads::repeated(model) {
        let (reads, writes) = (repeated.reads, repeated.writes);
        if reads < options.runs as f64 || reads < writes.max(1.0) * options.ratio as f64 {
            continue;
        }
        let draft = findings.inferred(Place::operation(model, repeated.operation, None), "reads against writes");
        draft.text("source", repeated.source).number("reads", reads.round()).number("writes", writes.round());
        if !repeated.declared {
            draft.variant("seen");
        }
        if let Some(subject) = statement(model, repeated.operation) {
            draft.cause(subject);
        }
    }
}
