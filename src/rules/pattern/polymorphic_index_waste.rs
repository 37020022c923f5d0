//! Indexes that most variants never use. Words, reasons and examples: polymorphic-index-waste.md.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use super::forms;
use crate::catalogue::{Index, Origin};
use crate::model::pattern::item_of;
use crate::model::{Collection, FieldRef, Model};
use crate::profile::FieldKind;
use crate::remedy;
use crate::rules::{Findings, Place};
use crate::value::Value;
use crate::value::hash::hash_scalar;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Share of the documents, from 0 to 1, that have the field at most.
    share: f64,
}

impl Default for Options {
    fn default() -> Self {
        Options { share: 0.5 }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for (collection, _) in forms(model) {
        for index in collection.indexes().iter().filter(|index| takes_in_all(index)) {
            let Some(at) = leading(collection, index) else { continue };
            let documents = collection.documents();
            let without = documents - at.field.documents.min(documents);
            if options.share * (documents as f64) < at.field.documents as f64 || at.field.documents == 0 {
                continue;
            }
            let Some((discriminator, used, variants)) = variants(collection, &at) else { continue };
            if variants < used * 2 {
                continue;
            }
            let exists = Value::Object(vec![("$exists".to_owned(), Value::Bool(true))]);
            let partial = Value::Object(vec![(at.path.to_string(), exists)]);
            let new = Index { partial_filter: Some(partial), origin: Origin::Wanted, ..index.clone() };
            findings
                .measured(Place::index(&collection.ns, &index.name), documents)
                .text("field", &at.path)
                .text("discriminator", discriminator)
                .number("used", used)
                .number("variants", variants)
                .number("without", without)
                .remedy(remedy::index::replace(&collection.ns, index, &new, model.server));
        }
    }
}

/// Whether documents without the field have an entry too, for nothing.
fn takes_in_all(index: &Index) -> bool {
    index.is_plain()
        && !index.is_id()
        && !index.is_ttl()
        && !index.is_wildcard()
        && !index.unique
        && !index.sparse
        && index.partial_filter.is_none()
}

/// The field that leads the index, where it stands in no array.
fn leading<'m>(collection: &'m Collection, index: &Index) -> Option<FieldRef<'m>> {
    let (path, _) = index.key.first()?;
    let profile = collection.profile.as_ref()?;
    let [id] = profile.resolve(path).try_into().ok()?;
    let at = collection.field(id)?;
    (at.field.kind == FieldKind::Named && !profile.in_array(id)).then_some(at)
}

/// The discriminator that says which documents have the field, how many of its values do, and how many there are.
fn variants(collection: &Collection, at: &FieldRef<'_>) -> Option<(String, usize, usize)> {
    let by = collection.explained_by(crate::profile::FieldId::ROOT, &[at.id], |document, _| {
        Some(u64::from(item_of(document, at.path.as_str()).is_some()))
    })?;
    let mut table: BTreeMap<u64, (u64, u64)> = BTreeMap::new();
    collection.each_sampled(|document| {
        let Some(value) = item_of(document, by.path.as_str()) else { return };
        let (with, all) = table.entry(hash_scalar(&value)).or_default();
        *with += u64::from(item_of(document, at.path.as_str()).is_some());
        *all += 1;
    });
    let used = table.values().filter(|(with, all)| all < &(with * 2)).count();
    (0 < used).then(|| (by.path.to_string(), used, table.len()))
}
