//! One operation of the workload, from whatever evidence it comes.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::filter::Filter;
use super::term::{Span, Term};
use crate::catalogue::Namespace;
use crate::value::location::Position;

/// What an operation does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Verb {
    /// `find`; all that match, unless a limit is set.
    Find,
    /// `findOne`.
    FindOne,
    /// `aggregate`.
    Aggregate,
    /// `countDocuments`, or `count` with or without a filter.
    Count,
    /// `estimatedDocumentCount`.
    EstimatedCount,
    /// `distinct`.
    Distinct,
    /// `insertOne`, `insertMany`, `Model.create`.
    Insert,
    /// `updateOne`, `updateMany`, `update`.
    Update,
    /// `replaceOne`, or `save`.
    Replace,
    /// `deleteOne`, `deleteMany`, `remove`.
    Delete,
    /// `findOneAndUpdate`, `findAndModify` with an update.
    FindAndUpdate,
    /// `findOneAndReplace`.
    FindAndReplace,
    /// `findOneAndDelete`.
    FindAndDelete,
    /// `watch`: a change stream.
    Watch,
    /// `populate` of Mongoose: a find by the ids of another result, as a join in the application.
    Populate,
}

impl Verb {
    /// Whether documents may be changed, made or removed. A pipeline that ends with `$out` or `$merge` is not seen here.
    pub fn is_write(self) -> bool {
        use Verb::{Delete, FindAndDelete, FindAndReplace, FindAndUpdate, Insert, Replace, Update};
        matches!(self, Insert | Update | Replace | Delete | FindAndUpdate | FindAndReplace | FindAndDelete)
    }
}

/// Through what an operation is sent: some do things to it on the way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub enum Api {
    /// mongosh.
    #[default]
    Shell,
    /// The Node.js driver.
    Driver,
    /// Mongoose, which casts and wraps updates in `$set`.
    Mongoose,
    /// A raw command (`runCommand`), or one that the server logged.
    Command,
}

/// Where an operation was found.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Site {
    /// Source code.
    Source {
        /// Name of the input.
        file: String,
        /// The whole call, cursor methods included.
        span: Span,
    },
    /// An entry of a log, of the profiler or of query statistics: the one that is kept as the example of its shape.
    Entry {
        /// Name of the input.
        file: String,
        /// The byte at which the part of the input begins that it was read in, where several readers shared it.
        part: u64,
        /// Its line, where the input is text; counted from the beginning of that part until all is read.
        place: Option<Position>,
    },
}

/// An operation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Operation {
    /// The collection; nothing where the text does not tell it (a parameter).
    pub ns: Option<Namespace>,
    /// What it does.
    pub verb: Verb,
    /// Through what it is sent.
    pub api: Api,
    /// The method or command as it is called: `updateOne`, `findAndModify`.
    pub method: String,
    /// Whether more than one document may be changed or removed (`updateMany`).
    pub many: bool,
    /// The filter. `None` where the call has none (which matches all).
    pub filter: Option<Term>,
    /// The projection.
    pub projection: Option<Term>,
    /// The sort.
    pub sort: Option<Term>,
    /// `limit`.
    pub limit: Option<Term>,
    /// `skip`.
    pub skip: Option<Term>,
    /// The update: operators, a pipeline, or a replacement.
    pub update: Option<Term>,
    /// The pipeline of an aggregation or change stream, an array.
    pub pipeline: Option<Term>,
    /// The documents of an insert, an array.
    pub documents: Option<Term>,
    /// The field of a `distinct`, or the path of a `populate`.
    pub field: Option<Term>,
    /// All other options as they are given: `upsert`, `session`, `arrayFilters`, `hint`, `collation`, `readConcern`,
    /// `writeConcern`, `readPreference`, `maxTimeMS`, `allowDiskUse`, `let`, `ordered` and so on. Cursor methods are
    /// options too.
    pub options: Option<Term>,
    /// Where it was found.
    pub site: Option<Site>,
    /// What surrounds it in its source.
    pub context: Context,
    /// Which fields of what it finds are looked at.
    pub uses: Uses,
    /// How it ran, where it was seen running.
    pub runs: Option<Runs>,
    /// How often it is meant to run, where intent declares it as an access pattern.
    pub demand: Option<Demand>,
}

