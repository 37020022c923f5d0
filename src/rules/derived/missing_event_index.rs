//! Keys of events that nothing keeps unique. Words, reasons and examples: missing-event-index.md.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::model::{Collection, Model};
use crate::profile::FieldKind;
use crate::rules::{Findings, Place};
use crate::value::Type;

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    let keys: BTreeSet<&str> =
        model.intent.derived.iter().filter_map(|derived| derived.idempotency_key.as_deref()).collect();
    for key in keys {
        for collection in model.collections.iter().filter(|collection| collection.knows_indexes()) {
            let is_unique = collection.indexes().iter().any(|index| {
                index.unique && index.partial_filter.is_none() && index.key.iter().all(|(path, _)| path == key)
            });
            if stores(collection, key) && !is_unique {
                let draft = findings.certain(Place::path(&collection.ns, key));
                draft.number("documents", collection.stored());
            }
        }
    }
}

/// Whether the documents of a collection carry the key of one event each: a text or an id at the top of all of them.
fn stores(collection: &Collection, key: &str) -> bool {
    let documents = collection.documents();
    collection.fields().any(|at| {
        let field = at.field;
        let ids = field.count_of(Type::String) + field.count_of(Type::ObjectId) + field.count_of(Type::BinData);
        field.kind == FieldKind::Named && at.path.as_str() == key && 0 < documents && ids == documents
    })
}
