//! Variants that nothing tells apart. Words, reasons and examples: polymorphic-no-discriminator.md.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Deserialize;

use super::forms;
use crate::facts::spelling::folded;
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
        // Shapes that follow each other are generations, and so are those that versions tell apart.
        let versioned = forms.version.as_ref().is_some_and(|version| 1 < version.versions.len());
        if variants.follow == Some(true) || versioned || !variants.are_distinct() || are_spellings(variants) {
            continue;
        }
        findings
            .measured(Place::collection(&collection.ns), variants.documents)
            .number("variants", variants.classes.len())
            .list("fields", variants.classes.iter().filter_map(|class| class.names().into_iter().next()));
    }
}

/// Whether two shapes are one in two spellings: `firstName` here and `first_name` there.
fn are_spellings(variants: &Variants) -> bool {
    let mut seen = BTreeSet::new();
    let mut names =
        variants.classes.iter().flat_map(|class| class.names().into_iter().map(folded).collect::<BTreeSet<_>>());
    names.any(|name| !seen.insert(name))
}
