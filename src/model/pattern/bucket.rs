//! Buckets: documents that each hold the events of one device in one window, or up to a number of them.

use std::collections::BTreeMap;

use super::{card_of, item_of, place_of, time_of, whole};
use crate::catalogue::Validator;
use crate::config::intent::{Card, Pattern};
use crate::facts::{forms, names};
use crate::model::{Array, Collection};
use crate::profile::{CollectionProfile, Field, FieldId, FieldKind, Shape};
use crate::value::event::{Document, Item, Type};
use crate::value::hash::hash_key;
use crate::value::path::FieldPath;
use crate::value::time::DAY;

/// An array that makes each document of its collection a bucket.
#[derive(Debug, Clone)]
pub struct Bucket {
    /// The array in the profile.
    pub id: FieldId,
    /// The path of the events.
    pub path: FieldPath,
    /// Whether a card declares it; else the documents show it.
    pub declared: bool,
    /// The time in an event; empty where events are times themselves.
    pub time: Option<String>,
    /// The field that says whose events they are.
    pub device: Option<FieldPath>,
    /// The time at which the window begins.
    pub start: Option<FieldPath>,
    /// The time at which the window ends, where that is stored.
    pub end: Option<FieldPath>,
    /// The length of a window, in milliseconds.
    pub window: Option<i64>,
    /// The number of a part, where a window may take several documents.
    pub part: Option<FieldPath>,
    /// The stored number of events.
    pub count: Option<FieldPath>,
    /// Every field that tells whose bucket it is, of what, and when.
    pub identity: Vec<FieldPath>,
    /// How many events a bucket takes.
    pub capacity: Option<Capacity>,
    /// What the sampled buckets show.
    pub seen: Seen,
}

/// How many events a bucket takes, and what tells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Capacity {
    /// Events at most.
    pub limit: u64,
    /// What tells it.
    pub origin: CapacityOrigin,
}

/// What tells the capacity of a bucket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CapacityOrigin {
    /// The card of the pattern.
    Card,
    /// A validator.
    Validator,
    /// Most buckets hold exactly so many, and hardly any more.
    Usual,
}

/// What the sampled buckets show.
#[derive(Debug, Clone, Default)]
pub struct Seen {
    /// Buckets that were read.
    pub buckets: u64,
    /// Buckets with a stored count that is a number.
    pub counted: u64,
    /// Of these, how many say another number than they hold.
    pub miscounted: u64,
    /// The largest difference between the two.
    pub most_off: u64,
    /// Buckets whose window is known.
    pub windowed: u64,
    /// Of these, how many hold an event outside of it.
    pub outside: u64,
    /// Events outside of their window.
    pub events_outside: u64,
    /// Buckets with two events or more that have times.
    pub ordered_or_not: u64,
    /// Of these, how many hold an event that is out of the order that most have.
    pub disordered: u64,
    /// Identities that two open buckets share.
    pub shared: u64,
    /// Buckets that have one of them.
    pub sharing: u64,
}

/// One sampled bucket.
#[derive(Debug, Default)]
struct Row {
    length: u64,
    /// Whether no event was cut from the sample.
    whole: bool,
    counts: Vec<Option<i64>>,
    starts: Vec<Option<i64>>,
    end: Option<i64>,
    times: Vec<i64>,
    identity: u64,
    device: Option<u64>,
}

/// Percent of the documents, or of the elements, that have what they all should have.
const NEARLY_ALL: u64 = 95;
/// Percent of the events that lie in their window.
const WITHIN: u64 = 90;
/// A window is no longer than this.
const LONGEST: i64 = 31 * DAY;
/// Percent of the buckets that are full where fullness is what ends a bucket.
const USUALLY_FULL: u64 = 50;
/// Percent of the buckets that may hold more than the usual number.
const HARDLY_ANY: u64 = 5;
/// Events below which no number is a capacity.
const LEAST_CAPACITY: u64 = 5;
const HOUR: i64 = DAY / 24;

impl Bucket {
    /// The array of the events in its collection.
    pub fn array<'m>(&self, collection: &'m Collection) -> Option<&'m Array> {
        collection.arrays().iter().find(|array| array.id == self.id)
    }

    /// Whether a bucket with so many events takes more.
    pub fn is_open(&self, length: u64) -> bool {
        self.capacity.is_none_or(|capacity| length < capacity.limit)
    }
}

