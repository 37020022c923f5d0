//! Arrays that are long already. Words, reasons and examples: large-array.md.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::model::{Array, Collection, Model};
use crate::rules::{Findings, Place};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Elements from which on an array counts as large.
    length: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options { length: 250 }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for collection in &model.collections {
        for array in collection.arrays() {
            let lengths = &array.stats.lengths;
            // A vector or a line of coordinates is one value, not a list of things.
            if lengths.max() < options.length || !array.is_list() {
                continue;
            }
            let finding = findings
                .measured(Place::path(&collection.ns, &array.path), lengths.count())
                .number("max", lengths.max())
                .number("median", lengths.median())
                .number("p99", lengths.p99())
                .number("bytes", array.stats.sizes.max());
            let indexes = indexes_over(collection, array);
            if !indexes.is_empty() {
                finding.list("indexes", indexes).variant("indexed");
            }
        }
    }
}

/// The indexes that hold an entry for each element.
fn indexes_over<'m>(collection: &'m Collection, array: &Array) -> Vec<&'m str> {
    let below = |path: &str| {
        path.strip_prefix(array.path.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    let over = collection.indexes().iter().filter(|index| index.key.iter().any(|(path, _)| below(path)));
    over.map(|index| index.name.as_str()).collect()
}
