//! Limits that could stand before stages that keep the number of documents. Words, reasons and examples: limit-late.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{pipelines, rewrite};
use crate::model::Model;
use crate::rules::Findings;
use crate::workload::pipeline::Stage;

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

/// Stages that give one document for each that they take, in the same order.
const PASSIVE: &[&str] =
    &["$addFields", "$set", "$project", "$unset", "$lookup", "$graphLookup", "$replaceRoot", "$replaceWith"];

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for seen in pipelines(model) {
        let stages = seen.pipeline.certain();
        for (at, limit) in stages.iter().enumerate().filter(|(_, stage)| stage.is("$limit")) {
            let before = stages.get(..at).unwrap_or_default();
            let cuts = before.iter().rev().take_while(|stage| stage.is("$skip")).count();
            let end = at - cuts;
            let passive = |stage: &&Stage| stage.is_any(PASSIVE);
            let passed = before.iter().take(end).rev().take_while(passive).count();
            if passed == 0 {
                continue;
            }
            let start = end - passed;
            let order = (0..start).chain(end..=at).chain(start..end).chain(at + 1..seen.pipeline.stages.len());
            let texts: Vec<String> =
                order.filter_map(|place| seen.pipeline.stages.get(place)).map(|stage| seen.stage_text(stage)).collect();
            let first = stages.get(start).and_then(|stage| stage.name.clone()).unwrap_or_default();
            let draft = seen.certain(findings, limit.position).text("before", first);
            draft.remedy(rewrite::pipeline(&texts)).stored(seen.stored());
        }
    }
}
