//! Updates that put a whole document in place of the stored one. Words, reasons and examples: replacement.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{target, written};
use crate::finding::Severity;
use crate::model::{Collection, Model};
use crate::profile::FieldKind;
use crate::rules::{Findings, Place};
use crate::workload::{Api, Member, Operation, Verb};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Share of the documents, in percent, that have a field which a replacement must not lack.
    percent: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options { percent: 95 }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for (operation, update) in written(model) {
        let Some(members) = update.replacement() else { continue };
        if matches!(operation.verb, Verb::Update | Verb::FindAndUpdate) {
            let draft = findings.certain(Place::operation(model, operation, None));
            draft.text("method", &operation.method).variant(effect(operation));
        } else if !update.open && is_sent_as_it_is(operation) {
            lacking(model, operation, members, options, findings);
        }
    }
}

/// What really happens to an update without operators.
fn effect(operation: &Operation) -> &'static str {
    match (operation.api, operation.method.as_str()) {
        (Api::Command, _) => "erases",
        (_, "update" | "findAndModify") => "old",
        _ => "refused",
    }
}

/// Mongoose fills in what a schema has as defaults, and `save` sends what was changed only.
fn is_sent_as_it_is(operation: &Operation) -> bool {
    operation.api != Api::Mongoose && operation.method != "save"
}

fn lacking(model: &Model, operation: &Operation, members: &[Member], options: &Options, findings: &mut Findings) {
    let Some(collection) = target(model, operation) else { return };
    let documents = collection.documents();
    let usual = usual(collection, options);
    let missing: Vec<&String> =
        usual.iter().filter(|name| !members.iter().any(|member| member.name() == Some(name.as_str()))).collect();
    if missing.is_empty() {
        return;
    }
    findings
        .measured(Place::operation(model, operation, None), documents)
        .text("method", &operation.method)
        .number("lacking", missing.len())
        .number("usual", usual.len())
        .list("missing", missing)
        .severity(Severity::Warning)
        .variant("lacks");
}

/// The fields at the top that nearly all documents have.
fn usual(collection: &Collection, options: &Options) -> Vec<String> {
    let documents = collection.documents();
    collection
        .fields()
        .filter(|at| at.field.kind == FieldKind::Named && !at.path.as_str().contains('.') && at.leaf() != "_id")
        .filter(|at| documents * options.percent <= at.field.documents * 100)
        .map(|at| at.path.to_string())
        .collect()
}
