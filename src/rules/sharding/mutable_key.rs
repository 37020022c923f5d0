//! Shard key fields that updates change. Words, reasons and examples: mutable-key.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{keys, located, name_key, place};
use crate::model::Model;
use crate::rules::{Findings, Place};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for (collection, key) in keys(model) {
        let analysis = collection.analysis_of(key);
        let share = analysis.and_then(|analysis| analysis.key_updates).filter(|percent| 0.0 < *percent);
        if let (Some(analysis), Some(percent)) = (analysis, share) {
            let draft = findings.measured(place(collection, key), analysis.writes.sampled).cause("updates");
            name_key(draft, key).number("share", percent / 100.0).variant("analysed");
            continue;
        }
        for (path, load) in model.key_changes(&collection.ns, key) {
            let draft = findings.certain(located(Place::path(&collection.ns, path), key)).cause(path).cause("updates");
            name_key(draft, key).number("updates", load.operations);
        }
    }
}
