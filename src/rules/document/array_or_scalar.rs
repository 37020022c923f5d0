//! Paths that hold arrays in some documents and single values in others. Words, reasons and examples:
//! array-or-scalar.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{family, type_table};
use crate::model::{Collection, FieldRef, Model};
use crate::profile::FieldKind;
use crate::rules::{Findings, Place};
use crate::value::event::Type;

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for collection in &model.collections {
        for field in collection.fields().filter(|field| field.field.kind == FieldKind::Named) {
            let arrays = field.field.count_of(Type::Array);
            let singles: u64 = field.field.types_found().into_iter().filter_map(single).sum();
            if arrays == 0 || singles == 0 || is_explained(collection, &field) {
                continue;
            }
            findings
                .measured(Place::path(&collection.ns, &field.path), arrays + singles)
                .number("arrays", arrays)
                .number("singles", singles)
                .figure("types", type_table(&field));
        }
    }
}

fn single((kind, count): (Type, u64)) -> Option<u64> {
    family(kind).filter(|family| *family != Type::Array).map(|_| count)
}

fn is_explained(collection: &Collection, field: &FieldRef<'_>) -> bool {
    let name = field.leaf().to_owned();
    let explained = collection.explained_by(field.field.parent, &[field.id], |document, object| {
        let (_, entry) = document.children(object).find(|(_, entry)| entry.key == name)?;
        family(entry.item.bson_type()).map(|family| u64::from(family == Type::Array))
    });
    explained.is_some()
}
