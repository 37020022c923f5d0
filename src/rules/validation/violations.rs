//! Documents that fail the validator, by clause. Words, reasons and examples: violations.md.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::model::{Answer, Model};
use crate::order::Ordered;
use crate::rules::{Findings, Place};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for collection in &model.collections {
        let Some(validator) = collection.validator() else { continue };
        let Some(Answer::Violations { failed, clauses, .. }) = collection.answers.violations() else { continue };
        if *failed == 0 {
            continue;
        }
        let mut ordered: Vec<(String, u64)> = clauses
            .iter()
            .map(|((path, keyword), count)| match path.as_str() {
                "" => (keyword.clone(), *count),
                path => (format!("{path} ({keyword})"), *count),
            })
            .collect();
        ordered.order_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        let Some((first, count)) = ordered.first().cloned() else { continue };
        let mut place = Place::collection(&collection.ns);
        if let Some(location) = &validator.location {
            place = place.at(location.clone());
        }
        let counts = ordered.iter().map(|(clause, count)| (clause.clone(), (*count).into()));
        let table: serde_json::Map<String, serde_json::Value> = counts.collect();
        let draft = findings.measured(place, collection.answers.documents);
        draft
            .number("failed", *failed)
            .number("share", *failed as f64 / collection.answers.documents.max(1) as f64)
            .text("clause", first)
            .number("most", count)
            .number("clauses", ordered.len())
            .list("worst", ordered.iter().map(|(clause, _)| clause))
            .figure("byClause", table);
        if !validator.binds() {
            draft.variant("lenient");
        }
    }
}
