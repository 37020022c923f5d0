//! Groups that keep whole documents. Words, reasons and examples: group-root.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{accumulators, pipelines};
use crate::finding::Severity;
use crate::model::Model;
use crate::rules::Findings;
use crate::value::Value;
use crate::workload::pipeline::{Reads, Stage};
use crate::workload::{Filter, Operator, Term, What};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for seen in pipelines(model) {
        // A pipeline that takes few documents to begin with groups few.
        let mut few = false;
        for stage in seen.pipeline.certain() {
            few |= stage.is_any(&["$limit", "$sample"]) || (stage.is("$match") && names_one(stage));
            if !stage.is_any(&["$group", "$bucket", "$bucketAuto"]) || few {
                continue;
            }
            let by_id = stage
                .argument
                .get("_id")
                .is_some_and(|id| Reads::of_expression(id).paths.iter().any(|(path, _)| path == "_id"));
            let whole = |argument: &Term| matches!(argument.as_str(), Some("$$ROOT" | "$$CURRENT"));
            let is_single = stage.argument.get("_id").is_some_and(|id| match &id.what {
                What::Value(Value::String(text)) => !text.starts_with('$'),
                What::Value(_) => true,
                What::Object(members) => members.is_empty(),
                _ => false,
            });
            for (field, operator, argument) in accumulators(stage) {
                if by_id || !matches!(operator, "$push" | "$addToSet") {
                    continue;
                }
                if whole(argument) {
                    let draft = seen.certain(findings, stage.position).text("operator", operator).text("field", field);
                    draft.stored(seen.stored());
                } else if is_single
                    && stage.is("$group")
                    && operator == "$push"
                    && !Reads::of_expression(argument).paths.is_empty()
                {
                    let draft = seen.certain(findings, stage.position).variant("values");
                    draft
                        .text("operator", operator)
                        .text("field", field)
                        .severity(Severity::Info)
                        .stored(seen.stored());
                }
            }
        }
    }
}

/// Whether a filter names one document by its `_id`.
fn names_one(stage: &Stage) -> bool {
    let filter = Filter::read(&stage.argument);
    filter.conjuncts().iter().any(|(path, test)| *path == "_id" && test.operator == Operator::Eq)
}
