//! Values as mongosh literals.

use crate::catalogue::index::{script_name, script_string};
use crate::value::Value;

/// Levels that are written; what is deeper shows as `{}` or `[]`.
const DEEPEST: usize = 100;

/// A value as a literal on one line.
pub fn literal(value: &Value) -> String {
    let mut out = String::new();
    write(value, None, 0, &mut out);
    out
}

/// A value as a literal over several lines, each level indented by two blanks.
pub fn pretty(value: &Value) -> String {
    let mut out = String::new();
    write(value, Some(0), 0, &mut out);
    out
}

fn write(value: &Value, indent: Option<usize>, depth: usize, out: &mut String) {
    match value {
        Value::Object(fields) => {
            let parts = fields.iter().map(|(name, value)| (Some(script_name(name)), value)).collect::<Vec<_>>();
            container(['{', '}'], &parts, indent, depth, out);
        }
        Value::Array(elements) => {
            // Lists of scalars read best on one line.
            let scalars = elements.iter().all(|e| !matches!(e, Value::Object(_) | Value::Array(_)));
            let parts = elements.iter().map(|value| (None, value)).collect::<Vec<_>>();
            container(['[', ']'], &parts, indent.filter(|_| !scalars), depth, out);
        }
        scalar => out.push_str(&text(scalar)),
    }
}

fn container(
    [open, close]: [char; 2],
    parts: &[(Option<String>, &Value)],
    indent: Option<usize>,
    depth: usize,
    out: &mut String,
) {
    out.push(open);
    if parts.is_empty() || depth >= DEEPEST {
        out.push(close);
        return;
    }
    let inner = indent.map(|blanks| blanks + 2);
    let blank = open == '{' && indent.is_none();
    for (place, (name, value)) in parts.iter().enumerate() {
        if place > 0 {
            out.push(',');
        }
        match inner {
            Some(blanks) => {
                out.push('\n');
                out.extend(std::iter::repeat_n(' ', blanks));
            }
            None if place > 0 || blank => out.push(' '),
            None => {}
        }
        if let Some(name) = name {
            out.push_str(name);
            out.push_str(": ");
        }
        write(value, inner, depth + 1, out);
    }
    match indent {
        Some(blanks) => {
            out.push('\n');
            out.extend(std::iter::repeat_n(' ', blanks));
        }
        None if blank => out.push(' '),
        None => {}
    }
    out.push(close);
}

fn text(value: &Value) -> String {
    let hex = |bytes: &[u8]| {
        let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
        digits.filter_map(|digit| char::from_digit(digit.into(), 16)).collect::<String>()
    };
    match value {
        Value::Double(v) if v.is_nan() => "NaN".to_owned(),
        Value::Double(v) if v.is_infinite() => if *v < 0.0 { "-Infinity" } else { "Infinity" }.to_owned(),
        // Written plainly, a whole number would become an integer.
        Value::Double(v) if v.fract() == 0.0 && v.abs() < 1e15 => format!("Double({v:.0})"),
        Value::Double(v) => format!("{v:?}"),
        Value::String(v) => script_string(v),
        Value::Object(_) => "{}".to_owned(),
        Value::Array(_) => "[]".to_owned(),
        Value::BinData(subtype, bytes) => format!("HexData({subtype}, \"{}\")", hex(bytes)),
        Value::Undefined => "undefined".to_owned(),
        Value::ObjectId(v) => format!("ObjectId(\"{}\")", hex(v)),
        Value::Bool(v) => v.to_string(),
        Value::Date(v) => match crate::value::time::format_iso(*v) {
            Some(text) => format!("ISODate(\"{text}\")"),
            None => format!("new Date({v})"),
        },
        Value::Null => "null".to_owned(),
        Value::Regex(pattern, options) => format!("RegExp({}, {})", script_string(pattern), script_string(options)),
        Value::DbPointer(ns, id) => format!("DBPointer({}, ObjectId(\"{}\"))", script_string(ns), hex(id)),
        Value::Javascript(v) | Value::JavascriptWithScope(v, _) => format!("Code({})", script_string(v)),
        Value::Symbol(v) => format!("BSONSymbol({})", script_string(v)),
        Value::Int(v) => v.to_string(),
        Value::Timestamp(t, i) => format!("Timestamp({{ t: {t}, i: {i} }})"),
        Value::Long(v) => format!("Long(\"{v}\")"),
        Value::Decimal(v) => format!("Decimal128(\"{}\")", crate::value::decimal::Decimal::from_bytes(*v)),
        Value::MinKey => "MinKey()".to_owned(),
        Value::MaxKey => "MaxKey()".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(fields: &[(&str, Value)]) -> Value {
        Value::Object(fields.iter().map(|(k, v)| ((*k).to_owned(), v.clone())).collect())
    }

    #[test]
    fn literals_keep_types_and_quote_names() {
        let value = object(&[
            ("a", Value::Double(5.0)),
            ("b-c", Value::Array(vec![Value::Int(1), Value::Long(2)])),
            ("d", Value::Date(0)),
            ("e", object(&[])),
        ]);
        assert_eq!(
            literal(&value),
            r#"{ a: Double(5), "b-c": [1, Long("2")], d: ISODate("1970-01-01T00:00:00.000Z"), e: {} }"#
        );
    }

    #[test]
    fn pretty_literals_indent() {
        let value = object(&[("a", object(&[("b", Value::Array(vec![Value::Int(1)]))]))]);
        assert_eq!(pretty(&value), "{\n  a: {\n    b: [1]\n  }\n}");
    }

    #[test]
    fn deep_values_are_survived() {
        let mut value = Value::Int(1);
        for _ in 0..300 {
            value = Value::Array(vec![value]);
        }
        assert!(literal(&value).len() < 300);
    }
}
