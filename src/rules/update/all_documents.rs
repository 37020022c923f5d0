//! Writes that reach every document. Words, reasons and examples: all-documents.md.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::model::Model;
use crate::rules::{Findings, Place};
use crate::workload::Verb;

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for operation in model.workload.iter().filter(|operation| operation.many && operation.runs.is_none()) {
        let variant = match operation.verb {
            Verb::Update => "update",
            Verb::Delete => "delete",
            _ => continue,
        };
        if operation.conditions().matches_all() {
            let span = operation.filter.as_ref().and_then(|filter| filter.span);
            let draft = findings.certain(Place::operation(model, operation, None));
            draft.text("method", &operation.method).variant(variant).cause(format!("{span:?}"));
        }
    }
}
