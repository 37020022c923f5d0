//! Literals of a type that a path never holds. Words, reasons and examples: type-mismatch.md.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use super::{each_test, filters};
use crate::model::{Collection, Model};
use crate::profile::{CollectionProfile, FieldKind};
use crate::rules::Findings;
use crate::value::Type;
use crate::workload::{Api, Operator, Term, Test};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    // Mongoose turns literals into what the schema says.
    for asked in filters(model).filter(|asked| asked.operation.api != Api::Mongoose) {
        let Some((collection, profile)) = asked.documents(model) else { continue };
        let mut told: Vec<String> = Vec::new();
        each_test(asked.filter, &mut |path, test, _| {
            if told.iter().any(|known| known == path) {
                return;
            }
            let Some(given) = asked_type(test) else { return };
            let Some(held) = Held::at(profile, path) else { return };
            let Some((usual, _)) = held.types.iter().max_by_key(|(kind, count)| (**count, std::cmp::Reverse(**kind)))
            else {
                return;
            };
            if held.types.keys().any(|kind| class(*kind) == class(given)) || !is_told_apart(collection, given, *usual) {
                return;
            }
            told.push(path.to_owned());
            let draft = findings
                .measured(asked.place(model).with_path(path), held.values)
                .text("given", given.alias())
                .text("held", usual.alias());
            match (given, usual) {
                (Type::String, Type::ObjectId) => draft.variant("objectid"),
                (Type::String, Type::Date) => draft.variant("date"),
                (_, Type::String) if test.operator != Operator::Regex => draft.variant("string"),
                _ if test.operator == Operator::Regex => draft.variant("pattern"),
                _ => draft,
            };
        });
    }
}

/// The types at a path, elements of arrays included.
struct Held {
    types: BTreeMap<Type, u64>,
    values: u64,
}

impl Held {
    /// None where nothing but null is there, or names that are data make the path more than one field.
    fn at(profile: &CollectionProfile, path: &str) -> Option<Held> {
        let ids = profile.resolve(path);
        let elements: Vec<_> = ids.iter().filter_map(|id| profile.elements(*id).map(|(id, _)| id)).collect();
        let mut held = Held { types: BTreeMap::new(), values: 0 };
        for id in ids.into_iter().chain(elements) {
            let field = profile.field(id)?;
            if field.kind == FieldKind::Folded {
                return None;
            }
            for (kind, count) in field.types_found() {
                if !matches!(kind, Type::Null | Type::Undefined) {
                    *held.types.entry(kind).or_default() += count;
                    held.values += count;
                }
            }
        }
        // An array is looked into: what counts is what it holds.
        if held.types.len() > 1 {
            held.types.remove(&Type::Array);
        }
        (!held.types.is_empty()).then_some(held)
    }
}

/// The type that a test asks for; none where it asks for several, for none, or is not known.
fn asked_type(test: &Test) -> Option<Type> {
    let known = |term: &Term| {
        // Operators and the parts of a DBRef are no value.
        let kind = if term.is_operators() { None } else { term.bson_type() };
        kind.filter(|kind| !matches!(kind, Type::Null | Type::Undefined | Type::MinKey | Type::MaxKey))
    };
    match &test.operator {
        Operator::Eq | Operator::Ne => known(&test.argument),
        operator if operator.is_range() => known(&test.argument),
        Operator::In | Operator::Nin | Operator::All => {
            let mut kinds = test.argument.elements()?.iter().map(known);
            let first = kinds.next()??;
            kinds.all(|kind| kind.is_some_and(|kind| class(kind) == class(first))).then_some(first)
        }
        // A pattern is tried on strings.
        Operator::Regex => Some(Type::String),
        _ => None,
    }
}

/// Types that are compared with each other: numbers of all kinds, strings and symbols, and each other by itself.
fn class(kind: Type) -> Type {
    match kind {
        Type::Int | Type::Long | Type::Decimal => Type::Double,
        // A pattern as a value of an `$in` is tried on strings.
        Type::Symbol | Type::Regex => Type::String,
        other => other,
    }
}

/// Whether the documents came in a form that would show the given type: JSON makes strings of dates and ids.
fn is_told_apart(collection: &Collection, given: Type, held: Type) -> bool {
    let is_plain = |kind: Type| matches!(class(kind), Type::Double | Type::Bool | Type::Object | Type::Array);
    collection.types_are_kept() || is_plain(given) || (given == Type::String && is_plain(held))
}
