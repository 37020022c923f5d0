//! Shard keys with the time of a time series. Words, reasons and examples: time-as-shard-key.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::series;
use crate::facts::Version;
use crate::finding::Severity;
use crate::model::Model;
use crate::rules::{Findings, Place};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

/// The version that deprecates it (manual: core/timeseries/timeseries-shard-collection).
const DEPRECATED: Version = Version::new(8, 0);

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for (collection, options) in series(model) {
        for key in model.shard_keys(collection) {
            if !key.paths().any(|path| path == options.time_field) {
                continue;
            }
            let place = Place::path(&collection.ns, &options.time_field);
            let place = match &key.location {
                Some(location) => place.at(location.clone()),
                None => place,
            };
            let draft = findings.certain(place).text("key", key.script());
            if model.server < DEPRECATED {
                draft.severity(Severity::Info);
            }
        }
    }
}
