//! Secrets that whoever reads the data can use. Words, reasons and examples: secret.md.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::facts::identifier::SecretForm;
use crate::model::Model;
use crate::model::sensitive::Sensitive;
use crate::rules::{Findings, Place};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for collection in model.collections.iter().filter(|collection| !collection.ns.is_internal()) {
        for held in collection.sensitive() {
            let (variant, heuristic) = match held.what {
                Sensitive::Password => ("password", "the name, and values that are no digests"),
                Sensitive::Card => ("card", "length, issuer and check digit"),
                Sensitive::Secret(SecretForm::PrivateKey) => ("key", "the form of the values"),
                Sensitive::Secret(SecretForm::Connection) => ("connection", "the form of the values"),
                Sensitive::Secret(SecretForm::Token) => ("token", "the form of the values"),
                _ => continue,
            };
            let draft = findings.inferred(Place::path(&collection.ns, &held.path), heuristic);
            draft.number("values", held.values).variant(variant);
        }
    }
}
