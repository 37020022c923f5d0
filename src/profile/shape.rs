//! What a string looks like: dates, ids, numbers and the like that were stored as text.

use serde::{Deserialize, Serialize};

/// The most specific thing that a string can be read as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[repr(u8)]
pub enum Shape {
    /// The empty string.
    Empty,
    /// Nothing special.
    Text,
    /// A decimal number without leading zeros, such as `12` or `-3.50`.
    Number,
    /// Digits with a leading zero, or 20 and more: a code, not a quantity.
    Code,
    /// `true` or `false` in any case.
    Boolean,
    /// A calendar day, `YYYY-MM-DD`.
    Day,
    /// A day with a time of day, ISO 8601.
    DateTime,
    /// 24 hex digits.
    ObjectId,
    /// A UUID in its dashed form.
    Uuid,
    /// An e-mail address.
    Email,
    /// A URL with a scheme.
    Url,
    /// A `data:` URI.
    DataUri,
    /// Base64 of at least 64 characters.
    Base64,
    /// Hex digits, an even number of at least 32: a digest.
    Hex,
}

impl Shape {
    /// How many shapes there are; the size of a table indexed by `Shape as usize`.
    pub const COUNT: usize = 14;

    /// Every shape, in declaration order.
    pub const ALL: [Shape; Shape::COUNT] = [
        Shape::Empty,
        Shape::Text,
        Shape::Number,
        Shape::Code,
        Shape::Boolean,
        Shape::Day,
        Shape::DateTime,
        Shape::ObjectId,
        Shape::Uuid,
        Shape::Email,
        Shape::Url,
        Shape::DataUri,
        Shape::Base64,
        Shape::Hex,
    ];

    /// The shape of a string.
    pub fn of(text: &str) -> Shape {
        let bytes = text.as_bytes();
        let Some(first) = bytes.first() else { return Shape::Empty };
        if *first == b'd'
            && bytes.starts_with(b"data:")
            && bytes.get(..bytes.len().min(256)).is_some_and(|head| head.contains(&b','))
        {
            return Shape::DataUri;
        }
        match bytes.len() {
            4 | 5 if text.eq_ignore_ascii_case("true") || text.eq_ignore_ascii_case("false") => return Shape::Boolean,
            10 if is_day(bytes) => return Shape::Day,
            16..=40 if is_date_time(bytes) => return Shape::DateTime,
            36 if is_uuid(bytes) => return Shape::Uuid,
            _ => {}
        }
        if matches!(first, b'0'..=b'9' | b'-' | b'+' | b'.') {
            match number(bytes) {
                // 24 digits are an ObjectId as often as they are a code; both are no quantity.
                Some(Shape::Code) if bytes.len() == 24 => return Shape::ObjectId,
                Some(shape) => return shape,
                None => {}
            }
        }
        if bytes.len() == 24 && bytes.iter().all(u8::is_ascii_hexdigit) {
            return Shape::ObjectId;
        }
        if 32 <= bytes.len()
            && bytes.len().is_multiple_of(2)
            && bytes.len() <= 128
            && bytes.iter().all(u8::is_ascii_hexdigit)
        {
            return Shape::Hex;
        }
        // One look for the mark of each spares most strings the whole test.
        if bytes.iter().take(21).any(|b| *b == b':') && is_url(text) {
            return Shape::Url;
        }
        if bytes.contains(&b'@') && is_email(text) {
            return Shape::Email;
        }
        if is_base64(bytes) {
            return Shape::Base64;
        }
        Shape::Text
    }
}

/// What a field name looks like when it is data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[repr(u8)]
pub enum KeyShape {
    /// 24 hex digits.
    ObjectId,
    /// A UUID.
    Uuid,
    /// A day, a month (`2026-01`) or a date-time.
    Date,
    /// Digits only.
    Number,
    /// An e-mail address, also with the dots replaced.
    Email,
    /// Anything else: the keys are data by their number.
    Other,
}

