//! Fetches that throw away much of what the index found. Words, reasons and examples: residual-filter.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{low_yield, measured, yielded};
use crate::catalogue::plan::Stage;
use crate::model::Model;
use crate::rules::Findings;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Share of the fetched documents that the filter drops, from which on it is told.
    dropped: f64,
    /// Documents fetched below which nothing is said.
    fetched: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options { dropped: 0.5, fetched: 100 }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for plan in &model.plans {
        // A yield that is low altogether is told as such.
        let low =
            yielded(plan).is_none_or(|(examined, returned)| low_yield::Options::default().is_low(examined, returned));
        if low {
            continue;
        }
        let filters: Vec<&Stage> =
            plan.stages().into_iter().filter(|stage| stage.name == "FETCH" && !stage.filter.is_empty()).collect();
        let Some(first) = filters.first() else { continue };
        let total = |of: fn(&Stage) -> Option<u64>| filters.iter().map(|stage| of(stage)).sum::<Option<u64>>();
        let Some((fetched, kept)) = total(|stage| stage.docs).zip(total(|stage| stage.returned)) else { continue };
        let dropped = fetched.saturating_sub(kept);
        if fetched < options.fetched || (dropped as f64) < fetched as f64 * options.dropped {
            continue;
        }
        let draft = measured(model, plan, findings, fetched);
        draft.number("fetched", fetched).number("dropped", dropped).list("fields", &first.filter);
        draft.list("indexes", plan.indexes()).documents(fetched);
    }
}
