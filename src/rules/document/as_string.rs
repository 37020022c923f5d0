//! Strings that are numbers, dates, booleans, ObjectIds or UUIDs. Words, reasons and examples: number-as-string.md,
//! date-as-string.md, boolean-as-string.md, objectid-as-string.md, uuid-as-string.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{conversion, family, is_own_id};
use crate::facts::{Version, names};
use crate::finding::Severity;
use crate::model::{Collection, FieldRef, Model};
use crate::profile::Shape;
use crate::remedy::convert::Target;
use crate::rules::{Draft, Findings, Place};
use crate::value::event::Type;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Share of the strings of a path that must read as the type.
    share: f64,
}

impl Default for Options {
    fn default() -> Self {
        Options { share: 0.95 }
    }
}

pub(crate) fn number(model: &Model, options: &Options, findings: &mut Findings) {
    each(model, options, Type::Double, &[Shape::Number], |found| {
        // Leading zeros, and digits that are always as many, make a code; amounts may be as long by chance.
        let name = name(found.field);
        let is_code = names::is_code(name) || (is_fixed_width(found.field) && !names::is_quantity(name));
        if !is_code && found.field.field.shape_count(Shape::Code) == 0 {
            let is_money = names::money(name) == names::Money::Yes;
            found.tell(findings, if is_money { Target::Decimal } else { Target::Number });
        }
    });
}

pub(crate) fn date(model: &Model, options: &Options, findings: &mut Findings) {
    each(model, options, Type::Date, &[Shape::Day, Shape::DateTime], |found| {
        // A date that plain JSON made a string of is told by its form; any other form was text before.
        if !found.collection.types_are_kept() && is_of_width(found.field, JSON_DATE) {
            return;
        }
        let times = found.field.field.shape_count(Shape::DateTime);
        let finding = found.tell(findings, Target::Date);
        if found.parsed < times * 2 {
            finding.severity(Severity::Warning).variant("time");
        }
    });
}

pub(crate) fn boolean(model: &Model, options: &Options, findings: &mut Findings) {
    each(model, options, Type::Bool, &[Shape::Boolean], |found| {
        found.tell(findings, Target::Bool);
    });
}

pub(crate) fn object_id(model: &Model, options: &Options, findings: &mut Findings) {
    each(model, options, Type::ObjectId, &[Shape::ObjectId], |found| {
        if found.collection.types_are_kept() && !found.names_a_string_id(model) {
            found.tell(findings, Target::ObjectId);
        }
    });
}

pub(crate) fn uuid(model: &Model, options: &Options, findings: &mut Findings) {
    each(model, options, Type::BinData, &[Shape::Uuid], |found| {
        if found.collection.types_are_kept() && !found.names_a_string_id(model) {
            found.tell(findings, Target::Uuid);
        }
    });
}

/// A path whose strings read as another type.
struct Found<'m> {
    collection: &'m Collection,
    field: &'m FieldRef<'m>,
    server: Version,
    strings: u64,
    parsed: u64,
}

impl Found<'_> {
    fn tell<'f>(&self, findings: &'f mut Findings, to: Target) -> &'f mut Draft {
        let finding = findings
            .measured(Place::path(&self.collection.ns, &self.field.path), self.strings)
            .number("strings", self.strings)
            .number("share", self.parsed as f64 / self.strings as f64);
        if let Some(remedy) = conversion(self.collection, self.field, to, self.server) {
            finding.remedy(remedy);
        }
        finding
    }

    /// Whether the values are `_id`s that the team chose to be strings, here or in another collection.
    fn names_a_string_id(&self, model: &Model) -> bool {
        let Some(own) = self.field.field.distinct.as_deref() else { return false };
        let own = own.smallest();
        model.collections.iter().any(|other| {
            let mut ids = other.fields().filter(|field| is_own_id(field) && field.has(Type::String));
            ids.next().and_then(|id| id.field.distinct.as_deref()).is_some_and(|ids| {
                let ids = ids.smallest();
                own.iter().any(|(hash, _)| ids.binary_search_by_key(hash, |(id, _)| *id).is_ok())
            })
        })
    }
}

/// Hands every path of which nearly all strings have one of the shapes, and no value the wanted type, to `tell`. Empty strings stand for "none".
fn each(model: &Model, options: &Options, wanted: Type, shapes: &[Shape], mut tell: impl FnMut(&Found<'_>)) {
    for collection in &model.collections {
        for field in collection.fields().filter(|field| !is_own_id(field)) {
            let strings = field.field.count_of(Type::String) - field.field.shape_count(Shape::Empty);
            let parsed: u64 = shapes.iter().map(|shape| field.field.shape_count(*shape)).sum();
            // Where some values have the type itself, the strings are the odd ones of `mixed-types`.
            let is_mixed = field.field.types_found().iter().any(|(kind, _)| family(*kind) == Some(wanted));
            if 0 < parsed && !is_mixed && strings as f64 * options.share <= parsed as f64 {
                tell(&Found { collection, field: &field, server: model.server, strings, parsed });
            }
        }
    }
}

/// The last name of the path that is none of data.
fn name<'f>(field: &'f FieldRef<'_>) -> &'f str {
    field.path.as_str().rsplit('.').find(|name| *name != "<key>").unwrap_or_default()
}

/// From so many digits on, a width that never changes is that of a code.
const CODE_WIDTH: u64 = 5;

/// Length of `2026-03-01T10:00:00.000Z`, which `JSON.stringify` makes of a date.
const JSON_DATE: u64 = 24;

fn is_fixed_width(field: &FieldRef<'_>) -> bool {
    width(field).is_some_and(|width| CODE_WIDTH <= width)
}

fn is_of_width(field: &FieldRef<'_>, expected: u64) -> bool {
    width(field) == Some(expected)
}

/// The length of all strings that are not empty, where it is one.
fn width(field: &FieldRef<'_>) -> Option<u64> {
    let mut lengths = field.field.strings.as_ref()?.lengths.filled().filter(|(length, _)| 0 < *length);
    let (first, _) = lengths.next()?;
    lengths.next().is_none().then_some(first)
}
