//! Sets of objects. Words, reasons and examples: add-to-set-object.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::written;
use crate::model::Model;
use crate::rules::{Findings, Place};
use crate::value::Type;
use crate::workload::{Term, What};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for (operation, update) in written(model) {
        for change in update.changes.iter().filter(|change| change.operator == "$addToSet") {
            let added = change.added().unwrap_or_default();
            let Some(object) = added.into_iter().find(|added| is_object(added)) else { continue };
            let place = Place::operation(model, operation, None).with_path(change.field());
            let draft = findings.certain(place);
            if object.members().unwrap_or_default().iter().any(|member| is_new_each_time(&member.value)) {
                draft.variant("new");
            }
        }
    }
}

fn is_object(term: &Term) -> bool {
    term.members().is_some_and(|members| !members.is_empty()) && !term.is_operators()
}

/// Whether a value is made when the update is: the time, an id.
fn is_new_each_time(term: &Term) -> bool {
    matches!(term.what, What::Hole(_)) && matches!(term.bson_type(), Some(Type::Date | Type::Timestamp))
}
