//! What is known of one path: presence, types, ranges, lengths, distinct values.

use serde::{Deserialize, Serialize};

use super::array::ArrayStats;
use super::shape::{KeyShape, Shape};
use super::sketch::{Distinct, Histogram};
use crate::facts::geometry::Fault;
use crate::order::Ordered;
use crate::value::event::{Item, Type};
use crate::value::owned::Value;
use crate::value::time::DAY;

/// The place of a field in the arena of its collection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct FieldId(pub(crate) u32);

impl FieldId {
    /// The document itself.
    pub const ROOT: FieldId = FieldId(0);
}

/// How a field hangs on its parent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum FieldKind {
    /// The document itself.
    Root,
    /// A field with a name of its own.
    Named,
    /// The elements of an array.
    Element,
    /// All fields of an object whose names are data.
    Folded,
}

/// Distinct values kept of a path that may be a key or a reference.
const KEY_HASHES: u32 = 4_096;
/// Distinct values kept of any other path.
const OTHER_HASHES: u32 = 256;
/// Values themselves are kept while there are no more of them than this, none of them longer than `MAX_VALUE`.
const MAX_VALUES: usize = 256;
/// Bytes of the longest value that is kept as such.
const MAX_VALUE: usize = 256;

/// One path of a collection and all that was counted on it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Field {
    /// Name of the field; empty for elements and the root, meaningless for folded names.
    pub name: Box<str>,
    /// How the field hangs on its parent.
    pub kind: FieldKind,
    /// The parent; the root is its own.
    pub parent: FieldId,
    /// The fields below, sorted by kind and name once the profile is settled.
    pub children: Vec<FieldId>,
    /// How often the field occurs, counted in every embedded object and array element.
    pub count: u64,
    /// How many documents have it at least once (an upper bound below names that are data).
    pub documents: u64,
    /// How often it holds each type, by `Type as usize`.
    pub types: [u64; Type::COUNT],
    /// Bytes of its values as BSON, names not included.
    pub bytes: u64,
    /// Bytes of its largest value.
    pub max_bytes: u64,
    /// How many objects have the field twice.
    pub duplicates: u64,
    /// Objects and arrays that are empty.
    pub empty_containers: u64,
    /// What its numbers are like.
    pub numbers: NumberStats,
    /// What its dates are like.
    pub dates: DateStats,
    /// What its strings are like.
    pub strings: Option<Box<StringStats>>,
    /// What its binaries are like.
    pub binaries: Option<Box<BinaryStats>>,
    /// What its arrays are like.
    pub arrays: Option<Box<ArrayStats>>,
    /// What its GeoJSON objects are like.
    pub geometries: Option<Box<GeometryStats>>,
    /// Its distinct values of the kinds that may be a key or a reference: ids, strings, whole numbers.
    pub distinct: Option<Box<Distinct>>,
    /// Its distinct values of all other kinds: fractions, dates, booleans.
    pub distinct_other: Option<Box<Distinct>>,
    /// The distinct values themselves, while they are few and short.
    pub values: Values,
    /// What its names are like, where they are data.
    pub keys: Option<Box<KeyStats>>,
    /// Whether all names below were found to be data by their number, while the documents were read.
    pub names_are_data: bool,
    #[serde(skip)]
    pub(super) seen: Seen,
    #[serde(skip)]
    pub(super) by_name: Vec<FieldId>,
}

/// Marks of the running walk; no knowledge.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Seen {
    pub(super) document: u64,
    pub(super) object: u64,
}

/// What the numbers of a path are like. Decimal128 counts in `types` alone.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct NumberStats {
    /// Smallest number that is no NaN.
    pub min: Option<f64>,
    /// Largest number that is no NaN.
    pub max: Option<f64>,
    /// Doubles with a fraction.
    pub fractional: u64,
    /// Doubles that are whole numbers.
    pub whole: u64,
    /// Whole doubles that an Int32 would hold: JavaScript writes such numbers as Int32 and all others as double.
    pub small_whole: u64,
    /// Whole doubles beyond 2^53, where neighbours are lost.
    pub unsafe_whole: u64,
    /// Doubles that are NaN or infinite (Decimal128 included).
    pub not_finite: u64,
    /// Numbers below zero.
    pub negative: u64,
    /// Doubles with more than two decimal places.
    pub beyond_cents: u64,
    /// Doubles with a fraction that is no number of quarters: of amounts in cents, those that no double holds exactly.
    pub inexact: u64,
}

