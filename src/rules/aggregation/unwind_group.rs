//! Arrays that are taken apart and put together again. Words, reasons and examples: unwind-group.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::pipelines;
use crate::model::Model;
use crate::rules::Findings;
use crate::workload::Term;
use crate::workload::pipeline::{overlap, plain_path};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for seen in pipelines(model) {
        let stages = seen.pipeline.certain();
        for (at, unwind) in stages.iter().enumerate().filter(|(_, stage)| stage.is("$unwind")) {
            let path = unwind.argument.get("path").unwrap_or(&unwind.argument);
            let Some(path) = path.as_str().and_then(plain_path) else { continue };
            // What was joined, grouped or unwound before is no array of the document.
            if !seen.pipeline.fields_before(unwind.position).is_stored(path)
                || !seen.pipeline.fields_before(unwind.position).is_stored("_id")
            {
                continue;
            }
            let next = stages.iter().skip(at + 1).find(|stage| !stage.is_any(&["$match", "$set", "$addFields"]));
            let Some(group) = next.filter(|stage| stage.is("$group") && stage.argument.is_closed()) else { continue };
            let back = group.argument.get("_id").and_then(Term::as_str) == Some("$_id");
            let reads_element = group.reads().paths.iter().any(|(read, _)| overlap(read, path));
            let earlier = stages.iter().take(at).any(|stage| stage.is("$unwind"));
            if back && reads_element && !earlier {
                seen.certain(findings, unwind.position).text("field", path).stored(seen.stored());
            }
        }
    }
}
