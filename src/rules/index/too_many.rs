//! Collections with many indexes. Words, reasons and examples: too-many.md.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::facts::limits;
use crate::finding::Severity;
use crate::model::Model;
use crate::rules::{Findings, Place};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Indexes that a collection may have before it is said.
    indexes: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options { indexes: 10 }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for collection in &model.collections {
        // A script does not name the index on `_id`, which every collection has.
        let id = collection.indexes().iter().all(|index| !index.is_id());
        let count = collection.indexes().len() + usize::from(id);
        if count <= options.indexes.min(limits::INDEXES) {
            continue;
        }
        let sizes =
            collection.catalogue.statistics.iter().map(|s| s.index_sizes.iter().map(|(_, size)| size).sum::<u64>());
        let draft = findings.certain(Place::collection(&collection.ns));
        draft.number("count", count);
        match sizes.max() {
            _ if limits::INDEXES < count => {
                draft.number("limit", limits::INDEXES).severity(Severity::Error).variant("refused");
            }
            Some(bytes) if 0 < bytes => {
                draft.number("bytes", bytes).variant("sized");
            }
            _ => {}
        }
    }
}
