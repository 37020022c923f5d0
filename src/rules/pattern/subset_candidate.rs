//! Long arrays of which hot reads take a part. Words, reasons and examples: subset-candidate.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::is_declared;
use crate::config::intent::Pattern;
use crate::model::{Model, reads};
use crate::rules::{Findings, Place};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Elements at the 99th percentile from which on an array counts as long.
    elements: u64,
    /// Bytes at the 99th percentile from which on it counts as large.
    bytes: u64,
    /// Share of the reads, in percent, that must take a part.
    part: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options { elements: 100, bytes: 32 * 1024, part: 50 }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for collection in &model.collections {
        for array in collection.arrays().iter().filter(|array| !array.nested && array.is_list()) {
            let (elements, bytes) = (array.stats.lengths.p99(), array.stats.sizes.p99());
            let path = array.path.as_str();
            let declared = [Pattern::Subset, Pattern::Outlier, Pattern::Bucket];
            if elements < options.elements && bytes < options.bytes
                || is_declared(model, &collection.ns, path, &declared)
            {
                continue;
            }
            let reads = reads::of_array(model, &collection.ns, path);
            let share = reads.part.share_of(reads.part.and(reads.whole)).unwrap_or(0.0);
            // One that takes nearly all of it reads no part.
            if reads.operation.is_none() || share * 100.0 < options.part as f64 || elements < reads.largest_part * 2 {
                continue;
            }
            let draft = findings.measured(Place::path(&collection.ns, path), array.stats.lengths.count());
            draft.number("p99", elements).number("bytes", bytes).number("reads", reads.part.operations);
            draft.number("share", share).cause(path);
            if 0 < reads.largest_part {
                draft.number("part", reads.largest_part).variant("known");
            }
        }
    }
}
