//! Documents near the size that the server refuses. Words, reasons and examples: near-size-limit.md.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::facts::limits;
use crate::finding::Severity;
use crate::model::Model;
use crate::profile::FieldId;
use crate::rules::{Findings, Place};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Share of the limit of 16 MiB from which on a document counts.
    share: f64,
}

impl Default for Options {
    fn default() -> Self {
        Options { share: 0.5 }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for (collection, profile) in model.with_documents() {
        let max = profile.sizes.max();
        let limit = u64::from(limits::DOCUMENT_BYTES);
        let share = max as f64 / limit as f64;
        if share < options.share {
            continue;
        }
        // Whatever holds most of the largest document is what must go out of it.
        let fields = profile.children(FieldId::ROOT).map(|(id, field)| (profile.path(id), field.max_bytes));
        let (largest, bytes) = fields.max_by_key(|(_, bytes)| *bytes).unwrap_or_default();
        let place = Place::collection(&collection.ns);
        let finding = if limit < max {
            findings.certain(place).severity(Severity::Error).variant("over")
        } else {
            findings.measured(place, profile.documents)
        };
        finding
            .number("max", max)
            .number("limit", limit)
            .number("share", share)
            .text("largest", largest)
            .number("largestBytes", bytes);
    }
}
