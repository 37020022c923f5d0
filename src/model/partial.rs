//! Partial indexes: whether a filter implies theirs. The planner uses one only then.
//!
//! Manual: core/index-partial, "Query Coverage". Implication is by path: the planner does not look inside
//! `$elemMatch`.

use std::cmp::Ordering;

use crate::value::{Type, Value, key};
use crate::workload::{Operator, Test, What};

/// Whether tests imply the filter of a partial index: yes, no, or not known for want of a literal.
pub fn implied(filter: &Value, tests: &[(String, Test)]) -> Option<bool> {
    let mut whole = Some(true);
    for (path, wanted) in filter.as_object()? {
        let part = match (path.as_str(), wanted) {
            ("$and", Value::Array(parts)) => all(parts.iter().map(|part| implied(part, tests))),
            ("$or", Value::Array(parts)) => any(parts.iter().map(|part| implied(part, tests))),
            (_, Value::Object(operators)) if operators.first().is_some_and(|(name, _)| name.starts_with('$')) => {
                all(operators.iter().map(|(name, bound)| clause(path, &Operator::parse(name), bound, tests)))
            }
            _ => clause(path, &Operator::Eq, wanted, tests),
        };
        whole = all([whole, part]);
    }
    whole
}

/// Yes where all parts are, no where one is not.
fn all(parts: impl IntoIterator<Item = Option<bool>>) -> Option<bool> {
    let mut whole = Some(true);
    for part in parts {
        match part {
            Some(false) => return Some(false),
            Some(true) => {}
            None => whole = None,
        }
    }
    whole
}

/// Yes where one part is, no where none is.
fn any(parts: impl IntoIterator<Item = Option<bool>>) -> Option<bool> {
    all(parts.into_iter().map(|part| part.map(|holds| !holds))).map(|none| !none)
}

/// Whether some test of the path implies one clause.
fn clause(path: &str, operator: &Operator, bound: &Value, tests: &[(String, Test)]) -> Option<bool> {
    any(tests.iter().filter(|(tested, _)| tested == path).map(|(_, test)| one(operator, bound, test)))
}

fn one(wanted: &Operator, bound: &Value, test: &Test) -> Option<bool> {
    match (&test.operator, wanted) {
        (Operator::In, _) => match &test.argument.what {
            What::Array(values) => {
                all(values.iter().map(|value| one(wanted, bound, &Test::new(Operator::Eq, value.clone()))))
            }
            _ => None,
        },
        (Operator::Exists, Operator::Exists) => Some(test.argument.as_bool()? == truthy(bound)),
        // Everything but equality with null finds only documents that have the field.
        (Operator::Eq, Operator::Exists) if truthy(bound) => Some(test.argument.bson_type()? != Type::Null),
        (tested, Operator::Exists) if tested.is_range() || *tested == Operator::Regex => Some(truthy(bound)),
        (Operator::Eq, Operator::Type) => {
            let kind = test.argument.bson_type()?;
            Some(bound.as_str() == Some(kind.alias()) || (bound.as_str() == Some("number") && is_number(kind)))
        }
        (Operator::Eq, Operator::In) => {
            let value = test.argument.value()?;
            Some(bound.as_array()?.iter().any(|one| key::equal(one, &value, key::FieldOrder::Counts)))
        }
        (Operator::Eq, Operator::Eq) => {
            let value = test.argument.value()?;
            Some(key::equal(bound, &value, key::FieldOrder::Counts))
        }
        (Operator::Eq, wanted) if wanted.is_range() => {
            let value = test.argument.value()?;
            Some(match compare(&value, bound) {
                None => false,
                Some(order) => holds(wanted, order),
            })
        }
        (tested, wanted) if tested.is_range() && wanted.is_range() => {
            let value = test.argument.value()?;
            let upward = |operator: &Operator| matches!(operator, Operator::Gt | Operator::Gte);
            if upward(tested) != upward(wanted) {
                return Some(false);
            }
            Some(match compare(&value, bound) {
                None => false,
                Some(Ordering::Equal) => tested == wanted || matches!(wanted, Operator::Gte | Operator::Lte),
                Some(order) => (order == Ordering::Greater) == upward(wanted),
            })
        }
        _ => Some(false),
    }
}

fn truthy(value: &Value) -> bool {
    value.as_bool().unwrap_or_else(|| value.as_f64() != Some(0.0))
}

fn is_number(kind: Type) -> bool {
    matches!(kind, Type::Int | Type::Long | Type::Double | Type::Decimal)
}

fn holds(operator: &Operator, order: Ordering) -> bool {
    match operator {
        Operator::Gt => order == Ordering::Greater,
        Operator::Gte => order != Ordering::Less,
        Operator::Lt => order == Ordering::Less,
        Operator::Lte => order != Ordering::Greater,
        _ => false,
    }
}

/// Compares values of one type; others are no range of each other.
fn compare(left: &Value, right: &Value) -> Option<Ordering> {
    use crate::value::number::Number;
    if let (Some(left), Some(right)) = (Number::of_value(left), Number::of_value(right)) {
        return left.compare(right);
    }
    match (left, right) {
        (Value::String(left), Value::String(right)) => Some(left.cmp(right)),
        (Value::Date(left), Value::Date(right)) => Some(left.cmp(right)),
        (Value::ObjectId(left), Value::ObjectId(right)) => Some(left.cmp(right)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workload::{Filter, Term};

    fn value(pairs: &[(&str, Value)]) -> Value {
        Value::Object(pairs.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect())
    }

    fn check(partial: &Value, filter: &Term) -> Option<bool> {
        let filter = Filter::read(filter);
        let tests: Vec<(String, Test)> =
            filter.conjuncts().into_iter().map(|(path, test)| (path.to_owned(), test.clone())).collect();
        implied(partial, &tests)
    }

    #[test]
    fn what_implies_a_partial_filter() {
        let open = value(&[("state", Value::String("open".into()))]);
        assert_eq!(check(&open, &value(&[("state", Value::String("open".into()))]).into()), Some(true));
        assert_eq!(check(&open, &value(&[("state", Value::String("done".into()))]).into()), Some(false));
        assert_eq!(check(&open, &value(&[("other", Value::Int(1))]).into()), Some(false));
        let hole = Term::new(What::Object(vec![crate::workload::Member {
            key: crate::workload::Key::Name("state".into()),
            value: Term::hole(),
            span: None,
            spread: false,
        }]));
        assert_eq!(check(&open, &hole), None);
        let above = value(&[("n", value(&[("$gt", Value::Int(5))]))]);
        assert_eq!(check(&above, &value(&[("n", Value::Int(6))]).into()), Some(true));
        assert_eq!(check(&above, &value(&[("n", value(&[("$gte", Value::Int(5))]))]).into()), Some(false));
        assert_eq!(check(&above, &value(&[("n", value(&[("$gte", Value::Int(6))]))]).into()), Some(true));
        assert_eq!(check(&above, &value(&[("n", value(&[("$lt", Value::Int(9))]))]).into()), Some(false));
        let there = value(&[("n", value(&[("$exists", Value::Bool(true))]))]);
        assert_eq!(check(&there, &value(&[("n", Value::Int(6))]).into()), Some(true));
        assert_eq!(check(&there, &value(&[("n", Value::Null)]).into()), Some(false));
    }
}
