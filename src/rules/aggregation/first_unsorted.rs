//! The first or last of a group that nothing has ordered. Words, reasons and examples: first-unsorted.md.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use super::{accumulators, pipelines};
use crate::model::{Collection, Model};
use crate::remedy::literal::literal;
use crate::rules::Findings;
use crate::value::Value;
use crate::workload::pipeline::{Order, Pipeline, Reads, Stage, is_within, plain_path, top};
use crate::workload::{Filter, Operator, Term, Test};

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
            // One document, or what became of it.
            if stages.iter().take(at).any(names_one) {
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
            let stored = stages.iter().take(at).all(|stage| stage.is("$match"));
            let groups = seen.collection().filter(|_| stored).and_then(|collection| groups(collection, stage, field));
            let place = seen.place(stage.position);
            let draft = match groups {
                // The attribute belongs to the key.
                Some(groups) if groups.varied == 0 && ENOUGH <= groups.repeated => continue,
                Some(groups) if 0 < groups.varied => findings.measured(place, groups.sampled),
                _ => findings.certain(place).info_where(*operator == "$first"),
            };
            draft.cause(seen.subject(stage.position)).text("operator", operator).text("field", field);
        }
    }
}

/// Groups of several documents that show whether a value varies within one.
const ENOUGH: u64 = 20;

/// Whether a filter names one document by its `_id`.
fn names_one(stage: &Stage) -> bool {
    let names = |(path, test): &(&str, &Test)| *path == "_id" && test.operator == Operator::Eq;
    stage.is("$match") && Filter::read(&stage.argument).conjuncts().iter().any(names)
}

/// What the sampled documents say of the value that an accumulator picks.
struct Groups {
    sampled: u64,
    /// Groups of several documents.
    repeated: u64,
    /// Of these, how many hold different values.
    varied: u64,
}

/// Groups the sampled documents by the key, where key and value are plain paths.
fn groups(collection: &Collection, group: &Stage, field: &str) -> Option<Groups> {
    let path = |term: &Term| term.as_str().and_then(plain_path).map(str::to_owned);
    let key = path(group.argument.get("_id")?)?;
    let (_, _, argument) = accumulators(group).into_iter().find(|(name, ..)| *name == field)?;
    let value = path(argument)?;
    let mut first: BTreeMap<String, (String, bool, bool)> = BTreeMap::new();
    let mut sampled = 0;
    collection.each_sampled(|document| {
        let whole = Value::from_document(document);
        let at = |path: &str| path.split('.').try_fold(&whole, |value, name| value.get(name)).map(literal);
        let (key, value) = (at(&key).unwrap_or_default(), at(&value).unwrap_or_default());
        sampled += 1;
        first
            .entry(key)
            .and_modify(|(known, repeated, varied)| {
                *repeated = true;
                *varied |= *known != value;
            })
            .or_insert((value, false, false));
    });
    let count =
        |varied: bool| first.values().filter(|(_, many, differs)| *many && (!varied || *differs)).count() as u64;
    (0 < sampled).then(|| Groups { sampled, repeated: count(false), varied: count(true) })
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
