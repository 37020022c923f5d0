//! Transactions over very many documents. Words, reasons and examples: transaction-fan-out.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{equalities, target, transactions};
use crate::model::Model;
use crate::rules::{Draft, Findings, Place};
use crate::workload::{Loop, LoopKind, Operation, Over, Verb};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Documents that one transaction should not pass.
    documents: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options { documents: 1_000 }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for operations in transactions(model).values() {
        for operation in operations.iter().filter(|operation| operation.verb.is_write()) {
            if let Some(draft) = fan_out(model, operation, operations, options, findings) {
                draft.text("method", &operation.method).number("limit", options.documents);
            }
        }
    }
}

fn fan_out<'f>(
    model: &Model,
    operation: &Operation,
    transaction: &[&Operation],
    options: &Options,
    findings: &'f mut Findings<'_>,
) -> Option<&'f mut Draft> {
    let place = || Place::operation(model, operation, None);
    if operation.context.loops.iter().any(|around| goes_over_result(model, operation, around, transaction)) {
        return Some(findings.inferred(place(), "a loop over all that a query finds").variant("loop"));
    }
    if !operation.many || operation.verb == Verb::Insert {
        return None;
    }
    let stored = target(model, operation).map_or(0, crate::model::Collection::stored);
    let filter = operation.conditions();
    if filter.matches_all() {
        return match stored {
            0 => Some(findings.certain(place()).variant("all")),
            _ if options.documents < stored => {
                Some(findings.measured(place(), stored).number("documents", stored).variant("counted"))
            }
            _ => None,
        };
    }
    let collection = target(model, operation)?;
    let paths = equalities(&filter).into_iter().map(|(path, _)| path);
    // The most distinct of the fields that must be equal says how few can match.
    let distinct = paths.filter_map(|path| distinct(collection, path)).max()?;
    let expected = stored / distinct.max(1);
    (options.documents < expected)
        .then(|| findings.measured(place(), collection.documents()).number("documents", expected).variant("expected"))
}

/// Distinct values of a field.
fn distinct(collection: &crate::model::Collection, path: &str) -> Option<u64> {
    let profile = collection.profile.as_ref()?;
    let ids = profile.resolve(path);
    ids.into_iter().filter_map(|id| profile.field(id)).map(crate::profile::Field::distinct_count).max()
}

/// Whether a loop inside the transaction goes over all that a query without a limit found.
fn goes_over_result(model: &Model, operation: &Operation, around: &Loop, transaction: &[&Operation]) -> bool {
    let Over::Result(number) = around.over else { return false };
    let Some(read) = model.workload.beside(operation, number) else { return false };
    let is_unlimited = matches!(read.verb, Verb::Find | Verb::Aggregate) && read.limit.is_none();
    // A loop that holds the whole transaction makes one for each document.
    let is_inside = read.context.transaction == operation.context.transaction
        || transaction.iter().any(|other| other.context.loops.iter().all(|other| other.span != around.span))
        || is_prefix(&read.context.functions, &operation.context.functions);
    is_unlimited && is_inside && around.kind != LoopKind::Await
}

fn is_prefix(outer: &[u32], inner: &[u32]) -> bool {
    outer.len() < inner.len() && inner.starts_with(outer)
}
