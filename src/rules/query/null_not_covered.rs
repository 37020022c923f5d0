//! Null tests that make an index fetch documents. Words, reasons and examples: null-not-covered.md.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::facts::index::NULL_COVERED;
use crate::model::covering::{asks_for_null, covers, returned};
use crate::model::{Model, serving};
use crate::rules::{Findings, Place};
use crate::workload::Predicate;

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for operation in model.workload.iter() {
        let Some(collection) = operation.ns.as_ref().and_then(|ns| model.collection(ns)) else { continue };
        let filter = operation.conditions();
        let Some(returned) = returned(operation).filter(|_| !filter.open) else { continue };
        let mut tested: Vec<&str> = Vec::new();
        let mut null = None;
        let simple = filter.all.iter().all(|predicate| match predicate {
            Predicate::Path { path, certain: true, tests, .. } => {
                tested.push(path);
                if tests.iter().any(asks_for_null) {
                    null = Some(path.as_str());
                }
                true
            }
            _ => false,
        });
        let Some(null) = null.filter(|_| simple) else { continue };
        let alone = returned.iter().all(|path| *path == "_id");
        let covering = collection.indexes().iter().find(|index| covers(index, &tested, &returned));
        let Some(index) = covering else { continue };
        let multikey = index.key.iter().any(|(path, _)| serving::is_array(collection, path));
        if alone && !multikey && model.server >= NULL_COVERED {
            continue;
        }
        let mut place = Place::index(&collection.ns, &index.name).with_path(null);
        if let Some(location) = model.locate(operation, None) {
            place = place.at(location);
        }
        let draft = findings.certain(place);
        if alone && !multikey {
            draft.variant("version");
        }
        if collection.stored() > 0 {
            draft.documents(collection.stored());
        }
    }
}