pub(super) fn find(collection: &Collection, profile: &CollectionProfile, cards: &[&Card]) -> Vec<Bucket> {
    let mut found = Vec::new();
    for array in collection.arrays().iter().filter(|array| !array.nested && 0 < array.stats.lengths.max()) {
        let card = card_of(cards, Pattern::Bucket, array.path.as_str());
        let time = time_in(profile, array);
        // Without a card only events with times tell that they are events.
        if card.is_some() || (time.is_some() && !array.numeric && weighs_most(profile, array)) {
            found.extend(recognise(collection, profile, array, card, time));
        }
    }
    // One array makes the bucket: a declared one, else the heaviest.
    let best = found
        .into_iter()
        .max_by_key(|bucket: &Bucket| (bucket.declared, profile.field(bucket.id).map_or(0, |field| field.bytes)));
    best.into_iter().collect()
}

/// Whether at least half of the bytes of the documents are the array's.
fn weighs_most(profile: &CollectionProfile, array: &Array) -> bool {
    profile.sizes.sum() <= array.stats.sizes.sum().saturating_mul(2)
}

/// The name of the time in the elements; empty where elements are times.
fn time_in(profile: &CollectionProfile, array: &Array) -> Option<String> {
    let (id, element) = profile.elements(array.id)?;
    if is_time(element, element.count) {
        return Some(String::new());
    }
    let objects = element.count_of(Type::Object);
    let times = profile.children(id).filter(|(_, field)| field.kind == FieldKind::Named && is_time(field, objects));
    let best = times.min_by_key(|(_, field)| (!names::is_event_time(&field.name), field.name.to_string()));
    best.map(|(_, field)| field.name.to_string())
}

/// Whether nearly all of so many holders have a time in the field.
fn is_time(field: &Field, holders: u64) -> bool {
    let texts = field.shape_count(Shape::DateTime) + field.shape_count(Shape::Day);
    let times = field.count_of(Type::Date) + texts;
    0 < holders && holders * NEARLY_ALL <= times * 100
}

/// The scalar fields of the document and of the objects at its top, with their paths.
fn scalars(profile: &CollectionProfile) -> Vec<(FieldPath, &Field)> {
    let is_plain = |field: &Field| {
        field.kind == FieldKind::Named && field.count_of(Type::Object) + field.count_of(Type::Array) == 0
    };
    let mut out = Vec::new();
    for (id, field) in profile.children(FieldId::ROOT) {
        if is_plain(field) {
            out.push((profile.path(id), field));
        } else if field.count_of(Type::Array) == 0 && !field.names_are_data {
            let below = profile.children(id).filter(|(_, below)| is_plain(below));
            out.extend(below.map(|(id, below)| (profile.path(id), below)));
        }
    }
    out
}

