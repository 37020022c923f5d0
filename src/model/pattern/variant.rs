//! Shapes that exclude each other: variants of a thing side by side, or generations that follow each other in time.

use std::collections::{BTreeMap, BTreeSet};

use super::family;
use crate::facts::forms::{self, ShapeVersion};
use crate::facts::names;
use crate::model::array::creation_time;
use crate::model::discriminator::{Table, explains};
use crate::model::{Collection, FieldRef};
use crate::order::Ordered;
use crate::profile::{CollectionProfile, FieldKind, Shape};
use crate::value::event::{Document, Item, Type};
use crate::value::hash::{hash_scalar, hash_text};
use crate::value::path::FieldPath;

/// A path with the family of its values; paths of elements end with `[]`.
pub type Feature = (String, Type);

/// Shapes that exclude each other and that nearly all documents have.
#[derive(Debug, Clone)]
pub struct Variants {
    /// Documents that were looked at.
    pub documents: u64,
    /// The shapes; those that follow each other in the order of time, else the most frequent first.
    pub classes: Vec<Class>,
    /// What tells them apart: a field, or the letters that its values begin with.
    pub discriminator: Option<FieldPath>,
    /// Whether they follow each other in time; absent where nothing tells a time.
    pub follow: Option<bool>,
    known: BTreeSet<String>,
}

/// One of the shapes.
#[derive(Debug, Clone)]
pub struct Class {
    /// What its documents have, and the others have not.
    pub features: Vec<Feature>,
    /// Documents that have it.
    pub documents: u64,
    /// When the middle one of them was made, in milliseconds.
    pub middle: Option<i64>,
}

/// Documents that are looked at.
const ENOUGH: usize = 1_000;
/// Elements of one array that are looked at.
const ELEMENTS: usize = 20;
/// Features beyond which no shape is tried.
const MOST_FEATURES: usize = 240;
/// Shapes of one collection; more are no shapes but options.
const MOST_CLASSES: usize = 8;
/// Percent of the documents that the smallest shape has, and that may have none of them.
const FEW: usize = 5;
/// Percent of two features' documents that have both where the two are of one shape.
const TOGETHER: usize = 95;
/// Documents below which nothing is seen.
const LEAST: usize = 20;
/// A field with more values is no discriminator.
const MOST_VALUES: u64 = 50;

/// A set of documents by their numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Members(Vec<u64>);

impl Members {
    fn new(documents: usize) -> Members {
        Members(vec![0; documents.div_ceil(64)])
    }

    fn add(&mut self, document: usize) {
        if let Some(word) = self.0.get_mut(document / 64) {
            *word |= 1 << (document % 64);
        }
    }

    fn has(&self, document: usize) -> bool {
        self.0.get(document / 64).is_some_and(|word| word & (1 << (document % 64)) != 0)
    }

    fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    fn shared(&self, other: &Members) -> usize {
        self.0.iter().zip(&other.0).map(|(a, b)| (a & b).count_ones() as usize).sum()
    }

    fn join(&mut self, other: &Members) {
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            *mine |= theirs;
        }
    }
}

/// Features that stand in the same documents.
#[derive(Debug, Clone)]
struct Block {
    features: Vec<Feature>,
    members: Members,
}

impl Variants {
    /// The shape of a document, by its place in [`Variants::classes`].
    pub fn class_of(&self, document: &Document<'_>) -> Option<usize> {
        let features = features(document, &self.known);
        let matching = |class: &Class| class.features.iter().filter(|feature| features.contains(feature)).count();
        let best = self.classes.iter().enumerate().max_by_key(|(at, class)| (matching(class), std::cmp::Reverse(*at)));
        best.filter(|(_, class)| class.features.len() <= matching(class) * 2).map(|(at, _)| at)
    }

    /// The features of a document, of the paths that are names.
    pub fn features_of(&self, document: &Document<'_>) -> BTreeSet<Feature> {
        features(document, &self.known)
    }

