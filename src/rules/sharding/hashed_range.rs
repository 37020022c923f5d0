//! Ranges of a hashed shard key. Words, reasons and examples: hashed-range.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{keys, located, name_key, weight};
use crate::model::Model;
use crate::rules::{Findings, Place};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// The share of the operations from which on ranges are no exception.
    share: f64,
}

impl Default for Options {
    fn default() -> Self {
        Self { share: 0.1 }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for (collection, key) in keys(model) {
        let Some((first, _)) = key.key.first() else { continue };
        let reach = model.reach(&collection.ns, &key.key);
        let Some(share) = reach.ranges.share_of(reach.judged).filter(|share| 0.0 < *share) else { continue };
        if share < options.share {
            continue;
        }
        let draft = findings.certain(located(Place::path(&collection.ns, first), key)).cause("ranges");
        draft.number("operations", weight(reach.ranges, reach.judged)).number("share", share);
        draft.list("shapes", &reach.range_shapes);
        name_key(draft, key);
    }
}
