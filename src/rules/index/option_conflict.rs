//! Definitions that the server refuses beside another. Words, reasons and examples: option-conflict.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::place;
use crate::catalogue::{Index, Origin};
use crate::model::{Collection, Model};
use crate::remedy;
use crate::rules::Findings;

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for collection in &model.collections {
        for (at, index) in collection.indexes().iter().enumerate() {
            // What is there was taken; only a wish can be refused.
            if index.origin != Origin::Wanted {
                continue;
            }
            let earlier = collection.indexes().get(..at).unwrap_or_default();
            let conflict = earlier.iter().find_map(|known| Some((known, conflict(known, index, model)?)));
            if let Some((known, variant)) = conflict {
                tell(collection, known, index, variant, model, findings);
            }
        }
    }
}

fn tell(
    collection: &Collection,
    known: &Index,
    index: &Index,
    variant: &'static str,
    model: &Model,
    findings: &mut Findings,
) {
    let draft = findings.certain(place(collection, index));
    draft.text("key", index.key_script()).text("other", &known.name).text("otherKey", known.key_script());
    draft.variant(variant);
    if variant != "name" {
        draft.remedy(remedy::index::replace(&collection.ns, known, index, model.server));
    }
}

/// Why the server refuses the second of two definitions.
fn conflict(known: &Index, index: &Index, model: &Model) -> Option<&'static str> {
    let same = known.same_identity(index, model.server);
    match (same, known.name == index.name) {
        (false, true) => Some("name"),
        (true, _) if index.is_ttl() && !known.is_ttl() => Some("ttl"),
        (true, _) if !known.same_options(index) => Some("options"),
        (true, false) => Some("renamed"),
        _ => None,
    }
}
