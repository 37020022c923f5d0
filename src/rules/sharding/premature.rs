//! Sharding that nothing needs yet. Words, reasons and examples: premature.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{keys, name_key, place};
use crate::catalogue::Origin;
use crate::model::shard_key::{HEAVY, SMALL};
use crate::model::{Collection, Model};
use crate::rules::Findings;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Bytes of documents below which one replica set holds them with ease.
    bytes: u64,
    /// Operations a second from which on load alone may be a reason.
    per_second: f64,
}

impl Default for Options {
    fn default() -> Self {
        Self { bytes: SMALL, per_second: HEAVY }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for (collection, key) in keys(model) {
        let Some(bytes) = collection.data_bytes().filter(|bytes| *bytes < options.bytes) else { continue };
        let load = model.load_per_second(&collection.ns);
        if load.is_some_and(|load| options.per_second <= load) || !is_whole(collection, key.origin) {
            continue;
        }
        let draft = findings.certain(place(collection, key)).cause("size").number("bytes", bytes);
        name_key(draft, key);
        if let Some(load) = load {
            draft.number("load", (load * 100.0).round() / 100.0).variant("measured");
        }
    }
}

/// Whether the size is that of the whole collection: statistics of a sharded one may come from one shard alone.
fn is_whole(collection: &Collection, origin: Origin) -> bool {
    let statistics = &collection.catalogue.statistics;
    origin == Origin::Wanted || statistics.is_empty() || statistics.iter().any(|one| one.sharded == Some(true))
}
