//! Two operators on one path. Words, reasons and examples: conflict.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::written;
use crate::model::Model;
use crate::rules::{Findings, Place};
use crate::workload::update::{Update, overlap};
use crate::workload::{Api, Change, Operation};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for (operation, update) in written(model) {
        let Some((first, second)) = conflict(operation, &update) else { continue };
        let (inner, outer) = if first.path.len() < second.path.len() { (second, first) } else { (first, second) };
        findings
            .certain(Place::operation(model, operation, None).with_path(outer.path))
            .text("operator", outer.operator)
            .text("otherOperator", inner.operator)
            .text("otherPath", inner.path)
            .variant(match (inner.path == outer.path, inner.operator == outer.operator) {
                (true, true) => "twice",
                (true, false) => "same",
                (false, _) => "parent",
            });
    }
}

/// A path under an operator.
#[derive(Clone, Copy)]
struct Target<'t> {
    operator: &'t str,
    path: &'t str,
}

/// The first two that the server cannot both follow.
fn conflict<'t>(operation: &Operation, update: &Update<'t>) -> Option<(Target<'t>, Target<'t>)> {
    let targets: Vec<Target> = update.changes.iter().filter(|change| change.certain).flat_map(targets).collect();
    // Mongoose puts a field beside the operators into the same `$set`.
    let is_merged = |a: &Target, b: &Target| {
        operation.api == Api::Mongoose && a.operator == "$set" && b.operator == "$set" && a.path == b.path
    };
    targets.iter().enumerate().find_map(|(at, first)| {
        let second = targets.iter().skip(at + 1).find(|second| {
            let within_one = first.operator == "$rename" && std::ptr::eq(first.operator, second.operator);
            overlap(first.path, second.path) && !is_merged(first, second) && !within_one
        })?;
        Some((*first, *second))
    })
}

/// What a change touches; `$rename` touches two.
fn targets<'t>(change: &Change<'t>) -> impl Iterator<Item = Target<'t>> + use<'t> {
    let operator = change.operator;
    let to = if operator == "$rename" { change.argument.as_str() } else { None };
    [Some(change.path), to].into_iter().flatten().map(move |path| Target { operator, path })
}
