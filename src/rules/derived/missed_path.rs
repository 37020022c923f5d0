//! Writes that forget a stored count. Words, reasons and examples: missed-path.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::flow::{counts, is_beside, written};
use crate::model::Model;
use crate::rules::{Findings, Place};
use crate::workload::{Api, Operation, Verb};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for insert in written(model).filter(|operation| operation.verb == Verb::Insert && operation.api == Api::Driver) {
        let Some(of) = &insert.ns else { continue };
        let beside = written(model).filter(|other| is_beside(other, insert) || is_beside(insert, other));
        let mut kept = beside.filter(|other| other.ns.is_some() && other.ns.as_ref() != Some(of));
        let Some((update, field)) = kept.find_map(|other| Some((other, counts(other, &of.collection)?))) else {
            continue;
        };
        for delete in written(model).filter(|other| is_removal(other) && other.ns.as_ref() == Some(of)) {
            // Elsewhere a helper may do it; in the file that keeps the count this write stands alone.
            let same_file = delete.file() == insert.file() && !delete.context.functions.is_empty();
            let keeps = written(model).any(|other| {
                other.ns == update.ns && other.verb.is_write() && (is_beside(other, delete) || is_beside(delete, other))
            });
            if same_file && !keeps {
                let ns = update.ns.as_ref().map_or("", |ns| ns.collection.as_str());
                let draft = findings.certain(Place::operation(model, delete, None));
                draft.text("field", format!("{ns}.{field}")).text("method", &delete.method);
            }
        }
    }
}

fn is_removal(operation: &Operation) -> bool {
    matches!(operation.verb, Verb::Delete | Verb::FindAndDelete)
}
