//! Writes that reach every document. Words, reasons and examples: all-documents.md.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::facts::names;
use crate::model::Model;
use crate::rules::{Findings, Place};
use crate::workload::{Operation, Term, Verb};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for operation in model.workload.iter().filter(|operation| operation.runs.is_none() && is_many(operation)) {
        let variant = match operation.verb {
            Verb::Update => "update",
            // A function that says so means all of them.
            Verb::Delete if is_said(operation) => continue,
            Verb::Delete => "delete",
            _ => continue,
        };
        if operation.ns.is_some() && operation.conditions().matches_all() {
            let draft = findings.certain(Place::operation(model, operation, None));
            draft.text("method", &operation.method).variant(variant);
        }
    }
}

/// Whether a function around a delete says that all goes.
fn is_said(operation: &Operation) -> bool {
    let Some(ns) = &operation.ns else { return false };
    operation.context.names.iter().flatten().any(|name| names::removes_all(name, &ns.collection))
}

/// Whether more than one document is reached: the old `remove(filter, true)` takes one only.
fn is_many(operation: &Operation) -> bool {
    let only_one = operation.method == "remove" && operation.options.as_ref().and_then(Term::as_bool) == Some(true);
    operation.many && !only_one
}
