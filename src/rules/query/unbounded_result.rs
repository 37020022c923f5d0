//! Reads that may return very many documents. Words, reasons and examples: unbounded-result.md.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::model::{Collection, Model};
use crate::rules::{Findings, Place};
use crate::workload::{Filter, Loop, LoopKind, Operator, Over, Predicate, Verb};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// From how many documents on a result is large.
    documents: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options { documents: 10_000 }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    let streamed = streamed(model);
    for operation in model.workload.iter().filter(|o| o.verb == Verb::Find && o.limit.is_none() && o.ns.is_some()) {
        let place = Place::operation(model, operation, None);
        if let Some(runs) = &operation.runs {
            if let Some(returned) = runs.returned.mean().filter(|returned| *returned >= options.documents) {
                findings.measured(place, runs.count).number("returned", returned).variant("log");
            }
            continue;
        }
        let Some(collection) = operation.ns.as_ref().and_then(|ns| model.collection(ns)) else { continue };
        let expected = expected(&operation.conditions(), collection);
        let Some(expected) = expected.filter(|expected| *expected >= options.documents) else { continue };
        if streamed.contains(&(operation.file(), operation.context.number)) {
            continue;
        }
        let stored = collection.stored();
        let draft = findings.certain(place).number("stored", stored).number("expected", expected);
        if expected == stored {
            draft.variant("all");
        }
    }
}

/// Documents that match, by the distinct values of what is compared; none where that is not known.
fn expected(filter: &Filter, collection: &Collection) -> Option<u64> {
    if filter.open {
        return None;
    }
    let stored = collection.stored();
    let mut least = stored;
    for predicate in &filter.all {
        let Predicate::Path { path, certain: true, tests, .. } = predicate else { return None };
        let [test] = tests.as_slice() else { return None };
        let profile = collection.profile.as_ref()?;
        let [id] = profile.resolve(path)[..] else { return None };
        let distinct = profile.field(id)?.distinct_count();
        match test.operator {
            Operator::Eq if distinct > 0 && profile.documents > 0 && !profile.in_array(id) => {
                least = least.min(stored / distinct);
            }
            Operator::Ne => {}
            _ => return None,
        }
    }
    Some(least)
}

/// The results that are gone through as they come, by file and number of their operation.
fn streamed(model: &Model) -> BTreeSet<(Option<&str>, u32)> {
    let written = model.workload.iter().filter(|operation| operation.runs.is_none());
    let over = |around: &Loop| match around.over {
        Over::Result(number) if around.kind == LoopKind::Await => Some(number),
        _ => None,
    };
    written
        .flat_map(|operation| operation.context.loops.iter().filter_map(move |a| Some((operation.file(), over(a)?))))
        .collect()
}
