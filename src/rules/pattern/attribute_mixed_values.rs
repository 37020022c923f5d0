//! Attributes whose values have unlike types. Words, reasons and examples: attribute-mixed-values.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{attributes, told};
use crate::model::Model;
use crate::model::pattern::attribute::Key;
use crate::rules::{Findings, Place};
use crate::value::Type;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Values of another type under one key from which on they count.
    values: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options { values: 1 }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for (collection, list) in attributes(model) {
        let mixed = || {
            let keys = list.keys.iter().filter(|(_, key)| options.values.max(1) <= unlike(key));
            keys.map(|(name, key)| (name.as_str(), key))
        };
        let count = mixed().count();
        if count == 0 {
            continue;
        }
        let names = told(list, mixed());
        findings
            .measured(Place::path(&collection.ns, list.value_path()), list.lists)
            .number("count", count)
            .number("keys", list.keys.len())
            .number("values", mixed().map(|(_, key)| unlike(key)).sum::<u64>())
            .variant(if names.is_empty() { "unnamed" } else { "named" })
            .list("names", names);
    }
}

/// How many values of a key are of another type than most. A list of values beside a single one matches the same query.
fn unlike(key: &Key) -> u64 {
    let scalar = || key.families.iter().filter(|(kind, _)| **kind != Type::Array).map(|(_, count)| *count);
    scalar().sum::<u64>() - scalar().max().unwrap_or(0)
}
