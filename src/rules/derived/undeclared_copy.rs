//! Copies that nobody declared. Words, reasons and examples: undeclared-copy.md.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::facts::names;
use crate::model::copied::Copied;
use crate::model::{Model, Relation, copied};
use crate::rules::{Findings, Place};
use crate::value::Type;

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    let declared: BTreeSet<(String, String)> =
        model.registry().into_iter().map(|entry| (entry.ns.to_string(), entry.path)).collect();
    let mut told: BTreeSet<(String, String)> = BTreeSet::new();
    for relation in &model.relations {
        let says = relation.declared(model).is_some_and(|declared| declared.relationship.semantics.is_some());
        let Some(pairs) = relation.pairs(model).filter(|_| !says) else { continue };
        for copy in copied(&pairs) {
            let place = (relation.from.to_string(), copy.path.clone());
            if declared.contains(&place) || told.contains(&place) || !is_copy(model, relation, &copy) {
                continue;
            }
            let draft = findings.measured(Place::path(&relation.from, &copy.path), copy.pairs);
            draft.text("source", format!("{}.{}", relation.to, copy.source)).number("equal", copy.equal);
            if copy.equal < copy.pairs {
                draft.number("share", (copy.pairs - copy.equal) as f64 / copy.pairs as f64).variant("drifted");
            }
            told.insert(place);
        }
    }
}

/// Whether a field that agrees is a copy: a name for the same, or values that cannot agree by chance. References and
/// keys of tenants agree because both belong to the same thing; a version agrees because it counts from one.
fn is_copy(model: &Model, relation: &Relation, copy: &Copied) -> bool {
    let leaf = copy.path.rsplit('.').next().unwrap_or(&copy.path);
    let refers = model.relations.iter().any(|other| other.from == relation.from && other.path.as_str() == copy.path);
    let is_key = refers || names::tenant(&copy.path).is_some() || names::says_key(&copy.path);
    let is_bare_number = !copy.named && {
        let collection = model.collection(&relation.from);
        let mut fields = collection.into_iter().flat_map(|c| c.fields().filter(|at| at.path.as_str() == copy.path));
        fields.all(|at| at.field.count_of(Type::String) == 0)
    };
    !is_key && !is_bare_number && !names::is_version(leaf) && !names::is_snapshot(leaf)
}
