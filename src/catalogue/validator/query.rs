//! Query expressions of validators: `$jsonSchema` and the operators that may stand beside it, matched as `find` does.

use std::cmp::Ordering;

use super::pattern::Pattern;
use super::schema::{self, Schema, new_clause};
use super::{Clause, DEEPEST, Truth, TypeSet};
use crate::order::Ordered;
use crate::value::key::{self, FieldOrder};
use crate::value::number::Number;
use crate::value::{Document, Item, Type, Value};

/// A compiled query.
#[derive(Debug)]
pub(super) enum Query {
    And(Vec<Query>),
    /// `$or`, or `$nor` where negated.
    Or {
        alternatives: Vec<Query>,
        negated: bool,
        clause: u32,
    },
    Schema(Box<Schema>),
    Field {
        path: Vec<String>,
        test: Test,
        clause: u32,
    },
    /// A constant of no field, such as `$alwaysTrue`, or what cannot be judged.
    Constant(Truth),
}

/// A test of one field.
#[derive(Debug)]
pub(super) enum Test {
    Equal(Vec<u8>, bool),
    Order { bound: Value, accept: fn(Ordering) -> bool },
    In(Vec<Vec<u8>>, Vec<Pattern>, bool),
    Exists,
    Type(TypeSet),
    Pattern(Pattern),
    Size(i64),
    Mod(i64, i64),
    ElementQuery(Box<Query>),
    ElementTests(Vec<Test>),
    All(Vec<Test>),
    Not(Box<Test>),
    Unknown,
}

/// Compiles the expression of a validator.
pub(super) fn compile(expression: &Value, clauses: &mut Vec<Clause>) -> Query {
    compile_at(expression, clauses, 0)
}

fn compile_at(expression: &Value, clauses: &mut Vec<Clause>, depth: usize) -> Query {
    let Some(fields) = expression.as_object() else { return Query::Constant(Truth::Unknown) };
    if depth > DEEPEST {
        return Query::Constant(Truth::Unknown);
    }
    let mut all = Vec::new();
    for (name, value) in fields {
        let list = |clauses: &mut Vec<Clause>| {
            value
                .as_array()
                .unwrap_or_default()
                .iter()
                .map(|one| compile_at(one, clauses, depth + 1))
                .collect::<Vec<_>>()
        };
        match name.as_str() {
            "$and" => all.extend(list(clauses)),
            "$or" | "$nor" => {
                let clause = new_clause(clauses, "", name);
                all.push(Query::Or { alternatives: list(clauses), negated: name == "$nor", clause });
            }
            "$jsonSchema" => all.push(Query::Schema(Box::new(schema::compile(value, "", clauses, depth + 1)))),
            "$comment" => {}
            "$alwaysTrue" => all.push(Query::Constant(Truth::Yes)),
            operator if operator.starts_with('$') => all.push(Query::Constant(Truth::Unknown)),
            path => {
                let components: Vec<String> = path.split('.').map(str::to_owned).collect();
                for (operator, test) in tests(value, clauses, depth) {
                    let clause = new_clause(clauses, path, &operator);
                    all.push(Query::Field { path: components.clone(), test, clause });
                }
            }
        }
    }
    Query::And(all)
}

/// The tests of the value that stands beside a path, each with its operator.
fn tests(value: &Value, clauses: &mut Vec<Clause>, depth: usize) -> Vec<(String, Test)> {
    match value {
        Value::Object(fields) if fields.first().is_some_and(|(name, _)| name.starts_with('$')) => fields
            .iter()
            .filter(|(name, _)| name != "$options" && name != "$comment")
            .map(|(operator, operand)| (operator.clone(), test(operator, operand, value, clauses, depth)))
            .collect(),
        Value::Regex(pattern, options) => {
            let test = Pattern::new(pattern, options).map_or(Test::Unknown, Test::Pattern);
            vec![("$regex".to_owned(), test)]
        }
        other => vec![("$eq".to_owned(), equal(other))],
    }
}

fn equal(value: &Value) -> Test {
    let mut key = Vec::new();
    key::push_value(value, FieldOrder::Counts, &mut key);
    Test::Equal(key, matches!(value, Value::Null | Value::Undefined))
}

