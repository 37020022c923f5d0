//! Plans that won by little. Words, reasons and examples: unstable-plan.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::certain;
use crate::catalogue::plan::Trial;
use crate::model::Model;
use crate::rules::Findings;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// How near a rejected plan must come, as a share of the winner's score.
    near: f64,
}

impl Default for Options {
    fn default() -> Self {
        Options { near: 0.9 }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for plan in &model.plans {
        for part in &plan.parts {
            let mut trials: Vec<&Trial> = part.trials.iter().collect();
            trials.sort_by(|a, b| b.merit().total_cmp(&a.merit()));
            let [first, second, ..] = trials.as_slice() else { continue };
            // Every score begins at 1, so plans that differ in all that counts may still have like scores.
            let near = (second.merit() + 1.0) / (first.merit() + 1.0);
            if first.merit() <= 0.0 || near < options.near || second.merit() * 2.0 < first.merit() {
                continue;
            }
            let draft = certain(model, plan, findings);
            draft.number("near", near).number("plans", trials.len());
            draft.list("chosen", &first.indexes).list("other", &second.indexes);
            if let Some(shard) = &part.shard {
                draft.cause(shard);
            }
            break;
        }
    }
}
