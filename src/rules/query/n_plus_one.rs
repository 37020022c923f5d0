//! Queries that are made once for each result of another. Words, reasons and examples: n-plus-one.md.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::finding::Severity;
use crate::model::Model;
use crate::rules::{Findings, Place};
use crate::workload::{Loop, LoopKind, Operation, Operator, Over, Runs, Verb};

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
    // A collection that is not known may be another one for each element: a loop over models or relationships.
    if operation.ns.is_none() && !over_result {
        return;
    }
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
    let reads = matches!(operation.verb, Verb::Find | Verb::FindOne | Verb::Count | Verb::Distinct);
    if !reads || runs.longest_burst < options.burst || !asks_by_value(operation) || !runs.ask_for_many() {
        return;
    }
    // A query that is asked for all the time follows itself within a second without any loop.
    let seconds =
        runs.last.zip(runs.first).map_or(0, |(last, first)| last.saturating_sub(first).unsigned_abs() / 1_000);
    let steady = seconds < 2 * runs.busy_seconds();
    let spread = runs.count > runs.longest_burst;
    if steady && spread {
        return;
    }
    let draft = findings.measured(Place::operation(model, operation, None), runs.count);
    draft.number("burst", runs.longest_burst).number("runs", runs.count).variant("log");
    if steady {
        draft.severity(Severity::Info);
    }
}

/// Whether an operation asks for what belongs to one value, as a loop over other documents does. A range or a skip is
/// the next page of the same.
fn asks_by_value(operation: &Operation) -> bool {
    let filter = operation.conditions();
    let conditions = filter.conjuncts();
    let by_value = conditions.iter().any(|(_, test)| test.operator == Operator::Eq);
    by_value && operation.skip.is_none() && !conditions.iter().any(|(_, test)| test.operator.is_range())
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use crate::vet::{InputOptions, Options, Vet};

    /// A log in which commands run: the time in milliseconds, the connection, the command, and what it returned.
    fn log(runs: impl IntoIterator<Item = (u64, u64, String, u64)>) -> String {
        let mut text = String::new();
        for (time, connection, command, returned) in runs {
            let at = jiff::Timestamp::from_millisecond(1_790_000_000_000 + time as i64).unwrap();
            let _ = writeln!(
                text,
                r#"{{"t":{{"$date":"{at}"}},"s":"I","c":"COMMAND","id":51803,"ctx":"conn{connection}","msg":"Slow query","attr":{{"type":"command","ns":"shop.lines","command":{{{command},"$db":"shop"}},"planSummary":"IXSCAN {{ a: 1 }}","keysExamined":{returned},"docsExamined":{returned},"nreturned":{returned},"durationMillis":5}}}}"#
            );
        }
        text
    }

    /// The findings of the rule on a log: level and length of the burst.
    fn found(runs: impl IntoIterator<Item = (u64, u64, String, u64)>) -> Vec<(String, u64)> {
        let mut vet = Vet::new(Options { select: vec!["query/n-plus-one".to_owned()], ..Options::default() }).unwrap();
        vet.open("mongod.log", InputOptions::default());
        vet.write(log(runs).as_bytes());
        let report: serde_json::Value = serde_json::from_str(&vet.finish()).unwrap();
        let findings = report["findings"].as_array().unwrap().iter();
        findings
            .map(|f| (f["severity"].as_str().unwrap().to_owned(), f["evidence"]["burst"].as_u64().unwrap()))
            .collect()
    }

    fn find(filter: &str, options: &str) -> String {
        format!(r#""find":"lines","filter":{filter}{options}"#)
    }

    #[test]
    fn a_page_that_asks_for_each_of_its_elements() {
        // Five pages, on their own connections, twenty seconds apart: 40 elements each, ids that come once or twice.
        let pages = (0..5_u64).flat_map(|page| {
            (0..40).map(move |at| {
                let command =
                    find(&format!(r#"{{"_id":{{"$oid":"65f00000000000000000{:04}"}}}}"#, at % 30), r#","limit":1"#);
                (page * 20_000 + at * 7, page, command, 1)
            })
        });
        assert_eq!(found(pages), [("warning".to_owned(), 40)]);
        // The children of each element, several at once, sorted.
        let children = (0..3_u64).flat_map(|page| {
            (0..25).map(move |at| {
                let command = find(&format!(r#"{{"order":{at},"state":"open"}}"#), r#","sort":{"line":1}"#);
                (page * 60_000 + at * 12, 7, command, 4)
            })
        });
        assert_eq!(found(children), [("warning".to_owned(), 25)]);
        // One burst may be an accident.
        let once = (0..30_u64).map(|at| (at, 1, find(&format!(r#"{{"order":{at}}}"#), ""), 2));
        assert_eq!(found(once), [("info".to_owned(), 30)]);
    }

    #[test]
    fn what_comes_in_bursts_without_a_loop_over_results() {
        let silent = |what: &str, runs: Vec<(u64, u64, String, u64)>| assert_eq!(found(runs), [], "{what}");
        let state = || find(r#"{"state":"open"}"#, r#","limit":1"#);
        silent("polling", (0..3_000).map(|at| (at * 20, 1, state(), 0)).collect());
        let worker = (0..5).flat_map(|minute| (0..40).map(move |at| (minute * 60_000 + at * 20, 1, state(), 1)));
        silent("a worker that takes the next until there is none", worker.collect());
        let range = |at: u64| find(&format!(r#"{{"shop":5,"_id":{{"$gt":{at}}}}}"#), r#","limit":1"#);
        let paging = (0..5).flat_map(|run| (0..40).map(move |at| (run * 60_000 + at * 20, 1, range(at), 1)));
        silent("paging by range", paging.collect());
        let page = |at: u64| find(r#"{"shop":5}"#, &format!(r#","skip":{at},"limit":1"#));
        let skipping = (0..5).flat_map(|run| (0..40).map(move |at| (run * 60_000 + at * 20, 1, page(at), 1)));
        silent("paging by skip", skipping.collect());
        let one = |at: u64| find(&format!(r#"{{"_id":{at}}}"#), r#","limit":1"#);
        silent("many users", (0..2_000).map(|at| (at, at % 400, one(at), 1)).collect());
        silent("a busy service on few connections", (0..6_000).map(|at| (at * 10, at % 2, one(at), 1)).collect());
        let all = (0..5).flat_map(|run| (0..40).map(move |at| (run * 60_000 + at * 20, 1, find("{}", ""), 1)));
        silent("without a condition", all.collect());
    }
}
