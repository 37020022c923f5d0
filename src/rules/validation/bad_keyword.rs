//! What the server refuses in a schema. Words, reasons and examples: bad-keyword.md.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::catalogue::validator::check::{RefusalKind, Wanted};
use crate::model::Model;
use crate::remedy;
use crate::rules::{Findings, Place};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for collection in &model.collections {
        let Some(validator) = collection.validator() else { continue };
        let mended = remedy::validator::mended(validator);
        for refusal in validator.refusals() {
            let mut place = Place::path(&collection.ns, &refusal.path);
            if let Some(location) = &validator.location {
                place = place.at(location.clone());
            }
            let variant = match (refusal.kind, refusal.meant) {
                (RefusalKind::Keyword, None) => "keyword",
                (RefusalKind::Keyword, Some(_)) => "misspelled",
                (RefusalKind::TypeName, None) => "type",
                (RefusalKind::TypeName, Some(_)) => "misnamed",
                (RefusalKind::TwoTypes, _) => "two",
                (RefusalKind::Exclusive, _) => "exclusive",
                (RefusalKind::Repeated, _) => "repeated",
                (RefusalKind::Value(wanted), _) => variant_of(wanted),
            };
            let draft = findings.certain(place);
            draft.text("keyword", &refusal.keyword).variant(variant);
            if matches!(refusal.kind, RefusalKind::Value(_)) {
                draft.help("value");
            }
            if let Some(given) = &refusal.given {
                draft.text("given", given);
            }
            if let Some(meant) = refusal.meant {
                draft.text("meant", meant);
            }
            if let Some(mended) = &mended {
                draft.remedy(remedy::validator::set(&collection.ns, mended.clone()));
            }
        }
    }
}

/// The variant of the words for what a keyword takes.
fn variant_of(wanted: Wanted) -> &'static str {
    match wanted {
        Wanted::Element => "value-element",
        Wanted::Distinct => "value-distinct",
        Wanted::Names => "value-names",
        Wanted::Values => "value-values",
        Wanted::Number => "value-number",
        Wanted::Positive => "value-positive",
        Wanted::Whole => "value-whole",
        Wanted::Text => "value-text",
        Wanted::Boolean => "value-boolean",
        Wanted::Schema => "value-schema",
        Wanted::Schemas => "value-schemas",
        Wanted::SchemaOrSchemas => "value-schema-or-schemas",
        Wanted::SchemaOrBoolean => "value-schema-or-boolean",
        Wanted::ByName => "value-by-name",
        Wanted::Dependencies => "value-dependencies",
        Wanted::TypeNames => "value-type-names",
        Wanted::Object => "value-object",
    }
}
