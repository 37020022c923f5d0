//! Documents far larger than the rest, and the flags that mark them.

use std::collections::BTreeSet;

use super::{card_of, item_of, place_of};
use crate::catalogue::Namespace;
use crate::config::intent::{Card, Pattern};
use crate::facts::forms;
use crate::model::declared::is_named;
use crate::model::{Collection, Model};
use crate::profile::{CollectionProfile, FieldId, FieldKind, Histogram};
use crate::value::event::{Item, Type};
use crate::value::hash::hash_key;
use crate::value::path::{FieldPath, reach};

/// From where on something counts as far out.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Far {
    /// Share of the documents, from 0 to 1, that may be far out.
    pub share: f64,
    /// How many times the 99th percentile it must be; ten times the median it must be anyway.
    pub times: u64,
    /// Elements from which on an array is long.
    pub length: u64,
    /// Bytes from which on a document is large.
    pub bytes: u64,
}

impl Default for Far {
    fn default() -> Self {
        Far { share: 0.01, times: 3, length: 100, bytes: 65_536 }
    }
}

/// Few documents far out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outlier {
    /// The array that is long in them; without one the whole document is large.
    pub path: Option<FieldPath>,
    /// Documents or arrays that were counted.
    pub counted: u64,
    /// Of these, how many are far out.
    pub far: u64,
    /// The median length in elements, or size in bytes.
    pub median: u64,
    /// The 99th percentile.
    pub p99: u64,
    /// The largest.
    pub max: u64,
}

/// A field that says that a document has more than it holds.
#[derive(Debug, Clone)]
pub struct OverflowFlag {
    /// The flag.
    pub path: FieldPath,
    /// Whether a card declares the pattern.
    pub declared: bool,
    /// The array that overflows.
    pub array: FieldPath,
    /// Elements at most in the document itself, where that is known.
    pub limit: Option<u64>,
    /// The collection of what did not fit.
    pub overflow: Option<Namespace>,
    /// Whether the overflow of every document is known.
    pub overflow_known: bool,
    /// Documents that were looked at.
    pub documents: u64,
    /// Documents with the flag.
    pub flagged: u64,
    /// Documents with the flag that are short and have no overflow.
    pub flagged_for_nothing: u64,
    /// Documents without the flag that are over the limit or have overflow.
    pub not_flagged: u64,
}

impl Collection {
    /// The arrays, or the documents, of which few are far out; at most one whole document's size where no array tells.
    pub fn outliers(&self, far: &Far) -> Vec<Outlier> {
        let Some(profile) = &self.profile else { return Vec::new() };
        let arrays = self.arrays().iter().filter(|array| !array.nested && array.is_list());
        let mut found: Vec<Outlier> = arrays
            .filter_map(|array| far_out(&array.stats.lengths, Some(array.path.clone()), far.length, far))
            .collect();
        if found.is_empty() {
            found.extend(far_out(&profile.sizes, None, far.bytes, far));
        }
        found
    }
}

fn far_out(values: &Histogram, path: Option<FieldPath>, least: u64, far: &Far) -> Option<Outlier> {
    let (median, p99) = (values.median(), values.p99());
    let edge = least.max(median.saturating_mul(10)).max(p99.saturating_mul(far.times));
    let beyond = values.at_least(edge);
    let few = 0 < beyond && beyond as f64 <= far.share * values.count() as f64;
    (few && 0 < median).then(|| Outlier { path, counted: values.count(), far: beyond, median, p99, max: values.max() })
}

/// One sampled document with a flag or without.
struct Row {
    flagged: bool,
    length: u64,
    overflows: Option<bool>,
}

pub(super) fn flags(
    model: &Model,
    collection: &Collection,
    profile: &CollectionProfile,
    cards: &[&Card],
) -> Vec<OverflowFlag> {
    let mut found = Vec::new();
    for at in collection.fields() {
        let field = at.field;
        let booleans = field.count_of(Type::Bool);
        let plain = field.kind == FieldKind::Named && 0 < booleans && booleans + field.nulls() == field.count;
        if !plain || profile.in_array(at.id) {
            continue;
        }
        let declared = cards.iter().copied().find(|card| {
            card.pattern == Pattern::Outlier && card.flag.as_deref().is_some_and(|flag| flag == at.path.as_str())
        });
        if declared.is_none() && !forms::is_overflow(at.leaf()) {
            continue;
        }
        let Some(array) = array_of(collection, cards, declared, field.parent) else { continue };
        found.extend(measure(model, collection, &at.path, &array, cards));
    }
    found
}

