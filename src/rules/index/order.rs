//! An index whose fields stand in an order that its queries cannot use. Words, reasons and examples: order.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{by_index, demands, tell};
use crate::model::Model;
use crate::model::serving::Standing;
use crate::rules::Findings;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Index keys examined for each document returned, up to which the order does no harm where no sort is in memory.
    keys_per_document: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options { keys_per_document: 2 }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    let ordered = demands(model).into_iter().filter_map(|(collection, access, standing)| {
        let Standing::Order(at) = standing else { return None };
        // What was seen to run well needs no other order.
        if let Some(runs) = &access.runs
            && runs.sorted == 0
            && runs.keys_examined.count > 0
            && runs.keys_examined.sum <= runs.returned.sum.saturating_mul(options.keys_per_document)
        {
            return None;
        }
        Some((collection, access, at))
    });
    for (collection, at, accesses) in by_index(ordered) {
        let sorts = accesses.iter().any(|access| !access.sort.is_empty());
        tell(model, collection, at, &accesses, findings, if sorts { "sort" } else { "overscan" });
    }
}