fn test(operator: &str, operand: &Value, beside: &Value, clauses: &mut Vec<Clause>, depth: usize) -> Test {
    if depth > DEEPEST {
        return Test::Unknown;
    }
    let order = |accept: fn(Ordering) -> bool| Test::Order { bound: operand.clone(), accept };
    let not = |test: Test| Test::Not(Box::new(test));
    match operator {
        "$eq" => equal(operand),
        "$ne" => not(equal(operand)),
        "$gt" => order(Ordering::is_gt),
        "$gte" => order(Ordering::is_ge),
        "$lt" => order(Ordering::is_lt),
        "$lte" => order(Ordering::is_le),
        "$in" => members(operand),
        "$nin" => not(members(operand)),
        "$exists" => match operand.as_bool().or_else(|| operand.as_f64().map(|n| n != 0.0)) {
            Some(false) => not(Test::Exists),
            Some(true) => Test::Exists,
            None => Test::Unknown,
        },
        "$type" => TypeSet::parse(operand).map_or(Test::Unknown, Test::Type),
        "$size" => operand.as_i64().map_or(Test::Unknown, Test::Size),
        "$mod" => match operand.as_array().map(|a| a.iter().map(Value::as_i64).collect::<Vec<_>>()).as_deref() {
            Some([Some(divisor), Some(rest)]) if *divisor != 0 => Test::Mod(*divisor, *rest),
            _ => Test::Unknown,
        },
        "$regex" => {
            let options = beside.get("$options").and_then(Value::as_str);
            let pattern = match operand {
                Value::String(pattern) => Pattern::new(pattern, options.unwrap_or_default()),
                Value::Regex(pattern, own) => Pattern::new(pattern, options.unwrap_or(own)),
                _ => None,
            };
            pattern.map_or(Test::Unknown, Test::Pattern)
        }
        "$all" => {
            let one = |member: &Value| match member.get("$elemMatch") {
                Some(_) => Test::Unknown,
                None => match member {
                    Value::Regex(pattern, options) => {
                        Pattern::new(pattern, options).map_or(Test::Unknown, Test::Pattern)
                    }
                    other => equal(other),
                },
            };
            Test::All(operand.as_array().unwrap_or_default().iter().map(one).collect())
        }
        "$not" => not(Test::All(tests(operand, clauses, depth + 1).into_iter().map(|(_, test)| test).collect())),
        "$elemMatch" => match operand.as_object().and_then(<[_]>::first) {
            Some((name, _)) if name.starts_with('$') && !matches!(name.as_str(), "$and" | "$or" | "$nor") => {
                Test::ElementTests(tests(operand, clauses, depth + 1).into_iter().map(|(_, test)| test).collect())
            }
            _ => Test::ElementQuery(Box::new(compile_at(operand, clauses, depth + 1))),
        },
        _ => Test::Unknown,
    }
}

fn members(operand: &Value) -> Test {
    let mut keys = Vec::new();
    let mut patterns = Vec::new();
    let mut null = false;
    for member in operand.as_array().unwrap_or_default() {
        if let Value::Regex(pattern, options) = member {
            match Pattern::new(pattern, options) {
                Some(pattern) => patterns.push(pattern),
                None => return Test::Unknown,
            }
            continue;
        }
        null |= *member == Value::Null;
        let mut key = Vec::new();
        key::push_value(member, FieldOrder::Counts, &mut key);
        keys.push(key);
    }
    keys.order();
    Test::In(keys, patterns, null)
}

impl Query {
    /// Judges the object at `at`.
    pub(super) fn evaluate(&self, document: &Document<'_>, at: usize, mut failed: Option<&mut Vec<u32>>) -> Truth {
        let fail = |truth: Truth, clause: u32, failed: Option<&mut Vec<u32>>| {
            if let (Truth::No, Some(failed)) = (truth, failed) {
                failed.push(clause);
            }
            truth
        };
        match self {
            Query::And(all) => {
                let mut truth = Truth::Yes;
                for query in all {
                    truth = truth.and(query.evaluate(document, at, failed.as_deref_mut()));
                }
                truth
            }
            Query::Or { alternatives, negated, clause } => {
                let any = alternatives.iter().fold(Truth::No, |truth, q| truth.or(q.evaluate(document, at, None)));
                fail(if *negated { any.negate() } else { any }, *clause, failed)
            }
            Query::Schema(schema) => schema.evaluate(document, at, failed),
            Query::Field { path, test, clause } => fail(test.field(document, at, path), *clause, failed),
            Query::Constant(truth) => *truth,
        }
    }
}

impl Test {
    /// Judges a field: some value that the path reaches must pass.
    fn field(&self, document: &Document<'_>, at: usize, path: &[String]) -> Truth {
        match self {
            Test::Not(inner) => inner.field(document, at, path).negate(),
            Test::All(tests) => tests.iter().fold(Truth::Yes, |truth, test| truth.and(test.field(document, at, path))),
            _ => self.reach(document, at, path),
        }
    }

    fn reach(&self, document: &Document<'_>, at: usize, path: &[String]) -> Truth {
        let Some((name, rest)) = path.split_first() else { return self.leaf(document, at) };
        match document.entries.get(at).map(|entry| entry.item) {
            Some(Item::Object { .. }) => match document.children(at).find(|(_, entry)| entry.key == name) {
                Some((position, _)) => self.reach(document, position, rest),
                None => self.missing(),
            },
            Some(Item::Array { .. }) => {
                let place = name.parse::<usize>().ok();
                let mut truth = Truth::No;
                for (number, (position, entry)) in document.children(at).enumerate() {
                    if place == Some(number) {
                        truth = truth.or(self.reach(document, position, rest));
                    }
                    if matches!(entry.item, Item::Object { .. }) {
                        truth = truth.or(self.reach(document, position, path));
                    }
                }
                truth
            }
            _ => self.missing(),
        }
    }

    fn missing(&self) -> Truth {
        match self {
            Test::Equal(_, null) | Test::In(_, _, null) => Truth::from(*null),
            Test::Order { bound: Value::Null, accept } => Truth::from(accept(Ordering::Equal)),
            Test::Unknown => Truth::Unknown,
            _ => Truth::No,
        }
    }

