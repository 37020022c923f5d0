//! DBRef values. Words, reasons and examples: dbref.md.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::facts::document::DBREF;
use crate::model::Model;
use crate::rules::{Findings, Place};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for (collection, profile) in model.with_documents() {
        let mut told: Vec<&str> = Vec::new();
        let fields: Vec<_> = collection.fields().collect();
        for at in &fields {
            let is_dbref = DBREF.iter().take(2).all(|name| profile.has_name(at.id, name));
            // A list of them and a single one have one path.
            if !is_dbref || told.contains(&at.path.as_str()) {
                continue;
            }
            told.push(at.path.as_str());
            let count = profile.children(at.id).find(|(_, field)| DBREF.first() == Some(&&*field.name));
            findings
                .certain(Place::path(&collection.ns, &at.path))
                .number("values", count.map_or(0, |(_, field)| field.count))
                .number("documents", count.map_or(0, |(_, field)| field.documents));
        }
    }
}
