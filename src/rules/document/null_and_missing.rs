//! Paths that are null in some documents and absent in others. Words, reasons and examples: null-and-missing.md.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::model::{Collection, FieldRef, Model};
use crate::profile::{FieldId, FieldKind};
use crate::rules::{Findings, Place};
use crate::value::hash::hash_text;

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
        let found: Vec<Both<'_>> = collection
            .fields()
            .filter(|field| field.field.kind == FieldKind::Named)
            .map(|field| {
                let objects = collection.parent_objects(field.id);
                Both { objects, nulls: field.field.nulls(), missing: profile.missing(field.id), field }
            })
            .filter(|both| both.counts(options))
            .collect();
        let alike = alike(collection, &found);
        for (both, _) in found.iter().zip(alike).filter(|(_, alike)| *alike) {
            if is_explained(collection, &both.field) {
                continue;
            }
            findings
                .measured(Place::path(&collection.ns, &both.field.path), both.objects)
                .number("nulls", both.nulls)
                .number("missing", both.missing);
        }
    }
}

/// A field that is null in some objects and missing in others.
struct Both<'a> {
    field: FieldRef<'a>,
    objects: u64,
    nulls: u64,
    missing: u64,
}

impl Both<'_> {
    fn counts(&self, options: &Options) -> bool {
        let least = self.objects as f64 * options.share;
        let enough = |count: u64| 0 < count && least <= count as f64;
        enough(self.nulls) && enough(self.missing)
    }
}

/// One in so many of the objects that lack the field must be like one that has it.
const ALIKE: u64 = 20;

/// For each field, whether objects that are alike otherwise have it or lack it. Where only objects of other names lack
/// it, these are another kind of object. Fields of which the same is asked make no difference: a writer that leaves out
/// one null leaves out all.
fn alike(collection: &Collection, found: &[Both<'_>]) -> Vec<bool> {
    let parents: Vec<FieldId> = found.iter().map(|both| both.field.field.parent).collect();
    let mut asked: BTreeMap<FieldId, Vec<&str>> = BTreeMap::new();
    for both in found {
        asked.entry(both.field.field.parent).or_default().push(&both.field.field.name);
    }
    // By the names beside the field: objects that have it, and objects that lack it.
    let mut shapes: Vec<BTreeMap<u64, (u64, u64)>> = vec![BTreeMap::new(); found.len()];
    collection.each_at_any(&parents, |which, document, place| {
        let (Some(both), Some(shapes)) = (found.get(which), shapes.get_mut(which)) else { return };
        let asked = asked.get(&both.field.field.parent).map(Vec::as_slice).unwrap_or_default();
        let (mut has, mut shape) = (false, 0u64);
        for (_, entry) in document.children(place) {
            has |= *entry.key == *both.field.field.name;
            if !asked.contains(&entry.key) {
                shape = shape.wrapping_add(hash_text(entry.key));
            }
        }
        let (with, without) = shapes.entry(shape).or_default();
        *(if has { with } else { without }) += 1;
    });
    shapes
        .iter()
        .map(|shapes| {
            let missing: u64 = shapes.values().map(|(_, without)| without).sum();
            let alike: u64 = shapes.values().filter(|(with, _)| 0 < *with).map(|(_, without)| without).sum();
            0 < alike && missing <= alike * ALIKE
        })
        .collect()
}

/// Whether a variant simply has no such field.
fn is_explained(collection: &Collection, field: &FieldRef<'_>) -> bool {
    let name = field.leaf().to_owned();
    let explained = collection.explained_by(field.field.parent, &[field.id], |document, object| {
        Some(u64::from(document.children(object).any(|(_, entry)| entry.key == name)))
    });
    explained.is_some()
}
