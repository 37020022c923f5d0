//! Shard keys against the documents and the workload: how values spread, whether they follow insertion, which
//! operations the router sends to some shards and which to all.

use std::collections::BTreeMap;

use xxhash_rust::xxh3::xxh3_64;

use super::relation::Load;
use super::{Access, AskedFilter, Collection, Model};
use crate::catalogue::{Index, IndexKind, KeyAnalysis, Namespace, ShardKey};
use crate::model::access::Purpose;
use crate::profile::Field;
use crate::value::event::{Document, Item, Type};
use crate::value::key::{self, FieldOrder};
use crate::value::path;
use crate::value::time::{DAY, object_id_time};
use crate::workload::update::overlap;
use crate::workload::{Operation, Operator, Predicate, Runs, Term, Update, may_be_same};

/// Distinct values below which a key has few.
pub const FEW_VALUES: u64 = 100;
/// Documents for each value, on average, from which on the values of a key are known to repeat.
pub const DOCUMENTS_EACH: u64 = 10;
/// The share of the documents above which one value of a key holds too many.
pub const FREQUENT: f64 = 0.1;
/// The rank correlation of values and time of insertion from which on a key follows insertion. The server's own measure
/// (`analyzeShardKeyMonotonicityCorrelationCoefficientThreshold`) takes the same.
pub const FOLLOWS: f64 = 0.7;
/// Bytes of documents below which one replica set holds them with ease.
pub const SMALL: u64 = 100 << 30;
/// Bytes of documents from which on a collection is better spread: the three terabytes of the manual
/// (core/sharding-distribute-collection-data).
pub const LARGE: u64 = 3_000_000_000_000;
/// Operations a second from which on load alone may be a reason for shards.
pub const HEAVY: f64 = 1000.0;

/// To which shards the router sends an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Targeting {
    /// To those that may hold the values that it names.
    Some,
    /// To all, since it names no value of the key's first field.
    All,
    /// To all, since a hashed field keeps no ranges.
    AllForRange,
    /// More may stand in it than the text tells.
    Unknown,
}

/// How the values of a key spread over the documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Spread {
    /// Documents that were looked at.
    pub documents: u64,
    /// Of these, documents in which a field of the key is missing or null.
    pub missing: u64,
    /// Distinct values, those with a missing part left out.
    pub distinct: u64,
    /// Documents with the most frequent of these values, at least.
    pub most: u64,
}

/// How values of a key follow the times at which their documents were made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Order {
    /// Documents that were compared.
    pub points: u64,
    /// Kendall's tau-a in thousandths, positive where later documents have greater values.
    pub tau: i64,
}

/// What a workload does with a sharded collection. Inserts are left out: they name the whole key.
#[derive(Debug, Clone, Default)]
pub struct Reach<'m> {
    /// Operations of which it is known where they go.
    pub judged: Load,
    /// Those that go to all shards for want of the key.
    pub all: Load,
    /// Those that go to all shards because a range of a hashed field tells none.
    pub ranges: Load,
    /// The query shapes that go to all shards, ranges of hashed fields left out.
    pub shapes: Vec<&'m str>,
    /// The query shapes with ranges of the hashed field.
    pub range_shapes: Vec<&'m str>,
}

/// To which shards the router of a collection with this key sends an access: the first field of the key decides, by
/// equality, or by a range where its values are kept in order (manual: core/sharded-cluster-query-router).
pub fn targeting(key: &[(String, IndexKind)], access: &Access) -> Targeting {
    let Some((first, kind)) = key.first() else { return Targeting::Unknown };
    let near = |path: &str| path != first && overlap(path, first);
    let named = access.branches.iter().all(|branch| {
        let point = branch.points.iter().any(|point| point.path == *first);
        point || (kind.is_sorted() && branch.ranges.contains(first))
    });
    // Ranges and equalities under another collation than the simple one tell nothing of strings.
    let collated =
        access.collation.as_ref().is_some_and(|c| c.get("locale").and_then(|l| l.as_str()) != Some("simple"));
    let unsure = access.branches.is_empty()
        || (named && collated)
        // A value of an embedded document that holds the field, or of a part of it.
        || access.branches.iter().any(|b| b.points.iter().any(|point| near(&point.path)));
    if unsure {
        return Targeting::Unknown;
    }
    if named {
        return Targeting::Some;
    }
    if access.open {
        return Targeting::Unknown;
    }
    let range = *kind == IndexKind::Hashed && access.branches.iter().any(|branch| branch.ranges.contains(first));
    if range { Targeting::AllForRange } else { Targeting::All }
}

