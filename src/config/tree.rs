//! The text of `mongovet.json` as a tree that remembers places: JSON with comments, trailing commas, unquoted keys and
//! single quotes; constructors and regular expressions of mongosh are values.

use serde::de::{self, DeserializeSeed, Deserializer, IntoDeserializer, MapAccess, SeqAccess, Visitor};
use serde::forward_to_deserialize_any;

use super::Error;
use crate::locale::mistake::{self, Saying, Words};
use crate::value::Value;
use crate::value::location::Position;

/// Deeper nesting than any setting needs.
const DEPTH: usize = 64;

/// A value and where it starts.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Node {
    /// Byte offset.
    pub(crate) start: usize,
    /// What it is.
    pub(crate) kind: Kind,
}

/// What a node is.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Kind {
    /// `null`.
    Null,
    /// A boolean.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// Any other number.
    Number(f64),
    /// A string.
    String(String),
    /// A list.
    Array(Vec<Node>),
    /// An object, in written order.
    Object(Vec<(Key, Node)>),
    /// A value that only MongoDB has.
    Value(Value),
}

/// A key and where it starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Key {
    /// Byte offset.
    pub(crate) start: usize,
    /// The name.
    pub(crate) name: String,
}

impl Node {
    /// The same value, without places.
    pub(crate) fn of(json: serde_json::Value) -> Node {
        let kind = match json {
            serde_json::Value::Null => Kind::Null,
            serde_json::Value::Bool(value) => Kind::Bool(value),
            serde_json::Value::Number(number) => match number.as_i64() {
                Some(whole) => Kind::Int(whole),
                None => Kind::Number(number.as_f64().unwrap_or_default()),
            },
            serde_json::Value::String(text) => Kind::String(text),
            serde_json::Value::Array(elements) => Kind::Array(elements.into_iter().map(Node::of).collect()),
            serde_json::Value::Object(entries) => {
                let entry = |(name, value)| (Key { start: 0, name }, Node::of(value));
                Kind::Object(entries.into_iter().map(entry).collect())
            }
        };
        Node { start: 0, kind }
    }

    /// The value of a key.
    pub(crate) fn get(&self, name: &str) -> Option<&Node> {
        self.entry(name).map(|(_, node)| node)
    }

    /// A key with its value.
    pub(crate) fn entry(&self, name: &str) -> Option<&(Key, Node)> {
        match &self.kind {
            Kind::Object(entries) => entries.iter().find(|(key, _)| key.name == name),
            _ => None,
        }
    }

    /// An element of a list.
    pub(crate) fn at(&self, index: usize) -> Option<&Node> {
        match &self.kind {
            Kind::Array(elements) => elements.get(index),
            _ => None,
        }
    }

    /// The same object without a key.
    pub(crate) fn without(&self, name: &str) -> Node {
        let kind = match &self.kind {
            Kind::Object(entries) => {
                Kind::Object(entries.iter().filter(|(key, _)| key.name != name).cloned().collect())
            }
            other => other.clone(),
        };
        Node { start: self.start, kind }
    }

    fn what(&self) -> &'static str {
        match self.kind {
            Kind::Null => mistake::NULL,
            Kind::Bool(_) => mistake::BOOLEAN,
            Kind::Int(_) => "i64",
            Kind::Number(_) => mistake::NUMBER,
            Kind::String(_) => mistake::STRING,
            Kind::Array(_) => mistake::LIST,
            Kind::Object(_) => mistake::OBJECT,
            Kind::Value(_) => mistake::MONGODB_VALUE,
        }
    }
}

/// Line and column of a byte offset.
pub(crate) fn position(text: &str, offset: usize) -> Position {
    let before = text.get(..offset).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let line = before.bytes().filter(|b| *b == b'\n').count() as u32 + 1;
    let column = before.get(line_start..).unwrap_or_default().encode_utf16().count() as u32 + 1;
    Position { line, column }
}

/// Reads the whole text as one value.
pub(crate) fn parse(text: &str) -> Result<Node, Fault> {
    let mut parser = Parser { text, at: if text.starts_with('\u{feff}') { 3 } else { 0 } };
    let node = parser.value(0)?;
    parser.space()?;
    if parser.at < text.len() {
        return Err(parser.fault(mistake::NOTHING_MORE));
    }
    Ok(node)
}

/// What is wrong, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fault {
    /// Byte offset, once it is known.
    pub(crate) offset: Option<usize>,
    /// One sentence, lower-case, without a full stop.
    pub(crate) message: Saying,
    /// What was probably meant.
    pub(crate) hint: Option<Saying>,
}

impl Fault {
    /// A fault at a byte offset.
    pub(crate) fn at(offset: usize, message: impl Into<Saying>) -> Self {
        Fault { offset: Some(offset), message: message.into(), hint: None }
    }

