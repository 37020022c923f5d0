//! Extended JSON: one document into events. Version 2 canonical and relaxed, version 1 strict, mixed as they come.
//!
//! Objects are read as objects first; one that turns out to be a type wrapper is replaced by its value when it
//! closes. So nothing recurses, and the order of a wrapper's keys does not matter.

use bumpalo::Bump;

use super::builder::{self, Builder, Form, Frame, fault};
use super::decimal::Decimal;
use super::event::{DecodeError, Entry, Item};
use super::time;

/// Decodes the document at the start of `input`, after white space, into `entries` (cleared first).
/// Returns the bytes read, up to and with the closing brace, and what the form tells about lost types.
///
/// Bare numbers become the smallest type that holds them. A wrapper that is certainly wrong is an error.
pub fn decode<'a>(
    input: &'a [u8],
    arena: &'a Bump,
    entries: &mut Vec<Entry<'a>>,
) -> Result<(usize, Form), DecodeError> {
    let mut reader = Reader { input, at: 0, builder: Builder::new(arena, entries) };
    reader.document()?;
    reader.builder.finish();
    Ok((reader.at, reader.builder.form))
}

struct Reader<'a, 'v> {
    input: &'a [u8],
    at: usize,
    builder: Builder<'a, 'v>,
}

impl<'a> Reader<'a, '_> {
    fn document(&mut self) -> Result<(), DecodeError> {
        let mut next = self.peek()?;
        if next != b'{' {
            return Err(fault(self.at, "a document begins with a brace"));
        }
        let mut key = "";
        loop {
            match next {
                b'"' => {
                    self.at += 1;
                    let text = self.string()?;
                    self.builder.scalar(key, Item::String(text));
                }
                b'{' => {
                    self.builder.open(key, false, self.at)?;
                    self.at += 1;
                    if self.peek()? != b'}' {
                        key = self.key()?;
                        if let Some(frame) = self.builder.frames.last_mut() {
                            frame.maybe_wrapper = key.starts_with('$') || matches!(key, "low" | "high" | "unsigned");
                        }
                        next = self.peek()?;
                        continue;
                    }
                }
                b'[' => {
                    self.builder.open(key, true, self.at)?;
                    self.at += 1;
                    if self.peek()? != b']' {
                        key = "";
                        next = self.peek()?;
                        continue;
                    }
                }
                b't' => self.word(key, "true", Item::Bool(true))?,
                b'f' => self.word(key, "false", Item::Bool(false))?,
                b'n' => self.word(key, "null", Item::Null)?,
                b'N' => self.word(key, "NaN", Item::Double(f64::NAN))?,
                b'I' => self.word(key, "Infinity", Item::Double(f64::INFINITY))?,
                b'-' | b'0'..=b'9' => {
                    let number = self.number()?;
                    // A fraction can only be a double.
                    self.builder.form.bare_numbers += u32::from(!matches!(number, Item::Double(d) if d.fract() != 0.0));
                    self.builder.scalar(key, number);
                }
                _ => return Err(fault(self.at, "a value is expected")),
            }
            // Behind a value: what closes, and what comes next.
            loop {
                let after = self.peek()?;
                let Some(frame) = self.builder.frames.last().copied() else { return Ok(()) };
                match (after, frame.array) {
                    (b',', array) => {
                        self.at += 1;
                        key = if array { "" } else { self.key()? };
                        next = self.peek()?;
                        break;
                    }
                    (b'}', false) => {
                        // The document itself is no value, whatever its fields are called.
                        if frame.maybe_wrapper
                            && self.builder.frames.len() > 1
                            && let Some(item) =
                                unwrap(&self.builder, frame, false).map_err(|r| fault(frame.start, r))?
                        {
                            self.builder.replace(frame, item);
                        } else {
                            self.builder.close(frame);
                        }
                        self.at += 1;
                    }
                    (b']', true) => {
                        self.builder.close(frame);
                        self.at += 1;
                    }
                    _ => return Err(fault(self.at, "a comma or the end of the document or array is expected")),
                }
                if self.builder.frames.is_empty() {
                    return Ok(());
                }
            }
        }
    }

    /// The next byte that is no white space.
    #[inline]
    fn peek(&mut self) -> Result<u8, DecodeError> {
        loop {
            match self.input.get(self.at) {
                Some(b' ' | b'\n' | b'\r' | b'\t') => self.at += 1,
                Some(byte) => return Ok(*byte),
                None => return Err(self.cut()),
            }
        }
    }

    fn key(&mut self) -> Result<&'a str, DecodeError> {
        if self.peek()? != b'"' {
            return Err(fault(self.at, "a field name in double quotes is expected"));
        }
        let start = self.at;
        self.at += 1;
        let key = self.string()?;
        // Only an escape makes a NUL, and it is longer than what it stands for.
        let is_escaped = key.len() + 2 < self.at - start;
        if is_escaped && key.contains('\0') {
            return Err(fault(start, "a field name holds a NUL"));
        }
        if self.peek()? != b':' {
            return Err(fault(self.at, "a colon is expected behind a field name"));
        }
        self.at += 1;
        Ok(key)
    }

    /// A string whose opening quote has been read.
    #[inline]
    fn string(&mut self) -> Result<&'a str, DecodeError> {
        let start = self.at;
        let rest = self.input.get(start..).unwrap_or_default();
        let Some(length) = position_of_special(rest) else {
            return Err(self.cut());
        };
        self.at = start + length;
        match rest.get(length) {
            Some(b'"') => {
                self.at += 1;
                utf8(rest.get(..length).unwrap_or_default(), start)
            }
            _ => self.escaped(start),
        }
    }

    #[cold]
    fn escaped(&mut self, start: usize) -> Result<&'a str, DecodeError> {
        let mut text = String::new();
        let mut from = start;
        loop {
            let rest = self.input.get(from..).unwrap_or_default();
            let Some(length) = position_of_special(rest) else {
                return Err(self.cut());
            };
            text.push_str(utf8(rest.get(..length).unwrap_or_default(), from)?);
            self.at = from + length;
            match rest.get(length) {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(self.builder.arena.alloc_str(&text));
                }
                Some(b'\\') => {
                    let Some(escape) = rest.get(length + 1) else { return Err(self.cut()) };
                    self.at += 2;
                    match escape {
                        b'"' | b'\\' | b'/' => text.push(char::from(*escape)),
                        b'b' => text.push('\u{8}'),
                        b'f' => text.push('\u{c}'),
                        b'n' => text.push('\n'),
                        b'r' => text.push('\r'),
                        b't' => text.push('\t'),
                        b'u' => text.push(self.unicode_escape()?),
                        _ => return Err(fault(self.at - 2, "a string holds an escape that JSON does not know")),
                    }
                }
                // A tab does no harm; a line break more likely ends a line that was cut.
                Some(b'\t') => {
                    text.push('\t');
                    self.at += 1;
                }
                _ => return Err(fault(self.at, "a string holds a bare control character")),
            }
            from = self.at;
        }
    }

    /// The character of `\uXXXX`, of which `\u` has been read. Half a surrogate pair stands for no character.
    fn unicode_escape(&mut self) -> Result<char, DecodeError> {
        let first = self.hex4()?;
        if !(0xD800..0xDC00).contains(&first) {
            return Ok(char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER));
        }
        if self.input.get(self.at..self.at + 2) == Some(b"\\u") {
            let back = self.at;
            self.at += 2;
            let second = self.hex4()?;
            if (0xDC00..0xE000).contains(&second) {
                let code = 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
                return Ok(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
            self.at = back;
        } else if self.input.len() < self.at + 2 {
            return Err(self.cut());
        }
        Ok(char::REPLACEMENT_CHARACTER)
    }

    fn hex4(&mut self) -> Result<u32, DecodeError> {
        let Some(digits) = self.input.get(self.at..self.at + 4) else { return Err(self.cut()) };
        let mut code = 0;
        for digit in digits {
            let value = char::from(*digit).to_digit(16);
            code = code * 16 + value.ok_or_else(|| fault(self.at, "a Unicode escape needs four hex digits"))?;
        }
        self.at += 4;
        Ok(code)
    }

    fn word(&mut self, key: &'a str, word: &'static str, item: Item<'a>) -> Result<(), DecodeError> {
        let rest = self.input.get(self.at..).unwrap_or_default();
        if rest.starts_with(word.as_bytes()) {
            self.at += word.len();
            self.builder.scalar(key, item);
            return Ok(());
        }
        if word.as_bytes().starts_with(rest) {
            return Err(self.cut());
        }
        Err(fault(self.at, "a value is expected"))
    }

    fn number(&mut self) -> Result<Item<'a>, DecodeError> {
        let start = self.at;
        let rest = self.input.get(start..).unwrap_or_default();
        let negative = rest.first() == Some(&b'-');
        let digits_from = usize::from(negative);
        let mut length = digits_from;
        let mut whole: u64 = 0;
        while let Some(digit @ b'0'..=b'9') = rest.get(length) {
            whole = whole.wrapping_mul(10).wrapping_add(u64::from(digit - b'0'));
            length += 1;
        }
        let digits = length - digits_from;
        match rest.get(length) {
            None => return Err(self.cut()),
            Some(b'.' | b'e' | b'E') => return self.fraction(start, length),
            Some(b'I') if negative && digits == 0 => {
                self.at += 1;
                let word = rest.get(1..).unwrap_or_default();
                if word.starts_with(b"Infinity") {
                    self.at += 8;
                    return Ok(Item::Double(f64::NEG_INFINITY));
                }
                return Err(if b"Infinity".starts_with(word) { self.cut() } else { fault(start, "this is no number") });
            }
            Some(_) => {}
        }
        if digits == 0 || (digits > 1 && rest.get(digits_from) == Some(&b'0')) {
            return Err(fault(start, "this is no number"));
        }
        self.at = start + length;
        if digits <= 18 {
            let value = if negative { -(whole as i64) } else { whole as i64 };
            return Ok(integer(value));
        }
        let text = std::str::from_utf8(rest.get(..length).unwrap_or_default()).unwrap_or_default();
        match (text.parse::<i64>(), text.parse::<f64>()) {
            (Ok(value), _) => Ok(integer(value)),
            (_, Ok(value)) => Ok(Item::Double(value)),
            _ => Err(fault(start, "this is no number")),
        }
    }

    fn fraction(&mut self, start: usize, mut length: usize) -> Result<Item<'a>, DecodeError> {
        let rest = self.input.get(start..).unwrap_or_default();
        while let Some(b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-') = rest.get(length) {
            length += 1;
        }
        if length == rest.len() {
            return Err(self.cut());
        }
        let text = std::str::from_utf8(rest.get(..length).unwrap_or_default()).unwrap_or_default();
        self.at = start + length;
        // Rust reads `1.` and `.5` too, which do no harm.
        text.parse().map(Item::Double).map_err(|_| fault(start, "this is no number"))
    }

    #[cold]
    fn cut(&self) -> DecodeError {
        DecodeError { offset: self.input.len(), reason: "the document is cut", incomplete: true }
    }
}

