//! Filters that could stand before stages that cost. Words, reasons and examples: late-match.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{moves, pipelines, rewrite};
use crate::facts::optimiser;
use crate::finding::Severity;
use crate::model::Model;
use crate::rules::Findings;
use crate::workload::pipeline::Stage;

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for seen in pipelines(model).filter(|seen| !seen.has_collation()) {
        let stages = seen.pipeline.certain();
        for (at, stage) in stages.iter().enumerate().filter(|(_, stage)| stage.is("$match")) {
            let Some(conditions) = moves::conditions(stages, at) else { continue };
            let passed = |to: usize| stages.get(to..at).unwrap_or_default().iter();
            let costs = |stage: &Stage| !stage.is_any(&["$match", "$sort"]);
            let (moving, staying): (Vec<_>, Vec<_>) =
                conditions.into_iter().partition(|condition| passed(condition.to).any(costs));
            let Some(first) = moving.iter().map(|condition| condition.to).min() else { continue };
            let by_itself = |stage: &Stage| {
                stage.name.as_deref().is_some_and(|name| optimiser::moves_match_before(name, model.server))
            };
            let server_moves = passed(first).all(by_itself);
            let text = |condition: &moves::Condition<'_>| match &condition.renamed {
                Some(name) => seen.renamed_text(name, condition.member),
                None => seen.member_text(condition.member),
            };
            let mut rewritten = Vec::with_capacity(seen.pipeline.stages.len() + 1);
            for (place, stage) in seen.pipeline.stages.iter().enumerate() {
                let here: Vec<String> = moving.iter().filter(|condition| condition.to == place).map(text).collect();
                if !here.is_empty() {
                    rewritten.push(rewrite::stage("$match", &here));
                }
                if place != at {
                    rewritten.push(seen.stage_text(stage));
                } else if !staying.is_empty() {
                    let left: Vec<String> = staying.iter().map(|left| seen.member_text(left.member)).collect();
                    rewritten.push(rewrite::stage("$match", &left));
                }
            }
            let before = stages.get(first).and_then(|stage| stage.name.clone()).unwrap_or_default();
            let draft = seen.certain(findings, stage.position);
            draft.text("before", before).list("fields", moving.iter().filter_map(|condition| condition.member.name()));
            draft.remedy(rewrite::pipeline(&rewritten)).stored(seen.stored());
            if server_moves {
                draft.variant("moved").severity(Severity::Info);
            }
        }
    }
}