    /// The value itself, and where it is an array its elements too.
    fn leaf(&self, document: &Document<'_>, at: usize) -> Truth {
        let mut truth = self.value(document, at);
        let spreads = !matches!(self, Test::Exists | Test::Size(_) | Test::ElementQuery(_) | Test::ElementTests(_));
        if spreads && matches!(document.entries.get(at).map(|e| e.item), Some(Item::Array { .. })) {
            for (position, _) in document.children(at) {
                if truth == Truth::Yes {
                    break;
                }
                truth = truth.or(self.value(document, position));
            }
        }
        truth
    }

    fn value(&self, document: &Document<'_>, at: usize) -> Truth {
        let Some(entry) = document.entries.get(at) else { return Truth::Unknown };
        let item = &entry.item;
        let key = || {
            let mut key = Vec::new();
            key::push(document, at, FieldOrder::Counts, &mut key);
            key
        };
        match self {
            Test::Equal(wanted, _) => Truth::from(key() == *wanted),
            Test::In(keys, patterns, _) => Truth::from(
                keys.binary_search(&key()).is_ok()
                    || matches!(item, Item::String(text) if patterns.iter().any(|p| p.is_match(text))),
            ),
            Test::Order { bound, accept } => order(item, bound, *accept),
            Test::Exists => Truth::Yes,
            Test::Type(set) => Truth::from(set.has(item.bson_type())),
            Test::Pattern(pattern) => Truth::from(matches!(item, Item::String(text) if pattern.is_match(text))),
            Test::Size(size) => Truth::from(matches!(item, Item::Array { len, .. } if i64::from(*len) == *size)),
            Test::Mod(divisor, rest) => {
                let number = match item {
                    Item::Int(v) => Some(i64::from(*v)),
                    Item::Long(v) => Some(*v),
                    Item::Double(v) if v.is_finite() && v.abs() < 9.0e18 => Some(*v as i64),
                    Item::Decimal(_) => return Truth::Unknown,
                    _ => None,
                };
                Truth::from(number.and_then(|n| n.checked_rem(*divisor)) == Some(*rest))
            }
            Test::ElementQuery(query) => {
                elements(document, at, |position| match document.entries.get(position)?.item {
                    Item::Object { .. } => Some(query.evaluate(document, position, None)),
                    // A path may count the elements of an array of arrays.
                    Item::Array { .. } => Some(Truth::Unknown),
                    _ => None,
                })
            }
            Test::ElementTests(tests) => elements(document, at, |position| {
                Some(tests.iter().fold(Truth::Yes, |truth, test| truth.and(test.element(document, position))))
            }),
            Test::Not(inner) => inner.value(document, at).negate(),
            Test::All(tests) => tests.iter().fold(Truth::Yes, |truth, test| truth.and(test.value(document, at))),
            Test::Unknown => Truth::Unknown,
        }
    }

    /// An element under `$elemMatch` is a value of its own, and spreads if it is an array.
    fn element(&self, document: &Document<'_>, at: usize) -> Truth {
        match self {
            Test::Not(inner) => inner.element(document, at).negate(),
            Test::All(tests) => tests.iter().fold(Truth::Yes, |truth, test| truth.and(test.element(document, at))),
            _ => self.leaf(document, at),
        }
    }
}

fn elements(document: &Document<'_>, at: usize, judge: impl Fn(usize) -> Option<Truth>) -> Truth {
    if !matches!(document.entries.get(at).map(|e| e.item), Some(Item::Array { .. })) {
        return Truth::No;
    }
    document.children(at).filter_map(|(position, _)| judge(position)).fold(Truth::No, Truth::or)
}

/// Comparison within one kind of type, as the server brackets them.
fn order(item: &Item<'_>, bound: &Value, accept: fn(Ordering) -> bool) -> Truth {
    if let Some(bound) = Number::of_value(bound) {
        return Truth::from(Number::of(item).and_then(|number| number.compare(bound)).is_some_and(accept));
    }
    let ordering = match (item, bound) {
        (Item::String(a), Value::String(b)) => Some((*a).cmp(b.as_str())),
        (Item::Date(a), Value::Date(b)) => Some(a.cmp(b)),
        (Item::Bool(a), Value::Bool(b)) => Some(a.cmp(b)),
        (Item::ObjectId(a), Value::ObjectId(b)) => Some(a.cmp(b)),
        (Item::Timestamp { seconds, ordinal }, Value::Timestamp(s, o)) => Some((seconds, ordinal).cmp(&(s, o))),
        (Item::Null | Item::Undefined, Value::Null) => Some(Ordering::Equal),
        _ => None,
    };
    match ordering {
        Some(ordering) => Truth::from(accept(ordering)),
        None if comparable(bound.bson_type()) && item.bson_type() != bound.bson_type() => Truth::No,
        None => Truth::Unknown,
    }
}

fn comparable(kind: Type) -> bool {
    matches!(kind, Type::String | Type::Date | Type::Bool | Type::ObjectId | Type::Timestamp | Type::Null)
}