    /// A fault whose place is not known yet.
    pub(crate) fn unplaced(message: impl Into<Saying>) -> Self {
        Fault { offset: None, message: message.into(), hint: None }
    }

    /// The fault with what was probably meant.
    #[must_use]
    pub(crate) fn hinted(mut self, hint: Option<Saying>) -> Self {
        self.hint = hint;
        self
    }

    /// The fault as the user sees it.
    pub(crate) fn in_file(self, name: &str, text: &str) -> Error {
        let error = Error::new("configuration", self.message, self.hint);
        let place = self.offset.map(|offset| position(text, offset));
        Error { file: Some(name.to_owned()), place, ..error }
    }

    /// The fault at a place, unless an inner value has told its own already.
    #[must_use]
    pub(crate) fn or_at(mut self, offset: usize) -> Self {
        self.offset.get_or_insert(offset);
        self
    }
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message.told(crate::locale::Lang::En))
    }
}

impl std::error::Error for Fault {}

impl de::Error for Fault {
    fn custom<T: std::fmt::Display>(message: T) -> Self {
        Fault::unplaced(Saying::text(message.to_string()))
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Self {
        let hint = crate::facts::spelling::nearest(field, expected.iter().copied()).map(super::did_you_mean);
        Fault::unplaced(Saying::from(mistake::UNKNOWN_KEY).with("name", field)).hinted(hint)
    }

    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Self {
        let words = expected.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ");
        let hint = crate::facts::spelling::nearest(variant, expected.iter().copied()).map(super::did_you_mean);
        let message = Saying::from(mistake::UNKNOWN_WORD).with("name", variant).with("names", words);
        Fault::unplaced(message).hinted(hint)
    }

    fn missing_field(field: &'static str) -> Self {
        Fault::unplaced(Saying::from(mistake::MISSING_KEY).with("name", field))
    }

    fn invalid_type(found: de::Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        use de::Unexpected::{Bool, Bytes, Float, Map, Option, Seq, Signed, Str, Unit, Unsigned};
        let found = match found {
            Bool(value) => quoted(value),
            Unsigned(value) => quoted(value),
            Signed(value) => quoted(value),
            Float(value) => quoted(value),
            Str(value) => quoted(value),
            Unit | Option => mistake::kind(mistake::NULL),
            Seq => mistake::kind(mistake::LIST),
            Map => mistake::kind(mistake::OBJECT),
            Bytes(_) => mistake::kind(mistake::MONGODB_VALUE),
            other => mistake::kind(&other.to_string()),
        };
        Fault::unplaced(misplaced(found, &expected.to_string()))
    }

    fn invalid_length(_: usize, expected: &dyn de::Expected) -> Self {
        Fault::unplaced(misplaced(mistake::kind(mistake::LIST), &expected.to_string()))
    }

    fn invalid_value(found: de::Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        Fault::invalid_type(found, expected)
    }
}

fn misplaced(found: [String; 2], expected: &str) -> Saying {
    Saying::from(mistake::MISPLACED).with_words("found", found).with_words("expected", mistake::kind(expected))
}

/// A value as it was written, the same in each language.
fn quoted(value: impl std::fmt::Display) -> [String; 2] {
    let text = format!("`{value}`");
    [text.clone(), text]
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Parser<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn eat(&mut self, c: char) -> bool {
        let is_there = self.peek() == Some(c);
        if is_there {
            self.at += c.len_utf8();
        }
        is_there
    }

    fn fault(&self, message: Words) -> Fault {
        let message = if self.at < self.text.len() { message } else { mistake::ENDS_EARLY };
        Fault::at(self.at, message)
    }

    /// Passes white space and comments.
    fn space(&mut self) -> Result<(), Fault> {
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
            self.at += rest.len() - trimmed.len();
            if trimmed.starts_with("//") {
                self.at += trimmed.find('\n').unwrap_or(trimmed.len());
            } else if let Some(comment) = trimmed.strip_prefix("/*") {
                let Some(end) = comment.find("*/") else {
                    return Err(Fault::at(self.at, mistake::OPEN_COMMENT));
                };
                self.at += end + 4;
            } else {
                return Ok(());
            }
        }
    }

    fn value(&mut self, depth: usize) -> Result<Node, Fault> {
        self.space()?;
        let start = self.at;
        if depth > DEPTH {
            return Err(self.fault(mistake::TOO_DEEP));
        }
        let kind = match self.peek() {
            Some('{') => self.object(depth)?,
            Some('[') => self.array(depth)?,
            Some(quote @ ('"' | '\'')) => Kind::String(self.string(quote)?),
            Some('/') => self.literal()?,
            Some(c) if c.is_ascii_digit() || matches!(c, '-' | '+' | '.') => self.number()?,
            Some(c) if is_name(c) => {
                let word = self.word();
                match word {
                    "true" => Kind::Bool(true),
                    "false" => Kind::Bool(false),
                    "null" => Kind::Null,
                    _ => {
                        self.at = start;
                        self.literal()?
                    }
                }
            }
            _ => return Err(self.fault(mistake::EXPECTS_VALUE)),
        };
        Ok(Node { start, kind })
    }

