//! Updates that the server refuses for their shape. Words, reasons and examples: operator-shape.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::written;
use crate::facts::Version;
use crate::facts::operators::{self, Standing, update as facts};
use crate::model::Model;
use crate::rules::{Findings, Place};
use crate::value::{Type, Value};
use crate::workload::update::{Applied, Form, Segment, Update, overlap, segments};
use crate::workload::{Api, Change, Operation, Term};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for (operation, update) in written(model) {
        let Some(fault) = fault(operation, &update, model.server) else { continue };
        let place = Place::operation(model, operation, None);
        let draft = findings.certain(fault.path.iter().fold(place, Place::with_path));
        draft.text("operator", fault.operator).variant(fault.variant);
        if let Some(part) = fault.part {
            draft.text("part", part);
        }
        if let Some(found) = fault.found {
            draft.text("found", found.alias());
        }
    }
}

/// What the server refuses.
struct Fault<'t> {
    /// Which words say it.
    variant: &'static str,
    /// The operator, method or stage.
    operator: &'t str,
    /// The path, where one is concerned.
    path: Option<&'t str>,
    /// The part of the argument that is wrong.
    part: Option<&'t str>,
    /// The type that stands where another is wanted.
    found: Option<Type>,
}

impl<'t> Fault<'t> {
    fn of(variant: &'static str, operator: &'t str) -> Fault<'t> {
        Fault { variant, operator, path: None, part: None, found: None }
    }

    fn at(variant: &'static str, change: &Change<'t>) -> Fault<'t> {
        Fault { path: Some(change.path), ..Fault::of(variant, change.operator) }
    }

    fn part(self, part: &'t str) -> Fault<'t> {
        Fault { part: Some(part), ..self }
    }

    /// A value of another type than the wanted one.
    fn found(self, found: Type) -> Fault<'t> {
        Fault { found: Some(found), ..self }
    }
}

/// The first fault of an update.
fn fault<'t>(operation: &'t Operation, update: &Update<'t>, server: Version) -> Option<Fault<'t>> {
    // Mongoose casts numbers, dates and times, drops empty operators and fills in `$each`.
    let casts = operation.api == Api::Mongoose;
    match &update.form {
        Form::Replacement(members) => {
            let operator = members.first()?.name().filter(|name| name.starts_with('$'))?;
            (!casts).then(|| Fault::of("replacement", operator))
        }
        Form::Pipeline(stages) => stages.iter().find_map(|stage| stage_fault(stage, server)),
        Form::Operators { strays } => {
            let stray = strays.first().and_then(|member| member.name());
            let operators = update.operators.iter().filter(|applied| is_known(applied.name));
            operators
                .clone()
                .find_map(|applied| applied_fault(applied, casts, server))
                .or_else(|| stray.map(|stray| Fault::of("stray", first(operators)).part(stray)))
                .or_else(|| {
                    let changes = update.changes.iter().filter(|change| change.certain && is_known(change.operator));
                    changes.clone().find_map(|change| change_fault(change, casts, server))
                })
        }
        Form::Unknown => None,
    }
}

fn first<'u, 't: 'u>(mut operators: impl Iterator<Item = &'u Applied<'t>>) -> &'t str {
    operators.next().map_or("$set", |applied| applied.name)
}

/// Operators that do not exist are told as such.
fn is_known(operator: &str) -> bool {
    operators::standing(facts::OPERATORS, operator, Version::DEFAULT) == Standing::Known
}

fn applied_fault<'t>(applied: &Applied<'t>, casts: bool, server: Version) -> Option<Fault<'t>> {
    let found = known_type(applied.argument)?;
    if found != Type::Object {
        return Some(Fault::of("fields", applied.name).found(found));
    }
    let is_empty = applied.argument.members().is_some_and(<[_]>::is_empty);
    (is_empty && !casts && server < facts::EMPTY_OPERATORS).then(|| Fault::of("empty", applied.name))
}

