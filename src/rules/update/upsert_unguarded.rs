//! Upserts that two writers can both insert. Words, reasons and examples: upsert-unguarded.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{caps, equalities, is_unique, target, updates};
use crate::catalogue::{CollectionKind, Index, Origin};
use crate::model::Model;
use crate::remedy;
use crate::rules::{Findings, Place};
use crate::value::Value;
use crate::workload::{Filter, Update};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for (operation, update) in updates(model).filter(|(operation, _)| operation.is_upsert()) {
        let Some(collection) = target(model, operation) else { continue };
        let plain = collection.options().is_none_or(|options| options.kind == CollectionKind::Collection);
        if !collection.catalogue.indexes_known || !plain {
            continue;
        }
        let filter = operation.conditions();
        let paths: Vec<&str> = equalities(&filter).into_iter().map(|(path, _)| path).collect();
        let tells_nothing = filter.open || (paths.is_empty() && !filter.matches_all());
        if tells_nothing || is_unique(Some(collection), &paths) || fills_bucket(&filter, &update) {
            continue;
        }
        let draft = findings.certain(Place::operation(model, operation, None));
        if paths.is_empty() {
            draft.variant("all");
        } else {
            draft.list("fields", &paths);
            let key: Vec<(String, Value)> = paths.iter().map(|path| ((*path).to_owned(), Value::Int(1))).collect();
            let index = Index { unique: true, ..Index::of_key(&key, Origin::Wanted) };
            draft.remedy(remedy::index::create(&collection.ns, &index));
        }
    }
}

/// Whether a full bucket is meant to be followed by another one of the same key.
fn fills_bucket(filter: &Filter, update: &Update<'_>) -> bool {
    let mut pushes = update.changes.iter().filter(|change| change.operator == "$push");
    pushes.any(|push| caps(filter, update, &push.field()))
}
