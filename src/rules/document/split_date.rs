//! Dates that were split into year, month and day. Words, reasons and examples: split-date.md.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::facts::names::{DatePart, date_part, words};
use crate::model::Model;
use crate::profile::{CollectionProfile, Field, FieldId, FieldKind, Shape};
use crate::rules::{Findings, Place};
use crate::value::event::Type;

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for (collection, profile) in model.with_documents() {
        for (parent, _) in profile.fields() {
            let mut dates: BTreeMap<String, BTreeMap<DatePart, (FieldId, &Field)>> = BTreeMap::new();
            for (id, field) in profile.children(parent).filter(|(_, f)| f.kind == FieldKind::Named) {
                if let Some((part, of)) = date_part(&field.name)
                    && is_in_range(field, part)
                {
                    dates.entry(of).or_default().entry(part).or_insert((id, field));
                }
            }
            for (of, parts) in dates {
                let fields: Vec<(FieldId, &Field)> = parts.into_values().collect();
                let [year, ..] = fields.as_slice() else { continue };
                if fields.len() < 3 || has_whole_date(profile, parent, &of) {
                    continue;
                }
                let count = fields.iter().map(|(_, field)| field.count).min().unwrap_or(0);
                findings
                    .inferred(Place::path(&collection.ns, profile.path(year.0)), "names and ranges")
                    .sampled(count)
                    .list("parts", fields.iter().map(|(id, _)| profile.path(*id)));
            }
        }
    }
}

/// Whether the values can be that part of a date: numbers in its range, or digits as text.
fn is_in_range(field: &Field, part: DatePart) -> bool {
    let (least, most) = match part {
        DatePart::Year => (1000.0, 9999.0),
        DatePart::Month => (1.0, 12.0),
        DatePart::Day => (1.0, 31.0),
    };
    let digits = field.shape_count(Shape::Number) + field.shape_count(Shape::Code);
    let numbers = field.number_count();
    let in_range = |value: Option<f64>| value.is_none_or(|value| (least..=most).contains(&value));
    0 < digits + numbers
        && digits + numbers + field.nulls() + field.shape_count(Shape::Empty) == field.count
        && in_range(field.numbers.min)
        && in_range(field.numbers.max)
        && field.numbers.fractional == 0
}

/// Whether the date itself stands beside its parts, which then only serve to group by: a date of the same words, or
/// any date where the parts have no words.
fn has_whole_date(profile: &CollectionProfile, parent: FieldId, of: &str) -> bool {
    profile.children(parent).any(|(_, field)| {
        let named = of.is_empty() || words(&field.name).join(" ").starts_with(of);
        let holds = field.count_of(Type::Date) + field.shape_count(Shape::Day) + field.shape_count(Shape::DateTime);
        named && 0 < holds
    })
}
