//! Joins for documents that a later limit drops. Words, reasons and examples: lookup-before-limit.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{is_unique, moves, pipelines, rewrite, sort_paths};
use crate::facts::optimiser;
use crate::model::Model;
use crate::model::serving::is_array;
use crate::rules::Findings;
use crate::workload::Term;
use crate::workload::pipeline::Stage;
use crate::workload::pipeline::plain_path;

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

/// Stages that give one document for each that they take, in the same order.
const PASSIVE: &[&str] = &["$addFields", "$set", "$project", "$unset", "$lookup", "$graphLookup"];

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for seen in pipelines(model).filter(|seen| !seen.has_collation()) {
        let stages = seen.pipeline.certain();
        for (at, limit) in stages.iter().enumerate() {
            let drops = limit.is("$limit") || (limit.is("$skip") && limit.argument.as_i64() != Some(0));
            let again = |stage: &Stage| stage.is_any(&["$limit", "$skip"]);
            // The last of a row tells of all.
            if !drops || stages.get(at + 1).is_some_and(again) {
                continue;
            }
            let Some(region) = region(&seen, stages, at) else { continue };
            let Some(lookup) = region
                .passed
                .iter()
                .find_map(|place| stages.get(*place).filter(|s| s.is_any(&["$lookup", "$graphLookup"])))
            else {
                continue;
            };
            let by_itself = |place: &usize| {
                let Some(stage) = stages.get(*place) else { return false };
                let name = stage.name.as_deref().unwrap_or_default();
                let sorted =
                    region.sort.is_none_or(|sort| sort < *place || optimiser::moves_sort_before(name, model.server));
                sorted && optimiser::moves_limit_before(name, model.server)
            };
            let server_moves = region.passed.iter().all(by_itself);
            let name = limit.name.clone().unwrap_or_default();
            let mut subjects = vec![seen.subject(limit.position)];
            subjects.extend(region.sort.map(|sort| seen.subject(sort as u32)));
            let draft = findings.certain(seen.place(lookup.position)).text("by", name).stored(seen.stored());
            for subject in subjects {
                draft.cause(subject);
            }
            if region.proven {
                let order = (0..region.start).chain(region.moved.iter().copied()).chain(region.passed.iter().copied());
                let order = order.chain(at + 1..seen.pipeline.stages.len());
                let texts: Vec<String> = order
                    .filter_map(|place| seen.pipeline.stages.get(place))
                    .map(|stage| seen.stage_text(stage))
                    .collect();
                draft.remedy(rewrite::pipeline(&texts));
            }
            if server_moves {
                draft.variant("moved").info_where(true);
            } else if region.sort.is_some() {
                draft.variant("sorted");
            }
        }
    }
}

/// A row of stages that ends with a limit, of which the limit and what it needs can come first.
struct Region {
    /// Position of its first stage.
    start: usize,
    /// What comes first: the sort, `$skip` and `$limit`.
    moved: Vec<usize>,
    /// What they pass.
    passed: Vec<usize>,
    /// The sort.
    sort: Option<usize>,
    /// Whether it is certain that the result stays.
    proven: bool,
}

fn region(seen: &super::Seen<'_>, stages: &[Stage], at: usize) -> Option<Region> {
    let mut region = Region { start: at, moved: vec![at], passed: Vec::new(), sort: None, proven: true };
    let mut keys: Vec<&str> = Vec::new();
    for (place, stage) in stages.iter().enumerate().take(at).rev() {
        if stage.is_any(&["$limit", "$skip"]) {
            region.moved.push(place);
        } else if stage.is("$sort") && region.sort.is_none() {
            keys = sort_paths(stage)?;
            region.sort = Some(place);
            region.moved.push(place);
        } else if stage.is_any(PASSIVE) && keys.iter().all(|key| moves::is_untouched(stage, key)) {
            region.passed.push(place);
        } else if let Some(proven) =
            gives_one(seen, stages, place).filter(|_| keys.iter().all(|key| moves::is_untouched(stage, key)))
        {
            region.proven &= proven;
            region.passed.push(place);
        } else {
            break;
        }
        region.start = place;
    }
    region.moved.reverse();
    region.passed.reverse();
    (!region.passed.is_empty()).then_some(region)
}

/// Whether an `$unwind` gives one document for each that it takes: it keeps those without, and what it takes apart was
/// joined by a unique field. The answer says whether it is proven that no document joins several, by an array of ids.
fn gives_one(seen: &super::Seen<'_>, stages: &[Stage], at: usize) -> Option<bool> {
    let unwind = stages.get(at).filter(|stage| stage.is("$unwind"))?;
    let keeps = unwind.argument.get("preserveNullAndEmptyArrays").and_then(Term::as_bool) == Some(true);
    let path = unwind.argument.get("path").and_then(Term::as_str).and_then(plain_path).filter(|_| keeps)?;
    let lookup = stages
        .iter()
        .take(at)
        .rev()
        .find(|stage| stage.is("$lookup") && stage.argument.get("as").and_then(Term::as_str) == Some(path))?;
    let lookup = lookup.lookup()?;
    let (from, local, foreign) = (lookup.from?, lookup.local?, lookup.foreign?);
    let other = seen.joined(lookup.database.as_deref(), &from);
    is_unique(seen.model.collection(&other), &foreign).then_some(())?;
    // Whether the local side holds several ids is known from documents only.
    let documents = seen.collection().filter(|collection| collection.documents() > 0);
    match documents {
        Some(collection) if is_array(collection, &local) => None,
        Some(collection) => Some(collection.complete),
        None => Some(false),
    }
}