/// Which fields of what a read finds its source looks at.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Uses {
    /// Nothing tells it.
    #[default]
    Unknown,
    /// All, or it goes where it cannot be followed: into an answer, another function, a spread.
    All,
    /// These paths and no others.
    Fields(BTreeSet<String>),
}

/// Fields of one result that are told apart.
const MAX_FIELDS: usize = 200;

impl Uses {
    /// Adds a path that is looked at.
    pub(crate) fn add(&mut self, path: String) {
        let Uses::Fields(paths) = self else { return };
        if paths.len() < MAX_FIELDS || paths.contains(&path) {
            paths.insert(path);
        } else {
            *self = Uses::All;
        }
    }
}

/// What intent declares of an access pattern.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Demand {
    /// Its name.
    pub name: String,
    /// Runs a day.
    pub per_day: Option<f64>,
    /// Whether someone waits for it.
    pub hot: bool,
}

/// What surrounds an operation in its source.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Context {
    /// Position of the operation among those of its file, as [`super::Origin::Result`] counts.
    pub number: u32,
    /// The functions around it, outermost first, by number in the file; empty at the top level.
    pub functions: Vec<u32>,
    /// Names of these functions, as far as they have one.
    pub names: Vec<Option<String>>,
    /// The loops around it, outermost first, those outside its own function excluded.
    pub loops: Vec<Loop>,
    /// The transaction that it stands in, by number in the file.
    pub transaction: Option<u32>,
    /// The call that lets it run side by side with others (`Promise.all`), within the transaction where there is one.
    pub parallel: Option<Span>,
    /// Whether its result is taken: bound, returned, awaited as a value, passed on. `None` where that cannot be told.
    pub used: Option<bool>,
    /// Members of its parts whose names a request gives: `{[req.query.field]: 1}`.
    pub sent_keys: Vec<Span>,
    /// Branches that it stands in (`if`, `switch`, `catch`), by number in the file: two operations whose lists differ
    /// may exclude each other.
    pub branches: Vec<u32>,
}

/// A loop around an operation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Loop {
    /// Its kind.
    pub kind: LoopKind,
    /// What it goes over.
    pub over: Over,
    /// Where it stands.
    pub span: Span,
}

/// Kinds of loops.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum LoopKind {
    /// `for (;;)`.
    For,
    /// `while`, `do`.
    While,
    /// `for … of`, `for … in`.
    Each,
    /// `for await … of`, usual in batch jobs.
    Await,
    /// A callback of `map`, `forEach` and their like.
    Callback,
}

/// What a loop goes over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Over {
    /// Nothing tells it.
    Unknown,
    /// Values that are written down, or a counter with constant bounds.
    Constant,
    /// The result of an operation of the same file, by number.
    Result(u32),
    /// The same again until it works, or page by page.
    Again,
}

/// How operations of one shape ran.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Runs {
    /// How often.
    pub count: u64,
    /// The first and the last time, in milliseconds since the Unix epoch.
    pub first: Option<i64>,
    /// The last time.
    pub last: Option<i64>,
    /// Working time where it is given (8.0), else duration, in microseconds.
    pub micros: Spread,
    /// Documents examined.
    pub docs_examined: Spread,
    /// Index keys examined.
    pub keys_examined: Spread,
    /// Documents returned, changed or removed.
    pub returned: Spread,
    /// Bytes of the replies.
    pub bytes: Spread,
    /// Runs that sorted in memory.
    pub sorted: u64,
    /// Runs that spilled to disk.
    pub spilled: u64,
    /// Write conflicts.
    pub write_conflicts: Spread,
    /// Shards that were asked, where a router tells it.
    pub shards: Spread,
    /// Runs by plan summary (`IXSCAN { a: 1 }`); of very many only a fair part.
    pub plans: BTreeMap<String, u64>,
    /// The most runs on one connection within one second; of very many seconds a fair part is looked at.
    pub longest_burst: u64,
    /// Runs by the `_id` that the filter names.
    pub ids: Ids,
    /// The names of the applications that sent them; of very many only a fair part.
    pub applications: BTreeMap<String, u64>,
    /// Hashes of the values that were asked for: of many a fair part, enough to tell few from many.
    pub(crate) asked: BTreeSet<u64>,
    /// Runs by connection and second.
    pub(crate) bursts: BTreeMap<u64, u64>,
}

