//! Collections that have outgrown one shard. Words, reasons and examples: large-unsharded.md.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::model::Model;
use crate::model::shard_key::LARGE;
use crate::rules::{Findings, Place};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Bytes of documents from which on a collection is better spread.
    bytes: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self { bytes: LARGE }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for collection in model.collections.iter().filter(|collection| !collection.ns.is_internal()) {
        let says_so = collection.catalogue.statistics.iter().any(|statistics| statistics.sharded == Some(false));
        if !(says_so || model.cluster.listed) || model.shard_keys(collection).next().is_some() {
            continue;
        }
        if let Some(bytes) = collection.data_bytes().filter(|bytes| options.bytes <= *bytes) {
            findings.certain(Place::collection(&collection.ns)).number("bytes", bytes);
        }
    }
}
