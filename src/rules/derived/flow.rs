//! What rules on application code ask of an operation: its session, the function that it stands in, what it counts.

use crate::facts::names;
use crate::model::Model;
use crate::workload::{Operation, Update, Verb};

/// The operations that source code sends, as against those that were seen running.
pub(super) fn written(model: &Model) -> impl Iterator<Item = &Operation> {
    model.workload.iter().filter(|operation| operation.runs.is_none())
}

/// Whether a call runs in a session, or may: its options may hold one that cannot be seen.
pub(super) fn may_have_session(operation: &Operation) -> bool {
    operation.context.transaction.is_some()
        || operation.options.as_ref().is_some_and(|options| {
            options.get("session").is_some() || (!options.is_closed() && options.as_scalar().is_none())
        })
}

/// Whether one operation stands in the function of another, or in a function within it, and neither excludes the other.
pub(super) fn is_beside(inner: &Operation, outer: &Operation) -> bool {
    let branches = (&inner.context.branches, &outer.context.branches);
    inner.file() == outer.file()
        && !outer.context.functions.is_empty()
        && inner.context.functions.starts_with(&outer.context.functions)
        && (branches.0.starts_with(branches.1) || branches.1.starts_with(branches.0))
}

/// Whether an operation stands in a function that its name tells to be called for each event, and that may be called
/// again for the same: `onOrderPlaced`, `handlePaymentEvent`, `consumeMessage`.
pub(super) fn is_handler(operation: &Operation) -> bool {
    const FIRST: [&str; 6] = ["apply", "consume", "handle", "on", "process", "project"];
    const REQUESTS: [&str; 8] = ["click", "form", "get", "http", "post", "req", "request", "submit"];
    let Some(name) = operation.context.names.iter().rev().flatten().next() else { return false };
    let words = names::words(name);
    1 < words.len()
        && words.first().is_some_and(|word| FIRST.contains(&word.as_str()))
        && !words.iter().any(|word| REQUESTS.contains(&word.as_str()))
}

/// The field that an update raises or lowers for each document of a collection: `commentCount` for `comments`.
pub(super) fn counts(update: &Operation, collection: &str) -> Option<String> {
    if !matches!(update.verb, Verb::Update | Verb::FindAndUpdate) {
        return None;
    }
    let things = names::words(collection);
    let thing = things.last()?;
    let change = Update::of(update)?.changes.into_iter().find(|change| {
        let field = change.field();
        let leaf = field.rsplit('.').next().unwrap_or_default().to_owned();
        let is_step = change.argument.as_i64().is_some_and(|step| step.unsigned_abs() == 1);
        change.certain
            && change.operator == "$inc"
            && is_step
            && names::words(&leaf).iter().any(|word| names::is_same_thing(word, thing))
    })?;
    Some(change.field())
}
