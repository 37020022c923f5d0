//! One hash for all values, so that keys and references of any path can be compared.
//!
//! What MongoDB compares as equal hashes equally across number types. An ObjectId and its 24 hex digits hash
//! alike, and so do a UUID and its text: references are often stored in the other form.

use xxhash_rust::xxh3::{Xxh3, xxh3_64_with_seed};

use super::event::{Document, Item, Type};
use super::owned::Value;

/// Where the dashes of a UUID stand.
const DASHES: &[usize] = &[8, 13, 18, 23];

const SEED: u64 = 0x6d6f_6e67_6f76_6574;

/// The hash of the value at `index`, containers included.
pub fn hash_entry(document: &Document<'_>, index: usize) -> u64 {
    let Some(entry) = document.entries.get(index) else { return 0 };
    let (Item::Object { end, .. } | Item::Array { end, .. }) = entry.item else { return hash_scalar(&entry.item) };
    let mut hasher = Xxh3::with_seed(SEED ^ entry.item.bson_type() as u64);
    for inner in document.entries.get(index + 1..end as usize).unwrap_or_default() {
        hasher.update(inner.key.as_bytes());
        hasher.update(&[0, inner.item.bson_type() as u8]);
        match inner.item {
            // The end index, relative to the container, tells nesting apart.
            Item::Object { end, .. } | Item::Array { end, .. } => hasher.update(&(end - index as u32).to_le_bytes()),
            other => hasher.update(&hash_scalar(&other).to_le_bytes()),
        }
    }
    hasher.digest()
}

/// The hash of a value that is no container; all empty containers of one type hash alike.
pub fn hash_scalar(item: &Item<'_>) -> u64 {
    match item {
        Item::ObjectId(id) => tagged(Type::ObjectId, id),
        Item::String(text) => hash_text(text),
        Item::Int(value) => hash_integer(i64::from(*value)),
        Item::Long(value) => hash_integer(*value),
        Item::Double(value) => hash_double(*value),
        Item::Decimal(bytes) => match decimal_integer(*bytes) {
            Some(value) => hash_integer(value),
            None => tagged(Type::Decimal, bytes),
        },
        Item::Date(value) => tagged(Type::Date, &value.to_le_bytes()),
        Item::Bool(value) => tagged(Type::Bool, &[u8::from(*value)]),
        Item::Timestamp { seconds, ordinal } => {
            tagged(Type::Timestamp, &((u64::from(*seconds) << 32) | u64::from(*ordinal)).to_le_bytes())
        }
        Item::BinData { subtype: 3 | 4, data } => tagged(Type::BinData, data),
        Item::BinData { subtype, data } => tagged(Type::BinData, data) ^ u64::from(*subtype),
        Item::Regex((pattern, options)) => {
            tagged(Type::Regex, pattern.as_bytes()) ^ tagged(Type::Null, options.as_bytes())
        }
        Item::DbPointer((_, id)) => tagged(Type::DbPointer, id),
        Item::Javascript(text) | Item::Symbol(text) | Item::JavascriptWithScope((text, _)) => {
            tagged(item.bson_type(), text.as_bytes())
        }
        Item::Object { .. } | Item::Array { .. } | Item::Undefined | Item::Null | Item::MinKey | Item::MaxKey => {
            tagged(item.bson_type(), &[])
        }
    }
}

/// The hash of a value that is no container, equal exactly where the server takes two values for equal (byte order of
/// strings, no collation): an id and its text differ.
pub fn hash_key(item: &Item<'_>) -> u64 {
    let mut key = Vec::new();
    super::key::push_scalar(item, &mut key);
    xxh3_64_with_seed(&key, SEED)
}

