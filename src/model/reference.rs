//! References between collections: a field whose values are the `_id`s, or another unique key, of a collection. The
//! hashes of whole collections and the answers of a server show it; names only say where to look.

use std::collections::{BTreeMap, BTreeSet};

use super::Collection;
use super::pairs::{Presence, Referring, Targets, classes_of, fields, forms, referring};
use crate::catalogue::{Index, Namespace, Origin};
use crate::facts::names;
use crate::profile::{Distinct, Field, FieldId, FieldKind, Shape};
use crate::value::event::Type;
use crate::value::path::FieldPath;

/// A field that holds the keys of a collection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// The collection that refers.
    pub from: Namespace,
    /// The field that refers.
    pub field: FieldId,
    /// Its path in dot notation.
    pub path: FieldPath,
    /// The collection that is referred to.
    pub to: Namespace,
    /// The field of it that holds the same values: `_id`, or another unique key.
    pub target: FieldPath,
    /// Distinct values that were compared.
    pub compared: u64,
    /// Of these, how many are there, in any form of the same id.
    pub found: u64,
    /// Whether the server was asked for the values; else the hashes of both sides were compared.
    pub asked: bool,
    /// Whether one document may hold many.
    pub many: bool,
}

/// Distinct values below this show nothing.
const MIN_COMPARED: u64 = 5;
/// Below this a field proves nothing that only shares the name of a unique key.
const MIN_SAME_NAME: u64 = 20;
/// Share of values that must be found, in percent.
const MIN_FOUND: u64 = 80;
/// Distinct values that are looked up of one field.
const MAX_COMPARED: usize = 4_096;

/// A field whose values may be keys of another collection.
#[derive(Debug)]
pub(super) struct Side<'m> {
    pub(super) place: usize,
    pub(super) collection: &'m Collection,
    pub(super) id: FieldId,
    pub(super) path: FieldPath,
    pub(super) classes: Vec<Type>,
    /// The classes in which its values may be stored elsewhere.
    forms: Vec<Type>,
    /// Whether it holds ids that cannot agree by accident: ObjectIds, UUIDs and their text.
    pub(super) ids: bool,
    /// Whether it holds numbers or their digits, which agree by accident as no other keys do.
    numbers: bool,
    /// Whether its collection has a unique index on it alone.
    unique: bool,
    values: &'m Distinct,
    many: bool,
}

/// A field that a side may refer to.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Target {
    /// How surely, before anything is measured.
    pub(super) hint: Hint,
    /// Place of the collection.
    pub(super) to: usize,
    /// Its field.
    pub(super) path: String,
}

/// What speaks for a target before it is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Hint {
    /// The name of the field names the collection.
    Named,
    /// The field has the name of a unique key.
    SameName,
    /// Samples of both sides share ids.
    Shared,
    /// Nothing but the type of its ids.
    Type,
}

