//! Updates and deletes that the server refuses on time series. Words, reasons and examples: per-document-updates.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::series;
use crate::catalogue::TimeSeries;
use crate::facts::Version;
use crate::model::Model;
use crate::rules::{Findings, Place};
use crate::workload::update::{Update, is_within};
use crate::workload::{Operation, Verb};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

/// The version since which deletes are free (manual: core/timeseries/timeseries-limitations).
const FREE_DELETES: Version = Version::new(7, 0);

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for (collection, options) in series(model) {
        let meta = options.meta_field.as_deref();
        for operation in model.workload.of(&collection.ns).filter(|operation| operation.runs.is_none()) {
            let refused = match operation.verb {
                Verb::Update | Verb::Replace | Verb::FindAndUpdate | Verb::FindAndReplace => update(operation, meta),
                Verb::Delete | Verb::FindAndDelete if model.server < FREE_DELETES => delete(operation, meta),
                _ => None,
            };
            if let Some(variant) = refused {
                let draft =
                    findings.certain(Place::operation(model, operation, None)).text("method", &operation.method);
                draft.text("meta", meta_of(options)).variant(variant);
            }
        }
    }
}

fn meta_of(options: &TimeSeries) -> &str {
    options.meta_field.as_deref().unwrap_or("metaField")
}

/// Why an update is refused.
fn update(operation: &Operation, meta: Option<&str>) -> Option<&'static str> {
    let Some(meta) = meta else { return Some("none") };
    if !operation.many {
        return Some("one");
    }
    if operation.is_upsert() {
        return Some("upsert");
    }
    let update = Update::of(operation)?;
    let is_pipeline = operation.update.as_ref().is_some_and(|update| update.elements().is_some());
    let changes_more = update.changes.iter().any(|change| change.certain && !is_within(change.path, meta));
    if is_pipeline || update.replacement().is_some() || changes_more {
        return Some("change");
    }
    finds_more(operation, meta).then_some("filter")
}

/// Why a delete is refused by older servers.
fn delete(operation: &Operation, meta: Option<&str>) -> Option<&'static str> {
    let Some(meta) = meta else { return Some("none") };
    if !operation.many {
        return Some("one");
    }
    finds_more(operation, meta).then_some("filter")
}

/// Whether the filter names anything but the meta field.
fn finds_more(operation: &Operation, meta: &str) -> bool {
    operation.conditions().paths().iter().any(|path| !path.contains('?') && !is_within(path, meta))
}
