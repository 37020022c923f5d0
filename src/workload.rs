//! The workload: what the application does, normalised, with its places in source or logs.
//!
//! Scripts, source code, profiler entries, logs and query statistics all become [`Operation`]s. What a text does not
//! tell is a typed hole in a [`Term`], never a guess.

pub mod command;
pub mod filter;
mod hide;
pub mod operation;
pub mod pipeline;
pub mod shape;
pub mod term;
pub mod update;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use filter::{Filter, Operator, Predicate, Test};
pub use operation::{Api, Context, Demand, Ids, Loop, LoopKind, Operation, Over, Runs, Site, Spread, Verb};
pub use pipeline::Pipeline;
pub use term::{Hole, Key, Member, Origin, Span, Term, What};
pub use update::{Change, Update};

use crate::catalogue::Namespace;
use crate::order::Ordered;
use crate::value::location::Location;

/// All operations of a run.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Workload {
    /// Operations of scripts and source code, each as often as it is written.
    written: Vec<Operation>,
    /// Operations that were seen running, one for each query shape.
    logged: BTreeMap<String, Operation>,
}

impl Workload {
    /// Adds operations of a script.
    pub fn extend(&mut self, operations: impl IntoIterator<Item = Operation>) {
        self.written.extend(operations);
    }

    /// Adds an operation that was seen running. Runs of one shape are folded into one operation.
    pub fn log(&mut self, operation: Operation) {
        let key = shape::key(&operation);
        match self.logged.get_mut(&key) {
            Some(known) => known.fold(operation),
            None => {
                self.logged.insert(key, operation);
            }
        }
    }

    /// Adds operations that were seen running.
    pub fn log_all(&mut self, operations: impl IntoIterator<Item = Operation>) {
        operations.into_iter().for_each(|operation| self.log(operation));
    }

    /// Adds all that another part of the evidence tells.
    pub fn merge(&mut self, other: Workload) {
        self.written.extend(other.written);
        for operation in other.logged.into_values() {
            self.log(operation);
        }
    }

    /// Forgets the literals of operations that were seen running: they are values of documents.
    pub fn forget_values(&mut self) {
        for operation in self.logged.values_mut() {
            operation.forget_values();
        }
    }

    /// Hands over the place of every operation that was seen running.
    pub(crate) fn each_site(&mut self, change: impl FnMut(&mut Site)) {
        self.logged.values_mut().filter_map(|operation| operation.site.as_mut()).for_each(change);
    }

    /// Puts operations in their order, so that equal knowledge gives equal bytes.
    pub fn settle(&mut self) {
        self.written.order_by(|a, b| a.site.cmp(&b.site));
    }

    /// The databases that are named.
    pub fn databases(&self) -> impl Iterator<Item = &str> {
        self.iter().filter_map(|operation| operation.ns.as_ref()?.database.as_deref())
    }

    /// The newest time of an operation that was seen running, in milliseconds since the Unix epoch.
    pub fn newest(&self) -> Option<i64> {
        self.logged.values().filter_map(|operation| operation.runs.as_ref()?.last).max()
    }

    /// All operations: those of sources by file and place, then those that were seen running by shape.
    pub fn iter(&self) -> impl Iterator<Item = &Operation> {
        self.written.iter().chain(self.logged.values())
    }

    /// The operations with names completed by the only database of the run, in the order of [`Workload::iter`].
    pub fn resolve(&self, database: Option<&str>) -> Operations {
        let complete = |operation: &Operation| {
            let mut operation = operation.clone();
            operation.ns = operation.ns.map(|ns| ns.within(database));
            operation
        };
        let mut completed = Workload { written: self.written.iter().map(complete).collect(), ..Workload::default() };
        completed.settle();
        for operation in self.logged.values() {
            completed.log(complete(operation));
        }
        let Workload { mut written, logged } = completed;
        written.extend(logged.into_values());
        Operations::new(written)
    }
}

/// The operations of a run, in their final order, with names completed.
#[derive(Debug, Clone, Default)]
pub struct Operations {
    all: Vec<Operation>,
    by_collection: BTreeMap<Namespace, Vec<usize>>,
}

impl Operations {
    fn new(all: Vec<Operation>) -> Self {
        let mut by_collection: BTreeMap<Namespace, Vec<usize>> = BTreeMap::new();
        for (at, operation) in all.iter().enumerate() {
            if let Some(ns) = &operation.ns {
                by_collection.entry(ns.clone()).or_default().push(at);
            }
        }
        Operations { all, by_collection }
    }

    /// All operations: those of sources by file and place, then those that were seen running by shape.
    pub fn iter(&self) -> impl Iterator<Item = &Operation> {
        self.all.iter()
    }

    /// The operation at a position of [`Operations::iter`].
    pub fn get(&self, at: usize) -> Option<&Operation> {
        self.all.get(at)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The operations on a collection.
    pub fn of(&self, ns: &Namespace) -> impl Iterator<Item = &Operation> {
        self.by_collection.get(ns).into_iter().flatten().filter_map(|at| self.all.get(*at))
    }
}

/// The texts of a run with their lines: where a span of a source lies.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    lines: BTreeMap<String, crate::value::location::Lines>,
    texts: BTreeMap<String, String>,
}

impl Sources {
    /// Takes the texts, by name of their input.
    pub fn new<'t>(texts: impl IntoIterator<Item = (&'t String, &'t String)>) -> Self {
        let mut sources = Sources::default();
        for (name, text) in texts {
            sources.lines.insert(name.clone(), crate::value::location::Lines::new(text));
            sources.texts.insert(name.clone(), text.clone());
        }
        sources
    }

    /// What is written at a span of the source that an operation stands in.
    pub fn text(&self, operation: &Operation, span: Option<Span>) -> Option<&str> {
        let Some(Site::Source { file, .. }) = &operation.site else { return None };
        let span = span?;
        self.texts.get(file)?.get(span.start as usize..span.end as usize)
    }

    /// The place of an operation, or of a part of it.
    pub fn locate(&self, operation: &Operation, span: Option<Span>) -> Option<Location> {
        self.locate_site(operation.site.as_ref()?, span)
    }

    /// A place where something was found, or a part of it.
    pub fn locate_site(&self, site: &Site, span: Option<Span>) -> Option<Location> {
        match site {
            Site::Source { file, span: whole } => {
                let span = span.unwrap_or(*whole);
                match self.lines.get(file) {
                    Some(lines) => Some(lines.location(file, span.start as usize, span.end as usize)),
                    None => Some(Location { file: file.clone(), start: None, end: None }),
                }
            }
            Site::Entry { file, place, .. } => Some(Location { file: file.clone(), start: *place, end: None }),
        }
    }
}
