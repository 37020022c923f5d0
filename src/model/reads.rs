//! What the workload repeats: parts of arrays, figures that could be kept, increments that could be estimated.

use std::collections::BTreeMap;

use super::Model;
use super::declared::is_named;
use super::relation::{Join, Load, Shown, Way};
use crate::catalogue::Namespace;
use crate::config::intent::Pattern;
use crate::facts::names;
use crate::value::time::DAY;
use crate::workload::pipeline::{Pipeline, Stage, is_within};
use crate::workload::{Operation, Operator, Runs, Term, Update, Verb, What};

/// How reads use an array.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ArrayReads {
    /// Reads of a part: a `$slice`, the first or last elements.
    pub part: Load,
    /// Reads of the whole array.
    pub whole: Load,
    /// The largest part that is read, in elements; 0 where none is known.
    pub largest_part: u64,
    /// Position of the first read of a part.
    pub operation: Option<usize>,
}

/// Levels of an expression that are followed.
const DEEPEST: u32 = 30;

/// How the workload reads an array.
pub fn of_array(model: &Model, ns: &Namespace, path: &str) -> ArrayReads {
    let mut reads = ArrayReads::default();
    for (at, operation) in model.workload.iter().enumerate().filter(|(_, o)| o.ns.as_ref() == Some(ns)) {
        let taken = match operation.verb {
            Verb::Find | Verb::FindOne => of_projection(operation, path),
            Verb::Aggregate => operation.pipeline.as_ref().map_or(Taken::Unknown, |term| of_pipeline(term, path)),
            _ => continue,
        };
        match taken {
            Taken::Part(elements) => {
                reads.part.add(Load::of(operation));
                reads.largest_part = reads.largest_part.max(elements);
                reads.operation.get_or_insert(at);
            }
            Taken::Whole => reads.whole.add(Load::of(operation)),
            Taken::Nothing | Taken::Unknown => {}
        }
    }
    reads
}

/// What one read takes of an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Taken {
    /// So many elements; 0 where the number is not known.
    Part(u64),
    Whole,
    Nothing,
    Unknown,
}

fn of_projection(operation: &Operation, path: &str) -> Taken {
    let Some(projection) = &operation.projection else { return Taken::Whole };
    let Some(members) = projection.members().filter(|_| projection.is_closed()) else { return Taken::Unknown };
    let mut includes = false;
    for member in members {
        let Some(name) = member.name() else { return Taken::Unknown };
        if name == path
            && let Some(slice) = member.value.get("$slice")
        {
            return Taken::Part(elements(slice, 1));
        }
        if let Some(found) = sliced(&member.value, path, DEEPEST) {
            return Taken::Part(found);
        }
        let keeps = member.value.as_scalar().and_then(crate::value::Value::as_f64).is_some_and(|number| number != 0.0)
            || member.value.as_bool() == Some(true);
        if is_within(path, name) {
            return if keeps { Taken::Whole } else { Taken::Nothing };
        }
        includes |= keeps && name != "_id";
    }
    if includes { Taken::Nothing } else { Taken::Whole }
}

fn of_pipeline(term: &Term, path: &str) -> Taken {
    let pipeline = Pipeline::read(term);
    let mut unwound = false;
    let mut sorted = false;
    for stage in pipeline.certain() {
        if stage.is_any(&["$project", "$set", "$addFields"])
            && let Some(found) = sliced(&stage.argument, path, DEEPEST)
        {
            return Taken::Part(found);
        }
        if stage.is("$unwind") {
            let at = stage.argument.as_str().or_else(|| stage.argument.get("path").and_then(Term::as_str));
            unwound |= at.and_then(|at| at.strip_prefix('$')) == Some(path);
        }
        if stage.is("$sort") && unwound {
            let within = |name: &str| is_within(name, path);
            sorted |=
                stage.argument.members().is_some_and(|keys| keys.iter().any(|key| key.name().is_some_and(within)));
        }
        if stage.is("$limit") && sorted {
            return Taken::Part(stage.argument.as_i64().and_then(|limit| u64::try_from(limit).ok()).unwrap_or(0));
        }
    }
    if pipeline.open {
        Taken::Unknown
    } else if unwound {
        Taken::Whole
    } else {
        Taken::Nothing
    }
}

