//! `$jsonSchema`: compiled, evaluated, and read for what it says about fields.

use super::pattern::Pattern;
use super::{Clause, DEEPEST, SchemaField, Truth, TypeSet, below};
use crate::order::Ordered;
use crate::value::key::{self, FieldOrder};
use crate::value::number::Number;
use crate::value::{Document, Item, Type, Value};

/// What a path shows in place of a name that only a pattern knows.
const ANY_KEY: &str = "<key>";

/// One compiled schema. Each demand carries the number of its clause.
#[derive(Debug, Default)]
pub(super) struct Schema {
    types: Option<(TypeSet, u32)>,
    members: Option<(Vec<Vec<u8>>, u32)>,
    numbers: Vec<(NumberTest, u32)>,
    strings: Vec<(StringTest, u32)>,
    lengths: Vec<(LengthTest, u32)>,
    unique: Option<u32>,
    items: Vec<Schema>,
    /// For the elements behind `items` where that is a list, for all where it is one schema.
    other_items: Option<Rest>,
    required: Vec<(String, u32)>,
    properties: Vec<(String, Schema)>,
    patterns: Vec<(Option<Pattern>, Schema)>,
    other_properties: Option<Rest>,
    dependencies: Vec<(String, Dependency, u32)>,
    all: Vec<Schema>,
    any: Vec<(Vec<Schema>, u32)>,
    one: Vec<(Vec<Schema>, u32)>,
    not: Vec<(Schema, u32)>,
    /// Something here cannot be judged.
    opaque: bool,
}

#[derive(Debug)]
enum NumberTest {
    Minimum { bound: Number, exclusive: bool },
    Maximum { bound: Number, exclusive: bool },
    MultipleOf(Number),
}

#[derive(Debug)]
enum StringTest {
    MinLength(u64),
    MaxLength(u64),
    Pattern(Option<Pattern>),
}

#[derive(Debug)]
enum LengthTest {
    MinItems(u64),
    MaxItems(u64),
    MinProperties(u64),
    MaxProperties(u64),
}

#[derive(Debug)]
enum Rest {
    Refused(u32),
    Like(Box<Schema>),
}

#[derive(Debug)]
enum Dependency {
    Names(Vec<String>),
    Schema(Box<Schema>),
}

