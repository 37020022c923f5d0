//! Flags of outliers that lie. Words, reasons and examples: outlier-flag-drift.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::forms;
use crate::model::Model;
use crate::rules::{Findings, Place};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for (collection, forms) in forms(model) {
        for flag in &forms.flags {
            let wrong = flag.flagged_for_nothing + flag.not_flagged;
            // A flag that is right nowhere means something else.
            let means_it = flag.declared || flag.overflow.is_some() || flag.flagged_for_nothing < flag.flagged;
            if wrong == 0 || !means_it {
                continue;
            }
            let draft = findings
                .measured(Place::path(&collection.ns, &flag.path), flag.documents)
                .number("short", flag.flagged_for_nothing)
                .number("long", flag.not_flagged)
                .number("flagged", flag.flagged)
                .text("array", &flag.array);
            if let Some(limit) = flag.limit {
                draft.number("limit", limit);
            }
            match (&flag.overflow, flag.limit) {
                (Some(overflow), _) if flag.overflow_known => draft.text("overflow", overflow).variant("overflow"),
                (Some(overflow), None) => draft.text("overflow", overflow).variant("overflow"),
                _ => draft.variant("limit"),
            };
        }
    }
}
