//! Sorts that an index would serve if they came first. Words, reasons and examples: late-sort.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Seen, moves, pipelines, rewrite, sort_paths};
use crate::catalogue::{Index, IndexKind};
use crate::facts::optimiser;
use crate::finding::Severity;
use crate::model::Model;
use crate::model::serving::is_array;
use crate::rules::Findings;
use crate::workload::Operator;
use crate::workload::pipeline::Stage;

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

/// Stages that keep the order of what they take.
const KEEP_ORDER: &[&str] =
    &["$match", "$addFields", "$set", "$project", "$unset", "$lookup", "$graphLookup", "$unwind"];

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for seen in pipelines(model).filter(|seen| !seen.has_collation()) {
        let stages = seen.pipeline.certain();
        let Some(at) = stages.iter().position(|stage| stage.is("$sort")) else { continue };
        let Some(sort) = stages.get(at) else { continue };
        let leading = stages.iter().take_while(|stage| stage.is("$match")).count();
        let passed = stages.get(leading..at).unwrap_or_default();
        let Some(paths) = sort_paths(sort).filter(|paths| !paths.is_empty()) else { continue };
        let stays = |stage: &Stage| {
            stage.is_any(KEEP_ORDER) && paths.iter().all(|path| moves::is_untouched(stage, path) || stage.is("$match"))
        };
        if passed.is_empty() || !passed.iter().all(stays) {
            continue;
        }
        let Some(index) = serving(&seen, sort) else { continue };
        let by_itself = |stage: &Stage| {
            stage.is("$match")
                || stage.name.as_deref().is_some_and(|name| optimiser::moves_sort_before(name, model.server))
        };
        let server_moves = passed.iter().all(by_itself);
        let order = (0..leading).chain([at]).chain(leading..at).chain(at + 1..seen.pipeline.stages.len());
        let texts: Vec<String> =
            order.filter_map(|place| seen.pipeline.stages.get(place)).map(|stage| seen.stage_text(stage)).collect();
        let before = passed.first().and_then(|stage| stage.name.clone()).unwrap_or_default();
        let draft = seen.certain(findings, sort.position).text("by", &index.name).text("before", before);
        draft.remedy(rewrite::pipeline(&texts)).stored(seen.stored());
        if server_moves {
            draft.variant("moved").severity(Severity::Info);
        }
    }
}

/// An index that would give the order of a sort behind the filters at the front.
fn serving<'m>(seen: &Seen<'m>, sort: &Stage) -> Option<&'m Index> {
    let collection = seen.collection().filter(|collection| collection.catalogue.indexes_known)?;
    let mut fixed: Vec<String> = Vec::new();
    for filter in seen.pipeline.leading_match() {
        let equal =
            filter.conjuncts().into_iter().filter(|(_, test)| test.operator == Operator::Eq && test.is_certain());
        fixed.extend(equal.map(|(path, _)| path.to_owned()));
    }
    let wanted: Vec<(&str, bool)> = sort
        .argument
        .members()?
        .iter()
        .map(|member| Some((member.name()?, member.value.as_scalar()?.as_f64()? < 0.0)))
        .collect::<Option<_>>()?;
    collection.indexes().iter().find(|index| {
        if index.hidden || index.sparse || index.partial_filter.is_some() || index.effective_collation().is_some() {
            return false;
        }
        let mut wanted = wanted.iter().filter(|(path, _)| !fixed.iter().any(|known| known == path)).peekable();
        let mut flipped = None;
        for (path, kind) in &index.key {
            let Some((next, descending)) = wanted.peek() else { break };
            if path == next && kind.is_sorted() && !is_array(collection, path) {
                let flips = *descending != (*kind == IndexKind::Descending);
                if *flipped.get_or_insert(flips) != flips {
                    return false;
                }
                wanted.next();
            } else if !fixed.contains(path) {
                return false;
            }
        }
        flipped.is_some() && wanted.peek().is_none()
    })
}
