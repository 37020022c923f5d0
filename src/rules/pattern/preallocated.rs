//! Reserved places that stay empty. Words, reasons and examples: preallocated.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::forms;
use crate::config::intent::Pattern;
use crate::model::Model;
use crate::rules::{Findings, Place};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Share of the places, from 0 to 1, that are empty.
    share: f64,
    /// Places of one document from which on they are a reserve.
    places: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options { share: 0.5, places: 8 }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for (collection, forms) in forms(model) {
        for reserved in &forms.preallocated {
            // A card says that it is meant, with evidence for it.
            let meant = model.cards_of(&collection.ns).any(|card| {
                card.pattern == Pattern::Preallocation
                    && card.path.as_deref().is_none_or(|path| path == reserved.path.as_str())
            });
            if meant || reserved.capacity < options.places || reserved.share() < options.share {
                continue;
            }
            let draft = findings
                .measured(Place::path(&collection.ns, &reserved.path), reserved.holders)
                .number("capacity", reserved.capacity)
                .number("share", reserved.share())
                .variant(if reserved.array { "array" } else { "slots" })
                .cause(&reserved.path);
            for slot in &reserved.slots {
                draft.cause(slot);
            }
        }
    }
}
