//! Owned values as text and bytes: canonical Extended JSON, mongosh literals, BSON.

use std::fmt::Write;

use super::decimal::Decimal;
use super::{Value, time};

/// Canonical Extended JSON (version 2) on one line, without blanks.
pub fn canonical(value: &Value) -> String {
    let mut out = String::new();
    write_canonical(value, &mut out);
    out
}

/// A literal that mongosh reads back to the same value, on one line: `{ _id: ObjectId('…'), n: NumberLong('5') }`.
pub fn literal(value: &Value) -> String {
    let mut out = String::new();
    write_literal(value, &mut out);
    out
}

/// The document as BSON; nothing where the value is no object.
pub fn bson(value: &Value) -> Option<Vec<u8>> {
    let Value::Object(fields) = value else { return None };
    let mut out = Vec::new();
    write_document(fields.iter().map(|(key, value)| (key.as_str(), value)), &mut out);
    Some(out)
}

fn write_canonical(value: &Value, out: &mut String) {
    // Writing to a String cannot fail.
    let _ = match value {
        Value::Double(v) => write!(out, "{{\"$numberDouble\":\"{}\"}}", double(*v)),
        Value::String(v) => {
            quote(v, '"', out);
            Ok(())
        }
        Value::Object(fields) => {
            out.push('{');
            for (index, (key, value)) in fields.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                quote(key, '"', out);
                out.push(':');
                write_canonical(value, out);
            }
            out.push('}');
            Ok(())
        }
        Value::Array(elements) => {
            out.push('[');
            for (index, value) in elements.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write_canonical(value, out);
            }
            out.push(']');
            Ok(())
        }
        Value::BinData(subtype, data) => {
            write!(out, "{{\"$binary\":{{\"base64\":\"{}\",\"subType\":\"{subtype:02x}\"}}}}", base64(data))
        }
        Value::Undefined => write!(out, "{{\"$undefined\":true}}"),
        Value::ObjectId(id) => write!(out, "{{\"$oid\":\"{}\"}}", hex(id)),
        Value::Bool(v) => write!(out, "{v}"),
        Value::Date(v) => write!(out, "{{\"$date\":{{\"$numberLong\":\"{v}\"}}}}"),
        Value::Null => write!(out, "null"),
        Value::Regex(pattern, options) => {
            out.push_str("{\"$regularExpression\":{\"pattern\":");
            quote(pattern, '"', out);
            out.push_str(",\"options\":");
            quote(options, '"', out);
            write!(out, "}}}}")
        }
        Value::DbPointer(ns, id) => {
            out.push_str("{\"$dbPointer\":{\"$ref\":");
            quote(ns, '"', out);
            write!(out, ",\"$id\":{{\"$oid\":\"{}\"}}}}}}", hex(id))
        }
        Value::Javascript(code) => wrapped("$code", code, out),
        Value::Symbol(text) => wrapped("$symbol", text, out),
        // The scope itself is not kept.
        Value::JavascriptWithScope(code, _) => {
            out.push_str("{\"$code\":");
            quote(code, '"', out);
            write!(out, ",\"$scope\":{{}}}}")
        }
        Value::Int(v) => write!(out, "{{\"$numberInt\":\"{v}\"}}"),
        Value::Timestamp(seconds, ordinal) => write!(out, "{{\"$timestamp\":{{\"t\":{seconds},\"i\":{ordinal}}}}}"),
        Value::Long(v) => write!(out, "{{\"$numberLong\":\"{v}\"}}"),
        Value::Decimal(bytes) => write!(out, "{{\"$numberDecimal\":\"{}\"}}", Decimal::from_bytes(*bytes)),
        Value::MinKey => write!(out, "{{\"$minKey\":1}}"),
        Value::MaxKey => write!(out, "{{\"$maxKey\":1}}"),
    };
}

fn wrapped(name: &str, text: &str, out: &mut String) -> std::fmt::Result {
    write!(out, "{{\"{name}\":")?;
    quote(text, '"', out);
    out.write_char('}')
}

