//! Fields that the validator does not know. Words, reasons and examples: drift.md.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::catalogue::validator::SchemaField;
use crate::model::{Collection, FieldRef, Model};
use crate::order::Ordered;
use crate::profile::FieldKind;
use crate::rules::{Findings, Place};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Unknown fields of one object up to which each is told by itself.
    fields: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options { fields: 3 }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for (collection, profile) in model.with_documents() {
        let Some(validator) = collection.validator() else { continue };
        let known = validator.fields();
        let mut unknown: BTreeMap<String, Vec<FieldRef<'_>>> = BTreeMap::new();
        for at in collection.fields().filter(|at| is_unknown(collection, at, &known)) {
            unknown.entry(parent(at.path.as_str()).to_owned()).or_default().push(at);
        }
        for (object, fields) in unknown {
            let place = |path: &str| {
                let place = Place::path(&collection.ns, path);
                match &validator.location {
                    Some(location) => place.at(location.clone()),
                    None => place,
                }
            };
            let mut listed: Vec<&str> = known
                .iter()
                .filter(|field| parent(&field.path) == object && field.path != "_id")
                .map(|field| field.path.as_str())
                .collect();
            listed.order();
            listed.dedup();
            // A schema that knows fewer fields than it leaves out states a minimum: that is said once.
            let minimum = 1 < fields.len() && listed.len() < fields.len();
            if minimum || options.fields < fields.len() {
                findings
                    .measured(place(&object), profile.documents)
                    .number("unknown", fields.len())
                    .number("listed", listed.len())
                    .list("names", fields.iter().map(|at| &at.path))
                    .variant("many");
                continue;
            }
            for at in fields {
                findings
                    .measured(place(at.path.as_str()), profile.documents)
                    .number("with", at.field.documents)
                    .number("share", at.field.documents as f64 / profile.documents.max(1) as f64);
            }
        }
    }
}

fn parent(path: &str) -> &str {
    path.rsplit_once('.').map_or("", |(parent, _)| parent)
}

/// Whether the schema lists the fields of the object around it, but not this one, and lets it in.
fn is_unknown(collection: &Collection, at: &FieldRef<'_>, known: &[SchemaField]) -> bool {
    if at.field.kind != FieldKind::Named || at.path.as_str() == "_id" || at.field.documents == 0 {
        return false;
    }
    let is_sibling = |field: &&SchemaField| parent(&field.path) == parent(at.path.as_str());
    let mut siblings = known.iter().filter(is_sibling).peekable();
    // Where every name is open, or the names are data, none of them can be unknown.
    let folded = collection.field(at.field.parent).is_some_and(|parent| parent.field.names_are_data);
    siblings.peek().is_some()
        && !folded
        && siblings.clone().any(|field| field.listed)
        && !siblings.clone().any(|field| field.siblings_known)
        && !siblings.any(|field| field.path == at.path.as_str())
}