/// The type that is known for certain. What is not given may be left out on the way.
fn known_type(term: &Term) -> Option<Type> {
    term.bson_type().filter(|kind| *kind != Type::Undefined)
}

fn stage_fault(stage: &Term, server: Version) -> Option<Fault<'_>> {
    let members = stage.members().filter(|_| stage.is_closed())?;
    let [only] = members else { return members.first()?.name().map(|name| Fault::of("stages", name)) };
    let name = only.name()?;
    (operators::standing(facts::STAGES, name, server) == Standing::Unknown).then(|| Fault::of("stage", name))
}

fn change_fault<'t>(change: &Change<'t>, casts: bool, server: Version) -> Option<Fault<'t>> {
    path_fault(change).or_else(|| {
        let of_operator = match change.operator {
            "$inc" | "$mul" if !casts => wants(change, "number", Type::is_number),
            "$pullAll" if !casts => wants(change, "array", |kind| kind == Type::Array),
            "$push" => push_fault(change, casts),
            "$addToSet" => set_fault(change),
            "$pop" if !casts => pop_fault(change),
            "$rename" => rename_fault(change),
            "$currentDate" if !casts => date_fault(change),
            "$bit" => bit_fault(change),
            "$set" | "$setOnInsert" | "$min" | "$max" if !casts => nested_fault(change, server),
            _ => None,
        };
        of_operator.filter(|_| !change.path.is_empty())
    })
}

fn wants<'t>(change: &Change<'t>, variant: &'static str, fits: impl Fn(Type) -> bool) -> Option<Fault<'t>> {
    let found = known_type(change.argument).filter(|kind| !fits(*kind))?;
    Some(Fault::at(variant, change).found(found))
}

fn path_fault<'t>(change: &Change<'t>) -> Option<Fault<'t>> {
    let parts: Vec<Segment> = change.segments().collect();
    let first_elements = parts.iter().filter(|part| **part == Segment::First).count();
    match parts.first() {
        _ if parts.contains(&Segment::Name("")) => Some(Fault::at("empty-name", change)),
        Some(Segment::First | Segment::All | Segment::Filtered(_)) => Some(Fault::at("no-array", change)),
        // `{$set: {$inc: …}}`: the operator has slipped into another one.
        Some(Segment::Name(name)) if name.starts_with('$') => {
            Some(Fault::of("operator-as-field", change.operator).part(name))
        }
        _ => (1 < first_elements).then(|| Fault::at("two-positions", change)),
    }
}

fn push_fault<'t>(change: &Change<'t>, casts: bool) -> Option<Fault<'t>> {
    let members = change.argument.members().filter(|_| change.argument.is_closed())?;
    let names = || members.iter().filter_map(|member| member.name());
    let Some(each) = change.argument.get("$each") else {
        let modifier = names().find(|name| facts::PUSH_MODIFIERS.contains(name))?;
        return Some(Fault::at("without-each", change).part(modifier));
    };
    if let Some(other) = names().find(|name| !facts::PUSH_MODIFIERS.contains(name)) {
        return (!casts).then(|| Fault::at("modifier", change).part(other));
    }
    if let Some(found) = known_type(each).filter(|kind| *kind != Type::Array) {
        return Some(Fault::at("each", change).found(found));
    }
    if casts {
        return None;
    }
    let whole = |name: &'static str| {
        let argument = change.argument.get(name)?;
        let found = known_type(argument)?;
        let is_whole = argument.as_scalar().is_none_or(|value| value.as_f64().is_some_and(|v| v.fract() == 0.0));
        (!found.is_number() || !is_whole).then(|| Fault::at("whole", change).part(name).found(found))
    };
    whole("$slice").or_else(|| whole("$position")).or_else(|| {
        let sort = change.argument.get("$sort")?;
        (!is_order(sort)).then(|| Fault::at("sort", change))
    })
}

