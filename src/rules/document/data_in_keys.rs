//! Objects whose keys are data. Words, reasons and examples: data-in-keys.md.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::model::Model;
use crate::profile::FieldKind;
use crate::profile::field::KeyStats;
use crate::profile::shape::KeyShape;
use crate::rules::{Findings, Place};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Different keys from which on they count as data.
    keys: u64,
    /// Share of the objects in which each key stands on average, from which on the keys are a fixed set of slots.
    fixed: f64,
}

impl Default for Options {
    fn default() -> Self {
        Options { keys: 3, fixed: 0.8 }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for collection in &model.collections {
        let Some(profile) = &collection.profile else { continue };
        for field in collection.fields().filter(|field| field.field.kind == FieldKind::Folded) {
            let Some(keys) = field.field.keys.as_deref() else { continue };
            let objects = collection.parent_objects(field.id);
            let distinct = keys.distinct.estimate();
            let filled = field.field.count as f64 / (objects as f64 * distinct as f64).max(1.0);
            if distinct < options.keys || (options.fixed <= filled && 1 < objects) {
                continue;
            }
            let holder = profile.path(field.field.parent);
            findings
                .measured(Place::path(&collection.ns, holder), objects)
                .number("keys", distinct)
                .number("mean", field.field.count.checked_div(objects).unwrap_or(0))
                .variant(shape_name(usual_shape(keys)));
        }
    }
}

/// The shape that most of the keys have.
fn usual_shape(keys: &KeyStats) -> KeyShape {
    let count = |shape: &KeyShape| keys.shapes.get(*shape as usize).copied().unwrap_or(0);
    KeyShape::ALL.into_iter().max_by_key(count).unwrap_or(KeyShape::Other)
}

fn shape_name(shape: KeyShape) -> &'static str {
    match shape {
        KeyShape::ObjectId => "object-ids",
        KeyShape::Uuid => "uuids",
        KeyShape::Date => "dates",
        KeyShape::Number => "numbers",
        KeyShape::Email => "emails",
        KeyShape::Other => "names",
    }
}
