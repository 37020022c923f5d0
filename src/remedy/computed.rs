//! What differs from its formula, and the update that writes what follows: read it, then run it on a copy.

use super::literal::literal;
use super::{collection, mongosh};
use crate::catalogue::Namespace;
use crate::finding::{Remedy, Safety};
use crate::model::computed::{Base, Formula, Less};
use crate::value::Value;

/// The commands that list the documents that differ and that write what follows from their parts; none where a path
/// cannot be named in an expression, or where elements of an array would change.
pub(crate) fn repair(ns: &Namespace, formula: &Formula) -> Option<Remedy> {
    let paths = [formula.target.as_str(), formula.array().unwrap_or("a")];
    let parts = formula.parts.iter().map(|part| part.path.as_str());
    let is_plain = |path: &str| path.split('.').all(|name| !name.is_empty() && !name.starts_with('$'));
    if !formula.scope.is_empty() || !paths.into_iter().chain(parts).all(is_plain) {
        return None;
    }
    let stored = field(&formula.target);
    let computed = expression(formula)?;
    let differs = match formula.decimals {
        // A count is a whole number; of the others the rounding must not count.
        _ if matches!(formula.base, Base::Count { .. }) => call("$ne", vec![stored, computed.clone()]),
        decimals => {
            let gap = call("$abs", vec![call("$subtract", vec![stored, computed.clone()])]);
            let unit = decimals.map_or(1e-6, |decimals| 1.0 / libm::pow(10.0, f64::from(decimals)));
            call("$gte", vec![gap, Value::Double(unit * if formula.coarse { 1.5 } else { 0.75 })])
        }
    };
    let mut filter = vec![(formula.target.clone(), object("$type", text("number")))];
    if let Some(array) = formula.array() {
        filter.push((array.to_owned(), object("$type", text("array"))));
    }
    let nothing = [Value::Null, Value::Bool(false), Value::Int(0), text("")];
    for doubt in formula.doubts.iter().filter(|path| is_plain(path)) {
        filter.push((doubt.clone(), object("$in", Value::Array(nothing.to_vec()))));
    }
    filter.push(("$expr".to_owned(), differs));
    let filter = literal(&Value::Object(filter));
    let shown = Value::Object(vec![(formula.target.clone(), Value::Int(1)), ("computed".to_owned(), computed.clone())]);
    let value = match formula.decimals {
        Some(decimals) if !matches!(formula.base, Base::Count { .. }) => {
            call("$round", vec![computed, Value::Int(decimals.min(100) as i32)])
        }
        _ => computed,
    };
    let set = Value::Array(vec![object("$set", Value::Object(vec![(formula.target.clone(), value)]))]);
    let name = collection(ns);
    let script =
        format!("{name}.find({filter}, {});\n// {name}.updateMany({filter}, {});", literal(&shown), literal(&set));
    Some(mongosh(Safety::Review, script))
}

fn expression(formula: &Formula) -> Option<Value> {
    let over = |array: &str, inner: Value| {
        let map =
            vec![("input".to_owned(), field(array)), ("as".to_owned(), text("element")), ("in".to_owned(), inner)];
        object("$map", Value::Object(map))
    };
    let element =
        |path: &str| text(&if path.is_empty() { "$$element".to_owned() } else { format!("$$element.{path}") });
    let mut out = match &formula.base {
        Base::Count { array, .. } => guarded(array, call("$size", vec![field(array)])),
        Base::Sum { array, factors, less } => {
            let mut product: Vec<Value> = factors.iter().map(|factor| element(factor)).collect();
            let or_nothing = |path: &str| call("$ifNull", vec![element(path), Value::Int(0)]);
            let line = match less {
                None => multiplied(product),
                Some(Less::Amount(path)) => call("$subtract", vec![multiplied(product), or_nothing(path)]),
                Some(Less::Share(path)) => {
                    product.push(call("$subtract", vec![Value::Int(1), or_nothing(path)]));
                    multiplied(product)
                }
                Some(Less::Percent(path)) => {
                    let share = call("$divide", vec![or_nothing(path), Value::Int(100)]);
                    product.push(call("$subtract", vec![Value::Int(1), share]));
                    multiplied(product)
                }
            };
            guarded(array, call("$sum", vec![over(array, line)]))
        }
        Base::Mean { array, field } => guarded(array, call("$avg", vec![over(array, element(field))])),
        Base::Field(path) => field(path),
        Base::Quotient { sum, count } => {
            let divided = call("$divide", vec![field(sum), field(count)]);
            call("$cond", vec![call("$gt", vec![field(count), Value::Int(0)]), divided, Value::Null])
        }
        Base::Product([a, b]) => multiplied(vec![field(a), field(b)]),
    };
    for part in &formula.parts {
        let amount = call("$ifNull", vec![field(&part.path), Value::Int(0)]);
        out = call(if part.negative { "$subtract" } else { "$add" }, vec![out, amount]);
    }
    if let Some(rate) = &formula.rate {
        let mut share = call("$ifNull", vec![field(&rate.path), Value::Int(0)]);
        if rate.percent {
            share = call("$divide", vec![share, Value::Int(100)]);
        }
        let whole = call(if rate.negative { "$subtract" } else { "$add" }, vec![Value::Int(1), share]);
        out = multiplied(vec![out, whole]);
    }
    match formula.scale {
        0 => Some(out),
        scale => {
            let power = Value::Int(10_i32.checked_pow(scale.unsigned_abs())?);
            Some(call(if scale < 0 { "$divide" } else { "$multiply" }, vec![out, power]))
        }
    }
}

/// An expression over an array, where it is one: what else a document holds there must not stop the others.
fn guarded(array: &str, then: Value) -> Value {
    call("$cond", vec![call("$isArray", vec![field(array)]), then, Value::Null])
}

fn multiplied(mut factors: Vec<Value>) -> Value {
    match factors.pop() {
        Some(only) if factors.is_empty() => only,
        Some(last) => {
            factors.push(last);
            call("$multiply", factors)
        }
        None => Value::Int(1),
    }
}

fn field(path: &str) -> Value {
    text(&format!("${path}"))
}

fn text(text: &str) -> Value {
    Value::String(text.to_owned())
}

fn call(operator: &str, arguments: Vec<Value>) -> Value {
    object(operator, Value::Array(arguments))
}

fn object(name: &str, value: Value) -> Value {
    Value::Object(vec![(name.to_owned(), value)])
}
