//! Boundaries of `$bucket` that the server refuses. Words, reasons and examples: bucket-boundaries.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::pipelines;
use crate::model::Model;
use crate::rules::Findings;
use crate::value::Value;
use crate::workload::Term;

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for seen in pipelines(model) {
        seen.each_stage(&mut |inner| {
            if !inner.stage.is("$bucket") {
                return;
            }
            let argument = &inner.stage.argument;
            let Some(boundaries) = argument.get("boundaries").and_then(Term::elements) else { return };
            let Some(known) = boundaries.iter().map(Key::of).collect::<Option<Vec<_>>>() else { return };
            let variant = if known.windows(2).any(|pair| matches!(pair, [a, b] if !a.is_alike(b))) {
                "types"
            } else if known.windows(2).any(|pair| matches!(pair, [a, b] if !a.is_below(b))) {
                "order"
            } else if let (Some(default), Some(first), Some(last)) =
                (argument.get("default").and_then(Key::of), known.first(), known.last())
                && default.is_alike(first)
                && !default.is_below(first)
                && default.is_below(last)
            {
                "default"
            } else {
                return;
            };
            seen.certain(findings, inner.position).variant(variant).number("boundaries", known.len());
        });
    }
}

/// A boundary that can be compared.
enum Key<'t> {
    Number(f64),
    Date(i64),
    Text(&'t str),
}

impl Key<'_> {
    fn of(term: &Term) -> Option<Key<'_>> {
        match term.as_scalar()? {
            // An expression may give anything.
            Value::String(text) if text.starts_with('$') => None,
            Value::String(text) => Some(Key::Text(text)),
            Value::Date(time) => Some(Key::Date(*time)),
            value => value.as_f64().map(Key::Number),
        }
    }

    fn is_alike(&self, other: &Key<'_>) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }

    fn is_below(&self, other: &Key<'_>) -> bool {
        match (self, other) {
            (Key::Number(a), Key::Number(b)) => a < b,
            (Key::Date(a), Key::Date(b)) => a < b,
            (Key::Text(a), Key::Text(b)) => a < b,
            _ => false,
        }
    }
}
