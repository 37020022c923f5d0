//! Few documents far larger than all others. Words, reasons and examples: outlier-candidate.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::forms;
use crate::config::intent::Pattern;
use crate::model::Model;
use crate::model::pattern::{Far, Forms};
use crate::rules::{Findings, Place};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Share of the documents, from 0 to 1, up to which the large ones are exceptions.
    share: f64,
    /// How many times the 99th percentile a large one has at least.
    times: u64,
    /// Elements from which on an array is long.
    length: u64,
    /// Bytes from which on a document is large.
    bytes: u64,
}

impl Default for Options {
    fn default() -> Self {
        let Far { share, times, length, bytes } = Far::default();
        Options { share, times, length, bytes }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    let Options { share, times, length, bytes } = *options;
    for (collection, forms) in forms(model) {
        let declared = model.cards_of(&collection.ns).any(|card| card.pattern == Pattern::Outlier);
        if declared {
            continue;
        }
        for outlier in collection.outliers(&Far { share, times, length, bytes }) {
            let path = outlier.path.as_ref().map_or("", |path| path.as_str());
            if is_handled(forms, path) {
                continue;
            }
            findings
                .measured(Place::path(&collection.ns, path), outlier.counted)
                .number("far", outlier.far)
                .number("median", outlier.median)
                .number("p99", outlier.p99)
                .number("max", outlier.max)
                .variant(if outlier.path.is_some() { "array" } else { "size" });
        }
    }
}

/// Whether another pattern is at work: a flag marks the large ones, or the array is a bucket or a history.
fn is_handled(forms: &Forms, path: &str) -> bool {
    forms.flags.iter().any(|flag| flag.array.as_str() == path)
        || forms.buckets.iter().any(|bucket| bucket.path.as_str() == path)
        || forms.embedded_revisions.iter().any(|revisions| revisions.path.as_str() == path)
}