    /// Whether each shape has something that is no trace of an event: what is closed has `closedAt` and `closedBy`, and is
    /// the same thing in another state.
    pub fn are_no_states(&self) -> bool {
        let tells = |(path, kind): &Feature| {
            let leaf = path.trim_end_matches("[]").rsplit('.').next().unwrap_or_default();
            *kind != Type::Date && !names::is_event_or_id(leaf)
        };
        self.classes.iter().all(|class| class.features.iter().any(tells))
    }

    /// Whether at least two shapes have several fields, and each has a field that no other has.
    pub fn are_distinct(&self) -> bool {
        let several = self.classes.iter().filter(|class| 2 <= class.features.len()).count();
        let own = |class: &Class| {
            class
                .names()
                .iter()
                .any(|name| self.classes.iter().filter(|other| other.names().contains(name)).count() == 1)
        };
        2 <= several && self.classes.iter().all(own)
    }
}

impl Class {
    /// The names at the top of the document that the shape is known by.
    pub fn names(&self) -> BTreeSet<&str> {
        self.features.iter().map(|(path, _)| path.split(['.', '[']).next().unwrap_or_default()).collect()
    }
}

pub(super) fn find(collection: &Collection, profile: &CollectionProfile) -> Option<Variants> {
    let known = known_paths(profile);
    let mut seen: BTreeMap<Feature, Vec<usize>> = BTreeMap::new();
    let mut times: Vec<Option<i64>> = Vec::new();
    collection.each_sampled_of(ENOUGH, |document| {
        let number = times.len();
        times.push(creation_time(document));
        for feature in features(document, &known) {
            seen.entry(feature).or_default().push(number);
        }
    });
    let documents = times.len();
    let partial =
        |members: &Vec<usize>| documents * FEW <= members.len() * 100 && members.len() * 100 <= documents * (100 - FEW);
    seen.retain(|_, members| partial(members));
    if documents < LEAST || seen.len() < 2 || MOST_FEATURES < seen.len() {
        return None;
    }
    let blocks = blocks(seen, documents);
    let mut chosen = partition(&blocks, documents)?;
    let class_of = |chosen: &[Block], number: usize| chosen.iter().position(|block| block.members.has(number));
    let follow = follow(&times, |number| class_of(&chosen, number));
    if follow == Some(true) {
        chosen.sort_by_key(|block| middle(&times, &block.members));
    }
    let discriminator = discriminator(collection, profile, &chosen);
    let classes = chosen
        .into_iter()
        .map(|block| Class {
            documents: block.members.len() as u64,
            middle: middle(&times, &block.members),
            features: block.features,
        })
        .collect();
    Some(Variants { documents: documents as u64, classes, discriminator, follow, known })
}

/// The paths of fields whose names are names: at the top, in objects there, and in the elements of arrays there.
pub(super) fn known_paths(profile: &CollectionProfile) -> BTreeSet<String> {
    let named = profile.fields().filter(|(_, field)| field.kind == FieldKind::Named && !field.names_are_data);
    named.map(|(id, _)| profile.path(id).to_string()).filter(|path| !path.contains('<')).collect()
}

/// What a document has, as far as it shows at the top and one level below.
pub(super) fn features(document: &Document<'_>, known: &BTreeSet<String>) -> BTreeSet<Feature> {
    let mut found = BTreeSet::new();
    for (at, entry) in document.children(0) {
        let Some(kind) = family(entry.item.bson_type()) else { continue };
        if entry.key == "_id" || !known.contains(entry.key) {
            continue;
        }
        found.insert((entry.key.to_owned(), kind));
        let below = |found: &mut BTreeSet<Feature>, at: usize, prefix: &str| {
            for (_, inner) in document.children(at) {
                let path = format!("{}.{}", entry.key, inner.key);
                if let Some(kind) = family(inner.item.bson_type()).filter(|_| known.contains(&path)) {
                    found.insert((format!("{prefix}.{}", inner.key), kind));
                }
            }
        };
        match entry.item {
            Item::Object { .. } => below(&mut found, at, entry.key),
            Item::Array { .. } => {
                let elements = format!("{}[]", entry.key);
                for (at, element) in document.children(at).take(ELEMENTS) {
                    if let Some(kind) = family(element.item.bson_type()) {
                        found.insert((elements.clone(), kind));
                    }
                    if matches!(element.item, Item::Object { .. }) {
                        below(&mut found, at, &elements);
                    }
                }
            }
            _ => {}
        }
    }
    found
}

