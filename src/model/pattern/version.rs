//! The field that tells the version of a document's shape, and the shapes that each version has.

use std::collections::{BTreeMap, BTreeSet};

use super::variant::{Feature, features, known_paths};
use super::{Variants, card_of, item_of, whole};
use crate::config::intent::{Card, Pattern};
use crate::facts::forms::{self, ShapeVersion};
use crate::model::array::creation_time;
use crate::model::{Collection, FieldRef};
use crate::profile::{CollectionProfile, FieldId, FieldKind};
use crate::value::event::{Item, Type};
use crate::value::path::FieldPath;

/// The field that tells the version of a document's shape.
#[derive(Debug, Clone)]
pub struct SchemaVersion {
    /// The field.
    pub path: FieldPath,
    /// Whether a card declares it.
    pub declared: bool,
    /// Documents that were looked at.
    pub documents: u64,
    /// Of these, how many have no version.
    pub without: u64,
    /// When the newest of those was made, in milliseconds.
    pub without_newest: Option<i64>,
    /// The versions, oldest first.
    pub versions: Vec<Version>,
}

/// One version of the shape.
#[derive(Debug, Clone)]
pub struct Version {
    /// Its number, or text.
    pub label: String,
    /// Its documents.
    pub documents: u64,
    /// When the newest of them was made, in milliseconds.
    pub newest: Option<i64>,
    /// When the oldest of them was made, in milliseconds.
    pub oldest: Option<i64>,
    /// How many of its documents have each of the shapes that exclude each other.
    pub classes: BTreeMap<usize, u64>,
    /// How many have each path, by the family of its values.
    pub features: BTreeMap<Feature, u64>,
}

/// More versions than this are no versions of a shape.
const MOST: u64 = 12;
/// A name that may mean something else must agree with the shapes in so many of a hundred documents.
const AGREEMENT: u64 = 70;

impl SchemaVersion {
    /// The current version: the newest number.
    pub fn current(&self) -> Option<&Version> {
        self.versions.last()
    }
}

pub(super) fn find(
    collection: &Collection,
    profile: &CollectionProfile,
    variants: Option<&Variants>,
    cards: &[&Card],
) -> Option<SchemaVersion> {
    let is_plain = |at: &FieldRef<'_>| {
        let numbers = at.field.number_count();
        let kinds = numbers + at.field.count_of(Type::String) + at.field.nulls();
        let few = 0 < at.field.distinct_count() && at.field.distinct_count() <= MOST;
        at.field.kind == FieldKind::Named && kinds == at.field.count && few && at.field.numbers.fractional == 0
    };
    let candidates = collection.fields().filter(|at| at.field.parent == FieldId::ROOT && is_plain(at));
    let mut best: Option<(ShapeVersion, bool, FieldPath)> = None;
    for at in candidates {
        let card = card_of(cards, Pattern::SchemaVersion, at.path.as_str());
        let declared = card.is_some_and(|card| card.path.is_some());
        let sure = if declared { ShapeVersion::Yes } else { forms::shape_version(at.leaf()) };
        if sure != ShapeVersion::No && best.as_ref().is_none_or(|(known, ..)| *known < sure) {
            best = Some((sure, declared, at.path.clone()));
        }
    }
    let (sure, declared, path) = best?;
    let found = measure(collection, profile, variants, path, declared);
    (sure == ShapeVersion::Yes || found.is_no_counter()).then_some(found)
}

impl SchemaVersion {
    /// Whether the numbers go with shapes, or are one number in all documents of a name that counts nothing.
    fn is_no_counter(&self) -> bool {
        let constant = self.versions.len() == 1 && self.path.as_str().trim_start_matches('_') == "v";
        let of_a_shape: u64 = self.versions.iter().filter_map(|version| version.classes.values().max()).sum();
        let shaped: u64 = self.versions.iter().flat_map(|version| version.classes.values()).sum();
        let agrees = 0 < shaped && shaped * AGREEMENT <= of_a_shape * 100;
        let usual: BTreeSet<usize> = self
            .versions
            .iter()
            .filter_map(|version| version.classes.iter().max_by_key(|(_, count)| **count).map(|(class, _)| *class))
            .collect();
        constant || (2 <= self.versions.len() && agrees && 2 <= usual.len())
    }
}

fn measure(
    collection: &Collection,
    profile: &CollectionProfile,
    variants: Option<&Variants>,
    path: FieldPath,
    declared: bool,
) -> SchemaVersion {
    let known = known_paths(profile);
    let mut versions: BTreeMap<(Vec<u64>, String), Version> = BTreeMap::new();
    let mut out =
        SchemaVersion { path, declared, documents: 0, without: 0, without_newest: None, versions: Vec::new() };
    collection.each_sampled(|document| {
        out.documents += 1;
        let label = match item_of(document, out.path.as_str()) {
            Some(Item::String(text)) => text.to_owned(),
            Some(item) => match whole(&item) {
                Some(number) => number.to_string(),
                None => String::new(),
            },
            None => String::new(),
        };
        if label.is_empty() {
            out.without += 1;
            out.without_newest = out.without_newest.max(creation_time(document));
            return;
        }
        let version = versions.entry((numbers(&label), label.clone())).or_insert_with(|| Version {
            label,
            documents: 0,
            newest: None,
            oldest: None,
            classes: BTreeMap::new(),
            features: BTreeMap::new(),
        });
        version.documents += 1;
        if let Some(time) = creation_time(document) {
            version.newest = Some(version.newest.map_or(time, |known| known.max(time)));
            version.oldest = Some(version.oldest.map_or(time, |known| known.min(time)));
        }
        if let Some(class) = variants.and_then(|variants| variants.class_of(document)) {
            *version.classes.entry(class).or_default() += 1;
        }
        for feature in features(document, &known) {
            *version.features.entry(feature).or_default() += 1;
        }
    });
    out.versions = versions.into_values().collect();
    out
}

/// The numbers in a version, so that 10 comes after 9 and `1.10` after `1.9`.
fn numbers(label: &str) -> Vec<u64> {
    let parts = label.split(|letter: char| !letter.is_ascii_digit()).filter(|part| !part.is_empty());
    parts.map(|part| part.parse().unwrap_or(u64::MAX)).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn versions_are_numbers() {
        let mut labels = ["v10", "v9", "1.10.0", "1.9"];
        labels.sort_by_key(|label| super::numbers(label));
        assert_eq!(labels, ["1.9", "1.10.0", "v9", "v10"]);
    }
}
