//! mongosh literals: one document into events, as people write it and as the shell prints it.
//!
//! Constructors are read as containers of their arguments and replaced by their value when they close, so that
//! nothing recurses. What the shell left out (`[Object]`, `... 12 more items`) marks the document as cut.

use bumpalo::Bump;

use super::builder::{self, Builder, Form, Frame, fault};
use super::decimal::Decimal;
use super::ejson;
use super::event::{DecodeError, Entry, Item};
use super::time;

/// What constructors without arguments yield, since the core has no clock: `new Date()`, `ObjectId()`, `UUID()`.
#[derive(Debug, Clone, Copy, Default)]
pub struct Now {
    /// Milliseconds since the Unix epoch.
    pub milliseconds: i64,
    /// Ids made so far; each is another one.
    pub made: u32,
}

/// Decodes the document at the start of `input`, after white space and comments, into `entries` (cleared first).
/// Returns the bytes read, up to and with the closing brace, and what the form tells about lost types.
///
/// A bare number that is whole is what the driver stores for it: a 32-bit integer if it fits, else a double.
/// An object or array that the shell left out has no entries and a size of 0 bytes, which no stored one has.
pub fn decode<'a>(
    input: &'a [u8],
    arena: &'a Bump,
    entries: &mut Vec<Entry<'a>>,
    now: &mut Now,
) -> Result<(usize, Form), DecodeError> {
    let mut reader = Reader { input, at: 0, builder: Builder::new(arena, entries), calls: Vec::new(), now };
    reader.document()?;
    reader.builder.finish();
    Ok((reader.at, reader.builder.form))
}

/// A constructor whose arguments are being read.
struct Call<'a> {
    /// How many containers are open with it.
    depth: usize,
    /// The name as written, without `new`.
    name: &'a str,
}

struct Reader<'a, 'v> {
    input: &'a [u8],
    at: usize,
    builder: Builder<'a, 'v>,
    calls: Vec<Call<'a>>,
    now: &'v mut Now,
}

