//! Counters that a repeated event raises again. Words, reasons and examples: non-idempotent.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::flow::{is_beside, is_handler, written};
use crate::model::Model;
use crate::rules::{Findings, Place};
use crate::workload::{Operation, Update, Verb};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for operation in written(model).filter(|operation| matches!(operation.verb, Verb::Update | Verb::FindAndUpdate)) {
        if operation.ns.is_none() || !is_handler(operation) || is_guarded(model, operation) {
            continue;
        }
        let Some(update) = Update::of(operation) else { continue };
        let raised = update.changes.iter().find(|change| change.certain && change.operator == "$inc");
        if let Some(change) = raised {
            let place = Place::operation(model, operation, None).with_path(change.field());
            let name = operation.context.names.iter().rev().flatten().next();
            let draft = findings.inferred(place, "the name of the function");
            draft.text("function", name.map_or("", String::as_str));
        }
    }
}

/// Whether something tells a repeated event: a filter that asks for more than the document, or an insert beside, whose
/// key may be the event's.
fn is_guarded(model: &Model, operation: &Operation) -> bool {
    let filter = operation.conditions();
    let inserts = written(model).any(|other| {
        let stores = other.verb == Verb::Insert || other.is_upsert();
        let is_other = other.context.number != operation.context.number;
        stores && is_other && (is_beside(other, operation) || is_beside(operation, other))
    });
    filter.open || 1 < filter.conjuncts().len() || inserts
}