impl KeyShape {
    /// How many shapes there are; the size of a table indexed by `KeyShape as usize`.
    pub const COUNT: usize = 6;

    /// Every shape, in declaration order.
    pub const ALL: [KeyShape; KeyShape::COUNT] =
        [KeyShape::ObjectId, KeyShape::Uuid, KeyShape::Date, KeyShape::Number, KeyShape::Email, KeyShape::Other];

    /// The shape of a name that can only be data, by the look of this one name.
    pub fn of(name: &str) -> Option<KeyShape> {
        let bytes = name.as_bytes();
        let first = *bytes.first()?;
        if first.is_ascii_digit() {
            if bytes.iter().all(u8::is_ascii_digit) {
                return Some(if bytes.len() == 24 { KeyShape::ObjectId } else { KeyShape::Number });
            }
            if is_day(bytes) || is_month(bytes) || (16 <= bytes.len() && is_date_time(bytes)) {
                return Some(KeyShape::Date);
            }
        }
        match bytes.len() {
            24 if bytes.iter().all(u8::is_ascii_hexdigit) => Some(KeyShape::ObjectId),
            36 if is_uuid(bytes) => Some(KeyShape::Uuid),
            _ if bytes.contains(&b'@') && is_email(name) => Some(KeyShape::Email),
            _ => None,
        }
    }
}

fn digits(bytes: &[u8], from: usize, to: usize) -> Option<u32> {
    let part = bytes.get(from..to)?;
    part.iter().all(u8::is_ascii_digit).then(|| part.iter().fold(0, |n, d| n * 10 + u32::from(d - b'0')))
}

fn is_month(bytes: &[u8]) -> bool {
    bytes.len() == 7
        && bytes.get(4) == Some(&b'-')
        && digits(bytes, 0, 4).is_some_and(|y| (1000..=9999).contains(&y))
        && digits(bytes, 5, 7).is_some_and(|m| (1..=12).contains(&m))
}

fn is_day(bytes: &[u8]) -> bool {
    bytes.len() == 10
        && bytes.get(7) == Some(&b'-')
        && bytes.get(..7).is_some_and(is_month)
        && digits(bytes, 8, 10).is_some_and(|d| (1..=31).contains(&d))
}

fn is_date_time(bytes: &[u8]) -> bool {
    if !bytes.get(..10).is_some_and(is_day) || !matches!(bytes.get(10), Some(b'T' | b't' | b' ')) {
        return false;
    }
    let clock = digits(bytes, 11, 13).is_some_and(|h| h <= 24)
        && bytes.get(13) == Some(&b':')
        && digits(bytes, 14, 16).is_some_and(|m| m < 60);
    clock
        && bytes
            .get(16..)
            .unwrap_or_default()
            .iter()
            .all(|b| matches!(b, b'0'..=b'9' | b':' | b'.' | b',' | b'Z' | b'z' | b'+' | b'-' | b' '))
}

fn is_uuid(bytes: &[u8]) -> bool {
    bytes.len() == 36
        && bytes
            .iter()
            .enumerate()
            .all(|(at, b)| if matches!(at, 8 | 13 | 18 | 23) { *b == b'-' } else { b.is_ascii_hexdigit() })
}

