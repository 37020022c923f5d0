//! A second key that nothing needs. Words, reasons and examples: second-key.md.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::facts::document::subtype;
use crate::facts::names;
use crate::model::{Collection, FieldRef, Model};
use crate::profile::{CollectionProfile, Distinct, Field, FieldId, Shape};
use crate::rules::{Findings, Place};
use crate::value::event::Type;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Share of the documents that must have the field, each with a value of its own.
    share: f64,
}

impl Default for Options {
    fn default() -> Self {
        Options { share: 0.95 }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for (collection, profile) in model.with_documents() {
        // Without the indexes nobody can say that the key has none.
        if !collection.catalogue.indexes_known || !has_object_ids(profile) {
            continue;
        }
        for at in collection.fields().filter(|at| at.field.parent == FieldId::ROOT && at.leaf() != "_id") {
            let Some(kind) = kind(at.field) else { continue };
            let least = options.share * profile.documents as f64;
            let distinct = at.field.distinct.as_deref().map_or(0, Distinct::estimate);
            let key = names::is_own_key(at.leaf(), &collection.ns.collection);
            if !key || (at.field.documents as f64) < least || (distinct as f64) < least {
                continue;
            }
            if is_indexed(collection, &at) || is_referred_to(model, collection, at.field) {
                continue;
            }
            findings
                .measured(Place::path(&collection.ns, &at.path), profile.documents)
                .number("distinct", distinct.min(at.field.documents))
                .text("kind", kind);
        }
    }
}

fn has_object_ids(profile: &CollectionProfile) -> bool {
    let id = profile.children(FieldId::ROOT).find(|(_, f)| &*f.name == "_id");
    id.is_some_and(|(_, id)| id.count_of(Type::ObjectId) == id.count && 0 < id.count)
}

/// What kind of surrogate key the values are, if all of them are one.
fn kind(field: &Field) -> Option<&'static str> {
    let all = |count: u64| 0 < count && count == field.count;
    let uuids = field
        .binaries
        .as_ref()
        .map_or(0, |b| [subtype::UUID, subtype::OLD_UUID].iter().filter_map(|subtype| b.subtypes.get(subtype)).sum());
    if all(field.count_of(Type::ObjectId) + field.shape_count(Shape::ObjectId)) {
        Some("ObjectId")
    } else if all(uuids + field.shape_count(Shape::Uuid)) {
        Some("UUID")
    } else if all(field.number_count()) && field.numbers.fractional == 0 && is_sequence(field) {
        Some("sequence")
    } else {
        None
    }
}

/// Whether the whole numbers lie so close together that somebody counted them up.
fn is_sequence(field: &Field) -> bool {
    let (Some(least), Some(most)) = (field.numbers.min, field.numbers.max) else { return false };
    0.0 <= least && most - least < field.count as f64 * 2.0
}

/// Whether an index starts with the field: somebody looks documents up by it.
fn is_indexed(collection: &Collection, at: &FieldRef<'_>) -> bool {
    collection.indexes().iter().any(|index| index.key.first().is_some_and(|(path, _)| path == at.path.as_str()))
}

/// Whether a field of another collection holds the values of this one: the key joins the two. Small whole numbers
/// are found everywhere and prove nothing, but silence is the safer error here.
fn is_referred_to(model: &Model, own: &Collection, key: &Field) -> bool {
    let Some(keys) = key.distinct.as_deref() else { return false };
    let keys: Vec<u64> = keys.smallest().into_iter().map(|(hash, _)| hash).collect();
    let others = model.with_documents().filter(|(other, _)| other.ns != own.ns);
    others.flat_map(|(_, profile)| profile.fields()).any(|(_, field)| {
        let Some(values) = field.distinct.as_deref() else { return false };
        let values = values.smallest();
        let shared = values.iter().filter(|(hash, _)| keys.binary_search(hash).is_ok()).count();
        // One in ten: of large collections only some of the values are compared.
        0 < shared && values.len() <= shared * 10
    })
}
