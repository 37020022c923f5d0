//! `$facet` that reads the whole collection. Words, reasons and examples: facet-scan.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::pipelines;
use crate::model::Model;
use crate::rules::Findings;
use crate::workload::Term;
use crate::workload::term::{Key, What};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for seen in pipelines(model) {
        for facet in seen.pipeline.certain().iter().filter(|stage| stage.is("$facet")) {
            let branches: Vec<_> = facet.nested().into_iter().map(|nested| nested.pipeline).collect();
            let first = |name: &str| {
                let mut firsts = branches.iter().map(|branch| branch.stages.first().filter(|stage| stage.is(name)));
                let Some(Some(one)) = firsts.next() else { return false };
                1 < branches.len()
                    && firsts.all(|other| other.is_some_and(|other| is_same(&one.argument, &other.argument, DEEPEST)))
            };
            let variant = if first("$match") || first("$limit") {
                "shared"
            } else if facet.position == 0 {
                "first"
            } else {
                continue;
            };
            seen.certain(findings, facet.position)
                .variant(variant)
                .number("branches", branches.len())
                .stored(seen.stored());
        }
    }
}

/// Levels of terms that are compared.
const DEEPEST: u32 = 60;

/// Whether two terms say the same, wherever they are written. What is not known is not known to be the same.
fn is_same(one: &Term, other: &Term, depth: u32) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return false };
    match (&one.what, &other.what) {
        (What::Value(one), What::Value(other)) => one == other,
        (What::Array(one), What::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| is_same(one, other, depth))
        }
        (What::Object(one), What::Object(other)) => {
            one.len() == other.len()
                && one.iter().zip(other).all(|(one, other)| {
                    one.key == other.key && one.key != Key::Spread && is_same(&one.value, &other.value, depth)
                })
        }
        _ => false,
    }
}
