//! Paths that hold values of unlike types. Words, reasons and examples: mixed-types.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{conversion, family, is_own_id, type_table};
use crate::model::{Collection, FieldRef, Model};
use crate::order::Ordered;
use crate::profile::{FieldKind, Shape};
use crate::remedy::convert::Target;
use crate::rules::{Findings, Place};
use crate::value::event::Type;

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for collection in &model.collections {
        for field in collection.fields() {
            // Arrays beside other types are `array-or-scalar`, elements are `mixed-array-elements`, ids are `mixed-id`.
            if field.field.kind != FieldKind::Named || is_own_id(&field) {
                continue;
            }
            let families = families(&field);
            if families.len() < 2 || is_lost_in_text(collection, &families) || is_explained(collection, &field) {
                continue;
            }
            let total: u64 = families.iter().map(|(_, count)| count).sum();
            let most = families.first().map_or(0, |(_, count)| *count);
            let usual = families.first().map_or("", |(kind, _)| family_name(*kind));
            let finding = findings
                .measured(Place::path(&collection.ns, &field.path), total)
                .list("found", families.iter().map(|(kind, _)| family_name(*kind)))
                .text("usual", usual)
                .number("other", total - most)
                .figure("types", type_table(&field));
            let target = target(&field, &families);
            if let Some(remedy) = target.and_then(|to| conversion(collection, &field, to, model.server)) {
                finding.remedy(remedy);
            }
        }
    }
}

/// The families of types that the field holds, with their counts, most frequent first; no nulls and no arrays.
fn families(field: &FieldRef<'_>) -> Vec<(Type, u64)> {
    let mut families: Vec<(Type, u64)> = Vec::new();
    for (kind, count) in field.field.types_found() {
        let Some(family) = family(kind).filter(|family| *family != Type::Array) else { continue };
        match families.iter_mut().find(|(known, _)| *known == family) {
            Some((_, sum)) => *sum += count,
            None => families.push((family, count)),
        }
    }
    families.order_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    families
}

/// The type that all others have and that every string reads as.
fn target(field: &FieldRef<'_>, families: &[(Type, u64)]) -> Option<Target> {
    let [(one, _), (other, _)] = families else { return None };
    let ((Type::String, wanted) | (wanted, Type::String)) = (*one, *other) else { return None };
    let reads_as = |shapes: &[Shape]| {
        shapes.iter().map(|shape| field.field.shape_count(*shape)).sum::<u64>() == field.field.count_of(Type::String)
    };
    match wanted {
        Type::Double if reads_as(&[Shape::Number]) && field.has(Type::Decimal) => Some(Target::Decimal),
        Type::Double if reads_as(&[Shape::Number]) => Some(Target::Number),
        Type::Date if reads_as(&[Shape::Day, Shape::DateTime]) => Some(Target::Date),
        Type::Bool if reads_as(&[Shape::Boolean]) => Some(Target::Bool),
        Type::ObjectId if reads_as(&[Shape::ObjectId]) => Some(Target::ObjectId),
        _ => None,
    }
}

/// Plain JSON makes strings of dates and ids: beside such input a string says nothing about what is stored.
fn is_lost_in_text(collection: &Collection, families: &[(Type, u64)]) -> bool {
    let holds = |kind: Type| families.iter().any(|(family, _)| *family == kind);
    !collection.types_are_kept() && holds(Type::String) && (holds(Type::Date) || holds(Type::ObjectId))
}

fn is_explained(collection: &Collection, field: &FieldRef<'_>) -> bool {
    let name = field.leaf().to_owned();
    let explained = collection.explained_by(field.field.parent, &[field.id], |document, object| {
        let (_, entry) = document.children(object).find(|(_, entry)| entry.key == name)?;
        family(entry.item.bson_type()).filter(|family| *family != Type::Array).map(|family| family as u64)
    });
    explained.is_some()
}

fn family_name(family: Type) -> &'static str {
    if family == Type::Double { "number" } else { family.alias() }
}