/// Compiles a schema about the value at `path`.
pub(super) fn compile(schema: &Value, path: &str, clauses: &mut Vec<Clause>, depth: usize) -> Schema {
    let mut out = Schema::default();
    let Some(fields) = schema.as_object() else { return out };
    if depth > DEEPEST {
        out.opaque = true;
        return out;
    }
    let mut clause = |path: &str, keyword: &str| new_clause(clauses, path, keyword);
    let size = |value: &Value| value.as_i64().and_then(|n| u64::try_from(n).ok());
    // `required` first, so that the clauses of one object read in the order in which one would check it.
    for name in schema.get("required").and_then(Value::as_array).unwrap_or_default().iter().filter_map(Value::as_str) {
        let number = clause(&below(path, name), "required");
        out.required.push((name.to_owned(), number));
    }
    for (keyword, value) in fields {
        match keyword.as_str() {
            "bsonType" | "type" => match TypeSet::parse(value) {
                Some(set) => out.types = Some((set, clause(path, keyword))),
                None => out.opaque = true,
            },
            "encrypt" => {
                let mut set = TypeSet(0);
                set.add(Type::BinData);
                out.types = Some((set, clause(path, keyword)));
            }
            "enum" => {
                let key_of = |member: &Value| {
                    let mut key = Vec::new();
                    key::push_value(member, FieldOrder::Ignored, &mut key);
                    key
                };
                let mut members: Vec<Vec<u8>> = value.as_array().unwrap_or_default().iter().map(key_of).collect();
                members.order();
                out.members = Some((members, clause(path, keyword)));
            }
            "minimum" | "maximum" => {
                let Some(bound) = Number::of_value(value) else { continue };
                let test = if keyword == "minimum" {
                    let exclusive = schema.get("exclusiveMinimum").and_then(Value::as_bool).unwrap_or(false);
                    NumberTest::Minimum { bound, exclusive }
                } else {
                    let exclusive = schema.get("exclusiveMaximum").and_then(Value::as_bool).unwrap_or(false);
                    NumberTest::Maximum { bound, exclusive }
                };
                out.numbers.push((test, clause(path, keyword)));
            }
            "multipleOf" => {
                if let Some(divisor) = Number::of_value(value) {
                    out.numbers.push((NumberTest::MultipleOf(divisor), clause(path, keyword)));
                }
            }
            "minLength" | "maxLength" => {
                let Some(length) = size(value) else { continue };
                let test =
                    if keyword == "minLength" { StringTest::MinLength(length) } else { StringTest::MaxLength(length) };
                out.strings.push((test, clause(path, keyword)));
            }
            "pattern" => {
                if let Some(pattern) = value.as_str() {
                    out.strings.push((StringTest::Pattern(Pattern::new(pattern, "")), clause(path, keyword)));
                }
            }
            "minItems" | "maxItems" | "minProperties" | "maxProperties" => {
                let Some(length) = size(value) else { continue };
                let test = match keyword.as_str() {
                    "minItems" => LengthTest::MinItems(length),
                    "maxItems" => LengthTest::MaxItems(length),
                    "minProperties" => LengthTest::MinProperties(length),
                    _ => LengthTest::MaxProperties(length),
                };
                out.lengths.push((test, clause(path, keyword)));
            }
            "uniqueItems" => out.unique = (value.as_bool() == Some(true)).then(|| clause(path, keyword)),
            _ => {}
        }
    }
    for (keyword, value) in fields {
        let list = |clauses: &mut Vec<Clause>| {
            value
                .as_array()
                .unwrap_or_default()
                .iter()
                .map(|one| compile(one, path, clauses, depth + 1))
                .collect::<Vec<_>>()
        };
        match keyword.as_str() {
            "properties" => {
                for (name, inner) in value.as_object().unwrap_or_default() {
                    out.properties.push((name.clone(), compile(inner, &below(path, name), clauses, depth + 1)));
                }
                out.properties.order_by(|a, b| a.0.cmp(&b.0));
            }
            "patternProperties" => {
                for (name, inner) in value.as_object().unwrap_or_default() {
                    let inner = compile(inner, &below(path, ANY_KEY), clauses, depth + 1);
                    out.patterns.push((Pattern::new(name, ""), inner));
                }
            }
            "additionalProperties" | "additionalItems" => {
                let items = keyword == "additionalItems";
                let inner_path = if items { path.to_owned() } else { below(path, ANY_KEY) };
                let rest = match value {
                    Value::Bool(false) => Rest::Refused(new_clause(clauses, path, keyword)),
                    Value::Object(_) => Rest::Like(Box::new(compile(value, &inner_path, clauses, depth + 1))),
                    _ => continue,
                };
                match items {
                    // It only counts beside a list.
                    true if schema.get("items").is_some_and(|i| i.as_array().is_some()) => out.other_items = Some(rest),
                    true => {}
                    false => out.other_properties = Some(rest),
                }
            }
            "items" => match value {
                Value::Array(_) => out.items = list(clauses),
                _ => out.other_items = Some(Rest::Like(Box::new(compile(value, path, clauses, depth + 1)))),
            },
            "dependencies" => {
                for (name, needed) in value.as_object().unwrap_or_default() {
                    let number = new_clause(clauses, &below(path, name), keyword);
                    let dependency = match needed {
                        Value::Array(names) => {
                            Dependency::Names(names.iter().filter_map(Value::as_str).map(str::to_owned).collect())
                        }
                        _ => Dependency::Schema(Box::new(compile(needed, path, clauses, depth + 1))),
                    };
                    out.dependencies.push((name.clone(), dependency, number));
                }
            }
            "allOf" => out.all = list(clauses),
            "anyOf" | "oneOf" => {
                let number = new_clause(clauses, path, keyword);
                let alternatives = (list(clauses), number);
                if keyword == "anyOf" { out.any.push(alternatives) } else { out.one.push(alternatives) }
            }
            "not" => {
                let number = new_clause(clauses, path, keyword);
                out.not.push((compile(value, path, clauses, depth + 1), number));
            }
            _ => {}
        }
    }
    out
}

