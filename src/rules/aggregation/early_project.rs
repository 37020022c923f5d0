//! Projections that only leave fields out before a stage that takes what it needs. Words, reasons and examples: early-project.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{pipelines, rewrite};
use crate::model::Model;
use crate::rules::Findings;
use crate::workload::pipeline::{Change, Source, is_within};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for seen in pipelines(model) {
        let stages = seen.pipeline.certain();
        for (at, stage) in stages.iter().enumerate().filter(|(_, stage)| stage.is_any(&["$project", "$unset"])) {
            let (kept, removed) = match stage.change() {
                Change::Only(left) if left.iter().all(|made| made.source == Source::Kept) => {
                    (Some(left.into_iter().map(|made| made.path).collect::<Vec<_>>()), Vec::new())
                }
                Change::Some { made, removed } if made.is_empty() => (None, removed),
                _ => continue,
            };
            // What reads less than is left sees no difference.
            let fits = |path: &str| match &kept {
                Some(kept) => kept.iter().any(|left| is_within(path, left)),
                None => !removed.iter().any(|gone| is_within(path, gone) || is_within(gone, path)),
            };
            let mut taker = None;
            for next in stages.iter().skip(at + 1) {
                let reads = next.reads();
                if !reads.is_closed() || !reads.paths.iter().all(|(path, _)| fits(path)) {
                    break;
                }
                match next.change() {
                    // A projection that keeps what it is given is the same again.
                    Change::Only(_) if next.is_any(&["$group", "$bucket", "$bucketAuto", "$sortByCount", "$count"]) => {
                        taker = Some(next);
                        break;
                    }
                    Change::Some { .. }
                        if next.is_any(&["$match", "$sort", "$limit", "$skip", "$unwind", "$lookup"]) => {}
                    _ => break,
                }
            }
            let Some(taker) = taker else { continue };
            let rest = seen.pipeline.stages.iter().enumerate().filter(|(place, _)| *place != at);
            let texts: Vec<String> = rest.map(|(_, stage)| seen.stage_text(stage)).collect();
            let name = stage.name.clone().unwrap_or_default();
            let draft = seen.certain(findings, stage.position).text("name", name);
            draft.text("taker", taker.name.clone().unwrap_or_default()).remedy(rewrite::pipeline(&texts));
        }
    }
}
