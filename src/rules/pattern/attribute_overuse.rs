//! Central fields in attribute lists. Words, reasons and examples: attribute-overuse.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{attributes, told};
use crate::model::Model;
use crate::rules::{Findings, Place};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Percent of the documents that have a key which is none of the variable ones.
    percent: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options { percent: 95 }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for (collection, list) in attributes(model) {
        let central = list.central(options.percent);
        // A text in several languages is no single field.
        if central.is_empty() || list.scoped {
            continue;
        }
        let names = told(list, central.iter().copied());
        findings
            .measured(Place::path(&collection.ns, &list.path), list.holders)
            .number("count", central.len())
            .number("keys", list.keys.len())
            .number("percent", options.percent)
            .variant(if names.is_empty() { "unnamed" } else { "named" })
            .list("names", names);
    }
}
