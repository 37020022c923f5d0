//! A query whose collation is not that of its index. Words, reasons and examples: collation-mismatch.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{demand, demands};
use crate::model::Model;
use crate::model::serving::Standing;
use crate::rules::Findings;

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for (collection, access, standing) in demands(model) {
        let Standing::Collation(at) = standing else { continue };
        let Some(index) = collection.indexes().get(at) else { continue };
        let draft = demand(model, collection, access, findings);
        draft.text("present", &index.name);
        draft.text("locale", index.collation.as_ref().and_then(|c| c.get("locale")?.as_str()).unwrap_or("simple"));
        draft.variant(if access.collation.is_some() { "other" } else { "none" });
    }
}
