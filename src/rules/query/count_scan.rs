//! Counts that read what they count. Words, reasons and examples: count-scan.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::positive;
use crate::catalogue::CollectionKind;
use crate::model::Model;
use crate::rules::{Findings, Place};
use crate::workload::{Operator, Verb};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// How many documents a collection may have to be counted by going through them.
    documents: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options { documents: 10_000 }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for operation in model.workload.iter().filter(|operation| operation.verb == Verb::Count) {
        let Some(collection) = operation.ns.as_ref().and_then(|ns| model.collection(ns)) else { continue };
        let plain = collection.options().is_none_or(|options| options.kind == CollectionKind::Collection);
        let documents = collection.stored();
        // Within a transaction only the exact count is taken; a limit bounds it.
        let bounded = operation.context.transaction.is_some() || operation.limit.is_some();
        if documents < options.documents || !plain || bounded || operation.option("hint").is_some() {
            continue;
        }
        let filter = operation.conditions();
        let place = Place::operation(model, operation, None);
        if filter.matches_all() {
            // `count` without a condition reads the metadata.
            if operation.method == "countDocuments" {
                findings.certain(place).number("stored", documents).variant("all");
            }
            continue;
        }
        let simple = !filter.open && filter.all.iter().all(|p| matches!(p, crate::workload::Predicate::Path { .. }));
        let narrows = |path: &str| {
            collection.indexes().iter().any(|index| {
                let leads = index.key.first().is_some_and(|(first, _)| first == path);
                !index.hidden && (leads || index.is_wildcard())
            })
        };
        let near = positive(&filter).any(|(_, test)| matches!(test.operator, Operator::Other(_)));
        if simple && !near && collection.knows_indexes() && !positive(&filter).any(|(path, _)| narrows(path)) {
            findings.certain(place).number("stored", documents);
        }
    }
}
