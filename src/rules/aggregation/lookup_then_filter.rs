//! Filters on joined fields, behind the join. Words, reasons and examples: lookup-then-filter.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::pipelines;
use crate::finding::Severity;
use crate::model::Model;
use crate::rules::Findings;
use crate::workload::pipeline::{Count, is_within};
use crate::workload::{Filter, Operator, Term};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for seen in pipelines(model) {
        let stages = seen.pipeline.certain();
        for (at, lookup) in stages.iter().enumerate().filter(|(_, stage)| stage.is("$lookup")) {
            let Some(into) = lookup.argument.get("as").and_then(Term::as_str) else { continue };
            let mut unwound = false;
            for stage in stages.iter().skip(at + 1) {
                if stage.is("$unwind") && stage.reads().paths.iter().any(|(path, _)| path == into) {
                    unwound = true;
                    continue;
                }
                if !stage.is("$match") {
                    let passive = stage.count() == Count::Same
                        && !stage.is("$project")
                        && super::moves::is_untouched(stage, into);
                    if passive || stage.is("$unwind") {
                        continue;
                    }
                    break;
                }
                let filter = Filter::read(&stage.argument);
                let fields: Vec<&str> = filter
                    .conjuncts()
                    .into_iter()
                    .filter(|(path, test)| {
                        let selects = matches!(
                            test.operator,
                            Operator::Eq
                                | Operator::Gt
                                | Operator::Gte
                                | Operator::Lt
                                | Operator::Lte
                                | Operator::In
                                | Operator::Regex
                        );
                        let is_null = test.argument.as_scalar() == Some(&crate::value::Value::Null);
                        // `joined.0` asks whether anything was found.
                        let counts =
                            path.rsplit('.').next().is_some_and(|name| name.bytes().all(|b| b.is_ascii_digit()));
                        selects && !is_null && !counts && is_within(path, into) && *path != into
                    })
                    .map(|(path, _)| path)
                    .collect();
                if fields.is_empty() {
                    continue;
                }
                let from = lookup.lookup().and_then(|lookup| lookup.from).unwrap_or_default();
                let draft = seen.certain(findings, stage.position).text("other", from).list("fields", fields);
                draft.text("into", into).stored(seen.stored());
                if unwound {
                    draft.variant("merged").severity(Severity::Info);
                }
                break;
            }
        }
    }
}
