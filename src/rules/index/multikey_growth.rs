//! Indexes over long arrays. Words, reasons and examples: multikey-growth.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::place;
use crate::model::{Array, Collection, Model};
use crate::rules::Findings;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Elements of the longest arrays (the 99th percentile) from which on it is said.
    entries: u64,
    /// Elements from which on it is said of an array that grows.
    growing: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options { entries: 100, growing: 20 }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for collection in &model.collections {
        for index in collection.indexes() {
            let Some(array) = index.key.iter().find_map(|(path, _)| array(collection, path, options)) else { continue };
            let lengths = &array.stats.lengths;
            findings
                .measured(place(collection, index).with_path(&array.path), lengths.count())
                .number("median", lengths.median())
                .number("p99", lengths.p99())
                .number("max", lengths.max())
                .variant(if array.grows() { "growing" } else { "long" });
        }
    }
}

/// The long or growing array on the way of a path.
fn array<'c>(collection: &'c Collection, path: &str, options: &Options) -> Option<&'c Array> {
    collection.arrays().iter().find(|array| {
        let rest = path.strip_prefix(array.path.as_str());
        let lengths = &array.stats.lengths;
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            && (options.entries <= lengths.p99() || (array.grows() && options.growing <= lengths.max()))
    })
}
