//! Plans: what explain outputs show, and what servers tell of the runs of a query shape in logs and profiler.

pub(super) mod collection_scan;
pub(super) mod empty_namespace;
pub(super) mod in_memory_sort;
pub(super) mod key_overscan;
pub(super) mod lookup_cost;
pub(super) mod lookup_scan;
pub(super) mod low_yield;
pub(super) mod residual_filter;
pub(super) mod scatter_gather;
pub(super) mod shard_skew;
pub(super) mod spill;
pub(super) mod unstable_plan;

use std::collections::{BTreeMap, BTreeSet};

use super::{Draft, Findings, Place};
use crate::catalogue::Plan;
use crate::catalogue::plan::{Lookup, Part, Stage};
use crate::model::Model;
use crate::model::access::Purpose;
use crate::workload::{Filter, Operation, Operator, Pipeline, Runs, Term, Verb, shape};

/// A query shape that was seen running and that no explain output tells more about.
struct Logged<'m> {
    operation: &'m Operation,
    runs: &'m Runs,
    /// The subject that the rules on indexes name for the same query shape.
    subject: String,
}

/// The query shapes that servers tell of, those aside that only wait for changes.
fn logged(model: &Model) -> Vec<Logged<'_>> {
    let explained: BTreeSet<String> =
        model.plans.iter().filter_map(|plan| plan.operation.as_ref()).map(shape::key).collect();
    let operations: Vec<&Operation> = model.workload.iter().collect();
    let mut firsts: BTreeMap<usize, usize> = BTreeMap::new();
    for access in model.accesses.iter().filter(|access| access.purpose != Purpose::Join) {
        if let Some(first) = access.operations.first() {
            firsts.extend(access.operations.iter().map(|at| (*at, *first)));
        }
    }
    let mut out = Vec::new();
    for (at, operation) in operations.iter().enumerate() {
        let Some(runs) = operation.runs.as_ref().filter(|runs| runs.count > 0) else { continue };
        let no_query = matches!(operation.verb, Verb::Watch | Verb::Insert | Verb::EstimatedCount);
        if no_query || explained.contains(&shape::key(operation)) {
            continue;
        }
        let first = firsts.get(&at).and_then(|first| operations.get(*first)).unwrap_or(operation);
        let place = model.locate(first, None).and_then(|location| Some((location.file, location.start?)));
        let subject = match place {
            Some((file, start)) => format!("{file}:{}:{}", start.line, start.column),
            None => shape::key(operation),
        };
        out.push(Logged { operation, runs, subject });
    }
    out
}

impl Logged<'_> {
    /// A finding about the shape, at the run that examined most.
    fn tell<'f>(&self, model: &Model, findings: &'f mut Findings<'_>, sampled: u64) -> &'f mut Draft {
        let draft = findings.measured(Place::operation(model, self.operation, None), sampled);
        draft.cause(&self.subject).number("runs", self.runs.count);
        draft
    }

    /// Whether each document that was examined is either returned or was examined in vain: nothing joins, groups or
    /// takes documents apart, and nothing was dropped behind a sort.
    fn returns_what_it_finds(&self) -> bool {
        let plain = match (&self.operation.pipeline, self.operation.verb) {
            (Some(pipeline), _) => Pipeline::read(pipeline).stages.iter().all(|stage| {
                stage.is_any(&["$match", "$project", "$set", "$addFields", "$unset", "$sort", "$limit", "$replaceRoot"])
            }),
            (None, verb) => !matches!(verb, Verb::Count | Verb::Distinct | Verb::Aggregate),
        };
        let runs = self.runs;
        plain && runs.sorted == 0 && self.operation.skip.is_none() && runs.returned.count == runs.docs_examined.count
    }

    /// Whether a plan of this kind was used.
    fn used(&self, stage: &str) -> bool {
        self.runs.plans.keys().any(|plan| plan.contains(stage))
    }
}

