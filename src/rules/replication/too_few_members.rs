//! Sets that cannot lose a member. Words, reasons and examples: too-few-members.md.

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
        if (1..3).contains(&voters) {
            findings.certain(place(&set.file)).text("set", &set.name).number("voters", voters);
        }
    }
}
