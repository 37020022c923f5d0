//! The server's internal timestamp type as a date of the application. Words, reasons and examples:
//! internal-timestamp.md.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::model::{Collection, Model};
use crate::rules::{Findings, Place};
use crate::value::event::Type;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Names under which the server's own timestamps are rightly kept, such as the cluster time of a change event.
    names: Vec<String>,
}

impl Default for Options {
    fn default() -> Self {
        let names = ["clusterTime", "operationTime", "optime", "opTime", "lastOpTime", "startAtOperationTime"];
        Options { names: names.map(str::to_owned).to_vec() }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for (collection, _) in model.with_documents().filter(|(c, _)| !is_oplog(c)) {
        for at in collection.fields().filter(|at| at.has(Type::Timestamp)) {
            if at.path.as_str().split('.').any(|name| options.names.iter().any(|own| own == name)) {
                continue;
            }
            findings
                .measured(Place::path(&collection.ns, &at.path), at.field.count)
                .number("times", at.field.count_of(Type::Timestamp));
        }
    }
}

/// Entries of an oplog, wherever they were copied to, are the server's own.
fn is_oplog(collection: &Collection) -> bool {
    let Some(profile) = &collection.profile else { return false };
    ["ts", "op", "ns", "o"].iter().all(|name| !profile.resolve(name).is_empty())
}
