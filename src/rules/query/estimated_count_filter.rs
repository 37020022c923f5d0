//! Filters that an estimated count ignores. Words, reasons and examples: estimated-count-filter.md.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::model::Model;
use crate::rules::{Findings, Place};
use crate::workload::{Key, Term, Verb};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

/// The options that clients take for an estimated count.
const TAKEN: &[&str] = &[
    "bsonRegExp",
    "checkKeys",
    "comment",
    "enableUtf8Validation",
    "explain",
    "fieldsAsRaw",
    "hint",
    "ignoreUndefined",
    "maxTimeMS",
    "noResponse",
    "omitReadPreference",
    "promoteBuffers",
    "promoteLongs",
    "promoteValues",
    "raw",
    "rawData",
    "readConcern",
    "readPreference",
    "retryWrites",
    "serializeFunctions",
    "session",
    "strict",
    "timeoutMS",
    "useBigInt64",
    "willRetryWrite",
];

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    let counts = model.workload.iter().filter(|o| o.verb == Verb::EstimatedCount && o.runs.is_none());
    for operation in counts {
        // The filter of a chained query, or the argument where the options belong.
        let chained = operation.filter.as_ref().and_then(Term::members).unwrap_or_default().iter();
        let given = operation.options.as_ref().and_then(Term::members).unwrap_or_default().iter();
        let given = given.filter(|member| !matches!(&member.key, Key::Name(name) if TAKEN.contains(&name.as_str())));
        let names: Vec<&str> = chained.chain(given).filter_map(|member| member.name()).collect();
        if !names.is_empty() {
            findings.certain(Place::operation(model, operation, None)).list("names", names);
        }
    }
}
