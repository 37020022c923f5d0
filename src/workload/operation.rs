//! One operation of the workload, from whatever evidence it comes.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

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
        /// Its line, where the input is text.
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
    /// How it ran, where it was seen running.
    pub runs: Option<Runs>,
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
    /// Whether it runs side by side with others (`Promise.all`).
    pub parallel: bool,
    /// Whether its result is taken: bound, returned, awaited as a value, passed on. `None` where that cannot be told.
    pub used: Option<bool>,
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
    /// Runs by plan summary (`IXSCAN { a: 1 }`).
    pub plans: BTreeMap<String, u64>,
    /// The longest row of runs on one connection within a second of each other.
    pub longest_burst: u64,
    /// Runs by hash of the `_id` that the filter names, the most frequent ones.
    pub ids: BTreeMap<u64, u64>,
    /// The names of the applications that sent them.
    pub applications: BTreeMap<String, u64>,
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
            runs: None,
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
    pub fn fold(&mut self, other: Operation) {
        let weight = |operation: &Operation| {
            let runs = operation.runs.as_ref();
            (runs.map_or(0, |runs| runs.docs_examined.max), std::cmp::Reverse(operation.site.clone()))
        };
        let (mut kept, gone) =
            if weight(&other) > weight(self) { (other, self.clone()) } else { (self.clone(), other) };
        match (&mut kept.runs, gone.runs) {
            (Some(runs), Some(more)) => runs.merge(&more),
            (none @ None, more) => *none = more,
            (Some(_), None) => {}
        }
        *self = kept;
    }

    /// Forgets the literals of its parts.
    pub fn forget_values(&mut self) {
        let parts = [&mut self.filter, &mut self.update, &mut self.pipeline, &mut self.documents, &mut self.options];
        parts.into_iter().flatten().for_each(Term::forget_values);
    }
}

impl Runs {
    /// Adds other runs of the same shape.
    pub fn merge(&mut self, other: &Runs) {
        self.count += other.count;
        self.first = [self.first, other.first].into_iter().flatten().min();
        self.last = self.last.max(other.last);
        for (mine, more) in [
            (&mut self.micros, other.micros),
            (&mut self.docs_examined, other.docs_examined),
            (&mut self.keys_examined, other.keys_examined),
            (&mut self.returned, other.returned),
            (&mut self.bytes, other.bytes),
            (&mut self.write_conflicts, other.write_conflicts),
        ] {
            mine.merge(more);
        }
        self.sorted += other.sorted;
        self.spilled += other.spilled;
        self.longest_burst = self.longest_burst.max(other.longest_burst);
        for (counts, more) in [(&mut self.plans, &other.plans), (&mut self.applications, &other.applications)] {
            for (name, count) in more {
                *counts.entry(name.clone()).or_default() += count;
            }
        }
        for (id, count) in &other.ids {
            *self.ids.entry(*id).or_default() += count;
        }
    }
}
