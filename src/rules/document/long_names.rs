//! Names that take more room than the values. Words, reasons and examples: long-names.md.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::model::Model;
use crate::order::Ordered;
use crate::profile::FieldKind;
use crate::rules::{Findings, Place};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Share of the bytes of all documents that names must take.
    share: f64,
    /// Bytes of the average document up to which documents count as small.
    bytes: u64,
    /// Bytes of the average name, counted as often as it occurs, from which on names count as long.
    length: u64,
    /// Names that the finding lists, the most expensive ones first.
    listed: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options { share: 0.5, bytes: 1024, length: 12, listed: 3 }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for (collection, profile) in model.with_documents() {
        // Names that are data are no names to shorten.
        let named = || collection.fields().filter(|at| at.field.kind == FieldKind::Named);
        let times: u64 = named().map(|at| at.field.count).sum();
        let mut costs: Vec<(u64, String)> =
            named().map(|at| (at.field.name.len() as u64 * at.field.count, at.path.to_string())).collect();
        let names: u64 = costs.iter().map(|(cost, _)| cost).sum();
        let share = names as f64 / profile.sizes.sum().max(1) as f64;
        if options.bytes < profile.sizes.mean() || share < options.share || names < options.length * times {
            continue;
        }
        costs.order_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        findings
            .measured(Place::collection(&collection.ns), profile.documents)
            .number("share", share)
            .number("names", names / profile.documents.max(1))
            .number("length", names / times.max(1))
            .number("mean", profile.sizes.mean())
            .list("longest", costs.into_iter().take(options.listed).map(|(_, path)| path));
    }
}
