//! Two open buckets for one window. Words, reasons and examples: bucket-duplicate.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{buckets, is_kept_unique};
use crate::model::Model;
use crate::rules::{Findings, Place};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for (collection, bucket) in buckets(model) {
        if bucket.seen.shared == 0 || is_kept_unique(collection, &bucket.identity) {
            continue;
        }
        let (Some(device), Some(start)) = (&bucket.device, &bucket.start) else { continue };
        findings
            .measured(Place::collection(&collection.ns), bucket.seen.buckets)
            .number("windows", bucket.seen.shared)
            .number("buckets", bucket.seen.sharing)
            .list("fields", [Some(device), Some(start), bucket.part.as_ref()].into_iter().flatten());
    }
}