fn recognise(
    collection: &Collection,
    profile: &CollectionProfile,
    array: &Array,
    card: Option<&Card>,
    time: Option<String>,
) -> Option<Bucket> {
    let documents = profile.documents;
    let scalars = scalars(profile);
    let everywhere = |field: &Field| documents * NEARLY_ALL <= field.documents * 100;
    let times: Vec<&(FieldPath, &Field)> =
        scalars.iter().filter(|(_, field)| is_time(field, documents) && field.documents <= documents).collect();
    let starts: Vec<FieldPath> = times
        .iter()
        .filter(|(path, field)| {
            let aligned = documents < field.dates.midnights * 2 && !forms::is_act(path.leaf());
            forms::is_window_start(path.leaf()) || aligned
        })
        .filter(|(path, _)| !forms::is_window_end(path.leaf()))
        .map(|(path, _)| path.clone())
        .collect();
    let end = times.iter().find(|(path, _)| forms::is_window_end(path.leaf())).map(|(path, _)| path.clone());
    let counts: Vec<FieldPath> = scalars
        .iter()
        .filter(|(path, field)| {
            everywhere(field) && field.number_count() == field.count && forms::is_count(path.leaf(), array.path.leaf())
        })
        .map(|(path, _)| path.clone())
        .collect();
    let is_name = |field: &Field| {
        [Type::String, Type::ObjectId, Type::BinData, Type::Int, Type::Long, Type::Bool]
            .into_iter()
            .map(|kind| field.count_of(kind))
            .sum::<u64>()
            == field.count
            && field.numbers.fractional == 0
    };
    let is_other = |path: &FieldPath| path.as_str() != "_id" && !counts.contains(path) && !starts.contains(path);
    let part = scalars
        .iter()
        .find(|(path, field)| is_other(path) && field.number_count() == field.count && forms::is_part(path.leaf()))
        .map(|(path, _)| path.clone());
    // Texts and ids say what a bucket is of, and so do whole numbers that repeat: a channel, a floor.
    let labels: Vec<&(FieldPath, &Field)> = scalars
        .iter()
        .filter(|(path, field)| {
            let is_text = field.number_count() == 0;
            let keyed = is_text || names::is_code(path.leaf()) || field.distinct_count() * 4 <= documents;
            let timed = is_time(field, documents);
            is_other(path) && part.as_ref() != Some(path) && is_name(field) && keyed && !timed
        })
        .collect();
    let device = labels
        .iter()
        .filter(|(_, field)| everywhere(field) && field.distinct_count() * 2 <= documents)
        .filter(|(path, field)| field.count_of(Type::Bool) + field.number_count() == 0 || names::is_code(path.leaf()))
        .max_by_key(|(path, field)| (field.distinct_count(), std::cmp::Reverse(path.clone())))
        .map(|(path, _)| path.clone());
    let mut identity: Vec<FieldPath> = labels.iter().map(|(path, _)| path.clone()).collect();
    identity.extend(part.clone());
    let mut bucket = Bucket {
        id: array.id,
        path: array.path.clone(),
        declared: card.is_some(),
        time,
        device,
        start: None,
        end,
        window: None,
        part,
        count: None,
        identity,
        capacity: None,
        seen: Seen::default(),
    };
    let rows = bucket.rows(collection, &counts, &starts);
    bucket.settle_window(&rows, &starts, card);
    bucket.settle_count(&rows, &counts);
    bucket.capacity = capacity(collection, array, card);
    if let Some(start) = &bucket.start {
        bucket.identity.push(start.clone());
    }
    // Without a window a number or an end says that a bucket is one.
    let ends = bucket.window.is_some() || bucket.count.is_some() || bucket.end.is_some();
    if card.is_none() && (bucket.device.is_none() || bucket.start.is_none() || !ends) {
        return None;
    }
    bucket.measure(&rows, &starts, &counts);
    Some(bucket)
}

/// How many events a bucket takes.
fn capacity(collection: &Collection, array: &Array, card: Option<&Card>) -> Option<Capacity> {
    if let Some(limit) = card.and_then(|card| card.limit) {
        return Some(Capacity { limit, origin: CapacityOrigin::Card });
    }
    // One that only warns tells it too.
    let fields = collection.validator().map(Validator::fields).unwrap_or_default();
    let bounds = fields.iter().filter(|field| field.path == array.path.as_str() && !field.conditional);
    if let Some(limit) = bounds.filter_map(|field| field.max_items).min() {
        return Some(Capacity { limit, origin: CapacityOrigin::Validator });
    }
    let lengths = &array.stats.lengths;
    let (limit, times) = lengths.mode();
    let filled = lengths.at_least(1);
    let over = lengths.at_least(limit.saturating_add(1));
    let usual = LEAST_CAPACITY <= limit
        && filled * USUALLY_FULL <= times.saturating_mul(100)
        && over.saturating_mul(100) <= filled * HARDLY_ANY;
    usual.then_some(Capacity { limit, origin: CapacityOrigin::Usual })
}

impl Bucket {
    fn rows(&self, collection: &Collection, counts: &[FieldPath], starts: &[FieldPath]) -> Vec<Row> {
        let mut rows = Vec::new();
        collection.each_sampled(|document| {
            let Some(place) = place_of(document, self.path.as_str()) else { return };
            let Some(Item::Array { len, .. }) = document.entries.get(place).map(|entry| entry.item) else { return };
            let time = |path: &FieldPath| item_of(document, path.as_str()).as_ref().and_then(time_of);
            let count = |path: &FieldPath| item_of(document, path.as_str()).as_ref().and_then(whole);
            let mut identity = Vec::new();
            for path in &self.identity {
                let item = item_of(document, path.as_str());
                identity.extend_from_slice(&item.as_ref().map_or(0, hash_key).to_le_bytes());
            }
            let present = document.children(place).count();
            rows.push(Row {
                length: u64::from(len),
                whole: present == len as usize,
                counts: counts.iter().map(count).collect(),
                starts: starts.iter().map(time).collect(),
                end: self.end.as_ref().and_then(time),
                times: self.times(document, place),
                identity: xxhash_rust::xxh3::xxh3_64(&identity),
                device: self.device.as_ref().and_then(|path| item_of(document, path.as_str())).map(|i| hash_key(&i)),
            });
        });
        rows
    }

