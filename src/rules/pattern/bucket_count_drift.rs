//! Buckets that say another number than they hold. Words, reasons and examples: bucket-count-drift.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::buckets;
use crate::model::computed::{Base, Formula, Source};
use crate::model::pattern::Bucket;
use crate::model::{Collection, Model};
use crate::remedy;
use crate::rules::{Findings, Place};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for (collection, bucket) in buckets(model) {
        let Some(count) = &bucket.count else { continue };
        // All documents were asked where the number was recomputed; else the sample tells.
        let formula = formula(model, collection, bucket);
        let (wrong, counted) =
            formula.map_or((bucket.seen.miscounted, bucket.seen.counted), |(_, wrong, counted)| (wrong, counted));
        if wrong == 0 {
            continue;
        }
        let draft = findings
            .measured(Place::path(&collection.ns, count), counted)
            .number("wrong", wrong)
            .number("most", bucket.seen.most_off)
            .text("events", &bucket.path)
            .variant(if bucket.seen.most_off == 0 { "unseen" } else { "seen" });
        if let Some(remedy) = formula.and_then(|(formula, ..)| remedy::computed::repair(&collection.ns, formula)) {
            draft.remedy(remedy);
        }
    }
}

/// The number of the events as it was recomputed, with how often it differs and of how many.
fn formula<'m>(model: &'m Model, collection: &Collection, bucket: &Bucket) -> Option<(&'m Formula, u64, u64)> {
    let own = model
        .computed
        .iter()
        .filter(|computed| computed.ns == collection.ns && Some(&computed.path) == bucket.count.as_ref());
    own.into_iter().find_map(|computed| match &computed.source {
        Source::Own(formula) => match &formula.base {
            Base::Count { array, .. } if *array == bucket.path.as_str() => {
                Some((formula, computed.tally.differ, computed.tally.judged()))
            }
            _ => None,
        },
        Source::Children(_) => None,
    })
}
