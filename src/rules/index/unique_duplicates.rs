//! Unique indexes over values that repeat. Words, reasons and examples: unique-duplicates.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{place, unique};
use crate::catalogue::Origin;
use crate::model::questions::Repeats;
use crate::model::{Answer, Model};
use crate::rules::Findings;

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for (collection, index) in unique(model) {
        // One that is there keeps them out: what documents of another day show is no fault of it.
        if index.origin != Origin::Wanted {
            continue;
        }
        let Some(Answer::Keys { full, .. }) = collection.answers.keys(index) else { continue };
        let repeats = Repeats::of(full);
        if repeats.keys == 0 {
            continue;
        }
        findings
            .measured(place(collection, index), collection.answers.documents)
            .number("keys", repeats.keys)
            .number("documents", repeats.documents)
            .number("most", repeats.most)
            .text("key", index.key_script());
    }
}
