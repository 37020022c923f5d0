//! Paths whose numbers are of types that do not go together. Words, reasons and examples: mixed-number-types.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::type_table;
use crate::model::Model;
use crate::rules::{Findings, Place};
use crate::value::event::Type;

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for collection in &model.collections {
        for field in collection.fields() {
            let numbers = &field.field.numbers;
            let total = field.field.number_count();
            let decimals = field.field.count_of(Type::Decimal);
            let integers = field.field.count_of(Type::Int) + field.field.count_of(Type::Long);
            let place = || Place::path(&collection.ns, &field.path);
            if 0 < decimals && decimals < total {
                findings
                    .measured(place(), total)
                    .number("decimals", decimals)
                    .number("others", total - decimals)
                    .figure("types", type_table(&field))
                    .variant("decimal");
            } else if 0 < integers && 0 < numbers.small_whole && collection.number_types_are_kept() {
                findings
                    .measured(place(), total)
                    .number("integers", integers)
                    .number("whole", numbers.small_whole)
                    .figure("types", type_table(&field));
            }
        }
    }
}
