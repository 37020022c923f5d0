//! One index: its key, its options, and what the server takes for the same index.

use serde::{Deserialize, Serialize};

use super::Origin;
use crate::facts::{self, Version};
use crate::order::Ordered;
use crate::value::Value;
use crate::value::key::{FieldOrder, equal};
use crate::value::location::Location;

/// How one field stands in the key of an index.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum IndexKind {
    /// Sorted upwards.
    Ascending,
    /// Sorted downwards.
    Descending,
    /// Full text.
    Text,
    /// Legacy coordinates on a plane.
    Geo2d,
    /// GeoJSON on a sphere.
    Geo2dsphere,
    /// Hash of the value.
    Hashed,
    /// A kind that is not known, or a direction that the server refuses, as given.
    Other(String),
}

/// One index, as a catalogue shows it or as a script wants it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Index {
    /// Its name; the server's default name where a script gives none.
    pub name: String,
    /// Paths and kinds, in order. A text index lists its text fields where `_fts` stands in the stored key.
    pub key: Vec<(String, IndexKind)>,
    /// Whether keys are unique.
    pub unique: bool,
    /// Whether documents without the field are left out.
    pub sparse: bool,
    /// Whether the planner may not use it.
    pub hidden: bool,
    /// Whether it refuses new duplicates, on its way to unique.
    pub prepare_unique: bool,
    /// The filter of a partial index, as given.
    pub partial_filter: Option<Value>,
    /// Seconds after which documents go, as given: it may be no number.
    pub expire_after_seconds: Option<Value>,
    /// The collation, as given.
    pub collation: Option<Value>,
    /// Which fields a wildcard index takes, as given.
    pub wildcard_projection: Option<Value>,
    /// Weights of text fields, in the order given.
    pub weights: Vec<(String, f64)>,
    /// The format version.
    pub version: Option<i64>,
    /// Options that are not listed above, as given (`textIndexVersion`, `background`, `storageEngine`, …).
    pub other: Vec<(String, Value)>,
    /// Whether it is there or only wanted.
    pub origin: Origin,
    /// Where it stands.
    pub location: Option<Location>,
}

impl IndexKind {
    /// The kind that a value of a key pattern stands for.
    ///
    /// Old servers took any value: what is no negative number and no text was ascending, as mongorestore reads it.
    /// For a wish the server's rule of today holds: a number other than zero, or the name of a type.
    pub fn parse(value: &Value, origin: Origin) -> IndexKind {
        use crate::value::number::Number;
        if let Some(number) = Number::of_value(value) {
            return match number {
                Number::Finite { negative: true, .. } | Number::Infinite { negative: true } => IndexKind::Descending,
                Number::Finite { coefficient: 1.., .. } | Number::Infinite { .. } => IndexKind::Ascending,
                _ if origin == Origin::Present => IndexKind::Ascending,
                Number::NaN => IndexKind::Other("NaN".to_owned()),
                Number::Finite { .. } => IndexKind::Other("0".to_owned()),
            };
        }
        match (value, origin) {
            (Value::String(text), _) => match text.as_str() {
                "text" => IndexKind::Text,
                "2d" => IndexKind::Geo2d,
                "2dsphere" => IndexKind::Geo2dsphere,
                "hashed" => IndexKind::Hashed,
                "" if origin == Origin::Present => IndexKind::Ascending,
                other => IndexKind::Other(other.to_owned()),
            },
            (_, Origin::Present) => IndexKind::Ascending,
            (Value::Bool(value), Origin::Wanted) => IndexKind::Other(value.to_string()),
            (other, Origin::Wanted) => IndexKind::Other(other.bson_type().alias().to_owned()),
        }
    }

    /// Whether the field is kept in sorted order, so that ranges, sorts and prefixes work on it.
    pub fn is_sorted(&self) -> bool {
        matches!(self, IndexKind::Ascending | IndexKind::Descending)
    }