    fn times(&self, document: &Document<'_>, place: usize) -> Vec<i64> {
        let Some(time) = &self.time else { return Vec::new() };
        let elements = document.children(place);
        elements
            .filter_map(|(at, element)| {
                if time.is_empty() {
                    return time_of(&element.item);
                }
                let (_, entry) = document.children(at).find(|(_, entry)| entry.key == *time)?;
                time_of(&entry.item)
            })
            .collect()
    }

    /// Chooses the field that opens the window, and its length.
    fn settle_window(&mut self, rows: &[Row], starts: &[FieldPath], card: Option<&Card>) {
        let closing = card.and_then(|card| card.close.as_deref()).and_then(forms::closing);
        let mut best: Option<(u64, usize, Option<i64>)> = None;
        for (at, path) in starts.iter().enumerate() {
            let begin = |row: &Row| row.starts.get(at).copied().flatten();
            let aligned = |unit: i64| rows.iter().filter_map(begin).all(|start| start.rem_euclid(unit) == 0);
            let named = forms::window(path.leaf());
            let by_alignment = [DAY, HOUR].into_iter().find(|unit| aligned(*unit));
            // Events that follow a first one for weeks make no window, but those of one bucket do.
            let by_name = named.is_none() && forms::is_window_start(path.leaf());
            let loose = (card.is_some() || by_name).then_some(LONGEST);
            let lengths = [(closing, true), (named, true), (by_alignment, true), (loose, false)];
            for (length, fixed) in lengths.into_iter().filter_map(|(length, fixed)| Some((length?, fixed))) {
                let (mut all, mut inside) = (0u64, 0u64);
                for (start, row) in rows.iter().filter_map(|row| begin(row).map(|start| (start, row))) {
                    all += row.times.len() as u64;
                    inside += row.times.iter().filter(|time| is_within(**time, start, length)).count() as u64;
                }
                if 0 < all && all * WITHIN <= inside * 100 {
                    if best.is_none_or(|(most, ..)| most < inside) {
                        best = Some((inside, at, fixed.then_some(length)));
                    }
                    break;
                }
            }
        }
        if let Some((_, at, length)) = best {
            self.start = starts.get(at).cloned();
            self.window = length;
        }
    }

    /// Chooses the field that counts the events: the one that is most often right.
    fn settle_count(&mut self, rows: &[Row], counts: &[FieldPath]) {
        let right = |at: usize| {
            rows.iter().filter(|row| row.counts.get(at).copied().flatten() == i64::try_from(row.length).ok()).count()
        };
        let best = (0..counts.len()).map(|at| (right(at), std::cmp::Reverse(at))).max();
        if let Some((right, at)) = best.filter(|(right, _)| rows.len() <= right * 2) {
            self.count = counts.get(at.0).cloned().filter(|_| 0 < right);
        }
    }