/// Puts features together that stand in the same documents; the largest blocks first.
fn blocks(seen: BTreeMap<Feature, Vec<usize>>, documents: usize) -> Vec<Block> {
    let mut sets: Vec<(Feature, Members)> = seen
        .into_iter()
        .map(|(feature, numbers)| {
            let mut members = Members::new(documents);
            for number in numbers {
                members.add(number);
            }
            (feature, members)
        })
        .collect();
    sets.order_by(|a, b| b.1.len().cmp(&a.1.len()).then_with(|| a.0.cmp(&b.0)));
    let mut blocks: Vec<Block> = Vec::new();
    for (feature, members) in sets {
        let same = blocks.iter_mut().find(|block| {
            let shared = block.members.shared(&members);
            let all = block.members.len() + members.len() - shared;
            all * TOGETHER <= shared * 100
        });
        match same {
            Some(block) => block.features.push(feature),
            None => blocks.push(Block { features: vec![feature], members }),
        }
    }
    blocks
}

/// Blocks that exclude each other and that nearly all documents have one of: those with the most features.
fn partition(blocks: &[Block], documents: usize) -> Option<Vec<Block>> {
    let mut best: Option<(usize, Vec<&Block>)> = None;
    for (at, first) in blocks.iter().enumerate() {
        let mut chosen = vec![first];
        let mut union = first.members.clone();
        let others = blocks.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, block)| block);
        let mut others: Vec<&Block> = others.collect();
        // Among equals the block that says more.
        others.order_by(|a, b| {
            b.features.len().cmp(&a.features.len()).then_with(|| b.members.len().cmp(&a.members.len()))
        });
        for block in others {
            if union.shared(&block.members) * 100 <= block.members.len() {
                union.join(&block.members);
                chosen.push(block);
            }
        }
        let covers = documents * (100 - FEW) <= union.len() * 100;
        let several = chosen.iter().any(|block| 2 <= block.features.len());
        let features: usize = chosen.iter().map(|block| block.features.len()).sum();
        let fits = covers && several && 2 <= chosen.len() && chosen.len() <= MOST_CLASSES;
        if fits && best.as_ref().is_none_or(|(most, _)| *most < features) {
            best = Some((features, chosen));
        }
    }
    best.map(|(_, chosen)| chosen.into_iter().cloned().collect())
}

/// When the middle one of some documents was made.
fn middle(times: &[Option<i64>], members: &Members) -> Option<i64> {
    let of_members = times.iter().enumerate().filter(|(number, _)| members.has(*number));
    let mut times: Vec<i64> = of_members.filter_map(|(_, time)| *time).collect();
    times.sort_unstable();
    times.get(times.len() / 2).copied()
}

/// Whether shapes follow each other: in the order of time they change seldom, where strewn ones change all the time.
fn follow(times: &[Option<i64>], class_of: impl Fn(usize) -> Option<usize>) -> Option<bool> {
    let mut row: Vec<(i64, usize)> = Vec::new();
    for (number, time) in times.iter().enumerate() {
        if let (Some(time), Some(class)) = (*time, class_of(number)) {
            row.push((time, class));
        }
    }
    let (first, last) = (row.iter().min()?.0, row.iter().max()?.0);
    if row.len() * 2 < times.len() || first == last {
        return None;
    }
    row.order();
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    for (_, class) in &row {
        *counts.entry(*class).or_default() += 1;
    }
    let changes = row.windows(2).filter(|pair| matches!(pair, [a, b] if a.1 != b.1)).count();
    // Of all pairs of documents, so many are of two shapes: neighbours that are strewn by chance change as often.
    let all = row.len();
    let unlike = all * all - counts.values().map(|count| count * count).sum::<usize>();
    Some(changes * all * 3 <= unlike)
}

