//! Names that take more room than the values. Words, reasons and examples: long-names.md.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::model::Model;
use crate::profile::FieldKind;
use crate::rules::{Findings, Place};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Share of the bytes of all documents that names must take.
    share: f64,
    /// Bytes of the average document up to which documents count as small.
    bytes: u64,
    /// Longest names that the finding lists.
    listed: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options { share: 0.5, bytes: 1024, listed: 3 }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for (collection, profile) in model.with_documents() {
        let bytes = profile.sizes.sum();
        let share = profile.name_bytes as f64 / bytes.max(1) as f64;
        if options.bytes < profile.sizes.mean() || share < options.share {
            continue;
        }
        // Names that are data are no names to shorten.
        let mut costs: Vec<(u64, String)> = collection
            .fields()
            .filter(|at| at.field.kind == FieldKind::Named)
            .map(|at| (at.field.name.len() as u64 * at.field.count, at.path.to_string()))
            .collect();
        if costs.iter().map(|(cost, _)| cost).sum::<u64>() * 2 < profile.name_bytes {
            continue;
        }
        costs.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        findings
            .measured(Place::collection(&collection.ns), profile.documents)
            .number("share", share)
            .number("names", profile.name_bytes / profile.documents.max(1))
            .number("mean", profile.sizes.mean())
            .list("longest", costs.into_iter().take(options.listed).map(|(_, path)| path));
    }
}