    fn measure(&mut self, rows: &[Row], starts: &[FieldPath], counts: &[FieldPath]) {
        let start = starts.iter().position(|path| Some(path) == self.start.as_ref());
        let count = counts.iter().position(|path| Some(path) == self.count.as_ref());
        let descending = descends(rows);
        let mut seen = Seen { buckets: rows.len() as u64, ..Seen::default() };
        let mut open: BTreeMap<(u64, Option<i64>), Vec<&Row>> = BTreeMap::new();
        for row in rows {
            let begin = start.and_then(|at| row.starts.get(at).copied().flatten());
            if let Some(stored) = count.and_then(|at| row.counts.get(at).copied().flatten()) {
                let off = stored.abs_diff(i64::try_from(row.length).unwrap_or(i64::MAX));
                seen.counted += 1;
                seen.miscounted += u64::from(off != 0);
                seen.most_off = seen.most_off.max(off);
            }
            if let Some((from, to)) = self.window_of(begin, row.end) {
                let outside = row.times.iter().filter(|time| **time < from || to <= **time).count() as u64;
                seen.windowed += 1;
                seen.outside += u64::from(outside != 0);
                seen.events_outside += outside;
            }
            if 2 <= row.times.len() {
                seen.ordered_or_not += 1;
                let in_order = |pair: &[i64]| match pair {
                    [a, b] if descending => b <= a,
                    [a, b] => a <= b,
                    _ => true,
                };
                seen.disordered += u64::from(!row.times.windows(2).all(in_order));
            }
            if row.device.is_some() && begin.is_some() && row.whole_or_short(self) {
                open.entry((row.identity, begin)).or_default().push(row);
            }
        }
        for rows in open.into_values().filter(|rows| 1 < rows.len()) {
            // Of unknown capacity one may follow the other; only what overlaps was open at once.
            if self.capacity.is_some() || overlap(&rows) {
                seen.shared += 1;
                seen.sharing += rows.len() as u64;
            }
        }
        self.seen = seen;
    }

    /// The window of one bucket: by its beginning and length, else by its stored end, which the last event may have.
    fn window_of(&self, begin: Option<i64>, end: Option<i64>) -> Option<(i64, i64)> {
        let begin = begin?;
        let by_length = self.window.map(|length| begin.saturating_add(reach(begin, length)));
        let by_end = end.filter(|end| begin <= *end).map(|end| end.saturating_add(1));
        by_length.or(by_end).map(|to| (begin, to))
    }
}

impl Row {
    /// Whether the bucket takes more events.
    fn whole_or_short(&self, bucket: &Bucket) -> bool {
        bucket.is_open(self.length) || (bucket.capacity.is_none() && self.whole)
    }
}

/// Whether the events of two buckets lie between each other.
fn overlap(rows: &[&Row]) -> bool {
    let span = |row: &&Row| Some((*row.times.iter().min()?, *row.times.iter().max()?));
    let mut spans: Vec<(i64, i64)> = rows.iter().filter_map(span).collect();
    spans.sort_unstable();
    spans.windows(2).any(|pair| matches!(pair, [a, b] if b.0 <= a.1))
}

/// Whether most buckets hold their newest event first.
fn descends(rows: &[Row]) -> bool {
    let (mut up, mut down) = (0, 0);
    for row in rows {
        if let (Some(first), Some(last)) = (row.times.first(), row.times.last()) {
            up += u64::from(first < last);
            down += u64::from(last < first);
        }
    }
    up < down
}

fn is_within(time: i64, start: i64, length: i64) -> bool {
    start <= time && time < start.saturating_add(reach(start, length))
}

/// How far a window of a length really reaches: a local day has an hour more where the clocks go back.
fn reach(start: i64, length: i64) -> i64 {
    if DAY <= length && start.rem_euclid(DAY) != 0 { length + HOUR } else { length }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(times: &[i64]) -> Row {
        Row { times: times.to_vec(), ..Row::default() }
    }

    #[test]
    fn buckets_that_follow_each_other_do_not_overlap() {
        let (first, second, between) = (row(&[0, 5, 9]), row(&[10, 12]), row(&[7, 11]));
        assert!(!overlap(&[&first, &second]));
        assert!(overlap(&[&first, &second, &between]));
        assert!(!overlap(&[&first, &row(&[])]));
    }

    #[test]
    fn a_local_day_may_have_an_hour_more() {
        let local_midnight = 22 * HOUR;
        assert!(is_within(local_midnight + DAY, local_midnight, DAY));
        assert!(!is_within(local_midnight + DAY + HOUR, local_midnight, DAY));
        assert!(!is_within(DAY, 0, DAY) && is_within(DAY - 1, 0, DAY) && !is_within(-1, 0, DAY));
    }

    #[test]
    fn most_buckets_say_which_order_is_kept() {
        assert!(descends(&[row(&[9, 5, 1]), row(&[8, 2]), row(&[1, 2])]));
        assert!(!descends(&[row(&[1, 5, 9]), row(&[8, 2]), row(&[1, 2])]));
    }
}
