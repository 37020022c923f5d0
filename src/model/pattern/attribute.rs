//! Lists of key and value, and the sparse fields that they would replace.

use std::collections::BTreeMap;

use super::family;
use crate::facts::forms;
use crate::model::Collection;
use crate::profile::{CollectionProfile, Field, FieldId, FieldKind};
use crate::value::event::{Document, Item, Type};
use crate::value::hash::hash_scalar;
use crate::value::path::FieldPath;

/// An array of key and value.
#[derive(Debug, Clone)]
pub struct Attributes {
    /// The array in the profile.
    pub id: FieldId,
    /// Its path in dot notation.
    pub path: FieldPath,
    /// The name of the key in its elements.
    pub key: String,
    /// The name of the value.
    pub value: String,
    /// Whether something beside them, such as a language, tells values of one key apart.
    pub scoped: bool,
    /// What may hold the list: documents, or the objects around a nested one.
    pub holders: u64,
    /// Lists that were looked at.
    pub lists: u64,
    /// Whether the sample lacks no list and no element of one.
    pub exact: bool,
    /// The keys; not more than [`MAX_KEYS`].
    pub keys: BTreeMap<String, Key>,
}

/// One key of the lists of a path.
#[derive(Debug, Clone, Default)]
pub struct Key {
    /// Lists that have it.
    pub lists: u64,
    /// Lists that have it twice or more.
    pub repeats: u64,
    /// Its values by family of types; null is none.
    pub families: BTreeMap<Type, u64>,
}

/// Fields of one object, like each other, of which each is in few of them.
#[derive(Debug, Clone)]
pub struct SparseFields {
    /// The object; the document itself where its path is empty.
    pub path: FieldPath,
    /// Objects that were counted.
    pub objects: u64,
    /// The fields with the family of their values.
    pub fields: Vec<(FieldPath, Type)>,
}

/// Keys that are kept of one path; so many are no names of attributes.
pub const MAX_KEYS: usize = 1_000;
/// Percent of the elements that have key and value.
const NEARLY_ALL: u64 = 95;
/// How often a key comes on average, at least: what hardly repeats is the name of a thing.
const REPEATS: u64 = 3;
/// Sparse fields are in no more than this many of a hundred objects.
const SPARSE: u64 = 50;
/// And in one of so many at least: a slip of the pen is no attribute.
const RAREST: u64 = 500;
/// Fields of one object from which on they are worth a look.
const MIN_FIELDS: usize = 3;

pub(super) fn find(collection: &Collection, profile: &CollectionProfile) -> Vec<Attributes> {
    let mut found: Vec<Attributes> = Vec::new();
    for array in collection.arrays() {
        let Some((element_id, element)) = profile.elements(array.id) else { continue };
        let Some((key, value)) = pair(profile, element_id, element) else { continue };
        let scoped = profile.children(element_id).any(|(_, field)| forms::is_scope(&field.name));
        let holders = if array.nested { 0 } else { collection.sampled() };
        found.push(Attributes {
            id: array.id,
            path: array.path.clone(),
            key,
            value,
            scoped,
            holders,
            lists: 0,
            exact: collection.complete && collection.sampled() == profile.documents,
            keys: BTreeMap::new(),
        });
    }
    let ids: Vec<FieldId> = found.iter().map(|attributes| attributes.id).collect();
    collection.each_at_any(&ids, |which, document, place| {
        if let Some(attributes) = found.get_mut(which) {
            attributes.read(document, place);
        }
    });
    for attributes in &mut found {
        attributes.holders = attributes.holders.max(attributes.lists);
    }
    found.retain(|attributes| 0 < attributes.lists);
    found
}

