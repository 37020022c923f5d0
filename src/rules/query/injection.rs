//! Input of requests that reaches a filter unchecked. Words, reasons and examples: injection.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Asked, DEEPEST, filters};
use crate::model::Model;
use crate::rules::Findings;
use crate::workload::{Key, Origin, Span, Term};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

/// How the input takes part.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// As the whole filter, or spread into it.
    Filter,
    /// As a value that may be an object of operators.
    Value,
    /// As code.
    Code,
    /// As the name of a field.
    Name,
    /// As a pattern.
    Pattern,
}

impl Way {
    fn variant(self) -> &'static str {
        match self {
            Way::Filter => "filter",
            Way::Value => "value",
            Way::Code => "code",
            Way::Name => "name",
            Way::Pattern => "pattern",
        }
    }
}

/// Parts of requests that hold texts and nothing else, whatever the client sends: no operator comes in by them.
const TEXTS: &[&str] = &["params", "headers", "cookies", "pathParameters", "queryStringParameters"];

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for asked in filters(model).filter(Asked::is_written) {
        let mut found: Vec<(Way, String)> = Vec::new();
        in_filter(asked.term, &asked.operation.context.sent_keys, DEEPEST, &mut found);
        // One statement is mended at once: the worst way stands for all.
        for (way, input) in found.into_iter().take(1) {
            let draft = findings.certain(asked.place(model)).variant(way.variant());
            match way {
                // How the name is put together is not known.
                Way::Name => draft.text("method", &asked.operation.method),
                _ => draft.text("input", input),
            };
        }
    }
}

fn in_filter(term: &Term, sent: &[Span], depth: u32, found: &mut Vec<(Way, String)>) {
    let Some(depth) = depth.checked_sub(1) else { return };
    if let Some(input) = unchecked(term) {
        found.push((Way::Filter, input.to_owned()));
    }
    for member in term.members().unwrap_or_default() {
        match &member.key {
            Key::Spread => {
                // What is unknown, or what may be added under a condition.
                in_filter(&member.value, sent, depth, found);
            }
            Key::Name(name) => match name.as_str() {
                "$where" => {
                    if let Some(input) = any_request(&member.value) {
                        found.insert(0, (Way::Code, input.to_owned()));
                    }
                }
                "$and" | "$or" | "$nor" => {
                    for part in member.value.elements().unwrap_or_default() {
                        in_filter(part, sent, depth, found);
                    }
                }
                name if name.starts_with('$') => {}
                _ => in_value(&member.value, sent, depth, found),
            },
            Key::Computed(like) => {
                if member.span.is_some_and(|span| sent.contains(&span)) {
                    found.push((Way::Name, like.clone()));
                }
                in_value(&member.value, sent, depth, found);
            }
        }
    }
}

/// The value of a path.
fn in_value(value: &Term, sent: &[Span], depth: u32, found: &mut Vec<(Way, String)>) {
    let Some(depth) = depth.checked_sub(1) else { return };
    if let Some(input) = unchecked(value) {
        found.push((Way::Value, input.to_owned()));
        return;
    }
    // What stands behind an operator is a value and nothing else, but for these.
    for member in value.members().unwrap_or_default().iter().filter(|_| value.is_operators()) {
        match member.name() {
            Some("$regex") => {
                if let Some(input) = unchecked(&member.value) {
                    found.push((Way::Pattern, input.to_owned()));
                }
            }
            Some("$elemMatch") => in_filter(&member.value, sent, depth, found),
            Some("$not") => in_value(&member.value, sent, depth, found),
            _ => {}
        }
    }
}

/// The text of the input that may be an object.
fn unchecked(term: &Term) -> Option<&str> {
    let hole = term.as_hole()?;
    match &hole.origin {
        Origin::Request { text } if hole.kind.is_none() && !is_of_texts(text) => Some(text),
        _ => None,
    }
}

/// The text of the input, whatever its type.
fn any_request(term: &Term) -> Option<&str> {
    match &term.as_hole()?.origin {
        Origin::Request { text } => Some(text),
        _ => None,
    }
}

fn is_of_texts(input: &str) -> bool {
    input.split(['.', '?', '[', '(']).any(|part| TEXTS.contains(&part))
}
