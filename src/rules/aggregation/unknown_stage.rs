//! Stages that the server does not know. Words, reasons and examples: unknown-stage.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::pipelines;
use crate::facts::operators::{Standing, stage};
use crate::finding::Severity;
use crate::model::Model;
use crate::rules::Findings;

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for seen in pipelines(model) {
        seen.each_stage(&mut |inner| {
            let Some(name) = inner.stage.name.as_deref() else { return };
            // Internal stages are in logs of servers that talk to each other.
            if name.starts_with("$_internal") || name.starts_with("$mergeCursors") || seen.operation.runs.is_some() {
                return;
            }
            match stage::standing(name, model.server) {
                Standing::Known => {}
                Standing::Later(since) => {
                    let draft = seen.certain(findings, inner.position).variant("later").severity(Severity::Warning);
                    draft.text("name", name).text("since", since);
                }
                Standing::Gone(_) | Standing::Unknown => {
                    let near = stage::nearest(&format!("${}", name.trim_start_matches('$')), model.server);
                    let draft = seen.certain(findings, inner.position).text("name", name);
                    if let Some(near) = near {
                        draft.variant("near").text("near", near);
                    }
                }
            }
        });
    }
}