/// How many elements an expression takes of an array; 0 where the number is not known.
fn sliced(term: &Term, path: &str, depth: u32) -> Option<u64> {
    let depth = depth.checked_sub(1)?;
    let is_array = |term: &Term| term.as_str().and_then(|text| text.strip_prefix('$')) == Some(path);
    match &term.what {
        What::Object(members) => members.iter().find_map(|member| {
            let arguments = member.value.elements();
            let first = arguments.and_then(<[Term]>::first).unwrap_or(&member.value);
            match member.name() {
                Some("$slice") if is_array(first) => Some(elements(&member.value, 2)),
                Some("$first" | "$last" | "$arrayElemAt") if is_array(first) => Some(1),
                Some("$firstN" | "$lastN") if member.value.get("input").is_some_and(is_array) => {
                    Some(member.value.get("n").map_or(0, |n| elements(n, 1)))
                }
                _ => sliced(&member.value, path, depth),
            }
        }),
        What::Array(inner) => inner.iter().find_map(|term| sliced(term, path, depth)),
        What::Value(_) | What::Hole(_) => None,
    }
}

/// The number of elements of a slice: of `-5`, `[10, 5]`, or the arguments of the expression.
fn elements(slice: &Term, least: usize) -> u64 {
    let number = match slice.elements() {
        Some(parts) if least <= parts.len() => parts.last(),
        Some(_) => None,
        None => Some(slice),
    };
    number.and_then(Term::as_i64).map_or(0, i64::unsigned_abs)
}

/// How often documents of a collection are written.
pub fn writes(model: &Model, ns: &Namespace) -> Load {
    let written =
        model.workload.iter().filter(|operation| operation.ns.as_ref() == Some(ns) && operation.verb.is_write());
    written.fold(Load::default(), |sum, operation| sum.and(Load::of(operation)))
}

/// Runs a day, or runs that were seen, from which on an aggregation counts as repeated.
pub const MIN_REPEATED: u64 = 100;
/// How many times more often it must run than its documents are written.
pub const MIN_RATIO: u64 = 10;

/// An aggregation whose figures could be kept.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Repeated<'m> {
    /// The operation.
    pub operation: &'m Operation,
    /// The collection that the figures follow from.
    pub source: &'m Namespace,
    /// How often it runs.
    pub reads: f64,
    /// How often its source is written, in the same unit.
    pub writes: f64,
    /// Whether both are declared runs a day; else runs that were seen.
    pub declared: bool,
}

/// The aggregations that are repeated on documents of which it is known how often they are written, and whose figures
/// nobody declares as kept.
pub fn repeated(model: &Model) -> Vec<Repeated<'_>> {
    let mut found = Vec::new();
    for (at, pipeline) in &model.pipelines {
        let Some(operation) = model.workload.get(*at) else { continue };
        let Some(ns) = &operation.ns else { continue };
        let stages = pipeline.certain();
        if pipeline.open || stages.iter().any(|stage| stage.is_any(&["$out", "$merge"])) {
            continue;
        }
        let counts = |join: &Join| join.operation == *at && join.way == Way::Lookup && join.shown == Shown::Count;
        let counted = model.relations.iter().find(|relation| relation.uses.backward.iter().any(counts));
        let source = match counted {
            Some(relation) => &relation.from,
            None if groups(stages) => ns,
            None => continue,
        };
        if is_kept(model, source) {
            continue;
        }
        let (reads, writes) = (Load::of(operation), writes(model, source));
        // What was never seen written may be written where nobody looked.
        if writes.is_none() {
            continue;
        }
        // Both must be told in one unit.
        if 0.0 < reads.per_day {
            let (reads, writes) = (reads.per_day, writes.per_day);
            found.push(Repeated { operation, source, reads, writes, declared: true });
        } else if 0 < reads.runs {
            let (reads, writes) = (reads.runs as f64, writes.runs as f64);
            found.push(Repeated { operation, source, reads, writes, declared: false });
        }
    }
    found
}

/// Whether documents are grouped into figures: sums, counts, means; not put together from their parts.
fn groups(stages: &[Stage]) -> bool {
    stages.iter().any(|stage| match stage.name.as_deref() {
        Some("$count" | "$sortByCount") => true,
        Some("$group") => {
            let members = stage.argument.members().unwrap_or_default();
            let figures = members.iter().filter(|member| member.name() != Some("_id"));
            let is_figure = |term: &Term| {
                term.only_member().is_some_and(|(name, _)| matches!(name, "$sum" | "$avg" | "$min" | "$max" | "$count"))
            };
            let mut all = figures.map(|member| is_figure(&member.value)).peekable();
            all.peek().is_some() && all.all(|is_figure| is_figure)
        }
        _ => false,
    })
}

