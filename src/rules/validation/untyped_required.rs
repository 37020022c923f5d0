//! Required names without a type. Words, reasons and examples: untyped-required.md.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::model::Model;
use crate::rules::{Findings, Place};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for collection in &model.collections {
        let Some(validator) = collection.validator() else { continue };
        let fields = validator.fields();
        let mut names: Vec<&str> = Vec::new();
        for field in fields.iter().filter(|field| field.required && field.path != "_id") {
            let described = fields.iter().any(|other| other.path == field.path && other.constrained);
            if !described && !names.contains(&field.path.as_str()) {
                names.push(&field.path);
            }
        }
        if names.is_empty() {
            continue;
        }
        let mut place = Place::collection(&collection.ns);
        if let Some(location) = &validator.location {
            place = place.at(location.clone());
        }
        findings.certain(place).number("count", names.len()).list("names", names);
    }
}
