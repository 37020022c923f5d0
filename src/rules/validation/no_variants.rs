//! Variants under one flat schema. Words, reasons and examples: no-variants.md.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::catalogue::Validator;
use crate::model::{Collection, Model};
use crate::profile::{FieldId, FieldKind};
use crate::rules::{Findings, Place};
use crate::value::event::Document;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Fields of single variants from which on a collection counts as polymorphic.
    fields: usize,
    /// Values of the discriminator up to which they count as variants; beyond, they are data, such as countries.
    values: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options { fields: 2, values: 12 }
    }
}

/// Fields that are looked at: each costs a walk over the sample.
const MOST_FIELDS: usize = 30;

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for (collection, profile) in model.with_documents() {
        let Some(validator) = collection.validator().filter(|validator| is_flat(validator)) else { continue };
        let Some((discriminator, names)) =
            variants(collection, options).into_iter().max_by_key(|(_, names)| names.len())
        else {
            continue;
        };
        if names.len() < options.fields {
            continue;
        }
        let mut place = Place::collection(&collection.ns);
        if let Some(location) = &validator.location {
            place = place.at(location.clone());
        }
        findings
            .measured(place, profile.documents)
            .text("discriminator", discriminator)
            .number("count", names.len())
            .list("fields", names);
    }
}

/// Whether a schema describes fields, and no alternatives of them.
fn is_flat(validator: &Validator) -> bool {
    validator.schema().is_some_and(|schema| {
        schema.get("properties").is_some()
            && ["anyOf", "oneOf", "allOf", "not", "dependencies"].iter().all(|keyword| schema.get(keyword).is_none())
    }) && validator.expression.as_object().is_some_and(|fields| fields.len() == 1)
}

/// By discriminator, the top-level fields whose presence it explains.
fn variants(collection: &Collection, options: &Options) -> BTreeMap<String, Vec<String>> {
    let mut out: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let Some(root) = collection.profile.as_ref().and_then(|profile| profile.root()) else { return out };
    let partly = |count: u64| root.count <= count * 20 && count * 20 <= root.count * 19;
    let fields = collection.fields().filter(|at| {
        at.field.parent == FieldId::ROOT && at.field.kind == FieldKind::Named && partly(at.field.documents)
    });
    for at in fields.take(MOST_FIELDS) {
        let has = |document: &Document<'_>, object: usize| {
            Some(u64::from(document.children(object).any(|(_, entry)| entry.key == at.leaf())))
        };
        let explained = collection.explained_by(FieldId::ROOT, &[], has);
        if let Some(discriminator) = explained.filter(|by| by.field.distinct_count() <= options.values) {
            out.entry(discriminator.path.to_string()).or_default().push(at.path.to_string());
        }
    }
    out
}
