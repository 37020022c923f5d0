//! Collections of nothing but two references. Words, reasons and examples: junction.md.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Deserialize;

use super::{belong_together, first, help_of, named_children};
use crate::advice;
use crate::facts::names;
use crate::model::{Collection, Model, Relation};
use crate::profile::FieldId;
use crate::rules::{Findings, Place};
use crate::value::event::{Item, Type};
use crate::value::hash::hash_key;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Links that one document of a side may have at most: beyond it a list in a document is no longer short.
    most: u64,
    /// Share of the pairs that may occur twice: links occur once, events again and again.
    repeated: f64,
}

impl Default for Options {
    fn default() -> Self {
        Options { most: 20, repeated: 0.01 }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for (collection, profile) in model.with_documents() {
        let Some([left, right]) = sides(model, collection) else { continue };
        // What others point to is a thing of its own, and visits and views are no links.
        if names::is_trace(&collection.ns.collection)
            || model.relations.iter().any(|relation| relation.to == collection.ns)
            || repeats(collection, left, right, options)
        {
            continue;
        }
        let most = |relation: &Relation| {
            let (counts, _) = relation.per_target(model)?;
            Some(counts.max()).filter(|max| *max <= options.most && belong_together(model, relation))
        };
        let (Some(of_left), Some(of_right)) = (most(left), most(right)) else { continue };
        let own = collection.ns.to_string();
        let decided = [left, right]
            .into_iter()
            .find_map(|side| advice::relationship(findings.recommendations(), &collection.ns, side.path.as_str()))
            .or_else(|| {
                let is_own = |r: &&crate::finding::Recommendation| {
                    r.kind == "relationship" && r.collection.as_deref() == Some(own.as_str())
                };
                findings.recommendations().iter().find(is_own)
            });
        let stays = |decided: &crate::finding::Recommendation| {
            decided.decision == "association" || decided.decision == "keep" && decided.today == "association"
        };
        if decided.is_some_and(stays) {
            continue;
        }
        let help = decided.and_then(|decided| help_of(&decided.decision));
        let finding = findings
            .measured(Place::collection(&collection.ns), profile.documents)
            .list("sides", [&left.path, &right.path])
            .text("left", &left.to)
            .text("right", &right.to)
            .number("mostOfLeft", of_left)
            .number("mostOfRight", of_right);
        if let Some(help) = help {
            finding.help(help);
        }
    }
}

/// The two references of a collection that holds nothing else but its key.
fn sides<'m>(model: &'m Model, collection: &Collection) -> Option<[&'m Relation; 2]> {
    let mut paths: Vec<String> = Vec::new();
    for (id, field) in named_children(collection, FieldId::ROOT) {
        match &*field.name {
            "_id" if 0 < field.count_of(Type::Object) => {
                paths.extend(named_children(collection, id).iter().map(|(_, part)| format!("_id.{}", part.name)));
            }
            "_id" => {}
            // Counters of changes that the mapper writes by itself.
            name if names::is_version(name) && 0 < field.number_count() => {}
            name => paths.push(name.to_owned()),
        }
        if 2 < paths.len() {
            return None;
        }
    }
    let [one, other] = paths.as_slice() else { return None };
    let refers = |path: &String| {
        model.relations.iter().find(|relation| {
            relation.from == collection.ns
                && relation.path.as_str() == path
                && !relation.many
                && relation.known_by.values.is_some()
                && !relation.is_self()
        })
    };
    Some([refers(one)?, refers(other)?])
}

/// Whether pairs occur more than once.
fn repeats(collection: &Collection, left: &Relation, right: &Relation, options: &Options) -> bool {
    let (mut seen, mut all) = (BTreeSet::new(), 0_u64);
    collection.each_sampled(|document| {
        let key = |relation: &Relation| {
            let item = first(document, relation.path.as_str())?;
            (!matches!(item, Item::Object { .. } | Item::Array { .. })).then(|| hash_key(&item))
        };
        if let (Some(left), Some(right)) = (key(left), key(right)) {
            all += 1;
            seen.insert((left, right));
        }
    });
    let repeated = all.saturating_sub(seen.len() as u64);
    all == 0 || options.repeated * (all as f64) < repeated as f64
}
