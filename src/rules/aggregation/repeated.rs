//! Pipelines that run again and again over the same documents. Words, reasons and examples: repeated.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::pipelines;
use crate::model::Model;
use crate::rules::Findings;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// From how many runs on a pipeline is told.
    runs: u64,
    /// From how many documents on that one run examines.
    examined: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options { runs: 100, examined: 1_000 }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for seen in pipelines(model) {
        let Some(runs) = &seen.operation.runs else { continue };
        let groups = seen
            .pipeline
            .certain()
            .iter()
            .find(|stage| stage.is_any(&["$group", "$bucket", "$bucketAuto", "$sortByCount", "$facet"]));
        // A count of documents is a pipeline too.
        let counts = |stage: &crate::workload::pipeline::Stage| {
            stage
                .argument
                .get("_id")
                .is_some_and(|id| id.as_scalar().is_some() && id.as_str().is_none_or(|text| !text.starts_with('$')))
        };
        let Some(group) = groups.filter(|group| !(group.is("$group") && counts(group))) else { continue };
        let (Some(examined), Some(returned)) = (runs.docs_examined.mean(), runs.returned.mean()) else { continue };
        if options.runs <= runs.count && options.examined <= examined && returned < examined {
            let draft = findings.certain(seen.place(group.position)).cause(seen.subject(group.position));
            draft.number("runs", runs.count).number("examined", examined).number("returned", returned);
        }
    }
}
