//! Queries that every shard is asked and one answers. Words, reasons and examples: scatter-gather.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{asks_for_one_value, certain, logged, sum};
use crate::finding::Severity;
use crate::model::Model;
use crate::rules::Findings;

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for plan in model.plans.iter().filter(|plan| plan.merged && plan.parts.len() > 1) {
        if !plan.operation.as_ref().is_some_and(asks_for_one_value) {
            continue;
        }
        let shards = plan.parts.len();
        if !plan.ran() {
            // Whether one shard has all of it is not known before it ran.
            certain(model, plan, findings).number("shards", shards).variant("planned").severity(Severity::Info);
            continue;
        }
        let answered = plan.parts.iter().filter(|part| part.matched().unwrap_or_default() > 0).count();
        if answered <= 1 {
            let returned = sum(plan, |part| part.returned).unwrap_or_default();
            let draft = certain(model, plan, findings);
            draft.number("shards", shards).number("answered", answered).number("returned", returned);
        }
    }
    for seen in logged(model) {
        let (shards, returned) = (seen.runs.shards, seen.runs.returned);
        let single = returned.count > 0 && returned.max <= 1;
        if shards.count > 0 && shards.sum >= shards.count * 2 && single && asks_for_one_value(seen.operation) {
            let draft = seen.tell(model, findings, shards.count);
            draft.number("shards", shards.max).variant("logged");
        }
    }
}
