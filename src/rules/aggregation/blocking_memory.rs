//! Stages that must hold more than the server gives them memory for. Words, reasons and examples: blocking-memory.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{accumulators, leads_with, pipelines, sort_paths};
use crate::facts::limits;
use crate::model::{Collection, Model};
use crate::rules::Findings;
use crate::workload::pipeline::{Count, Stage};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for seen in pipelines(model) {
        let Some(collection) = seen.collection() else { continue };
        let Some(bytes) = bytes(collection).filter(|bytes| limits::SORT_BYTES < *bytes) else {
            continue;
        };
        for (at, stage) in seen.pipeline.certain().iter().enumerate() {
            let limited =
                seen.pipeline.stages.iter().skip(at + 1).take_while(|next| next.count() == Count::Same).count()
                    + at
                    + 1;
            let cut = seen.pipeline.stages.get(limited).is_some_and(|next| next.is_any(&["$limit", "$skip"]));
            let holds = match stage.name.as_deref() {
                // With a limit it holds no more than that many; an index gives the order while it is read.
                Some("$sort") => {
                    let indexed = at == 0
                        && sort_paths(stage).is_some_and(|paths| {
                            paths
                                .first()
                                .is_some_and(|path| collection.indexes().iter().any(|index| leads_with(index, path)))
                        });
                    !cut && !indexed
                }
                Some("$group") => accumulators(stage).iter().any(|(_, operator, argument)| {
                    *operator == "$push" && matches!(argument.as_str(), Some("$$ROOT" | "$$CURRENT"))
                }),
                Some("$setWindowFields" | "$bucketAuto") => true,
                _ => false,
            };
            if holds {
                let draft = seen.certain(findings, stage.position).text("name", stage.name.clone().unwrap_or_default());
                draft.number("bytes", bytes).number("limit", limits::SORT_BYTES);
                break;
            }
            // Behind a filter, a projection or a group nothing tells how much is left.
            if !passes_all(stage) {
                break;
            }
        }
    }
}

/// Whether as many bytes leave a stage as come in, or more.
fn passes_all(stage: &Stage) -> bool {
    stage.is_any(&["$addFields", "$set", "$lookup", "$graphLookup", "$sort"])
}

/// The bytes of all documents, as the statistics or the documents themselves tell.
fn bytes(collection: &Collection) -> Option<u64> {
    let told = collection.catalogue.statistics.iter().filter_map(|statistics| statistics.size).max();
    let counted = || collection.profile.as_ref().filter(|_| collection.complete).map(|profile| profile.sizes.sum());
    told.or_else(counted)
}
