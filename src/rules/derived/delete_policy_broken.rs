//! Copies that outlived their source. Words, reasons and examples: delete-policy-broken.md.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::config::intent::OnSourceDelete;
use crate::model::Model;
use crate::rules::{Findings, Place};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for entry in model.registry() {
        let variant = match entry.derived.on_source_delete {
            Some(OnSourceDelete::Delete) => "delete",
            Some(OnSourceDelete::Anonymise) => "anonymise",
            _ => continue,
        };
        let Some(link) = model.link(&entry) else { continue };
        let outlived = link.outlived();
        if 0 < outlived.full {
            let draft = findings.measured(Place::path(&entry.ns, &entry.path), link.pairs.tally().documents);
            draft.number("full", outlived.full).number("gone", outlived.gone).variant(variant);
            draft.text("source", entry.derived.source.as_deref().unwrap_or_default());
        }
    }
}
