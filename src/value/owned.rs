//! Owned values, for the few documents that are kept: catalogue entries, validators, the sample.

use super::event::{Document, Entry, Item, Type};

/// An owned value; documents keep the order and the duplicates of their keys.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum Value {
    /// 64-bit floating point.
    Double(f64),
    /// UTF-8 string.
    String(String),
    /// Embedded document.
    Object(Vec<(String, Value)>),
    /// Array.
    Array(Vec<Value>),
    /// Binary subtype and bytes.
    BinData(u8, Vec<u8>),
    /// Deprecated `undefined`.
    Undefined,
    /// ObjectId.
    ObjectId([u8; 12]),
    /// Boolean.
    Bool(bool),
    /// Milliseconds since the Unix epoch.
    Date(i64),
    /// Null.
    Null,
    /// Pattern and options.
    Regex(String, String),
    /// Deprecated DBPointer: namespace and id.
    DbPointer(String, [u8; 12]),
    /// JavaScript code.
    Javascript(String),
    /// Deprecated symbol.
    Symbol(String),
    /// Deprecated code with scope; the scope is not kept, only its size in bytes.
    JavascriptWithScope(String, u32),
    /// 32-bit integer.
    Int(i32),
    /// Internal timestamp: seconds and ordinal.
    Timestamp(u32, u32),
    /// 64-bit integer.
    Long(i64),
    /// 128-bit decimal, in the byte order of BSON.
    Decimal([u8; 16]),
    /// MinKey.
    MinKey,
    /// MaxKey.
    MaxKey,
}

/// Levels that are kept of a value; what lies deeper is left out.
const MAX_LEVELS: usize = 200;

/// How deep owned values nest: dropping, cloning and comparing them recurse. The server takes 200 levels at most.
pub const MAX_OWNED_DEPTH: usize = 1000;

impl Value {
    /// The whole document as an owned value. Containers deeper than [`MAX_OWNED_DEPTH`] become empty.
    pub fn from_document(document: &Document<'_>) -> Value {
        Value::from_entry(document, 0)
    }

    /// The value at `index` of the event list, with all below it.
    pub fn from_entry(document: &Document<'_>, index: usize) -> Value {
        // Iterative: documents nest as deep as their sender likes. What is kept must not, since dropping, comparing
        // and saving a value recurse; the server refuses such documents anyway.
        let mut open: Vec<(Value, String, usize)> = Vec::new();
        let mut at = index;
        loop {
            let Some(Entry { key, item }) = document.entries.get(at).copied() else { return Value::Null };
            let (mut value, mut name, mut end) = match item {
                Item::Object { end, .. } => (Value::Object(Vec::new()), key.to_owned(), end as usize),
                Item::Array { end, .. } => (Value::Array(Vec::new()), key.to_owned(), end as usize),
                other => (Value::scalar(other), key.to_owned(), at + 1),
            };
            at += 1;
            if MAX_LEVELS <= open.len() {
                at = end;
            }
            if at < end {
                open.push((value, name, end));
                continue;
            }
            loop {
                let Some((parent, parent_name, parent_end)) = open.pop() else { return value };
                let mut parent = parent;
                match &mut parent {
                    Value::Object(fields) => fields.push((name, value)),
                    Value::Array(elements) => elements.push(value),
                    _ => {}
                }
                if at < parent_end {
                    open.push((parent, parent_name, parent_end));
                    break;
                }
                (value, name, end) = (parent, parent_name, parent_end);
                at = at.max(end);
            }
        }
    }

    /// A value that is no container; containers come out empty.
    pub fn scalar(item: Item<'_>) -> Value {
        match item {
            Item::Double(v) => Value::Double(v),
            Item::String(v) => Value::String(v.to_owned()),
            Item::Object { .. } => Value::Object(Vec::new()),
            Item::Array { .. } => Value::Array(Vec::new()),
            Item::BinData { subtype, data } => Value::BinData(subtype, data.to_vec()),
            Item::Undefined => Value::Undefined,
            Item::ObjectId(v) => Value::ObjectId(v),
            Item::Bool(v) => Value::Bool(v),
            Item::Date(v) => Value::Date(v),
            Item::Null => Value::Null,
            Item::Regex((pattern, options)) => Value::Regex((*pattern).to_owned(), (*options).to_owned()),
            Item::DbPointer((ns, id)) => Value::DbPointer((*ns).to_owned(), *id),
            Item::Javascript(v) => Value::Javascript(v.to_owned()),
            Item::Symbol(v) => Value::Symbol(v.to_owned()),
            Item::JavascriptWithScope((code, scope)) => Value::JavascriptWithScope((*code).to_owned(), *scope),
            Item::Int(v) => Value::Int(v),
            Item::Timestamp { seconds, ordinal } => Value::Timestamp(seconds, ordinal),
            Item::Long(v) => Value::Long(v),
            Item::Decimal(v) => Value::Decimal(v),
            Item::MinKey => Value::MinKey,
            Item::MaxKey => Value::MaxKey,
        }
    }

    /// The BSON type.
    pub fn bson_type(&self) -> Type {
        match self {
            Value::Double(_) => Type::Double,
            Value::String(_) => Type::String,
            Value::Object(_) => Type::Object,
            Value::Array(_) => Type::Array,
            Value::BinData(..) => Type::BinData,
            Value::Undefined => Type::Undefined,
            Value::ObjectId(_) => Type::ObjectId,
            Value::Bool(_) => Type::Bool,
            Value::Date(_) => Type::Date,
            Value::Null => Type::Null,
            Value::Regex(..) => Type::Regex,
            Value::DbPointer(..) => Type::DbPointer,
            Value::Javascript(_) => Type::Javascript,
            Value::Symbol(_) => Type::Symbol,
            Value::JavascriptWithScope(..) => Type::JavascriptWithScope,
            Value::Int(_) => Type::Int,
            Value::Timestamp(..) => Type::Timestamp,
            Value::Long(_) => Type::Long,
            Value::Decimal(_) => Type::Decimal,
            Value::MinKey => Type::MinKey,
            Value::MaxKey => Type::MaxKey,
        }
    }

    /// The field of an object; the first one where a key occurs twice.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.as_object()?.iter().find(|(k, _)| k == key).map(|(_, v)| v)
    }

    /// The fields of an object.
    pub fn as_object(&self) -> Option<&[(String, Value)]> {
        if let Value::Object(fields) = self { Some(fields) } else { None }
    }

    /// The elements of an array.
    pub fn as_array(&self) -> Option<&[Value]> {
        if let Value::Array(elements) = self { Some(elements) } else { None }
    }

    /// The text of a string.
    pub fn as_str(&self) -> Option<&str> {
        if let Value::String(text) = self { Some(text) } else { None }
    }

    /// The value of a boolean.
    pub fn as_bool(&self) -> Option<bool> {
        if let Value::Bool(value) = self { Some(*value) } else { None }
    }

    /// The value of an integer or double; a Decimal128 is not converted.
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Value::Double(v) => Some(*v),
            Value::Int(v) => Some(f64::from(*v)),
            Value::Long(v) => Some(*v as f64),
            _ => None,
        }
    }

    /// The value of an integer, or of a double that is whole.
    pub fn as_i64(&self) -> Option<i64> {
        match self {
            Value::Int(v) => Some(i64::from(*v)),
            Value::Long(v) => Some(*v),
            Value::Double(v) if v.fract() == 0.0 && v.abs() < 9.0e15 => Some(*v as i64),
            _ => None,
        }
    }
}
