//! Arrays whose elements are of unlike types or shapes. Words, reasons and examples: mixed-array-elements.md.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use super::{family, type_table};
use crate::model::{Array, Collection, FieldRef, Model};
use crate::order::Ordered;
use crate::profile::FieldId;
use crate::rules::{Findings, Place};
use crate::value::event::{Document, Item, Type};
use crate::value::hash::hash_text;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Share of the elements from which on a shape counts as one.
    shape_share: f64,
}

impl Default for Options {
    fn default() -> Self {
        Options { shape_share: 0.05 }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for collection in &model.collections {
        let mut of_objects: Vec<(&Array, FieldRef<'_>)> = Vec::new();
        for array in collection.arrays().iter().filter(|array| array.is_list()) {
            let Some(element) = array.element.and_then(|id| collection.field(id)) else { continue };
            let families = families(&element);
            if 1 < families.len() {
                unlike_types(collection, array, &element, families.len(), findings);
            } else if families == [Type::Object] {
                of_objects.push((array, element));
            }
        }
        for ((array, element), shapes) in of_objects.iter().zip(shapes(collection, &of_objects)) {
            unlike_shapes(collection, array, element, &shapes, options, findings);
        }
    }
}

/// The shapes of the sampled elements of each array, with their counts.
fn shapes(collection: &Collection, arrays: &[(&Array, FieldRef<'_>)]) -> Vec<BTreeMap<Vec<String>, u64>> {
    let elements: Vec<FieldId> = arrays.iter().map(|(_, element)| element.id).collect();
    let mut shapes = vec![BTreeMap::new(); arrays.len()];
    collection.each_at_any(&elements, |which, document, place| {
        let Some((_, element)) = arrays.get(which) else { return };
        let names = names(collection, element, document, place);
        if let Some(shapes) = shapes.get_mut(which).filter(|_| !names.is_empty()) {
            *shapes.entry(names).or_default() += 1;
        }
    });
    shapes
}

fn unlike_types(
    collection: &Collection,
    array: &Array,
    element: &FieldRef<'_>,
    families: usize,
    findings: &mut Findings,
) {
    let class = |document: &Document<'_>, place: usize| {
        document.entries.get(place).and_then(|entry| family(entry.item.bson_type())).map(|family| family as u64)
    };
    // Text stands for dates and ids where the input has no other way to write them.
    let is_text = |kind: Type| element.has(kind) && element.has(Type::String);
    let is_lost = !collection.types_are_kept() && (is_text(Type::Date) || is_text(Type::ObjectId));
    if is_lost || collection.explained_by(element.id, &[], class).is_some() {
        return;
    }
    findings
        .measured(Place::path(&collection.ns, &array.path), element.field.count)
        .number("kinds", families)
        .figure("types", type_table(element));
}

fn unlike_shapes(
    collection: &Collection,
    array: &Array,
    element: &FieldRef<'_>,
    shapes: &BTreeMap<Vec<String>, u64>,
    options: &Options,
    findings: &mut Findings,
) {
    let elements: u64 = shapes.values().sum();
    let common: Vec<(&Vec<String>, u64)> = shapes
        .iter()
        .filter(|(_, count)| elements as f64 * options.shape_share <= **count as f64)
        .map(|(names, count)| (names, *count))
        .collect();
    let Some((one, other)) = unlike(&common) else { return };
    let class = |document: &Document<'_>, place: usize| {
        let names = names(collection, element, document, place);
        (!names.is_empty()).then(|| hash_text(&names.join("\0")))
    };
    if collection.explained_by(element.id, &[], class).is_some() {
        return;
    }
    findings
        .measured(Place::path(&collection.ns, &array.path), elements)
        .list("one", one)
        .list("other", other)
        .number("kinds", common.len())
        .variant("shapes");
}

/// Two shapes that share less than half of the names of the smaller one: not one thing with optional parts.
fn unlike<'a>(shapes: &[(&'a Vec<String>, u64)]) -> Option<(&'a Vec<String>, &'a Vec<String>)> {
    let mut by_count = shapes.to_vec();
    by_count.order_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    let (first, rest) = by_count.split_first()?;
    let other = rest.iter().find(|(names, _)| {
        let shared = names.iter().filter(|name| first.0.contains(name)).count();
        shared * 2 < names.len().min(first.0.len())
    });
    other.map(|(names, _)| (first.0, *names))
}

/// The names of an element, sorted; `_id` tells nothing about its kind, and names that are data count as one.
fn names(collection: &Collection, element: &FieldRef<'_>, document: &Document<'_>, place: usize) -> Vec<String> {
    let is_object = document.entries.get(place).is_some_and(|entry| matches!(entry.item, Item::Object { .. }));
    let Some(profile) = collection.profile.as_ref().filter(|_| is_object) else { return Vec::new() };
    let shown = |key: &str| if profile.has_name(element.id, key) { key.to_owned() } else { "<key>".to_owned() };
    let keys = document.children(place).map(|(_, entry)| entry.key).filter(|key| *key != "_id");
    let mut names: Vec<String> = keys.map(shown).collect();
    names.order();
    names.dedup();
    names
}

fn families(element: &FieldRef<'_>) -> Vec<Type> {
    let mut families: Vec<Type> =
        element.field.types_found().into_iter().filter_map(|(kind, _)| family(kind)).collect();
    families.order();
    families.dedup();
    families
}
