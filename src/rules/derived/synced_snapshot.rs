//! Snapshots that are brought up to date. Words, reasons and examples: synced-snapshot.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::flow::written;
use crate::config::intent::DerivedKind;
use crate::facts::names;
use crate::model::Model;
use crate::rules::{Findings, Place};
use crate::workload::{Change, Operation, Update, Verb};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    let registry = model.registry();
    for operation in written(model).filter(|operation| matches!(operation.verb, Verb::Update | Verb::FindAndUpdate)) {
        let (Some(ns), Some(update)) = (&operation.ns, Update::of(operation)) else { continue };
        for change in update.changes.iter().filter(|change| change.certain && writes(change.operator)) {
            let field = change.field();
            let is_declared = registry
                .iter()
                .any(|entry| entry.derived.kind == DerivedKind::Snapshot && &entry.ns == ns && entry.path == field);
            let is_named = names::is_snapshot(field.rsplit('.').next().unwrap_or_default());
            if !(is_declared || is_named) || !reaches_old(operation, change) || fills(operation, &field) {
                continue;
            }
            let place = Place::operation(model, operation, None).with_path(&field);
            let draft = if is_declared { findings.certain(place) } else { findings.inferred(place, "the name") };
            draft.text("operator", change.operator).text("method", &operation.method);
        }
    }
}

/// Whether an operator puts another value in the place of one; taking it away is erasure.
fn writes(operator: &str) -> bool {
    matches!(operator, "$set" | "$inc" | "$mul" | "$min" | "$max" | "$currentDate")
}

/// Whether the write reaches what was stored before: many documents, or elements of an array that are there already. The
/// write of one document may be the one that takes the snapshot.
fn reaches_old(operation: &Operation, change: &Change<'_>) -> bool {
    operation.many || change.path.contains('$')
}

/// Whether the write fills the field where it is missing.
fn fills(operation: &Operation, field: &str) -> bool {
    operation.conditions().conjuncts().iter().any(|(path, _)| *path == field)
}