/// Whether the team keeps a value that is computed from this collection already.
fn is_kept(model: &Model, source: &Namespace) -> bool {
    model.intent.derived.iter().any(|derived| {
        let declared = derived.source.as_deref().unwrap_or_default();
        declared.match_indices('.').any(|(at, _)| declared.get(..at).is_some_and(|name| is_named(source, name)))
    })
}

/// Increments of one document, from which on they are many.
pub const MIN_INCREMENTS: u64 = 100;
/// Increments a second that one document must take.
pub const MIN_PER_SECOND: f64 = 1.0;
/// A shorter time tells no rate, in milliseconds.
const SHORTEST: u64 = 10_000;

/// A number that is raised with every event, and of which an estimate is as good.
#[derive(Debug, Clone, PartialEq)]
pub struct Increments<'m> {
    /// Its collection.
    pub ns: &'m Namespace,
    /// Its path.
    pub path: String,
    /// How the increments ran.
    pub runs: Runs,
    /// Increments of the document that took most of them.
    pub hits: u64,
    /// Increments a second: of that document where they were seen, else of all as declared.
    pub per_second: f64,
    /// Whether they were seen; else they are declared.
    pub seen: bool,
}

/// The numbers that updates of single documents raise and that may be estimates; what the team has decided is left out.
pub fn increments(model: &Model) -> Vec<Increments<'_>> {
    let mut seen: BTreeMap<(&Namespace, String), (Runs, f64)> = BTreeMap::new();
    for operation in model.workload.iter() {
        let (Some(ns), Some(path)) = (&operation.ns, estimated(operation)) else { continue };
        let (runs, declared) = seen.entry((ns, path)).or_default();
        if let Some(more) = &operation.runs {
            runs.merge(more);
        }
        *declared += operation.demand.as_ref().and_then(|demand| demand.per_day).unwrap_or(0.0);
    }
    let mut found = Vec::new();
    for ((ns, path), (runs, declared)) in seen {
        if is_decided(model, ns, &path) {
            continue;
        }
        let hits = runs.ids.most().map_or(0, |(_, hits)| hits);
        let millis = runs.first.zip(runs.last).map_or(0, |(first, last)| last.abs_diff(first)).max(SHORTEST);
        let is_seen = 0 < hits;
        let per_second = if is_seen { hits as f64 * 1_000.0 / millis as f64 } else { declared * 1_000.0 / DAY as f64 };
        if 0.0 < per_second {
            found.push(Increments { ns, path, runs, hits, per_second, seen: is_seen });
        }
    }
    found
}

/// The field that an operation counts up in one document, where an estimate is as good.
fn estimated(operation: &Operation) -> Option<String> {
    if !matches!(operation.verb, Verb::Update | Verb::FindAndUpdate) || operation.many {
        return None;
    }
    let filter = operation.conditions();
    let by_id = filter.conjuncts().iter().any(|(path, test)| *path == "_id" && test.operator == Operator::Eq);
    if !by_id && operation.runs.as_ref().is_none_or(|runs| runs.ids.total() == 0) {
        return None;
    }
    let update = Update::of(operation)?;
    let leaf = |field: &str| field.rsplit('.').next().unwrap_or_default().to_owned();
    // What else is written there must be written now; the time of the last event may wait as well.
    let waits = |name: &str| names::is_event_time(name) || names::is_estimable(name);
    if update.open || !update.changes.iter().all(|change| waits(&leaf(&change.field()))) {
        return None;
    }
    let counts = update.changes.iter().find(|change| change.operator == "$inc")?;
    Some(counts.field()).filter(|field| names::is_estimable(&leaf(field)))
}

/// Whether the team has said that the number is an estimate, or that it is exact.
fn is_decided(model: &Model, ns: &Namespace, path: &str) -> bool {
    let own = |name: &str| {
        name.strip_suffix(path).and_then(|rest| rest.strip_suffix('.')).is_some_and(|name| is_named(ns, name))
    };
    let by_card = model.intent.patterns.iter().any(|card| {
        card.pattern == Pattern::Approximation
            && is_named(ns, &card.collection)
            && card.path.as_deref().is_none_or(|own| own == path)
    });
    by_card || model.intent.derived.iter().any(|derived| own(&derived.field) && derived.precision.is_some())
}
