//! The arrays of a collection: what they hold, how long they are, whether they grow.

use super::Collection;
use crate::order::Ordered;
use crate::profile::{ArrayStats, CollectionProfile, FieldId, Growth};
use crate::value::event::{Document, Item, Type};
use crate::value::path::FieldPath;
use crate::value::time::DAY;
use crate::value::time::object_id_time;

/// The arrays of one path.
#[derive(Debug, Clone)]
pub struct Array {
    /// The array field in the profile.
    pub id: FieldId,
    /// Its elements in the profile; absent where every array is empty.
    pub element: Option<FieldId>,
    /// Its path in dot notation.
    pub path: FieldPath,
    /// Lengths and sizes.
    pub stats: ArrayStats,
    /// Whether the array lies inside another one.
    pub nested: bool,
    /// Whether it holds nothing but numbers, at any depth: a vector, a matrix, coordinates.
    pub numeric: bool,
    /// How its length depends on the age of the document, by the time in `_id` or the oldest time at the top of the
    /// document; absent without times.
    pub growth: Option<Growth>,
    /// What the times inside its elements tell.
    pub element_times: Option<ElementTimes>,
}

/// What the times inside the elements of an array tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ElementTimes {
    /// Sampled arrays with at least two times.
    pub arrays: u64,
    /// Of these, how many have elements from at least three different 30-day periods.
    pub spread: u64,
    /// Of these, how many have their times in ascending or descending order.
    pub ordered: u64,
    /// Of these, how many reach well beyond the newest document: they are planned and do not grow.
    pub ahead: u64,
    /// Median of elements per 30 days, in thousandths.
    pub per_month: u64,
}

impl Array {
    /// Whether the elements hold objects, ids or strings: a list of things, no vector and no coordinates.
    pub fn is_list(&self) -> bool {
        !self.numeric
    }

    /// Whether lengths pile up at the longest: something holds the array to it.
    pub fn is_capped(&self) -> bool {
        let lengths = &self.stats.lengths;
        let filled = lengths.at_least(1);
        let at_most = lengths.filled().last().map_or(0, |(_, times)| times);
        MIN_AT_CAP <= at_most && filled <= at_most * MAX_ARRAYS_A_CAP
    }

    /// Whether the length grows with age, or the elements carry times that show steady growth.
    pub fn grows(&self) -> bool {
        self.growth.is_some_and(|g| g.is_steady()) || self.element_times.is_some_and(|t| t.is_steady())
    }

    /// Elements per 30 days, in thousandths: by the age of documents, else by the times of the elements; 0 when
    /// nothing shows growth.
    pub fn per_month(&self) -> u64 {
        match (self.growth, self.element_times) {
            (Some(growth), _) if growth.is_steady() => growth.per_month.unsigned_abs(),
            (_, Some(times)) if times.is_steady() => times.per_month,
            _ => 0,
        }
    }
}

impl ElementTimes {
    /// Whether most arrays gained elements in several months, in order.
    pub fn is_steady(&self) -> bool {
        20 <= self.arrays
            && self.arrays <= self.spread * 2
            && self.arrays * 8 <= self.ordered * 10
            && self.ahead * 2 <= self.arrays
            && 0 < self.per_month
    }
}

/// What one sampled document tells about one array.
#[derive(Debug, Default)]
struct Seen {
    points: Vec<(i64, u64)>,
    times: Vec<Vec<i64>>,
}

/// Lengths below this say nothing about growth that matters; it saves the quadratic work for tags and the like.
const MIN_LENGTH: u64 = 10;

/// So many arrays of the longest length, and one in so many of all, are no chance.
const MIN_AT_CAP: u64 = 10;
const MAX_ARRAYS_A_CAP: u64 = 10;

/// Times that lie further than this behind the newest document are planned: instalments, appointments.
const PLANNED: i64 = 90 * DAY;

pub(super) fn measure(collection: &Collection) -> Vec<Array> {
    let Some(profile) = &collection.profile else { return Vec::new() };
    let mut arrays: Vec<Array> = Vec::new();
    for (id, field) in profile.fields() {
        let Some(stats) = field.arrays.as_deref() else { continue };
        arrays.push(Array {
            id,
            element: profile.elements(id).map(|(id, _)| id),
            path: profile.path(id),
            stats: stats.clone(),
            nested: profile.in_array(id),
            numeric: stats.is_numeric() || holds_numbers(profile, id),
            growth: None,
            element_times: None,
        });
    }
    let watched: Vec<usize> = arrays
        .iter()
        .enumerate()
        .filter(|(_, a)| MIN_LENGTH <= a.stats.lengths.max() && !a.nested)
        .map(|(at, _)| at)
        .collect();
    if watched.is_empty() {
        return arrays;
    }
    let mut seen: Vec<Seen> = watched.iter().map(|_| Seen::default()).collect();
    collection.each_sampled(|document| {
        let created = creation_time(document);
        for (slot, at) in seen.iter_mut().zip(&watched) {
            let Some(array) = arrays.get(*at) else { continue };
            let Some((place, len)) = find(document, &array.path) else { continue };
            if let Some(created) = created {
                slot.points.push((created, len));
            }
            let times = element_times(document, place, created);
            if 2 <= times.len() {
                slot.times.push(times);
            }
        }
    });
    for (slot, at) in seen.into_iter().zip(watched) {
        if let Some(array) = arrays.get_mut(at) {
            array.growth = Growth::measure(&slot.points);
            let newest = slot.points.iter().map(|point| point.0).max();
            array.element_times = summarise(&slot.times, newest);
        }
    }
    arrays
}