/// Seconds of connections that are kept of one shape.
const MAX_BURSTS: usize = 512;

/// Plan summaries and applications that are kept of one shape.
const MAX_NAMES: usize = 64;

/// Hashes of asked values that are kept of one shape.
const MAX_ASKED: usize = 32;

/// How often single documents were named, by the hash of their `_id`.
///
/// Up to [`MAX_IDS`] ids all are counted. Beyond that only sums are kept, from which the most frequent id can still be
/// told where it stands out: equal runs give equal counts, in whatever order and parts they come.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Ids {
    counts: BTreeMap<u64, u64>,
    /// Empty as long as all are counted.
    groups: Vec<Group>,
}

/// Ids that are counted one by one.
const MAX_IDS: usize = 1024;

/// Into so many groups ids fall by the lowest bits of their hash.
const GROUPS: u64 = 32;

/// The ids of one group: how often they came, and how often each bit of their hash was set. Where one id makes most of
/// it, the bits spell its hash.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
struct Group {
    total: u64,
    bits: Vec<u64>,
}

impl Group {
    fn add(&mut self, id: u64, count: u64) {
        self.total = self.total.saturating_add(count);
        self.bits.resize(64, 0);
        for (at, bit) in self.bits.iter_mut().enumerate() {
            *bit = bit.saturating_add(if id >> at & 1 == 1 { count } else { 0 });
        }
    }

    fn merge(&mut self, other: &Group) {
        self.total = self.total.saturating_add(other.total);
        self.bits.resize(64, 0);
        for (mine, more) in self.bits.iter_mut().zip(&other.bits) {
            *mine = mine.saturating_add(*more);
        }
    }

    /// The id that makes most of the group, with its count, which may be a little too high.
    fn most(&self) -> Option<(u64, u64)> {
        let mut id = 0;
        let mut count = self.total;
        for (at, bit) in self.bits.iter().enumerate() {
            let unset = self.total.saturating_sub(*bit);
            id |= u64::from(*bit > unset) << at;
            count = count.min(unset.max(*bit));
        }
        (self.total > 0).then_some((id, count))
    }
}

impl Ids {
    /// Adds one run on an `_id`.
    pub fn add(&mut self, id: u64) {
        self.add_many(id, 1);
    }

    /// Adds other runs.
    pub fn merge(&mut self, other: &Ids) {
        if !other.groups.is_empty() {
            self.group();
            self.groups.iter_mut().zip(&other.groups).for_each(|(mine, more)| mine.merge(more));
        }
        for (id, count) in &other.counts {
            self.add_many(*id, *count);
        }
    }

    /// Runs that name an `_id`.
    pub fn total(&self) -> u64 {
        self.counts
            .values()
            .chain(self.groups.iter().map(|group| &group.total))
            .fold(0, |sum, n| sum.saturating_add(*n))
    }

    /// The hash of the `_id` that most runs name, and how many do.
    pub fn most(&self) -> Option<(u64, u64)> {
        let counted = self.counts.iter().map(|(id, count)| (*id, *count));
        let grouped = self.groups.iter().zip(0..).filter_map(|(group, low): (&Group, u64)| {
            // What many ids have in common spells none of them.
            group.most().filter(|(id, _)| id % GROUPS == low)
        });
        counted.chain(grouped).max_by_key(|(id, count)| (*count, std::cmp::Reverse(*id)))
    }

    fn add_many(&mut self, id: u64, count: u64) {
        if self.groups.is_empty() {
            let known = self.counts.entry(id).or_default();
            *known = known.saturating_add(count);
            if self.counts.len() > MAX_IDS {
                self.group();
            }
        } else if let Some(group) = self.groups.get_mut((id % GROUPS) as usize) {
            group.add(id, count);
        }
    }