/// The smallest integer type that holds a number.
pub(crate) fn integer(value: i64) -> Item<'static> {
    i32::try_from(value).map_or(Item::Long(value), Item::Int)
}

/// The text of bytes that begin at `start` of the input.
pub(crate) fn utf8(bytes: &[u8], start: usize) -> Result<&str, DecodeError> {
    std::str::from_utf8(bytes).map_err(|e| fault(start + e.valid_up_to(), "a string is no UTF-8"))
}

/// The first quote, backslash or control character, eight bytes at a time.
#[inline]
fn position_of_special(bytes: &[u8]) -> Option<usize> {
    const LOW: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let zeros = |word: u64| word.wrapping_sub(LOW) & !word & HIGH;
    let mut at = 0;
    while let Some(chunk) = bytes.get(at..).and_then(<[u8]>::first_chunk::<8>) {
        let word = u64::from_le_bytes(*chunk);
        let quotes = zeros(word ^ (LOW * u64::from(b'"')));
        let escapes = zeros(word ^ (LOW * u64::from(b'\\')));
        // Bytes below 0x20; the mask keeps out those with the high bit.
        let controls = word.wrapping_sub(LOW * 0x20) & !word & HIGH;
        let found = quotes | escapes | controls;
        if found != 0 {
            // A borrow may mark bytes above the first hit, never below it.
            return Some(at + (found.trailing_zeros() / 8) as usize);
        }
        at += 8;
    }
    bytes.get(at..)?.iter().position(|b| matches!(b, b'"' | b'\\' | 0..0x20)).map(|position| at + position)
}

