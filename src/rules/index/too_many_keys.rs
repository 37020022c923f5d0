//! Indexes over many fields. Words, reasons and examples: too-many-keys.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::place;
use crate::facts::limits;
use crate::finding::Severity;
use crate::model::Model;
use crate::rules::Findings;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Fields that a key may have before it is said.
    fields: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options { fields: 5 }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for collection in &model.collections {
        for index in collection.indexes().iter().filter(|index| !index.is_text()) {
            let count = index.key.len();
            if count <= options.fields.min(limits::INDEX_FIELDS) {
                continue;
            }
            let draft = findings.certain(place(collection, index));
            draft.number("count", count);
            if limits::INDEX_FIELDS < count {
                draft.number("limit", limits::INDEX_FIELDS).severity(Severity::Error).variant("refused");
            }
        }
    }
}
