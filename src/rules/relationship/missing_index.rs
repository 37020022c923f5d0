//! References that are followed backwards without an index. Words, reasons and examples: missing-index.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{fields, is_copy, is_led};
use crate::catalogue::{Index, Origin};
use crate::facts::names;
use crate::model::relation::Way;
use crate::model::{Collection, Model, Relation};
use crate::profile::Distinct;
use crate::remedy;
use crate::rules::{Findings, Place};
use crate::value::Value;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Distinct values below which an index narrows little: nobody looks all documents of one state up without a
    /// reason, and then only the workload tells it.
    distinct: u64,
    /// Documents for each value, on average, from which on a field is a parent reference where no workload tells.
    per_parent: f64,
}

impl Default for Options {
    fn default() -> Self {
        Options { distinct: 20, per_parent: 1.5 }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for relation in &model.relations {
        let (Some(from), Some(_)) = (model.collection(&relation.from), model.collection(&relation.to)) else {
            continue;
        };
        let path = relation.path.as_str();
        if from.documents() == 0
            || !from.knows_indexes()
            || is_led(from, path)
            || path.split('.').any(|name| name == "<key>")
        {
            continue;
        }
        let uses = &relation.uses;
        let is_followed = !uses.by_reference.is_none() || uses.backward.iter().any(|join| join.way != Way::Lookup);
        let distinct = distinct(from, path);
        if !is_followed && !is_parent_reference(model, relation, from, distinct, options) {
            continue;
        }
        let index = Index::of_key(&[(path.to_owned(), Value::Int(1))], Origin::Wanted);
        let stored = from.stored();
        let finding = findings
            .measured(Place::path(&from.ns, path), from.documents())
            .text("target", &relation.to)
            .number("perParent", (stored as f64 / distinct.max(1) as f64).round())
            .documents(stored)
            .remedy(remedy::index::create(&from.ns, &index));
        if is_followed {
            finding.number("reads", uses.by_reference.and(uses.backward_load()).operations).variant("followed");
        }
    }
}

fn distinct(from: &Collection, path: &str) -> u64 {
    let values = fields(from, path);
    values.iter().filter_map(|(_, field)| field.distinct.as_deref()).map(Distinct::estimate).max().unwrap_or(0)
}

/// Whether the field is one by which the children of a document are found, as far as documents alone can tell: many
/// documents for each value, none of the marks of a reference that is only followed forwards. Where the workload
/// reads either side it would tell.
fn is_parent_reference(
    model: &Model,
    relation: &Relation,
    from: &Collection,
    distinct: u64,
    options: &Options,
) -> bool {
    let path = relation.path.as_str();
    let is_read = [&relation.from, &relation.to]
        .into_iter()
        .any(|ns| model.workload.of(ns).any(|operation| operation.verb != crate::workload::Verb::Insert));
    let is_embedded = names::is_bare_key(relation.path.leaf()) && path.contains('.');
    !is_read
        && relation.uses.forward.is_empty()
        && relation.uses.backward.is_empty()
        && !relation.many
        && !is_embedded
        && !is_copy(model, relation)
        && !names::is_doer(path)
        && relation.known_by.values.is_some()
        && options.distinct <= distinct
        && options.per_parent * distinct as f64 <= from.documents() as f64
}
