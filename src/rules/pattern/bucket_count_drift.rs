//! Buckets that say another number than they hold. Words, reasons and examples: bucket-count-drift.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::buckets;
use crate::model::Model;
use crate::rules::{Findings, Place};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for (collection, bucket) in buckets(model) {
        let Some(count) = bucket.count.as_ref().filter(|_| 0 < bucket.seen.miscounted) else { continue };
        findings
            .measured(Place::path(&collection.ns, count), bucket.seen.counted)
            .number("wrong", bucket.seen.miscounted)
            .number("most", bucket.seen.most_off)
            .text("events", &bucket.path);
    }
}
