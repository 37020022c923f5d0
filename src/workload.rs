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
use std::collections::btree_map::Entry;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

pub use filter::{Filter, Operator, Predicate, Test};
pub use operation::{Api, Context, Demand, Ids, Loop, LoopKind, Operation, Over, Runs, Site, Spread, Uses, Verb};
pub use pipeline::Pipeline;
pub use term::{Hole, Key, Member, Origin, Span, Term, What, may_be_same};
pub use update::{Change, Update};

use crate::catalogue::Namespace;
use crate::order::Ordered;
use crate::value::location::Location;

/// All operations of a run.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Workload {
    /// Operations of scripts and source code, each as often as it is written.
    written: Vec<Operation>,
    /// Operations that were seen running, by collection.
    logged: BTreeMap<Namespace, Shapes>,
}

/// Query shapes of one collection that are kept.
pub const MOST_SHAPES: usize = 1000;

/// The operations on one collection that were seen running, one for each query shape.
///
/// Of more than [`MOST_SHAPES`] those with the smallest hashes are kept, a fair part: whatever the order and the parts
/// in which runs come, the same stay, and with them all of their runs.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
struct Shapes {
    /// By the hash of the shape.
    kept: BTreeMap<u64, Operation>,
    /// Runs of all other shapes.
    left_out: u64,
    /// The last time of these, in milliseconds since the Unix epoch.
    last_left_out: Option<i64>,
}

impl Shapes {
    fn add(&mut self, hash: u64, operation: Operation) {
        if let Some(known) = self.kept.get_mut(&hash) {
            known.fold(operation);
            return;
        }
        let is_full = self.kept.len() >= MOST_SHAPES;
        if is_full && self.kept.last_key_value().is_some_and(|(last, _)| *last < hash) {
            self.leave_out(&operation);
            return;
        }
        self.kept.insert(hash, operation);
        if is_full && let Some((_, last)) = self.kept.pop_last() {
            self.leave_out(&last);
        }
    }

    fn leave_out(&mut self, operation: &Operation) {
        let runs = operation.runs.as_ref();
        self.left_out = self.left_out.saturating_add(runs.map_or(1, |runs| runs.count));
        self.last_left_out = self.last_left_out.max(runs.and_then(|runs| runs.last));
    }

    fn merge(&mut self, other: Shapes) {
        self.left_out = self.left_out.saturating_add(other.left_out);
        self.last_left_out = self.last_left_out.max(other.last_left_out);
        for (hash, operation) in other.kept {
            self.add(hash, operation);
        }
    }
}

impl Workload {
    /// Adds operations of a script.
    pub fn extend(&mut self, operations: impl IntoIterator<Item = Operation>) {
        self.written.extend(operations);
    }

    /// Replaces the operations of a script.
    pub(crate) fn replace(&mut self, input: &str, operations: Vec<Operation>) {
        self.written.retain(|operation| operation.file() != Some(input));
        self.written.extend(operations);
    }

    /// Adds an operation that was seen running. Runs of one shape are folded into one operation.
    pub fn log(&mut self, operation: Operation) {
        let hash = xxh3_64(shape::key(&operation).as_bytes());
        let ns = operation.ns.clone().unwrap_or_else(|| Namespace::bare(""));
        self.logged.entry(ns).or_default().add(hash, operation);
    }

    /// Adds operations that were seen running.
    pub fn log_all(&mut self, operations: impl IntoIterator<Item = Operation>) {
        operations.into_iter().for_each(|operation| self.log(operation));
    }

    /// Adds all that another part of the evidence tells.
    pub fn merge(&mut self, other: Workload) {
        self.written.extend(other.written);
        for (ns, shapes) in other.logged {
            self.logged.entry(ns).or_default().merge(shapes);
        }
    }

    /// Forgets the literals of operations that were seen running: they are values of documents.
    pub fn forget_values(&mut self) {
        self.logged_mut().for_each(Operation::forget_values);
    }

    /// Hands over the place of every operation that was seen running.
    pub(crate) fn each_site(&mut self, change: impl FnMut(&mut Site)) {
        self.logged_mut().filter_map(|operation| operation.site.as_mut()).for_each(change);
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
        let left_out = self.logged.values().filter_map(|shapes| shapes.last_left_out);
        self.logged().filter_map(|operation| operation.runs.as_ref()?.last).chain(left_out).max()
    }

    /// Collections of more query shapes than are kept: how often others ran, and the first input that tells of them.
    pub fn left_out(&self) -> impl Iterator<Item = (&Namespace, u64, Option<&str>)> {
        let crowded = self.logged.iter().filter(|(_, shapes)| 0 < shapes.left_out);
        crowded.map(|(ns, shapes)| (ns, shapes.left_out, shapes.kept.values().filter_map(Operation::file).min()))
    }

    /// All operations: those of sources, then those that were seen running.
    pub fn iter(&self) -> impl Iterator<Item = &Operation> {
        self.written.iter().chain(self.logged())
    }