/// The value that the closed object of `frame` stands for, where it is a type wrapper.
///
/// `lenient` reads like the shell, where only complete wrappers count and `$regex` is an operator.
pub(crate) fn unwrap<'a>(
    builder: &Builder<'a, '_>,
    frame: Frame<'a>,
    lenient: bool,
) -> Result<Option<Item<'a>>, &'static str> {
    let mut fields = [("", Item::Null, 0_usize); 3];
    let mut count = 0;
    for (index, entry) in children(builder.entries, frame.event) {
        if let Some(field) = fields.get_mut(count) {
            *field = (entry.key, entry.item, index);
        }
        count += 1;
    }
    let named = |key: &str| fields.iter().take(count).find(|f| f.0 == key).map(|f| f.1);
    let [(first, value, index), ..] = fields;
    let arena = builder.arena;
    let wrong = match first {
        "low" | "high" | "unsigned" => {
            return Ok(match (count, named("low"), named("high"), named("unsigned")) {
                (3, Some(Item::Int(low)), Some(Item::Int(high)), Some(Item::Bool(_))) => {
                    Some(Item::Long(i64::from(high) << 32 | i64::from(low.cast_unsigned())))
                }
                _ => None,
            });
        }
        "$oid" => match (count, value) {
            (1, Item::String(text)) if let Some(id) = builder::object_id(text) => return Ok(Some(Item::ObjectId(id))),
            _ => "$oid takes 24 hex digits and no other field",
        },
        "$numberInt" => match (count, value) {
            (1, Item::String(text)) if let Some(number) = whole(text) => return Ok(Some(Item::Int(number))),
            _ => "$numberInt takes a string with a 32-bit integer and no other field",
        },
        "$numberLong" => match (count, value) {
            (1, Item::String(text)) if let Some(number) = whole(text) => return Ok(Some(Item::Long(number))),
            _ => "$numberLong takes a string with a 64-bit integer and no other field",
        },
        "$numberDouble" => match (count, value) {
            (1, Item::String(text)) if let Some(number) = double(text) => return Ok(Some(Item::Double(number))),
            _ => "$numberDouble takes a string with a number and no other field",
        },
        "$numberDecimal" => match (count, value) {
            (1, Item::String(text)) if let Some(number) = Decimal::parse(text) => {
                return Ok(Some(Item::Decimal(number.to_bytes())));
            }
            _ => "$numberDecimal takes a string with a number of at most 34 digits and no other field",
        },
        "$date" => match (count, value) {
            (1, Item::String(text)) if let Some(date) = time::parse_iso(text) => return Ok(Some(Item::Date(date))),
            // Version 1 wrote milliseconds as a bare number.
            (1, Item::Long(date)) => return Ok(Some(Item::Date(date))),
            (1, Item::Int(date)) => return Ok(Some(Item::Date(date.into()))),
            _ => "$date takes an ISO 8601 string or milliseconds and no other field",
        },
        "$timestamp" => match (count, value) {
            (1, Item::Object { .. }) if let Some((seconds, ordinal)) = timestamp(builder.entries, index) => {
                return Ok(Some(Item::Timestamp { seconds, ordinal }));
            }
            // What `JSON.stringify` makes of a timestamp in Node.
            (1, Item::String(text)) if let Some(value) = whole::<u64>(text) => {
                return Ok(Some(Item::Timestamp { seconds: (value >> 32) as u32, ordinal: value as u32 }));
            }
            _ => "$timestamp takes the two numbers t and i and no other field",
        },
        "$binary" | "$type" => match (count, value) {
            (1, Item::Object { .. }) if first == "$binary" => {
                let mut base64 = None;
                let mut subtype = None;
                let mut other = false;
                for (_, entry) in children(builder.entries, index) {
                    match (entry.key, entry.item) {
                        ("base64", Item::String(text)) => base64 = builder::base64(text),
                        ("subType", Item::String(text)) => subtype = u8::from_str_radix(text, 16).ok(),
                        _ => other = true,
                    }
                }
                match (base64, subtype, other) {
                    (Some(data), Some(subtype), false) => {
                        return Ok(Some(Item::BinData { subtype, data: arena.alloc_slice_copy(&data) }));
                    }
                    _ => "$binary takes the strings base64 and subType and no other field",
                }
            }
            // Version 1.
            (2, _) if let (Some(Item::String(text)), Some(kind)) = (named("$binary"), named("$type")) => {
                let subtype = match kind {
                    Item::String(text) => u8::from_str_radix(text, 16).ok(),
                    Item::Int(number) => u8::try_from(number).ok(),
                    _ => None,
                };
                match (builder::base64(text), subtype) {
                    (Some(data), Some(subtype)) => {
                        return Ok(Some(Item::BinData { subtype, data: arena.alloc_slice_copy(&data) }));
                    }
                    _ => "$binary and $type take base64 and a subtype of two hex digits",
                }
            }
            // `$type` is an operator of queries too.
            _ if first == "$type" => return Ok(None),
            _ => "$binary takes the strings base64 and subType and no other field",
        },
        "$uuid" => match (count, value) {
            (1, Item::String(text)) if let Some(bytes) = builder::uuid(text, false) => {
                return Ok(Some(Item::BinData { subtype: 4, data: arena.alloc_slice_copy(&bytes) }));
            }
            _ => "$uuid takes 32 hex digits with hyphens in their places and no other field",
        },
        "$symbol" => match (count, value) {
            (1, Item::String(text)) => return Ok(Some(Item::Symbol(text))),
            _ => "$symbol takes a string and no other field",
        },
        "$code" | "$scope" => match (count, named("$code"), named("$scope")) {
            (1, Some(Item::String(code)), None) => return Ok(Some(Item::Javascript(code))),
            (2, Some(Item::String(code)), Some(Item::Object { bytes, .. })) => {
                return Ok(Some(Item::JavascriptWithScope(arena.alloc((code, bytes)))));
            }
            (_, None, _) => return Ok(None),
            _ => "$code takes a string, with it at most a document $scope",
        },
        "$dbPointer" => {
            let mut ns = None;
            let mut id = None;
            let mut other = count != 1;
            for (_, entry) in children(builder.entries, index) {
                match (entry.key, entry.item) {
                    ("$ref", Item::String(text)) => ns = Some(text),
                    ("$id", Item::ObjectId(bytes)) => id = Some(bytes),
                    _ => other = true,
                }
            }
            match (ns, id, other) {
                (Some(ns), Some(id), false) => return Ok(Some(Item::DbPointer(arena.alloc((ns, id))))),
                _ => "$dbPointer takes a string $ref and an ObjectId $id and no other field",
            }
        }
        "$regularExpression" => {
            let mut pattern = None;
            let mut options = None;
            let mut other = count != 1;
            for (_, entry) in children(builder.entries, index) {
                match (entry.key, entry.item) {
                    ("pattern", Item::String(text)) if !text.contains('\0') => pattern = Some(text),
                    ("options", Item::String(text)) if !text.contains('\0') => options = Some(text),
                    _ => other = true,
                }
            }
            match (pattern, options, other) {
                (Some(pattern), Some(options), false) => {
                    return Ok(Some(Item::Regex(arena.alloc((pattern, builder::sorted_options(arena, options))))));
                }
                _ => "$regularExpression takes the strings pattern and options and no other field",
            }
        }
        // Version 1; `$regex` is an operator of queries too, which takes more kinds of values.
        "$regex" | "$options" => {
            return Ok(match (count, named("$regex"), named("$options")) {
                (2, Some(Item::String(pattern)), Some(Item::String(options)))
                    if !lenient && !pattern.contains('\0') && !options.contains('\0') =>
                {
                    Some(Item::Regex(arena.alloc((pattern, builder::sorted_options(arena, options)))))
                }
                _ => None,
            });
        }
        "$minKey" => match (count, value) {
            (1, Item::Int(1)) => return Ok(Some(Item::MinKey)),
            _ => "$minKey takes the number 1 and no other field",
        },
        "$maxKey" => match (count, value) {
            (1, Item::Int(1)) => return Ok(Some(Item::MaxKey)),
            _ => "$maxKey takes the number 1 and no other field",
        },
        "$undefined" => match (count, value) {
            (1, Item::Bool(true)) => return Ok(Some(Item::Undefined)),
            _ => "$undefined takes true and no other field",
        },
        _ => return Ok(None),
    };
    if lenient { Ok(None) } else { Err(wrong) }
}

