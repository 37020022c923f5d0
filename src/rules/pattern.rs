//! Design patterns in use, misused or missing. One module a rule, or a family of ids; what is which pattern, the model
//! tells (`model::pattern`).

pub(super) mod approximation_candidate;
pub(super) mod attribute_candidate;
pub(super) mod attribute_duplicate_key;
pub(super) mod attribute_mixed_values;
pub(super) mod attribute_overuse;
pub(super) mod bucket_candidate;
pub(super) mod bucket_count_drift;
pub(super) mod bucket_duplicate;
pub(super) mod bucket_late_event;
pub(super) mod bucket_overflow;
pub(super) mod bucket_unguarded;
pub(super) mod computed_candidate;
pub(super) mod computed_drift;
pub(super) mod embedded_revisions;
pub(super) mod extended_reference_candidate;
pub(super) mod outlier_candidate;
pub(super) mod outlier_flag_drift;
pub(super) mod overlapping;
pub(super) mod polymorphic_index_waste;
pub(super) mod polymorphic_no_discriminator;
pub(super) mod polymorphic_unknown_type;
pub(super) mod preallocated;
pub(super) mod revision_drift;
pub(super) mod schema_version_missing;
pub(super) mod schema_version_mixed;
pub(super) mod subset_candidate;
pub(super) mod subset_stale;
pub(super) mod tree_unindexed;
pub(super) mod undeclared_card;

use crate::catalogue::{Index, Namespace};
use crate::config::intent::Pattern;
use crate::facts::names;
use crate::model::pattern::attribute::Key;
use crate::model::pattern::{Attributes, Bucket, Forms};
use crate::model::{Collection, Model, declared};
use crate::value::path::FieldPath;
use crate::workload::Operation;

/// The collections with the patterns that their documents show.
fn forms(model: &Model) -> impl Iterator<Item = (&Collection, &Forms)> {
    model.collections.iter().filter_map(|collection| Some((collection, model.patterns().of(&collection.ns)?)))
}

/// The buckets of all collections.
fn buckets(model: &Model) -> impl Iterator<Item = (&Collection, &Bucket)> {
    forms(model).flat_map(|(collection, forms)| forms.buckets.iter().map(move |bucket| (collection, bucket)))
}

/// The attribute lists of all collections.
fn attributes(model: &Model) -> impl Iterator<Item = (&Collection, &Attributes)> {
    forms(model).flat_map(|(collection, forms)| forms.attributes.iter().map(move |list| (collection, list)))
}

/// The names of keys that may be told: what one in a hundred lists has names an attribute; anything rarer, or of a
/// person, may be a value.
fn told<'k>(list: &Attributes, keys: impl IntoIterator<Item = (&'k str, &'k Key)>) -> Vec<&'k str> {
    let usual = |key: &Key| list.lists <= key.lists.saturating_mul(100);
    let mut keys: Vec<(&str, &Key)> =
        keys.into_iter().filter(|(name, key)| usual(key) && !names::is_personal(name)).collect();
    keys.sort_by(|a, b| b.1.lists.cmp(&a.1.lists).then(a.0.cmp(b.0)));
    keys.into_iter().map(|(name, _)| name).collect()
}

/// Whether a unique index keeps two documents from agreeing in all of these fields.
fn is_kept_unique(collection: &Collection, paths: &[FieldPath]) -> bool {
    let within = |index: &Index| index.key.iter().all(|(path, _)| paths.iter().any(|own| own.as_str() == path));
    let holds = |index: &&Index| index.unique && index.partial_filter.is_none() && within(index);
    collection.indexes().iter().any(|index| holds(&index) && !index.key.is_empty())
}

/// The subject of the rules about a statement: where it starts.
fn statement(model: &Model, operation: &Operation) -> Option<String> {
    let location = model.locate(operation, None)?;
    Some(match location.start {
        Some(start) => format!("{}:{}:{}", location.file, start.line, start.column),
        None => location.file,
    })
}

/// Whether the team has a card of one of these patterns for a field, or for its whole collection.
fn is_declared(model: &Model, ns: &Namespace, path: &str, patterns: &[Pattern]) -> bool {
    model.intent.patterns.iter().any(|card| {
        patterns.contains(&card.pattern)
            && declared::is_named(ns, &card.collection)
            && card.path.as_deref().is_none_or(|own| own == path)
    })
}
