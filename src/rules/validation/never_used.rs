//! Fields of the validator that no document has. Words, reasons and examples: never-used.md.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::model::Model;
use crate::profile::CollectionProfile;
use crate::rules::{Findings, Place};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for (collection, profile) in model.with_documents() {
        let Some(validator) = collection.validator() else { continue };
        let mut told: Vec<String> = Vec::new();
        for field in validator.fields() {
            // Below an object that no document has, the object says it all.
            let below =
                |known: &String| field.path.strip_prefix(known.as_str()).is_some_and(|rest| rest.starts_with('.'));
            if field.conditional || field.path == "_id" || told.iter().any(|known| *known == field.path || below(known))
            {
                continue;
            }
            if is_there(profile, &field.path) || !holds_its_parent(profile, &field.path) {
                continue;
            }
            told.push(field.path.clone());
            let mut place = Place::path(&collection.ns, &field.path);
            if let Some(location) = &validator.location {
                place = place.at(location.clone());
            }
            findings
                .measured(place, profile.documents)
                .none_of(profile.documents, collection.complete)
                .variant(if field.required { "required" } else { "listed" });
        }
    }
}

fn is_there(profile: &CollectionProfile, path: &str) -> bool {
    profile.resolve(path).into_iter().filter_map(|id| profile.field(id)).any(|field| 0 < field.count)
}

/// Whether the object that should hold the field is there: else nothing can be said of the field.
fn holds_its_parent(profile: &CollectionProfile, path: &str) -> bool {
    match path.rsplit_once('.') {
        Some((parent, _)) => profile
            .resolve(parent)
            .into_iter()
            .any(|id| profile.field(id).is_some_and(|f| 0 < f.count && f.empty_containers < f.count)),
        None => true,
    }
}
