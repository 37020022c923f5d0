//! NaN and infinities. Words, reasons and examples: not-a-number.md.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::model::Model;
use crate::rules::{Findings, Place};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for collection in &model.collections {
        for field in collection.fields().filter(|field| 0 < field.field.numbers.not_finite) {
            let total = field.field.number_count();
            findings
                .measured(Place::path(&collection.ns, &field.path), total)
                .number("count", field.field.numbers.not_finite)
                .number("numbers", total);
        }
    }
}
