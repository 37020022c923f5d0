//! Values for tests, from JSON.

use super::event::{Document, Fidelity};
use super::owned::Value;

/// Values by JSON: `{"$d": 1}` is a double, `{"$l": 1}` a long, `{"$date": 0}` a date, `{"$oid": …}` any ObjectId, and
/// the number wrappers of Extended JSON are what they say.
pub(crate) fn json(text: &str) -> Value {
    convert(serde_json::from_str(text).unwrap())
}

fn convert(value: serde_json::Value) -> Value {
    use serde_json::Value as Json;
    match value {
        Json::Null => Value::Null,
        Json::Bool(v) => Value::Bool(v),
        Json::Number(v) => v.as_i64().map_or_else(
            || Value::Double(v.as_f64().unwrap()),
            |v| i32::try_from(v).map_or(Value::Long(v), Value::Int),
        ),
        Json::String(v) => Value::String(v),
        Json::Array(v) => Value::Array(v.into_iter().map(convert).collect()),
        Json::Object(v) => match v.iter().next() {
            Some((k, n)) if k == "$d" => Value::Double(n.as_f64().unwrap()),
            Some((k, n)) if k == "$l" => Value::Long(n.as_i64().unwrap()),
            Some((k, n)) if k == "$date" && n.is_i64() => Value::Date(n.as_i64().unwrap()),
            Some((k, _)) if k == "$oid" => Value::ObjectId([1; 12]),
            Some((k, n)) if k == "$numberInt" => Value::Int(n.as_str().unwrap().parse().unwrap()),
            Some((k, n)) if k == "$numberLong" => Value::Long(n.as_str().unwrap().parse().unwrap()),
            Some((k, n)) if k == "$numberDouble" => Value::Double(n.as_str().unwrap().parse().unwrap()),
            _ => Value::Object(v.into_iter().map(|(k, v)| (k, convert(v))).collect()),
        },
    }
}

/// Values by a literal of the shell, in the order of its keys.
pub(crate) fn literal(text: &str) -> Value {
    let (arena, mut entries) = (bumpalo::Bump::new(), Vec::new());
    super::literal::decode(text.as_bytes(), &arena, &mut entries, &mut super::literal::Now::default()).unwrap();
    Value::from_document(&Document { entries: &entries, fidelity: Fidelity::Exact })
}