/// What the dates of a path are like, in milliseconds since the Unix epoch.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DateStats {
    /// Earliest date.
    pub min: Option<i64>,
    /// Latest date.
    pub max: Option<i64>,
    /// Dates that may stand for "none", by [`DateStats::SENTINELS`].
    pub sentinels: [u64; DateStats::SENTINELS.len()],
    /// Dates at midnight UTC.
    pub midnights: u64,
}

/// What the strings of a path are like.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StringStats {
    /// Lengths in bytes.
    pub lengths: Histogram,
    /// How many have each shape, by `Shape as usize`.
    pub shapes: [u64; Shape::COUNT],
    /// Bytes of the strings of each shape, by `Shape as usize`.
    pub shape_bytes: [u64; Shape::COUNT],
}

/// What the binaries of a path are like.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct BinaryStats {
    /// Lengths in bytes.
    pub lengths: Histogram,
    /// How many have each subtype, ascending.
    pub subtypes: std::collections::BTreeMap<u8, u64>,
}

/// What GeoJSON objects are like: how many a geospatial index would refuse, and why.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GeometryStats {
    /// How many there are.
    pub judged: u64,
    /// How many have each fault.
    pub faults: std::collections::BTreeMap<Fault, u64>,
}

/// What names that are data are like.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct KeyStats {
    /// The distinct names.
    pub distinct: Distinct,
    /// How many occurrences have each shape, by `KeyShape as usize`.
    pub shapes: [u64; KeyShape::COUNT],
    /// Bytes of the names.
    pub bytes: u64,
}

/// The distinct values of a path, kept while they are few.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Values {
    /// All of them: hash, value.
    All(Vec<(u64, Value)>),
    /// Too many or too long.
    Dropped,
}

impl Field {
    pub(super) fn new(name: &str, kind: FieldKind, parent: FieldId) -> Field {
        Field {
            name: name.into(),
            kind,
            parent,
            children: Vec::new(),
            count: 0,
            documents: 0,
            types: [0; Type::COUNT],
            bytes: 0,
            max_bytes: 0,
            duplicates: 0,
            empty_containers: 0,
            numbers: NumberStats::default(),
            dates: DateStats::default(),
            strings: None,
            binaries: None,
            arrays: None,
            geometries: None,
            distinct: None,
            distinct_other: None,
            values: Values::All(Vec::new()),
            keys: None,
            names_are_data: false,
            seen: Seen::default(),
            by_name: Vec::new(),
        }
    }

    /// Keeps types and lengths alone: neither values nor what they could be guessed from, ranges and hashes.
    pub(super) fn forget_values(&mut self) {
        self.values = Values::Dropped;
        (self.distinct, self.distinct_other) = (None, None);
        (self.numbers.min, self.numbers.max) = (None, None);
        (self.dates.min, self.dates.max) = (None, None);
        if let Some(keys) = &mut self.keys {
            keys.distinct = keys.distinct.without_hashes();
        }
    }

    /// How often the field holds this type.
    pub fn count_of(&self, kind: Type) -> u64 {
        self.types.get(kind as usize).copied().unwrap_or(0)
    }

    /// How often it is null.
    pub fn nulls(&self) -> u64 {
        self.count_of(Type::Null)
    }

    /// How often it is a number of any type.
    pub fn number_count(&self) -> u64 {
        Type::ALL.into_iter().filter(|t| t.is_number()).map(|t| self.count_of(t)).sum()
    }

    /// How often it is a string of this shape.
    pub fn shape_count(&self, shape: Shape) -> u64 {
        self.strings.as_ref().and_then(|s| s.shapes.get(shape as usize).copied()).unwrap_or(0)
    }

