//! Branches of an `$or` that make the others scan. Words, reasons and examples: or-branch.md.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::model::serving::{self, Standing};
use crate::model::{Access, Collection, Model};
use crate::order::Ordered;
use crate::rules::{Findings, Place};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for access in &model.accesses {
        let Some(collection) = model.collection(&access.ns).filter(|c| c.catalogue.indexes_known) else { continue };
        if serving::standing(access, collection, collection.indexes()) != Standing::Branches {
            continue;
        }
        let paths = unserved(access, collection);
        for operation in access.operations.iter().filter_map(|at| model.workload.get(*at)) {
            let place = Place::operation(model, operation, None);
            let draft = findings.certain(place).list("paths", &paths).number("branches", access.branches.len());
            if collection.catalogue.count().is_some() {
                draft.documents(collection.stored());
            }
        }
    }
}

/// The paths of the branches that no index narrows.
fn unserved(access: &Access, collection: &Collection) -> Vec<String> {
    let mut paths: Vec<String> = Vec::new();
    for branch in &access.branches {
        let served = collection.indexes().iter().any(|index| {
            serving::is_usable(access, branch, collection, index)
                && serving::serve(access, branch, collection, index).narrows()
        });
        if !served {
            paths.extend(branch.tests.iter().map(|(path, _)| path.clone()));
        }
    }
    paths.order();
    paths.dedup();
    paths
}
