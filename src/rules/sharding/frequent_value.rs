//! Shard keys of which one value holds much. Words, reasons and examples: frequent-value.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{keys, name_key, place};
use crate::model::Model;
use crate::model::shard_key::FREQUENT;
use crate::rules::Findings;

/// Documents with one value below which their number may be chance.
const FEW: u64 = 10;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// The share of the documents above which one value holds too many.
    share: f64,
}

impl Default for Options {
    fn default() -> Self {
        Self { share: FREQUENT }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for (collection, key) in keys(model) {
        let analysed =
            collection.analysis_of(key).and_then(|analysis| Some((analysis.sampled?, analysis.most_frequent?)));
        let counted = || collection.telling_spread(&key.key).map(|spread| (spread.documents, spread.most));
        let Some((documents, most)) = analysed.or_else(counted) else { continue };
        let share = most as f64 / documents.max(1) as f64;
        if most < FEW || share <= options.share {
            continue;
        }
        let draft = findings.measured(place(collection, key), documents).cause("share");
        name_key(draft, key).number("share", share).number("most", most);
    }
}