/// The array that a flag speaks of: the card's, else the only list beside it, else the only one that has a bound.
fn array_of(collection: &Collection, cards: &[&Card], declared: Option<&Card>, parent: FieldId) -> Option<FieldPath> {
    let lists: Vec<_> = collection.arrays().iter().filter(|array| !array.nested && array.is_list()).collect();
    let card = declared.or_else(|| cards.iter().copied().find(|card| card.pattern == Pattern::Outlier));
    if let Some(path) = card.and_then(|card| card.path.as_deref()) {
        return lists.iter().find(|array| array.path.as_str() == path).map(|array| array.path.clone());
    }
    let profile = collection.profile.as_ref()?;
    let beside = |id: FieldId| profile.field(id).is_some_and(|field| field.parent == parent);
    let mut near = lists.iter().filter(|array| beside(array.id) && 2 <= array.stats.lengths.max());
    match (near.next(), near.next()) {
        (Some(one), None) => Some(one.path.clone()),
        _ => None,
    }
}

fn measure(
    model: &Model,
    collection: &Collection,
    flag: &FieldPath,
    array: &FieldPath,
    cards: &[&Card],
) -> Option<OverflowFlag> {
    let card = card_of(cards, Pattern::Outlier, array.as_str());
    let overflow = overflow_of(model, collection, array, card);
    let known = overflow.as_ref().is_some_and(|(ns, _)| {
        model.collection(ns).is_some_and(|other| other.complete && other.sampled() == other.documents())
    });
    let mut rows = Vec::new();
    collection.each_sampled(|document| {
        let flagged = matches!(item_of(document, flag.as_str()), Some(Item::Bool(true)));
        let place = place_of(document, array.as_str());
        let Some(Item::Array { len, .. }) = place.and_then(|at| document.entries.get(at)).map(|entry| entry.item)
        else {
            return;
        };
        let overflows = overflow.as_ref().and_then(|(_, keys)| {
            let found = document.get("_id").is_some_and(|id| keys.contains(&hash_key(&id)));
            (found || known).then_some(found)
        });
        rows.push(Row { flagged, length: u64::from(len), overflows });
    });
    let limit = limit(collection, array, card, &rows);
    if limit.is_none() && overflow.is_none() {
        return None;
    }
    let judged = |row: &&Row| match (row.overflows, limit, row.flagged) {
        (Some(overflows), _, flagged) => overflows != flagged,
        (None, Some(limit), true) => row.length < limit,
        (None, Some(limit), false) => limit < row.length,
        _ => false,
    };
    let wrong: Vec<&Row> = rows.iter().filter(judged).collect();
    Some(OverflowFlag {
        path: flag.clone(),
        declared: card.is_some(),
        array: array.clone(),
        limit,
        overflow: overflow.map(|(ns, _)| ns),
        overflow_known: known,
        documents: rows.len() as u64,
        flagged: rows.iter().filter(|row| row.flagged).count() as u64,
        flagged_for_nothing: wrong.iter().filter(|row| row.flagged).count() as u64,
        not_flagged: wrong.iter().filter(|row| !row.flagged).count() as u64,
    })
}

/// The collection of what did not fit, and the keys of the documents that have something there.
fn overflow_of(
    model: &Model,
    collection: &Collection,
    array: &FieldPath,
    card: Option<&Card>,
) -> Option<(Namespace, BTreeSet<u64>)> {
    let declared = card.and_then(|card| card.overflow.as_deref());
    let reference = model.references.iter().find(|reference| {
        let own = reference.to == collection.ns && reference.target.as_str() == "_id" && !reference.many;
        let Some(other) = model.collection(&reference.from).filter(|_| own && reference.from != collection.ns) else {
            return false;
        };
        let has_array = other.arrays().iter().any(|own| own.path.leaf() == array.leaf());
        match declared {
            Some(name) => is_named(&reference.from, name),
            None => has_array || forms::is_overflow(&reference.from.collection),
        }
    })?;
    let other = model.collection(&reference.from)?;
    let mut keys = BTreeSet::new();
    other.each_sampled(|document| {
        let places = reach(document, reference.path.as_str()).into_iter();
        keys.extend(places.filter_map(|at| document.entries.get(at)).map(|entry| hash_key(&entry.item)));
    });
    Some((reference.from.clone(), keys))
}

/// How many elements a document holds itself: declared, held by a validator, or the length at which most flagged ones
/// stop and none of the others passes by much.
fn limit(collection: &Collection, array: &FieldPath, card: Option<&Card>, rows: &[Row]) -> Option<u64> {
    let validator = || collection.validator().and_then(|validator| validator.array_bound(array.as_str()));
    if let Some(limit) = card.and_then(|card| card.limit).or_else(validator) {
        return Some(limit);
    }
    let mut lengths = Histogram::default();
    let mut others = Histogram::default();
    for row in rows {
        if row.flagged { lengths.add(row.length) } else { others.add(row.length) }
    }
    let (mode, times) = lengths.mode();
    let stops = 5 <= mode && lengths.count() <= times * 2 && 5 <= lengths.count();
    let apart = others.median().saturating_mul(2) <= mode;
    (stops && apart).then_some(mode)
}
