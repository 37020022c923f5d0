//! Joins for each document that one for each group would do. Words, reasons and examples: lookup-before-group.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{accumulators, is_unique, pipelines};
use crate::catalogue::index::{script_name, script_string};
use crate::model::Model;
use crate::rules::Findings;
use crate::workload::pipeline::{Reads, is_within, plain_path, top};
use crate::workload::{Term, What};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for seen in pipelines(model).filter(|seen| !seen.has_collation()) {
        let stages = seen.pipeline.certain();
        for (at, stage) in stages.iter().enumerate().filter(|(_, stage)| stage.is("$lookup")) {
            let Some(lookup) = stage.lookup().filter(|lookup| lookup.pipeline.is_none()) else { continue };
            let (Some(from), Some(local), Some(foreign), Some(into)) =
                (lookup.from, lookup.local, lookup.foreign, lookup.into)
            else {
                continue;
            };
            // An `$unwind` of what was joined multiplies nothing where the other side is unique.
            let unwinds = |next: &crate::workload::pipeline::Stage| {
                next.is("$unwind") && next.reads().paths.iter().any(|(path, _)| *path == into)
            };
            let unwound = stages.get(at + 1).is_some_and(unwinds);
            let other = seen.joined(lookup.database.as_deref(), &from);
            if unwound && !is_unique(model.collection(&other), &foreign) {
                continue;
            }
            let Some(group) = stages.get(at + 1 + usize::from(unwound)).filter(|stage| stage.is("$group")) else {
                continue;
            };
            let Some(key) = group.argument.get("_id").and_then(|id| key_path(id, &local)) else { continue };
            if !group.argument.is_closed() || local.contains('.') || top(&local) == top(&into) {
                continue;
            }
            let touches = |argument: &Term| {
                let reads = Reads::of_expression(argument);
                (
                    reads.paths.iter().any(|(path, _)| is_within(path, &into) || is_within(&into, path))
                        || !reads.is_closed(),
                    reads,
                )
            };
            if group.argument.get("_id").is_some_and(|id| touches(id).0) {
                continue;
            }
            let all = accumulators(group);
            let (late, early): (Vec<_>, Vec<_>) = all.into_iter().partition(|(_, _, argument)| touches(argument).0);
            // What was joined is the same for all documents of a group: the first is as good as any.
            let movable = late.iter().all(|(_, operator, argument)| {
                let (_, reads) = touches(argument);
                matches!(*operator, "$first" | "$last" | "$min" | "$max")
                    && reads.is_closed()
                    && reads.paths.iter().all(|(path, _)| is_within(path, &into))
            });
            if !movable {
                continue;
            }
            let draft =
                seen.certain(findings, stage.position).text("other", &other).text("by", &local).stored(seen.stored());
            if unwound
                || late.is_empty()
                || into == "_id"
                || early.iter().any(|(name, ..)| *name == into)
                || late.iter().any(|(name, ..)| *name == into)
            {
                continue;
            }
            let mut members = Vec::new();
            for member in group.argument.members().unwrap_or_default() {
                if !late.iter().any(|(name, ..)| member.name() == Some(name)) {
                    members.push(seen.member_text(member));
                }
            }
            let late: Vec<String> = late
                .iter()
                .map(|(name, _, argument)| {
                    format!("{}: {{ $ifNull: [{}, null] }}", script_name(name), seen.term_text(argument))
                })
                .collect();
            let before = seen.pipeline.stages.iter().take(at).map(|stage| seen.stage_text(stage));
            let behind = seen.pipeline.stages.iter().skip(at + 2).map(|stage| seen.stage_text(stage));
            let from = stage.argument.get("from").map(|from| seen.term_text(from)).unwrap_or_default();
            let join = [
                format!("from: {from}"),
                format!("localField: {}", script_string(&key)),
                format!("foreignField: {}", script_string(&foreign)),
                format!("as: {}", script_string(&into)),
            ];
            let moved = [
                super::rewrite::stage("$group", &members),
                super::rewrite::stage("$lookup", &join),
                super::rewrite::stage("$set", &late),
                format!("{{ $unset: {} }}", script_string(&into)),
            ];
            let texts: Vec<String> = before.chain(moved).chain(behind).collect();
            draft.remedy(super::rewrite::pipeline(&texts));
        }
    }
}

/// Where the key of a group holds the field that a join is made by: `_id`, or a part of it.
fn key_path(id: &Term, local: &str) -> Option<String> {
    let is_local = |term: &Term| term.as_str().and_then(plain_path) == Some(local);
    match &id.what {
        What::Object(members) if !id.is_operators() => {
            let part = members.iter().find(|member| is_local(&member.value))?;
            Some(format!("_id.{}", part.name()?))
        }
        _ => is_local(id).then(|| "_id".to_owned()),
    }
}
