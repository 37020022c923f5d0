//! Keys that stand twice in one object of code. Words, reasons and examples: duplicate-key.md.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Deserialize;

use super::DEEPEST;
use crate::model::Model;
use crate::rules::{Findings, Place};
use crate::workload::{Member, Operation, Span, Term};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    // One literal may be used by several operations.
    let mut told: BTreeSet<(Option<&str>, Option<Span>, &str)> = BTreeSet::new();
    for operation in model.workload.iter().filter(|operation| operation.runs.is_none()) {
        let mut found = Vec::new();
        for part in parts(operation) {
            find(part, DEEPEST, &mut found);
        }
        for (span, name) in found {
            if told.insert((operation.file(), span, name)) {
                findings.certain(Place::operation(model, operation, None)).text("key", name);
            }
        }
    }
}

fn parts(operation: &Operation) -> impl Iterator<Item = &Term> {
    let parts = [
        &operation.filter,
        &operation.projection,
        &operation.sort,
        &operation.update,
        &operation.pipeline,
        &operation.documents,
    ];
    parts.into_iter().flatten()
}

fn find<'t>(term: &'t Term, depth: u32, found: &mut Vec<(Option<Span>, &'t str)>) {
    let Some(depth) = depth.checked_sub(1) else { return };
    let members = term.members().unwrap_or_default();
    for (at, member) in members.iter().enumerate() {
        find(&member.value, depth, found);
        let Some(name) = member.name().filter(|_| !member.spread) else { continue };
        let later = members.get(at + 1..).unwrap_or_default();
        // What is spread is replaced on purpose; the same value twice does no harm.
        let replaces = |other: &Member| {
            other.name() == Some(name)
                && !other.spread
                && (member.value.value().is_none() || member.value.value() != other.value.value())
        };
        if later.iter().any(replaces) {
            found.push((term.span, name));
        }
    }
    term.elements().unwrap_or_default().iter().for_each(|element| find(element, depth, found));
}
