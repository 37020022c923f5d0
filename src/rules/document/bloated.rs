//! Documents that are large on the whole. Words, reasons and examples: bloated.md.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Map;

use crate::finding::Severity;
use crate::model::Model;
use crate::profile::{Field, FieldId, FieldKind};
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
}

impl Default for Options {
    fn default() -> Self {
        Options { mean_bytes: 32 << 10, p99_bytes: 1 << 20, largest: 3 }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for (collection, profile) in model.with_documents() {
        let sizes = &profile.sizes;
        let huge = options.p99_bytes <= sizes.p99();
        if sizes.mean() < options.mean_bytes && !huge {
            continue;
        }
        let mut largest: Vec<&Field> = profile.children(FieldId::ROOT).map(|(_, field)| field).collect();
        largest.sort_by(|a, b| b.bytes.cmp(&a.bytes).then(a.name.cmp(&b.name)));
        largest.truncate(options.largest);
        let name =
            |field: &Field| if field.kind == FieldKind::Folded { "<key>".into() } else { field.name.to_string() };
        let bytes: Map<_, _> = largest.iter().map(|field| (name(field), field.bytes.into())).collect();
        let finding = findings
            .measured(Place::collection(&collection.ns), profile.documents)
            .number("mean", sizes.mean())
            .number("p99", sizes.p99())
            .number("max", sizes.max())
            .list("largest", largest.iter().map(|field| name(field)))
            .number("share", share(largest.iter().map(|field| field.bytes).sum(), sizes.sum()))
            .figure("bytes", bytes);
        if huge {
            finding.severity(Severity::Warning).variant("huge");
        }
    }
}

fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { (part as f64 / whole as f64).min(1.0) }
}