    /// The types that occur, with their counts, most frequent first.
    pub fn types_found(&self) -> Vec<(Type, u64)> {
        let mut found: Vec<(Type, u64)> =
            Type::ALL.into_iter().map(|t| (t, self.count_of(t))).filter(|(_, n)| 0 < *n).collect();
        found.order_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
        found
    }

    /// How many distinct values other than null there are, exact or estimated; none for containers alone.
    pub fn distinct_count(&self) -> u64 {
        [&self.distinct, &self.distinct_other].into_iter().flatten().map(|d| d.estimate()).sum()
    }

    /// Marks the field as seen in a document and an object; true when it is the first time in this document.
    #[inline]
    pub(super) fn touch(&mut self, document: u64, object: u64) -> bool {
        if self.seen.object == object && self.kind == FieldKind::Named {
            self.duplicates += 1;
        }
        self.seen.object = object;
        let first = self.seen.document != document;
        if first {
            self.seen.document = document;
            self.documents += 1;
        }
        first
    }

    /// Counts a value; `hash` is asked for only where the value has one.
    #[inline]
    pub(super) fn observe(&mut self, item: &Item<'_>) {
        self.count += 1;
        let kind = item.bson_type();
        if let Some(slot) = self.types.get_mut(kind as usize) {
            *slot += 1;
        }
        let bytes = u64::from(item.bytes());
        self.bytes += bytes;
        self.max_bytes = self.max_bytes.max(bytes);
        match item {
            Item::Double(value) => self.numbers.double(*value),
            Item::Int(value) => self.numbers.range(f64::from(*value)),
            Item::Long(value) => self.numbers.range(*value as f64),
            Item::Decimal(bytes) => self.numbers.decimal(*bytes),
            Item::Date(value) => self.dates.add(*value),
            Item::String(text) => self.strings.get_or_insert_with(StringStats::boxed).add(text),
            Item::BinData { subtype, data } => {
                let stats = self.binaries.get_or_insert_default();
                stats.lengths.add(data.len() as u64);
                *stats.subtypes.entry(*subtype).or_default() += 1;
            }
            left_out if left_out.is_left_out() => {}
            Item::Object { end: _, bytes } if *bytes <= 5 => self.empty_containers += 1,
            Item::Array { len: 0, .. } => self.empty_containers += 1,
            _ => {}
        }
        if matches!(item, Item::Object { .. } | Item::Array { .. } | Item::Null | Item::Undefined) {
            return;
        }
        self.distinct(item);
    }

    #[inline]
    fn distinct(&mut self, item: &Item<'_>) {
        let hash = crate::value::hash::hash_scalar(item);
        let may_be_key = match item {
            Item::Double(value) => value.trunc() == *value,
            Item::Bool(_) | Item::Date(_) | Item::Decimal(_) => false,
            _ => true,
        };
        let (sketch, limit) =
            if may_be_key { (&mut self.distinct, KEY_HASHES) } else { (&mut self.distinct_other, OTHER_HASHES) };
        let sketch = sketch.get_or_insert_with(|| Box::new(Distinct::new(limit)));
        if sketch.add(hash)
            && let Values::All(values) = &mut self.values
        {
            if MAX_VALUES <= values.len() || MAX_VALUE < item.bytes() as usize {
                self.values = Values::Dropped;
            } else if values.iter().all(|(h, _)| *h != hash) {
                values.push((hash, crate::value::hash::representative(item)));
            }
        }
    }

    /// Adds all that another field of the same path counted; children are the collection's business.
    pub(super) fn merge(&mut self, other: &Field) {
        self.count += other.count;
        self.documents += other.documents;
        for (mine, theirs) in self.types.iter_mut().zip(other.types) {
            *mine += theirs;
        }
        self.bytes += other.bytes;
        self.max_bytes = self.max_bytes.max(other.max_bytes);
        self.duplicates += other.duplicates;
        self.empty_containers += other.empty_containers;
        self.numbers.merge(&other.numbers);
        self.dates.merge(&other.dates);
        merge_boxed(&mut self.strings, other.strings.as_deref(), StringStats::merge);
        merge_boxed(&mut self.binaries, other.binaries.as_deref(), BinaryStats::merge);
        merge_boxed(&mut self.arrays, other.arrays.as_deref(), ArrayStats::merge);
        merge_boxed(&mut self.geometries, other.geometries.as_deref(), GeometryStats::merge);
        merge_boxed(&mut self.distinct, other.distinct.as_deref(), Distinct::merge);
        merge_boxed(&mut self.distinct_other, other.distinct_other.as_deref(), Distinct::merge);
        merge_boxed(&mut self.keys, other.keys.as_deref(), KeyStats::merge);
        self.values.merge(&other.values);
    }

