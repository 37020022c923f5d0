//! Rules on shard keys, present and wanted.

pub(super) mod frequent_value;
pub(super) mod hashed_range;
pub(super) mod join_across;
pub(super) mod large_unsharded;
pub(super) mod low_cardinality;
pub(super) mod missing_key_values;
pub(super) mod monotonic;
pub(super) mod mutable_key;
pub(super) mod premature;
pub(super) mod scatter_gather;
pub(super) mod unique_conflict;

use super::{Draft, Place};
use crate::catalogue::{CollectionKind, Origin, ShardKey};
use crate::model::relation::Load;
use crate::model::{Collection, Model};

/// The shard keys that rules judge, with their collections. A time series has rules of its own for what it may be
/// sharded by.
fn keys(model: &Model) -> impl Iterator<Item = (&Collection, &ShardKey)> {
    let plain = |collection: &&Collection| {
        let kind = collection.options().map(|options| options.kind).unwrap_or_default();
        kind == CollectionKind::Collection && !collection.ns.is_internal()
    };
    model.collections.iter().filter(plain).flat_map(|c| model.shard_keys(c).map(move |key| (c, key)))
}

/// The place of a finding about a key as a whole.
fn place(collection: &Collection, key: &ShardKey) -> Place {
    located(Place::collection(&collection.ns), key)
}

/// Adds where the key is written.
fn located(place: Place, key: &ShardKey) -> Place {
    match &key.location {
        Some(location) => place.at(location.clone()),
        None => place,
    }
}

/// Names the key, and how to come to another one: before the collection is sharded by it, or after.
fn name_key<'d>(draft: &'d mut Draft, key: &ShardKey) -> &'d mut Draft {
    let draft = draft.text("key", key.script());
    if key.origin == Origin::Present { draft.help("present") } else { draft }
}

/// How many operations a load stands for: declared runs a day, else runs that were seen, else places in the source.
fn weight(load: Load, whole: Load) -> u64 {
    if 0.0 < whole.per_day {
        load.per_day.round() as u64
    } else if 0 < whole.runs {
        load.runs
    } else {
        load.operations
    }
}