/// The references among collections. What names alone suggest needs every value to be an id that cannot agree by
/// accident, or more of them.
pub(super) fn find(collections: &[Collection]) -> Vec<Reference> {
    let keys = Keys::of(collections);
    let names = Names::of(collections);
    let asked: Vec<Target> = collections
        .iter()
        .enumerate()
        .filter(|(_, c)| c.fetched.answers("_id").is_some())
        .map(|(to, _)| Target { hint: Hint::Type, to, path: "_id".to_owned() })
        .collect();
    let mut out: Vec<Reference> = Vec::new();
    for side in sides(collections) {
        let mut targets = names.targets(&side);
        if targets.is_empty() && !side.ids {
            continue;
        }
        let counted = keys.count(side.values);
        if side.ids {
            targets.extend(counted.found.keys().map(|to| Target {
                hint: Hint::Shared,
                to: *to,
                path: "_id".to_owned(),
            }));
            targets.extend(asked.iter().cloned());
        }
        targets.retain(|target| !side.is_own_key(target, collections));
        targets.sort();
        let mut known = BTreeSet::new();
        targets.retain(|target| known.insert((target.to, target.path.clone())));
        let mut values: Option<Vec<Referring>> = None;
        let mut best: Option<(u64, u64, bool, &Target)> = None;
        for target in &targets {
            let Some(parent) = collections.get(target.to) else { continue };
            let needed = match target.hint {
                Hint::Named if side.ids => 1,
                Hint::SameName => MIN_SAME_NAME,
                _ => MIN_COMPARED,
            };
            let mut measured = None;
            if !parent.complete && parent.fetched.answers(&target.path).is_some() {
                let values = values.get_or_insert_with(|| referring(side.collection, side.path.as_str(), MAX_COMPARED));
                let (compared, found) = answered(values, parent, &target.path);
                measured = Some((compared, found, true)).filter(|_| needed <= compared);
            }
            let measured = measured.or_else(|| {
                let (compared, found) = match target.path.as_str() {
                    "_id" => keys.compare(&counted, target.to),
                    path => compare(side.values, distinct_of(parent, path)?),
                };
                Some((compared, found, false)).filter(|_| needed <= compared)
            });
            // Digits as text hash unlike their numbers: they are compared as the numbers that they spell.
            let measured = match measured {
                Some((compared, found, _)) if side.numbers && found * 100 < compared * MIN_FOUND => {
                    let values =
                        values.get_or_insert_with(|| referring(side.collection, side.path.as_str(), MAX_COMPARED));
                    distinct_of(parent, &target.path)
                        .map(|keys| compare_other_forms(values, keys))
                        .filter(|(compared, _)| needed <= *compared)
                        .map_or(measured, |(compared, found)| Some((compared, found, false)))
                }
                measured => measured,
            };
            let Some((compared, found, asked)) = measured else { continue };
            if target.hint == Hint::Named && !side.may_be_keys(compared, found, parent) {
                continue;
            }
            if compared * MIN_FOUND <= found * 100 && best.is_none_or(|(_, most, ..)| most < found) {
                best = Some((compared, found, asked, target));
            }
        }
        let Some((compared, found, asked, target)) = best else { continue };
        let Some(to) = collections.get(target.to) else { continue };
        let reference = Reference {
            from: side.collection.ns.clone(),
            field: side.id,
            path: side.path,
            to: to.ns.clone(),
            target: FieldPath::new(target.path.clone()),
            compared,
            found,
            asked,
            many: side.many,
        };
        // A field that holds an id here and a list of ids there is one reference.
        let is_known = |r: &&mut Reference| {
            (&r.from, &r.path, &r.to, &r.target) == (&reference.from, &reference.path, &reference.to, &reference.target)
        };
        match out.iter_mut().rev().find(is_known) {
            Some(known) => known.many |= reference.many,
            None => out.push(reference),
        }
    }
    out
}

/// Of how many values the server told whether they are there, and how many are.
fn answered(values: &[Referring], parent: &Collection, path: &str) -> (u64, u64) {
    let targets = Targets::of(parent, path);
    values.iter().fold((0, 0), |(compared, found), value| match targets.presence(value) {
        Presence::Found | Presence::OtherType => (compared + 1, found + 1),
        Presence::Missing => (compared + 1, found),
        Presence::Unknown => (compared, found),
    })
}

/// How many values have another form that can be compared, and how many of these are keys.
fn compare_other_forms(values: &[Referring], keys: &Distinct) -> (u64, u64) {
    let below = keys.kept_below();
    let others = values.iter().filter(|value| value.others.iter().any(|other| other.hash <= below));
    others.fold((0, 0), |(compared, found), value| {
        (compared + 1, found + u64::from(value.others.iter().any(|other| keys.contains(other.hash))))
    })
}

/// How many hashes can be compared, and how many of them are on the other side.
fn compare(values: &Distinct, keys: &Distinct) -> (u64, u64) {
    let below = values.kept_below().min(keys.kept_below());
    let hashes = values.smallest().into_iter().map(|(hash, _)| hash).take_while(|hash| *hash <= below);
    hashes.fold((0, 0), |(compared, found), hash| (compared + 1, found + u64::from(keys.contains(hash))))
}

/// The fields that may refer.
pub(super) fn sides(collections: &[Collection]) -> impl Iterator<Item = Side<'_>> {
    collections.iter().enumerate().flat_map(|(place, collection)| {
        collection.profile.iter().flat_map(move |profile| {
            profile.fields().filter_map(move |(id, field)| {
                let values = field.distinct.as_deref().filter(|_| field.kind != FieldKind::Root)?;
                let path = profile.path(id);
                if path.as_str() == "_id" || !holds_keys(field) {
                    return None;
                }
                Some(Side {
                    place,
                    collection,
                    id,
                    classes: classes_of(std::iter::once(field)),
                    forms: forms(field),
                    ids: holds_ids(field),
                    numbers: holds_numbers(field),
                    unique: collection.indexes().iter().any(|index| is_key_index(index, path.as_str())),
                    values,
                    many: profile.in_array(id) || field.kind == FieldKind::Element,
                    path,
                })
            })
        })
    })
}

