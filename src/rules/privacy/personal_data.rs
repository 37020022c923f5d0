//! What a collection holds of persons. Words, reasons and examples: personal-data.md.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::model::Model;
use crate::model::sensitive::{Held, Sensitive};
use crate::order::Ordered;
use crate::rules::{Findings, Place};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for collection in model.collections.iter().filter(|collection| !collection.ns.is_internal()) {
        let held: Vec<&Held> = collection.sensitive().iter().filter(|held| !held.what.is_secret()).collect();
        if held.is_empty() {
            continue;
        }
        let mut kinds: Vec<Sensitive> = held.iter().map(|held| held.what).collect();
        kinds.order();
        kinds.dedup();
        let draft =
            findings.inferred(Place::collection(&collection.ns), "names of fields, forms and check digits of values");
        draft.list("fields", held.iter().map(|held| &held.path)).list("kinds", kinds.into_iter().map(name));
        draft.number("count", held.len());
    }
}

fn name(kind: Sensitive) -> &'static str {
    match kind {
        Sensitive::Email => "email",
        Sensitive::Phone => "phone",
        Sensitive::NationalId => "nationalId",
        Sensitive::Account => "bankAccount",
        Sensitive::Address => "address",
        Sensitive::Name => "name",
        Sensitive::Birth => "birthDate",
        Sensitive::Card => "card",
        Sensitive::Password => "password",
        Sensitive::Secret(_) => "secret",
    }
}
