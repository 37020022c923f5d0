//! Fields that the validator does not know. Words, reasons and examples: drift.md.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::catalogue::validator::SchemaField;
use crate::model::{Collection, FieldRef, Model};
use crate::profile::FieldKind;
use crate::rules::{Findings, Place};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for (collection, profile) in model.with_documents() {
        let Some(validator) = collection.validator() else { continue };
        let known = validator.fields();
        for at in collection.fields().filter(|at| is_unknown(collection, at, &known)) {
            let mut place = Place::path(&collection.ns, &at.path);
            if let Some(location) = &validator.location {
                place = place.at(location.clone());
            }
            findings
                .measured(place, profile.documents)
                .number("with", at.field.documents)
                .number("share", at.field.documents as f64 / profile.documents.max(1) as f64);
        }
    }
}

/// Whether the schema lists the fields of the object around it, but not this one, and lets it in.
fn is_unknown(collection: &Collection, at: &FieldRef<'_>, known: &[SchemaField]) -> bool {
    if at.field.kind != FieldKind::Named || at.path.as_str() == "_id" || at.field.documents == 0 {
        return false;
    }
    let parent = match at.path.as_str().rsplit_once('.') {
        Some((parent, _)) => parent,
        None => "",
    };
    let is_sibling = |field: &&SchemaField| match field.path.rsplit_once('.') {
        Some((other, _)) => other == parent,
        None => parent.is_empty(),
    };
    let mut siblings = known.iter().filter(is_sibling).peekable();
    // Where every name is open, or the names are data, none of them can be unknown.
    let folded = collection.field(at.field.parent).is_some_and(|parent| parent.field.names_are_data);
    siblings.peek().is_some()
        && !folded
        && siblings.clone().any(|field| field.listed)
        && !siblings.clone().any(|field| field.siblings_known)
        && !siblings.any(|field| field.path == at.path.as_str())
}