impl Side<'_> {
    /// Whether the target is the field's own collection and the field only repeats the key of its document.
    fn is_own_key(&self, target: &Target, collections: &[Collection]) -> bool {
        let own = collections.get(target.to).filter(|_| target.to == self.place);
        own.is_some_and(|own| {
            names::is_own_key(self.path.leaf(), &own.ns.collection) || target.path == self.path.as_str()
        })
    }

    /// Whether the values of a field that is named like a collection may be its keys. Any small number is the key of
    /// something: where the name does not say that the field holds keys (`customer`, not `customerId`), it must not
    /// count, order or measure things, and its values must be many, or make up most of the keys.
    fn may_be_keys(&self, compared: u64, found: u64, parent: &Collection) -> bool {
        if self.ids || !self.numbers || names::says_key(self.path.as_str()) {
            return true;
        }
        let leaf = self.path.leaf();
        let words = names::words(leaf);
        let is_plural = words.last().is_some_and(|last| names::stems(last).iter().any(|stem| stem != last));
        let keys = distinct_of(parent, "_id").map_or(0, Distinct::estimate);
        !names::is_measure(leaf) && (self.many || !is_plural) && (MIN_SAME_NAME <= compared || keys <= found * 2)
    }

    /// The targets of which a server may be asked for this side's values, most likely ones first.
    pub(super) fn targets(&self, collections: &[Collection], names: &Names, keys: &Keys) -> Vec<Target> {
        let mut targets = names.targets(self);
        if targets.is_empty() && self.ids {
            let all = |hint| move |to| Target { hint, to, path: "_id".to_owned() };
            targets.extend(keys.count(self.values).found.into_keys().map(all(Hint::Shared)));
            if targets.is_empty() {
                targets.extend((0..collections.len()).map(all(Hint::Type)));
                targets.retain(|target| names.may_agree(self, target));
            }
        }
        targets.retain(|target| !self.is_own_key(target, collections));
        targets.sort();
        targets
    }
}

/// The collections and their unique keys by what they are named.
#[derive(Debug)]
pub(super) struct Names {
    words: Vec<Vec<String>>,
    /// The collections by what the last word of their names may be.
    by_stem: BTreeMap<String, Vec<usize>>,
    /// Unique keys other than `_id` by the words of their names.
    keys: BTreeMap<Vec<String>, Vec<(usize, String)>>,
    /// The classes in which what the keys hold may be stored elsewhere, `_id` included, by collection and path.
    forms: BTreeMap<(usize, String), Vec<Type>>,
}

impl Names {
    pub(super) fn of(collections: &[Collection]) -> Names {
        let words: Vec<Vec<String>> = collections.iter().map(|c| names::words(&c.ns.collection)).collect();
        let mut by_stem: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (place, words) in words.iter().enumerate() {
            for stem in words.last().map(|word| names::stems(word)).unwrap_or_default() {
                by_stem.entry(stem).or_default().push(place);
            }
        }
        let mut keys: BTreeMap<Vec<String>, Vec<(usize, String)>> = BTreeMap::new();
        let mut held = BTreeMap::new();
        let of = |collection, path: &str| -> Vec<Type> { fields(collection, path).flat_map(forms).collect() };
        for (place, collection) in collections.iter().enumerate() {
            held.insert((place, "_id".to_owned()), of(collection, "_id"));
            let indexed = collection.indexes().iter().filter_map(|index| {
                index.key.first().map(|(path, _)| path.clone()).filter(|path| is_key_index(index, path))
            });
            for path in indexed.chain(own_keys(collection)) {
                held.insert((place, path.clone()), of(collection, &path));
                let words = names::words(FieldPath::new(path.as_str()).leaf());
                let known = keys.entry(words).or_default();
                if !known.contains(&(place, path.clone())) {
                    known.push((place, path));
                }
            }
        }
        Names { words, by_stem, keys, forms: held }
    }

