//! Copies and computed values that are written by hand. Words, reasons and examples: edited-copy.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::flow::{is_handler, written};
use crate::config::intent::{DerivedKind, Propagation};
use crate::finding::Severity;
use crate::model::Model;
use crate::model::registry::Entry;
use crate::rules::{Findings, Place};
use crate::workload::{Operation, Origin, Update, Verb};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    let registry = model.registry();
    for operation in written(model).filter(|operation| matches!(operation.verb, Verb::Update | Verb::FindAndUpdate)) {
        let (Some(ns), Some(update)) = (&operation.ns, Update::of(operation)) else { continue };
        for change in update.changes.iter().filter(|change| change.certain && change.operator == "$set") {
            let field = change.field();
            let Some(entry) = registry.iter().find(|entry| &entry.ns == ns && entry.path == field) else { continue };
            if entry.derived.kind == DerivedKind::Snapshot || is_propagation(model, operation, entry, &update) {
                continue;
            }
            let origin = change.argument.as_hole().map(|hole| &hole.origin);
            let draft = findings.certain(Place::operation(model, operation, None).with_path(&field));
            draft.text("source", entry.derived.source.as_deref().unwrap_or_default()).text("method", &operation.method);
            match origin {
                Some(Origin::Request { .. }) => draft.variant("request"),
                _ => draft.severity(Severity::Info),
            };
        }
    }
}

/// Whether a write is how the value is kept: with its source, in a transaction, by a handler of events, a job or a
/// stream.
fn is_propagation(model: &Model, operation: &Operation, entry: &Entry<'_>, update: &Update<'_>) -> bool {
    let source = entry.derived.source.as_deref().unwrap_or_default();
    let own = entry.ns.to_string();
    let in_source = |path: &str| source.strip_prefix(&own).is_some_and(|rest| rest.trim_start_matches('.') == path);
    let with_source = entry.derived.propagation == Some(Propagation::SameDocument)
        || update.changes.iter().any(|change| in_source(&change.field()));
    let watches = written(model).any(|other| other.verb == Verb::Watch && other.file() == operation.file());
    let writes_source = written(model).any(|other| {
        let names_source = other.ns.as_ref().is_some_and(|ns| source.starts_with(&format!("{ns}.")));
        other.file() == operation.file() && other.context.functions == operation.context.functions && names_source
    });
    with_source || watches || writes_source || operation.context.transaction.is_some() || is_handler(operation)
}