/// The fields of a key that an update changes, each with the operator that does; what the filter wants a field to be
/// and the update sets again stays.
pub fn changed<'k, 't>(key: &'k ShardKey, operation: &Operation, update: &Update<'t>) -> Vec<(&'k str, &'t str)> {
    let filter = operation.conditions();
    let wanted = filter.conjuncts();
    let change_of = |path: &'k str| {
        let keeps = |argument: &Term| {
            let mut equal = wanted.iter().filter(|(other, test)| *other == path && test.operator == Operator::Eq);
            equal.any(|(_, test)| may_be_same(&test.argument, argument))
        };
        let change = update.changes.iter().find(|change| {
            change.certain && overlap(change.path, path) && !change.is_on_insert() && !keeps(change.argument)
        })?;
        Some((path, change.operator))
    };
    // A document never changes its `_id`.
    key.paths().filter(|path| *path != "_id").filter_map(change_of).collect()
}

impl Model {
    /// The shard keys of a collection: that of today, then the one that is wanted.
    pub fn shard_keys<'m>(&self, collection: &'m Collection) -> impl Iterator<Item = &'m ShardKey> {
        let catalogue = &collection.catalogue;
        catalogue.shard_key.iter().chain(&catalogue.wanted_shard_key).filter(|key| !key.key.is_empty())
    }

    /// Where the operations of a collection go under a key.
    pub fn reach<'m>(&'m self, ns: &'m Namespace, key: &[(String, IndexKind)]) -> Reach<'m> {
        let mut reach = Reach::default();
        for access in self.accesses_of(ns).filter(|access| access.purpose != Purpose::Join) {
            let verdict = targeting(key, access);
            let operations = access.operations.iter().filter_map(|at| Some((*at, self.workload.get(*at)?)));
            let judged = operations
                .filter(|(at, operation)| verdict == Targeting::Some || !self.may_match_later(*at, operation, key));
            let load = judged.map(|(_, operation)| Load::of(operation)).fold(Load::default(), Load::and);
            if verdict == Targeting::Unknown || load.is_none() {
                continue;
            }
            reach.judged.add(load);
            let (part, shapes) = match verdict {
                Targeting::All => (&mut reach.all, &mut reach.shapes),
                Targeting::AllForRange => (&mut reach.ranges, &mut reach.range_shapes),
                Targeting::Some | Targeting::Unknown => continue,
            };
            part.add(load);
            if !shapes.contains(&access.shape.as_str()) {
                shapes.push(&access.shape);
            }
        }
        reach
    }

    /// Whether an operation may name the first field of a key in another way than at its head: by `$expr`, in a stage that
    /// searches, or in a `$match` that the server moves forward where it can.
    fn may_match_later(&self, at: usize, operation: &Operation, key: &[(String, IndexKind)]) -> bool {
        let stages = operation.pipeline.as_ref().and_then(Term::elements).unwrap_or_default();
        let head = stages.first().and_then(Term::only_member).map(|(name, _)| name);
        let searches = head.is_some_and(|name| {
            ["$geoNear", "$search", "$searchMeta", "$vectorSearch", "$documents"].contains(&name)
                || name.ends_with("Stats")
        });
        let named = |AskedFilter { filter, stage, .. }: &AskedFilter| {
            let first = key.first().is_some_and(|(first, _)| filter.paths().contains(first));
            let later = stage.is_some_and(|stage| 0 < stage) && (first || filter.open);
            later || filter.all.iter().any(|p| matches!(p, Predicate::Top { operator, .. } if operator == "$expr"))
        };
        let from = self.filters.partition_point(|filter| filter.operation < at);
        searches || self.filters.iter().skip(from).take_while(|filter| filter.operation == at).any(named)
    }

    /// Operations a second on a collection, by what was seen and what is declared; nothing where neither tells.
    pub fn load_per_second(&self, ns: &Namespace) -> Option<f64> {
        let seen = |runs: &Runs| {
            let span = runs.last?.checked_sub(runs.first?)?;
            (0 < span).then(|| runs.count as f64 * DAY as f64 / span as f64)
        };
        let a_day = |operation: &Operation| {
            operation.demand.as_ref().and_then(|demand| demand.per_day).or_else(|| seen(operation.runs.as_ref()?))
        };
        let sum = self.workload.of(ns).filter_map(a_day).reduce(|sum, more| sum + more)?;
        Some(sum * 1000.0 / DAY as f64)
    }

    /// How many operations change a field of a key, by field, in the order of the key.
    pub fn key_changes<'k>(&self, ns: &Namespace, key: &'k ShardKey) -> Vec<(&'k str, Load)> {
        let mut changes: Vec<(&str, Load)> = key.paths().map(|path| (path, Load::default())).collect();
        for operation in self.workload.of(ns) {
            let Some(update) = Update::of(operation) else { continue };
            for (path, _) in changed(key, operation, &update) {
                changes.iter_mut().filter(|(known, _)| *known == path).for_each(|c| c.1.add(Load::of(operation)));
            }
        }
        changes.retain(|(_, load)| !load.is_none());
        changes
    }
}

