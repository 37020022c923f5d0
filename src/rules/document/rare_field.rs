//! Fields that next to no document has. Words, reasons and examples: rare-field.md.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::model::{Collection, Model};
use crate::profile::{CollectionProfile, Field, FieldId, FieldKind};
use crate::rules::{Findings, Place};
use crate::value::event::{Document, Item, Type};
use crate::value::hash::hash_scalar;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Objects (documents, embedded ones, array elements) from which on a share says something.
    objects: u64,
    /// Share of the objects below which a field is rare.
    share: f64,
    /// Rare fields of one object beyond which they are its model (sparse attributes, many variants) and no leftovers.
    siblings: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options { objects: 1_000, share: 0.01, siblings: 5 }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for (collection, profile) in model.with_documents() {
        let (parents, mut found): (Vec<FieldId>, Vec<Vec<Rare<'_>>>) = profile
            .fields()
            .map(|(parent, _)| (parent, rare(collection, profile, parent, options)))
            .filter(|(_, rare)| !rare.is_empty())
            .unzip();
        collection.each_at_any(&parents, |which, document, place| {
            for field in found.get_mut(which).into_iter().flatten() {
                field.see(document, place);
            }
        });
        for Rare { id, field, objects, .. } in found.iter().flatten().filter(|field| !field.is_explained()) {
            findings
                .measured(Place::path(&collection.ns, profile.path(*id)), *objects)
                .number("times", field.count)
                .number("share", field.count as f64 / *objects as f64);
        }
    }
}

/// The rare fields of one object that nobody is known to want.
fn rare<'a>(
    collection: &Collection,
    profile: &'a CollectionProfile,
    parent: FieldId,
    options: &Options,
) -> Vec<Rare<'a>> {
    let Some(object) = profile.field(parent) else { return Vec::new() };
    let objects = object.count_of(Type::Object);
    if objects < options.objects || object.names_are_data || is_below_data(profile, parent) {
        return Vec::new();
    }
    let rare: Vec<(FieldId, &Field)> = profile
        .children(parent)
        .filter(|(_, f)| f.kind == FieldKind::Named && (f.count as f64) < options.share * objects as f64)
        .collect();
    if options.siblings < rare.len() {
        return Vec::new();
    }
    rare.into_iter()
        .filter(|(id, field)| !is_meant(collection, profile, *id, field))
        .map(|(id, field)| Rare { id, field, objects, seen: 0, values: BTreeMap::new() })
        .collect()
}

/// A rare field and the values that stand beside it in the sample.
struct Rare<'a> {
    id: FieldId,
    field: &'a Field,
    objects: u64,
    seen: u64,
    /// By sibling and value: objects with the field, objects without it.
    values: BTreeMap<String, BTreeMap<u64, (u64, u64)>>,
}

impl Rare<'_> {
    fn see(&mut self, document: &Document<'_>, place: usize) {
        let has = document.children(place).any(|(_, e)| *e.key == *self.field.name);
        self.seen += u64::from(has);
        for (_, entry) in document.children(place) {
            if matches!(entry.item, Item::String(_) | Item::Int(_) | Item::Long(_) | Item::Double(_) | Item::Bool(_)) {
                let counts = self.values.entry(entry.key.to_owned()).or_default();
                let (with, without) = counts.entry(hash_scalar(&entry.item)).or_default();
                *with += u64::from(has);
                *without += u64::from(!has);
            }
        }
    }

    /// Whether the field belongs to few values of a sibling, however rare these are: `cancelReason` stands where the
    /// status is `cancelled`. Values that occur once explain nothing.
    fn is_explained(&self) -> bool {
        2 <= self.seen
            && self.values.values().any(|counts| {
                let there: Vec<(u64, u64)> = counts.values().copied().filter(|(with, _)| 0 < *with).collect();
                let with: u64 = there.iter().map(|(with, _)| with).sum();
                let without: u64 = there.iter().map(|(_, without)| without).sum();
                self.seen * 9 <= with * 10 && there.len() as u64 * 2 <= with && without <= with
            })
    }
}

/// Whether somebody has the field on purpose: an index or the validator names it, or it is of a kind that is rightly
/// rare: a flag that is only ever true, a date of something that seldom happens.
fn is_meant(collection: &Collection, profile: &CollectionProfile, id: FieldId, field: &Field) -> bool {
    let path = profile.path(id);
    let indexed = collection.indexes().iter().any(|index| index.key.iter().any(|(key, _)| key == path.as_str()));
    let types = field.types_found();
    let only = |kind: Type| types.iter().all(|(found, _)| *found == kind || *found == Type::Null);
    let flag = only(Type::Bool) && field.distinct_count() <= 1;
    indexed || flag || only(Type::Date) || is_declared(collection, path.as_str())
}

/// Whether the validator's schema names the path.
fn is_declared(collection: &Collection, path: &str) -> bool {
    let Some(validator) = collection.validator() else { return false };
    let Some(mut schema) = validator.expression.get("$jsonSchema") else { return false };
    for name in path.split('.') {
        // Elements of an array are described under `items`.
        let properties = schema.get("properties").or_else(|| schema.get("items")?.get("properties"));
        match properties.and_then(|properties| properties.get(name)) {
            Some(below) => schema = below,
            None => return false,
        }
    }
    true
}

/// Whether the object hangs below names that are data: what is rare there depends on the names.
fn is_below_data(profile: &CollectionProfile, id: FieldId) -> bool {
    let mut at = id;
    while let Some(field) = profile.field(at).filter(|f| f.kind != FieldKind::Root) {
        if field.kind == FieldKind::Folded {
            return true;
        }
        at = field.parent;
    }
    false
}