/// The forms in which the same id or number is often stored and never found: an ObjectId or UUID as its text, a whole
/// number as its digits, and the other way round.
pub fn other_forms(item: &Item<'_>) -> Vec<Value> {
    let integer = |value: i64| i32::try_from(value).map_or(Value::Long(value), Value::Int);
    match item {
        Item::ObjectId(id) => vec![Value::String(super::write::hex(id))],
        Item::BinData { subtype: subtype @ (3 | 4), data } if data.len() == 16 => {
            vec![Value::String(super::write::uuid(data)), Value::BinData(7 - subtype, data.to_vec())]
        }
        Item::Int(value) => vec![Value::String(value.to_string())],
        Item::Long(value) => vec![Value::String(value.to_string())],
        Item::Double(value) if is_whole(*value) => vec![Value::String((*value as i64).to_string())],
        Item::String(text) => match representative(item) {
            Value::BinData(_, id) => vec![Value::BinData(4, id.clone()), Value::BinData(3, id)],
            id @ Value::ObjectId(_) => vec![id],
            _ => text.parse().ok().filter(|n: &i64| n.to_string() == *text).map(integer).into_iter().collect(),
        },
        _ => Vec::new(),
    }
}

/// One value for all that hash alike, so that what is kept does not depend on which form came first: whole numbers
/// as the smallest integer type, ids in text as the ids that they name.
pub fn representative(item: &Item<'_>) -> Value {
    let integer = |value: i64| i32::try_from(value).map_or(Value::Long(value), Value::Int);
    match item {
        Item::Long(value) => integer(*value),
        Item::Double(value) if is_whole(*value) => integer(*value as i64),
        Item::Double(value) if value.is_nan() => Value::Double(f64::NAN),
        Item::Decimal(bytes) => decimal_integer(*bytes).map_or(Value::Decimal(*bytes), integer),
        Item::String(text) => match (hex::<12>(text.as_bytes(), &[]), hex::<16>(text.as_bytes(), DASHES)) {
            (Some(id), _) => Value::ObjectId(id),
            (_, Some(id)) => Value::BinData(4, id.to_vec()),
            _ => Value::String((*text).to_owned()),
        },
        Item::BinData { subtype: 3, data } => Value::BinData(4, data.to_vec()),
        Item::DbPointer((_, id)) => Value::DbPointer(String::new(), *id),
        Item::JavascriptWithScope((text, _)) => Value::JavascriptWithScope((*text).to_owned(), 0),
        other => Value::scalar(*other),
    }
}

/// The hash of a string value.
pub fn hash_text(text: &str) -> u64 {
    let bytes = text.as_bytes();
    match bytes.len() {
        24 => {
            if let Some(id) = hex::<12>(bytes, &[]) {
                return tagged(Type::ObjectId, &id);
            }
        }
        36 => {
            if let Some(id) = hex::<16>(bytes, DASHES) {
                return tagged(Type::BinData, &id);
            }
        }
        _ => {}
    }
    tagged(Type::String, bytes)
}

fn hash_integer(value: i64) -> u64 {
    tagged(Type::Long, &value.to_le_bytes())
}

fn hash_double(value: f64) -> u64 {
    if is_whole(value) {
        hash_integer(value as i64)
    } else if value.is_nan() {
        tagged(Type::Double, b"nan")
    } else {
        tagged(Type::Double, &value.to_bits().to_le_bytes())
    }
}

/// Whether a double and an integer are one number: whole, and below 2^53.
fn is_whole(value: f64) -> bool {
    value.abs() < 9_007_199_254_740_992.0 && value.trunc() == value
}

fn tagged(kind: Type, bytes: &[u8]) -> u64 {
    xxh3_64_with_seed(bytes, SEED ^ (kind as u64) << 32)
}

/// The whole number that a Decimal128 stands for, where it is one and fits.
fn decimal_integer(bytes: [u8; 16]) -> Option<i64> {
    let bits = u128::from_le_bytes(bytes);
    // Infinity, NaN and coefficients beyond 113 bits start with 11 behind the sign.
    if (bits >> 125) & 3 == 3 {
        return None;
    }
    let exponent = ((bits >> 113) & 0x3fff) as i32 - 6176;
    let mut coefficient = bits & ((1 << 113) - 1);
    let mut left = exponent;
    while left < 0 && coefficient != 0 {
        if !coefficient.is_multiple_of(10) {
            return None;
        }
        coefficient /= 10;
        left += 1;
    }
    while left > 0 && coefficient != 0 {
        coefficient = coefficient.checked_mul(10)?;
        if coefficient > i64::MAX as u128 {
            return None;
        }
        left -= 1;
    }
    let magnitude = i64::try_from(coefficient).ok()?;
    Some(if bits >> 127 == 1 { -magnitude } else { magnitude })
}