impl Collection {
    /// Whether a shard key is known, wanted, or was measured.
    pub fn tells_of_shards(&self) -> bool {
        let catalogue = &self.catalogue;
        catalogue.shard_key.is_some() || catalogue.wanted_shard_key.is_some() || !catalogue.key_analyses.is_empty()
    }

    /// Whether an index may be the one that a shard key needs, which stays whatever else it serves: it begins with the
    /// key of today or the wanted one, or the collection is sharded by a key that is not known.
    pub fn may_back_shard_key(&self, index: &Index) -> bool {
        let catalogue = &self.catalogue;
        let unknown = catalogue.shard_key.is_none() && catalogue.statistics.iter().any(|s| s.sharded == Some(true));
        let keys = catalogue.shard_key.iter().chain(&catalogue.wanted_shard_key);
        unknown || keys.into_iter().any(|key| !key.key.is_empty() && index.key.starts_with(&key.key))
    }

    /// What the server measured on a key. An analysis that shows no field is about the key of today or the wanted one
    /// where there is no other.
    pub fn analysis_of(&self, key: &ShardKey) -> Option<&KeyAnalysis> {
        let analyses = &self.catalogue.key_analyses;
        let named = analyses.iter().find(|analysis| !analysis.paths.is_empty() && analysis.is_about(key));
        let sole = self.catalogue.shard_key.is_none() || self.catalogue.wanted_shard_key.is_none();
        named.or_else(|| analyses.iter().find(|analysis| sole && analysis.paths.is_empty()))
    }

    /// Bytes of all documents of the collection, where something tells them: the server's statistics or analysis, or
    /// documents that are all there are.
    pub fn data_bytes(&self) -> Option<u64> {
        let mut shards: BTreeMap<Option<&str>, u64> = BTreeMap::new();
        for statistics in &self.catalogue.statistics {
            if let Some(size) = statistics.size {
                let most = shards.entry(statistics.shard.as_deref()).or_insert(0);
                *most = size.max(*most);
            }
        }
        let counted = shards.into_values().reduce(u64::saturating_add);
        let analysed = || self.catalogue.key_analyses.iter().find_map(KeyAnalysis::bytes);
        let read = || self.profile.as_ref().filter(|_| self.complete).map(|profile| profile.sizes.sum());
        counted.or_else(analysed).or_else(read)
    }

    /// How the values of a key spread, where the documents tell: a part of the collection in which all documents have one
    /// value may be just the part that was asked for by that value.
    pub fn telling_spread(&self, key: &[(String, IndexKind)]) -> Option<Spread> {
        self.spread(key).filter(|spread| self.complete || spread.distinct != 1)
    }

    /// How the values of a key spread over the documents that were read; nothing without documents.
    pub fn spread(&self, key: &[(String, IndexKind)]) -> Option<Spread> {
        if let [(path, _)] = key
            && let Some(spread) = self.spread_of_field(path)
        {
            return Some(spread);
        }
        let mut spread = Spread::default();
        let mut counts: BTreeMap<u64, u64> = BTreeMap::new();
        self.each_sampled(|document| {
            spread.documents += 1;
            let places: Option<Vec<usize>> = key.iter().map(|(path, _)| value_at(document, path)).collect();
            let Some(places) = places else {
                spread.missing += 1;
                return;
            };
            let mut bytes = Vec::new();
            for at in places {
                key::push(document, at, FieldOrder::Counts, &mut bytes);
            }
            *counts.entry(xxh3_64(&bytes)).or_default() += 1;
        });
        spread.distinct = counts.len() as u64;
        spread.most = counts.values().copied().max().unwrap_or(0);
        (0 < spread.documents).then_some(spread)
    }

