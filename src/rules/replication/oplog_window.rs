//! Oplogs that reach back too little. Words, reasons and examples: oplog-window.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::place;
use crate::config::Rebuild;
use crate::model::Model;
use crate::rules::Findings;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Hours that an oplog should reach back.
    hours: f64,
}

impl Default for Options {
    fn default() -> Self {
        Options { hours: 24.0 }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    let (wanted, field) = wanted(model);
    for oplog in &model.replica_sets.oplogs {
        // A young oplog still grows.
        if oplog.full == Some(false) || oplog.seconds <= 0 {
            continue;
        }
        let hours = tenths(oplog.seconds as f64 / 3600.0);
        if hours < wanted.max(options.hours) {
            let draft = findings.certain(place(&oplog.file)).number("hours", hours);
            if options.hours < wanted {
                draft.number("wanted", tenths(wanted)).text("field", field).variant("declared");
            }
        }
    }
}

/// The longest time in hours that a declared consumer may be away or a rebuild takes, and the field that says so.
fn wanted(model: &Model) -> (f64, &str) {
    let mut longest = (0.0, "");
    for derived in &model.intent.derived {
        let rebuild = match &derived.rebuild {
            Some(Rebuild::Takes(duration)) => Some(duration),
            _ => None,
        };
        for duration in rebuild.into_iter().chain(&derived.consumer_gap) {
            let hours = duration.0 as f64 / 3_600_000.0;
            if longest.0 < hours {
                longest = (hours, derived.field.as_str());
            }
        }
    }
    longest
}

fn tenths(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}