fn number(bytes: &[u8]) -> Option<Shape> {
    let unsigned = match bytes.first()? {
        b'-' | b'+' => bytes.get(1..)?,
        _ => bytes,
    };
    let mut whole = 0;
    while unsigned.get(whole).is_some_and(u8::is_ascii_digit) {
        whole += 1;
    }
    let mut at = whole;
    let mut fraction = 0;
    if unsigned.get(at) == Some(&b'.') {
        at += 1;
        while unsigned.get(at).is_some_and(u8::is_ascii_digit) {
            at += 1;
            fraction += 1;
        }
        if fraction == 0 {
            return None;
        }
    }
    if whole + fraction == 0 {
        return None;
    }
    if matches!(unsigned.get(at), Some(b'e' | b'E')) && 0 < whole {
        at += 1;
        if matches!(unsigned.get(at), Some(b'-' | b'+')) {
            at += 1;
        }
        let start = at;
        while unsigned.get(at).is_some_and(u8::is_ascii_digit) {
            at += 1;
        }
        if at == start {
            return None;
        }
    }
    if at != unsigned.len() {
        return None;
    }
    let leading_zero = 1 < whole && unsigned.first() == Some(&b'0');
    Some(if leading_zero || 20 <= whole || bytes.first() == Some(&b'+') { Shape::Code } else { Shape::Number })
}

fn is_url(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once("://") else { return false };
    (2..=20).contains(&scheme.len())
        && scheme.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'))
        && !rest.is_empty()
        && !text.contains(char::is_whitespace)
}

fn is_email(text: &str) -> bool {
    if 254 < text.len() {
        return false;
    }
    let Some((user, host)) = text.split_once('@') else { return false };
    let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-' | b'+' | b'%' | b'\'');
    !user.is_empty()
        && user.bytes().all(plain)
        && host.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-'))
        && host.rsplit_once('.').is_some_and(|(name, top)| {
            !name.is_empty() && 2 <= top.len() && top.bytes().all(|b| b.is_ascii_alphabetic())
        })
}

fn is_base64(bytes: &[u8]) -> bool {
    if bytes.len() < 64 {
        return false;
    }
    // The head tells prose (spaces) apart at once; only what passes is read whole.
    let body = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'-' | b'_' | b'\r' | b'\n');
    if !bytes.iter().take(64).all(body) {
        return false;
    }
    let end = bytes.iter().rposition(|b| *b != b'=').map_or(0, |at| at + 1);
    let mixed =
        bytes.iter().take(256).any(u8::is_ascii_uppercase) && bytes.iter().take(256).any(u8::is_ascii_lowercase);
    mixed && bytes.len() - end <= 2 && bytes.iter().take(end).all(body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_read_as_what_they_are() {
        let long = "QUJDRGVmZ2hpamtsbW5vcA+/".repeat(4);
        for (text, shape) in [
            ("", Shape::Empty),
            ("hello world", Shape::Text),
            ("12", Shape::Number),
            ("-3.50", Shape::Number),
            ("1e5", Shape::Number),
            ("007", Shape::Code),
            ("+34600111222", Shape::Code),
            ("0.5", Shape::Number),
            ("1.2.3", Shape::Text),
            ("12-34", Shape::Text),
            ("true", Shape::Boolean),
            ("False", Shape::Boolean),
            ("2026-01-31", Shape::Day),
            ("2026-13-31", Shape::Text),
            ("2026-01-31T10:00:00Z", Shape::DateTime),
            ("2026-01-31 10:00", Shape::DateTime),
            ("651f000102030405060708ff", Shape::ObjectId),
            ("12121212-1212-1212-1212-121212121212", Shape::Uuid),
            ("a.b@example.org", Shape::Email),
            ("@handle", Shape::Text),
            ("https://example.org/x", Shape::Url),
            ("data:image/png;base64,AAAA", Shape::DataUri),
            (long.as_str(), Shape::Base64),
            ("d41d8cd98f00b204e9800998ecf8427e", Shape::Hex),
        ] {
            assert_eq!(Shape::of(text), shape, "{text:?}");
        }
    }

    #[test]
    fn names_that_are_data() {
        assert_eq!(KeyShape::of("651f000102030405060708ff"), Some(KeyShape::ObjectId));
        assert_eq!(KeyShape::of("2026-01"), Some(KeyShape::Date));
        assert_eq!(KeyShape::of("42"), Some(KeyShape::Number));
        assert_eq!(KeyShape::of("name"), None);
        assert_eq!(KeyShape::of("2ndLine"), None);
    }
}
