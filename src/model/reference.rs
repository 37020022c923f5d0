//! References between collections, as the hashes of their values show them: a field whose ids are the `_id`s of
//! another collection.

use std::collections::BTreeMap;

use super::Collection;
use crate::catalogue::Namespace;
use crate::profile::{Distinct, FieldId, FieldKind, Shape};
use crate::value::event::Type;
use crate::value::path::FieldPath;

/// A field that holds the `_id`s of a collection.
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
    /// Distinct values that were compared.
    pub compared: u64,
    /// Of these, how many are an `_id` there.
    pub found: u64,
    /// Whether one parent document may hold many.
    pub many: bool,
}

/// Distinct values below this show nothing.
const MIN_COMPARED: u64 = 5;
/// Share of values that must be found, in percent.
const MIN_FOUND: u64 = 80;

/// The references among collections. Only ids that cannot agree by accident count: ObjectIds, UUIDs and their text.
pub(super) fn find(collections: &[Collection]) -> Vec<Reference> {
    let keys = Keys::of(collections);
    let mut out = Vec::new();
    for from in collections {
        let Some(profile) = &from.profile else { continue };
        for (id, field) in profile.fields() {
            if matches!(field.kind, FieldKind::Root) || !holds_ids(field) {
                continue;
            }
            let path = profile.path(id);
            let Some(values) = field.distinct.as_deref().filter(|_| path.as_str() != "_id") else { continue };
            let Some((to, compared, found)) = keys.best(values) else { continue };
            let Some(to) = collections.get(to) else { continue };
            out.push(Reference {
                from: from.ns.clone(),
                field: id,
                path,
                to: to.ns.clone(),
                compared,
                found,
                many: profile.in_array(id) || field.kind == FieldKind::Element,
            });
        }
    }
    out
}

/// The kept `_id` hashes of all collections: one look-up of a value finds every collection that has it.
struct Keys {
    /// Hash and place of the collection, sorted.
    all: Vec<(u64, usize)>,
    /// Up to which hash each collection's `_id`s are all kept.
    kept_below: Vec<u64>,
}

impl Keys {
    fn of(collections: &[Collection]) -> Keys {
        let mut keys = Keys { all: Vec::new(), kept_below: Vec::new() };
        for (place, collection) in collections.iter().enumerate() {
            let ids = keys_of(collection);
            keys.kept_below.push(ids.map_or(0, Distinct::kept_below));
            keys.all.extend(ids.into_iter().flat_map(Distinct::smallest).map(|(hash, _)| (hash, place)));
        }
        keys.all.sort_unstable();
        keys
    }

    /// The collection that has most of the values, with the number compared and found; none where too few are.
    /// Only the part of the hash space that both sides keep whole is compared.
    fn best(&self, values: &Distinct) -> Option<(usize, u64, u64)> {
        let below = values.kept_below();
        let hashes: Vec<u64> = values.smallest().into_iter().map(|(hash, _)| hash).collect();
        let mut found: BTreeMap<usize, u64> = BTreeMap::new();
        for hash in hashes.iter().take_while(|hash| **hash <= below) {
            let first = self.all.partition_point(|(key, _)| key < hash);
            for (_, place) in self.all.iter().skip(first).take_while(|(key, _)| key == hash) {
                *found.entry(*place).or_default() += 1;
            }
        }
        let mut best: Option<(usize, u64, u64)> = None;
        for (place, found) in found {
            let bound = below.min(self.kept_below.get(place).copied().unwrap_or(0));
            let compared = hashes.partition_point(|hash| *hash <= bound) as u64;
            let better = best.is_none_or(|(_, _, most)| most < found);
            if MIN_COMPARED <= compared && compared * MIN_FOUND <= found * 100 && better {
                best = Some((place, compared, found));
            }
        }
        best
    }
}

fn holds_ids(field: &crate::profile::Field) -> bool {
    let text = field.shape_count(Shape::ObjectId) + field.shape_count(Shape::Uuid);
    let ids = field.count_of(Type::ObjectId) + field.count_of(Type::BinData) + text;
    0 < ids && field.count <= (ids + field.nulls()) * 2
}

fn keys_of(collection: &Collection) -> Option<&Distinct> {
    let profile = collection.profile.as_ref()?;
    let id = *profile.resolve("_id").first()?;
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
    fn the_collection_that_holds_the_values_is_found() {
        let keys = keys(&[ids(0..100, 4096), ids(1_000..2_000, 4096)]);
        assert_eq!(keys.best(&ids(1_100..1_150, 4096)), Some((1, 50, 50)));
        assert_eq!(keys.best(&ids(95..120, 4096)), None, "a fifth of the values is no reference");
        assert_eq!(keys.best(&ids(0..4, 4096)), None, "four values show nothing");
    }

    #[test]
    fn sets_that_were_cut_are_compared_where_both_are_whole() {
        let keys = keys(&[ids(0..50_000, 256)]);
        let (place, compared, found) = keys.best(&ids(0..40_000, 256)).expect("all values are ids there");
        assert_eq!((place, compared), (0, found));
        assert!((150..=256).contains(&compared), "{compared}");
    }
}
