//! Counters that are read, changed in code and written back. Words, reasons and examples: read-modify-write.md.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::facts::names;
use crate::model::Model;
use crate::rules::update::read_modify_write::unguarded;
use crate::rules::{Findings, Place};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for (operation, read, path) in unguarded(model) {
        let is_counter = |path: &String| names::is_counter(path.rsplit('.').next().unwrap_or(path));
        let Some(path) = path.filter(is_counter) else { continue };
        let draft = findings.certain(Place::operation(model, operation, None).with_path(path));
        draft.text("method", &operation.method).text("reader", &read.method);
        if let Some(at) = model.locate(operation, None).and_then(|location| location.start) {
            draft.cause(format_args!("{}:{}:{}", operation.file().unwrap_or_default(), at.line, at.column));
        }
    }
}