    fn object(&mut self, depth: usize) -> Result<Kind, Fault> {
        let opening = self.at;
        self.at += 1;
        let mut entries: Vec<(Key, Node)> = Vec::new();
        loop {
            self.space()?;
            if self.eat('}') {
                // Extended JSON writes a value of MongoDB as an object with a dollar key.
                let is_wrapper = entries.first().is_some_and(|(key, _)| key.name.starts_with('$'));
                let text = self.text.get(opening..self.at).filter(|_| is_wrapper && depth > 1);
                return Ok(match text.and_then(super::literal) {
                    Some(value) if value.as_object().is_none() => Kind::Value(value),
                    _ => Kind::Object(entries),
                });
            }
            let start = self.at;
            let name = match self.peek() {
                Some(quote @ ('"' | '\'')) => self.string(quote)?,
                Some(c) if is_name(c) => self.word().to_owned(),
                _ => return Err(self.fault(mistake::EXPECTS_KEY)),
            };
            if entries.iter().any(|(key, _)| key.name == name) {
                return Err(Fault::at(start, Saying::from(mistake::REPEATED_KEY).with("name", name)));
            }
            self.space()?;
            if !self.eat(':') {
                return Err(self.fault(mistake::EXPECTS_COLON));
            }
            let value = self.value(depth + 1)?;
            entries.push((Key { start, name }, value));
            self.space()?;
            if !self.eat(',') && self.peek() != Some('}') {
                return Err(self.fault(mistake::EXPECTS_COMMA_OR_BRACE));
            }
        }
    }

    fn array(&mut self, depth: usize) -> Result<Kind, Fault> {
        self.at += 1;
        let mut elements = Vec::new();
        loop {
            self.space()?;
            if self.eat(']') {
                return Ok(Kind::Array(elements));
            }
            elements.push(self.value(depth + 1)?);
            self.space()?;
            if !self.eat(',') && self.peek() != Some(']') {
                return Err(self.fault(mistake::EXPECTS_COMMA_OR_BRACKET));
            }
        }
    }

    fn string(&mut self, quote: char) -> Result<String, Fault> {
        let start = self.at;
        self.at += 1;
        let mut out = String::new();
        loop {
            let Some(c) = self.peek().filter(|c| *c != '\n') else {
                return Err(Fault::at(start, mistake::OPEN_STRING));
            };
            self.at += c.len_utf8();
            match c {
                c if c == quote => return Ok(out),
                '\\' => self.escape(&mut out)?,
                c => out.push(c),
            }
        }
    }

    fn escape(&mut self, out: &mut String) -> Result<(), Fault> {
        let start = self.at - 1;
        let Some(c) = self.peek() else { return Err(self.fault(mistake::ENDS_EARLY)) };
        self.at += c.len_utf8();
        out.push(match c {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'b' => '\u{8}',
            'f' => '\u{c}',
            'u' => {
                let first = self.unit(start)?;
                let mut units = vec![first];
                if (0xd800..0xdc00).contains(&first) && self.rest().starts_with("\\u") {
                    self.at += 2;
                    units.push(self.unit(start)?);
                }
                let decoded = char::decode_utf16(units).next().and_then(Result::ok);
                decoded.ok_or_else(|| Fault::at(start, mistake::NO_CHARACTER))?
            }
            '"' | '\'' | '\\' | '/' => c,
            _ => return Err(Fault::at(start, mistake::UNKNOWN_ESCAPE)),
        });
        Ok(())
    }

