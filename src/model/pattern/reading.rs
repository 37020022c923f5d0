//! Collections of which each document is a single reading: a time, a device, a few measures.

use super::{Bucket, family};
use crate::facts::names::Money;
use crate::facts::{forms, names};
use crate::model::Collection;
use crate::profile::{CollectionProfile, Field, FieldId, FieldKind, Shape};
use crate::value::event::Type;
use crate::value::path::FieldPath;
use crate::value::time::DAY;

/// What makes each document of a collection a single reading.
#[derive(Debug, Clone)]
pub struct Readings {
    /// When it was read.
    pub time: FieldPath,
    /// What was read, one field or several.
    pub devices: Vec<FieldPath>,
    /// The measures.
    pub measures: Vec<FieldPath>,
    /// How many different devices there are, by the field with the most.
    pub series: u64,
    /// Readings of all devices a day, on average over the time that they span; 0 where that is not known.
    pub per_day: u64,
    /// Mean size of a document in bytes.
    pub bytes: u64,
}

/// Percent of the documents that have what all should have.
const NEARLY_ALL: u64 = 95;
/// Readings of one device, on average, from which on it is a series.
const SERIES: u64 = 20;
/// Measures have at least so many different values.
const VARIED: u64 = 20;
/// More fields make it a record of something else.
const MOST_FIELDS: usize = 16;

pub(super) fn find(collection: &Collection, profile: &CollectionProfile, buckets: &[Bucket]) -> Option<Readings> {
    let documents = profile.documents;
    if !buckets.is_empty() || collection.arrays().iter().any(|array| !array.numeric || 3 < array.stats.lengths.max()) {
        return None;
    }
    let mut leaves: Vec<(FieldPath, &Field)> = Vec::new();
    let mut open = vec![FieldId::ROOT];
    while let Some(id) = open.pop() {
        for (child, field) in profile.children(id) {
            let is_object = 0 < field.count_of(Type::Object);
            if field.kind == FieldKind::Folded || (is_object && profile.path(child).as_str().matches('.').count() > 1) {
                return None;
            }
            if is_object {
                open.push(child);
            } else if field.kind == FieldKind::Named && profile.path(child).as_str() != "_id" {
                leaves.push((profile.path(child), field));
            }
        }
    }
    leaves.retain(|(path, _)| !path.as_str().ends_with("__v") && !path.as_str().starts_with('_'));
    leaves.sort_by(|a, b| a.0.cmp(&b.0));
    if MOST_FIELDS < leaves.len() {
        return None;
    }
    // Money and opinions are what people did, one by one.
    let precious = names::is_precious(&collection.ns.collection);
    let is_paid = |name: &str| names::money(name) >= if precious { Money::Maybe } else { Money::Yes };
    if leaves.iter().any(|(path, _)| is_paid(path.leaf()) || forms::is_opinion(path.leaf())) {
        return None;
    }
    let everywhere = |field: &Field| documents * NEARLY_ALL <= field.documents * 100;
    let times = leaves.iter().filter(|(_, field)| {
        let text = field.shape_count(Shape::DateTime);
        everywhere(field) && documents * NEARLY_ALL <= (field.count_of(Type::Date) + text) * 100
    });
    // A reading happens once: a second time makes it a process.
    let [(time, clock)] = times.collect::<Vec<_>>().try_into().ok()?;
    let mut out = Readings {
        time: time.clone(),
        devices: Vec::new(),
        measures: Vec::new(),
        series: 0,
        per_day: 0,
        bytes: profile.sizes.mean(),
    };
    for (path, field) in leaves.iter().filter(|(path, _)| path != time) {
        let distinct = field.distinct_count();
        let repeats = distinct.saturating_mul(SERIES) <= field.count;
        let mut kinds: Vec<Type> = field.types_found().into_iter().filter_map(|(kind, _)| family(kind)).collect();
        kinds.dedup();
        let is_code = names::is_code(path.leaf());
        match kinds.as_slice() {
            [Type::Double] if is_measure(path, field, distinct) => out.measures.push(path.clone()),
            [Type::Double] if is_code && !repeats => return None,
            [Type::Double] if is_code && everywhere(field) => out.devices.push(path.clone()),
            [Type::String | Type::ObjectId | Type::BinData] if repeats && everywhere(field) => {
                out.devices.push(path.clone());
            }
            [Type::Double | Type::Bool] | [] => {}
            // Texts of every document's own, and whatever else, belong to records.
            [Type::String] if repeats => {}
            _ => return None,
        }
        if out.devices.last() == Some(path) {
            out.series = out.series.max(distinct);
        }
    }
    if out.devices.is_empty() || out.measures.is_empty() {
        return None;
    }
    if let (Some(first), Some(last)) = (clock.dates.min, clock.dates.max) {
        let days = last.saturating_sub(first).max(DAY) as u64;
        out.per_day = (u128::from(collection.stored()) * DAY as u128 / u128::from(days)) as u64;
    }
    Some(out)
}

/// Whether a number is measured: it varies and is no code.
fn is_measure(path: &FieldPath, field: &Field, distinct: u64) -> bool {
    let name = path.leaf();
    let exact = field.count_of(Type::Decimal) == field.count;
    VARIED <= distinct && !exact && !names::is_code(name)
}
