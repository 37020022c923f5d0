//! Small parts that live apart from their parent. Words, reasons and examples: separated.md.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use super::{belong_together, named_children};
use crate::advice;
use crate::config::intent::{Bound, ReadTogether, Sharing};
use crate::facts::names;
use crate::model::array::creation_time;
use crate::model::{Collection, Model, Relation};
use crate::profile::{FieldId, Growth};
use crate::rules::{Findings, Place};
use crate::value::event::Type;
use crate::value::hash::hash_key;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Children of one parent at most.
    most: u64,
    /// Bytes that the children of one parent may add to it.
    bytes: u64,
    /// Share of the reads of the parent that must bring the children too.
    together: f64,
}

impl Default for Options {
    fn default() -> Self {
        Options { most: 10, bytes: 16 << 10, together: 0.5 }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for relation in &model.relations {
        if relation.many || relation.is_self() || relation.path.as_str() == "_id" {
            continue;
        }
        let (Some(from), Some(to)) = (model.collection(&relation.from), model.collection(&relation.to)) else {
            continue;
        };
        let Some((counts, _)) = relation.per_target(model) else { continue };
        // The part may hold the reference, or the whole may hold one to its only part.
        let (part, is_part) = if is_read_with_parent(model, relation, options) {
            (from, counts.max() <= options.most)
        } else if is_only_part(model, relation) {
            (to, counts.max() == 1 && to.documents() <= counts.count())
        } else {
            continue;
        };
        let size = part.profile.as_ref().map_or(0, |profile| profile.sizes.mean());
        let fits = size.saturating_mul(counts.max()) <= options.bytes;
        if !is_part || !fits || !belong_together(model, relation) || comes_with_time(model, relation, part) {
            continue;
        }
        let decision = advice::relationship(findings.recommendations(), &relation.from, relation.path.as_str());
        if decision.is_some_and(|decision| decision.decision != "embed") {
            continue;
        }
        let finding = findings
            .measured(Place::path(&relation.from, &relation.path), counts.count())
            .text("part", &part.ns)
            .text("parent", if part.ns == relation.from { &relation.to } else { &relation.from })
            .number("most", counts.max())
            .number("median", counts.median())
            .number("bytes", size);
        if part.ns == relation.to {
            finding.variant("forward");
        }
        if decision.is_some() {
            finding.help("embed");
        }
    }
}

/// Whether the documents that refer are read with the one that they refer to and never without it.
fn is_read_with_parent(model: &Model, relation: &Relation, options: &Options) -> bool {
    let uses = &relation.uses;
    let joined = uses.target_joined.share_of(uses.target_joined.and(uses.target_alone));
    let is_seen = !uses.backward.is_empty()
        && uses.by_reference.is_none()
        && uses.referring_alone.is_none()
        && joined.is_none_or(|joined| options.together <= joined);
    let others = model.relations.iter().filter(|other| other.path != relation.path || other.from != relation.from);
    let mut others = others.filter(|other| other.to == relation.from || other.from == relation.from);
    // What others point to, or what another collection has too, is a thing of its own.
    let is_own = others.all(|other| other.from == relation.from && !other.uses.follows_backward());
    (is_seen || is_declared(model, relation)) && is_own && !is_apart(model, relation)
}

/// Whether the document that is referred to belongs to the one that refers, and is read with it alone.
fn is_only_part(model: &Model, relation: &Relation) -> bool {
    let uses = &relation.uses;
    let is_read = !uses.forward.is_empty() && uses.target_alone.is_none() && uses.backward.is_empty();
    let others = model.relations.iter().filter(|other| other.to == relation.to || other.from == relation.to);
    is_read && others.count() == 1 && !is_apart(model, relation)
}

/// Whether the team says that both are read together and the child never alone.
fn is_declared(model: &Model, relation: &Relation) -> bool {
    relation.declared(model).is_some_and(|declared| {
        let said = declared.relationship;
        !declared.parent_refers
            && said.read_together == Some(ReadTogether::Always)
            && said.child_read_alone == Some(false)
    })
}

/// Whether the team says what keeps both apart.
fn is_apart(model: &Model, relation: &Relation) -> bool {
    relation.declared(model).is_some_and(|declared| {
        let said = declared.relationship;
        let differ = [said.lifecycle, said.permissions, said.retention];
        declared.is_shared()
            || differ.contains(&Some(Sharing::Different))
            || said.child_read_alone == Some(true)
            || said.cardinality.as_ref().is_some_and(|cardinality| cardinality.growth == Some(Bound::Unbounded))
    })
}

/// Whether more children come as time goes by: they carry the time of an event, or older parents have more of them.
fn comes_with_time(model: &Model, relation: &Relation, part: &Collection) -> bool {
    let is_event = named_children(part, FieldId::ROOT).iter().any(|(_, field)| {
        let words = names::words(&field.name);
        let is_made = words.iter().any(|word| matches!(word.as_str(), "created" | "creado" | "alta"));
        0 < field.count_of(Type::Date)
            && names::is_event_time(&field.name)
            && !names::is_version(&field.name)
            && !is_made
    });
    if is_event || names::is_trace(&part.ns.collection) {
        return true;
    }
    let mut by_parent: BTreeMap<u64, (i64, u64)> = BTreeMap::new();
    let Some(pairs) = relation.pairs(model) else { return false };
    pairs.each(|pair| {
        if let (Some(entry), Some(created)) = (pair.child.entries.get(pair.value), creation_time(pair.parent)) {
            by_parent.entry(hash_key(&entry.item)).or_insert((created, 0)).1 += 1;
        }
    });
    let points: Vec<(i64, u64)> = by_parent.into_values().collect();
    Growth::measure(&points).is_some_and(|growth| growth.is_steady())
}
