//! Filters that only exclude. Words, reasons and examples: negation.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Asked, filters, is_negative, stored};
use crate::model::Model;
use crate::order::Ordered;
use crate::rules::Findings;
use crate::workload::{Filter, Predicate};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for asked in filters(model).filter(is_first) {
        let mut tests = Vec::new();
        if !excludes_only(asked.filter, &mut tests) || tests.is_empty() {
            continue;
        }
        tests.order();
        tests.dedup();
        let draft = findings.certain(asked.place(model)).list("tests", tests);
        if let Some(documents) = stored(&asked, model) {
            draft.documents(documents);
        }
    }
}

/// Whether nothing has narrowed the documents before.
fn is_first(asked: &Asked<'_>) -> bool {
    asked.stored && asked.ns == asked.operation.ns.as_ref() && asked.stage.is_none_or(|stage| stage == 0)
}

/// Whether no predicate but negative ones stands in a filter that is wholly known.
fn excludes_only(filter: &Filter, tests: &mut Vec<String>) -> bool {
    !filter.open
        && filter.all.iter().all(|predicate| match predicate {
            Predicate::Path { path, certain, tests: own, .. } => {
                tests.extend(own.iter().map(|test| format!("{path}: {}", test.operator.name())));
                *certain && own.iter().all(is_negative)
            }
            Predicate::And(parts, _) => parts.iter().all(|part| excludes_only(part, tests)),
            Predicate::Nor(parts, _) => {
                tests.extend(parts.iter().flat_map(Filter::paths).map(|path| format!("{path}: $nor")));
                true
            }
            Predicate::Top { operator, .. } => operator == "$comment",
            Predicate::Or(..) => false,
        })
}
