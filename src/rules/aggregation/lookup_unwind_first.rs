//! Arrays of ids that are taken apart only to join each. Words, reasons and examples: lookup-unwind-first.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::pipelines;
use crate::model::Model;
use crate::rules::Findings;
use crate::workload::Term;
use crate::workload::pipeline::plain_path;

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for seen in pipelines(model) {
        let stages = seen.pipeline.certain();
        for (at, unwind) in stages.iter().enumerate().filter(|(_, stage)| stage.is("$unwind")) {
            let path = unwind.argument.get("path").unwrap_or(&unwind.argument);
            let Some(path) = path.as_str().and_then(plain_path) else { continue };
            let Some(join) = stages.get(at + 1).filter(|stage| stage.is("$lookup")) else { continue };
            if join.argument.get("localField").and_then(Term::as_str) != Some(path) {
                continue;
            }
            // The rows are wanted unless they are put together again.
            let back = stages.iter().skip(at + 2).find(|stage| stage.is("$group"));
            if back.is_some_and(|group| group.argument.get("_id").and_then(Term::as_str) == Some("$_id")) {
                seen.certain(findings, unwind.position).text("field", path).stored(seen.stored());
            }
        }
    }
}
