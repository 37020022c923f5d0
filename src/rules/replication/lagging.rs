//! Secondaries that are behind. Words, reasons and examples: lagging.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::place;
use crate::model::Model;
use crate::rules::Findings;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Seconds behind the primary that are no lag yet.
    seconds: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options { seconds: 60 }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for state in &model.replica_sets.states {
        let Some((_, _, primary)) = state.members.iter().find(|(_, state, _)| state == "PRIMARY") else { continue };
        for (host, _, at) in state.members.iter().filter(|(_, state, _)| state == "SECONDARY") {
            let behind = primary.saturating_sub(*at) / 1000;
            if options.seconds < behind.unsigned_abs() && 0 < behind && !model.replica_sets.is_delayed(host) {
                let draft = findings.certain(place(&state.file)).text("set", &state.name);
                draft.text("host", host).number("seconds", behind).cause(host);
            }
        }
    }
}