    fn unit(&mut self, start: usize) -> Result<u16, Fault> {
        let digits = self.rest().get(..4).filter(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()));
        let unit = digits.and_then(|digits| u16::from_str_radix(digits, 16).ok());
        self.at += 4;
        unit.ok_or_else(|| Fault::at(start, mistake::FOUR_DIGITS))
    }

    fn number(&mut self) -> Result<Kind, Fault> {
        let start = self.at;
        let rest = self.rest();
        let end =
            rest.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))).unwrap_or(rest.len());
        let text = rest.get(..end).unwrap_or_default();
        self.at += end;
        if let Ok(whole) = text.parse::<i64>() {
            return Ok(Kind::Int(whole));
        }
        // `inf` and `nan` are numbers for Rust alone.
        let number = text.parse::<f64>().ok().filter(|number| number.is_finite() && !text.contains(['n', 'N']));
        number.map(Kind::Number).ok_or_else(|| Fault::at(start, mistake::NO_NUMBER))
    }

    fn word(&mut self) -> &'t str {
        let rest = self.rest();
        let end = rest.find(|c: char| !(is_name(c) || c.is_ascii_digit())).unwrap_or(rest.len());
        self.at += end;
        rest.get(..end).unwrap_or_default()
    }

    /// A constructor call or regular expression, which the decoder of shell literals reads.
    fn literal(&mut self) -> Result<Kind, Fault> {
        let start = self.at;
        let end = start + extent(self.rest());
        let text = self.text.get(start..end).unwrap_or_default();
        let value = super::literal(text).ok_or_else(|| Fault::at(start, mistake::NO_VALUE))?;
        self.at = end;
        Ok(Kind::Value(value))
    }
}

/// How far a constructor call or regular expression reaches: to what separates values outside its own brackets.
fn extent(text: &str) -> usize {
    let (mut depth, mut quote, mut escaped) = (0usize, None, false);
    for (at, c) in text.char_indices() {
        match (quote, c) {
            _ if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(open), c) if c == open => quote = None,
            (Some(_), '\n') => return at,
            (None, '"' | '\'') => quote = Some(c),
            (None, '/') if at == 0 => quote = Some(c),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ',' | ']' | '}' | ')' | '\n') if depth == 0 => return at,
            (None, ')' | ']' | '}') => depth -= 1,
            _ => {}
        }
    }
    text.len()
}

fn is_name(c: char) -> bool {
    c.is_alphabetic() || matches!(c, '_' | '$')
}

/// Reads a node as a type; every fault gets the place of the innermost value or key that caused it.
impl<'de> Deserializer<'de> for &'de Node {
    type Error = Fault;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        let read = match &self.kind {
            Kind::Null => visitor.visit_unit(),
            Kind::Bool(value) => visitor.visit_bool(*value),
            Kind::Int(value) => match u64::try_from(*value) {
                Ok(value) => visitor.visit_u64(value),
                Err(_) => visitor.visit_i64(*value),
            },
            Kind::Number(value) => visitor.visit_f64(*value),
            Kind::String(value) => visitor.visit_borrowed_str(value),
            Kind::Array(elements) => visitor.visit_seq(Elements(elements.iter())),
            Kind::Object(entries) => visitor.visit_map(Entries { entries: entries.iter(), value: None }),
            Kind::Value(value) => match postcard::to_allocvec(value) {
                Ok(bytes) => visitor.visit_byte_buf(bytes),
                Err(_) => Err(de::Error::custom("this value cannot stand here")),
            },
        };
        read.map_err(|fault| fault.or_at(self.start))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        // An absent setting is left out, not null.
        match self.kind {
            Kind::Null => Err(Fault::at(self.start, mistake::NULL_SAYS_NOTHING)),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_newtype_struct(self)
    }

    /// A list of values in the order of a struct's fields is no form that anybody would mean.
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        match self.kind {
            Kind::Object(_) => self.deserialize_any(visitor),
            _ => Err(Fault::at(self.start, misplaced(mistake::kind(self.what()), mistake::OBJECT))),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        match &self.kind {
            Kind::String(word) => {
                let word: de::value::StrDeserializer<'_, Fault> = word.as_str().into_deserializer();
                visitor.visit_enum(word).map_err(|fault| fault.or_at(self.start))
            }
            _ => Err(Fault::at(self.start, misplaced(mistake::kind(self.what()), mistake::WORD))),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq
        tuple tuple_struct map identifier ignored_any
    }
}

struct Elements<'de>(std::slice::Iter<'de, Node>);

impl<'de> SeqAccess<'de> for Elements<'de> {
    type Error = Fault;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Fault> {
        self.0.next().map(|node| seed.deserialize(node)).transpose()
    }
}

struct Entries<'de> {
    entries: std::slice::Iter<'de, (Key, Node)>,
    value: Option<&'de Node>,
}

impl<'de> MapAccess<'de> for Entries<'de> {
    type Error = Fault;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Fault> {
        let Some((key, node)) = self.entries.next() else { return Ok(None) };
        self.value = Some(node);
        let name: de::value::StrDeserializer<'_, Fault> = key.name.as_str().into_deserializer();
        seed.deserialize(name).map(Some).map_err(|fault| fault.or_at(key.start))
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Fault> {
        let node = self.value.take().ok_or_else(|| <Fault as de::Error>::custom("a value before its key"))?;
        // A fault of the value as a whole, such as a missing key, stands at the value.
        seed.deserialize(node).map_err(|fault| fault.or_at(node.start))
    }
}