/// What stands at the cursor where a value is expected.
enum Found<'a> {
    Scalar(Item<'a>),
    Object,
    Array,
    /// A constructor up to and with its opening parenthesis.
    Call(&'a str),
    /// `... 12 more items`.
    LeftOut(u32),
}

impl<'a> Reader<'a, '_> {
    fn document(&mut self) -> Result<(), DecodeError> {
        if self.peek()? != b'{' {
            return Err(fault(self.at, "a document begins with a brace"));
        }
        let mut key = "";
        loop {
            let start = self.at;
            let closes = match self.value()? {
                Found::Scalar(item) => {
                    self.builder.scalar(key, item);
                    false
                }
                Found::Object => {
                    self.builder.open(key, false, start)?;
                    self.peek()? == b'}'
                }
                Found::Array => {
                    self.builder.open(key, true, start)?;
                    self.peek()? == b']'
                }
                Found::Call(name) => {
                    self.builder.open(key, true, start)?;
                    self.calls.push(Call { depth: self.builder.frames.len(), name });
                    self.peek()? == b')'
                }
                Found::LeftOut(count) => {
                    self.builder.form.cut = true;
                    if let Some(frame) = self.builder.frames.last_mut() {
                        frame.left_out = frame.left_out.saturating_add(count);
                    }
                    false
                }
            };
            let opened = self.builder.frames.last().is_some_and(|frame| frame.start == start);
            if opened && !closes {
                key = self.next_key()?;
                continue;
            }
            loop {
                let after = self.peek()?;
                let Some(frame) = self.builder.frames.last().copied() else { return Ok(()) };
                let in_call = self.calls.last().is_some_and(|call| call.depth == self.builder.frames.len());
                match after {
                    b',' => {
                        self.at += 1;
                        // A comma may stand behind the last one.
                        if matches!((self.peek()?, frame.array), (b'}', false) | (b']' | b')', true)) {
                            continue;
                        }
                        key = self.next_key()?;
                        break;
                    }
                    b'}' if !frame.array => {
                        self.at += 1;
                        if frame.maybe_wrapper
                            && self.builder.frames.len() > 1
                            && let Ok(Some(item)) = ejson::unwrap(&self.builder, frame, true)
                        {
                            self.builder.replace(frame, item);
                        } else {
                            self.builder.close(frame);
                        }
                    }
                    b']' if frame.array && !in_call => {
                        self.at += 1;
                        self.builder.close(frame);
                    }
                    b')' if in_call => {
                        self.at += 1;
                        let Some(call) = self.calls.pop() else { return Err(fault(self.at, "a value is expected")) };
                        self.construct(frame, call.name)?;
                    }
                    _ => return Err(fault(self.at, "a comma or the end of the document or array is expected")),
                }
                if self.builder.frames.is_empty() {
                    return Ok(());
                }
            }
        }
    }

    /// The key of the next value: empty in arrays and arguments. The cursor is behind the colon then.
    fn next_key(&mut self) -> Result<&'a str, DecodeError> {
        let Some(frame) = self.builder.frames.last() else { return Ok("") };
        if frame.array {
            return Ok("");
        }
        let first = frame.is_empty();
        let start = {
            self.peek()?;
            self.at
        };
        let key = match self.peek()? {
            quote @ (b'"' | b'\'' | b'`') => {
                self.at += 1;
                self.string(quote)?
            }
            b'[' => {
                self.at += 1;
                let quote = self.peek()?;
                if !matches!(quote, b'"' | b'\'' | b'`') {
                    return Err(fault(self.at, "a computed field name is no literal"));
                }
                self.at += 1;
                let key = self.string(quote)?;
                if self.peek()? != b']' {
                    return Err(fault(self.at, "a computed field name is no literal"));
                }
                self.at += 1;
                key
            }
            _ => {
                let key = self.name()?;
                if key.is_empty() {
                    return Err(fault(start, "a field name is expected"));
                }
                key
            }
        };
        if key.contains('\0') {
            return Err(fault(start, "a field name holds a NUL"));
        }
        if self.peek()? != b':' {
            return Err(fault(self.at, "a colon is expected behind a field name"));
        }
        self.at += 1;
        if first && let Some(frame) = self.builder.frames.last_mut() {
            frame.maybe_wrapper = key.starts_with('$');
        }
        Ok(key)
    }

    fn value(&mut self) -> Result<Found<'a>, DecodeError> {
        let byte = self.peek()?;
        let start = self.at;
        match byte {
            b'{' => {
                self.at += 1;
                Ok(Found::Object)
            }
            b'[' => {
                if let Some(item) = self.left_out_container()? {
                    return Ok(Found::Scalar(item));
                }
                self.at += 1;
                Ok(Found::Array)
            }
            b'"' | b'\'' | b'`' => {
                self.at += 1;
                let text = self.string(byte)?;
                Ok(Found::Scalar(Item::String(self.continued(text)?)))
            }
            b'/' => self.regex().map(Found::Scalar),
            b'+' | b'-' => {
                self.at += 1;
                let negative = byte == b'-';
                if self.peek()?.is_ascii_alphabetic() {
                    return match (self.name()?, negative) {
                        ("Infinity", false) => Ok(Found::Scalar(Item::Double(f64::INFINITY))),
                        ("Infinity", true) => Ok(Found::Scalar(Item::Double(f64::NEG_INFINITY))),
                        ("NaN", _) => Ok(Found::Scalar(Item::Double(f64::NAN))),
                        _ => Err(fault(start, "a value is expected")),
                    };
                }
                self.number(negative).map(Found::Scalar)
            }
            b'.' if self.input.get(start..start + 3) == Some(b"...") => self.left_out_items(),
            b'.' | b'0'..=b'9' => self.number(false).map(Found::Scalar),
            _ => self.word(),
        }
    }

    /// A name where a value is expected: a word that is a value, or a constructor.
    fn word(&mut self) -> Result<Found<'a>, DecodeError> {
        let start = self.at;
        let mut name = self.name()?;
        if name == "new" {
            self.peek()?;
            name = self.name()?;
        }
        if name.is_empty() {
            return Err(fault(start, "a value is expected"));
        }
        let item = match name {
            "true" => Item::Bool(true),
            "false" => Item::Bool(false),
            "null" => Item::Null,
            "undefined" => Item::Undefined,
            "NaN" | "Number.NaN" => Item::Double(f64::NAN),
            "Infinity" | "Number.POSITIVE_INFINITY" => Item::Double(f64::INFINITY),
            "Number.NEGATIVE_INFINITY" => Item::Double(f64::NEG_INFINITY),
            "Long.MAX_VALUE" => Item::Long(i64::MAX),
            "Long.MIN_VALUE" => Item::Long(i64::MIN),
            _ if self.peek()? == b'(' => {
                self.at += 1;
                return Ok(Found::Call(name));
            }
            "MinKey" => Item::MinKey,
            "MaxKey" => Item::MaxKey,
            _ => return Err(fault(start, "a name stands where a literal is expected")),
        };
        Ok(Found::Scalar(item))
    }

    /// `[Object]` and `[Array]`, which the shell prints for what it leaves out.
    fn left_out_container(&mut self) -> Result<Option<Item<'a>>, DecodeError> {
        let rest = self.input.get(self.at..).unwrap_or_default();
        let known: [(&[u8], Item<'a>); 3] = [
            (b"[Object]", Item::Object { end: 0, bytes: 0 }),
            (b"[Array]", Item::Array { end: 0, bytes: 0, len: 0 }),
            (b"[Circular]", Item::Object { end: 0, bytes: 0 }),
        ];
        for (text, item) in known {
            if rest.starts_with(text) {
                self.at += text.len();
                self.builder.form.cut = true;
                let end = self.builder.entries.len() as u32 + 1;
                return Ok(Some(match item {
                    Item::Array { .. } => Item::Array { end, bytes: 0, len: 0 },
                    _ => Item::Object { end, bytes: 0 },
                }));
            }
            if text.starts_with(rest) {
                return Err(self.cut());
            }
        }
        Ok(None)
    }

    /// `... 12 more items`, the last element of an array that the shell cut.
    fn left_out_items(&mut self) -> Result<Found<'a>, DecodeError> {
        let start = self.at;
        self.at += 3;
        self.peek()?;
        let count = self.name()?.parse().map_err(|_| fault(start, "a value is expected"))?;
        for words in [&["more"][..], &["item", "items"]] {
            self.peek()?;
            if !words.contains(&self.name()?) {
                return Err(fault(start, "a value is expected"));
            }
        }
        Ok(Found::LeftOut(count))
    }

    /// The rest of a string: `'…' + '…'`, as the shell prints texts of several lines, and
    /// `'…'... 900 more characters`.
    fn continued(&mut self, text: &'a str) -> Result<&'a str, DecodeError> {
        let mut whole: Option<String> = None;
        loop {
            match self.peek()? {
                b'+' => {
                    self.at += 1;
                    let quote = self.peek()?;
                    if !matches!(quote, b'"' | b'\'' | b'`') {
                        return Err(fault(self.at, "an expression is no literal"));
                    }
                    self.at += 1;
                    let more = self.string(quote)?;
                    whole.get_or_insert_with(|| text.to_owned()).push_str(more);
                }
                b'.' if self.input.get(self.at..self.at + 3) == Some(b"...") => {
                    let start = self.at;
                    self.at += 3;
                    self.peek()?;
                    let counted = self.name()?.parse::<u64>().is_ok();
                    self.peek()?;
                    let more = self.name()? == "more";
                    self.peek()?;
                    if !counted || !more || !matches!(self.name()?, "character" | "characters") {
                        return Err(fault(start, "a comma or the end of the document or array is expected"));
                    }
                    self.builder.form.cut = true;
                }
                _ => return Ok(whole.map_or(text, |whole| self.builder.arena.alloc_str(&whole))),
            }
        }
    }

    /// The next byte that is neither white space nor comment.
    fn peek(&mut self) -> Result<u8, DecodeError> {
        loop {
            let rest = self.input.get(self.at..).unwrap_or_default();
            match rest {
                [b' ' | b'\n' | b'\r' | b'\t' | 0x0B | 0x0C, ..] => self.at += 1,
                // No-break space, byte order mark and the line separators.
                [0xC2, 0xA0, ..] => self.at += 2,
                [0xEF, 0xBB, 0xBF, ..] | [0xE2, 0x80, 0xA8 | 0xA9, ..] => self.at += 3,
                [b'/', b'/', ..] => match rest.iter().position(|b| *b == b'\n') {
                    Some(length) => self.at += length,
                    None => return Err(self.cut()),
                },
                [b'/', b'*', comment @ ..] => match comment.windows(2).position(|pair| pair == b"*/") {
                    Some(length) => self.at += length + 4,
                    None => return Err(self.cut()),
                },
                [b'/'] | [] => return Err(self.cut()),
                [byte, ..] => return Ok(*byte),
            }
        }
    }

    /// Letters, digits, `_`, `$`, dots and all that is not ASCII: a name, a path such as `Long.fromString`, a number
    /// as a key. Empty where none is there.
    fn name(&mut self) -> Result<&'a str, DecodeError> {
        let start = self.at;
        let rest = self.input.get(start..).unwrap_or_default();
        let part = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$' | b'.') || !b.is_ascii();
        let Some(length) = rest.iter().position(|b| !part(b)) else { return Err(self.cut()) };
        self.at += length;
        ejson::utf8(rest.get(..length).unwrap_or_default(), start)
    }

    /// A string whose opening quote has been read.
    fn string(&mut self, quote: u8) -> Result<&'a str, DecodeError> {
        let mut text: Option<String> = None;
        let mut from = self.at;
        loop {
            let rest = self.input.get(from..).unwrap_or_default();
            let special = |b: &u8| *b == quote || matches!(*b, b'\\' | b'\n' | b'\r') || (quote == b'`' && *b == b'$');
            let Some(length) = rest.iter().position(special) else { return Err(self.cut()) };
            let plain = ejson::utf8(rest.get(..length).unwrap_or_default(), from)?;
            self.at = from + length + 1;
            match rest.get(length) {
                Some(byte) if *byte == quote => {
                    return Ok(match text {
                        None => plain,
                        Some(mut text) => {
                            text.push_str(plain);
                            self.builder.arena.alloc_str(&text)
                        }
                    });
                }
                Some(b'\\') => {
                    let text = text.get_or_insert_default();
                    text.push_str(plain);
                    let mut escaped = self.escape()?;
                    if let Some(character) = escaped.take() {
                        text.push(character);
                    }
                }
                Some(b'$') if rest.get(length + 1) == Some(&b'{') => {
                    return Err(fault(self.at - 1, "a template with parts is no literal"));
                }
                Some(byte) if quote == b'`' => {
                    if rest.get(length + 1).is_none() {
                        return Err(self.cut());
                    }
                    let text = text.get_or_insert_default();
                    text.push_str(plain);
                    text.push(char::from(*byte));
                }
                _ => return Err(fault(self.at - 1, "a string does not end on its line")),
            }
            from = self.at;
        }
    }

    /// The character of an escape whose backslash has been read; nothing for a line that continues.
    fn escape(&mut self) -> Result<Option<char>, DecodeError> {
        let start = self.at;
        let rest = self.input.get(start..).unwrap_or_default();
        let Some(byte) = rest.first() else { return Err(self.cut()) };
        self.at += 1;
        Ok(Some(match byte {
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'v' => '\u{b}',
            b'0' => '\0',
            b'\n' => return Ok(None),
            b'\r' => {
                self.at += usize::from(rest.get(1) == Some(&b'\n'));
                return Ok(None);
            }
            b'x' => char::from_u32(self.hex(2)?).unwrap_or(char::REPLACEMENT_CHARACTER),
            b'u' if rest.get(1) == Some(&b'{') => {
                let Some(end) = rest.iter().position(|b| *b == b'}') else { return Err(self.cut()) };
                let digits = std::str::from_utf8(rest.get(2..end).unwrap_or_default()).unwrap_or_default();
                self.at = start + end + 1;
                let code = u32::from_str_radix(digits, 16).ok().and_then(char::from_u32);
                code.ok_or_else(|| fault(start - 1, "an escape names no character"))?
            }
            b'u' => {
                let first = self.hex(4)?;
                let mut code = first;
                if (0xD800..0xDC00).contains(&first) && self.input.get(self.at..self.at + 2) == Some(b"\\u") {
                    let back = self.at;
                    self.at += 2;
                    let second = self.hex(4)?;
                    if (0xDC00..0xE000).contains(&second) {
                        code = 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
                    } else {
                        self.at = back;
                    }
                }
                char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
            }
            byte if byte.is_ascii() => char::from(*byte),
            _ => {
                // The escape of any other character is that character.
                let width = rest.iter().skip(1).take_while(|b| **b & 0xC0 == 0x80).count() + 1;
                self.at = start + width;
                let text = ejson::utf8(rest.get(..width).unwrap_or_default(), start)?;
                return Ok(text.chars().next());
            }
        }))
    }

    fn hex(&mut self, digits: usize) -> Result<u32, DecodeError> {
        let Some(text) = self.input.get(self.at..self.at + digits) else { return Err(self.cut()) };
        let mut code = 0;
        for digit in text {
            let value = char::from(*digit).to_digit(16);
            code = code * 16 + value.ok_or_else(|| fault(self.at, "an escape needs hex digits"))?;
        }
        self.at += digits;
        Ok(code)
    }

    fn number(&mut self, negative: bool) -> Result<Item<'a>, DecodeError> {
        let start = self.at;
        let rest = self.input.get(start..).unwrap_or_default();
        let mut length = 0;
        while let Some(byte) = rest.get(length) {
            let sign = matches!(byte, b'+' | b'-') && matches!(rest.get(length.wrapping_sub(1)), Some(b'e' | b'E'));
            if !(byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_') || sign) {
                break;
            }
            length += 1;
        }
        if length == rest.len() {
            return Err(self.cut());
        }
        self.at += length;
        let written = ejson::utf8(rest.get(..length).unwrap_or_default(), start)?;
        let text = if written.contains('_') { written.replace('_', "") } else { written.to_owned() };
        let signed = |text: &str| if negative { format!("-{text}") } else { text.to_owned() };
        if let Some(digits) = text.strip_suffix('n')
            && let Ok(value) = signed(digits).parse()
        {
            return Ok(Item::Long(value));
        }
        let radix = match text.get(..2) {
            Some("0x" | "0X") => Some(16),
            Some("0o" | "0O") => Some(8),
            Some("0b" | "0B") => Some(2),
            _ => None,
        };
        let value = match radix {
            Some(radix) => u64::from_str_radix(text.get(2..).unwrap_or_default(), radix).ok().map(|v| v as f64),
            None if text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-')) => {
                text.parse::<f64>().ok()
            }
            None => None,
        };
        let value = value.ok_or_else(|| fault(start, "this is no number"))?;
        let value = if negative { -value } else { value };
        if value.fract() == 0.0 {
            self.builder.form.bare_numbers += 1;
        }
        Ok(stored_number(value))
    }

    fn regex(&mut self) -> Result<Item<'a>, DecodeError> {
        let start = self.at;
        let rest = self.input.get(start + 1..).unwrap_or_default();
        let (mut escaped, mut in_class, mut length) = (false, false, None);
        for (at, byte) in rest.iter().enumerate() {
            match byte {
                b'\n' | b'\r' => return Err(fault(start, "a regular expression does not end on its line")),
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'[' => in_class = true,
                b']' => in_class = false,
                b'/' if !in_class => {
                    length = Some(at);
                    break;
                }
                _ => {}
            }
        }
        let Some(length) = length else { return Err(self.cut()) };
        let pattern = ejson::utf8(rest.get(..length).unwrap_or_default(), start + 1)?;
        self.at = start + length + 2;
        let flags = self.name()?;
        self.regex_of(pattern, flags, start)
    }

    fn regex_of(&self, pattern: &'a str, flags: &'a str, start: usize) -> Result<Item<'a>, DecodeError> {
        if pattern.contains('\0') || !flags.bytes().all(|b| b.is_ascii_lowercase()) {
            return Err(fault(start, "this is no regular expression"));
        }
        // These flags mean nothing to the server and are not stored.
        let kept: String = flags.chars().filter(|c| !matches!(c, 'g' | 'y' | 'd' | 'u' | 'v')).collect();
        let options = builder::sorted_options(self.builder.arena, self.builder.arena.alloc_str(&kept));
        Ok(Item::Regex(self.builder.arena.alloc((pattern, options))))
    }

    /// Replaces the closed arguments of a constructor by its value.
    fn construct(&mut self, frame: Frame<'a>, name: &'a str) -> Result<(), DecodeError> {
        let wrong = || fault(frame.start, "a constructor has arguments that it does not take");
        let mut given = [None; 8];
        let mut count = 0;
        let mut scope = 0;
        for (_, entry) in ejson::children(self.builder.entries, frame.event) {
            *given.get_mut(count).ok_or_else(wrong)? = Some(entry.item);
            if let Item::Object { bytes, .. } = entry.item {
                scope = bytes;
            }
            count += 1;
        }
        let [first, second, third, ..] = given;
        let arena = self.builder.arena;
        let text = |item: Option<Item<'a>>| if let Some(Item::String(text)) = item { Some(text) } else { None };
        // `BSON.`, `bson.`, `mongoose.Types.` and their like say nothing.
        let (class, method) = match name.rsplit_once('.') {
            Some((path, method)) if method == "UTC" || method.starts_with(|c: char| c.is_ascii_lowercase()) => {
                (path.rsplit('.').next().unwrap_or(path), method)
            }
            Some((_, class)) => (class, ""),
            None => (name, ""),
        };
        let item = match (class, method) {
            ("ObjectId" | "ObjectID", "" | "createFromHexString") => match (count, first) {
                (0, None) => Some(Item::ObjectId(self.fresh_id())),
                (1, Some(Item::String(text))) => builder::object_id(text).map(Item::ObjectId),
                (1, Some(Item::ObjectId(id))) => Some(Item::ObjectId(id)),
                (1, Some(Item::Int(seconds))) => Some(Item::ObjectId(from_seconds(seconds.cast_unsigned()))),
                _ => None,
            },
            ("ObjectId" | "ObjectID", "createFromTime") => match first {
                Some(Item::Int(seconds)) => Some(Item::ObjectId(from_seconds(seconds.cast_unsigned()))),
                Some(Item::Double(seconds)) => Some(Item::ObjectId(from_seconds(seconds as u32))),
                _ => None,
            },
            ("ISODate" | "Date", "") => self.date(count, &given).map(Item::Date),
            ("Date", "now") => {
                self.builder.form.bare_numbers += 1;
                Some(stored_number(self.now.milliseconds as f64))
            }
            ("Date", "UTC") => self.date(count.max(2), &given).map(|date| stored_number(date as f64)),
            ("NumberInt" | "Int32", "" | "fromString" | "fromNumber") => match first {
                None => Some(Item::Int(0)),
                // The shell wraps what does not fit, as a conversion in C does.
                first => whole_number(first).map(|v| Item::Int(v as i32)),
            },
            ("NumberLong" | "Long", "" | "fromString" | "fromNumber" | "fromInt" | "fromBigInt" | "fromValue") => {
                match (first, second) {
                    (None, _) => Some(Item::Long(0)),
                    (Some(Item::Int(low)), Some(Item::Int(high))) if method.is_empty() => Some(joined(low, high)),
                    (first, _) => whole_number(first).map(Item::Long),
                }
            }
            ("Long", "fromBits") => match (first, second) {
                (Some(Item::Int(low)), Some(Item::Int(high))) => Some(joined(low, high)),
                _ => None,
            },
            ("Double" | "Number", "" | "fromString") => match first {
                None => Some(Item::Double(0.0)),
                Some(Item::String(text)) => ejson::double(text.trim())
                    .map(|v| if class == "Number" { stored_number(v) } else { Item::Double(v) }),
                first => as_double(first).map(|v| if class == "Number" { stored_number(v) } else { Item::Double(v) }),
            },
            ("NumberDecimal" | "Decimal128", "" | "fromString" | "fromStringWithRounding") => {
                let decimal = match first {
                    None => Decimal::parse("0"),
                    Some(Item::String(text)) => Decimal::parse(text),
                    first => match (whole_number(first), as_double(first)) {
                        (Some(whole), _) => Decimal::parse(&whole.to_string()),
                        (None, Some(double)) => Decimal::parse(&double.to_string()),
                        _ => None,
                    },
                };
                decimal.map(|d| Item::Decimal(d.to_bytes()))
            }
            ("BinData", "") => match (first, text(second)) {
                (Some(Item::Int(subtype)), Some(base64)) => binary(arena, subtype, builder::base64(base64)),
                _ => None,
            },
            ("HexData", "") => match (first, text(second)) {
                (Some(Item::Int(subtype)), Some(digits)) => binary(arena, subtype, hex(digits)),
                _ => None,
            },
            ("UUID" | "LUUID" | "GUID", "" | "createFromHexString") => match (count, text(first)) {
                (0, _) => {
                    let mut bytes = [0; 16];
                    bytes.iter_mut().zip(self.fresh_id()).for_each(|(to, from)| *to = from);
                    Some(Item::BinData { subtype: 4, data: arena.alloc_slice_copy(&bytes) })
                }
                (1, Some(text)) => builder::uuid(text, true)
                    .map(|bytes| Item::BinData { subtype: 4, data: arena.alloc_slice_copy(&bytes) }),
                _ => None,
            },
            ("MD5", "") => text(first).and_then(|digits| binary(arena, 5, hex(digits))),
            ("Binary", "") => match (first, second) {
                (Some(Item::BinData { data, .. }), None) => Some(Item::BinData { subtype: 0, data }),
                (Some(Item::BinData { data, .. }), Some(Item::Int(subtype))) => {
                    u8::try_from(subtype).ok().map(|subtype| Item::BinData { subtype, data })
                }
                // A string is taken byte by byte.
                (Some(Item::String(text)), subtype) => {
                    let subtype = if let Some(Item::Int(subtype)) = subtype { subtype } else { 0 };
                    binary(arena, subtype, Some(text.bytes().collect()))
                }
                _ => None,
            },
            ("Binary", "createFromBase64" | "createFromHexString") => {
                let subtype = if let Some(Item::Int(subtype)) = second { subtype } else { 0 };
                let decode = if method == "createFromBase64" { builder::base64 } else { hex };
                text(first).and_then(|text| binary(arena, subtype, decode(text)))
            }
            ("Buffer", "from") => match (text(first), text(second)) {
                (Some(text), Some("hex")) => binary(arena, 0, hex(text)),
                (Some(text), Some("base64" | "base64url")) => binary(arena, 0, builder::base64(text)),
                (Some(text), None | Some("utf8" | "utf-8" | "ascii" | "latin1" | "binary")) => {
                    binary(arena, 0, Some(text.bytes().collect()))
                }
                _ => None,
            },
            ("Timestamp", "") => match (count, first, second) {
                (0, ..) => Some(Item::Timestamp { seconds: 0, ordinal: 0 }),
                (1, Some(Item::Object { .. }), _) => ejson::timestamp(self.builder.entries, frame.event + 1)
                    .map(|(seconds, ordinal)| Item::Timestamp { seconds, ordinal }),
                (1, Some(Item::Long(value)), _) => {
                    Some(Item::Timestamp { seconds: (value >> 32) as u32, ordinal: value as u32 })
                }
                (2, ..) => whole_number(first).zip(whole_number(second)).and_then(|(seconds, ordinal)| {
                    let (seconds, ordinal) = (u32::try_from(seconds).ok()?, u32::try_from(ordinal).ok()?);
                    Some(Item::Timestamp { seconds, ordinal })
                }),
                _ => None,
            },
            ("MinKey", "") => Some(Item::MinKey),
            ("MaxKey", "") => Some(Item::MaxKey),
            ("RegExp" | "BSONRegExp", "") => match (first, text(second)) {
                (Some(Item::String(pattern)), flags) => {
                    Some(self.regex_of(pattern, flags.unwrap_or_default(), frame.start)?)
                }
                (Some(Item::Regex(regex)), None) => Some(Item::Regex(regex)),
                (Some(Item::Regex((pattern, _))), Some(flags)) => Some(self.regex_of(pattern, flags, frame.start)?),
                _ => None,
            },
            ("Code", "") => match (text(first), second) {
                (Some(code), None) => Some(Item::Javascript(code)),
                (Some(code), Some(Item::Object { .. })) => Some(Item::JavascriptWithScope(arena.alloc((code, scope)))),
                _ => None,
            },
            ("Symbol" | "BSONSymbol", "" | "for") => text(first).map(Item::Symbol),
            ("String", "") => text(first).map(Item::String),
            ("Boolean", "") => match first {
                Some(Item::Bool(value)) => Some(Item::Bool(value)),
                _ => None,
            },
            ("DBPointer", "") => match (text(first), second) {
                (Some(ns), Some(Item::ObjectId(id))) => Some(Item::DbPointer(arena.alloc((ns, id)))),
                _ => None,
            },
            ("DBRef", "") => {
                if !(2..=3).contains(&count) || text(first).is_none() || (third.is_some() && text(third).is_none()) {
                    return Err(wrong());
                }
                self.builder.form.typed += 1;
                self.builder.close_as_object(frame, &["$ref", "$id", "$db"]);
                return Ok(());
            }
            _ => return Err(fault(frame.start, "a function call is no literal")),
        };
        self.builder.replace(frame, item.ok_or_else(wrong)?);
        Ok(())
    }

    /// The arguments of `new Date(…)` and `ISODate(…)`.
    fn date(&self, count: usize, given: &[Option<Item<'a>>; 8]) -> Option<i64> {
        match (count, given) {
            (0, _) => Some(self.now.milliseconds),
            (1, [Some(Item::String(text)), ..]) => time::parse_loose(text),
            (1, [Some(Item::Date(date)), ..]) => Some(*date),
            (1, [first, ..]) => as_double(*first).filter(|ms| ms.abs() <= 8.64e15).map(|ms| ms as i64),
            // Year, month from 0, day, …; the shell takes them as local time, which nobody knows here.
            _ => {
                let mut parts = [0, 0, 1, 0, 0, 0, 0];
                for (part, item) in parts.iter_mut().zip(given).take(count) {
                    *part = whole_number(*item).filter(|n| n.abs() < 1_000_000_000)?;
                }
                let [year, month, day, hours, minutes, seconds, milliseconds] = parts;
                let year = if (0..100).contains(&year) { 1900 + year } else { year };
                let (year, month) = (year + month.div_euclid(12), month.rem_euclid(12) + 1);
                let days = time::days_from_civil(year, month, 1)? + day - 1;
                Some((((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000 + milliseconds)
            }
        }
    }

    /// An id that no other of this input has, with the time that is given as now.
    fn fresh_id(&mut self) -> [u8; 12] {
        self.now.made = self.now.made.wrapping_add(1);
        let mut id = from_seconds((self.now.milliseconds / 1000) as u32);
        id.iter_mut().rev().zip(self.now.made.to_le_bytes()).for_each(|(to, from)| *to = from);
        id
    }

    #[cold]
    fn cut(&self) -> DecodeError {
        DecodeError { offset: self.input.len(), reason: "the document is cut", incomplete: true }
    }
}

/// What the driver stores for a number of JavaScript.
fn stored_number(value: f64) -> Item<'static> {
    let fits = value.fract() == 0.0 && (f64::from(i32::MIN)..=f64::from(i32::MAX)).contains(&value);
    if fits && !(value == 0.0 && value.is_sign_negative()) { Item::Int(value as i32) } else { Item::Double(value) }
}

fn joined(low: i32, high: i32) -> Item<'static> {
    Item::Long(i64::from(high) << 32 | i64::from(low.cast_unsigned()))
}

fn whole_number(item: Option<Item<'_>>) -> Option<i64> {
    match item? {
        Item::Int(value) => Some(value.into()),
        Item::Long(value) => Some(value),
        Item::Double(value) if value.is_finite() => Some(value as i64),
        Item::String(text) => text.trim().parse().ok(),
        _ => None,
    }
}

fn as_double(item: Option<Item<'_>>) -> Option<f64> {
    match item? {
        Item::Int(value) => Some(value.into()),
        Item::Long(value) => Some(value as f64),
        Item::Double(value) => Some(value),
        _ => None,
    }
}

fn binary(arena: &Bump, subtype: i32, data: Option<Vec<u8>>) -> Option<Item<'_>> {
    Some(Item::BinData { subtype: u8::try_from(subtype).ok()?, data: arena.alloc_slice_copy(&data?) })
}

