//! Projections that an old event can set back. Words, reasons and examples: unguarded-projection.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::flow::{is_handler, written};
use crate::facts::names;
use crate::model::Model;
use crate::rules::{Findings, Place};
use crate::workload::{Operation, Operator, Update, Verb};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

/// Words of collections and databases that hold what others own.
const PROJECTIONS: [&str; 8] = ["index", "listing", "model", "projection", "read", "search", "summary", "view"];

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    let registry = model.registry();
    for operation in written(model).filter(|operation| matches!(operation.verb, Verb::Update | Verb::FindAndUpdate)) {
        let (Some(ns), Some(update)) = (&operation.ns, Update::of(operation)) else { continue };
        let sets = update.changes.iter().find(|change| change.certain && change.operator == "$set");
        let Some(change) = sets.filter(|_| is_handler(operation) && finds_by_key(operation)) else { continue };
        let words = names::words(&ns.to_string());
        let is_named =
            words.iter().any(|word| PROJECTIONS.iter().any(|projection| names::is_same_thing(word, projection)));
        let is_declared = registry.iter().any(|entry| &entry.ns == ns && entry.path == change.field());
        if is_named || is_declared {
            let place = Place::operation(model, operation, None).with_path(change.field());
            let name = operation.context.names.iter().rev().flatten().next();
            let draft = findings.inferred(place, "the names of function and collection");
            draft.text("function", name.map_or("", String::as_str));
        }
    }
}

/// Whether the filter asks for one key and nothing else, no version among it.
fn finds_by_key(operation: &Operation) -> bool {
    let filter = operation.conditions();
    let conditions = filter.conjuncts();
    !filter.open && matches!(conditions.as_slice(), [(_, test)] if test.operator == Operator::Eq)
}
