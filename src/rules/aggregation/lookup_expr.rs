//! Joins by `$expr` that two field names would say. Words, reasons and examples: lookup-expr.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::pipelines;
use crate::facts::Version;
use crate::model::Model;
use crate::rules::Findings;
use crate::workload::{Filter, Predicate};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

/// Since when `localField` and `foreignField` may stand beside a pipeline (manual: reference/operator/aggregation/lookup).
const BESIDE_PIPELINE: Version = Version::new(5, 0);

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for seen in pipelines(model) {
        for lookup in seen.pipeline.lookups() {
            let (None, None, Some(pipeline)) = (&lookup.local, &lookup.foreign, &lookup.pipeline) else { continue };
            let [(foreign, Some(local)), ..] = lookup.compared.as_slice() else { continue };
            // Nothing else in the pipeline: then the pipeline goes.
            let alone = matches!(pipeline.stages.as_slice(), [only] if only.is("$match")
                && matches!(Filter::read(&only.argument).all.as_slice(), [Predicate::Top { argument, .. }] if argument.get("$eq").is_some()));
            if !alone && model.server < BESIDE_PIPELINE {
                continue;
            }
            let draft = seen.certain(findings, lookup.position).text("local", local).text("foreign", foreign);
            if alone {
                draft.help("alone");
            }
        }
    }
}