    /// How a key pattern writes it.
    pub fn text(&self) -> &str {
        match self {
            IndexKind::Ascending => "1",
            IndexKind::Descending => "-1",
            IndexKind::Text => "text",
            IndexKind::Geo2d => "2d",
            IndexKind::Geo2dsphere => "2dsphere",
            IndexKind::Hashed => "hashed",
            IndexKind::Other(text) => text,
        }
    }
}

impl Index {
    /// The index of a stored specification, or of a `key` and options merged as `createIndexes` takes them.
    ///
    /// None where the value is no object with a key that is one.
    pub fn parse(spec: &Value, origin: Origin) -> Option<Index> {
        let fields = spec.as_object()?;
        let pattern = spec.get("key")?.as_object()?;
        let mut index = Index::of_key(pattern, origin);
        for (name, value) in fields {
            match name.as_str() {
                "key" | "ns" => {}
                "name" => {
                    if let Some(name) = value.as_str() {
                        name.clone_into(&mut index.name);
                    }
                }
                "unique" => index.unique = truthy(value),
                "sparse" => index.sparse = truthy(value),
                "hidden" => index.hidden = truthy(value),
                "prepareUnique" => index.prepare_unique = truthy(value),
                "partialFilterExpression" => index.partial_filter = Some(value.clone()),
                "expireAfterSeconds" => index.expire_after_seconds = Some(value.clone()),
                "collation" => index.collation = Some(value.clone()),
                "wildcardProjection" => index.wildcard_projection = Some(value.clone()),
                "weights" => {
                    index.weights = value
                        .as_object()
                        .unwrap_or_default()
                        .iter()
                        .map(|(k, v)| (k.clone(), v.as_f64().unwrap_or(1.0)))
                        .collect();
                }
                "v" => index.version = value.as_i64(),
                _ => index.other.push((name.clone(), value.clone())),
            }
        }
        index.expand_text();
        Some(index)
    }

    /// An index without options, under the server's default name.
    pub fn of_key(pattern: &[(String, Value)], origin: Origin) -> Index {
        Index {
            name: default_name(pattern),
            key: pattern.iter().map(|(path, value)| (path.clone(), IndexKind::parse(value, origin))).collect(),
            unique: false,
            sparse: false,
            hidden: false,
            prepare_unique: false,
            partial_filter: None,
            expire_after_seconds: None,
            collation: None,
            wildcard_projection: None,
            weights: Vec::new(),
            version: None,
            other: Vec::new(),
            origin,
            location: None,
        }
    }

    /// Puts the text fields where the stored key has `_fts` and `_ftsx`.
    fn expand_text(&mut self) {
        let Some(at) = self.key.iter().position(|(path, kind)| path == "_fts" && *kind == IndexKind::Text) else {
            return;
        };
        self.key.retain(|(path, _)| path != "_ftsx");
        let fields = self.weights.iter().map(|(path, _)| (path.clone(), IndexKind::Text)).collect::<Vec<_>>();
        if !fields.is_empty() {
            self.key.splice(at..=at, fields);
        }
    }

    /// Whether this is the index on `_id` that every collection has.
    pub fn is_id(&self) -> bool {
        matches!(self.key.as_slice(), [(path, kind)] if path == "_id" && kind.is_sorted())
    }

    /// Whether any field of the key is a wildcard.
    pub fn is_wildcard(&self) -> bool {
        self.key.iter().any(|(path, kind)| *kind != IndexKind::Text && (path == "$**" || path.ends_with(".$**")))
    }

    /// Whether it is a text index.
    pub fn is_text(&self) -> bool {
        self.key.iter().any(|(_, kind)| *kind == IndexKind::Text)
    }

    /// Whether every field is plainly ascending or descending and none is a wildcard.
    pub fn is_plain(&self) -> bool {
        !self.is_wildcard() && self.key.iter().all(|(_, kind)| kind.is_sorted())
    }

    /// Whether it only finds and sorts: it enforces nothing, leaves nothing out and deletes nothing.
    pub fn is_bare(&self) -> bool {
        self.is_plain()
            && !self.unique
            && !self.sparse
            && !self.is_ttl()
            && self.partial_filter.is_none()
            && !self.prepare_unique
    }