    fn group(&mut self) {
        if self.groups.is_empty() {
            self.groups = vec![Group::default(); GROUPS as usize];
            for (id, count) in std::mem::take(&mut self.counts) {
                self.add_many(id, count);
            }
        }
    }
}

/// A figure of several runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Spread {
    /// Runs that tell it.
    pub count: u64,
    /// Sum.
    pub sum: u64,
    /// Greatest.
    pub max: u64,
}

impl Spread {
    /// Adds the figure of one run.
    pub fn add(&mut self, value: u64) {
        self.merge(Spread { count: 1, sum: value, max: value });
    }

    /// Adds the figures of other runs.
    pub fn merge(&mut self, other: Spread) {
        self.count = self.count.saturating_add(other.count);
        self.sum = self.sum.saturating_add(other.sum);
        self.max = self.max.max(other.max);
    }

    /// The mean, rounded down.
    pub fn mean(self) -> Option<u64> {
        self.sum.checked_div(self.count)
    }
}

impl Operation {
    /// An operation of which nothing more is known yet.
    pub fn new(ns: Option<Namespace>, verb: Verb, method: &str) -> Operation {
        Operation {
            ns,
            verb,
            api: Api::default(),
            method: method.to_owned(),
            many: false,
            filter: None,
            projection: None,
            sort: None,
            limit: None,
            skip: None,
            update: None,
            pipeline: None,
            documents: None,
            field: None,
            options: None,
            site: None,
            context: Context::default(),
            uses: Uses::default(),
            runs: None,
            demand: None,
        }
    }

    /// An option by its name.
    pub fn option(&self, name: &str) -> Option<&Term> {
        self.options.as_ref()?.get(name)
    }

    /// Whether an upsert is asked for, for certain.
    pub fn is_upsert(&self) -> bool {
        self.option("upsert").and_then(Term::as_bool) == Some(true)
    }

    /// The filter, understood. A call without one matches all.
    pub fn conditions(&self) -> Filter {
        self.filter.as_ref().map(Filter::read).unwrap_or_default()
    }

    /// The name of its input.
    pub fn file(&self) -> Option<&str> {
        match self.site.as_ref()? {
            Site::Source { file, .. } | Site::Entry { file, .. } => Some(file),
        }
    }

    /// Adds runs of the same shape. The one that examined the most stays as the example.
    pub fn fold(&mut self, mut other: Operation) {
        fn weight(operation: &Operation) -> (u64, std::cmp::Reverse<Option<&Site>>) {
            let runs = operation.runs.as_ref();
            (runs.map_or(0, |runs| runs.docs_examined.max), std::cmp::Reverse(operation.site.as_ref()))
        }
        if weight(self) < weight(&other) {
            std::mem::swap(self, &mut other);
            // What has been counted so far is the larger part.
            std::mem::swap(&mut self.runs, &mut other.runs);
        }
        match (&mut self.runs, other.runs) {
            (Some(runs), Some(more)) => runs.merge(&more),
            (none @ None, more) => *none = more,
            (Some(_), None) => {}
        }
    }

    /// Forgets the literals of its parts.
    pub fn forget_values(&mut self) {
        super::hide::hide(self);
    }
}

impl Runs {
    /// Adds one run on a connection, which a hash tells apart, at a time in milliseconds.
    pub fn at(&mut self, connection: u64, time: i64) {
        self.first = Some(self.first.map_or(time, |first| first.min(time)));
        self.last = self.last.max(Some(time));
        let second = time.div_euclid(1_000);
        let mut key = [0; 16];
        let (left, right) = key.split_at_mut(8);
        left.copy_from_slice(&connection.to_le_bytes());
        right.copy_from_slice(&second.to_le_bytes());
        *self.bursts.entry(xxh3_64(&key)).or_default() += 1;
        self.bound();
    }