/// The names of key and value, where the elements of an array are pairs.
fn pair(profile: &CollectionProfile, id: FieldId, element: &Field) -> Option<(String, String)> {
    let objects = element.count_of(Type::Object);
    if objects == 0 || objects * 100 < element.count * NEARLY_ALL {
        return None;
    }
    let (mut key, mut value) = (None, None);
    for (_, field) in profile.children(id) {
        let common = objects * NEARLY_ALL <= field.count * 100;
        let named = field.kind == FieldKind::Named;
        let is_text = field.count_of(Type::String) == field.count;
        if named && common && is_text && key.is_none() && forms::is_attribute_key(&field.name) {
            key = Some(field);
        } else if named && value.is_none() && forms::is_attribute_value(&field.name) {
            value = Some(field);
        } else if !named || !forms::is_qualifier(&field.name) {
            return None;
        }
    }
    let (key, value) = (key?, value?);
    let repeats = 2 <= key.distinct_count() && key.distinct_count().saturating_mul(REPEATS) <= key.count;
    // Most pairs have a value, or they are no pairs.
    (repeats && objects <= value.count * 2).then(|| (key.name.to_string(), value.name.to_string()))
}

impl Attributes {
    /// The path of the value in dot notation.
    pub fn value_path(&self) -> String {
        format!("{}.{}", self.path, self.value)
    }

    /// The keys that so many of a hundred holders have, each with values of one kind.
    pub fn central(&self, percent: u64) -> Vec<(&str, &Key)> {
        let keys = self.keys.iter().filter(|(_, key)| {
            self.holders.saturating_mul(percent) <= key.lists.saturating_mul(100) && key.families.len() == 1
        });
        keys.map(|(name, key)| (name.as_str(), key)).collect()
    }

    fn read(&mut self, document: &Document<'_>, place: usize) {
        let mut seen: BTreeMap<&str, BTreeMap<u64, u64>> = BTreeMap::new();
        let mut read = 0u32;
        for (at, element) in document.children(place) {
            read += 1;
            if !matches!(element.item, Item::Object { .. }) {
                continue;
            }
            let (mut key, mut kind, mut scope) = (None, None, 0);
            for (_, entry) in document.children(at) {
                if entry.key == self.key {
                    key = if let Item::String(text) = entry.item { Some(text) } else { None };
                } else if entry.key == self.value {
                    kind = family(entry.item.bson_type());
                } else if forms::is_scope(entry.key) {
                    scope ^= hash_scalar(&entry.item);
                }
            }
            let Some(key) = key else { continue };
            *seen.entry(key).or_default().entry(scope).or_default() += 1;
            if !self.keys.contains_key(key) && self.keys.len() < MAX_KEYS {
                self.keys.insert(key.to_owned(), Key::default());
            }
            if let (Some(known), Some(kind)) = (self.keys.get_mut(key), kind) {
                *known.families.entry(kind).or_default() += 1;
            }
        }
        if let Some(Item::Array { len, .. }) = document.entries.get(place).map(|entry| entry.item) {
            self.exact &= len == read;
        }
        self.lists += 1;
        for (key, times) in seen {
            if let Some(known) = self.keys.get_mut(key) {
                known.lists += 1;
                known.repeats += u64::from(times.values().any(|times| 1 < *times));
            }
        }
    }
}

pub(super) fn sparse(collection: &Collection, profile: &CollectionProfile) -> Vec<SparseFields> {
    let mut found = Vec::new();
    for (id, parent) in profile.fields() {
        let objects = parent.count_of(Type::Object);
        if objects == 0 || parent.names_are_data || !matches!(parent.kind, FieldKind::Root | FieldKind::Named) {
            continue;
        }
        let fields: Vec<(FieldPath, Type)> = profile
            .children(id)
            .filter(|(_, field)| {
                let rare = field.count.saturating_mul(100) <= objects.saturating_mul(SPARSE);
                rare && objects <= field.count.saturating_mul(RAREST) && field.kind == FieldKind::Named
            })
            .filter_map(|(child, field)| {
                let mut families: Vec<Type> =
                    field.types_found().into_iter().filter_map(|(kind, _)| family(kind)).collect();
                families.dedup();
                let [kind @ (Type::Double | Type::String | Type::Bool | Type::Date)] = families.as_slice() else {
                    return None;
                };
                Some((collection.field(child)?.path, *kind))
            })
            .collect();
        if MIN_FIELDS <= fields.len() {
            found.push(SparseFields { path: profile.path(id), objects, fields });
        }
    }
    found
}