    /// Whether it serves every query that a shorter plain index serves.
    pub fn covers(&self, shorter: &Index) -> bool {
        if !self.is_plain() || self.sparse || self.hidden || self.partial_filter.is_some() {
            return false;
        }
        let prefix = self.key.get(..shorter.key.len()).unwrap_or_default();
        if prefix.len() != shorter.key.len()
            || prefix.iter().zip(&shorter.key).any(|(a, b)| a.0 != b.0)
            || !same_collation(self.effective_collation(), shorter.effective_collation())
        {
            return false;
        }
        let same = prefix.iter().zip(&shorter.key).filter(|(a, b)| a.1 == b.1).count();
        // A single field is walked either way, several together only all of them.
        shorter.key.len() == 1 || same == 0 || same == shorter.key.len()
    }

    /// Whether it deletes documents by their age.
    pub fn is_ttl(&self) -> bool {
        self.expire_after_seconds.is_some()
    }

    /// The collation, or none where the server compares bytes (`{locale: "simple"}`).
    pub fn effective_collation(&self) -> Option<&Value> {
        self.collation.as_ref().filter(|c| c.get("locale").and_then(Value::as_str) != Some("simple"))
    }

    /// Whether the server takes the two for one index, which then may not differ in anything else.
    pub fn same_identity(&self, other: &Index, version: Version) -> bool {
        if !same_key(&self.key, &other.key)
            || !same_collation(self.effective_collation(), other.effective_collation())
            || !same_value(self.partial_filter.as_ref(), other.partial_filter.as_ref())
        {
            return false;
        }
        version < facts::index::OPTIONS_IN_IDENTITY
            || (self.unique == other.unique
                && self.sparse == other.sparse
                && same_value(self.wildcard_projection.as_ref(), other.wildcard_projection.as_ref()))
    }

    /// Whether the options that are not part of the identity are the same; `hidden` is not compared by the server.
    pub fn same_options(&self, other: &Index) -> bool {
        self.unique == other.unique
            && self.sparse == other.sparse
            && same_value(self.expire_after_seconds.as_ref(), other.expire_after_seconds.as_ref())
            && same_value(self.wildcard_projection.as_ref(), other.wildcard_projection.as_ref())
            && (!self.is_text() || same_weights(self, other))
    }

    /// Whether another index of the same key differs in nothing that the server compares.
    pub fn same_definition(&self, other: &Index) -> bool {
        self.same_identity(other, Version::DEFAULT) && self.same_options(other)
    }

    /// The key as a script writes it: `{ a: 1, "b.c": -1 }`.
    pub fn key_script(&self) -> String {
        key_script(&self.key)
    }
}

/// The name that the server's clients give an index: paths and values of its key, joined by `_`.
pub fn default_name(pattern: &[(String, Value)]) -> String {
    let mut name = String::new();
    for (path, value) in pattern {
        if !name.is_empty() {
            name.push('_');
        }
        name.push_str(path);
        name.push('_');
        match value {
            Value::String(text) => name.push_str(text),
            Value::Bool(value) => name.push_str(if *value { "true" } else { "false" }),
            other => match (other.as_i64(), IndexKind::parse(other, Origin::Present)) {
                (Some(number), _) => name.push_str(&number.to_string()),
                (None, kind) => name.push_str(kind.text()),
            },
        }
    }
    name
}

/// Whether two keys are the same; the order of text fields next to each other does not count.
pub fn same_key(a: &[(String, IndexKind)], b: &[(String, IndexKind)]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let sorted = |key: &[(String, IndexKind)]| {
        let mut text: Vec<String> = key.iter().filter(|(_, k)| *k == IndexKind::Text).map(|(p, _)| p.clone()).collect();
        text.order();
        let mut text = text.into_iter();
        key.iter()
            .map(|(path, kind)| match kind {
                IndexKind::Text => (text.next().unwrap_or_default(), kind.clone()),
                _ => (path.clone(), kind.clone()),
            })
            .collect::<Vec<_>>()
    };
    sorted(a) == sorted(b)
}

