//! Indexed paths that no document has. Words, reasons and examples: field-unknown.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::place;
use crate::catalogue::{CollectionKind, IndexKind};
use crate::model::Model;
use crate::rules::Findings;

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for (collection, profile) in model.with_documents() {
        let plain = collection.options().is_none_or(|options| options.kind == CollectionKind::Collection);
        if profile.documents == 0 || !plain || collection.ns.is_internal() {
            continue;
        }
        for index in collection.indexes() {
            let unknown = index.key.iter().find(|(path, kind)| {
                !path.contains('$')
                    && !path.starts_with("_fts")
                    && !matches!(kind, IndexKind::Other(_))
                    && !collection.may_have(path)
            });
            let Some((path, _)) = unknown else { continue };
            let near = collection.nearest_path(path);
            // An index that leaves out what lacks the field is made for a field that is rare, and may be absent today.
            let for_few = index.sparse || index.partial_filter.is_some() || index.is_ttl();
            if for_few && near.is_none() {
                continue;
            }
            let draft = findings.measured(place(collection, index).with_path(path), profile.documents);
            draft.none_of(profile.documents, collection.complete);
            // Where other fields of the key are there, the index still finds by them.
            let part = index.key.iter().any(|(path, _)| collection.may_have(path));
            match (near, part) {
                (Some(near), _) => draft.text("near", near).variant("typo"),
                (None, true) => draft.variant("part"),
                (None, false) => draft,
            };
        }
    }
}
