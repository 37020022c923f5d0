//! Rules on time series collections. `timeseries/candidate` is found with the buckets, in `pattern`.

pub(super) mod granularity;
pub(super) mod meta_cardinality;
pub(super) mod per_document_updates;
pub(super) mod time_as_shard_key;

use crate::catalogue::{CollectionKind, TimeSeries};
use crate::model::{Collection, FieldRef, Model};
use crate::profile::{Field, FieldKind};

/// A value stands for a series where it comes so often, on average.
const SERIES: u64 = 20;
/// Percent of the documents from which on each of them has a value of its own.
const OWN: u64 = 90;

/// The time series collections with their options.
fn series(model: &Model) -> impl Iterator<Item = (&Collection, &TimeSeries)> {
    model.collections.iter().filter_map(|collection| {
        let options = collection.options().filter(|options| options.kind == CollectionKind::TimeSeries)?;
        Some((collection, options.timeseries.as_ref()?))
    })
}

/// The fields of the meta field that hold no others: itself where it is a scalar.
fn labels<'m>(collection: &'m Collection, meta: &str) -> Vec<FieldRef<'m>> {
    let is_below = |path: &str| path == meta || path.strip_prefix(meta).is_some_and(|rest| rest.starts_with('.'));
    let holds_others = |at: &FieldRef<'_>| !collection.named_children(at.id).is_empty();
    let named = |at: &FieldRef<'_>| at.field.kind == FieldKind::Named;
    collection.fields().filter(|at| named(at) && is_below(at.path.as_str()) && !holds_others(at)).collect()
}

/// Whether the values of a label come again and again.
fn repeats(field: &Field) -> bool {
    0 < field.distinct_count() && field.distinct_count().saturating_mul(SERIES) <= field.count
}

/// Whether nearly each document has a value of its own.
fn is_own(field: &Field) -> bool {
    field.count.saturating_mul(OWN) <= field.distinct_count().saturating_mul(100)
}
