//! The server's internal timestamp type as a date of the application. Words, reasons and examples:
//! internal-timestamp.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::is_in_oplog_entry;
use crate::model::Model;
use crate::profile::{CollectionProfile, FieldId};
use crate::remedy::field;
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
        let names = [
            "clusterTime",
            "operationTime",
            "optime",
            "opTime",
            "lastOpTime",
            "startAtOperationTime",
            "commitTimestamp",
        ];
        Options { names: names.map(str::to_owned).to_vec() }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for (collection, profile) in model.with_documents() {
        for at in collection.fields().filter(|at| at.has(Type::Timestamp)) {
            let named = at.path.as_str().split('.').any(|name| options.names.iter().any(|own| own == name));
            if named || is_in_oplog_entry(profile, at.id) || is_optime(profile, at.field.parent) {
                continue;
            }
            let draft = findings
                .measured(Place::path(&collection.ns, &at.path), at.field.count)
                .number("times", at.field.count_of(Type::Timestamp));
            let remedy = field::dates_of_timestamps(&collection.ns, at.path.as_str(), model.server);
            if let Some(remedy) = remedy.filter(|_| field::is_reachable(profile, &at)) {
                draft.remedy(remedy);
            }
        }
    }
}

/// A place in the oplog as the server writes it: the timestamp and the term.
fn is_optime(profile: &CollectionProfile, object: FieldId) -> bool {
    ["ts", "t"].iter().all(|name| profile.has_name(object, name))
}
