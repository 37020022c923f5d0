//! Types that BSON has retired. Words, reasons and examples: deprecated-type.md.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::facts::document::{DEPRECATED_TYPES, subtype};
use crate::model::Model;
use crate::profile::Field;
use crate::remedy::field;
use crate::rules::{Findings, Place};
use crate::value::event::Type;

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for (collection, profile) in model.with_documents() {
        for at in collection.fields() {
            let found = deprecated(at.field);
            let Some((_, _, variant)) = found.first() else { continue };
            let draft = findings
                .certain(Place::path(&collection.ns, &at.path))
                .list("types", found.iter().map(|(name, _, _)| name))
                .number("times", found.iter().map(|(_, count, _)| count).sum::<u64>())
                .number("values", at.field.count)
                .variant(if found.len() == 1 { variant } else { "several" });
            let undefined = Type::Undefined.alias();
            if found.len() == 1 && *variant == undefined && field::is_reachable(profile, &at) {
                draft.remedy(field::unset_type(&collection.ns, at.path.as_str(), undefined));
            }
        }
    }
}

/// Name, count and variant of the words for each retired type that the field holds.
fn deprecated(field: &Field) -> Vec<(&'static str, u64, &'static str)> {
    let types = DEPRECATED_TYPES.iter().map(|kind| (kind.alias(), field.count_of(*kind), kind.alias()));
    let subtypes = [
        ("binData 3 (legacy UUID)", subtype::OLD_UUID, "uuid"),
        ("binData 2 (old binary)", subtype::OLD_BINARY, "binary"),
    ];
    let count = |subtype: u8| field.binaries.as_ref().and_then(|b| b.subtypes.get(&subtype)).copied().unwrap_or(0);
    let subtypes = subtypes.into_iter().map(|(name, subtype, variant)| (name, count(subtype), variant));
    types.chain(subtypes).filter(|(_, count, _)| 0 < *count).collect()
}
