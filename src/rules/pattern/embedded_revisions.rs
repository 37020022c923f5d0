//! Earlier versions inside the live document. Words, reasons and examples: embedded-revisions.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::forms;
use crate::model::Model;
use crate::rules::{Findings, Place};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Earlier versions that the longest list must hold.
    length: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options { length: 3 }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for (collection, forms) in forms(model) {
        for revisions in &forms.embedded_revisions {
            let Some(array) = collection.arrays().iter().find(|array| array.id == revisions.id) else { continue };
            // A list that is held to a few is a way to undo.
            let bound = collection.validator().and_then(|validator| validator.array_bound(array.path.as_str()));
            if array.stats.lengths.max() < options.length || bound.is_some() {
                continue;
            }
            let all = collection.profile.as_ref().map_or(0, |profile| profile.sizes.sum());
            findings
                .measured(Place::path(&collection.ns, &revisions.path), revisions.documents)
                .number("shared", revisions.shared.len())
                .number("fields", revisions.fields)
                .number("max", array.stats.lengths.max())
                .number("share", revisions.bytes as f64 / all.max(1) as f64)
                .list("names", &revisions.shared);
        }
    }
}
