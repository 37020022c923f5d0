//! Identifiers of several types in one collection. Words, reasons and examples: mixed-id.md.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::model::Model;
use crate::order::Ordered;
use crate::profile::{Field, FieldId};
use crate::rules::{Findings, Place};
use crate::value::event::Fidelity;

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for (collection, profile) in model.with_documents() {
        // Plain JSON turns ids into strings: beside a typed file that would look like two types.
        if profile.fidelity.contains_key(&Fidelity::TypesLost) {
            continue;
        }
        let Some((_, id)) = profile.children(FieldId::ROOT).find(|(_, f)| &*f.name == "_id") else { continue };
        let types = types(id);
        let [(main, most), rest @ ..] = types.as_slice() else { continue };
        if rest.is_empty() {
            continue;
        }
        findings
            .measured(Place::path(&collection.ns, "_id"), id.count)
            .list("types", types.iter().map(|(name, _)| name))
            .text("main", main)
            .number("others", id.count - most);
    }
}

/// The types of the field, most frequent first; numbers compare with each other and count as one type.
fn types(field: &Field) -> Vec<(&'static str, u64)> {
    let mut types: Vec<(&'static str, u64)> = Vec::new();
    for (kind, count) in field.types_found() {
        let name = if kind.is_number() { "number" } else { kind.alias() };
        match types.iter_mut().find(|(known, _)| *known == name) {
            Some((_, sum)) => *sum += count,
            None => types.push((name, count)),
        }
    }
    types.order_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    types
}