    /// Seconds in which it ran, those of each connection by themselves; of very many an estimate.
    pub fn busy_seconds(&self) -> u64 {
        let kept = self.bursts.len() as u64;
        match self.bursts.last_key_value() {
            // The greatest of the smallest hashes tells how many there are.
            Some((greatest, _)) if self.bursts.len() == MAX_BURSTS => {
                let estimate = u128::from(kept) * u128::from(u64::MAX) / u128::from((*greatest).max(1));
                u64::try_from(estimate).unwrap_or(u64::MAX)
            }
            _ => kept,
        }
    }

    /// Whether the runs asked for many different values, as against the same again and again: at least half as many as
    /// there are runs in their longest burst, as far as they are counted.
    pub fn ask_for_many(&self) -> bool {
        self.longest_burst.min(MAX_ASKED as u64) <= 2 * self.asked.len() as u64
    }

    /// Adds other runs of the same shape.
    pub fn merge(&mut self, other: &Runs) {
        self.count = self.count.saturating_add(other.count);
        self.first = [self.first, other.first].into_iter().flatten().min();
        self.last = self.last.max(other.last);
        for (mine, more) in [
            (&mut self.micros, other.micros),
            (&mut self.docs_examined, other.docs_examined),
            (&mut self.keys_examined, other.keys_examined),
            (&mut self.returned, other.returned),
            (&mut self.bytes, other.bytes),
            (&mut self.write_conflicts, other.write_conflicts),
            (&mut self.shards, other.shards),
        ] {
            mine.merge(more);
        }
        self.sorted = self.sorted.saturating_add(other.sorted);
        self.spilled = self.spilled.saturating_add(other.spilled);
        for (counts, more) in [(&mut self.plans, &other.plans), (&mut self.applications, &other.applications)] {
            for (name, count) in more {
                match counts.get_mut(name) {
                    Some(known) => *known = known.saturating_add(*count),
                    None => {
                        counts.insert(name.clone(), *count);
                    }
                }
            }
        }
        for (key, count) in &other.bursts {
            let known = self.bursts.entry(*key).or_default();
            *known = known.saturating_add(*count);
        }
        self.ids.merge(&other.ids);
        self.asked.extend(&other.asked);
        self.bound();
    }

    /// Keeps what has the smallest hashes: whatever the order and the parts in which runs come, the same stays.
    fn bound(&mut self) {
        while self.bursts.len() > MAX_BURSTS {
            self.bursts.pop_last();
        }
        while self.asked.len() > MAX_ASKED {
            self.asked.pop_last();
        }
        self.longest_burst = self.bursts.values().copied().max().unwrap_or_default();
        for names in [&mut self.plans, &mut self.applications] {
            while names.len() > MAX_NAMES {
                let last = names.keys().max_by_key(|name| xxh3_64(name.as_bytes())).cloned();
                names.remove(&last.unwrap_or_default());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_frequent_id_stands_out_of_many() {
        let mut few = Ids::default();
        for id in [7, 9, 9] {
            few.add(id);
        }
        assert_eq!((few.most(), few.total()), (Some((9, 2)), 3));
        let (mut ids, mut parts) = (Ids::default(), [Ids::default(), Ids::default()]);
        let hot = xxh3_64(b"hot");
        for i in 0..20_000_u64 {
            let id = if i % 5 == 0 { hot } else { xxh3_64(&i.to_le_bytes()) };
            ids.add(id);
            parts[usize::from(i % 3 == 0)].add(id);
        }
        let (id, count) = ids.most().unwrap();
        assert_eq!((id, ids.total()), (hot, 20_000));
        assert!((4_000..4_400).contains(&count), "{count}");
        let [mut one, other] = parts;
        one.merge(&other);
        assert_eq!(one, ids);
    }

    #[test]
    fn bursts_are_counted_by_connection_and_second() {
        let mut runs = Runs::default();
        for time in [1_000, 1_200, 1_999, 2_000, -1] {
            runs.at(1, time);
        }
        runs.at(2, 1_500);
        assert_eq!((runs.longest_burst, runs.first, runs.last), (3, Some(-1), Some(2_000)));
    }
}