pub(super) fn new_clause(clauses: &mut Vec<Clause>, path: &str, keyword: &str) -> u32 {
    clauses.push(Clause { path: path.to_owned(), keyword: keyword.to_owned() });
    clauses.len() as u32 - 1
}

/// Collects failures; with nowhere to put them, evaluation stops at the first.
struct Judge<'f> {
    truth: Truth,
    failed: Option<&'f mut Vec<u32>>,
}

impl Judge<'_> {
    fn demand(&mut self, truth: impl Into<Truth>, clause: u32) {
        let truth = truth.into();
        if let (Truth::No, Some(failed)) = (truth, self.failed.as_mut()) {
            failed.push(clause);
        }
        self.truth = self.truth.and(truth);
    }

    fn nested(&mut self, schema: &Schema, document: &Document<'_>, at: usize) {
        let truth = schema.evaluate(document, at, self.failed.as_deref_mut());
        self.truth = self.truth.and(truth);
    }

    fn decided(&self) -> bool {
        self.truth == Truth::No && self.failed.is_none()
    }
}

impl Schema {
    /// Judges the value at `at`. With `failed`, every clause is checked and the failed ones are noted.
    pub(super) fn evaluate(&self, document: &Document<'_>, at: usize, failed: Option<&mut Vec<u32>>) -> Truth {
        let Some(entry) = document.entries.get(at) else { return Truth::Unknown };
        let start = if self.opaque { Truth::Unknown } else { Truth::Yes };
        let mut judge = Judge { truth: start, failed };
        if let Some((set, clause)) = &self.types {
            judge.demand(set.has(entry.item.bson_type()), *clause);
        }
        if let Some((members, clause)) = &self.members {
            let mut key = Vec::new();
            key::push(document, at, FieldOrder::Ignored, &mut key);
            judge.demand(members.binary_search(&key).is_ok(), *clause);
        }
        if judge.decided() {
            return Truth::No;
        }
        match entry.item {
            Item::String(text) => {
                for (test, clause) in &self.strings {
                    judge.demand(test.holds(text), *clause);
                }
            }
            Item::Object { .. } => self.object(document, at, &mut judge),
            Item::Array { len, .. } => self.array(document, at, len, &mut judge),
            ref other if !self.numbers.is_empty() => {
                if let Some(number) = Number::of(other) {
                    for (test, clause) in &self.numbers {
                        judge.demand(test.holds(number), *clause);
                    }
                }
            }
            _ => {}
        }
        for schema in &self.all {
            judge.nested(schema, document, at);
        }
        for (schemas, clause) in &self.any {
            let any = schemas.iter().fold(Truth::No, |truth, s| match truth {
                Truth::Yes => truth,
                _ => truth.or(s.evaluate(document, at, None)),
            });
            judge.demand(any, *clause);
        }
        for (schemas, clause) in &self.one {
            let truths: Vec<Truth> = schemas.iter().map(|s| s.evaluate(document, at, None)).collect();
            let yes = truths.iter().filter(|t| **t == Truth::Yes).count();
            let truth = match (yes, truths.contains(&Truth::Unknown)) {
                (2.., _) | (0, false) => Truth::No,
                (1, false) => Truth::Yes,
                _ => Truth::Unknown,
            };
            judge.demand(truth, *clause);
        }
        for (schema, clause) in &self.not {
            judge.demand(schema.evaluate(document, at, None).negate(), *clause);
        }
        judge.truth
    }

