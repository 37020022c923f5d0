//! Stages that write to disk because their memory is full. Words, reasons and examples: spill.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{certain, logged};
use crate::catalogue::plan::Stage;
use crate::model::Model;
use crate::rules::Findings;

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for plan in &model.plans {
        let spilled: Vec<&Stage> = plan.stages().into_iter().filter(|stage| stage.spilled).collect();
        let Some(first) = spilled.first() else { continue };
        let bytes = spilled.iter().filter_map(|stage| stage.bytes).max();
        let draft = certain(model, plan, findings);
        draft.text("stageName", &first.name);
        match bytes {
            Some(bytes) => draft.number("bytes", bytes).variant("bytes"),
            None => draft,
        };
    }
    for seen in logged(model).into_iter().filter(|seen| seen.runs.spilled > 0) {
        let draft = seen.tell(model, findings, seen.runs.docs_examined.sum.max(seen.runs.spilled));
        draft.number("spilled", seen.runs.spilled).variant("logged");
    }
}
