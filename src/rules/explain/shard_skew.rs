//! Shards that do most of the work of a query. Words, reasons and examples: shard-skew.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::measured;
use crate::model::Model;
use crate::rules::Findings;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// How many times the median shard one shard must examine.
    ratio: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options { ratio: 3 }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for plan in &model.plans {
        let mut examined: Vec<(u64, &str)> = Vec::new();
        for part in &plan.parts {
            let most = part.docs.max(part.keys);
            examined.extend(most.zip(part.shard.as_deref()));
        }
        examined.sort_unstable();
        let (Some((most, shard)), Some((median, _))) =
            (examined.last(), examined.get(examined.len().saturating_sub(1) / 2))
        else {
            continue;
        };
        if examined.len() < 2 || *most == 0 || *most < median.saturating_mul(options.ratio) {
            continue;
        }
        let draft = measured(model, plan, findings, *most);
        draft.text("shard", shard).number("examined", *most).number("median", *median);
        draft.number("shards", examined.len()).documents(*most);
    }
}