/// Whether two collations sort alike: what is left out has the server's default.
pub fn same_collation(a: Option<&Value>, b: Option<&Value>) -> bool {
    const DEFAULTS: &[(&str, Value)] = &[
        ("caseLevel", Value::Bool(false)),
        ("strength", Value::Int(3)),
        ("numericOrdering", Value::Bool(false)),
        ("normalization", Value::Bool(false)),
        ("backwards", Value::Bool(false)),
    ];
    const WORDS: &[(&str, &str)] = &[("caseFirst", "off"), ("alternate", "non-ignorable"), ("maxVariable", "punct")];
    match (a, b) {
        (None, None) => true,
        (Some(a), Some(b)) => {
            a.get("locale") == b.get("locale")
                && DEFAULTS.iter().all(|(name, default)| {
                    equal(a.get(name).unwrap_or(default), b.get(name).unwrap_or(default), FieldOrder::Ignored)
                })
                && WORDS.iter().all(|(name, default)| {
                    let word =
                        |collation: &Value| collation.get(name).and_then(Value::as_str).unwrap_or(default).to_owned();
                    word(a) == word(b)
                })
        }
        _ => false,
    }
}

fn same_value(a: Option<&Value>, b: Option<&Value>) -> bool {
    match (a, b) {
        (None, None) => true,
        (Some(a), Some(b)) => equal(a, b, FieldOrder::Ignored),
        _ => false,
    }
}

fn same_weights(a: &Index, b: &Index) -> bool {
    let weights = |index: &Index| {
        let mut all: Vec<(String, f64)> = index
            .key
            .iter()
            .filter(|(_, kind)| *kind == IndexKind::Text)
            .map(|(path, _)| (path.clone(), index.weights.iter().find(|(p, _)| p == path).map_or(1.0, |(_, w)| *w)))
            .collect();
        all.order_by(|a, b| a.0.cmp(&b.0));
        all
    };
    weights(a) == weights(b)
}

/// Options of old shells are `1` as often as `true`.
fn truthy(value: &Value) -> bool {
    match value {
        Value::Bool(value) => *value,
        other => other.as_f64().is_some_and(|number| number != 0.0),
    }
}

/// A key pattern as a script writes it.
pub fn key_script(key: &[(String, IndexKind)]) -> String {
    let mut out = String::from("{ ");
    for (position, (path, kind)) in key.iter().enumerate() {
        if position > 0 {
            out.push_str(", ");
        }
        out.push_str(&script_name(path));
        out.push_str(": ");
        match kind {
            IndexKind::Ascending | IndexKind::Descending => out.push_str(kind.text()),
            other => out.push_str(&script_string(other.text())),
        }
    }
    out.push_str(" }");
    out
}

/// A field name as a key of an object literal, quoted where it must be.
pub fn script_name(path: &str) -> String {
    let mut chars = path.chars();
    let plain = chars.next().is_some_and(|c| c.is_ascii_alphabetic() || matches!(c, '_' | '$'))
        && chars.all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '$'));
    if plain { path.to_owned() } else { script_string(path) }
}