/// The field that tells which shape a document has, or the letters that its values begin with.
fn discriminator(collection: &Collection, profile: &CollectionProfile, chosen: &[Block]) -> Option<FieldPath> {
    let own: BTreeSet<&str> = chosen.iter().flat_map(|block| &block.features).map(|(path, _)| path.as_str()).collect();
    let candidates: Vec<FieldRef<'_>> = collection
        .fields()
        .filter(|at| {
            at.field.kind == FieldKind::Named
                && !profile.in_array(at.id)
                && !own.contains(at.path.as_str())
                && forms::shape_version(at.leaf()) != ShapeVersion::Yes
                && at.field.count_of(Type::Object) + at.field.count_of(Type::Array) == 0
                && 0 < at.field.count
        })
        .collect();
    let is_coded = |at: &FieldRef<'_>| MOST_VALUES < at.field.distinct_count();
    let mut tables: Vec<Table> = candidates.iter().map(|_| Table::new()).collect();
    let mut number = 0;
    collection.each_sampled_of(ENOUGH, |document| {
        let class = chosen.iter().position(|block| block.members.has(number));
        number += 1;
        let Some(class) = class else { return };
        for (at, table) in candidates.iter().zip(&mut tables) {
            let value = match super::item_of(document, at.path.as_str()) {
                None => 0,
                Some(Item::String(text)) if is_coded(at) => hash_text(letters(text)),
                Some(item) => hash_scalar(&item),
            };
            *table.entry(value).or_default().entry(class as u64).or_default() += 1;
        }
    });
    let found = candidates.into_iter().zip(tables).find(|(at, table)| {
        let texts = at.field.count_of(Type::String) + at.field.nulls() == at.field.count;
        let dates = at.field.shape_count(Shape::DateTime);
        (!is_coded(at) || (texts && dates == 0)) && (table.len() as u64) <= MOST_VALUES && explains(table)
    });
    found.map(|(at, _)| at.path)
}

/// The letters that a code begins with.
fn letters(text: &str) -> &str {
    let end = text.find(|letter: char| !letter.is_alphabetic()).unwrap_or(text.len());
    text.get(..end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_that_follow_change_seldom() {
        let times: Vec<Option<i64>> = (0..90).map(Some).collect();
        assert_eq!(follow(&times, |number| Some(number / 30)), Some(true));
        assert_eq!(follow(&times, |number| Some(number % 3)), Some(false));
        assert_eq!(follow(&vec![None; 90], |number| Some(number % 3)), None);
    }

    #[test]
    fn blocks_that_exclude_each_other_are_shapes() {
        let feature = |name: &str| (name.to_owned(), Type::String);
        let every = |step: usize, from: usize| (from..90).step_by(step).collect::<Vec<_>>();
        let seen: BTreeMap<Feature, Vec<usize>> = [
            (feature("brand"), every(3, 0)),
            (feature("last4"), every(3, 0)),
            (feature("drawer"), every(3, 1)),
            (feature("bank"), every(3, 2)),
            (feature("note"), every(4, 0)),
        ]
        .into();
        let found = partition(&blocks(seen.clone(), 90), 90).expect("three shapes");
        assert_eq!(found.len(), 3);
        let mut uncovered = seen;
        uncovered.remove(&feature("bank"));
        assert!(partition(&blocks(uncovered, 90), 90).is_none(), "a third has none of the shapes");
    }
}
