//! One document as a flat list of events, the form that every decoder produces and every consumer reads.
//!
//! A document is decoded completely before anybody sees it, so a broken one leaves no half-counted traces.
//! Strings are borrowed from the input or from the decoder's arena; nothing is a tree.

/// A BSON type, in the order of the type numbers of the BSON specification where that helps reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
#[repr(u8)]
pub enum Type {
    /// 64-bit floating point.
    Double,
    /// UTF-8 string.
    String,
    /// Embedded document.
    Object,
    /// Array.
    Array,
    /// Binary data of any subtype.
    BinData,
    /// Deprecated `undefined`.
    Undefined,
    /// 12-byte ObjectId.
    ObjectId,
    /// Boolean.
    Bool,
    /// UTC milliseconds.
    Date,
    /// Null.
    Null,
    /// Regular expression.
    Regex,
    /// Deprecated DBPointer.
    DbPointer,
    /// JavaScript code.
    Javascript,
    /// Deprecated symbol.
    Symbol,
    /// Deprecated JavaScript code with scope.
    JavascriptWithScope,
    /// 32-bit integer.
    Int,
    /// Internal timestamp.
    Timestamp,
    /// 64-bit integer.
    Long,
    /// 128-bit decimal.
    Decimal,
    /// MinKey.
    MinKey,
    /// MaxKey.
    MaxKey,
}

impl Type {
    /// How many types there are; the size of a table indexed by `Type as usize`.
    pub const COUNT: usize = 21;

    /// Every type, in declaration order.
    pub const ALL: [Type; Type::COUNT] = [
        Type::Double,
        Type::String,
        Type::Object,
        Type::Array,
        Type::BinData,
        Type::Undefined,
        Type::ObjectId,
        Type::Bool,
        Type::Date,
        Type::Null,
        Type::Regex,
        Type::DbPointer,
        Type::Javascript,
        Type::Symbol,
        Type::JavascriptWithScope,
        Type::Int,
        Type::Timestamp,
        Type::Long,
        Type::Decimal,
        Type::MinKey,
        Type::MaxKey,
    ];

    /// The alias that `$type` and `bsonType` use, such as `"objectId"`.
    pub fn alias(self) -> &'static str {
        match self {
            Type::Double => "double",
            Type::String => "string",
            Type::Object => "object",
            Type::Array => "array",
            Type::BinData => "binData",
            Type::Undefined => "undefined",
            Type::ObjectId => "objectId",
            Type::Bool => "bool",
            Type::Date => "date",
            Type::Null => "null",
            Type::Regex => "regex",
            Type::DbPointer => "dbPointer",
            Type::Javascript => "javascript",
            Type::Symbol => "symbol",
            Type::JavascriptWithScope => "javascriptWithScope",
            Type::Int => "int",
            Type::Timestamp => "timestamp",
            Type::Long => "long",
            Type::Decimal => "decimal",
            Type::MinKey => "minKey",
            Type::MaxKey => "maxKey",
        }
    }

    /// The type of an alias, if there is one.
    pub fn from_alias(alias: &str) -> Option<Type> {
        Type::ALL.into_iter().find(|t| t.alias() == alias)
    }

    /// Whether values of this type compare as numbers.
    pub fn is_number(self) -> bool {
        matches!(self, Type::Double | Type::Int | Type::Long | Type::Decimal)
    }
}