/// The conditions under which an operation reads the collection.
fn conditions(operation: &Operation) -> Vec<Filter> {
    match &operation.pipeline {
        Some(pipeline) => Pipeline::read(pipeline).leading_match(),
        None => operation.filter.as_ref().map(Filter::read).into_iter().collect(),
    }
}

/// Whether an operation reads under conditions at all.
fn is_selective(operation: &Operation) -> bool {
    conditions(operation).iter().any(|filter| !filter.matches_all())
}

/// Whether an operation asks for one value of some field.
fn asks_for_one_value(operation: &Operation) -> bool {
    conditions(operation).iter().any(|filter| filter.conjuncts().iter().any(|(_, test)| test.operator == Operator::Eq))
}

/// The sort of an operation that an index could give: one on stored fields.
fn stored_sort(operation: &Operation) -> Option<Vec<String>> {
    let read = operation.pipeline.as_ref().map(Pipeline::read);
    let sort = match &read {
        Some(pipeline) => pipeline.leading_sort(),
        None => operation.sort.as_ref(),
    };
    let keys = sort?.members()?;
    let stored = keys.iter().all(|key| key.value.get("$meta").is_none());
    (stored && !keys.is_empty()).then(|| keys.iter().filter_map(|key| key.name().map(str::to_owned)).collect())
}

/// Where a finding about a plan stands.
fn place(model: &Model, plan: &Plan) -> Place {
    let place = plan.ns.as_ref().map_or_else(Place::none, Place::collection);
    match model.sources.locate_site(&plan.site, None) {
        Some(location) => place.at(location),
        None => place,
    }
}

/// The subject of findings about a plan.
fn subject(plan: &Plan) -> String {
    format!("plan {:?}", plan.site)
}

/// A finding that follows from a plan.
fn certain<'f>(model: &Model, plan: &Plan, findings: &'f mut Findings<'_>) -> &'f mut Draft {
    let draft = findings.certain(place(model, plan));
    draft.cause(subject(plan));
    draft
}

/// A finding on the figures of a plan that ran.
fn measured<'f>(model: &Model, plan: &Plan, findings: &'f mut Findings<'_>, sampled: u64) -> &'f mut Draft {
    let draft = findings.measured(place(model, plan), sampled);
    draft.cause(subject(plan));
    draft
}

/// The sum of a figure over the parts of a plan; nothing where a part lacks it.
fn sum(plan: &Plan, of: fn(&Part) -> Option<u64>) -> Option<u64> {
    plan.parts.iter().map(of).try_fold(0_u64, |sum, figure| Some(sum.saturating_add(figure?)))
}

/// Documents examined and documents that matched, where a plan narrows by an ordinary index.
fn yielded(plan: &Plan) -> Option<(u64, u64)> {
    let special = |stage: &&Stage| {
        ["GEO_NEAR", "TEXT", "COLLSCAN", "COUNT_SCAN", "DISTINCT_SCAN"].iter().any(|name| stage.name.starts_with(name))
    };
    if plan.stages().iter().any(special) {
        return None;
    }
    Some((sum(plan, Part::own_docs)?, sum(plan, Part::matched)?))
}

/// The joins of a plan, each with its stage.
fn lookups(plan: &Plan) -> Vec<(&Stage, &Lookup)> {
    plan.stages().into_iter().filter_map(|stage| Some((stage, stage.lookup.as_ref()?))).collect()
}

/// Names of a join for words, and its place in the pipeline.
fn describe(draft: &mut Draft, lookup: &Lookup) {
    draft.text("from", lookup.from.as_deref().unwrap_or("?"));
    if let Some(foreign) = &lookup.foreign {
        draft.text("foreign", foreign);
    }
}

/// The position of a join in the pipeline that was explained.
fn position(plan: &Plan, lookup: &Lookup) -> Option<u32> {
    let pipeline = plan.operation.as_ref()?.pipeline.as_ref()?;
    let into = lookup.into.as_deref()?;
    let is_it = |stage: &Term| stage.get("$lookup").and_then(|join| join.get("as")?.as_str()) == Some(into);
    pipeline.elements()?.iter().position(is_it).and_then(|at| u32::try_from(at).ok())
}
