//! Changes of `_id` and of shard keys. Words, reasons and examples: immutable.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{equalities, may_be_same, target, written};
use crate::finding::Severity;
use crate::model::{Model, shard_key};
use crate::order::Ordered;
use crate::rules::{Findings, Place};
use crate::workload::update::{Update, is_within};
use crate::workload::{Filter, Operation, Term};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for (operation, update) in written(model) {
        let filter = operation.conditions();
        if let Some(operator) = changed_id(operation, &filter, &update) {
            let draft = findings.certain(Place::operation(model, operation, None).with_path("_id"));
            draft.text("operator", operator).variant(if update.replacement().is_some() { "replacement" } else { "id" });
        }
        for (path, operator) in changed_key(model, operation, &update) {
            findings
                .certain(Place::operation(model, operation, None).with_path(path))
                .text("operator", operator)
                .severity(Severity::Warning)
                .variant("shard-key");
        }
    }
}

/// What a filter wants of a path: the value that it must equal.
fn wanted<'f>(filter: &'f Filter, path: &str) -> Option<&'f Term> {
    equalities(filter).into_iter().find(|(other, _)| *other == path).map(|(_, test)| &test.argument)
}

/// The operator that changes `_id`, for certain.
fn changed_id<'t>(operation: &Operation, filter: &Filter, update: &Update<'t>) -> Option<&'t str> {
    let known = |term: &Term| term.value().is_some();
    let found = wanted(filter, "_id");
    if let Some(members) = update.replacement() {
        let id = &members.iter().rev().find(|member| member.name() == Some("_id"))?.value;
        let differs = found.is_some_and(|found| known(found) && known(id) && !may_be_same(found, id));
        return differs.then_some("");
    }
    let change = update.changes.iter().find(|change| change.certain && is_within(change.path, "_id"))?;
    let differs = match (change.operator, found) {
        ("$setOnInsert" | "$min" | "$max", _) => false,
        ("$set", Some(found)) => known(found) && known(change.argument) && !may_be_same(found, change.argument),
        // An upsert sets it where it inserts.
        ("$set", None) => known(change.argument) && !filter.open && !operation.is_upsert(),
        _ => true,
    };
    differs.then_some(change.operator)
}

/// The fields of the shard key that an update changes.
fn changed_key<'m>(model: &'m Model, operation: &Operation, update: &Update<'m>) -> Vec<(&'m str, &'m str)> {
    let Some(collection) = target(model, operation) else { return Vec::new() };
    let mut changed: Vec<_> =
        model.shard_keys(collection).flat_map(|key| shard_key::changed(key, operation, update)).collect();
    changed.order();
    changed.dedup();
    changed
}
