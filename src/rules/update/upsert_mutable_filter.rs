//! Upserts that look for what they change. Words, reasons and examples: upsert-mutable-filter.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{caps, equalities, is_unique, may_be_same, target, written};
use crate::model::Model;
use crate::rules::{Findings, Place};
use crate::workload::update::{is_within, overlap};
use crate::workload::{Filter, Operation, Operator, Term, Test, Update};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for (operation, update) in written(model).filter(|(operation, _)| operation.is_upsert()) {
        let filter = operation.conditions();
        let Some((path, operator)) = changed(model, operation, &filter, &update) else { continue };
        findings
            .certain(Place::operation(model, operation, None).with_path(path))
            .text("operator", operator)
            .variant(if update.replacement().is_some() { "replacement" } else { "operator" });
    }
}

/// The first path of the filter that the update changes, and the operator that does it.
fn changed<'t>(
    model: &Model,
    operation: &Operation,
    filter: &'t Filter,
    update: &Update<'t>,
) -> Option<(&'t str, &'t str)> {
    let tests = filter.conjuncts();
    let found = tests.iter().find_map(|(path, test)| Some((*path, change(path, test, update)?)));
    let (path, operator) = found?;
    // Where what stands beside it finds at most one document, the second insert fails instead: the usual guard.
    let others: Vec<&str> = equalities(filter)
        .into_iter()
        .filter(|(other, test)| change(other, test, update).is_none())
        .map(|(other, _)| other)
        .collect();
    let fills_bucket =
        update.changes.iter().any(|push| push.operator == "$push" && caps(filter, update, &push.field()));
    let is_meant = filter.open || is_unique(target(model, operation), &others) || fills_bucket;
    (!is_meant).then_some((path, operator))
}

/// The operator that makes a document no longer meet a test that it met.
fn change<'t>(path: &str, test: &Test, update: &Update<'t>) -> Option<&'t str> {
    let keeps = |argument: &Term| test.operator == Operator::Eq && may_be_same(&test.argument, argument);
    if let Some(members) = update.replacement() {
        let member = members.iter().rev().find(|member| member.name().is_some_and(|name| is_within(path, name)))?;
        let is_whole = member.name() == Some(path);
        return (is_whole && test.operator == Operator::Eq && !keeps(&member.value)).then_some("");
    }
    let mut changes = update.changes.iter().filter(|change| change.certain && !change.is_on_insert());
    let found = changes.find(|change| {
        let is_positional = change.path.contains('$');
        !is_positional && overlap(change.path, path) && !(change.path == path && keeps(change.argument))
    });
    found.map(|change| change.operator)
}
