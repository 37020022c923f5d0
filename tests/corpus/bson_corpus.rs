//! The BSON corpus of the driver specifications, and its binary vectors.

use bumpalo::Bump;
use mongovet::value::event::Fidelity;
use mongovet::value::{Document, Type, Value, bson, ejson, write};
use serde_json::Value as Json;

use super::{corpora, files};

fn decode_bson(bytes: &[u8]) -> Result<Value, String> {
    let arena = Bump::new();
    let mut entries = Vec::new();
    let size = bson::decode(bytes, &arena, &mut entries).map_err(|e| e.reason.to_owned())?;
    if size != bytes.len() {
        return Err("bytes are left over".to_owned());
    }
    check_sizes(&entries, bytes.len());
    Ok(Value::from_document(&Document { entries: &entries, fidelity: Fidelity::Exact }))
}

fn decode_json(text: &str) -> Result<Value, String> {
    let arena = Bump::new();
    let mut entries = Vec::new();
    let (size, _) = ejson::decode(text.as_bytes(), &arena, &mut entries).map_err(|e| e.reason.to_owned())?;
    assert!(text[size..].trim().is_empty());
    Ok(Value::from_document(&Document { entries: &entries, fidelity: Fidelity::Exact }))
}

fn check_sizes(entries: &[mongovet::value::Entry<'_>], bytes: usize) {
    let document = Document { entries, fidelity: Fidelity::Exact };
    assert_eq!(document.bytes() as usize, bytes);
    let children: u32 = document.children(0).map(|(_, e)| e.item.bytes() + e.key.len() as u32 + 2).sum();
    assert_eq!(children + 5, document.bytes(), "the parts add up to the whole");
}

fn from_hex(text: &str) -> Vec<u8> {
    (0..text.len() / 2).map(|i| u8::from_str_radix(&text[2 * i..2 * i + 2], 16).unwrap()).collect()
}

fn type_of_corpus(number: &str) -> Option<Type> {
    Some(match u8::from_str_radix(number.trim_start_matches("0x"), 16).ok()? {
        0x01 => Type::Double,
        0x02 => Type::String,
        0x03 => Type::Object,
        0x04 => Type::Array,
        0x05 => Type::BinData,
        0x06 => Type::Undefined,
        0x07 => Type::ObjectId,
        0x08 => Type::Bool,
        0x09 => Type::Date,
        0x0A => Type::Null,
        0x0B => Type::Regex,
        0x0C => Type::DbPointer,
        0x0D => Type::Javascript,
        0x0E => Type::Symbol,
        0x0F => Type::JavascriptWithScope,
        0x10 => Type::Int,
        0x11 => Type::Timestamp,
        0x12 => Type::Long,
        0x13 => Type::Decimal,
        0xFF => Type::MinKey,
        0x7F => Type::MaxKey,
        _ => return None,
    })
}

/// Equal as Extended JSON, where doubles may be spelled in more than one way.
fn same(a: &Json, b: &Json) -> bool {
    match (a, b) {
        (Json::Object(x), Json::Object(y)) => {
            if let (Some(Json::String(x)), Some(Json::String(y))) = (x.get("$numberDouble"), y.get("$numberDouble")) {
                let parse = |text: &str| text.parse::<f64>().map(f64::to_bits).ok();
                return x == y || parse(x) == parse(y);
            }
            x.len() == y.len() && x.iter().all(|(key, value)| y.get(key).is_some_and(|other| same(value, other)))
        }
        (Json::Array(x), Json::Array(y)) => x.len() == y.len() && x.iter().zip(y).all(|(x, y)| same(x, y)),
        _ => a == b,
    }
}

fn holds_scope(value: &Value) -> bool {
    match value {
        Value::JavascriptWithScope(..) => true,
        Value::Object(fields) => fields.iter().any(|(_, v)| holds_scope(v)),
        Value::Array(elements) => elements.iter().any(holds_scope),
        _ => false,
    }
}

#[test]
fn valid_documents_have_their_types_and_come_back() {
    let Some(folder) = corpora("bson-corpus/specifications/bson-corpus/tests") else { return };
    let mut cases = 0;
    for file in files(&folder) {
        let corpus: Json = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
        let expected = corpus["bson_type"].as_str().and_then(type_of_corpus);
        let key = corpus["test_key"].as_str().unwrap_or("\0");
        for case in corpus["valid"].as_array().into_iter().flatten() {
            let name = format!("{}: {}", file.file_name().unwrap().display(), case["description"]);
            let bytes = from_hex(case["canonical_bson"].as_str().unwrap());
            let value = decode_bson(&bytes).unwrap_or_else(|e| panic!("{name}: {e}"));
            // Operators of queries stand in the corpus for what they must not be taken for.
            let operator = name.contains("query operator");
            if let (Some(expected), Some(found), false) = (expected, value.get(key), operator) {
                assert_eq!(found.bson_type(), expected, "{name}");
            }
            let canonical = case["canonical_extjson"].as_str().unwrap();
            let from_json = decode_json(canonical).unwrap_or_else(|e| panic!("{name}: {e}"));
            if holds_scope(&value) {
                // Of code with scope only the code and the size of the scope are kept.
                assert_eq!(from_json, value, "{name}");
                cases += 1;
                continue;
            }
            let lossy = case["lossy"].as_bool().unwrap_or(false);
            let printed = write::canonical(&value);
            let (printed, wanted): (Json, Json) =
                (serde_json::from_str(&printed).unwrap(), serde_json::from_str(canonical).unwrap());
            assert!(same(&printed, &wanted), "{name}: {printed} is not {wanted}");
            if !lossy {
                assert_eq!(write::bson(&value).unwrap(), bytes, "{name}");
                assert_eq!(write::bson(&from_json).unwrap(), bytes, "{name}: from Extended JSON");
            }
            for other in ["degenerate_bson", "converted_bson"] {
                if let Some(hex) = case[other].as_str() {
                    let read = decode_bson_loose(&from_hex(hex)).unwrap_or_else(|e| panic!("{name}: {other}: {e}"));
                    if other == "degenerate_bson" {
                        assert_eq!(write::bson(&read).unwrap(), bytes, "{name}: {other}");
                    }
                }
            }
            if let Some(text) = case["degenerate_extjson"].as_str().filter(|_| !lossy) {
                let read = decode_json(text).unwrap_or_else(|e| panic!("{name}: degenerate: {e}"));
                assert_eq!(write::bson(&read).unwrap(), bytes, "{name}: degenerate Extended JSON");
            }
            if let Some(text) = case["relaxed_extjson"].as_str() {
                decode_json(text).unwrap_or_else(|e| panic!("{name}: relaxed: {e}"));
            }
            cases += 1;
        }
    }
    assert!(cases > 600, "{cases} cases are too few for the whole corpus");
}

/// Without the sum of sizes, which degenerate array keys break.
fn decode_bson_loose(bytes: &[u8]) -> Result<Value, String> {
    let arena = Bump::new();
    let mut entries = Vec::new();
    bson::decode(bytes, &arena, &mut entries).map_err(|e| e.reason.to_owned())?;
    Ok(Value::from_document(&Document { entries: &entries, fidelity: Fidelity::Exact }))
}

#[test]
fn invalid_documents_are_refused_with_their_place() {
    let Some(folder) = corpora("bson-corpus/specifications/bson-corpus/tests") else { return };
    let (mut broken, mut wrong) = (0, 0);
    for file in files(&folder) {
        let corpus: Json = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
        for case in corpus["decodeErrors"].as_array().into_iter().flatten() {
            let bytes = from_hex(case["bson"].as_str().unwrap());
            let arena = Bump::new();
            let mut entries = Vec::new();
            match bson::decode(&bytes, &arena, &mut entries) {
                Ok(size) => assert_ne!(size, bytes.len(), "{}: {}", file.display(), case["description"]),
                Err(error) => assert!(error.offset <= bytes.len()),
            }
            broken += 1;
        }
        for case in corpus["parseErrors"].as_array().into_iter().flatten() {
            let text = case["string"].as_str().unwrap();
            let description = case["description"].as_str().unwrap();
            // Version 1 wrote dates so.
            let dialect = description == "Bad $date (number, not string or hash)";
            if corpus["bson_type"] == "0x13" {
                assert!(mongovet::value::decimal::Decimal::parse(text).is_none(), "{description}: {text}");
            } else {
                assert_eq!(decode_json(text).is_err(), !dialect, "{description}: {text}");
            }
            wrong += 1;
        }
    }
    assert!(broken > 70 && wrong > 90, "{broken} and {wrong} cases are too few for the whole corpus");
}

#[test]
fn binary_vectors_are_binary_data_of_subtype_9() {
    let Some(folder) = corpora("bson-corpus/specifications/bson-binary-vector/tests") else { return };
    let mut cases = 0;
    for file in files(&folder) {
        let corpus: Json = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
        let key = corpus["test_key"].as_str().unwrap();
        for case in corpus["tests"].as_array().unwrap() {
            let Some(hex) = case["canonical_bson"].as_str() else { continue };
            let value = decode_bson(&from_hex(hex)).unwrap();
            assert!(matches!(value.get(key), Some(Value::BinData(9, _))), "{}", case["description"]);
            cases += 1;
        }
    }
    assert!(cases > 10);
}
