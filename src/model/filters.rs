//! The filters of a workload, read once for all rules: those of reads and writes, of `$match`, and of what is joined.

use crate::catalogue::Namespace;
use crate::workload::{Filter, Operation, Operations, Term, Verb};

/// A filter of the workload: that of a read or a write, a `$match`, the `query` of a `$geoNear`.
#[derive(Debug)]
pub struct AskedFilter {
    /// The position of its operation in the order of [`Operations::iter`].
    pub operation: usize,
    /// As it is written.
    pub term: Term,
    /// As it is understood.
    pub filter: Filter,
    /// The collection whose documents it tests.
    pub ns: Option<Namespace>,
    /// Whether it tests documents as they are stored: no stage before it has made others of them.
    pub stored: bool,
    /// The stage of the outermost pipeline that it stands in.
    pub stage: Option<u32>,
}

/// Pipelines within pipelines that are followed.
const DEEPEST: u32 = 32;

/// Every filter of the workload, in the order of its operations.
pub fn all(workload: &Operations) -> Vec<AskedFilter> {
    let mut found = Vec::new();
    for (number, operation) in workload.iter().enumerate() {
        of(number, operation, &mut found);
    }
    found
}

fn of(number: usize, operation: &Operation, found: &mut Vec<AskedFilter>) {
    // A change stream matches events.
    let from = From { ns: operation.ns.clone(), stored: operation.verb != Verb::Watch, stage: None };
    if let Some(term) = &operation.filter {
        found.push(asked(number, term, &From { stored: true, ..from.clone() }));
    }
    if let Some(stages) = operation.pipeline.as_ref().and_then(Term::elements) {
        matches(number, stages, from, DEEPEST, found);
    }
}

/// Where the documents of a pipeline come from.
#[derive(Clone)]
struct From {
    ns: Option<Namespace>,
    stored: bool,
    /// The stage of the outermost pipeline.
    stage: Option<u32>,
}

fn asked(operation: usize, term: &Term, from: &From) -> AskedFilter {
    AskedFilter {
        operation,
        term: term.clone(),
        filter: Filter::read(term),
        ns: from.ns.clone(),
        stored: from.stored,
        stage: from.stage,
    }
}

fn matches(operation: usize, stages: &[Term], from: From, depth: u32, found: &mut Vec<AskedFilter>) {
    let Some(depth) = depth.checked_sub(1) else { return };
    let outer = from.stage;
    let mut from = from;
    for (number, stage) in stages.iter().enumerate() {
        from.stage = outer.or(u32::try_from(number).ok());
        let Some((name, argument)) = stage.only_member() else {
            from.stored = false;
            continue;
        };
        match name {
            "$match" => found.push(asked(operation, argument, &from)),
            "$geoNear" => {
                found.extend(argument.get("query").map(|query| asked(operation, query, &from)));
                from.stored = false;
            }
            "$lookup" | "$unionWith" | "$graphLookup" => {
                let named = argument.get("from").or_else(|| argument.get("coll")).unwrap_or(argument).as_str();
                let foreign = named.map(|collection| Namespace {
                    database: from.ns.as_ref().and_then(|ns| ns.database.clone()),
                    collection: collection.to_owned(),
                });
                let inner = From { stored: foreign.is_some(), ns: foreign, stage: from.stage };
                found.extend(argument.get("restrictSearchWithMatch").map(|term| asked(operation, term, &inner)));
                if let Some(stages) = argument.get("pipeline").and_then(Term::elements) {
                    matches(operation, stages, inner, depth, found);
                }
                from.stored = false;
            }
            "$facet" => {
                for member in argument.members().unwrap_or_default() {
                    if let Some(stages) = member.value.elements() {
                        matches(operation, stages, from.clone(), depth, found);
                    }
                }
                from.stored = false;
            }
            "$sort" | "$limit" | "$skip" | "$sample" => {}
            _ => from.stored = false,
        }
    }
}
