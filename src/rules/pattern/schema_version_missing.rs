//! Generations of one shape without a version. Words, reasons and examples: schema-version-missing.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::forms;
use crate::model::Model;
use crate::model::pattern::Variants;
use crate::rules::{Findings, Place};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for (collection, forms) in forms(model) {
        let told = |variants: &&Variants| variants.discriminator.is_none() && variants.are_no_states();
        let Some(variants) = forms.variants.as_ref().filter(told) else { continue };
        if variants.follow != Some(true) || forms.version.is_some() {
            continue;
        }
        findings
            .measured(Place::collection(&collection.ns), variants.documents)
            .number("generations", variants.classes.len())
            .list("fields", variants.classes.iter().filter_map(|class| class.names().into_iter().next()));
    }
}
