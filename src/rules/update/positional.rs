//! `$` without an element that it could stand for. Words, reasons and examples: positional.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::written;
use crate::model::Model;
use crate::rules::{Findings, Place};
use crate::workload::update::{Segment, overlap};
use crate::workload::{Change, Filter, Operator};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for (operation, update) in written(model) {
        let filter = operation.conditions();
        let found = update.changes.iter().find_map(|change| {
            let array = array(change)?;
            let variant = match mention(&filter, &array) {
                Mention::None => "unnamed",
                Mention::Negated => "negated",
                Mention::Matched if operation.is_upsert() => "upsert",
                Mention::Matched | Mention::Open => return None,
            };
            Some((array, change, variant))
        });
        if let Some((array, change, variant)) = found {
            findings
                .certain(Place::operation(model, operation, None).with_path(array))
                .text("operator", change.operator)
                .text("written", change.path)
                .variant(variant);
        }
    }
}

/// What a filter says about an array.
enum Mention {
    None,
    Negated,
    Matched,
    /// The filter may hold more than the text tells.
    Open,
}

fn mention(filter: &Filter, array: &str) -> Mention {
    let mut tested = false;
    let mut matched = false;
    filter.visit("", &mut |path, test| {
        if overlap(path, array) {
            tested = true;
            matched |= !matches!(test.operator, Operator::Ne | Operator::Nin | Operator::Not);
        }
    });
    match (matched, tested) {
        (true, _) => Mention::Matched,
        _ if filter.open || !filter.is_certain() => Mention::Open,
        (false, true) => Mention::Negated,
        (false, false) => Mention::None,
    }
}

/// The array whose element `$` stands for.
fn array(change: &Change<'_>) -> Option<String> {
    let parts: Vec<Segment> = change.segments().collect();
    let at = parts.iter().position(|part| *part == Segment::First)?;
    let names = parts.get(..at)?.iter().filter_map(|part| match part {
        Segment::Name(name) => Some(*name),
        _ => None,
    });
    Some(names.collect::<Vec<_>>().join(".")).filter(|array| !array.is_empty())
}
