//! Equality with null that finds documents without the field. Words, reasons and examples: null-matches-missing.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{each_test, filters};
use crate::model::Model;
use crate::profile::FieldKind;
use crate::rules::Findings;
use crate::value::Value;
use crate::workload::{Operator, Term, Test};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for asked in filters(model) {
        let Some((_, profile)) = asked.documents(model) else { continue };
        let (mut paths, mut settled): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
        each_test(asked.filter, &mut |path, test, is_negated| {
            // `{$eq: null, $exists: true}` says what it means.
            if test.operator == Operator::Exists || test.operator == Operator::Type {
                settled.push(path.to_owned());
            } else if asks_for_null(test) && !is_negated {
                paths.push(path.to_owned());
            }
        });
        paths.dedup();
        for path in paths.into_iter().filter(|path| !settled.contains(path)) {
            let [id] = profile.resolve(&path)[..] else { continue };
            let Some(field) = profile.field(id).filter(|field| field.kind == FieldKind::Named && field.count > 0)
            else {
                continue;
            };
            if profile.in_array(id) {
                continue;
            }
            let missing = profile.documents.saturating_sub(field.documents);
            if missing > 0 {
                let draft = findings.measured(asked.place(model).with_path(&path), profile.documents);
                draft.number("missing", missing).number("nulls", field.nulls());
                if field.nulls() == 0 {
                    draft.variant("none");
                }
            }
        }
    }
}

fn asks_for_null(test: &Test) -> bool {
    let is_null = |term: &Term| term.as_scalar() == Some(&Value::Null);
    match test.operator {
        Operator::Eq => is_null(&test.argument),
        Operator::In => test.argument.elements().unwrap_or_default().iter().any(is_null),
        _ => false,
    }
}
