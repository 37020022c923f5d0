//! Paths that are null in some documents and absent in others. Words, reasons and examples: null-and-missing.md.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::model::{Collection, FieldRef, Model};
use crate::profile::FieldKind;
use crate::rules::{Findings, Place};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Share of the objects that must have null, and that must lack the field.
    share: f64,
}

impl Default for Options {
    fn default() -> Self {
        Options { share: 0.01 }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for collection in &model.collections {
        let Some(profile) = &collection.profile else { continue };
        for field in collection.fields().filter(|field| field.field.kind == FieldKind::Named) {
            let objects = collection.parent_objects(field.id);
            let (nulls, missing) = (field.field.nulls(), profile.missing(field.id));
            let least = objects as f64 * options.share;
            let counts = |count: u64| 0 < count && least <= count as f64;
            if !counts(nulls) || !counts(missing) || is_explained(collection, &field) {
                continue;
            }
            findings
                .measured(Place::path(&collection.ns, &field.path), objects)
                .number("nulls", nulls)
                .number("missing", missing);
        }
    }
}

/// Whether a variant simply has no such field.
fn is_explained(collection: &Collection, field: &FieldRef<'_>) -> bool {
    let name = field.leaf().to_owned();
    let explained = collection.explained_by(field.field.parent, &[field.id], |document, object| {
        Some(u64::from(document.children(object).any(|(_, entry)| entry.key == name)))
    });
    explained.is_some()
}