    pub(super) fn settle(&mut self) {
        for distinct in [&mut self.distinct, &mut self.distinct_other].into_iter().flatten() {
            distinct.settle();
        }
        if let Some(keys) = &mut self.keys {
            keys.distinct.settle();
        }
        if let Values::All(values) = &mut self.values {
            values.order_by_key(|(hash, _)| *hash);
        }
    }

    pub(super) fn restore(&mut self) {
        for distinct in [&mut self.distinct, &mut self.distinct_other].into_iter().flatten() {
            distinct.restore();
        }
        if let Some(keys) = &mut self.keys {
            keys.distinct.restore();
        }
    }
}

fn merge_boxed<T: Clone>(mine: &mut Option<Box<T>>, theirs: Option<&T>, merge: impl FnOnce(&mut T, &T)) {
    match (mine, theirs) {
        (Some(mine), Some(theirs)) => merge(mine, theirs),
        (mine @ None, Some(theirs)) => *mine = Some(Box::new(theirs.clone())),
        (_, None) => {}
    }
}

impl Values {
    fn merge(&mut self, other: &Values) {
        let Values::All(theirs) = other else {
            *self = Values::Dropped;
            return;
        };
        let Values::All(mine) = self else { return };
        for (hash, value) in theirs {
            if mine.iter().all(|(h, _)| h != hash) {
                mine.push((*hash, value.clone()));
            }
        }
        if MAX_VALUES < mine.len() {
            *self = Values::Dropped;
        }
    }
}

impl NumberStats {
    fn range(&mut self, value: f64) {
        self.min = Some(self.min.map_or(value, |m| m.min(value)));
        self.max = Some(self.max.map_or(value, |m| m.max(value)));
        self.negative += u64::from(value < 0.0);
    }

    fn double(&mut self, value: f64) {
        if !value.is_nan() {
            self.range(value);
        }
        if !value.is_finite() {
            self.not_finite += 1;
        } else if value.trunc() == value {
            self.whole += 1;
            let small = f64::from(i32::MIN) <= value && value <= f64::from(i32::MAX);
            self.small_whole += u64::from(small && !(value == 0.0 && value.is_sign_negative()));
            self.unsafe_whole += u64::from(9_007_199_254_740_992.0 < value.abs());
        } else {
            self.fractional += 1;
            let quarters = value * 4.0;
            self.inexact += u64::from(quarters.trunc() != quarters);
            let cents = value * 100.0;
            // 19.99 * 100 is 1998.9999999999998: a cent value is one that lies within rounding of a whole number.
            let rounded = cents.round();
            self.beyond_cents += u64::from((cents - rounded).abs() > 1e-6 * rounded.abs().max(1.0));
        }
    }

    fn decimal(&mut self, bytes: [u8; 16]) {
        let high = bytes.last().copied().unwrap_or(0);
        // Infinity and NaN start with 1111 behind the sign.
        self.not_finite += u64::from(high & 0x78 == 0x78);
        self.negative += u64::from(high & 0x80 != 0 && high & 0x78 != 0x78);
    }

    fn merge(&mut self, other: &NumberStats) {
        self.min = merged(self.min, other.min, f64::min);
        self.max = merged(self.max, other.max, f64::max);
        self.fractional += other.fractional;
        self.whole += other.whole;
        self.small_whole += other.small_whole;
        self.unsafe_whole += other.unsafe_whole;
        self.not_finite += other.not_finite;
        self.negative += other.negative;
        self.beyond_cents += other.beyond_cents;
        self.inexact += other.inexact;
    }
}

fn merged<T>(mine: Option<T>, theirs: Option<T>, pick: impl FnOnce(T, T) -> T) -> Option<T> {
    match (mine, theirs) {
        (Some(mine), Some(theirs)) => Some(pick(mine, theirs)),
        (mine, theirs) => mine.or(theirs),
    }
}

