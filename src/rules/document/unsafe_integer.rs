//! Whole numbers that a double cannot hold exactly. Words, reasons and examples: unsafe-integer.md.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::model::Model;
use crate::rules::{Findings, Place};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Share of the doubles with a fraction from which on the path measures something and counts nothing.
    fractional: f64,
}

impl Default for Options {
    fn default() -> Self {
        Options { fractional: 0.1 }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for collection in &model.collections {
        for field in collection.fields() {
            let numbers = &field.field.numbers;
            let doubles = numbers.whole + numbers.fractional;
            let measures = doubles as f64 * options.fractional < numbers.fractional as f64;
            if numbers.unsafe_whole == 0 || measures {
                continue;
            }
            findings
                .measured(Place::path(&collection.ns, &field.path), doubles)
                .number("beyond", numbers.unsafe_whole)
                .number("doubles", doubles);
        }
    }
}
