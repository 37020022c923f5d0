//! Tests that a field is there. Words, reasons and examples: exists.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{filters, positive, stored};
use crate::model::{Collection, Model};
use crate::profile::FieldKind;
use crate::rules::Findings;
use crate::value::Value;
use crate::workload::{Operator, Test};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for asked in filters(model) {
        let Some(collection) = asked.collection(model) else { continue };
        let tests: Vec<(&str, &Test)> = positive(asked.filter).collect();
        for (path, test) in &tests {
            if !is_true(test) {
                continue;
            }
            if let Some((documents, profile)) = asked.documents(model)
                && let [id] = profile.resolve(path)[..]
                && let Some(field) = profile.field(id)
                && field.kind == FieldKind::Named
                && !profile.in_array(id)
                && field.documents == profile.documents
            {
                let draft = findings.measured(asked.place(model).with_path(path), profile.documents);
                draft.none_of(profile.documents, documents.complete).variant("always");
                continue;
            }
            let alone = tests.iter().all(|(other, test)| other == path || is_true(test));
            if alone && !asked.filter.open && collection.knows_indexes() && !is_served(collection, path) {
                let draft = findings.certain(asked.place(model).with_path(path));
                if let Some(documents) = stored(&asked, model) {
                    draft.documents(documents);
                }
            }
        }
    }
}

fn is_true(test: &Test) -> bool {
    let given = test.argument.as_scalar();
    test.operator == Operator::Exists && matches!(given, Some(Value::Bool(true) | Value::Int(1)))
}

/// Whether an index holds only documents that have the field, or can skip the others.
fn is_served(collection: &Collection, path: &str) -> bool {
    collection.indexes().iter().any(|index| {
        let leads = index.key.first().is_some_and(|(first, _)| first == path);
        let for_it = index.partial_filter.as_ref().is_some_and(|filter| filter.get(path).is_some());
        !index.hidden && ((leads && index.sparse) || for_it || index.is_wildcard())
    })
}
