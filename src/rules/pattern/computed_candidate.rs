//! Aggregations that are repeated over documents that hardly change. Words, reasons and examples:
//! computed-candidate.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::statement;
use crate::catalogue::Namespace;
use crate::model::relation::{Load, Shown, Way};
use crate::model::{Model, declared, reads};
use crate::rules::{Findings, Place};
use crate::workload::pipeline::Stage;
use crate::workload::{Operation, Term};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Runs a day, declared or of those that were seen, from which on an aggregation counts as repeated.
    runs: u64,
    /// How many times more often it must run than its documents are written.
    ratio: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options { runs: 100, ratio: 10 }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for (at, pipeline) in &model.pipelines {
        let Some(operation) = model.workload.get(*at) else { continue };
        let Some(ns) = &operation.ns else { continue };
        let stages = pipeline.certain();
        let stores = |stage: &Stage| stage.is_any(&["$out", "$merge"]);
        if stages.iter().any(stores) || pipeline.open {
            continue;
        }
        let counted = model.relations.iter().find(|relation| {
            let counts = |join: &&crate::model::relation::Join| {
                join.operation == *at && join.way == Way::Lookup && join.shown == Shown::Count
            };
            relation.uses.backward.iter().any(|join| counts(&join))
        });
        let source = match counted {
            Some(relation) => &relation.from,
            None if groups(stages) => ns,
            None => continue,
        };
        if is_kept(model, source) {
            continue;
        }
        tell(model, operation, source, options, findings);
    }
}

/// Whether documents are grouped into figures: sums, counts, means; not put together from their parts.
fn groups(stages: &[Stage]) -> bool {
    stages.iter().any(|stage| match stage.name.as_deref() {
        Some("$count" | "$sortByCount") => true,
        Some("$group") => {
            let members = stage.argument.members().unwrap_or_default();
            let figures = members.iter().filter(|member| member.name() != Some("_id"));
            let is_figure = |term: &Term| {
                term.only_member().is_some_and(|(name, _)| matches!(name, "$sum" | "$avg" | "$min" | "$max" | "$count"))
            };
            let mut all = figures.map(|member| is_figure(&member.value)).peekable();
            all.peek().is_some() && all.all(|is_figure| is_figure)
        }
        _ => false,
    })
}

fn tell(model: &Model, operation: &Operation, source: &Namespace, options: &Options, findings: &mut Findings) {
    let (reads, writes) = (Load::of(operation), reads::writes(model, source));
    // Both must be told in one unit: runs a day that are declared, or runs that were seen.
    let (read, written, unit) = if 0.0 < reads.per_day {
        (reads.per_day, writes.per_day, "declared")
    } else if 0 < reads.runs {
        (reads.runs as f64, writes.runs as f64, "seen")
    } else {
        return;
    };
    // What was never seen written may be written where nobody looked.
    if writes.is_none() || read < options.runs as f64 || read < written.max(1.0) * options.ratio as f64 {
        return;
    }
    let draft = findings.inferred(Place::operation(model, operation, None), "reads against writes");
    draft.text("source", source).number("reads", read.round()).number("writes", written.round()).variant(unit);
    if let Some(examined) = operation.runs.as_ref().and_then(|runs| runs.docs_examined.mean()) {
        draft.number("examined", examined);
    }
    if let Some(subject) = statement(model, operation) {
        draft.cause(subject);
    }
}

/// Whether the team keeps a value that is computed from this collection already.
fn is_kept(model: &Model, source: &Namespace) -> bool {
    model.intent.derived.iter().any(|derived| {
        let declared = derived.source.as_deref().unwrap_or_default();
        let names = declared.match_indices('.').filter_map(|(at, _)| declared.get(..at));
        names.into_iter().any(|name| declared::is_named(source, name))
    })
}