/// A string literal; everything that is not printable ASCII or a letter is escaped.
pub fn script_string(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            ' '..='~' => out.push(c),
            c if c.is_alphanumeric() => out.push(c),
            c => {
                let escape = |unit: &u16| format!("\\u{unit:04x}");
                out.extend(c.encode_utf16(&mut [0; 2]).iter().map(escape));
            }
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(fields: &[(&str, Value)]) -> Value {
        Value::Object(fields.iter().map(|(k, v)| ((*k).to_owned(), v.clone())).collect())
    }

    fn text(value: &str) -> Value {
        Value::String(value.to_owned())
    }

    fn index(key: &[(&str, Value)], options: &[(&str, Value)]) -> Index {
        let mut fields = vec![("key", object(key))];
        fields.extend(options.iter().cloned());
        Index::parse(&object(&fields), Origin::Wanted).unwrap()
    }

    #[test]
    fn values_of_keys_as_real_metadata_has_them() {
        let present = |value: Value| IndexKind::parse(&value, Origin::Present);
        assert_eq!(present(Value::Double(1.0)), IndexKind::Ascending);
        assert_eq!(present(Value::Long(-1)), IndexKind::Descending);
        assert_eq!(present(Value::Bool(true)), IndexKind::Ascending);
        assert_eq!(present(text("")), IndexKind::Ascending);
        assert_eq!(present(text("-1")), IndexKind::Other("-1".into()));
        assert_eq!(present(text("geoHaystack")), IndexKind::Other("geoHaystack".into()));
        assert_eq!(present(Value::Int(0)), IndexKind::Ascending);
        assert_eq!(IndexKind::parse(&Value::Int(0), Origin::Wanted), IndexKind::Other("0".into()));
        assert_eq!(IndexKind::parse(&Value::Bool(true), Origin::Wanted), IndexKind::Other("true".into()));
    }

    #[test]
    fn default_names() {
        assert_eq!(
            index(&[("a", Value::Int(1)), ("b.c", Value::Double(-1.0)), ("d", text("hashed"))], &[]).name,
            "a_1_b.c_-1_d_hashed"
        );
        assert_eq!(index(&[("$**", Value::Int(1))], &[]).name, "$**_1");
    }

    #[test]
    fn a_stored_text_index_lists_its_fields() {
        let stored = index(
            &[("town", Value::Int(1)), ("_fts", text("text")), ("_ftsx", Value::Int(1))],
            &[
                ("weights", object(&[("body", Value::Int(1)), ("title", Value::Int(5))])),
                ("textIndexVersion", Value::Int(3)),
            ],
        );
        let paths: Vec<&str> = stored.key.iter().map(|(p, _)| p.as_str()).collect();
        assert_eq!(paths, ["town", "body", "title"]);
        let wanted = index(
            &[("town", Value::Int(1)), ("title", text("text")), ("body", text("text"))],
            &[("weights", object(&[("title", Value::Int(5))]))],
        );
        assert!(stored.same_identity(&wanted, Version::DEFAULT));
        assert!(stored.same_options(&wanted));
        assert!(stored.is_text() && !stored.is_plain());
    }

    #[test]
    fn identity_depends_on_the_version() {
        let plain = index(&[("a", Value::Int(1))], &[]);
        let unique = index(&[("a", Value::Double(1.0))], &[("unique", Value::Bool(true))]);
        assert!(plain.same_identity(&unique, Version::new(4, 4)));
        assert!(!plain.same_identity(&unique, Version::new(5, 0)));
        let ttl = index(&[("a", Value::Int(1))], &[("expireAfterSeconds", Value::Int(60))]);
        assert!(plain.same_identity(&ttl, Version::DEFAULT));
        assert!(!plain.same_options(&ttl));
        let simple = index(&[("a", Value::Int(1))], &[("collation", object(&[("locale", text("simple"))]))]);
        assert!(plain.same_identity(&simple, Version::DEFAULT));
        let short = index(
            &[("a", Value::Int(1))],
            &[("collation", object(&[("locale", text("es")), ("strength", Value::Int(2))]))],
        );
        let long = index(
            &[("a", Value::Int(1))],
            &[(
                "collation",
                object(&[
                    ("locale", text("es")),
                    ("caseLevel", Value::Bool(false)),
                    ("strength", Value::Double(2.0)),
                    ("version", text("57.1")),
                ]),
            )],
        );
        assert!(short.same_identity(&long, Version::DEFAULT));
        assert!(!short.same_identity(&plain, Version::DEFAULT));
    }

    #[test]
    fn scripts_quote_hostile_names() {
        assert_eq!(index(&[("a", Value::Int(1)), ("b.c", Value::Int(-1))], &[]).key_script(), r#"{ a: 1, "b.c": -1 }"#);
        assert_eq!(script_string("a\"\n\u{202e}"), r#""a\"\u000a\u202e""#);
    }
}