fn write_literal(value: &Value, out: &mut String) {
    let _ = match value {
        // A bare whole number would become an integer.
        Value::Double(v) if v.fract() != 0.0 && v.is_finite() => write!(out, "{}", double(*v)),
        Value::Double(v) => write!(out, "Double({})", if v.is_finite() { v.to_string() } else { double(*v) }),
        Value::String(v) => {
            quote(v, '\'', out);
            Ok(())
        }
        Value::Object(fields) if fields.is_empty() => write!(out, "{{}}"),
        Value::Object(fields) => {
            out.push('{');
            for (index, (key, value)) in fields.iter().enumerate() {
                out.push_str(if index > 0 { ", " } else { " " });
                write_key(key, out);
                out.push_str(": ");
                write_literal(value, out);
            }
            write!(out, " }}")
        }
        Value::Array(elements) => {
            out.push('[');
            for (index, value) in elements.iter().enumerate() {
                if index > 0 {
                    out.push_str(", ");
                }
                write_literal(value, out);
            }
            write!(out, "]")
        }
        Value::BinData(4, data) if data.len() == 16 => write!(out, "UUID('{}')", uuid(data)),
        Value::BinData(subtype, data) => write!(out, "BinData({subtype}, '{}')", base64(data)),
        Value::Undefined => write!(out, "undefined"),
        Value::ObjectId(id) => write!(out, "ObjectId('{}')", hex(id)),
        Value::Bool(v) => write!(out, "{v}"),
        Value::Date(v) => match time::format_iso(*v) {
            Some(text) => write!(out, "ISODate('{text}')"),
            // JavaScript has no dates beyond these.
            None => write!(out, "new Date({})", v.clamp(&-8_640_000_000_000_000, &8_640_000_000_000_000)),
        },
        Value::Null => write!(out, "null"),
        Value::Regex(pattern, options) => {
            out.push_str("BSONRegExp(");
            quote(pattern, '\'', out);
            out.push_str(", ");
            quote(options, '\'', out);
            write!(out, ")")
        }
        Value::DbPointer(ns, id) => {
            out.push_str("DBPointer(");
            quote(ns, '\'', out);
            write!(out, ", ObjectId('{}'))", hex(id))
        }
        Value::Javascript(code) | Value::JavascriptWithScope(code, _) => call("Code", code, out),
        Value::Symbol(text) => call("BSONSymbol", text, out),
        Value::Int(v) => write!(out, "{v}"),
        Value::Timestamp(seconds, ordinal) => write!(out, "Timestamp({{ t: {seconds}, i: {ordinal} }})"),
        Value::Long(v) => write!(out, "NumberLong('{v}')"),
        Value::Decimal(bytes) => write!(out, "NumberDecimal('{}')", Decimal::from_bytes(*bytes)),
        Value::MinKey => write!(out, "MinKey()"),
        Value::MaxKey => write!(out, "MaxKey()"),
    };
}

fn call(name: &str, text: &str, out: &mut String) -> std::fmt::Result {
    write!(out, "{name}(")?;
    quote(text, '\'', out);
    out.write_char(')')
}

/// A field name as a literal has it, in quotes where it is no plain name.
fn write_key(key: &str, out: &mut String) {
    let plain = key.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_' || c == '$')
        && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$');
    match key {
        // In a literal this key would set the prototype.
        "__proto__" => out.push_str("['__proto__']"),
        _ if plain => out.push_str(key),
        _ => quote(key, '\'', out),
    }
}

/// A string in quotes. Control characters and line separators come out as escapes, so that a text from a document
/// can neither end the string nor move a terminal's cursor.
pub fn quote(text: &str, mark: char, out: &mut String) {
    out.push(mark);
    for character in text.chars() {
        match character {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            _ if character == mark => {
                out.push('\\');
                out.push(mark);
            }
            _ if character.is_control() || matches!(character, '\u{2028}' | '\u{2029}') => {
                let _ = write!(out, "\\u{:04x}", u32::from(character));
            }
            _ => out.push(character),
        }
    }
    out.push(mark);
}

/// The spelling of Extended JSON; a whole double keeps its fraction.
fn double(value: f64) -> String {
    if value.is_nan() {
        "NaN".to_owned()
    } else if value.is_infinite() {
        if value > 0.0 { "Infinity" } else { "-Infinity" }.to_owned()
    } else {
        // The shortest text that reads back to the same double.
        format!("{value:?}")
    }
}

/// Lower-case hex digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut out, byte| {
        let _ = write!(out, "{byte:02x}");
        out
    })
}

