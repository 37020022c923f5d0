//! Counters below zero. Words, reasons and examples: negative-counter.md.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::facts::names;
use crate::model::Model;
use crate::profile::FieldKind;
use crate::rules::{Findings, Place};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Share of the numbers below zero, in percent, from which on they are meant and the field counts nothing.
    meant: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options { meant: 25 }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for collection in &model.collections {
        for at in collection.fields().filter(|at| at.field.kind == FieldKind::Named) {
            let numbers = &at.field.numbers;
            let all = at.field.number_count();
            // Fractions measure, they do not count.
            let counts = numbers.fractional == 0 && names::is_counter(at.leaf());
            if !counts
                || numbers.negative == 0
                || all.saturating_mul(options.meant) <= numbers.negative.saturating_mul(100)
            {
                continue;
            }
            // -1 for "unknown" is a value of its own, whatever its number.
            if numbers.min == Some(-1.0) && collection.field(at.id).is_some_and(|at| is_mark(at.field)) {
                continue;
            }
            let draft = findings.measured(Place::path(&collection.ns, &at.path), all);
            draft.number("negative", numbers.negative);
        }
    }
}

/// Whether -1 is frequent among few values, as a mark for "none" is.
fn is_mark(field: &crate::profile::Field) -> bool {
    20 <= field.numbers.negative && field.number_count() <= field.numbers.negative * 20
}
