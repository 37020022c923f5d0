//! Outbox entries that are written on their own. Words, reasons and examples: outbox-outside-transaction.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::flow::{is_beside, may_have_session, written};
use crate::facts::names;
use crate::model::Model;
use crate::rules::{Findings, Place};
use crate::workload::Verb;

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for entry in written(model).filter(|operation| operation.verb == Verb::Insert) {
        let is_outbox = |collection: &str| {
            names::words(collection).iter().any(|word| matches!(word.as_str(), "outbox" | "outboxes"))
        };
        let Some(ns) = entry.ns.as_ref().filter(|ns| is_outbox(&ns.collection)) else { continue };
        if may_have_session(entry) {
            continue;
        }
        let change = written(model).find(|other| {
            other.verb.is_write() && other.ns.as_ref().is_some_and(|other| other != ns) && is_beside(other, entry)
        });
        if let Some(change) = change.and_then(|change| change.ns.as_ref()) {
            findings.certain(Place::operation(model, entry, None)).text("changed", &change.collection);
        }
    }
}
