//! What reads take of an array, and how often aggregations repeat what could be kept.

use super::Model;
use super::relation::Load;
use crate::catalogue::Namespace;
use crate::workload::pipeline::{Pipeline, is_within};
use crate::workload::{Operation, Term, Verb, What};

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
