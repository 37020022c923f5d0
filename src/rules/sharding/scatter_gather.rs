//! Operations that all shards are asked. Words, reasons and examples: scatter-gather.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{keys, name_key, place, weight};
use crate::catalogue::KeyAnalysis;
use crate::model::Model;
use crate::rules::Findings;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// The share of the operations from which on too many go to all shards.
    share: f64,
}

impl Default for Options {
    fn default() -> Self {
        Self { share: 0.1 }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for (collection, key) in keys(model) {
        if let Some((sampled, share)) = collection.analysis_of(key).and_then(KeyAnalysis::scattered) {
            if options.share <= share {
                let draft = findings.measured(place(collection, key), sampled).cause("operations");
                name_key(draft, key).number("share", share).variant("analysed");
            }
            continue;
        }
        let reach = model.reach(&collection.ns, &key.key);
        let Some(share) = reach.all.share_of(reach.judged).filter(|share| options.share <= *share) else { continue };
        let whole = reach.judged;
        let draft = findings.measured(place(collection, key), weight(whole, whole)).cause("operations");
        draft.number("share", share).number("operations", weight(reach.all, whole));
        draft.list("shapes", &reach.shapes);
        let variant = match whole {
            _ if 0.0 < whole.per_day => "declared",
            _ if 0 < whole.runs => "seen",
            _ => "written",
        };
        name_key(draft, key).variant(variant);
    }
}
