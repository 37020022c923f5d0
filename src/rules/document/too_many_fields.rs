//! Documents and collections with too many field paths. Words, reasons and examples: too-many-fields.md.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::model::Model;
use crate::profile::FieldKind;
use crate::rules::{Findings, Place};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Field paths that one document may use.
    document: u64,
    /// Field paths that a collection may have, names that are data folded into one.
    collection: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options { document: 200, collection: 1_000 }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for (collection, profile) in model.with_documents() {
        let counts = |kind: FieldKind| matches!(kind, FieldKind::Named | FieldKind::Folded);
        let paths = profile.fields().filter(|(_, field)| counts(field.kind)).count() as u64;
        // Names that turned out to be data by their number were still counted one by one in each document.
        let is_folded_late = profile.fields().any(|(_, field)| field.names_are_data);
        let most = if is_folded_late { 0 } else { profile.paths.max() };
        if options.document < most {
            findings
                .measured(Place::collection(&collection.ns), profile.documents)
                .number("most", most)
                .number("median", profile.paths.median())
                .number("paths", paths)
                .variant(if profile.is_cut() { "cut" } else { "document" });
        } else if options.collection < paths {
            findings
                .measured(Place::collection(&collection.ns), profile.documents)
                .number("paths", paths)
                .number("median", profile.paths.median())
                .variant(if profile.is_cut() { "collection-cut" } else { "collection" });
        }
    }
}
