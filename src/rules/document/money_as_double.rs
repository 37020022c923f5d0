//! Amounts of money in binary fractions. Words, reasons and examples: money-as-double.md.

use std::cell::LazyCell;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::facts::names::{self, Money};
use crate::finding::Severity;
use crate::model::{FieldRef, Model};
use crate::rules::{Findings, Place};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Share of the fractions with more than two decimals up to which a name like `total` is taken for money.
    beyond_cents: f64,
}

impl Default for Options {
    fn default() -> Self {
        Options { beyond_cents: 0.05 }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for collection in &model.collections {
        // Asked for where it decides alone: it looks at every name.
        let tells_money = LazyCell::new(|| collection.fields().any(|field| speaks_of_money(&field)));
        for field in collection.fields() {
            let numbers = &field.field.numbers;
            if numbers.fractional == 0 {
                continue;
            }
            let has_cents = numbers.beyond_cents as f64 <= numbers.fractional as f64 * options.beyond_cents;
            let is_money = match meaning(&field) {
                Money::Yes => true,
                Money::Maybe => has_cents && *tells_money,
                Money::No => false,
            };
            if is_money {
                let doubles = numbers.fractional + numbers.whole;
                let draft = findings.inferred(Place::path(&collection.ns, &field.path), "the name and the fractions");
                draft.sampled(doubles).number("fractional", numbers.fractional).number("inexact", numbers.inexact);
                // Halves and quarters add up exactly: nothing is wrong until the first other amount comes.
                if numbers.inexact == 0 {
                    draft.variant("exact").severity(Severity::Info);
                }
            }
        }
    }
}

/// What the name says, with the name above it: `price.amount` is money where `amount` alone may be.
fn meaning(field: &FieldRef<'_>) -> Money {
    let mut names = field.path.as_str().rsplit('.').filter(|name| *name != "<key>");
    let own = names.next().map_or(Money::No, names::money);
    let above = names.next().map_or(Money::No, names::money);
    if own == Money::Maybe { own.max(above) } else { own }
}

/// Whether the field makes money likely elsewhere in its collection: a surely monetary name, or a currency.
fn speaks_of_money(field: &FieldRef<'_>) -> bool {
    meaning(field) == Money::Yes || names::is_currency(field.leaf())
}