    /// What the name of a field says that it refers to.
    fn targets(&self, side: &Side<'_>) -> Vec<Target> {
        let mut targets = Vec::new();
        let path = side.path.as_str();
        let words = names::referred(path);
        if names::is_parent(&words) {
            targets.push(Target { hint: Hint::Named, to: side.place, path: "_id".to_owned() });
        }
        let stems = words.last().map(|word| names::stems(word)).unwrap_or_default();
        let things = stems.iter().filter_map(|stem| self.by_stem.get(stem)).flatten();
        let length = |to: usize| self.words.get(to).map_or(0, Vec::len);
        let mut named: Vec<usize> = things.copied().collect();
        named.retain(|to| self.words.get(*to).is_some_and(|thing| names::names_thing(&words, thing)));
        // `order_id` is of `orders` and not of `purchase_orders`, where there are both.
        if named.iter().any(|to| length(*to) == words.len()) {
            named.retain(|to| length(*to) == words.len());
        }
        targets.extend(named.into_iter().map(|to| Target { hint: Hint::Named, to, path: "_id".to_owned() }));
        self.unique_keys(side, &mut targets);
        targets.retain(|target| self.may_agree(side, target));
        targets.sort();
        targets.dedup();
        targets
    }

    /// Whether the values of both may be forms of the same ids.
    fn may_agree(&self, side: &Side<'_>, target: &Target) -> bool {
        let held = self.forms.get(&(target.to, target.path.clone())).map(Vec::as_slice).unwrap_or_default();
        side.forms.iter().any(|class| held.contains(class))
    }

    /// `productSku` and `product.sku` name a key of `products`, `items.sku` has the name of one.
    fn unique_keys(&self, side: &Side<'_>, targets: &mut Vec<Target>) {
        let path = side.path.as_str();
        let leaf = names::words(side.path.leaf());
        let around = path.rsplit('.').nth(1).map(names::words).unwrap_or_default();
        for split in 0..leaf.len() {
            let (thing, key) = leaf.split_at(split);
            let thing = if thing.is_empty() { around.as_slice() } else { thing };
            for (to, key_path) in self.keys.get(key).into_iter().flatten().filter(|(to, _)| *to != side.place) {
                let words = self.words.get(*to).map(Vec::as_slice).unwrap_or_default();
                // `AlbumId` of `tracks` is that of `albums`.
                let is_own = split == 0 && 1 < key.len() && names::is_own_key(key_path, &words.join(" "));
                let named = names::names_thing(thing, words) || is_own;
                let same_name = split == 0 && side.ids | side.classes.contains(&Type::String);
                let same_name = same_name && !side.unique && !side.numbers && !names::is_generic(key_path);
                let hint = if named { Hint::Named } else { Hint::SameName };
                if named || same_name {
                    targets.push(Target { hint, to: *to, path: key_path.clone() });
                }
            }
        }
    }
}

/// Whether a unique index, or its name and values, make the path alone a key of its collection.
pub(super) fn is_key(collection: &Collection, path: &str) -> bool {
    collection.indexes().iter().any(|index| is_key_index(index, path)) || own_keys(collection).any(|key| key == path)
}

/// Fields that are named as the key of their collection and hold another value in each of its documents, as tables keep
/// them that were copied as they stood: `AlbumId` of `albums`.
fn own_keys(collection: &Collection) -> impl Iterator<Item = String> + '_ {
    let profile = collection.profile.as_deref();
    profile.into_iter().flat_map(move |profile| {
        let fields = profile.children(FieldId::ROOT).filter(|(_, field)| field.kind == FieldKind::Named);
        let is_key = move |field: &Field| {
            let values = field.distinct.as_deref();
            let is_unique = values.is_some_and(|values| values.is_exact() && values.estimate() == profile.documents);
            &*field.name != "_id"
                && MIN_COMPARED <= profile.documents
                && field.count == profile.documents
                && is_unique
                && names::is_own_key(&field.name, &collection.ns.collection)
                && !names::is_bare_key(&field.name)
        };
        fields.filter(move |(_, field)| is_key(field)).map(|(_, field)| field.name.to_string())
    })
}

/// Whether an index makes the path alone a key of its collection.
fn is_key_index(index: &Index, path: &str) -> bool {
    index.unique
        && index.is_plain()
        && !index.is_id()
        && index.origin == Origin::Present
        && index.partial_filter.is_none()
        && index.effective_collation().is_none()
        && matches!(index.key.as_slice(), [(one, _)] if one == path)
}

/// The kept `_id` hashes of all collections: one look-up of a value finds every collection that has it.
#[derive(Debug)]
pub(super) struct Keys {
    /// Hash and place of the collection, sorted.
    all: Vec<(u64, usize)>,
    /// Up to which hash each collection's `_id`s are all kept.
    kept_below: Vec<u64>,
}