    fn object(&self, document: &Document<'_>, at: usize, judge: &mut Judge<'_>) {
        let nothing_to_see = self.required.is_empty()
            && self.properties.is_empty()
            && self.patterns.is_empty()
            && self.other_properties.is_none()
            && self.dependencies.is_empty();
        let count = document.children(at).count() as u64;
        self.length_tests(judge, |test| match test {
            LengthTest::MinProperties(least) => Some(count >= *least),
            LengthTest::MaxProperties(most) => Some(count <= *most),
            _ => None,
        });
        if nothing_to_see {
            return;
        }
        let has = |name: &str| document.children(at).any(|(_, entry)| entry.key == name);
        for (name, clause) in &self.required {
            judge.demand(has(name), *clause);
        }
        for (name, dependency, clause) in &self.dependencies {
            if has(name) {
                let truth = match dependency {
                    Dependency::Names(names) => Truth::from(names.iter().all(|name| has(name))),
                    Dependency::Schema(schema) => schema.evaluate(document, at, None),
                };
                judge.demand(truth, *clause);
            }
        }
        if self.properties.is_empty() && self.patterns.is_empty() && self.other_properties.is_none() {
            return;
        }
        for (position, entry) in document.children(at) {
            if judge.decided() {
                return;
            }
            let mut known = false;
            if let Ok(found) = self.properties.binary_search_by(|(name, _)| name.as_str().cmp(entry.key)) {
                known = true;
                if let Some((_, schema)) = self.properties.get(found) {
                    judge.nested(schema, document, position);
                }
            }
            let mut unclear = false;
            for (pattern, schema) in &self.patterns {
                match pattern {
                    Some(pattern) if pattern.is_match(entry.key) => {
                        known = true;
                        judge.nested(schema, document, position);
                    }
                    Some(_) => {}
                    None => unclear = true,
                }
            }
            if unclear {
                judge.truth = judge.truth.and(Truth::Unknown);
                continue;
            }
            if !known {
                match &self.other_properties {
                    Some(Rest::Refused(clause)) => judge.demand(Truth::No, *clause),
                    Some(Rest::Like(schema)) => judge.nested(schema, document, position),
                    None => {}
                }
            }
        }
    }

    fn array(&self, document: &Document<'_>, at: usize, len: u32, judge: &mut Judge<'_>) {
        self.length_tests(judge, |test| match test {
            LengthTest::MinItems(least) => Some(u64::from(len) >= *least),
            LengthTest::MaxItems(most) => Some(u64::from(len) <= *most),
            _ => None,
        });
        if let Some(clause) = self.unique {
            let mut keys: Vec<Vec<u8>> = document
                .children(at)
                .map(|(position, _)| {
                    let mut key = Vec::new();
                    key::push(document, position, FieldOrder::Ignored, &mut key);
                    key
                })
                .collect();
            keys.order();
            judge.demand(keys.windows(2).all(|pair| pair.first() != pair.last()), clause);
        }
        if self.items.is_empty() && self.other_items.is_none() {
            return;
        }
        for (place, (position, _)) in document.children(at).enumerate() {
            if judge.decided() {
                return;
            }
            match (self.items.get(place), &self.other_items) {
                (Some(schema), _) => judge.nested(schema, document, position),
                (None, Some(Rest::Like(schema))) => judge.nested(schema, document, position),
                (None, Some(Rest::Refused(clause))) => judge.demand(Truth::No, *clause),
                (None, None) => return,
            }
        }
    }

    fn length_tests(&self, judge: &mut Judge<'_>, holds: impl Fn(&LengthTest) -> Option<bool>) {
        for (test, clause) in &self.lengths {
            if let Some(truth) = holds(test) {
                judge.demand(truth, *clause);
            }
        }
    }
}

impl NumberTest {
    fn holds(&self, number: Number) -> Truth {
        use std::cmp::Ordering::{Equal, Greater, Less};
        match self {
            NumberTest::Minimum { bound, exclusive } => match number.compare(*bound) {
                Some(Greater) => Truth::Yes,
                Some(Equal) => Truth::from(!exclusive),
                _ => Truth::No,
            },
            NumberTest::Maximum { bound, exclusive } => match number.compare(*bound) {
                Some(Less) => Truth::Yes,
                Some(Equal) => Truth::from(!exclusive),
                _ => Truth::No,
            },
            NumberTest::MultipleOf(divisor) => number.is_multiple_of(*divisor).map_or(Truth::Unknown, Truth::from),
        }
    }
}

impl StringTest {
    fn holds(&self, text: &str) -> Truth {
        match self {
            StringTest::MinLength(least) => Truth::from(text.chars().count() as u64 >= *least),
            StringTest::MaxLength(most) => Truth::from(text.chars().count() as u64 <= *most),
            StringTest::Pattern(Some(pattern)) => Truth::from(pattern.is_match(text)),
            StringTest::Pattern(None) => Truth::Unknown,
        }
    }
}

