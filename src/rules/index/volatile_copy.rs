//! An index over a copy that is kept up to date. Words, reasons and examples: volatile-copy.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::place;
use crate::model::Model;
use crate::rules::Findings;
use crate::workload::{Operation, Verb};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for collection in &model.collections {
        for index in collection.indexes().iter().filter(|index| !index.is_id()) {
            let writes = model.workload.of(&collection.ns).filter(|operation| {
                operation.verb == Verb::Update
                    && operation.many
                    && index.key.iter().any(|(path, _)| renews(operation, path))
            });
            let writes: Vec<&Operation> = writes.collect();
            let copied = index.key.iter().find(|(path, _)| writes.iter().any(|operation| renews(operation, path)));
            if let Some((path, _)) = copied {
                let draft = findings.inferred(place(collection, index), "renames");
                draft.text("field", path).number("writes", writes.len());
            }
        }
    }
}

/// Whether an update of many documents sets a path that belongs to the reference by which it finds them:
/// `updateMany({ customerId }, { $set: { customerName } })`.
fn renews(operation: &Operation, path: &str) -> bool {
    let set = operation.update.as_ref().and_then(|update| update.get("$set"));
    if set.and_then(|set| set.get(path)).is_none() {
        return false;
    }
    operation.conditions().conjuncts().iter().any(|(found, _)| {
        let owner = ["._id", ".id", "_id", "Id", "ID"].iter().find_map(|end| found.strip_suffix(end));
        owner.is_some_and(|owner| {
            !owner.is_empty() && path.len() > owner.len() && path.starts_with(owner) && path != *found
        })
    })
}
