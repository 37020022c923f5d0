//! A write per event on one document, for a number that may be estimated. Words, reasons and examples:
//! approximation-candidate.md.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use super::is_declared;
use crate::catalogue::Namespace;
use crate::config::intent::{Pattern, Precision};
use crate::facts::names;
use crate::model::{Model, declared};
use crate::rules::{Findings, Place};
use crate::value::time::DAY;
use crate::workload::{Operation, Runs, Update, Verb};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Increments of one document that must have been seen.
    increments: u64,
    /// Increments a second that one document must take.
    per_second: f64,
}

impl Default for Options {
    fn default() -> Self {
        Options { increments: 100, per_second: 1.0 }
    }
}

/// A shorter time tells no rate, in milliseconds.
const SHORTEST: u64 = 10_000;

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    let mut seen: BTreeMap<(&Namespace, String), (Runs, f64)> = BTreeMap::new();
    for operation in model.workload.iter() {
        let (Some(ns), Some(field)) = (&operation.ns, counted(operation)) else { continue };
        let (runs, declared) = seen.entry((ns, field)).or_default();
        if let Some(more) = &operation.runs {
            runs.merge(more);
        }
        *declared += operation.demand.as_ref().and_then(|demand| demand.per_day).unwrap_or(0.0);
    }
    for ((ns, field), (runs, declared)) in seen {
        if is_declared(model, ns, &field, &[Pattern::Approximation]) || is_approximate(model, ns, &field) {
            continue;
        }
        let hits = runs.ids.most().map_or(0, |(_, hits)| hits);
        let millis = runs.first.zip(runs.last).map_or(0, |(first, last)| last.abs_diff(first)).max(SHORTEST);
        let measured = hits as f64 * 1_000.0 / millis as f64;
        // Declared are all documents together: only where the pattern names one document is it the rate of one.
        let per_second = if options.increments <= hits { measured } else { declared * 1_000.0 / DAY as f64 };
        let known = options.increments <= hits || 0.0 < declared;
        if !known || per_second < options.per_second {
            continue;
        }
        let place = Place::path(ns, &field);
        let draft = if options.increments <= hits {
            let draft = findings.measured(place, runs.count);
            draft.number("hits", hits).number("conflicts", runs.write_conflicts.sum).variant("measured")
        } else {
            findings.inferred(place, "declared runs a day")
        };
        draft.number("perSecond", (per_second * 10.0).round() / 10.0);
    }
}

/// The field that an operation counts up in one document, where an estimate is as good.
fn counted(operation: &Operation) -> Option<String> {
    if !matches!(operation.verb, Verb::Update | Verb::FindAndUpdate) || operation.many {
        return None;
    }
    let filter = operation.conditions();
    let by_id =
        filter.conjuncts().iter().any(|(path, test)| *path == "_id" && test.operator == crate::workload::Operator::Eq);
    let seen_by_id = operation.runs.as_ref().is_some_and(|runs| 0 < runs.ids.total());
    if !by_id && !seen_by_id {
        return None;
    }
    let update = Update::of(operation)?;
    // What else is written there must be written now: a last visit may wait as well.
    let other = |path: &str| !names::is_event_time(path) && !names::is_estimable(path);
    let leaf = |field: &str| field.rsplit('.').next().unwrap_or_default().to_owned();
    if update.open || update.changes.iter().any(|change| other(&leaf(&change.field()))) {
        return None;
    }
    let counts = update.changes.iter().find(|change| change.operator == "$inc")?;
    Some(counts.field()).filter(|field| names::is_estimable(&leaf(field)))
}

/// Whether the team has declared that the number is an estimate, or that it is exact.
fn is_approximate(model: &Model, ns: &Namespace, field: &str) -> bool {
    let own = |name: &str| {
        name.strip_suffix(field).and_then(|ns| ns.strip_suffix('.')).is_some_and(|name| declared::is_named(ns, name))
    };
    let said = |precision: Option<Precision>| precision.is_some();
    model.intent.derived.iter().any(|derived| own(&derived.field) && said(derived.precision))
}