/// What a schema says about the fields that it names.
pub(super) fn fields(schema: &Value) -> Vec<SchemaField> {
    let mut out = Vec::new();
    collect(schema, "", Around { always: true, conditional: false, in_array: false }, 0, &mut out);
    out
}

#[derive(Clone, Copy)]
struct Around {
    always: bool,
    conditional: bool,
    in_array: bool,
}

fn collect(schema: &Value, path: &str, around: Around, depth: usize, out: &mut Vec<SchemaField>) {
    if depth > DEEPEST {
        return;
    }
    let required: Vec<&str> =
        schema.get("required").and_then(Value::as_array).unwrap_or_default().iter().filter_map(Value::as_str).collect();
    let properties = schema.get("properties").and_then(Value::as_object).unwrap_or_default();
    let siblings_known = schema.get("patternProperties").is_some()
        || schema.get("additionalProperties").is_some_and(|rest| rest.as_bool() != Some(true));
    for (name, inner) in properties {
        let is_required = required.contains(&name.as_str());
        let path = below(path, name);
        let always = around.always && is_required && !around.conditional;
        let typed = inner.get("bsonType").or_else(|| inner.get("type"));
        out.push(SchemaField {
            path: path.clone(),
            types: typed.and_then(TypeSet::parse).map(TypeSet::list),
            required: is_required,
            always,
            listed: true,
            max_items: inner.get("maxItems").and_then(Value::as_i64).and_then(|n| u64::try_from(n).ok()),
            conditional: around.conditional,
            in_array: around.in_array,
            constrained: inner
                .as_object()
                .is_some_and(|fields| fields.iter().any(|(k, _)| !matches!(k.as_str(), "title" | "description"))),
            bounded_otherwise: is_bounded(inner),
            siblings_known,
        });
        descend(inner, &path, Around { always, ..around }, depth, out);
    }
    for name in required {
        if properties.iter().all(|(listed, _)| listed != name) {
            out.push(SchemaField {
                path: below(path, name),
                types: None,
                required: true,
                always: around.always && !around.conditional,
                listed: false,
                max_items: None,
                conditional: around.conditional,
                in_array: around.in_array,
                constrained: false,
                bounded_otherwise: false,
                siblings_known,
            });
        }
    }
    if path.is_empty() {
        descend_logic(schema, path, around, depth, out);
    }
}

fn is_bounded(schema: &Value) -> bool {
    let list = schema.get("items").is_some_and(|items| items.as_array().is_some());
    let no_more = schema.get("additionalItems").and_then(Value::as_bool) == Some(false);
    let distinct = schema.get("uniqueItems").and_then(Value::as_bool) == Some(true);
    let members = schema.get("items").and_then(|items| items.get("enum")).is_some();
    schema.get("enum").is_some() || (list && no_more) || (distinct && members)
}

/// The schemas of the same value and of its elements.
fn descend(schema: &Value, path: &str, around: Around, depth: usize, out: &mut Vec<SchemaField>) {
    collect(schema, path, around, depth + 1, out);
    let element = Around { always: false, in_array: true, ..around };
    match schema.get("items") {
        Some(Value::Array(list)) => list.iter().for_each(|one| descend(one, path, element, depth + 1, out)),
        Some(one) => descend(one, path, element, depth + 1, out),
        None => {}
    }
    descend_logic(schema, path, around, depth, out);
}

fn descend_logic(schema: &Value, path: &str, around: Around, depth: usize, out: &mut Vec<SchemaField>) {
    if depth > DEEPEST {
        return;
    }
    for one in schema.get("allOf").and_then(Value::as_array).unwrap_or_default() {
        descend(one, path, around, depth + 1, out);
    }
    let conditional = Around { conditional: true, ..around };
    for keyword in ["anyOf", "oneOf"] {
        for one in schema.get(keyword).and_then(Value::as_array).unwrap_or_default() {
            descend(one, path, conditional, depth + 1, out);
        }
    }
    for (_, one) in schema.get("dependencies").and_then(Value::as_object).unwrap_or_default() {
        if one.as_object().is_some() {
            descend(one, path, conditional, depth + 1, out);
        }
    }
}
