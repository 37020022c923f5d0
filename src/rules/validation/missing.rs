//! Collections without a validator. Words, reasons and examples: missing.md.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::catalogue::CollectionKind;
use crate::model::Model;
use crate::rules::{Findings, Place};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for collection in &model.collections {
        let Some(options) = collection.options().filter(|_| collection.catalogue.options_known) else { continue };
        // A script may set one that is not known from its text.
        let unknown = options.other.iter().any(|name| name == "validator" || name == "*");
        let plain = options.kind == CollectionKind::Collection && !collection.ns.is_internal();
        if !plain || unknown || collection.validator().is_some() || collection.stored() == 0 {
            continue;
        }
        findings.certain(Place::collection(&collection.ns)).number("documents", collection.stored());
    }
}
