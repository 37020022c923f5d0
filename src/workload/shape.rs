//! Query shapes: operations that differ in their literals only have one shape, as the server groups them.

use std::borrow::Cow;
use std::fmt::Write;

use super::operation::{Operation, Verb};
use super::term::{Key, Member, Term, What};
use crate::order::Ordered;
use crate::profile::shape::KeyShape;
use crate::value::{Type, Value};

/// The shape of an operation as text: collection, verb, filter, sort, projection, collation, update and pipeline, with
/// `?type` where a literal stands. Equal texts are one shape.
pub fn key(operation: &Operation) -> String {
    let mut out = String::new();
    let ns = operation.ns.as_ref().map(ToString::to_string).unwrap_or_default();
    let _ = write!(out, "{} {ns}", verb(operation.verb));
    if operation.many {
        out.push_str(" many");
    }
    for (name, part, sorted) in [
        ("filter", &operation.filter, true),
        ("sort", &operation.sort, false),
        ("projection", &operation.projection, true),
        ("field", &operation.field, false),
        ("update", &operation.update, true),
        ("pipeline", &operation.pipeline, true),
    ] {
        if let Some(part) = part {
            let _ = write!(out, " {name} ");
            // Sort directions and projections are the shape itself.
            term(&mut out, part, sorted, matches!(name, "sort" | "field" | "projection"), 100);
        }
    }
    for name in ["collation", "hint", "let"] {
        if let Some(option) = operation.option(name) {
            let _ = write!(out, " {name} ");
            term(&mut out, option, true, name != "let", 100);
        }
    }
    out
}

fn verb(verb: Verb) -> &'static str {
    match verb {
        Verb::Find => "find",
        Verb::FindOne => "findOne",
        Verb::Aggregate => "aggregate",
        Verb::Count => "count",
        Verb::EstimatedCount => "estimatedCount",
        Verb::Distinct => "distinct",
        Verb::Insert => "insert",
        Verb::Update => "update",
        Verb::Replace => "replace",
        Verb::Delete => "delete",
        Verb::FindAndUpdate => "findAndUpdate",
        Verb::FindAndReplace => "findAndReplace",
        Verb::FindAndDelete => "findAndDelete",
        Verb::Watch => "watch",
        Verb::Populate => "populate",
    }
}

/// Writes a term; literals as their types unless they are `kept`. Members are ordered by name where order tells
/// nothing: not for sorts, and not for stages, of which each object holds one.
fn term(out: &mut String, of: &Term, sorted: bool, kept: bool, depth: u32) {
    let Some(depth) = depth.checked_sub(1) else {
        out.push('?');
        return;
    };
    match &of.what {
        What::Object(members) => {
            let mut members: Vec<&Member> = members.iter().collect();
            if sorted {
                members.order_by_key(|member| name(member));
            }
            out.push('{');
            for (place, member) in members.into_iter().enumerate() {
                let comma = if place > 0 { ", " } else { "" };
                let _ = write!(out, "{comma}{}: ", folded(name(member)));
                let order_tells = matches!(member.name(), Some("$sort" | "sortBy"));
                term(out, &member.value, sorted && !order_tells, kept || order_tells, depth);
            }
            out.push('}');
        }
        // Lists of literals are one literal, whatever their length.
        What::Array(elements) if !kept && elements.iter().all(is_literal) => {
            let mut types: Vec<&str> = elements.iter().map(type_name).collect();
            types.order();
            types.dedup();
            let _ = write!(out, "?array<{}>", types.join("|"));
        }
        What::Array(elements) => {
            out.push('[');
            for (place, element) in elements.iter().enumerate() {
                out.push_str(if place > 0 { ", " } else { "" });
                term(out, element, sorted, kept, depth);
            }
            out.push(']');
        }
        // A reference to a field is part of the shape.
        What::Value(Value::String(text)) if kept || text.starts_with('$') => {
            let _ = write!(out, "{:?}", folded(text));
        }
        What::Value(value) if kept && value.as_f64().is_some() => {
            let _ = write!(out, "{}", value.as_f64().unwrap_or_default());
        }
        What::Value(_) | What::Hole(_) => {
            let _ = write!(out, "?{}", type_name(of));
        }
    }
}

fn is_literal(term: &Term) -> bool {
    match &term.what {
        What::Value(Value::String(text)) => !text.starts_with('$'),
        What::Value(_) | What::Hole(_) => true,
        What::Object(_) | What::Array(_) => false,
    }
}

/// Numbers of all types are one, as in a query shape of the server.
fn type_name(term: &Term) -> &'static str {
    match term.bson_type() {
        Some(Type::Int | Type::Long | Type::Double | Type::Decimal) => "number",
        Some(other) => other.alias(),
        None => "",
    }
}

/// A path whose parts that can only be data (ids, days, numbers) are one: else every id would be a shape of its own.
fn folded(path: &str) -> Cow<'_, str> {
    // Names hardly ever hold digits, and data hardly ever none.
    if !path.bytes().any(|b| b.is_ascii_digit() || b == b'@') {
        return Cow::Borrowed(path);
    }
    let fold = |part| if KeyShape::of(part).is_some() { "<key>" } else { part };
    Cow::Owned(path.split('.').map(fold).collect::<Vec<_>>().join("."))
}

fn name(member: &Member) -> &str {
    match &member.key {
        Key::Name(name) | Key::Computed(name) => name,
        Key::Spread => "...",
    }
}
