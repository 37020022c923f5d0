//! References across the border of a tenant. Words, reasons and examples: cross-tenant.md.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::Deserialize;

use crate::facts::names;
use crate::model::{Collection, Model, Relation};
use crate::profile::FieldKind;
use crate::rules::{Findings, Place};
use crate::value::Value;
use crate::value::event::{Document, Item};
use crate::value::hash::{hash_key, representative};
use crate::value::path::reach;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Share of the pairs that must agree: below it the two fields mean different things.
    agreement: f64,
}

impl Default for Options {
    fn default() -> Self {
        Options { agreement: 0.8 }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for relation in &model.relations {
        let (Some(from), Some(to)) = (model.collection(&relation.from), model.collection(&relation.to)) else {
            continue;
        };
        let of = tenants(to);
        for (own, word) in tenants(from) {
            let theirs = of.iter().find(|(_, other)| names::is_same_thing(other, &word));
            // A reference to the tenant itself crosses no border.
            let Some((theirs, _)) = theirs.filter(|_| own != relation.path.as_str() && !names_tenant(relation, &word))
            else {
                continue;
            };
            let (compared, differing) = compare(model, relation, &own, theirs);
            if differing == 0 || (compared - differing) as f64 <= options.agreement * compared as f64 {
                continue;
            }
            findings
                .measured(Place::path(&relation.from, &relation.path), compared)
                .number("differing", differing)
                .number("share", differing as f64 / compared as f64)
                .text("tenant", &own)
                .text("targetTenant", theirs)
                .text("target", &relation.to);
        }
    }
}

/// Whether the target is the collection of tenants.
fn names_tenant(relation: &Relation, word: &str) -> bool {
    names::words(&relation.to.collection).last().is_some_and(|last| names::is_same_thing(last, word))
}

/// The fields of a collection that say whose a document is, with the word for it: at the top or one object deep.
fn tenants(collection: &Collection) -> Vec<(String, String)> {
    let Some(profile) = &collection.profile else { return Vec::new() };
    let holds_keys = |field: &crate::profile::Field| field.distinct.is_some() || field.arrays.is_some();
    let fields = collection
        .fields()
        .filter(|at| at.field.kind == FieldKind::Named && !profile.in_array(at.id) && holds_keys(at.field));
    let mut out: Vec<(String, String)> = Vec::new();
    for at in fields.filter(|at| at.path.as_str().matches('.').count() <= 1) {
        if let Some(word) = names::tenant(at.path.as_str()) {
            // The first of each word counts: `tenantId` before `source.tenantId`.
            if !out.iter().any(|(_, known)| *known == word) {
                out.push((at.path.to_string(), word));
            }
        }
    }
    out
}

/// How many pairs tell both tenants, and in how many they differ. A target of a list of tenants is of each of them; one
/// of a tenant to whose documents mostly others refer (`global`) is of all.
fn compare(model: &Model, relation: &Relation, own: &str, theirs: &str) -> (u64, u64) {
    let mut compared = 0;
    let Some(pairs) = relation.pairs(model) else { return (0, 0) };
    let mut by_target: BTreeMap<u64, Referred> = BTreeMap::new();
    pairs.each(|pair| {
        let (mine, others) = (values(pair.child, own), values(pair.parent, theirs));
        if let (true, Some(first), Some(target)) = (pair.sampled, mine.first(), others.first()) {
            compared += 1;
            let referred = by_target.entry(*target).or_default();
            if mine.iter().any(|value| others.contains(value)) {
                referred.own += 1;
            } else {
                referred.foreign += 1;
                referred.tenants.insert(*first);
            }
        }
    });
    let differing = by_target.values().filter(|referred| !referred.is_shared()).map(|referred| referred.foreign).sum();
    (compared, differing)
}

/// How often documents of one tenant are referred to.
#[derive(Debug, Default)]
struct Referred {
    own: u64,
    foreign: u64,
    /// Other tenants that do.
    tenants: BTreeSet<u64>,
}

impl Referred {
    fn is_shared(&self) -> bool {
        self.own < self.foreign && 1 < self.tenants.len()
    }
}

/// The tenants of a document; an id and its text are one.
fn values(document: &Document<'_>, path: &str) -> Vec<u64> {
    let items = reach(document, path).into_iter().filter_map(|at| document.entries.get(at)).map(|entry| entry.item);
    let told = items.filter(|item| !matches!(item, Item::Object { .. } | Item::Array { .. } | Item::Null));
    told.map(|item| match representative(&item) {
        Value::ObjectId(id) => hash_key(&Item::ObjectId(id)),
        Value::BinData(subtype, data) => hash_key(&Item::BinData { subtype, data: &data }),
        _ => hash_key(&item),
    })
    .collect()
}