impl DateStats {
    /// Days and years that are stored where there is no date: the zero of .NET, of spreadsheets and of Unix, and the
    /// last year that four digits can write.
    pub const SENTINELS: [&str; 4] = ["0001-01-01", "1900-01-01", "1970-01-01", "9999"];
    /// The same in days since the epoch; a day counts at midnight UTC only, a year as a whole.
    const SENTINEL_DAYS: [std::ops::Range<i64>; 4] = [-719_162..-719_161, -25_567..-25_566, 0..1, 2_932_532..2_932_897];

    fn add(&mut self, value: i64) {
        self.min = Some(self.min.map_or(value, |m| m.min(value)));
        self.max = Some(self.max.map_or(value, |m| m.max(value)));
        let midnight = value % DAY == 0;
        self.midnights += u64::from(midnight);
        let day = value.div_euclid(DAY);
        for (count, days) in self.sentinels.iter_mut().zip(Self::SENTINEL_DAYS) {
            *count += u64::from(days.contains(&day) && (midnight || 1 < days.end - days.start));
        }
    }

    fn merge(&mut self, other: &DateStats) {
        self.min = merged(self.min, other.min, i64::min);
        self.max = merged(self.max, other.max, i64::max);
        for (mine, theirs) in self.sentinels.iter_mut().zip(other.sentinels) {
            *mine += theirs;
        }
        self.midnights += other.midnights;
    }
}

impl StringStats {
    fn boxed() -> Box<StringStats> {
        Box::new(StringStats {
            lengths: Histogram::default(),
            shapes: [0; Shape::COUNT],
            shape_bytes: [0; Shape::COUNT],
        })
    }

    #[inline]
    fn add(&mut self, text: &str) {
        self.lengths.add(text.len() as u64);
        let shape = Shape::of(text) as usize;
        if let (Some(count), Some(bytes)) = (self.shapes.get_mut(shape), self.shape_bytes.get_mut(shape)) {
            *count += 1;
            *bytes += text.len() as u64;
        }
    }

    fn merge(&mut self, other: &StringStats) {
        self.lengths.merge(&other.lengths);
        for (mine, theirs) in self.shapes.iter_mut().zip(other.shapes) {
            *mine += theirs;
        }
        for (mine, theirs) in self.shape_bytes.iter_mut().zip(other.shape_bytes) {
            *mine += theirs;
        }
    }
}

impl BinaryStats {
    fn merge(&mut self, other: &BinaryStats) {
        self.lengths.merge(&other.lengths);
        for (subtype, count) in &other.subtypes {
            *self.subtypes.entry(*subtype).or_default() += count;
        }
    }
}

impl GeometryStats {
    /// Counts one geometry by its verdict.
    pub fn add(&mut self, verdict: Result<(), Fault>) {
        self.judged += 1;
        if let Err(fault) = verdict {
            *self.faults.entry(fault).or_default() += 1;
        }
    }

    fn merge(&mut self, other: &GeometryStats) {
        self.judged += other.judged;
        for (fault, count) in &other.faults {
            *self.faults.entry(*fault).or_default() += count;
        }
    }
}

impl KeyStats {
    pub(super) fn boxed() -> Box<KeyStats> {
        Box::new(KeyStats { distinct: Distinct::new(OTHER_HASHES), shapes: [0; KeyShape::COUNT], bytes: 0 })
    }

    pub(super) fn add(&mut self, name: &str, times: u64) {
        self.distinct.add_times(crate::value::hash::hash_text(name), times);
        let shape = KeyShape::of(name).unwrap_or(KeyShape::Other) as usize;
        if let Some(count) = self.shapes.get_mut(shape) {
            *count += times;
        }
        self.bytes += name.len() as u64 * times;
    }

    fn merge(&mut self, other: &KeyStats) {
        self.distinct.merge(&other.distinct);
        for (mine, theirs) in self.shapes.iter_mut().zip(other.shapes) {
            *mine += theirs;
        }
        self.bytes += other.bytes;
    }
}
