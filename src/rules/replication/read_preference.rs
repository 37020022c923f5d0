//! Reads of what was just written, from members that may not have it. Words, reasons and examples: read-preference.md.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::model::Model;
use crate::rules::{Findings, Place};
use crate::workload::{Operation, Term};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for read in model.workload.iter().filter(|operation| operation.runs.is_none() && !operation.verb.is_write()) {
        let Some(mode) = read.option("readPreference").and_then(mode).filter(|mode| *mode != "primary") else {
            continue;
        };
        // In a causally consistent session a secondary waits until it has what the session wrote.
        if read.option("session").is_some() || read.context.functions.is_empty() {
            continue;
        }
        let wrote = model.workload.iter().any(|write| {
            write.runs.is_none()
                && write.verb.is_write()
                && write.ns.is_some()
                && write.ns == read.ns
                && write.file() == read.file()
                && write.context.functions == read.context.functions
                && read.context.branches.starts_with(&write.context.branches)
                && write.context.number < read.context.number
        });
        if wrote {
            findings.certain(place(model, read)).text("preference", mode).text("method", &read.method);
        }
    }
}

fn place(model: &Model, read: &Operation) -> Place {
    Place::operation(model, read, None)
}

/// The mode of a read preference, in any of its forms: a name, `{mode: name}`, the driver's constants.
fn mode(term: &Term) -> Option<&str> {
    term.as_str().or_else(|| term.get("mode")?.as_str())
}
