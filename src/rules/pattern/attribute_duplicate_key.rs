//! Attribute lists that hold a key twice. Words, reasons and examples: attribute-duplicate-key.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{attributes, told};
use crate::facts::forms;
use crate::model::Model;
use crate::rules::{Findings, Place};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Share of the lists with a key, from 0 to 1, from which on a key that repeats in them is meant to have several
    /// values.
    share: f64,
}

impl Default for Options {
    fn default() -> Self {
        Options { share: 0.5 }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for (collection, list) in attributes(model) {
        if forms::may_repeat_keys(list.path.leaf()) {
            continue;
        }
        let repeated = || {
            let keys = list
                .keys
                .iter()
                .filter(|(_, key)| 0 < key.repeats && (key.repeats as f64) < options.share * key.lists as f64);
            keys.map(|(name, key)| (name.as_str(), key))
        };
        let times: u64 = repeated().map(|(_, key)| key.repeats).sum();
        if times == 0 {
            continue;
        }
        let names = told(list, repeated());
        findings
            .measured(Place::path(&collection.ns, &list.path), list.lists)
            .number("times", times)
            .number("count", repeated().count())
            .variant(if names.is_empty() { "unnamed" } else { "named" })
            .list("names", names);
    }
}
