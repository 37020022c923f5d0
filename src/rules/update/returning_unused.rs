//! Documents that are asked for and not used. Words, reasons and examples: returning-unused.md.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::model::Model;
use crate::rules::{Findings, Place};
use crate::workload::Verb;

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for operation in model.workload.iter().filter(|operation| operation.runs.is_none()) {
        let plain = match operation.verb {
            Verb::FindAndUpdate => "updateOne",
            Verb::FindAndReplace => "replaceOne",
            Verb::FindAndDelete => "deleteOne",
            _ => continue,
        };
        // Only these take the first by an order.
        let is_ordered = operation.sort.is_some() || operation.option("sort").is_some();
        let options_known = operation.options.as_ref().is_none_or(crate::workload::Term::is_closed);
        if operation.context.used == Some(false) && !is_ordered && options_known {
            let draft = findings.certain(Place::operation(model, operation, None));
            draft.text("method", &operation.method).text("plain", plain);
        }
    }
}
