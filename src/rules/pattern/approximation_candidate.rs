//! A write per event on one document, for a number that may be estimated. Words, reasons and examples:
//! approximation-candidate.md.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::model::{Model, reads};
use crate::rules::{Findings, Place};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Increments of one document that must have been seen.
    increments: u64,
    /// Increments a second that one document must take.
    per_second: f64,
}

impl Default for Options {
    fn default() -> Self {
        Options { increments: reads::MIN_INCREMENTS, per_second: reads::MIN_PER_SECOND }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for raised in reads::increments(model) {
        if raised.per_second < options.per_second || raised.seen && raised.hits < options.increments {
            continue;
        }
        let place = Place::path(raised.ns, &raised.path);
        let draft = if raised.seen {
            let draft = findings.measured(place, raised.runs.count);
            draft.number("hits", raised.hits).number("conflicts", raised.runs.write_conflicts.sum).variant("measured")
        } else {
            findings.inferred(place, "declared runs a day")
        };
        draft.number("perSecond", (raised.per_second * 10.0).round() / 10.0);
    }
}
