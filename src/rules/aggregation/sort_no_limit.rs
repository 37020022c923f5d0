//! Sorts of many documents that return all of them. Words, reasons and examples: sort-no-limit.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{pipelines, sort_paths};
use crate::model::Model;
use crate::rules::Findings;
use crate::workload::pipeline::Stage;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// From how many stored documents on a sort without a limit is told.
    stored: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options { stored: 10_000 }
    }
}

/// Stages behind a sort that give back what it sorted.
const GIVE_BACK: &[&str] =
    &["$addFields", "$set", "$project", "$unset", "$lookup", "$graphLookup", "$unwind", "$replaceRoot", "$replaceWith"];

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for seen in pipelines(model) {
        if seen.pipeline.open || seen.operation.limit.is_some() {
            continue;
        }
        let stages = seen.pipeline.certain();
        let Some(at) = stages.iter().rposition(|stage| stage.is("$sort")) else { continue };
        let give_back = |stage: &Stage| stage.is_any(GIVE_BACK);
        // How many pass a filter or come out of a group is not known.
        let whole = stages.iter().take(at).all(give_back) && stages.iter().skip(at + 1).all(give_back);
        let Some(stored) = seen.stored().filter(|stored| whole && options.stored <= *stored) else { continue };
        let Some(sort) = stages.get(at) else { continue };
        // An index gives the order while it is read.
        let first = sort_paths(sort).and_then(|paths| paths.first().map(|path| (*path).to_owned()));
        let indexed = seen.collection().is_some_and(|collection| {
            collection.indexes().iter().any(|index| first.as_deref().is_some_and(|path| super::leads_with(index, path)))
        });
        if !indexed {
            seen.certain(findings, sort.position).number("stored", stored);
        }
    }
}