/// Decodes hex digits, with dashes at the given places and nowhere else.
fn hex<const N: usize>(text: &[u8], dashes: &[usize]) -> Option<[u8; N]> {
    let mut out = [0u8; N];
    let mut digits = 0;
    for (at, byte) in text.iter().enumerate() {
        if dashes.contains(&at) {
            if *byte != b'-' {
                return None;
            }
            continue;
        }
        if N * 2 <= digits {
            return None;
        }
        let value = match byte {
            b'0'..=b'9' => byte - b'0',
            b'a'..=b'f' => byte - b'a' + 10,
            b'A'..=b'F' => byte - b'A' + 10,
            _ => return None,
        };
        *out.get_mut(digits / 2)? |= if digits % 2 == 0 { value << 4 } else { value };
        digits += 1;
    }
    (digits == N * 2).then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_numbers_hash_alike() {
        let forms = [Item::Int(5), Item::Long(5), Item::Double(5.0)];
        assert!(forms.iter().all(|f| hash_scalar(f) == hash_scalar(&Item::Int(5))));
        assert_ne!(hash_scalar(&Item::Double(5.5)), hash_scalar(&Item::Int(5)));
        // 5 and 5.0 as Decimal128: coefficient 5 exponent 0, coefficient 50 exponent -1.
        let decimal = |coefficient: u128, exponent: i32| {
            Item::Decimal((coefficient | ((exponent + 6176) as u128) << 113).to_le_bytes())
        };
        assert_eq!(hash_scalar(&decimal(5, 0)), hash_scalar(&Item::Int(5)));
        assert_eq!(hash_scalar(&decimal(50, -1)), hash_scalar(&Item::Int(5)));
        assert_ne!(hash_scalar(&decimal(55, -1)), hash_scalar(&Item::Int(5)));
    }

    #[test]
    fn keys_tell_forms_apart_that_the_server_does() {
        for (item, others) in [
            (Item::ObjectId([7; 12]), 1),
            (Item::BinData { subtype: 4, data: &[7; 16] }, 2),
            (Item::String("07070707-0707-0707-0707-070707070707"), 2),
            (Item::String("42"), 1),
            (Item::String("042"), 0),
            (Item::Double(42.0), 1),
            (Item::Bool(true), 0),
        ] {
            let forms = other_forms(&item);
            assert_eq!(forms.len(), others, "{item:?}");
            for form in forms {
                let with_form = Value::Object(vec![("a".to_owned(), form.clone())]);
                let bson = super::super::write::bson(&with_form).expect("an object");
                let arena = bumpalo::Bump::new();
                let mut entries = Vec::new();
                super::super::bson::decode(&bson, &arena, &mut entries).expect("it reads back");
                let stored = entries.get(1).expect("the field").item;
                assert_ne!(hash_key(&stored), hash_key(&item), "{item:?}");
                let back: Vec<Value> = other_forms(&stored);
                assert!(
                    back.iter().any(|value| *value == representative(&item)) || back.contains(&Value::scalar(item)),
                    "{form:?} leads back to {item:?}: {back:?}"
                );
            }
        }
        assert_eq!(hash_key(&Item::Int(5)), hash_key(&Item::Double(5.0)));
    }

    #[test]
    fn ids_and_their_text_hash_alike() {
        let id = [0x65, 0x1f, 0, 1, 2, 3, 4, 5, 6, 7, 8, 0xff];
        assert_eq!(hash_scalar(&Item::ObjectId(id)), hash_text("651f000102030405060708ff"));
        assert_ne!(hash_scalar(&Item::ObjectId(id)), hash_text("651f000102030405060708fg"));
        let uuid = [0x12; 16];
        assert_eq!(
            hash_scalar(&Item::BinData { subtype: 4, data: &uuid }),
            hash_text("12121212-1212-1212-1212-121212121212")
        );
    }
}
