//! Pushes that never open the next bucket. Words, reasons and examples: bucket-unguarded.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::statement;
use crate::config::intent::{Card, Pattern};
use crate::facts::forms;
use crate::model::Model;
use crate::rules::update::{caps, carries_time, equalities, target, updates};
use crate::rules::{Findings, Place};
use crate::workload::{Change, Filter, Operation, Operator, Update};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for (operation, update) in updates(model).filter(|(operation, _)| operation.is_upsert()) {
        let filter = operation.conditions();
        for push in update.changes.iter().filter(|change| change.operator == "$push" && change.certain) {
            let field = push.field();
            let bounded = push.argument.get("$slice").is_some() || is_bounded(model, operation, &field);
            let capped = caps(&filter, &update, &field) || asks_for_room(&filter, &field);
            let open = filter.open || update.open || capped;
            if bounded || open || !is_bucket(model, operation, &filter, &update, push) {
                continue;
            }
            let draft = findings.certain(Place::operation(model, operation, None).with_path(&field)).cause(&field);
            let limit = cards(model, operation).find_map(|card| card.limit);
            if let Some(limit) = limit {
                draft.number("limit", limit);
            }
            draft.variant(if limit.is_some() { "declared" } else { "plain" });
            if let Some(statement) = statement(model, operation) {
                draft.cause(statement);
            }
        }
    }
}

/// Whether the filter looks at a number of events that somebody else keeps, or at a flag that says whether the bucket is
/// open.
fn asks_for_room(filter: &Filter, field: &str) -> bool {
    filter.conjuncts().into_iter().any(|(path, test)| match test.operator {
        Operator::Lt | Operator::Lte => forms::is_count(path, field),
        Operator::Eq | Operator::Ne => test.argument.as_bool().is_some(),
        _ => false,
    })
}

/// Whether the server refuses what would be too much.
fn is_bounded(model: &Model, operation: &Operation, field: &str) -> bool {
    let validator = target(model, operation).and_then(|collection| collection.validator());
    validator.is_some_and(|validator| validator.array_bound(field).is_some())
}

/// Whether the documents, a card, or the update itself say that events are put into buckets: timed events, of something
/// that the filter names, counted by the same update or in a window of the filter.
fn is_bucket(model: &Model, operation: &Operation, filter: &Filter, update: &Update<'_>, push: &Change<'_>) -> bool {
    let field = push.field();
    let shown = operation.ns.as_ref().and_then(|ns| model.patterns().of(ns));
    let known = shown.is_some_and(|forms| forms.buckets.iter().any(|bucket| bucket.path.as_str() == field));
    let declared = cards(model, operation).any(|card| card.path.as_deref().is_none_or(|path| path == field));
    // A count of logins beside the logins of a user is no bucket: only a name that is one of any bucket tells.
    let counted = || {
        update.changes.iter().any(|change| {
            change.operator == "$inc" && change.argument.as_i64() == Some(1) && forms::is_bare_count(change.path)
        })
    };
    let keys = equalities(filter);
    let windowed = || 2 <= keys.len() && keys.iter().any(|(path, _)| forms::is_window_start(path));
    let timed = || push.added().unwrap_or_default().iter().any(|element| carries_time(element));
    known || declared || (!keys.is_empty() && timed() && (counted() || windowed()))
}

/// The cards of buckets that are declared for the collection of an operation.
fn cards<'m>(model: &'m Model, operation: &'m Operation) -> impl Iterator<Item = &'m Card> {
    let cards = operation.ns.iter().flat_map(|ns| model.cards_of(ns));
    cards.filter(|card| card.pattern == Pattern::Bucket)
}
