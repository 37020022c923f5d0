//! A compound sort that its index walks neither way. Words, reasons and examples: sort-direction.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{by_index, demands, tell};
use crate::model::Model;
use crate::model::serving::Standing;
use crate::rules::Findings;

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    let turned = demands(model).into_iter().filter_map(|(collection, access, standing)| match standing {
        Standing::Direction(at) => Some((collection, access, at)),
        _ => None,
    });
    for (collection, at, accesses) in by_index(turned) {
        tell(model, collection, at, &accesses, findings, "sort");
    }
}
