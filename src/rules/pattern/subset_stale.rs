//! Embedded subsets that the full collection contradicts. Words, reasons and examples: subset-stale.md.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::model::Model;
use crate::rules::{Findings, Place};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for subset in model.subsets.iter().filter(|subset| 0 < subset.stale) {
        let draft = findings.measured(Place::path(&subset.parent, &subset.path), subset.parents);
        draft.text("source", &subset.child).text("order", &subset.order);
        draft.number("stale", subset.stale).number("share", subset.stale as f64 / subset.parents.max(1) as f64);
        draft.number("missing", subset.missing).number("gone", subset.gone).number("differing", subset.differing);
        draft.number("longest", subset.longest);
    }
}
