//! A range or an order on hashes. Words, reasons and examples: hashed-range.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{demand, demands};
use crate::model::Model;
use crate::model::serving::Standing;
use crate::rules::Findings;

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for (collection, access, standing) in demands(model) {
        let Standing::Hashed(at) = standing else { continue };
        let Some(index) = collection.indexes().get(at) else { continue };
        let draft = demand(model, collection, access, findings);
        draft.text("present", &index.name);
        draft.variant(if access.branches.iter().any(|branch| !branch.ranges.is_empty()) { "range" } else { "sort" });
    }
}