/// Whether the `$sort` of a `$push` may be right: 1 or -1, or paths with these.
fn is_order(sort: &Term) -> bool {
    let direction = |term: &Term| match term.as_scalar() {
        Some(value) => value.as_f64().is_some_and(|value| value.abs() == 1.0),
        None => term.as_hole().is_some_and(|hole| hole.kind.is_none_or(Type::is_number)),
    };
    match sort.members() {
        Some(members) => !members.is_empty() && members.iter().all(|member| direction(&member.value)),
        None => direction(sort) || sort.as_hole().is_some_and(|hole| hole.kind == Some(Type::Object)),
    }
}

fn set_fault<'t>(change: &Change<'t>) -> Option<Fault<'t>> {
    let members = change.argument.members().filter(|_| change.argument.is_closed())?;
    let first = members.first()?;
    if first.name() != Some("$each") {
        return None;
    }
    if let Some(other) = members.get(1).and_then(|member| member.name()) {
        return Some(Fault::at("modifier", change).part(other));
    }
    let found = known_type(&first.value).filter(|kind| *kind != Type::Array)?;
    Some(Fault::at("each", change).found(found))
}

fn pop_fault<'t>(change: &Change<'t>) -> Option<Fault<'t>> {
    let value = change.argument.as_scalar().filter(|value| **value != Value::Undefined);
    let is_end = value.is_none_or(|value| value.as_f64().is_some_and(|value| value.abs() == 1.0));
    (!is_end || wants(change, "pop", Type::is_number).is_some()).then(|| Fault::at("pop", change))
}

fn rename_fault<'t>(change: &Change<'t>) -> Option<Fault<'t>> {
    if let Some(found) = known_type(change.argument).filter(|kind| *kind != Type::String) {
        return Some(Fault::at("rename", change).found(found));
    }
    let to = change.argument.as_str()?;
    let is_dynamic = |path: &str| segments(path).any(|part| !matches!(part, Segment::Name(_)));
    if is_dynamic(change.path) || is_dynamic(to) {
        return Some(Fault::at("rename-position", change).part(to));
    }
    overlap(change.path, to).then(|| Fault::at("rename-within", change).part(to))
}

fn date_fault<'t>(change: &Change<'t>) -> Option<Fault<'t>> {
    if let Some(fault) = wants(change, "date", |kind| matches!(kind, Type::Bool | Type::Object)) {
        return Some(fault);
    }
    let members = change.argument.members().filter(|_| change.argument.is_closed())?;
    let fits = |term: &Term| term.as_str().is_none_or(|name| facts::DATE_TYPES.contains(&name));
    let is_type = members.len() == 1 && change.argument.get("$type").is_some_and(fits);
    (!is_type).then(|| Fault::at("date", change).found(Type::Object))
}

fn bit_fault<'t>(change: &Change<'t>) -> Option<Fault<'t>> {
    if let Some(fault) = wants(change, "bit", |kind| kind == Type::Object) {
        return Some(fault);
    }
    let members = change.argument.members().filter(|_| change.argument.is_closed())?;
    let is_whole = |term: &Term| known_type(term).is_none_or(|kind| matches!(kind, Type::Int | Type::Long));
    let is_operation = |member: &crate::workload::Member| {
        member.name().is_some_and(|name| facts::BITWISE.contains(&name)) && is_whole(&member.value)
    };
    (members.is_empty() || !members.iter().all(is_operation)).then(|| Fault::at("bit", change).found(Type::Object))
}

/// An operator in the place of a value: it is not carried out, but stored under its name.
fn nested_fault<'t>(change: &Change<'t>, server: Version) -> Option<Fault<'t>> {
    let [only] = change.argument.members()? else { return None };
    let name = only.name().filter(|name| is_known(name))?;
    let variant = if server < facts::NESTED_DOLLARS { "nested-refused" } else { "nested" };
    Some(Fault::at(variant, change).part(name))
}
