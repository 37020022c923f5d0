//! An index on an embedded document whose fields the queries name. Words, reasons and examples: subdocument.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::place;
use crate::advice;
use crate::model::{Access, Model};
use crate::rules::Findings;

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for collection in &model.collections {
        let accesses: Vec<&Access> = model.accesses_of(&collection.ns).collect();
        for index in collection.indexes().iter().filter(|index| index.is_plain()) {
            for (path, _) in &index.key {
                let inside: Vec<&&Access> = accesses.iter().filter(|access| reaches(access, path, true)).collect();
                let whole = accesses.iter().any(|access| reaches(access, path, false));
                // An index on an array of objects that is compared whole is no index on an embedded document.
                let is_array = collection.arrays().iter().any(|array| array.path.as_str() == path);
                let Some(first) = inside.first().filter(|_| !whole && !is_array) else { continue };
                let mut at = place(collection, index);
                let operation = model.first_of(first);
                if index.location.is_none()
                    && let Some(location) = operation.and_then(|operation| model.locate(operation, None))
                {
                    at = at.at(location);
                }
                let suggested = advice::index_for(findings.recommendations(), &collection.ns, &first.shape);
                let draft = findings.certain(at);
                draft.text("field", path).text("shape", &first.shape).number("shapes", inside.len());
                if let Some(better) = suggested {
                    draft.text("key", better.key).help("known").remedy(better.remedy(collection, model.server));
                }
            }
        }
    }
}

/// Whether an access compares or sorts by a path itself, or by one below it.
fn reaches(access: &Access, path: &str, below: bool) -> bool {
    let is = |other: &str| {
        let rest = other.strip_prefix(path);
        if below { rest.is_some_and(|rest| rest.starts_with('.')) } else { rest == Some("") }
    };
    let branches = access.branches.iter().any(|branch| {
        branch.points.iter().any(|point| is(&point.path))
            || branch.ranges.iter().chain(&branch.weak).any(|path| is(path))
    });
    branches || access.sort.iter().any(|key| is(&key.path))
}
