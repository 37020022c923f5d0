//! Plans that walk many index keys for each document that they return. Words, reasons and examples: key-overscan.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{logged, low_yield, measured, sum, yielded};
use crate::model::Model;
use crate::rules::Findings;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Keys examined for each document returned, beyond which the index is walked in vain.
    ratio: u64,
    /// Keys examined below which nothing is said.
    keys: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options { ratio: 10, keys: 100 }
    }
}

impl Options {
    fn is_high(&self, keys: u64, returned: u64) -> bool {
        keys >= self.keys && keys > returned.max(1).saturating_mul(self.ratio)
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    // Where as many documents are fetched in vain, that is the greater harm.
    let fetched = low_yield::Options::default();
    for plan in &model.plans {
        let Some((examined, returned)) = yielded(plan) else { continue };
        let Some(keys) = sum(plan, |part| part.keys) else { continue };
        if !options.is_high(keys, returned) || fetched.is_low(examined, returned) {
            continue;
        }
        let draft = measured(model, plan, findings, keys);
        draft.number("keys", keys).number("returned", returned).number("ratio", keys / returned.max(1));
        draft.list("indexes", plan.indexes()).documents(keys);
    }
    for seen in logged(model) {
        let runs = seen.runs;
        let (keys, returned) = (runs.keys_examined.sum, runs.returned.sum.max(runs.keys_examined.count));
        let special =
            ["COLLSCAN", "COUNT_SCAN", "DISTINCT_SCAN", "GEO_NEAR", "TEXT"].iter().any(|name| seen.used(name));
        if special
            || !seen.returns_what_it_finds()
            || !options.is_high(keys, returned)
            || fetched.is_low(runs.docs_examined.sum, returned)
        {
            continue;
        }
        let mean = |sum: u64| sum.checked_div(runs.keys_examined.count).unwrap_or_default();
        let draft = seen.tell(model, findings, keys);
        draft
            .number("keys", mean(keys))
            .number("returned", mean(runs.returned.sum))
            .number("ratio", keys / returned.max(1));
        draft.list("plans", runs.plans.keys()).documents(runs.keys_examined.max).variant("logged");
    }
}
