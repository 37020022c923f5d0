//! Queries that are made once for each result of another. Words, reasons and examples: n-plus-one.md.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::finding::Severity;
use crate::model::Model;
use crate::rules::{Findings, Place};
use crate::workload::{Loop, LoopKind, Operation, Over, Runs, Verb};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// From how many runs of one shape in a row on one connection on a log shows a loop.
    burst: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options { burst: 20 }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for operation in model.workload.iter() {
        match &operation.runs {
            Some(runs) => seen(model, options, operation, runs, findings),
            None => written(model, operation, findings),
        }
    }
}

fn written(model: &Model, operation: &Operation, findings: &mut Findings) {
    // The innermost loop that repeats the query for something: a retry or a list of constants around or within it does
    // not make it one for each result.
    let Some(around) = operation.context.loops.iter().rev().find(|around| is_over_data(around)) else { return };
    if operation.context.loops.iter().any(|around| around.over == Over::Again && around.kind != LoopKind::Await) {
        return;
    }
    let reads = matches!(
        operation.verb,
        Verb::Find | Verb::FindOne | Verb::Aggregate | Verb::Count | Verb::Distinct | Verb::Populate
    );
    let over_result = matches!(around.over, Over::Result(_));
    let is_batch = around.kind == LoopKind::Await;
    // One document at a time is what a bulk write is for.
    let writes = operation.verb.is_write() && !operation.many && (over_result || is_batch);
    if !reads && !writes {
        return;
    }
    let draft = findings.certain(Place::operation(model, operation, None)).text("method", &operation.method);
    if let Over::Result(number) = around.over
        && let Some(outer) = model.workload.beside(operation, number)
        && let Some(ns) = &outer.ns
    {
        draft.text("outer", &ns.collection).variant(if reads { "result" } else { "resultwrite" });
    } else if !reads {
        draft.variant("write");
    }
    if !(reads && over_result) || is_batch {
        draft.severity(Severity::Info);
    }
}

/// Whether a loop goes over things whose number grows with the data.
fn is_over_data(around: &Loop) -> bool {
    match around.over {
        Over::Result(_) => true,
        Over::Unknown => matches!(around.kind, LoopKind::Each | LoopKind::Callback | LoopKind::Await),
        Over::Constant | Over::Again => false,
    }
}

fn seen(model: &Model, options: &Options, operation: &Operation, runs: &Runs, findings: &mut Findings) {
    let reads = matches!(operation.verb, Verb::Find | Verb::FindOne | Verb::Aggregate | Verb::Count | Verb::Distinct);
    let few = runs.returned.mean().is_none_or(|returned| returned <= 1);
    // A query that is asked for all the time follows itself within a second without any loop.
    let steady = runs.last.zip(runs.first).is_none_or(|(last, first)| {
        let seconds = last.saturating_sub(first).unsigned_abs() / 1_000;
        seconds <= runs.count
    });
    let spread = runs.count > runs.longest_burst;
    if reads
        && few
        && options.burst <= runs.longest_burst
        && !(steady && spread)
        && !operation.conditions().matches_all()
    {
        let draft = findings.measured(Place::operation(model, operation, None), runs.count);
        draft.number("burst", runs.longest_burst).number("runs", runs.count).variant("log");
        if steady {
            draft.severity(Severity::Info);
        }
    }
}
