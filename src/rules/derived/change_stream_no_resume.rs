//! Change streams that begin anew after each restart. Words, reasons and examples: change-stream-no-resume.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::flow::written;
use crate::model::Model;
use crate::rules::{Findings, Place};
use crate::workload::{Api, Operation, Verb};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

/// What tells a stream where to begin.
const BEGINNINGS: [&str; 3] = ["resumeAfter", "startAfter", "startAtOperationTime"];

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for operation in written(model).filter(|operation| operation.verb == Verb::Watch && operation.api != Api::Shell) {
        // What follows the stream and keeps nothing itself may begin anew: a page that is refreshed, a cache.
        let writes = written(model).any(|other| {
            other.verb.is_write() && other.ns.is_some() && other.ns != operation.ns && other.file() == operation.file()
        });
        if operation.ns.is_some() && writes && begins_now(operation) {
            findings.certain(Place::operation(model, operation, None)).text("method", &operation.method);
        }
    }
}

/// Whether the options are known and name no beginning.
fn begins_now(operation: &Operation) -> bool {
    operation
        .options
        .as_ref()
        .is_none_or(|options| options.is_closed() && !BEGINNINGS.iter().any(|name| options.get(name).is_some()))
}