/// A value. Containers are followed by their entries in the event list.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Item<'a> {
    /// 64-bit floating point.
    Double(f64),
    /// UTF-8 string.
    String(&'a str),
    /// An embedded document: its entries are `start + 1 .. end` of the event list.
    Object {
        /// Index of the first event behind this object.
        end: u32,
        /// Size as BSON, in bytes.
        bytes: u32,
    },
    /// An array: its elements are `start + 1 .. end` of the event list.
    Array {
        /// Index of the first event behind this array.
        end: u32,
        /// Size as BSON, in bytes.
        bytes: u32,
        /// Number of elements. More than there are events for where pasted shell output was cut.
        len: u32,
    },
    /// Binary data.
    BinData {
        /// Binary subtype.
        subtype: u8,
        /// The bytes.
        data: &'a [u8],
    },
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
    /// Regular expression: pattern and options.
    Regex(&'a (&'a str, &'a str)),
    /// Deprecated DBPointer: namespace and id.
    DbPointer(&'a (&'a str, [u8; 12])),
    /// JavaScript code.
    Javascript(&'a str),
    /// Deprecated symbol.
    Symbol(&'a str),
    /// Deprecated code with scope: the code; the scope is not kept, only its size in bytes.
    JavascriptWithScope(&'a (&'a str, u32)),
    /// 32-bit integer.
    Int(i32),
    /// Internal timestamp: seconds and ordinal.
    Timestamp {
        /// Seconds since the Unix epoch.
        seconds: u32,
        /// Ordinal within the second.
        ordinal: u32,
    },
    /// 64-bit integer.
    Long(i64),
    /// 128-bit decimal, in the byte order of BSON.
    Decimal([u8; 16]),
    /// MinKey.
    MinKey,
    /// MaxKey.
    MaxKey,
}

impl Item<'_> {
    /// The BSON type of this value.
    pub fn bson_type(&self) -> Type {
        match self {
            Item::Double(_) => Type::Double,
            Item::String(_) => Type::String,
            Item::Object { .. } => Type::Object,
            Item::Array { .. } => Type::Array,
            Item::BinData { .. } => Type::BinData,
            Item::Undefined => Type::Undefined,
            Item::ObjectId(_) => Type::ObjectId,
            Item::Bool(_) => Type::Bool,
            Item::Date(_) => Type::Date,
            Item::Null => Type::Null,
            Item::Regex(_) => Type::Regex,
            Item::DbPointer(_) => Type::DbPointer,
            Item::Javascript(_) => Type::Javascript,
            Item::Symbol(_) => Type::Symbol,
            Item::JavascriptWithScope(_) => Type::JavascriptWithScope,
            Item::Int(_) => Type::Int,
            Item::Timestamp { .. } => Type::Timestamp,
            Item::Long(_) => Type::Long,
            Item::Decimal(_) => Type::Decimal,
            Item::MinKey => Type::MinKey,
            Item::MaxKey => Type::MaxKey,
        }
    }

    /// Whether this is an object or array that the shell left out of its output (`[Object]`): it was there, and
    /// nothing is known of it. No stored container has 0 bytes.
    pub fn is_left_out(&self) -> bool {
        matches!(self, Item::Object { bytes: 0, .. } | Item::Array { bytes: 0, .. })
    }

    /// Size of the value as BSON in bytes, without its type byte and key.
    pub fn bytes(&self) -> u32 {
        match self {
            Item::Double(_) | Item::Date(_) | Item::Timestamp { .. } | Item::Long(_) => 8,
            Item::String(s) | Item::Javascript(s) | Item::Symbol(s) => s.len() as u32 + 5,
            Item::Object { bytes, .. } | Item::Array { bytes, .. } => *bytes,
            Item::BinData { data, subtype } => data.len() as u32 + if *subtype == 2 { 9 } else { 5 },
            Item::Undefined | Item::Null | Item::MinKey | Item::MaxKey => 0,
            Item::ObjectId(_) => 12,
            Item::Bool(_) => 1,
            Item::Regex((pattern, options)) => (pattern.len() + options.len()) as u32 + 2,
            Item::DbPointer((ns, _)) => ns.len() as u32 + 17,
            Item::JavascriptWithScope((code, scope)) => code.len() as u32 + 9 + scope,
            Item::Int(_) => 4,
            Item::Decimal(_) => 16,
        }
    }
}

/// One event: a value and the key that it stands under (empty inside arrays and for the document itself).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Entry<'a> {
    /// The field name.
    pub key: &'a str,
    /// The value.
    pub item: Item<'a>,
}

/// A complete document. `entries[0]` is the document itself, an [`Item::Object`] with an empty key.
#[derive(Debug, Clone, Copy)]
pub struct Document<'a> {
    /// The events, depth first, in stored order.
    pub entries: &'a [Entry<'a>],
    /// What this reading of the document cannot tell, from the form of its input.
    pub fidelity: Fidelity,
}

/// How much of the stored types survived in the input form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Fidelity {
    /// Types are as stored: BSON, canonical Extended JSON, shell constructors.
    #[default]
    Exact,
    /// Number types are lost (relaxed Extended JSON prints a Double 5 as `5`); all else is as stored.
    NumbersLost,
    /// Plain JSON: dates and ids may have become strings.
    TypesLost,
}

impl<'a> Document<'a> {
    /// Size of the document as BSON, in bytes.
    pub fn bytes(&self) -> u32 {
        self.entries.first().map_or(0, |root| root.item.bytes())
    }

    /// The entries directly below the container at `index`, with their own indexes.
    pub fn children(&self, index: usize) -> Children<'a> {
        let end = match self.entries.get(index).map(|e| e.item) {
            Some(Item::Object { end, .. } | Item::Array { end, .. }) => end as usize,
            _ => index + 1,
        };
        Children { entries: self.entries, next: index + 1, end: end.min(self.entries.len()) }
    }

    /// The value of a top-level field; the first one where a key occurs twice.
    pub fn get(&self, key: &str) -> Option<Item<'a>> {
        self.children(0).find(|(_, e)| e.key == key).map(|(_, e)| e.item)
    }
}

/// Iterator over the direct children of a container.
#[derive(Debug, Clone)]
pub struct Children<'a> {
    entries: &'a [Entry<'a>],
    next: usize,
    end: usize,
}

impl<'a> Iterator for Children<'a> {
    type Item = (usize, Entry<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        if self.next >= self.end {
            return None;
        }
        let index = self.next;
        let entry = *self.entries.get(index)?;
        self.next = match entry.item {
            Item::Object { end, .. } | Item::Array { end, .. } => (end as usize).max(index + 1),
            _ => index + 1,
        };
        Some((index, entry))
    }
}

/// Why input could not be decoded, with its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecodeError {
    /// Byte offset of the fault from the start of what was given to the decoder.
    pub offset: usize,
    /// What is wrong, in English, lower-case, without a full stop and without input text.
    pub reason: &'static str,
    /// Whether more input could still make it right (the input ends too early).
    pub incomplete: bool,
}