    /// Whether a field keeps several documents of one value together: its values repeat, and there are many of them.
    pub fn groups_by(&self, path: &str) -> bool {
        let spread = self.spread(&[(path.to_owned(), IndexKind::Ascending)]);
        spread.is_some_and(|s| DOCUMENTS_EACH <= s.distinct && s.distinct.saturating_mul(2) <= s.documents)
    }

    /// The same of one field from what was counted on all documents, where it holds scalars alone.
    fn spread_of_field(&self, path: &str) -> Option<Spread> {
        let profile = self.profile.as_ref()?;
        let &[id] = profile.resolve(path).as_slice() else { return None };
        let field = profile.field(id).filter(|_| !profile.in_array(id))?;
        if 0 < field.count_of(Type::Array) + field.count_of(Type::Object) {
            return None;
        }
        let absent = profile.documents.saturating_sub(field.documents);
        Some(Spread {
            documents: profile.documents,
            missing: absent.saturating_add(field.nulls()),
            // An estimate may pass what there is.
            distinct: field.distinct_count().min(field.documents.saturating_sub(field.nulls())),
            most: largest_count(field),
        })
    }

    /// How the values of a key follow insertion, by the time in ObjectIds of `_id`; nothing where that tells no times.
    /// What stands behind a hashed field orders nothing.
    pub fn insertion_order(&self, key: &[(String, IndexKind)]) -> Option<Order> {
        let ranged: Vec<&str> =
            key.iter().take_while(|(_, kind)| kind.is_sorted()).map(|(path, _)| path.as_str()).collect();
        if ranged.is_empty() {
            return None;
        }
        let mut points: Vec<(i64, Vec<u8>)> = Vec::new();
        self.each_sampled_of(MOST_POINTS, |document| {
            let Some(Item::ObjectId(id)) = document.get("_id") else { return };
            let mut bytes = Vec::new();
            let ordered = ranged
                .iter()
                .all(|path| value_at(document, path).is_some_and(|at| push_ordered(document, at, &mut bytes)));
            if ordered {
                points.push((object_id_time(id), bytes));
            }
        });
        let pairs = (points.len() * points.len().saturating_sub(1) / 2) as i64;
        let mut score = 0;
        for (at, (time, value)) in points.iter().enumerate() {
            for (other_time, other) in points.iter().skip(at + 1) {
                score += time.cmp(other_time) as i64 * value.cmp(other) as i64;
            }
        }
        (0 < pairs).then(|| Order { points: points.len() as u64, tau: score * 1000 / pairs })
    }
}

/// Pairs are quadratic: more documents than this add nothing to the answer.
const MOST_POINTS: usize = 400;

/// The value at a path that passes no array, unless it is null.
fn value_at(document: &Document<'_>, path: &str) -> Option<usize> {
    let &[at] = path::reach(document, path).as_slice() else { return None };
    let item = &document.entries.get(at)?.item;
    (!matches!(item, Item::Null | Item::Undefined)).then_some(at)
}

/// Documents with the most frequent value of a field: exactly where all its values are counted, else at least.
fn largest_count(field: &Field) -> u64 {
    let sketches = [&field.distinct, &field.distinct_other];
    sketches.into_iter().flatten().map(|sketch| sketch.largest_count()).max().unwrap_or(0)
}

/// Appends bytes in the order of the values; false where their order is not that of one type.
fn push_ordered(document: &Document<'_>, at: usize, out: &mut Vec<u8>) -> bool {
    let Some(entry) = document.entries.get(at) else { return false };
    // Flipping the sign bit puts negative numbers before positive ones.
    let integer = |number: i64| (number ^ i64::MIN).to_be_bytes();
    match entry.item {
        Item::Int(number) => out.extend(double(f64::from(number))),
        Item::Long(number) => out.extend(double(number as f64)),
        Item::Double(number) => out.extend(double(number)),
        Item::Date(time) => out.extend(integer(time)),
        Item::ObjectId(id) => out.extend(id),
        Item::Timestamp { seconds, ordinal } => {
            out.extend(seconds.to_be_bytes());
            out.extend(ordinal.to_be_bytes());
        }
        Item::String(text) => {
            out.extend(text.as_bytes());
            out.push(0);
        }
        Item::BinData { data, .. } => out.extend(data),
        Item::Bool(value) => out.push(u8::from(value)),
        _ => return false,
    }
    true
}

/// Bytes in the order of doubles.
fn double(number: f64) -> [u8; 8] {
    let bits = number.to_bits();
    (if bits >> 63 == 1 { !bits } else { bits | 1 << 63 }).to_be_bytes()
}
