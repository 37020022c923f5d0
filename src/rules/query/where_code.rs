//! JavaScript that the server runs for each document. Words, reasons and examples: where.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::DEEPEST;
use crate::model::Model;
use crate::rules::{Findings, Place};
use crate::workload::Term;

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

/// The operators that take code.
const CODE: &[&str] = &["$where", "$function", "$accumulator"];

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for operation in model.workload.iter() {
        let parts = [&operation.filter, &operation.pipeline, &operation.update, &operation.projection];
        let mut found: Vec<&'static str> = Vec::new();
        for part in parts.into_iter().flatten() {
            find(part, DEEPEST, &mut found);
        }
        for name in found {
            let draft = findings.certain(Place::operation(model, operation, None)).text("operator", name);
            draft.variant(name.trim_start_matches('$'));
        }
    }
}

fn find(term: &Term, depth: u32, found: &mut Vec<&'static str>) {
    let Some(depth) = depth.checked_sub(1) else { return };
    for member in term.members().unwrap_or_default() {
        if let Some(name) = CODE.iter().find(|name| member.name() == Some(**name))
            && !found.contains(name)
        {
            found.push(name);
        }
        find(&member.value, depth, found);
    }
    term.elements().unwrap_or_default().iter().for_each(|element| find(element, depth, found));
}
