//! Current documents and their revisions that disagree. Words, reasons and examples: revision-drift.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::is_kept_unique;
use crate::model::Model;
use crate::rules::{Findings, Place};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for revisions in &model.patterns().revisions {
        if 0 < revisions.behind {
            findings
                .measured(Place::path(&revisions.live, &revisions.live_number), revisions.compared)
                .number("behind", revisions.behind)
                .number("most", revisions.most_behind)
                .text("revisions", &revisions.revisions)
                .variant("behind");
        }
        let key = [revisions.reference.clone(), revisions.number.clone()];
        let in_id = key.iter().all(|path| path.as_str().starts_with("_id."));
        let kept =
            in_id || model.collection(&revisions.revisions).is_some_and(|collection| is_kept_unique(collection, &key));
        if 0 < revisions.repeated && !kept {
            findings
                .measured(Place::path(&revisions.revisions, &revisions.number), revisions.looked_at)
                .number("repeated", revisions.repeated)
                .number("repeating", revisions.repeating)
                .text("reference", &revisions.reference)
                .variant("twice");
        }
    }
}
