//! One key twice in a document. Words, reasons and examples: duplicate-key.md.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::model::Model;
use crate::rules::{Findings, Place};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for (collection, profile) in model.with_documents() {
        for at in collection.fields().filter(|at| 0 < at.field.duplicates) {
            findings
                .certain(Place::path(&collection.ns, &at.path))
                .number("objects", at.field.duplicates)
                .number("all", collection.parent_objects(at.id))
                .number("read", profile.documents);
        }
    }
}
