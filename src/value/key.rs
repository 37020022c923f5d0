//! Values as keys: equal bytes for what the server takes for equal, whatever the number type.

use super::event::{Document, Item};
use super::number::Number;
use super::{Type, Value};
use crate::order::Ordered;

/// Whether the order of fields inside objects counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldOrder {
    /// It counts, as in queries and unique indexes.
    Counts,
    /// It does not, as in `enum` and `uniqueItems` of a JSON schema.
    Ignored,
}

/// Appends the key of the value at `index`; two values are equal exactly when their keys are.
pub fn push(document: &Document<'_>, index: usize, order: FieldOrder, out: &mut Vec<u8>) {
    match document.entries.get(index).map(|entry| entry.item) {
        Some(item) if !matches!(item, Item::Object { .. } | Item::Array { .. }) => push_scalar(&item, out),
        _ => push_value(&Value::from_entry(document, index), order, out),
    }
}

/// Appends the key of a scalar item; containers are written as their type alone.
pub fn push_scalar(item: &Item<'_>, out: &mut Vec<u8>) {
    let text = |out: &mut Vec<u8>, text: &str| {
        out.extend((text.len() as u32).to_be_bytes());
        out.extend(text.as_bytes());
    };
    if let Some(number) = Number::of(item) {
        out.push(Type::Double as u8);
        push_number(number, out);
        return;
    }
    match item {
        // The server compares the two kinds of text as one.
        Item::String(v) | Item::Symbol(v) => {
            out.push(Type::String as u8);
            text(out, v);
            return;
        }
        // A missing field is null in an index; undefined compares as null.
        Item::Undefined => {
            out.push(Type::Null as u8);
            return;
        }
        _ => out.push(item.bson_type() as u8),
    }
    match item {
        Item::BinData { subtype, data } => {
            out.push(*subtype);
            out.extend((data.len() as u32).to_be_bytes());
            out.extend(*data);
        }
        Item::ObjectId(v) => out.extend(v),
        Item::Bool(v) => out.push(u8::from(*v)),
        Item::Date(v) => out.extend(v.to_be_bytes()),
        Item::Regex((pattern, options)) => {
            text(out, pattern);
            text(out, options);
        }
        Item::DbPointer((ns, id)) => {
            text(out, ns);
            out.extend(id);
        }
        Item::Javascript(v) => text(out, v),
        Item::JavascriptWithScope((code, scope)) => {
            text(out, code);
            out.extend(scope.to_be_bytes());
        }
        Item::Timestamp { seconds, ordinal } => {
            out.extend(seconds.to_be_bytes());
            out.extend(ordinal.to_be_bytes());
        }
        _ => {}
    }
}

/// Appends the key of an owned value.
pub fn push_value(value: &Value, order: FieldOrder, out: &mut Vec<u8>) {
    push_nested(value, order, out, 0);
}

/// Whether two values are equal for the server.
pub fn equal(a: &Value, b: &Value, order: FieldOrder) -> bool {
    let (mut left, mut right) = (Vec::new(), Vec::new());
    push_value(a, order, &mut left);
    push_value(b, order, &mut right);
    left == right
}

/// Levels below which containers are not told apart: the server stores no deeper ones.
const DEEPEST: usize = 200;

fn push_nested(value: &Value, order: FieldOrder, out: &mut Vec<u8>, depth: usize) {
    match value {
        Value::Object(fields) => {
            out.push(Type::Object as u8);
            if depth >= DEEPEST {
                return;
            }
            let mut sorted: Vec<&(String, Value)> = fields.iter().collect();
            if order == FieldOrder::Ignored {
                sorted.order_by(|a, b| a.0.cmp(&b.0));
            }
            out.extend((sorted.len() as u32).to_be_bytes());
            for (key, value) in sorted {
                out.extend((key.len() as u32).to_be_bytes());
                out.extend(key.as_bytes());
                push_nested(value, order, out, depth + 1);
            }
        }
        Value::Array(elements) => {
            out.push(Type::Array as u8);
            if depth >= DEEPEST {
                return;
            }
            out.extend((elements.len() as u32).to_be_bytes());
            for element in elements {
                push_nested(element, order, out, depth + 1);
            }
        }
        Value::Regex(pattern, options) => push_scalar(&Item::Regex(&(pattern, options)), out),
        Value::DbPointer(ns, id) => push_scalar(&Item::DbPointer(&(ns, *id)), out),
        Value::JavascriptWithScope(code, scope) => push_scalar(&Item::JavascriptWithScope(&(code, *scope)), out),
        Value::Double(v) => push_scalar(&Item::Double(*v), out),
        Value::String(v) => push_scalar(&Item::String(v), out),
        Value::BinData(subtype, data) => push_scalar(&Item::BinData { subtype: *subtype, data }, out),
        Value::Undefined => push_scalar(&Item::Undefined, out),
        Value::ObjectId(v) => push_scalar(&Item::ObjectId(*v), out),
        Value::Bool(v) => push_scalar(&Item::Bool(*v), out),
        Value::Date(v) => push_scalar(&Item::Date(*v), out),
        Value::Null => push_scalar(&Item::Null, out),
        Value::Javascript(v) => push_scalar(&Item::Javascript(v), out),
        Value::Symbol(v) => push_scalar(&Item::Symbol(v), out),
        Value::Int(v) => push_scalar(&Item::Int(*v), out),
        Value::Timestamp(seconds, ordinal) => {
            push_scalar(&Item::Timestamp { seconds: *seconds, ordinal: *ordinal }, out);
        }
        Value::Long(v) => push_scalar(&Item::Long(*v), out),
        Value::Decimal(v) => push_scalar(&Item::Decimal(*v), out),
        Value::MinKey => push_scalar(&Item::MinKey, out),
        Value::MaxKey => push_scalar(&Item::MaxKey, out),
    }
}

fn push_number(number: Number, out: &mut Vec<u8>) {
    match number {
        Number::NaN => out.push(0),
        Number::Infinite { negative } => out.push(1 + u8::from(negative)),
        Number::Finite { negative, coefficient, exponent } => {
            out.push(3 + u8::from(negative));
            out.extend(coefficient.to_be_bytes());
            out.extend(exponent.to_be_bytes());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(fields: &[(&str, Value)]) -> Value {
        Value::Object(fields.iter().map(|(k, v)| ((*k).to_owned(), v.clone())).collect())
    }

    #[test]
    fn equality_ignores_number_types_and_minds_field_order_where_asked() {
        assert!(equal(&Value::Int(5), &Value::Double(5.0), FieldOrder::Counts));
        assert!(!equal(&Value::Int(5), &Value::String("5".into()), FieldOrder::Counts));
        let ab = object(&[("a", Value::Int(1)), ("b", Value::Long(2))]);
        let ba = object(&[("b", Value::Int(2)), ("a", Value::Double(1.0))]);
        assert!(equal(&ab, &ba, FieldOrder::Ignored));
        assert!(!equal(&ab, &ba, FieldOrder::Counts));
        assert!(!equal(&Value::Array(vec![Value::Null]), &Value::Array(vec![]), FieldOrder::Counts));
        assert!(!equal(
            &object(&[("a", Value::String("b".into()))]),
            &object(&[("ab", Value::String(String::new()))]),
            FieldOrder::Counts
        ));
    }
}
