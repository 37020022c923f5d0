//! Validators that let failing documents in. Words, reasons and examples: lenient.md.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::catalogue::{Action, Level};
use crate::model::Model;
use crate::remedy;
use crate::rules::{Findings, Place};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for collection in &model.collections {
        let Some(validator) = collection.validator().filter(|validator| !validator.binds()) else { continue };
        let mut place = Place::collection(&collection.ns);
        if let Some(location) = &validator.location {
            place = place.at(location.clone());
        }
        let variant = match (validator.level, validator.action) {
            (Level::Off, _) => "off",
            (_, Action::Warn) => "warn",
            _ => "moderate",
        };
        findings
            .certain(place)
            .text("level", validator.level.word())
            .text("action", validator.action.word())
            .variant(variant)
            .remedy(remedy::validator::enforce(&collection.ns));
    }
}
