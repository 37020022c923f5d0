//! Documents that are large on the whole. Words, reasons and examples: bloated.md.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Map;

use crate::finding::Severity;
use crate::model::Model;
use crate::order::Ordered;
use crate::profile::{CollectionProfile, FieldId};
use crate::rules::{Findings, Place};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Mean size in bytes from which on documents are large.
    mean_bytes: u64,
    /// Size in bytes of the 99th percentile from which on it is a warning.
    p99_bytes: u64,
    /// How many of the largest fields are named.
    largest: usize,
    /// Share of all bytes below which a field is not named.
    part: f64,
}

impl Default for Options {
    fn default() -> Self {
        Options { mean_bytes: 32 << 10, p99_bytes: 1 << 20, largest: 3, part: 0.05 }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for (collection, profile) in model.with_documents() {
        let sizes = &profile.sizes;
        let huge = options.p99_bytes <= sizes.p99();
        if sizes.mean() < options.mean_bytes && !huge {
            continue;
        }
        let largest = largest(profile, options);
        let finding = findings
            .measured(Place::collection(&collection.ns), profile.documents)
            .number("mean", sizes.mean())
            .number("p99", sizes.p99())
            .number("max", sizes.max())
            .list("largest", largest.iter().map(|(path, _)| path))
            .number("share", share(largest.iter().map(|(_, bytes)| bytes).sum(), sizes.sum()))
            .figure("bytes", largest.into_iter().map(|(path, bytes)| (path, bytes.into())).collect::<Map<_, _>>());
        if huge {
            finding.severity(Severity::Warning).variant("huge");
        }
    }
}

/// The fields at the top of the documents that hold most of the bytes, largest first.
fn largest(profile: &CollectionProfile, options: &Options) -> Vec<(String, u64)> {
    let fields = profile.children(FieldId::ROOT);
    let mut largest: Vec<(String, u64)> =
        fields.map(|(id, field)| (profile.path(id).to_string(), field.bytes)).collect();
    largest.order_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let large = largest.iter().filter(|(_, bytes)| options.part <= share(*bytes, profile.sizes.sum())).count();
    // One at least, so that there is something to look at.
    largest.truncate(large.clamp(1, options.largest.max(1)));
    largest
}

fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { (part as f64 / whole as f64).min(1.0) }
}
