//! Sorts that no index gives. Words, reasons and examples: in-memory-sort.md.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::facts::limits::SORT_BYTES;
use crate::model::access::{Branch, Purpose};
use crate::model::serving::{self, SortServed, Standing};
use crate::model::{Access, Collection, Model};
use crate::rules::{Findings, Place};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for access in &model.accesses {
        let Some(collection) = model.collection(&access.ns).filter(|c| c.knows_indexes()) else { continue };
        if !sorts_in_memory(access, collection) {
            continue;
        }
        let size = collection.stored();
        let reads_all = access.branches.iter().all(Branch::is_unbounded);
        let bytes = average(collection).filter(|_| reads_all).map(|average| average.saturating_mul(size));
        for operation in access.operations.iter().filter_map(|at| model.workload.get(*at)).filter(|o| o.runs.is_none())
        {
            let draft = findings.certain(Place::operation(model, operation, None));
            draft.list("keys", access.sort.iter().map(|key| &key.path));
            if size > 0 {
                draft.documents(size);
            }
            if let Some(bytes) = bytes.filter(|bytes| *bytes > SORT_BYTES) {
                draft.number("bytes", bytes).variant("large");
            }
        }
    }
}

/// Whether the sort is made in memory for certain, and no rule about indexes speaks of the shape.
fn sorts_in_memory(access: &Access, collection: &Collection) -> bool {
    let is_told =
        !matches!(serving::standing(access, collection, collection.indexes()), Standing::Unjudged | Standing::Branches);
    let apart = access.sort.is_empty()
        || access.open
        || access.hinted
        || access.purpose == Purpose::Join
        || access.sort.iter().any(|key| key.path.starts_with('$'))
        || access.branches.iter().any(|branch| branch.special || is_one(branch, collection));
    !is_told
        && !apart
        && access.branches.iter().any(|branch| {
            !collection.indexes().iter().any(|index| {
                serving::is_usable(access, branch, collection, index)
                    && serving::serve(access, branch, collection, index).sort == SortServed::InOrder
            })
        })
}

/// Whether equalities name one document.
fn is_one(branch: &Branch, collection: &Collection) -> bool {
    let named = |path: &str| branch.points.iter().any(|point| point.path == path && point.values == Some(1));
    named("_id")
        || collection.indexes().iter().any(|index| index.unique && index.key.iter().all(|(path, _)| named(path)))
}

/// Bytes of a document, on average.
fn average(collection: &Collection) -> Option<u64> {
    let told = collection.catalogue.statistics.iter().find_map(|statistics| statistics.average);
    told.or_else(|| collection.profile.as_ref().map(|profile| profile.sizes.mean()))
}
