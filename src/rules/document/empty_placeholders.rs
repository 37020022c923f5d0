//! Fields that are mostly stored empty. Words, reasons and examples: empty-placeholders.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::common_parent;
use crate::facts::names;
use crate::model::{Collection, FieldRef, Model};
use crate::order::Ordered;
use crate::profile::{Field, FieldId, FieldKind, Shape};
use crate::remedy::field;
use crate::rules::{Findings, Place};
use crate::value::event::{Item, Type};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Share of the values of a path that must be empty.
    share: f64,
    /// How often a path must occur.
    values: u64,
    /// Paths up to which it is asked whether a discriminator explains them.
    explained: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options { share: 0.5, values: 5, explained: 20 }
    }
}

/// Bytes of an object without fields.
const EMPTY_OBJECT: u32 = 5;

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for (collection, profile) in model.with_documents() {
        let mut found: Vec<(FieldRef<'_>, u64)> = collection
            .fields()
            .filter(|at| at.field.kind == FieldKind::Named && options.values <= at.field.count)
            .map(|at| {
                let empty = empty(at.field);
                (at, empty)
            })
            .filter(|(at, empty)| options.share * at.field.count as f64 <= *empty as f64 && 0 < *empty)
            .collect();
        let ids: Vec<FieldId> = found.iter().map(|(at, _)| at.id).collect();
        found.order_by(|(a, empty_a), (b, empty_b)| empty_b.cmp(empty_a).then_with(|| a.path.cmp(&b.path)));
        // Each needs a walk over the sample; so many at once have another reason than a variant.
        if found.len() <= options.explained {
            found.retain(|(at, _)| !is_explained(collection, at, &ids));
        }
        let ids: Vec<FieldId> = found.iter().map(|(at, _)| at.id).collect();
        let Some(parent) = common_parent(profile, &ids) else { continue };
        let values: u64 = found.iter().map(|(at, _)| at.field.count).sum();
        let empty: u64 = found.iter().map(|(_, empty)| empty).sum();
        // The path that occurs most often says how much was looked at.
        let most = found.iter().map(|(at, _)| at.field.count).max().unwrap_or(0);
        let draft = findings
            .measured(Place::path(&collection.ns, profile.path(parent)), most)
            .list("paths", found.iter().map(|(at, _)| &at.path))
            .number("empty", empty)
            .number("values", values)
            .number("share", empty as f64 / values.max(1) as f64)
            .variant(if found.len() == 1 { "one" } else { "several" });
        for (at, _) in &found {
            draft.cause(&at.path);
        }
        if found.len() <= options.explained && found.iter().all(|(at, _)| field::is_reachable(profile, at)) {
            let fields = found.iter().map(|(at, _)| (at.path.as_str(), !null_tells(at.field)));
            draft.remedy(field::unset_empty(&collection.ns, fields));
        }
    }
}

/// How many values of the field say nothing: empty strings, empty objects, and nulls unless these tell something.
fn empty(field: &Field) -> u64 {
    let empty_arrays = field.arrays.as_ref().map_or(0, |a| a.lengths.count() - a.lengths.at_least(1));
    let objects = field.empty_containers.saturating_sub(empty_arrays);
    let strings = field.shape_count(Shape::Empty);
    objects + strings + if null_tells(field) { 0 } else { field.nulls() }
}

/// Whether null is a value of the field: a date, a number, an id or a flag that is null says "not yet" or "none".
fn null_tells(field: &Field) -> bool {
    let silent = |kind: Type| matches!(kind, Type::Null | Type::Undefined | Type::String | Type::Object);
    // A field that is only ever null shows no type: its name may say that it is a date or an id.
    let named = field.nulls() == field.count && names::is_event_or_id(&field.name);
    named || field.types_found().into_iter().any(|(kind, _)| !silent(kind))
}

/// Whether a discriminator says which objects have the field empty. Fields that are empty together do not explain each
/// other.
fn is_explained(collection: &Collection, at: &FieldRef<'_>, empty: &[FieldId]) -> bool {
    let explained = collection.explained_by(at.field.parent, empty, |document, place| {
        let (_, entry) = document.children(place).find(|(_, e)| *e.key == *at.field.name)?;
        Some(u64::from(match entry.item {
            Item::Null => true,
            Item::String(text) => text.is_empty(),
            Item::Object { bytes, .. } => bytes <= EMPTY_OBJECT,
            _ => false,
        }))
    });
    explained.is_some()
}
