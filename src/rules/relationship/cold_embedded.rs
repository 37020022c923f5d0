//! Large parts that frequent reads leave out. Words, reasons and examples: cold-embedded.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{help_of, named_children};
use crate::advice;
use crate::model::relation::{Load, Shown};
use crate::model::{Collection, Model};
use crate::profile::FieldId;
use crate::rules::{Findings, Place};
use crate::workload::pipeline::{Fields, Pipeline, Reads, is_within, overlap};
use crate::workload::{Operation, Term, Verb};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// How many times the rest of the document the part must be.
    ratio: u64,
    /// Bytes of the part on average from which on it counts.
    bytes: u64,
    /// Share of the reads that may read the part.
    read: f64,
}

impl Default for Options {
    fn default() -> Self {
        Options { ratio: 10, bytes: 1_024, read: 0.1 }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for (collection, profile) in model.with_documents() {
        let mean = |bytes: u64| bytes.checked_div(profile.documents).unwrap_or(0);
        for (id, field) in named_children(collection, FieldId::ROOT) {
            let (part, path) = (mean(field.bytes), profile.path(id));
            let rest = profile.sizes.mean().saturating_sub(part).max(1);
            if part < options.bytes || part < rest.saturating_mul(options.ratio) {
                continue;
            }
            let (cold, all) = reads(model, collection, path.as_str());
            let is_cold = cold.share_of(all).is_some_and(|cold| 1.0 - options.read <= cold);
            if cold.is_none() || !is_cold {
                continue;
            }
            let decision = advice::relationship(findings.recommendations(), &collection.ns, path.as_str());
            let help = decision.and_then(|decision| help_of(&decision.decision));
            let finding = findings
                .measured(Place::path(&collection.ns, &path), profile.documents)
                .number("part", part)
                .number("rest", rest)
                .number("share", part as f64 / (part + rest) as f64)
                .number("without", cold.operations)
                .number("reads", all.operations);
            if let Some(help) = help {
                finding.help(help);
            }
        }
    }
}

/// How often the collection is read without a path, and how often at all.
fn reads(model: &Model, collection: &Collection, path: &str) -> (Load, Load) {
    let (mut cold, mut all) = (Load::default(), Load::default());
    let mut add = |is_read: bool, load: Load| {
        all.add(load);
        if !is_read {
            cold.add(load);
        }
    };
    for operation in model.workload.of(&collection.ns) {
        if let Some(is_read) = is_read(operation, path) {
            add(is_read, Load::of(operation));
        }
    }
    for relation in &model.relations {
        let shows = |shown: &Shown| match shown {
            Shown::All => true,
            Shown::Fields(fields) => fields.iter().any(|field| overlap(field, path)),
            Shown::Count => false,
        };
        let of = |is_ours: bool| move |_: &&crate::model::relation::Join| is_ours;
        let forward = relation.uses.forward.iter().filter(of(relation.to == collection.ns));
        let backward = relation.uses.backward.iter().filter(of(relation.from == collection.ns));
        // Reads of this collection itself were counted above.
        let own = |at: usize| model.workload.get(at).is_some_and(|o| o.ns.as_ref() == Some(&collection.ns));
        for join in forward.chain(backward).filter(|join| !own(join.operation)) {
            add(shows(&join.shown), join.load);
        }
    }
    (cold, all)
}

/// Whether a read takes a path, or may take it; nothing where it is no read of documents.
fn is_read(operation: &Operation, path: &str) -> Option<bool> {
    match operation.verb {
        Verb::Find | Verb::FindOne | Verb::FindAndUpdate | Verb::FindAndReplace | Verb::FindAndDelete => {
            let filter = Reads::of_filter(&operation.conditions());
            let sorts = operation.sort.iter().filter_map(Term::members).flatten();
            let is_sorted = sorts.filter_map(|member| member.name()).any(|name| overlap(name, path));
            Some(filter.may_touch(path) || is_sorted || is_shown(operation, path))
        }
        Verb::Aggregate => {
            let pipeline = Pipeline::read(operation.pipeline.as_ref()?);
            let mut fields = Fields::stored();
            for stage in &pipeline.stages {
                if fields.gone(path).is_none() && stage.reads().may_touch(path) {
                    return Some(true);
                }
                fields = fields.after(stage);
            }
            Some(pipeline.open || fields.gone(path).is_none())
        }
        _ => None,
    }
}

/// Whether a projection shows a path, or may show it.
fn is_shown(operation: &Operation, path: &str) -> bool {
    let Some(projection) = operation.projection.as_ref().filter(|projection| projection.is_closed()) else {
        return true;
    };
    let Some(members) = projection.members().filter(|members| !members.is_empty()) else { return true };
    let mut leaves_out = false;
    for member in members {
        let Some(name) = member.name() else { return true };
        let keeps = member.value.as_scalar().is_none_or(|value| {
            value.as_f64().map_or_else(|| member.value.as_bool() != Some(false), |number| number != 0.0)
        });
        if keeps && overlap(name, path) {
            return true;
        }
        if !keeps && is_within(path, name) {
            return false;
        }
        leaves_out |= keeps && name != "_id";
    }
    // An inclusion leaves all others out, an exclusion keeps them.
    !leaves_out
}
