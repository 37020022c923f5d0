//! Indexes: wrong, wasted, missing. One module a rule, or a family of ids.

pub(super) mod field_unknown;
pub(super) mod low_selectivity;
pub(super) mod multikey_growth;
pub(super) mod option_conflict;
pub(super) mod parallel_arrays;
pub(super) mod partial_unsupported;
pub(super) mod redundant;
pub(super) mod second_text;
pub(super) mod sparse;
pub(super) mod too_many;
pub(super) mod too_many_keys;
pub(super) mod ttl_bad_option;
pub(super) mod ttl_candidate;
pub(super) mod ttl_compound;
pub(super) mod ttl_not_date;
pub(super) mod unique_duplicates;
pub(super) mod unique_null;
pub(super) mod unused;

use super::Place;
use crate::catalogue::Index;
use crate::model::{Collection, Model};

/// Where a finding about an index stands: at the index, and where it is defined.
fn place(collection: &Collection, index: &Index) -> Place {
    let place = Place::index(&collection.ns, &index.name);
    match &index.location {
        Some(location) => place.at(location.clone()),
        None => place,
    }
}

/// The bytes of an index on the host where it is largest.
fn size(collection: &Collection, index: &Index) -> Option<u64> {
    let sizes = collection.catalogue.statistics.iter().flat_map(|statistics| &statistics.index_sizes);
    sizes.filter(|(name, _)| *name == index.name).map(|(_, size)| *size).max()
}

/// Whether one of the indexes may be that of a shard key which is not known: it must stay, whatever it serves.
fn may_back_a_shard_key(collection: &Collection) -> bool {
    collection.catalogue.statistics.iter().any(|statistics| statistics.sharded == Some(true))
}

/// The unique indexes of all collections.
fn unique(model: &Model) -> impl Iterator<Item = (&Collection, &Index)> {
    model.collections.iter().flat_map(|collection| {
        collection.indexes().iter().filter(|index| index.unique).map(move |index| (collection, index))
    })
}
