//! Trees that are walked without an index. Words, reasons and examples: tree-unindexed.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::statement;
use crate::advice;
use crate::catalogue::{Index, Origin};
use crate::model::access::{Access, Purpose};
use crate::model::serving::{self, Standing};
use crate::model::{Model, Tree, TreeKind};
use crate::remedy;
use crate::rules::{Findings, Place};
use crate::value::Value;

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    let recommendations = findings.recommendations();
    for tree in &model.trees {
        let Some(collection) = model.collection(&tree.ns).filter(|collection| collection.knows_indexes()) else {
            continue;
        };
        let unserved = |access: &&Access| {
            access.purpose != Purpose::Join
                && walks(tree, access)
                && serving::standing(access, collection, collection.indexes()) == Standing::Missing
        };
        let accesses: Vec<&Access> = model.accesses_of(&tree.ns).filter(unserved).collect();
        let Some(first) = accesses.first() else { continue };
        let draft = findings.measured(Place::path(&tree.ns, &tree.path), collection.documents());
        draft.number("places", accesses.iter().map(|access| access.operations.len() as u64).sum::<u64>());
        draft.text("shape", &first.shape).documents(collection.stored()).variant(tree.kind.name()).cause(&tree.path);
        for access in &accesses {
            let operations = access.operations.iter().filter_map(|at| model.workload.get(*at));
            for subject in operations.filter_map(|operation| statement(model, operation)) {
                draft.cause(subject);
            }
        }
        let better = accesses.iter().find_map(|access| advice::index_for(recommendations, &tree.ns, &access.shape));
        let index = Index::of_key(&[(tree.path.clone(), Value::Int(1))], Origin::Wanted);
        draft.remedy(match better {
            Some(better) => better.remedy(collection, model.server),
            None => remedy::index::create(&tree.ns, &index),
        });
    }
}

/// Whether an access looks for documents by the field of a tree.
fn walks(tree: &Tree, access: &Access) -> bool {
    access.branches.iter().any(|branch| {
        let by_point = branch.points.iter().any(|point| point.path == tree.path);
        let by_range = branch.ranges.contains(&tree.path) && tree.kind == TreeKind::Path;
        by_point || by_range
    })
}
