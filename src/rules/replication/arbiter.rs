//! Arbiters that cost more than they give. Words, reasons and examples: arbiter.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{default_write_concern, only_configuration, place};
use crate::catalogue::replica_set::Acknowledged;
use crate::model::Model;
use crate::rules::Findings;

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for set in &model.replica_sets.configurations {
        let arbiters = set.members.iter().filter(|member| member.arbiter).count();
        if 1 < arbiters {
            let draft = findings.certain(place(&set.file)).text("set", &set.name).number("arbiters", arbiters);
            draft.variant("several");
        }
    }
    let Some(set) = only_configuration(model).filter(|set| set.is_weak_by_default()) else { return };
    let waits =
        default_write_concern(model).filter(|concern| concern.explicit && concern.w == Some(Acknowledged::Majority));
    if let Some(concern) = waits {
        let draft = findings.certain(place(&set.file)).text("set", &set.name);
        draft.number("holding", set.voters_with_data()).number("majority", set.majority());
        draft.text("setIn", &concern.location.file).variant("majority");
    }
}
