//! Values that change all the time, written into many copies. Words, reasons and examples: fan-out.md.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::config::intent::DerivedKind;
use crate::model::Model;
use crate::rules::{Findings, Place};
use crate::workload::{Operation, Update, Verb};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Writes of copies a day from which on they cost more than they save.
    writes_per_day: f64,
    /// Copies that one change writes at least.
    copies: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options { writes_per_day: 100_000.0, copies: 5 }
    }
}

const DAY: f64 = 86_400_000.0;
/// Runs below which a rate is a guess.
const LEAST_RUNS: u64 = 20;

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for entry in model.registry() {
        if entry.derived.kind != DerivedKind::CurrentCopy {
            continue;
        }
        let writes = model.workload.of(&entry.ns).filter(|operation| writes(operation, &entry.path));
        let Some((runs, changes, copies)) = writes.filter_map(rate).max_by(|a, b| a.1.total_cmp(&b.1)) else {
            continue;
        };
        let per_day = changes * copies as f64;
        if copies < options.copies || per_day < options.writes_per_day {
            continue;
        }
        let draft = findings.measured(Place::path(&entry.ns, &entry.path), runs);
        draft.number("changes", changes.round()).number("copies", copies).number("writes", per_day.round());
        draft.text("source", entry.derived.source.as_deref().unwrap_or_default());
    }
}

/// Whether an operation writes the copy in many documents at once.
fn writes(operation: &Operation, path: &str) -> bool {
    operation.verb == Verb::Update
        && operation.many
        && Update::of(operation).is_some_and(|update| update.changes.iter().any(|change| change.field() == path))
}

/// How often an operation was seen, how often it runs a day at that pace, and how many documents it writes each time.
fn rate(operation: &Operation) -> Option<(u64, f64, u64)> {
    let runs = operation.runs.as_ref()?;
    let span = runs.last?.checked_sub(runs.first?)?;
    let copies = runs.docs_examined.sum.checked_div(runs.count)?;
    (LEAST_RUNS <= runs.count && 0 < span).then(|| (runs.count, runs.count as f64 * DAY / span as f64, copies))
}