impl Keys {
    pub(super) fn of(collections: &[Collection]) -> Keys {
        let mut keys = Keys { all: Vec::new(), kept_below: Vec::new() };
        for (place, collection) in collections.iter().enumerate() {
            let ids = distinct_of(collection, "_id");
            keys.kept_below.push(ids.map_or(0, Distinct::kept_below));
            keys.all.extend(ids.into_iter().flat_map(Distinct::smallest).map(|(hash, _)| (hash, place)));
        }
        keys.all.sort_unstable();
        keys
    }

    /// How many of the values each collection has.
    fn count(&self, values: &Distinct) -> Counted {
        let below = values.kept_below();
        let mut hashes: Vec<u64> = values.smallest().into_iter().map(|(hash, _)| hash).collect();
        hashes.retain(|hash| *hash <= below);
        let mut found = BTreeMap::new();
        for hash in &hashes {
            let first = self.all.partition_point(|(key, _)| key < hash);
            for (_, place) in self.all.iter().skip(first).take_while(|(key, _)| key == hash) {
                *found.entry(*place).or_default() += 1;
            }
        }
        Counted { hashes, below, found }
    }

    /// The number compared with a collection, and found there. Only the part of the hash space that both sides keep
    /// whole is compared.
    fn compare(&self, counted: &Counted, place: usize) -> (u64, u64) {
        let bound = counted.below.min(self.kept_below.get(place).copied().unwrap_or(0));
        let compared = counted.hashes.partition_point(|hash| *hash <= bound) as u64;
        (compared, counted.found.get(&place).copied().unwrap_or(0))
    }
}

/// The values of a field, looked up in all collections.
struct Counted {
    hashes: Vec<u64>,
    below: u64,
    found: BTreeMap<usize, u64>,
}

/// Whether at least half of the values that are no null are such that may refer.
fn holds_keys(field: &Field) -> bool {
    let keys = [Type::ObjectId, Type::BinData, Type::String].into_iter().map(|kind| field.count_of(kind)).sum::<u64>();
    let keys = keys + field.number_count();
    0 < keys && field.count <= keys * 2 + field.nulls()
}

fn holds_ids(field: &Field) -> bool {
    let text = field.shape_count(Shape::ObjectId) + field.shape_count(Shape::Uuid);
    let ids = field.count_of(Type::ObjectId) + field.count_of(Type::BinData) + text;
    0 < ids && field.count <= (ids + field.nulls()) * 2
}

fn holds_numbers(field: &Field) -> bool {
    let numbers = field.number_count() + field.shape_count(Shape::Number);
    0 < numbers && field.count <= (numbers + field.nulls()) * 2
}

fn distinct_of<'m>(collection: &'m Collection, path: &str) -> Option<&'m Distinct> {
    let profile = collection.profile.as_ref()?;
    let id = *profile.resolve(path).first()?;
    profile.field(id)?.distinct.as_deref()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(range: std::ops::Range<u64>, limit: u32) -> Distinct {
        let mut out = Distinct::new(limit);
        for id in range {
            out.add(xxhash_rust::xxh3::xxh3_64(&id.to_le_bytes()));
        }
        out
    }

    fn keys(of: &[Distinct]) -> Keys {
        let mut all: Vec<(u64, usize)> = Vec::new();
        for (place, ids) in of.iter().enumerate() {
            all.extend(ids.smallest().into_iter().map(|(hash, _)| (hash, place)));
        }
        all.sort_unstable();
        Keys { all, kept_below: of.iter().map(Distinct::kept_below).collect() }
    }

    #[test]
    fn values_are_compared_with_the_collection_that_holds_them() {
        let keys = keys(&[ids(0..100, 4096), ids(1_000..2_000, 4096)]);
        let compared = |values: &Distinct, place| keys.compare(&keys.count(values), place);
        assert_eq!(compared(&ids(1_100..1_150, 4096), 1), (50, 50));
        assert_eq!(compared(&ids(95..120, 4096), 0), (25, 5));
        assert_eq!(compared(&ids(95..120, 4096), 1), (25, 0));
    }

    #[test]
    fn sets_that_were_cut_are_compared_where_both_are_whole() {
        let keys = keys(&[ids(0..50_000, 256)]);
        let (compared, found) = keys.compare(&keys.count(&ids(0..40_000, 256)), 0);
        assert_eq!(compared, found);
        assert!((150..=256).contains(&compared), "{compared}");
    }
}
