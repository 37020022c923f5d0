//! Writes that are confirmed before a majority has them. Words, reasons and examples: default-write-concern.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{default_write_concern, only_configuration, place};
use crate::catalogue::replica_set::Acknowledged;
use crate::facts::Version;
use crate::model::Model;
use crate::rules::{Findings, Place};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

/// The version since which a majority is the default (manual: reference/write-concern, implicit default).
const MAJORITY_BY_DEFAULT: Version = Version::new(5, 0);

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    let set = only_configuration(model);
    if let Some(concern) = default_write_concern(model).filter(|concern| concern.explicit) {
        let Some(Acknowledged::Members(members)) = concern.w else { return };
        let is_below = match set {
            Some(set) => 1 < set.voters().count() && (members as usize) < set.majority(),
            None => members < 2,
        };
        if is_below {
            findings.certain(Place::none().at(concern.location.clone())).number("w", members);
        }
        return;
    }
    if let Some(set) = set.filter(|set| MAJORITY_BY_DEFAULT <= model.server && set.is_weak_by_default()) {
        let draft = findings.certain(place(&set.file)).number("w", 1).text("set", &set.name).variant("implicit");
        draft.number("holding", set.voters_with_data()).number("majority", set.majority());
    }
}
