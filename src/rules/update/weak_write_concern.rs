//! Writes that matter and may be lost. Words, reasons and examples: weak-write-concern.md.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::catalogue::Namespace;
use crate::config::intent::Precision;
use crate::facts::names::{self, Money};
use crate::model::Model;
use crate::model::declared::is_named;
use crate::rules::{Findings, Place};
use crate::workload::{Operation, Term, Update};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for operation in model.workload.iter().filter(|operation| operation.runs.is_none() && operation.verb.is_write()) {
        let Some(variant) = weakness(operation) else { continue };
        if matters(model, operation) {
            let draft = findings.certain(Place::operation(model, operation, None));
            draft.text("method", &operation.method).variant(variant);
        }
    }
}

/// What a write may lose, as its options say.
fn weakness(operation: &Operation) -> Option<&'static str> {
    // Before 4.0 drivers took `w` and `j` beside the other options; Mongoose still does.
    let concern = operation.option("writeConcern");
    let given = |name: &str| concern.and_then(|concern| concern.get(name)).or_else(|| operation.option(name));
    match given("w").and_then(Term::as_i64) {
        Some(0) => Some("unacknowledged"),
        Some(1) => Some("primary"),
        _ => {
            let journal = given("j").or_else(|| given("journal")).and_then(Term::as_bool);
            (journal == Some(false)).then_some("unjournaled")
        }
    }
}

/// Whether losing the write would be felt: money, orders, the data of people, or what is declared to be exact.
pub(in crate::rules) fn matters(model: &Model, operation: &Operation) -> bool {
    let Some(ns) = &operation.ns else { return false };
    if is_exact(model, ns) {
        return true;
    }
    !names::is_trace(&ns.collection)
        && (names::is_precious(&ns.collection)
            || written_names(operation).iter().any(|name| names::is_personal(name) || names::money(name) == Money::Yes))
}

/// Whether intent says that something in the collection must be exact.
pub(in crate::rules) fn is_exact(model: &Model, ns: &Namespace) -> bool {
    let mut exact = model.intent.derived.iter().filter(|derived| derived.precision == Some(Precision::Exact));
    exact.any(|derived| ends(&derived.field).any(|name| is_named(ns, name)))
}

/// What a dotted name may stand for: itself and all that it starts with.
fn ends(name: &str) -> impl Iterator<Item = &str> {
    name.match_indices('.').filter_map(|(at, _)| name.get(..at))
}

/// Names of the fields that an operation writes.
fn written_names(operation: &Operation) -> Vec<&str> {
    let update = Update::of(operation);
    let changes = update.iter().flat_map(|update| &update.changes);
    let mut found: Vec<&str> = changes.filter_map(|change| change.path.rsplit('.').next()).collect();
    let documents = operation.documents.as_ref().and_then(Term::elements).unwrap_or_default();
    let members = documents.iter().filter_map(Term::members).flatten();
    let replaced = update.as_ref().and_then(Update::replacement).unwrap_or_default();
    found.extend(members.chain(replaced).filter_map(crate::workload::Member::name));
    found
}
