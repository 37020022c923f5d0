//! Sets in which an even number of members votes. Words, reasons and examples: even-voters.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::place;
use crate::model::Model;
use crate::rules::Findings;

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for set in &model.replica_sets.configurations {
        let voters = set.voters().count();
        // Two are too few in any case.
        if 2 < voters && voters % 2 == 0 {
            let lost = voters - set.majority();
            findings.certain(place(&set.file)).text("set", &set.name).number("voters", voters).number("lost", lost);
        }
    }
}
