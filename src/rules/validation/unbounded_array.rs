//! Arrays that the schema does not bound. Words, reasons and examples: unbounded-array.md.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::model::{Collection, Model};
use crate::rules::{Findings, Place};
use crate::value::event::Type;

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for collection in &model.collections {
        let Some(validator) = collection.validator() else { continue };
        let fields = validator.fields();
        let mut told: Vec<&str> = Vec::new();
        for field in &fields {
            let array = field.types.as_ref().is_some_and(|types| types.contains(&Type::Array));
            let bounded = fields
                .iter()
                .any(|other| other.path == field.path && (other.max_items.is_some() || other.bounded_otherwise));
            // GeoJSON has its own form, which bounds nothing and needs no bound.
            let geometry = field.path.rsplit('.').next() == Some("coordinates");
            if !array || bounded || geometry || is_fixed(collection, &field.path) || told.contains(&field.path.as_str())
            {
                continue;
            }
            told.push(&field.path);
            let mut place = Place::path(&collection.ns, &field.path);
            if let Some(location) = &validator.location {
                place = place.at(location.clone());
            }
            let draft = findings.certain(place);
            let longest =
                collection.arrays().iter().filter(|a| a.path.as_str() == field.path).map(|a| a.stats.lengths.max());
            if let Some(longest) = longest.max() {
                draft.number("longest", longest).variant("seen");
            }
        }
    }
}

/// Whether every array of the path has one length, or holds nothing but numbers.
fn is_fixed(collection: &Collection, path: &str) -> bool {
    let mut arrays = collection.arrays().iter().filter(|array| array.path.as_str() == path).peekable();
    arrays.peek().is_some() && arrays.all(|array| array.numeric || array.stats.is_constant())
}
