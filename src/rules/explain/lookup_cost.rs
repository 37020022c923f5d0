//! Joins that examine many documents for each that they join. Words, reasons and examples: lookup-cost.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{describe, lookup_scan, lookups, place, position};
use crate::model::Model;
use crate::rules::Findings;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Documents examined for each document that the join gives on.
    ratio: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options { ratio: 10 }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for plan in &model.plans {
        for (stage, lookup) in lookups(plan) {
            let (Some(examined), Some(joined)) = (lookup.docs, stage.returned) else { continue };
            if lookup_scan::scans(lookup) || examined == 0 || examined < joined.max(1).saturating_mul(options.ratio) {
                continue;
            }
            let mut at = place(model, plan);
            if let Some(position) = position(plan, lookup) {
                at = at.with_stage(position);
            }
            let draft = findings.measured(at, examined);
            draft.cause(format!("{} {:?}", super::subject(plan), lookup.into));
            describe(draft, lookup);
            draft.number("examined", examined).number("joined", joined).number("ratio", examined / joined.max(1));
            draft.documents(examined);
            if lookup.unwound {
                draft.variant("unwound");
            }
        }
    }
}
