//! Pipelines: what the server refuses, what gives another result than meant, what order of stages costs less.

pub(super) mod blocking_memory;
pub(super) mod bucket_boundaries;
pub(super) mod computed_match;
pub(super) mod covered_group;
pub(super) mod early_project;
pub(super) mod facet_scan;
pub(super) mod first_unsorted;
pub(super) mod group_root;
pub(super) mod hidden_field;
pub(super) mod late_match;
pub(super) mod late_sort;
pub(super) mod limit_late;
pub(super) mod lookup_before_group;
pub(super) mod lookup_before_limit;
pub(super) mod lookup_chain;
pub(super) mod lookup_expr;
pub(super) mod lookup_then_filter;
pub(super) mod lookup_unindexed;
pub(super) mod lookup_unwind_first;
pub(super) mod merge_on_unindexed;
pub(super) mod missing_dollar;
pub(super) mod repeated;
pub(super) mod skip_before_sort;
pub(super) mod sort_no_limit;
pub(super) mod stage_order;
pub(super) mod stage_shape;
pub(super) mod unknown_operator;
pub(super) mod unknown_stage;
pub(super) mod unwind_group;

mod moves;
mod rewrite;

use super::{Findings, Place};
use crate::catalogue::{Index, Namespace};
use crate::facts::operators::stage::Within;
use crate::finding::Severity;
use crate::model::{Collection, Model};
use crate::rules::Draft;
use crate::workload::pipeline::{Pipeline, Stage};
use crate::workload::{Operation, Term};

/// A pipeline of the workload.
struct Seen<'m> {
    model: &'m Model,
    operation: &'m Operation,
    pipeline: &'m Pipeline,
}

/// A stage at any depth of a pipeline.
struct Inner<'s> {
    /// The place of the outermost stage that holds it.
    position: u32,
    /// The stage.
    stage: &'s Stage,
    /// What holds its pipeline, outermost first; empty at the top.
    within: &'s [Within],
    /// Whether it is the first of its pipeline, as far as that is known.
    is_first: bool,
    /// Whether it is the last of its pipeline, as far as that is known.
    is_last: bool,
}

/// Pipelines within pipelines that are followed.
const DEEPEST: u32 = 20;

/// The aggregations on collections that are known by name.
fn pipelines(model: &Model) -> impl Iterator<Item = Seen<'_>> {
    model.pipelines.iter().filter_map(|(at, pipeline)| {
        let operation = model.workload.get(*at).filter(|operation| operation.ns.is_some())?;
        Some(Seen { model, operation, pipeline })
    })
}

impl<'m> Seen<'m> {
    /// Where a finding about a stage stands: at the statement.
    fn place(&self, position: u32) -> Place {
        Place::operation(self.model, self.operation, None).with_stage(position)
    }

    /// Where a finding about the whole pipeline stands.
    fn whole(&self) -> Place {
        Place::operation(self.model, self.operation, None)
    }

    /// What rules of one cause name alike: a stage of a statement.
    fn subject(&self, position: u32) -> String {
        let collection = self.operation.ns.as_ref().map(ToString::to_string).unwrap_or_default();
        format!("{collection} {:?} {position}", self.operation.site)
    }

    fn certain<'f>(&self, findings: &'f mut Findings<'_>, position: u32) -> &'f mut Draft {
        findings.certain(self.place(position)).cause(self.subject(position))
    }

    /// The collection that the pipeline reads.
    fn collection(&self) -> Option<&'m Collection> {
        self.model.collection(self.operation.ns.as_ref()?)
    }

    /// The collection that another name in the pipeline stands for, and its full name.
    fn joined(&self, database: Option<&str>, name: &str) -> Namespace {
        let own = self.operation.ns.as_ref().and_then(|ns| ns.database.clone());
        Namespace { database: database.map(str::to_owned).or(own), collection: name.to_owned() }
    }

    /// Whether strings are compared by other rules than their bytes.
    fn has_collation(&self) -> bool {
        self.operation.option("collation").is_some()
            || self.collection().is_some_and(|c| c.options().is_some_and(|options| options.collation.is_some()))
    }

    /// Calls `visit` for every stage, those of pipelines within stages included.
    fn each_stage(&self, visit: &mut impl FnMut(&Inner<'_>)) {
        each(self.pipeline, None, &mut Vec::new(), visit, DEEPEST);
    }

    /// How many documents the pipeline starts from, where that is known.
    fn stored(&self) -> Option<u64> {
        self.collection().map(Collection::stored).filter(|stored| *stored > 0)
    }
}

impl Draft {
    /// Adds how many documents are stored, where that is known.
    fn stored(&mut self, stored: Option<u64>) -> &mut Self {
        match stored {
            Some(stored) => self.documents(stored),
            None => self,
        }
    }

    /// Info where a condition holds.
    fn info_where(&mut self, holds: bool) -> &mut Self {
        if holds { self.severity(Severity::Info) } else { self }
    }
}

fn each(
    pipeline: &Pipeline,
    outer: Option<u32>,
    within: &mut Vec<Within>,
    visit: &mut impl FnMut(&Inner<'_>),
    depth: u32,
) {
    let Some(depth) = depth.checked_sub(1) else { return };
    let last = pipeline.stages.len().saturating_sub(1);
    for (at, stage) in pipeline.stages.iter().enumerate() {
        let position = outer.unwrap_or(stage.position);
        visit(&Inner { position, stage, within, is_first: at == 0, is_last: at == last });
        let holder = match stage.name.as_deref() {
            Some("$facet") => Within::Facet,
            Some("$unionWith") => Within::Union,
            _ => Within::Lookup,
        };
        for nested in stage.nested() {
            within.push(holder);
            each(&nested.pipeline, Some(position), within, visit, depth);
            within.pop();
        }
    }
}

/// The paths of a sort, where all are known.
fn sort_paths(stage: &Stage) -> Option<Vec<&str>> {
    let members = stage.argument.members()?;
    members.iter().map(|member| member.name().filter(|_| member.value.get("$meta").is_none())).collect()
}

/// Whether an index can serve an equality on a path: it leads with it and leaves no document out.
fn leads_with(index: &Index, path: &str) -> bool {
    use crate::catalogue::IndexKind::{Ascending, Descending, Hashed};
    let leads =
        index.key.first().is_some_and(|(first, kind)| first == path && matches!(kind, Ascending | Descending | Hashed));
    (leads || index.is_wildcard()) && !index.hidden && index.partial_filter.is_none()
}

/// Whether no two documents of a collection have the same value in a field, by `_id` or a unique index.
fn is_unique(collection: Option<&Collection>, path: &str) -> bool {
    let only = |index: &Index| matches!(index.key.as_slice(), [(only, _)] if only == path);
    path == "_id"
        || collection.is_some_and(|collection| {
            collection.indexes().iter().any(|index| index.unique && only(index) && index.partial_filter.is_none())
        })
}

/// The accumulators of a `$group`, `$bucket` or `$bucketAuto`: name of the field, operator, argument.
fn accumulators(stage: &Stage) -> Vec<(&str, &str, &Term)> {
    let fields = match stage.name.as_deref() {
        Some("$group") => stage.argument.members(),
        Some("$bucket" | "$bucketAuto") => stage.argument.get("output").and_then(Term::members),
        _ => None,
    };
    let fields = fields.unwrap_or_default().iter().filter(|member| member.name() != Some("_id"));
    fields
        .filter_map(|member| match member.value.members()? {
            [only] => Some((member.name()?, only.name()?, &only.value)),
            _ => None,
        })
        .collect()
}
