//! References that find nothing. Words, reasons and examples: orphan.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{are_numbers, is_copy, is_said};
use crate::facts::names;
use crate::finding::Severity;
use crate::model::declared::is_named;
use crate::model::{Collection, Model, Relation, copied};
use crate::rules::{Findings, Place};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Share of the values that must find their target: what mostly finds nothing is no reference.
    found: f64,
    /// Share of the lost values that are keys of other collections from which on the field refers to several.
    elsewhere: f64,
}

impl Default for Options {
    fn default() -> Self {
        Options { found: 0.5, elsewhere: 0.5 }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for relation in &model.relations {
        let (Some(from), Some(pairs)) = (model.collection(&relation.from), relation.pairs(model)) else { continue };
        if !is_certain(from, relation) || is_copy(model, relation) || has_policy(model, relation) {
            continue;
        }
        let tally = pairs.tally();
        let there = tally.found + tally.other_type;
        if tally.missing == 0 || (there as f64) < options.found * (there + tally.missing) as f64 {
            continue;
        }
        let lost = pairs.lost(model);
        let is_elsewhere = options.elsewhere * lost.values as f64 <= lost.elsewhere as f64;
        if lost.explained || is_elsewhere && !are_numbers(from, relation.path.as_str()) {
            continue;
        }
        let finding = findings
            .measured(Place::path(&relation.from, &relation.path), tally.documents)
            .number("orphans", tally.orphans)
            .number("share", tally.orphans as f64 / tally.documents.max(1) as f64)
            .number("lost", lost.values)
            .text("target", &relation.to);
        if keeps_snapshot(from, relation) || copied(&pairs).iter().any(|copy| copy.named) {
            finding.severity(Severity::Info).variant("snapshot");
        } else if !tally.exact {
            finding.variant("sample");
        }
    }
}

/// Whether the field refers for certain. Of numbers the name must name the whole collection: `order_id` of an
/// application's `orders` also finds most of the numbers of its `purchase_orders`.
fn is_certain(from: &Collection, relation: &Relation) -> bool {
    let path = relation.path.as_str();
    let named = || {
        let thing = names::words(&relation.to.collection).len();
        names::says_key(path) && (thing <= names::referred(path).len() || relation.is_self())
    };
    is_said(relation) || !are_numbers(from, path) || named()
}

/// Whether the team says what becomes of copies when their source is deleted: then references may outlive it.
fn has_policy(model: &Model, relation: &Relation) -> bool {
    model.intent.derived.iter().filter(|derived| derived.on_source_delete.is_some()).any(|derived| {
        let of =
            |ns, name: &str| name.rmatch_indices('.').any(|(at, _)| name.get(..at).is_some_and(|n| is_named(ns, n)));
        let source = derived.source.as_deref().is_none_or(|source| of(&relation.to, source));
        of(&relation.from, &derived.field) && source
    })
}

/// Whether a field beside the reference keeps what the target was: `nameAtPurchase`.
fn keeps_snapshot(from: &Collection, relation: &Relation) -> bool {
    let Some(profile) = &from.profile else { return false };
    profile
        .resolve(relation.path.as_str())
        .into_iter()
        .filter_map(|id| profile.field(id))
        .any(|field| profile.children(field.parent).any(|(_, beside)| names::is_snapshot(&beside.name)))
}
