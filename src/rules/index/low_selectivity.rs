//! Indexes that hardly narrow anything. Words, reasons and examples: low-selectivity.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::place;
use crate::catalogue::Index;
use crate::model::{Collection, Model};
use crate::profile::{Field, FieldKind};
use crate::rules::Findings;
use crate::value::event::Type;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Distinct values up to which a single field counts as hardly selective.
    values: u64,
    /// Share of the documents, in percent, from which on one value makes the first field hardly selective.
    percent: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options { values: 5, percent: 90 }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for (collection, profile) in model.with_documents() {
        for index in collection.indexes().iter().filter(|index| only_finds(index)) {
            let Some((path, _)) = index.key.first() else { continue };
            let Some(field) = the_field(collection, path) else { continue };
            let documents = profile.documents;
            let missing = documents.saturating_sub(field.count) + field.nulls();
            let frequent = most_frequent(field).max(missing);
            let known = field.distinct_count();
            let distinct = known + u64::from(0 < missing);
            let dominated = documents * options.percent <= frequent * 100;
            // A profile may have been saved without its values.
            let few = index.key.len() == 1 && 0 < known && distinct <= options.values;
            if documents == 0 || !(dominated || few) {
                continue;
            }
            findings
                .measured(place(collection, index).with_path(path), documents)
                .documents(collection.stored())
                .number("distinct", distinct)
                .number("share", frequent as f64 / documents as f64)
                .variant(if dominated { "dominated" } else { "few" });
        }
    }
}

/// Whether the index is there to find documents by sorted values, all of them.
fn only_finds(index: &Index) -> bool {
    index.is_plain()
        && !index.unique
        && !index.sparse
        && !index.is_ttl()
        && !index.is_id()
        && index.partial_filter.is_none()
}

/// The field of a path that no array is part of.
fn the_field<'c>(collection: &'c Collection, path: &str) -> Option<&'c Field> {
    let profile = collection.profile.as_ref()?;
    let found = profile.resolve(path);
    let [id] = found.as_slice() else { return None };
    let field = profile.field(*id)?;
    let plain = field.kind == FieldKind::Named && !profile.in_array(*id);
    (plain && field.count_of(Type::Array) == 0 && field.count_of(Type::Object) == 0 && 0 < field.count).then_some(field)
}

fn most_frequent(field: &Field) -> u64 {
    [&field.distinct, &field.distinct_other]
        .into_iter()
        .flatten()
        .map(|distinct| distinct.largest_count())
        .max()
        .unwrap_or(0)
}