/// When a document was made, in milliseconds: the time of its ObjectId `_id`, else its earliest top-level date.
pub(crate) fn creation_time(document: &Document<'_>) -> Option<i64> {
    if let Some(Item::ObjectId(id)) = document.get("_id") {
        return Some(object_id_time(id));
    }
    document.children(0).filter_map(|(_, e)| if let Item::Date(at) = e.item { Some(at) } else { None }).min()
}

/// The array at a dotted path that passes no other array, and its true length.
fn find(document: &Document<'_>, path: &FieldPath) -> Option<(usize, u64)> {
    let mut at = 0;
    for name in path.as_str().split('.') {
        at = document.children(at).find(|(_, e)| e.key == name)?.0;
    }
    match document.entries.get(at)?.item {
        Item::Array { len, .. } => Some((at, u64::from(len))),
        _ => None,
    }
}

/// Whether the elements of an array are numbers, or arrays that hold nothing else.
fn holds_numbers(profile: &CollectionProfile, array: FieldId) -> bool {
    let mut at = array;
    while let Some((id, element)) = profile.elements(at) {
        let numbers = |kind: Type| kind.is_number() || matches!(kind, Type::Array | Type::Null);
        if !element.types_found().into_iter().all(|(kind, _)| numbers(kind)) {
            return false;
        }
        if element.count_of(Type::Array) == 0 {
            return 0 < element.number_count();
        }
        at = id;
    }
    false
}

/// The time of each element: a date or ObjectId itself, else the earliest date of its fields, else the time of its
/// `_id`. A later date of an element may be an expiry; the earliest is when it came. An id that is older than the
/// document tells when its target was made, not when it came here.
fn element_times(document: &Document<'_>, array: usize, created: Option<i64>) -> Vec<i64> {
    let mut times = Vec::new();
    let came_later = |time: &i64| created.is_none_or(|created| created <= *time);
    for (at, element) in document.children(array) {
        match element.item {
            Item::Date(time) => times.push(time),
            Item::ObjectId(id) => times.extend(Some(object_id_time(id)).filter(came_later)),
            Item::Object { .. } => {
                let dates = document.children(at).filter_map(|(_, e)| match e.item {
                    Item::Date(time) => Some(time),
                    _ => None,
                });
                let id = document.children(at).find_map(|(_, e)| match e.item {
                    Item::ObjectId(id) if e.key == "_id" => Some(object_id_time(id)),
                    _ => None,
                });
                times.extend(dates.min().or(id.filter(came_later)));
            }
            _ => {}
        }
    }
    times
}

const MONTH: i64 = 30 * DAY;

fn summarise(arrays: &[Vec<i64>], newest: Option<i64>) -> Option<ElementTimes> {
    let mut out = ElementTimes { arrays: 0, spread: 0, ordered: 0, ahead: 0, per_month: 0 };
    let mut rates = Vec::new();
    for times in arrays {
        out.arrays += 1;
        let mut periods: Vec<i64> = times.iter().map(|t| t.div_euclid(MONTH)).collect();
        periods.order();
        periods.dedup();
        out.spread += u64::from(3 <= periods.len());
        let ascending = times.windows(2).all(|w| matches!(w, [a, b] if a <= b));
        let descending = times.windows(2).all(|w| matches!(w, [a, b] if b <= a));
        out.ordered += u64::from(ascending || descending);
        if let (Some(first), Some(last)) = (times.iter().min(), times.iter().max()) {
            out.ahead += u64::from(newest.is_some_and(|newest| newest.saturating_add(PLANNED) < *last));
            let span = i128::from(*last) - i128::from(*first);
            if 0 < span {
                rates.push((times.len() as i128 * 1000 * i128::from(MONTH) / span.max(i128::from(MONTH))) as u64);
            }
        }
    }
    rates.order();
    out.per_month = rates.get(rates.len() / 2).copied().unwrap_or(0);
    (0 < out.arrays).then_some(out)
}
