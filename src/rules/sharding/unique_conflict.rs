//! Unique indexes that a shard key does not allow. Words, reasons and examples: unique-conflict.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{keys, located, place};
use crate::catalogue::IndexKind;
use crate::model::Model;
use crate::rules::{Findings, Place};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for (collection, key) in keys(model) {
        if key.unique && key.key.iter().any(|(_, kind)| *kind == IndexKind::Hashed) {
            findings.certain(place(collection, key)).text("key", key.script()).variant("hashed").cause("hashed");
        }
        for index in collection.indexes().iter().filter(|index| index.unique || index.prepare_unique) {
            if key.allows_unique(index.key.iter().map(|(path, _)| path.as_str())) {
                continue;
            }
            let place = Place::index(&collection.ns, &index.name);
            let place = match &index.location {
                Some(location) => place.at(location.clone()),
                None => located(place, key),
            };
            findings.certain(place).text("key", key.script()).text("held", index.key_script());
        }
    }
}
