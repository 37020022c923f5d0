//! The first or last of a group that nothing has ordered. Words, reasons and examples: first-unsorted.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{accumulators, pipelines};
use crate::model::Model;
use crate::rules::Findings;
use crate::workload::Term;
use crate::workload::pipeline::{Order, Pipeline, Reads, Stage, is_within, top};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for seen in pipelines(model) {
        let stages = seen.pipeline.certain();
        for (at, stage) in
            stages.iter().enumerate().filter(|(_, stage)| stage.is_any(&["$group", "$bucket", "$bucketAuto"]))
        {
            if is_ordered(stages.get(..at).unwrap_or_default()) {
                continue;
            }
            let key = stage.argument.get("_id").or_else(|| stage.argument.get("groupBy"));
            let key = key.map(Reads::of_expression).unwrap_or_default();
            if key.open || key.whole || key.paths.iter().any(|(path, _)| path == "_id") {
                continue;
            }
            let key: Vec<&str> = key.paths.iter().map(|(path, _)| path.as_str()).collect();
            let fixed = |argument: &Term| {
                let reads = Reads::of_expression(argument);
                reads.paths.is_empty() && reads.is_closed()
                    || reads.is_closed() && reads.paths.iter().all(|(path, _)| is_fixed(seen.pipeline, at, &key, path))
            };
            let picks = accumulators(stage)
                .into_iter()
                .filter(|(_, operator, argument)| matches!(*operator, "$first" | "$last") && !fixed(argument));
            let picks: Vec<_> = picks.collect();
            let Some((field, operator, _)) =
                picks.iter().find(|(_, operator, _)| *operator == "$last").or(picks.first())
            else {
                continue;
            };
            let draft = seen.certain(findings, stage.position).text("operator", operator).text("field", field);
            draft.info_where(*operator == "$first");
        }
    }
}

/// Whether documents come in an order that some stage gave them.
fn is_ordered(before: &[Stage]) -> bool {
    before.iter().rev().map(Stage::order).find(|order| *order != Order::Keeps) == Some(Order::Sets)
}

/// Whether an attribute is the same in all documents of a group: it is the key, part of what the key identifies, or of
/// what was joined by the key.
fn is_fixed(pipeline: &Pipeline, at: usize, key: &[&str], path: &str) -> bool {
    let is_id = |name: &str| {
        let name = name.rsplit('.').next().unwrap_or(name).to_lowercase();
        name.ends_with("id") || name.ends_with("code") || name.ends_with("sku") || name.ends_with("key")
    };
    key.iter().any(|key| {
        let beside = key.contains('.') && top(key) == top(path) && is_id(key);
        is_within(path, key)
            || beside
            || pipeline.stages.iter().take(at).any(|stage| {
                let by = stage.argument.get("localField").and_then(Term::as_str);
                let into = stage.argument.get("as").and_then(Term::as_str);
                stage.is("$lookup") && by == Some(key) && into.is_some_and(|into| is_within(path, into))
            })
    })
}