/// A UUID as text.
pub(super) fn uuid(bytes: &[u8]) -> String {
    let mut out = hex(bytes);
    for at in [20, 16, 12, 8] {
        out.insert(at, '-');
    }
    out
}

/// Bytes in base64, padded.
pub(crate) fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let letter = |index: u32| LETTERS.get(index as usize & 63).map_or('=', |b| char::from(*b));
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let bits = chunk.iter().fold(0, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - chunk.len()));
        out.push(letter(bits >> 18));
        out.push(letter(bits >> 12));
        out.push(if chunk.len() > 1 { letter(bits >> 6) } else { '=' });
        out.push(if chunk.len() > 2 { letter(bits) } else { '=' });
    }
    out
}

fn write_document<'a>(fields: impl Iterator<Item = (&'a str, &'a Value)>, out: &mut Vec<u8>) {
    let start = out.len();
    out.extend([0; 4]);
    for (key, value) in fields {
        out.push(tag(value));
        out.extend(key.bytes());
        out.push(0);
        write_value(value, out);
    }
    out.push(0);
    let size = (out.len() - start) as u32;
    if let Some(place) = out.get_mut(start..start + 4) {
        place.copy_from_slice(&size.to_le_bytes());
    }
}

fn write_value(value: &Value, out: &mut Vec<u8>) {
    let string = |text: &str, out: &mut Vec<u8>| {
        out.extend((text.len() as u32 + 1).to_le_bytes());
        out.extend(text.bytes());
        out.push(0);
    };
    match value {
        Value::Double(v) => out.extend(v.to_le_bytes()),
        Value::String(text) | Value::Javascript(text) | Value::Symbol(text) => string(text, out),
        Value::Object(fields) => write_document(fields.iter().map(|(key, value)| (key.as_str(), value)), out),
        Value::Array(elements) => {
            let keys: Vec<String> = (0..elements.len()).map(|index| index.to_string()).collect();
            write_document(keys.iter().map(String::as_str).zip(elements), out);
        }
        Value::BinData(subtype, data) => {
            let inner = if *subtype == 2 { 4 } else { 0 };
            out.extend((data.len() as u32 + inner).to_le_bytes());
            out.push(*subtype);
            if *subtype == 2 {
                out.extend((data.len() as u32).to_le_bytes());
            }
            out.extend(data);
        }
        Value::ObjectId(id) => out.extend(id),
        Value::Bool(v) => out.push(u8::from(*v)),
        Value::Date(v) | Value::Long(v) => out.extend(v.to_le_bytes()),
        Value::Undefined | Value::Null | Value::MinKey | Value::MaxKey => {}
        Value::Regex(pattern, options) => {
            for text in [pattern, options] {
                out.extend(text.bytes());
                out.push(0);
            }
        }
        Value::DbPointer(ns, id) => {
            string(ns, out);
            out.extend(id);
        }
        // The scope itself is not kept.
        Value::JavascriptWithScope(code, _) => {
            out.extend((code.len() as u32 + 14).to_le_bytes());
            string(code, out);
            out.extend([5, 0, 0, 0, 0]);
        }
        Value::Int(v) => out.extend(v.to_le_bytes()),
        Value::Timestamp(seconds, ordinal) => {
            out.extend(ordinal.to_le_bytes());
            out.extend(seconds.to_le_bytes());
        }
        Value::Decimal(bytes) => out.extend(bytes),
    }
}

/// The type byte of BSON.
fn tag(value: &Value) -> u8 {
    match value {
        Value::Double(_) => 0x01,
        Value::String(_) => 0x02,
        Value::Object(_) => 0x03,
        Value::Array(_) => 0x04,
        Value::BinData(..) => 0x05,
        Value::Undefined => 0x06,
        Value::ObjectId(_) => 0x07,
        Value::Bool(_) => 0x08,
        Value::Date(_) => 0x09,
        Value::Null => 0x0A,
        Value::Regex(..) => 0x0B,
        Value::DbPointer(..) => 0x0C,
        Value::Javascript(_) => 0x0D,
        Value::Symbol(_) => 0x0E,
        Value::JavascriptWithScope(..) => 0x0F,
        Value::Int(_) => 0x10,
        Value::Timestamp(..) => 0x11,
        Value::Long(_) => 0x12,
        Value::Decimal(_) => 0x13,
        Value::MinKey => 0xFF,
        Value::MaxKey => 0x7F,
    }
}