/// The entries directly below the closed container at `index`, or below the open one that ends the list.
pub(crate) fn children<'e, 'a>(
    entries: &'e [Entry<'a>],
    index: usize,
) -> impl Iterator<Item = (usize, Entry<'a>)> + 'e {
    let end = match entries.get(index).map(|e| e.item) {
        Some(Item::Object { end, .. } | Item::Array { end, .. }) if end > 0 => end as usize,
        Some(Item::Object { .. } | Item::Array { .. }) => entries.len(),
        _ => index,
    };
    let mut next = index + 1;
    std::iter::from_fn(move || {
        let entry = *entries.get(next).filter(|_| next < end)?;
        let index = next;
        next = match entry.item {
            Item::Object { end, .. } | Item::Array { end, .. } => end as usize,
            _ => next + 1,
        };
        Some((index, entry))
    })
}

/// `t` and `i` of a timestamp, where these are all that is there.
pub(crate) fn timestamp(entries: &[Entry<'_>], index: usize) -> Option<(u32, u32)> {
    let (mut seconds, mut ordinal, mut count) = (None, None, 0);
    for (_, entry) in children(entries, index) {
        let number = match entry.item {
            Item::Int(number) => u32::try_from(number).ok(),
            Item::Long(number) => u32::try_from(number).ok(),
            // The shell has no other bare numbers beyond 32 bits with a sign.
            Item::Double(number) if number.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&number) => {
                Some(number as u32)
            }
            _ => None,
        };
        match entry.key {
            "t" => seconds = number,
            "i" => ordinal = number,
            _ => {}
        }
        count += 1;
    }
    if count == 2 { seconds.zip(ordinal) } else { None }
}

/// A whole number without what Rust allows and Extended JSON does not.
pub(crate) fn whole<T: std::str::FromStr>(text: &str) -> Option<T> {
    if text.starts_with('+') { None } else { text.parse().ok() }
}

/// A double in the spelling of Extended JSON.
pub(crate) fn double(text: &str) -> Option<f64> {
    match text {
        "NaN" => Some(f64::NAN),
        "Infinity" => Some(f64::INFINITY),
        "-Infinity" => Some(f64::NEG_INFINITY),
        _ if text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-')) => text.parse().ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::event::Fidelity;
    use crate::value::{Document, Value};

    fn read(text: &str) -> Result<(Value, Form), DecodeError> {
        let arena = Bump::new();
        let mut entries = Vec::new();
        let (_, form) = decode(text.as_bytes(), &arena, &mut entries)?;
        Ok((Value::from_document(&Document { entries: &entries, fidelity: Fidelity::Exact }), form))
    }

    fn field(json: &str) -> Value {
        read(&format!("{{\"v\": {json}}}")).unwrap().0.get("v").cloned().unwrap()
    }

    #[test]
    fn dialects_mixed_in_one_document() {
        for (json, value) in [
            (r#"{"$date": 1000}"#, Value::Date(1000)),
            (r#"{"$date": {"$numberLong": "1000"}}"#, Value::Date(1000)),
            (r#"{"$date": "1970-01-01T02:00:01+0200"}"#, Value::Date(1000)),
            (r#"{"$binary": "AQI=", "$type": "03"}"#, Value::BinData(3, vec![1, 2])),
            (r#"{"$type": 0, "$binary": "AQI="}"#, Value::BinData(0, vec![1, 2])),
            (r#"{"$regex": "a", "$options": "mi"}"#, Value::Regex("a".into(), "im".into())),
            (r#"{"low": -1, "high": 1, "unsigned": false}"#, Value::Long(0x1_FFFF_FFFF)),
            (r#"{"$timestamp": "4294967298"}"#, Value::Timestamp(1, 2)),
            (r#"{"$undefined": true}"#, Value::Undefined),
            ("2147483647", Value::Int(i32::MAX)),
            ("2147483648", Value::Long(2_147_483_648)),
            ("-9223372036854775808", Value::Long(i64::MIN)),
            ("9223372036854775808", Value::Double(9_223_372_036_854_775_808.0)),
            ("1.0", Value::Double(1.0)),
            ("1E2", Value::Double(100.0)),
            (r#""\ud83d\ude00\u00e9\ud83d""#, Value::String("😀é\u{fffd}".into())),
        ] {
            assert_eq!(field(json), value, "{json}");
        }
    }

    #[test]
    fn what_only_looks_like_a_wrapper_stays_an_object() {
        for json in [
            r#"{"$type": "string"}"#,
            r#"{"$regex": {"a": 1}, "$options": "i"}"#,
            r#"{"$ref": "c", "$id": 5}"#,
            r#"{"low": 1, "high": 2}"#,
            r#"{"$scope": {}}"#,
            r#"{"$gt": 5}"#,
            "{}",
        ] {
            assert!(matches!(field(json), Value::Object(_)), "{json}");
        }
        assert!(matches!(read(r#"{"$oid": "5f0000000000000000000001"}"#), Ok((Value::Object(_), _))));
    }

    #[test]
    fn the_form_tells_what_is_lost() {
        let form = |json: &str| read(json).unwrap().1;
        assert_eq!(form(r#"{"a": {"$numberInt": "5"}, "b": 1.5}"#).fidelity(false), Fidelity::Exact);
        assert_eq!(form(r#"{"a": {"$timestamp": {"t": 1, "i": 2}}}"#).fidelity(false), Fidelity::Exact);
        assert_eq!(form(r#"{"a": {"$date": 5}, "b": 5}"#).fidelity(true), Fidelity::NumbersLost);
        let plain = form(r#"{"_id": "5f0000000000000000000001"}"#);
        assert!(plain.hex_id);
        assert_eq!(plain.fidelity(true), Fidelity::TypesLost);
        assert_eq!(plain.fidelity(false), Fidelity::Exact);
    }

    #[test]
    fn faults_have_their_place() {
        for (json, offset, incomplete) in [
            (r#"{"a": 1 "b": 2}"#, 8, false),
            (r#"{"a": {"$oid": "5"}}"#, 6, false),
            (r#"{"a": 01}"#, 6, false),
            (r#"{"a": -}"#, 6, false),
            (r#"{"a": nul}"#, 6, false),
            ("{\"a\": \"x\ny\"}", 8, false),
            (r#"{"a": "\x"}"#, 7, false),
            ("[1]", 0, false),
            (r#"{"a": [1, 2"#, 11, true),
            (r#"{"a": "\u00"#, 11, true),
            (r#"{"a": 12"#, 8, true),
            ("", 0, true),
        ] {
            let error = read(json).unwrap_err();
            assert_eq!((error.offset, error.incomplete), (offset, incomplete), "{json}: {}", error.reason);
        }
    }
}
