//! Pages that are cut before they are ordered. Words, reasons and examples: skip-before-sort.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::pipelines;
use crate::model::Model;
use crate::rules::Findings;
use crate::workload::pipeline::{Order, Stage};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for seen in pipelines(model) {
        let stages = seen.pipeline.certain();
        for (at, skip) in stages.iter().enumerate().filter(|(_, stage)| stage.is("$skip")) {
            let ordered = |stage: &&Stage| stage.order() != Order::Keeps;
            let before = stages.iter().take(at).rev().find(ordered);
            if before.is_some_and(|stage| stage.order() == Order::Sets) || skip.argument.as_i64() == Some(0) {
                continue;
            }
            let next = stages.iter().skip(at + 1).find(ordered);
            if let Some(sort) = next.filter(|stage| stage.is("$sort")) {
                seen.certain(findings, skip.position).number("sort", sort.position);
            }
        }
    }
}
