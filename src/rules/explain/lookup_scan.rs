//! Joins that scan the other collection. Words, reasons and examples: lookup-scan.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{certain, describe, lookups, place, position};
use crate::catalogue::plan::Lookup;
use crate::model::Model;
use crate::rules::Findings;

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for plan in &model.plans {
        for (_, lookup) in lookups(plan).into_iter().filter(|(_, lookup)| scans(lookup)) {
            let at = position(plan, lookup);
            let draft = match at {
                Some(at) => findings.certain(place(model, plan).with_stage(at)),
                None => certain(model, plan, findings),
            };
            draft.cause(format!("{} {:?}", super::subject(plan), lookup.into));
            describe(draft, lookup);
            match (lookup.scans, lookup.docs) {
                (Some(scans), Some(docs)) => draft.number("scans", scans).number("examined", docs).documents(docs),
                _ => draft.variant("planned"),
            };
        }
    }
}

/// Whether the other collection is scanned for each document: one scan to build a table of a small collection is a
/// good plan.
pub(super) fn scans(lookup: &Lookup) -> bool {
    match (lookup.strategy.as_deref(), lookup.scans) {
        (Some("HashJoin"), _) => false,
        (_, Some(scans)) => scans > 0,
        (strategy, None) => strategy == Some("NestedLoopJoin"),
    }
}