    fn logged(&self) -> impl Iterator<Item = &Operation> {
        self.logged.values().flat_map(|shapes| shapes.kept.values())
    }

    fn logged_mut(&mut self) -> impl Iterator<Item = &mut Operation> {
        self.logged.values_mut().flat_map(|shapes| shapes.kept.values_mut())
    }

    /// The operations with names completed by the only database of the run: those of sources by file and place, then
    /// those that were seen running by shape.
    pub fn resolve(&self, database: Option<&str>) -> Operations {
        let complete = |operation: &Operation| {
            let mut operation = operation.clone();
            operation.ns = operation.ns.map(|ns| ns.within(database));
            operation
        };
        let mut written: Vec<Operation> = self.written.iter().map(complete).collect();
        written.order_by(|a, b| a.site.cmp(&b.site));
        let mut logged: BTreeMap<String, Operation> = BTreeMap::new();
        for operation in self.logged().map(complete) {
            match logged.entry(shape::key(&operation)) {
                Entry::Occupied(mut known) => known.get_mut().fold(operation),
                Entry::Vacant(new) => {
                    new.insert(operation);
                }
            }
        }
        written.extend(logged.into_values());
        Operations::new(written)
    }
}

/// The operations of a run, in their final order, with names completed.
#[derive(Debug, Clone, Default)]
pub struct Operations {
    all: Vec<Operation>,
    by_collection: BTreeMap<Namespace, Vec<usize>>,
    /// Operations of sources by file, and by their number in it.
    by_number: BTreeMap<String, BTreeMap<u32, usize>>,
}

impl Operations {
    fn new(all: Vec<Operation>) -> Self {
        let mut by_collection: BTreeMap<Namespace, Vec<usize>> = BTreeMap::new();
        let mut by_number: BTreeMap<String, BTreeMap<u32, usize>> = BTreeMap::new();
        for (at, operation) in all.iter().enumerate() {
            if let Some(ns) = &operation.ns {
                by_collection.entry(ns.clone()).or_default().push(at);
            }
            if let Some(file) = operation.file().filter(|_| operation.runs.is_none()) {
                match by_number.get_mut(file) {
                    Some(numbers) => {
                        numbers.entry(operation.context.number).or_insert(at);
                    }
                    None => {
                        by_number.insert(file.to_owned(), BTreeMap::from([(operation.context.number, at)]));
                    }
                }
            }
        }
        Operations { all, by_collection, by_number }
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

    /// The operation of a number in the file that another one stands in.
    pub fn beside(&self, operation: &Operation, number: u32) -> Option<&Operation> {
        self.all.get(*self.by_number.get(operation.file()?)?.get(&number)?)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Value;

    /// A find on a field of that name, seen running at a time.
    fn seen(field: &str, time: i64) -> Operation {
        let mut operation = Operation::new(Some(Namespace::parse("shop.orders")), Verb::Find, "find");
        operation.filter = Some(Term::from(Value::Object(vec![(field.to_owned(), Value::Int(1))])));
        let mut runs = Runs { count: 1, ..Runs::default() };
        runs.at(1, time);
        operation.runs = Some(runs);
        operation
    }

    #[test]
    fn names_that_are_data_are_one_shape() {
        let mut workload = Workload::default();
        for at in 0..5_000 {
            workload.log(seen(&format!("scores.65f0000000000000{at:08x}"), at));
            workload.log(seen(&format!("seats.{at}.free"), at));
            workload.log(seen(&format!("days.2026-{:02}-{:02}", at % 12 + 1, at % 28 + 1), at));
        }
        let operations = workload.resolve(None);
        let runs: Vec<u64> = operations.iter().filter_map(|o| Some(o.runs.as_ref()?.count)).collect();
        assert_eq!(runs, [5_000, 5_000, 5_000]);
        assert_eq!(workload.left_out().count(), 0);
    }

    #[test]
    fn of_too_many_shapes_the_same_part_stays_in_any_order_and_the_rest_is_counted() {
        let all: Vec<Operation> =
            (0..3_000).map(|at| seen(&format!("x{at}y"), at)).chain([seen("x0y", 9_000)]).collect();
        let mut whole = Workload::default();
        whole.log_all(all.iter().cloned());
        let (mut one, mut other) = (Workload::default(), Workload::default());
        one.log_all(all.iter().rev().step_by(2).cloned());
        other.log_all(all.iter().rev().skip(1).step_by(2).cloned());
        other.merge(one);
        assert_eq!(other, whole);
        let kept: u64 = whole.iter().filter_map(|operation| Some(operation.runs.as_ref()?.count)).sum();
        let (ns, left_out, _) = whole.left_out().next().unwrap();
        assert_eq!((whole.iter().count(), ns.to_string()), (MOST_SHAPES, "shop.orders".to_owned()));
        assert_eq!((kept + left_out, whole.newest()), (3_001, Some(9_000)));
    }
}
