//! Averages that nothing can be added to. Words, reasons and examples: average-without-sum.md.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::facts::names;
use crate::model::{Collection, FieldRef, Model};
use crate::profile::FieldKind;
use crate::rules::{Findings, Place};
use crate::value::Type;

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for collection in &model.collections {
        let Some(profile) = &collection.profile else { continue };
        for at in collection.fields().filter(|at| is_average(at) && !profile.in_array(at.id)) {
            let beside: Vec<_> = collection
                .named_children(at.field.parent)
                .into_iter()
                .filter(|(id, field)| *id != at.id && field.kind == FieldKind::Named)
                .collect();
            // The parts stand in the same document, or the document sums up a time that is over.
            let parts = |field: &crate::profile::Field| 0 < field.count_of(Type::Array);
            let is_period = |name: &str| names::words(name).iter().any(|word| PERIODS.contains(&word.as_str()));
            if beside.iter().any(|(_, field)| parts(field) || is_period(&field.name)) {
                continue;
            }
            let number = |is: fn(&str) -> bool| {
                beside
                    .iter()
                    .any(|(_, field)| 0 < field.number_count() + field.count_of(Type::Decimal) && is(&field.name))
            };
            let (has_count, has_sum) = (number(is_count), number(is_sum));
            if has_count && has_sum {
                continue;
            }
            let lacks = [("sum", has_sum), ("count", has_count)].into_iter().filter(|(_, has)| !has);
            let draft = findings.measured(Place::path(&collection.ns, &at.path), numbers(collection, &at));
            draft.list("lacks", lacks.map(|(name, _)| name));
        }
    }
}

/// Names of the time that a document sums up.
const PERIODS: &[&str] = &[
    "day", "date", "hour", "week", "month", "year", "period", "dia", "fecha", "hora", "semana", "mes", "año", "periodo",
];

fn is_average(at: &FieldRef<'_>) -> bool {
    at.field.kind == FieldKind::Named
        && names::is_average(at.leaf())
        && (0 < at.field.numbers.fractional || at.has(Type::Decimal))
}

fn numbers(collection: &Collection, at: &FieldRef<'_>) -> u64 {
    let numbers = at.field.number_count() + at.field.count_of(Type::Decimal);
    numbers.min(collection.documents())
}

fn is_count(name: &str) -> bool {
    const WORDS: &[&str] =
        &["count", "num", "number", "n", "cantidad", "numero", "cuenta", "votes", "votos", "reviews"];
    names::is_count(name) || names::words(name).iter().any(|word| WORDS.contains(&word.as_str()))
}

fn is_sum(name: &str) -> bool {
    const WORDS: &[&str] = &["sum", "total", "suma"];
    names::is_total(name) || names::words(name).iter().any(|word| WORDS.contains(&word.as_str()))
}
