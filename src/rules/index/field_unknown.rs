//! Indexed paths that no document has. Words, reasons and examples: field-unknown.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::place;
use crate::catalogue::{CollectionKind, IndexKind};
use crate::model::{Collection, Model};
use crate::profile::{CollectionProfile, FieldKind};
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
                    && !is_there(profile, path)
            });
            let Some((path, _)) = unknown else { continue };
            let near = nearest(collection, path);
            // An index that leaves out what lacks the field is made for a field that is rare, and may be absent today.
            let for_few = index.sparse || index.partial_filter.is_some() || index.is_ttl();
            if for_few && near.is_none() {
                continue;
            }
            let draft = findings.measured(place(collection, index).with_path(path), profile.documents);
            draft.none_of(profile.documents, collection.complete);
            // Where other fields of the key are there, the index still finds by them.
            let part = index.key.iter().any(|(path, _)| is_there(profile, path));
            match (near, part) {
                (Some(near), _) => draft.text("near", near).variant("typo"),
                (None, true) => draft.variant("part"),
                (None, false) => draft,
            };
        }
    }
}

/// Whether any document has something at the path, or might: names that are data can be any.
fn is_there(profile: &CollectionProfile, path: &str) -> bool {
    let ends = path.match_indices('.').map(|(at, _)| at).chain([path.len()]);
    let folded = ends.filter_map(|end| path.get(..end)).any(|prefix| {
        let mut fields = profile.resolve(prefix).into_iter();
        fields.any(|id| {
            let folds = profile.children(id).any(|(_, child)| child.kind == FieldKind::Folded);
            folds || profile.field(id).is_some_and(|field| field.names_are_data || field.kind == FieldKind::Folded)
        })
    });
    folded || profile.resolve(path).into_iter().any(|id| profile.field(id).is_some_and(|field| 0 < field.count))
}

/// The path that was probably meant: one that differs in a letter or two, or in how it joins its words.
fn nearest(collection: &Collection, path: &str) -> Option<String> {
    let plain = |text: &str| {
        text.chars().filter(|c| c.is_alphanumeric() || *c == '.').flat_map(char::to_lowercase).collect::<String>()
    };
    let wanted = plain(path);
    let paths = collection.fields().filter(|at| at.field.kind == FieldKind::Named && 0 < at.field.documents);
    let near = paths.filter_map(|at| {
        let distance = strsim::osa_distance(&plain(at.path.as_str()), &wanted);
        (distance <= 2 && distance * 4 < wanted.chars().count()).then(|| (distance, at.path.to_string()))
    });
    near.min().map(|(_, path)| path)
}
