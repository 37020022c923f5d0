//! Patterns in use whose card says too little. Words, reasons and examples: undeclared-card.md.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::config::intent::Pattern;
use crate::model::in_use::{self, Need};
use crate::model::{InUse, Model};
use crate::rules::{Findings, Place};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    let intent = &model.intent;
    // Who declares nothing has not begun with cards.
    if intent.patterns.is_empty() && intent.derived.is_empty() {
        return;
    }
    for collection in &model.collections {
        for used in model.in_use(&collection.ns) {
            let lacks = used.lacks(model);
            let has_card = used.card(model).is_some();
            if lacks.is_empty() || !has_card && !is_told_without_card(used, &lacks) {
                continue;
            }
            let place = match &used.path {
                Some(path) => Place::path(&collection.ns, path),
                None => Place::collection(&collection.ns),
            };
            let draft = match (has_card, used.seen) {
                (true, _) => findings.certain(place),
                (false, _) => findings.measured(place, collection.documents()).variant("none"),
            };
            draft.text("pattern", in_use::name(used.pattern)).list("lacks", lacks.iter().map(|need| need.name()));
        }
    }
}

/// Whether a pattern without a card is worth a word: one that bounds or duplicates something, and lacks more than a way
/// out.
fn is_told_without_card(used: &InUse, lacks: &[Need]) -> bool {
    let bounds = matches!(used.pattern, Pattern::Bucket | Pattern::Outlier | Pattern::Preallocation);
    // What follows from its own document can be computed anew from it at any time.
    let apart = used.duplicates && (used.source.is_some() || 0 < used.broken);
    (bounds || apart) && lacks.iter().any(|need| *need != Need::Exit)
}