fn hex(text: &str) -> Option<Vec<u8>> {
    let mut out = vec![0; text.len() / 2];
    builder::hex_into(text, &mut out)?;
    Some(out)
}

fn from_seconds(seconds: u32) -> [u8; 12] {
    let mut id = [0; 12];
    id.iter_mut().zip(seconds.to_be_bytes()).for_each(|(to, from)| *to = from);
    id
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::{Document, Value};

    fn read(text: &str) -> Result<(Value, Form), &'static str> {
        let arena = Bump::new();
        let mut entries = Vec::new();
        let mut now = Now { milliseconds: 1_000, made: 0 };
        let (read, form) = decode(text.as_bytes(), &arena, &mut entries, &mut now).map_err(|e| e.reason)?;
        assert_eq!(read, text.trim_end().len());
        Ok((Value::from_document(&Document { entries: &entries, fidelity: form.fidelity(false) }), form))
    }

    fn field(literal: &str) -> Result<Value, &'static str> {
        let (document, _) = read(&format!("{{ v: {literal} }}"))?;
        Ok(document.get("v").cloned().unwrap_or(Value::Null))
    }

    #[test]
    fn constructors() {
        let id = Value::ObjectId([0x5f, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
        for text in [
            "ObjectId('5f0000000000000000000001')",
            "new ObjectId(\"5f0000000000000000000001\")",
            "ObjectId.createFromHexString(`5f0000000000000000000001`)",
            "mongoose.Types.ObjectId('5f0000000000000000000001')",
            "{ $oid: '5f0000000000000000000001' }",
        ] {
            assert_eq!(field(text), Ok(id.clone()), "{text}");
        }
        for (text, value) in [
            ("ISODate('1970-01-01T00:00:01Z')", Value::Date(1000)),
            ("new Date(1000)", Value::Date(1000)),
            ("new Date(1970, 0, 1, 0, 0, 1)", Value::Date(1000)),
            ("new Date(Date.UTC(1970, 0, 1, 0, 0, 1))", Value::Date(1000)),
            ("new Date()", Value::Date(1000)),
            ("NumberInt('7')", Value::Int(7)),
            ("NumberLong(7)", Value::Long(7)),
            ("Long.fromString('9007199254740993')", Value::Long(9_007_199_254_740_993)),
            ("Double(5)", Value::Double(5.0)),
            ("Int32(5)", Value::Int(5)),
            ("5", Value::Int(5)),
            ("-5.0", Value::Int(-5)),
            ("0x10", Value::Int(16)),
            ("5e9", Value::Double(5e9)),
            ("7n", Value::Long(7)),
            ("-0", Value::Double(-0.0)),
            ("1_000", Value::Int(1000)),
            ("-Infinity", Value::Double(f64::NEG_INFINITY)),
            ("BinData(3, 'AQI=')", Value::BinData(3, vec![1, 2])),
            ("HexData(0, '0102')", Value::BinData(0, vec![1, 2])),
            ("Binary.createFromBase64('AQI=', 0)", Value::BinData(0, vec![1, 2])),
            ("new Binary(Buffer.from('0102', 'hex'), 5)", Value::BinData(5, vec![1, 2])),
            ("Timestamp(1, 2)", Value::Timestamp(1, 2)),
            ("Timestamp({ t: 1, i: 2 })", Value::Timestamp(1, 2)),
            ("MinKey()", Value::MinKey),
            ("MaxKey", Value::MaxKey),
            ("/a[/]\\/b/ig", Value::Regex("a[/]\\/b".into(), "i".into())),
            ("RegExp('x', 'si')", Value::Regex("x".into(), "is".into())),
            ("Code('f', { a: 1 })", Value::JavascriptWithScope("f".into(), 12)),
            ("undefined", Value::Undefined),
            ("'a\\n' +\n 'b'", Value::String("a\nb".into())),
            ("`it's`", Value::String("it's".into())),
            ("'\\u00e9\\x41\\u{1F600}\\''", Value::String("éA😀'".into())),
        ] {
            assert_eq!(field(text), Ok(value), "{text}");
        }
        let decimal = Decimal::parse("12.30").map(|d| Value::Decimal(d.to_bytes()));
        assert_eq!(field("NumberDecimal('12.30')").ok(), decimal);
        assert_eq!(
            field("DBRef('c', ObjectId('5f0000000000000000000001'))"),
            Ok(Value::Object(vec![("$ref".into(), Value::String("c".into())), ("$id".into(), id)]))
        );
    }

    #[test]
    fn what_people_write_around_it() {
        let text = "// a comment\n{ /* here */ a: 1, 'b-c': [1, 2,], ['d']: null, $e: true, 5: {}, }";
        let (value, form) = read(text).unwrap();
        let names: Vec<&str> = value.as_object().unwrap().iter().map(|(k, _)| k.as_str()).collect();
        assert_eq!(names, ["a", "b-c", "d", "$e", "5"]);
        assert_eq!(form.bare_numbers, 3);
        assert!(!form.cut);
    }

    #[test]
    fn what_the_shell_left_out() {
        let arena = Bump::new();
        let mut entries = Vec::new();
        let text = "{ a: [1, 2, ... 98 more items], b: [Object], c: 'x'... 900 more characters }";
        let (_, form) = decode(text.as_bytes(), &arena, &mut entries, &mut Now::default()).unwrap();
        assert!(form.cut);
        let document = Document { entries: &entries, fidelity: form.fidelity(false) };
        assert!(matches!(document.get("a"), Some(Item::Array { len: 100, .. })));
        assert!(matches!(document.get("b"), Some(Item::Object { bytes: 0, .. })));
        assert_eq!(document.children(0).count(), 3);
    }

    #[test]
    fn what_is_no_literal_is_refused() {
        for text in ["{ a }", "{ a: b }", "{ a: f(1) }", "{ a: `${b}` }", "{ a: }", "{ ...a }", "{ a: ObjectId('5') }"]
        {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
