//! Validators: what they are, and what they say about documents and about themselves.
//!
//! `schema.rs` compiles a `$jsonSchema`, `query.rs` the operators beside it; `check.rs` finds what the server refuses
//! and what nothing can satisfy.

pub mod check;
mod pattern;
mod query;
mod schema;

use serde::{Deserialize, Serialize};

use super::Origin;
use crate::order::Ordered;
use crate::value::location::Location;
use crate::value::{Document, Type, Value};

/// When the server validates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub enum Level {
    /// Never.
    Off,
    /// Not on updates of documents that fail already.
    Moderate,
    /// On every insert and update.
    #[default]
    Strict,
}

/// What the server does with a document that fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub enum Action {
    /// Writes it and logs.
    Warn,
    /// Refuses it.
    #[default]
    Error,
    /// Refuses it and logs (8.1 and later).
    ErrorAndLog,
}

/// A validator with what the server does with it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Validator {
    /// The query expression, as given; usually `{$jsonSchema: …}`.
    pub expression: Value,
    /// When the server validates.
    pub level: Level,
    /// What happens to documents that fail.
    pub action: Action,
    /// Whether it is in force or only wanted.
    pub origin: Origin,
    /// Where it stands.
    pub location: Option<Location>,
}

/// One demand of a validator, to count the documents that fail it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Clause {
    /// The field that it is about, in dot notation without array levels; empty for the document.
    pub path: String,
    /// The keyword or operator, such as `required`, `bsonType`, `$or`.
    pub keyword: String,
}

/// Whether a document satisfies a validator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It does.
    Passes,
    /// It does not, for certain.
    Fails,
    /// A part that cannot be judged here decides (`$expr`, a pattern beyond the engine).
    Unknown,
}

/// A validator ready to judge documents.
#[derive(Debug)]
pub struct Compiled {
    root: query::Query,
    clauses: Vec<Clause>,
}

/// What a schema says about one field.
#[derive(Debug, Clone, PartialEq)]
pub struct SchemaField {
    /// The path in dot notation, without array levels.
    pub path: String,
    /// The types that it may have; absent where the schema names none.
    pub types: Option<Vec<Type>>,
    /// Whether `required` of its object lists it.
    pub required: bool,
    /// Whether every object around it is required too, so that each document must have it.
    pub always: bool,
    /// Whether `properties` lists it (a name may stand in `required` alone).
    pub listed: bool,
    /// The longest array that it may be.
    pub max_items: Option<u64>,
    /// Whether the schema is one alternative of an `anyOf` or `oneOf`, or stands below `not` or `dependencies`.
    pub conditional: bool,
    /// Whether it lies in elements of an array.
    pub in_array: bool,
    /// Whether its schema demands anything of its value at all.
    pub constrained: bool,
    /// Whether the schema itself bounds an array's length: a list of items and no more, or distinct members of a list.
    pub bounded_otherwise: bool,
    /// Whether its object refuses or describes names that are not listed.
    pub siblings_known: bool,
}

impl Level {
    /// The word that commands use.
    pub fn word(self) -> &'static str {
        match self {
            Level::Off => "off",
            Level::Moderate => "moderate",
            Level::Strict => "strict",
        }
    }
}

impl Action {
    /// The word that commands use.
    pub fn word(self) -> &'static str {
        match self {
            Action::Warn => "warn",
            Action::Error => "error",
            Action::ErrorAndLog => "errorAndLog",
        }
    }
}

impl Validator {
    /// The schema, where the validator has one.
    pub fn schema(&self) -> Option<&Value> {
        self.expression.get("$jsonSchema").filter(|schema| schema.as_object().is_some())
    }

    /// Whether no document that fails can be written: what it bounds is bounded.
    pub fn binds(&self) -> bool {
        self.level == Level::Strict && matches!(self.action, Action::Error | Action::ErrorAndLog)
    }

    /// The form that judges documents. What the server would refuse is left out of it.
    pub fn compile(&self) -> Compiled {
        let mut clauses = Vec::new();
        let root = query::compile(&self.expression, &mut clauses);
        Compiled { root, clauses }
    }

    /// What the schema says about each field that it names, in the order of the schema.
    pub fn fields(&self) -> Vec<SchemaField> {
        self.schema().map(schema::fields).unwrap_or_default()
    }

    /// The `maxItems` of an array, where the validator binds.
    pub fn array_bound(&self, path: &str) -> Option<u64> {
        if !self.binds() {
            return None;
        }
        let bound = |field: &SchemaField| (field.path == path && !field.conditional).then_some(field.max_items)?;
        self.fields().iter().filter_map(bound).min()
    }
}

impl Compiled {
    /// The demands, by the numbers that [`Compiled::evaluate`] gives.
    pub fn clauses(&self) -> &[Clause] {
        &self.clauses
    }

    /// Judges a document; the numbers of the clauses that it fails are appended to `failed`, each once.
    pub fn evaluate(&self, document: &Document<'_>, failed: &mut Vec<u32>) -> Verdict {
        let from = failed.len();
        let truth = self.root.evaluate(document, 0, Some(failed));
        let mut new = failed.split_off(from);
        new.order();
        new.dedup();
        failed.append(&mut new);
        truth.into()
    }
}

/// A query on its own, such as the filter of a partial index.
#[derive(Debug)]
pub struct Filter(query::Query);

impl Filter {
    /// Compiles a query.
    pub fn new(expression: &Value) -> Filter {
        Filter(query::compile(expression, &mut Vec::new()))
    }

    /// Whether a document matches.
    pub fn matches(&self, document: &Document<'_>) -> Verdict {
        self.0.evaluate(document, 0, None).into()
    }
}

impl From<Truth> for Verdict {
    fn from(truth: Truth) -> Verdict {
        match truth {
            Truth::Yes => Verdict::Passes,
            Truth::No => Verdict::Fails,
            Truth::Unknown => Verdict::Unknown,
        }
    }
}

/// Three-valued logic: what cannot be judged stays so unless the rest decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Truth {
    Yes,
    No,
    Unknown,
}

impl Truth {
    fn and(self, other: Truth) -> Truth {
        match (self, other) {
            (Truth::No, _) | (_, Truth::No) => Truth::No,
            (Truth::Yes, Truth::Yes) => Truth::Yes,
            _ => Truth::Unknown,
        }
    }

    fn or(self, other: Truth) -> Truth {
        self.negate().and(other.negate()).negate()
    }

    fn negate(self) -> Truth {
        match self {
            Truth::Yes => Truth::No,
            Truth::No => Truth::Yes,
            Truth::Unknown => Truth::Unknown,
        }
    }
}

impl From<bool> for Truth {
    fn from(value: bool) -> Truth {
        if value { Truth::Yes } else { Truth::No }
    }
}

/// A set of types as bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct TypeSet(u32);

impl TypeSet {
    fn has(self, kind: Type) -> bool {
        self.0 & (1 << kind as u32) != 0
    }

    fn add(&mut self, kind: Type) {
        self.0 |= 1 << kind as u32;
    }

    fn list(self) -> Vec<Type> {
        Type::ALL.into_iter().filter(|kind| self.has(*kind)).collect()
    }

    /// The set of `type`, `bsonType` or `$type`: aliases, `number`, or (for `$type`) type numbers.
    fn parse(value: &Value) -> Option<TypeSet> {
        let mut set = TypeSet(0);
        for one in value.as_array().unwrap_or(std::slice::from_ref(value)) {
            match one.as_str() {
                Some("number") => {
                    for kind in Type::ALL.into_iter().filter(|kind| kind.is_number()) {
                        set.add(kind);
                    }
                }
                // JSON Schema's own word, which `type` takes.
                Some("boolean") => set.add(Type::Bool),
                Some(alias) => set.add(Type::from_alias(alias)?),
                None => set.add(type_of_number(one.as_i64()?)?),
            }
        }
        Some(set)
    }
}

/// The type of a number of the BSON specification.
fn type_of_number(number: i64) -> Option<Type> {
    Some(match number {
        1 => Type::Double,
        2 => Type::String,
        3 => Type::Object,
        4 => Type::Array,
        5 => Type::BinData,
        6 => Type::Undefined,
        7 => Type::ObjectId,
        8 => Type::Bool,
        9 => Type::Date,
        10 => Type::Null,
        11 => Type::Regex,
        12 => Type::DbPointer,
        13 => Type::Javascript,
        14 => Type::Symbol,
        15 => Type::JavascriptWithScope,
        16 => Type::Int,
        17 => Type::Timestamp,
        18 => Type::Long,
        19 => Type::Decimal,
        -1 => Type::MinKey,
        127 => Type::MaxKey,
        _ => return None,
    })
}

/// Nesting of schemas and queries beyond which nothing is compiled; the server itself refuses not much more.
const DEEPEST: usize = 100;

/// The path of a field below another.
fn below(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::value::Item;
    use crate::value::event::{Entry, Fidelity};
    use crate::value::samples::json;
    use bumpalo::Bump;

    fn entries<'a>(value: &Value, key: &str, bump: &'a Bump, out: &mut Vec<Entry<'a>>) {
        let key = bump.alloc_str(key);
        let at = out.len();
        let item = match value {
            Value::Object(_) => Item::Object { end: 0, bytes: 5 },
            Value::Array(elements) => Item::Array { end: 0, bytes: 5, len: elements.len() as u32 },
            Value::Double(v) => Item::Double(*v),
            Value::String(v) => Item::String(bump.alloc_str(v)),
            Value::ObjectId(v) => Item::ObjectId(*v),
            Value::Bool(v) => Item::Bool(*v),
            Value::Date(v) => Item::Date(*v),
            Value::Null => Item::Null,
            Value::Int(v) => Item::Int(*v),
            Value::Long(v) => Item::Long(*v),
            other => panic!("{other:?}"),
        };
        out.push(Entry { key, item });
        match value {
            Value::Object(fields) => fields.iter().for_each(|(k, v)| entries(v, k, bump, out)),
            Value::Array(elements) => elements.iter().for_each(|v| entries(v, "", bump, out)),
            _ => return,
        }
        let until = out.len() as u32;
        if let Item::Object { end, .. } | Item::Array { end, .. } = &mut out[at].item {
            *end = until;
        }
    }

    /// Hands over a document given by JSON.
    pub(crate) fn with_document<R>(text: &str, read: impl FnOnce(&Document<'_>) -> R) -> R {
        let bump = Bump::new();
        let mut list = Vec::new();
        entries(&json(text), "", &bump, &mut list);
        read(&Document { entries: &list, fidelity: Fidelity::Exact })
    }

    fn validator(expression: &str) -> Validator {
        Validator {
            expression: json(expression),
            level: Level::Strict,
            action: Action::Error,
            origin: Origin::Present,
            location: None,
        }
    }

    /// The clauses that a document fails, as `path:keyword`; `?` where it cannot be judged.
    fn failures(expression: &str, document: &str) -> Vec<String> {
        let compiled = validator(expression).compile();
        let mut failed = Vec::new();
        let verdict = with_document(document, |document| compiled.evaluate(document, &mut failed));
        let mut out: Vec<String> = failed
            .iter()
            .map(|f| {
                let clause = &compiled.clauses()[*f as usize];
                format!("{}:{}", clause.path, clause.keyword)
            })
            .collect();
        out.order();
        assert_eq!(verdict == Verdict::Fails, !out.is_empty(), "{expression} {document}");
        if verdict == Verdict::Unknown {
            out.push("?".to_owned());
        }
        out
    }

    fn check(schema: &str, cases: &[(&str, &[&str])]) {
        for (document, expected) in cases {
            let mut expected = expected.to_vec();
            expected.order();
            let expression = format!("{{\"$jsonSchema\":{schema}}}");
            assert_eq!(failures(&expression, document), expected, "{schema} on {document}");
        }
    }

    #[test]
    fn each_clause_is_told_apart() {
        check(
            r#"{"bsonType":"object","required":["sku","price"],"properties":{"sku":{"bsonType":"string","pattern":"^[A-Z]{2}-[0-9]{4}$"},"price":{"bsonType":"decimal"}}}"#,
            &[
                (r#"{"sku":"BK-1042"}"#, &["price:required"]),
                (r#"{"sku":"bk-1042","price":1}"#, &["sku:pattern", "price:bsonType"]),
                (r#"{"sku":5}"#, &["price:required", "sku:bsonType"]),
            ],
        );
    }

    #[test]
    fn keywords_of_another_type_do_not_apply() {
        check(
            r#"{"properties":{"a":{"minimum":5,"minLength":3,"maxItems":1,"required":["x"]}}}"#,
            &[
                (r#"{"a":4}"#, &["a:minimum"]),
                (r#"{"a":"ab"}"#, &["a:minLength"]),
                (r#"{"a":[1,2]}"#, &["a:maxItems"]),
                (r#"{"a":{}}"#, &["a.x:required"]),
                (r#"{"a":true}"#, &[]),
                (r"{}", &[]),
            ],
        );
    }

    #[test]
    fn numbers() {
        check(
            r#"{"properties":{"a":{"bsonType":"number","minimum":0,"exclusiveMinimum":true,"maximum":10,"multipleOf":{"$d":2.5}}}}"#,
            &[
                (r#"{"a":0}"#, &["a:minimum"]),
                (r#"{"a":{"$d":7.5}}"#, &[]),
                (r#"{"a":{"$l":10}}"#, &[]),
                (r#"{"a":11}"#, &["a:maximum", "a:multipleOf"]),
                (r#"{"a":"5"}"#, &["a:bsonType"]),
            ],
        );
        check(
            r#"{"properties":{"a":{"bsonType":["int","null"]}}}"#,
            &[(r#"{"a":1}"#, &[]), (r#"{"a":null}"#, &[]), (r#"{"a":{"$d":1}}"#, &["a:bsonType"])],
        );
    }

    #[test]
    fn arrays() {
        check(
            r#"{"properties":{"t":{"bsonType":"array","minItems":1,"uniqueItems":true,"items":{"bsonType":"string"}}}}"#,
            &[
                (r#"{"t":["a","b"]}"#, &[]),
                (r#"{"t":[]}"#, &["t:minItems"]),
                (r#"{"t":["a",1,"a"]}"#, &["t:bsonType", "t:uniqueItems"]),
            ],
        );
        check(
            r#"{"properties":{"p":{"items":[{"bsonType":"int"},{"bsonType":"string"}],"additionalItems":false}}}"#,
            &[
                (r#"{"p":[1,"a"]}"#, &[]),
                (r#"{"p":[1]}"#, &[]),
                (r#"{"p":["a","b",3]}"#, &["p:bsonType", "p:additionalItems"]),
            ],
        );
        // Equal whatever the number type and the order of fields.
        check(
            r#"{"properties":{"t":{"uniqueItems":true}}}"#,
            &[(r#"{"t":[{"a":1,"b":2},{"b":{"$d":2},"a":1}]}"#, &["t:uniqueItems"])],
        );
    }

    #[test]
    fn objects() {
        check(
            r#"{"additionalProperties":false,"properties":{"_id":{},"a":{}},"patternProperties":{"^x_":{"bsonType":"int"}}}"#,
            &[
                (r#"{"_id":1,"a":2,"x_1":3}"#, &[]),
                (r#"{"_id":1,"x_1":"3"}"#, &["<key>:bsonType"]),
                (r#"{"_id":1,"b":2}"#, &[":additionalProperties"]),
            ],
        );
        check(
            r#"{"properties":{"o":{"minProperties":1,"maxProperties":2}},"dependencies":{"card":["zip"],"gift":{"required":["to"]}}}"#,
            &[
                (r#"{"o":{}}"#, &["o:minProperties"]),
                (r#"{"o":{"a":1,"b":2,"c":3}}"#, &["o:maxProperties"]),
                (r#"{"card":1}"#, &["card:dependencies"]),
                (r#"{"card":1,"zip":2,"gift":true,"to":1}"#, &[]),
                (r#"{"gift":true}"#, &["gift:dependencies"]),
            ],
        );
    }

    #[test]
    fn alternatives_are_one_clause() {
        check(
            r#"{"oneOf":[{"properties":{"k":{"enum":["card"]}},"required":["k","card"]},{"properties":{"k":{"enum":["cash"]}},"required":["k","cash"]}]}"#,
            &[(r#"{"k":"card","card":1}"#, &[]), (r#"{"k":"cash"}"#, &[":oneOf"]), (r#"{"k":"other"}"#, &[":oneOf"])],
        );
        check(
            r#"{"properties":{"a":{"anyOf":[{"bsonType":"int"},{"bsonType":"string"}],"not":{"enum":["x",0]}}}}"#,
            &[(r#"{"a":1}"#, &[]), (r#"{"a":true}"#, &["a:anyOf"]), (r#"{"a":{"$d":0}}"#, &["a:anyOf", "a:not"])],
        );
        check(r#"{"allOf":[{"required":["a"]},{"required":["b"]}]}"#, &[(r"{}", &["a:required", "b:required"])]);
    }

    #[test]
    fn lengths_count_characters() {
        check(
            r#"{"properties":{"a":{"maxLength":3}}}"#,
            &[(r#"{"a":"ñññ"}"#, &[]), (r#"{"a":"ññññ"}"#, &["a:maxLength"])],
        );
    }

    #[test]
    fn what_cannot_be_judged_is_no_failure() {
        check(
            r#"{"properties":{"a":{"pattern":"^(?=x)"}},"required":["a"]}"#,
            &[(r#"{"a":"x"}"#, &["?"]), (r"{}", &["a:required"])],
        );
        assert_eq!(failures(r#"{"$expr":{"$gt":["$a","$b"]}}"#, r#"{"a":1}"#), ["?"]);
        assert_eq!(failures(r#"{"$expr":{"$gt":["$a","$b"]},"c":1}"#, r#"{"a":1}"#), ["c:$eq"]);
        assert_eq!(failures(r#"{"$or":[{"$expr":true},{"c":1}]}"#, r#"{"c":1}"#), Vec::<String>::new());
    }

    #[test]
    fn query_operators_match_as_find_does() {
        let cases: &[(&str, &str, bool)] = &[
            (r#"{"a":5}"#, r#"{"a":[1,5]}"#, true),
            (r#"{"a":{"$gt":3,"$lt":4}}"#, r#"{"a":[1,5]}"#, true),
            (r#"{"a":{"$elemMatch":{"$gt":3,"$lt":4}}}"#, r#"{"a":[1,5]}"#, false),
            (r#"{"a.b":{"$gte":2}}"#, r#"{"a":[{"b":1},{"b":2}]}"#, true),
            (r#"{"a.1.b":2}"#, r#"{"a":[{"b":1},{"b":2}]}"#, true),
            (r#"{"a.b":{"$exists":true}}"#, r#"{"a":[{"b":null}]}"#, true),
            (r#"{"a.b":{"$exists":false}}"#, r#"{"a":[1]}"#, true),
            (r#"{"a":null}"#, r#"{"b":1}"#, true),
            (r#"{"a":{"$ne":null}}"#, r#"{"b":1}"#, false),
            (r#"{"a":{"$in":["x",null]}}"#, r#"{"a":"x"}"#, true),
            (r#"{"a":{"$nin":["x"]}}"#, r#"{"a":["y","x"]}"#, false),
            (r#"{"a":{"$type":"array"}}"#, r#"{"a":[]}"#, true),
            (r#"{"a":{"$type":["string",16]}}"#, r#"{"a":3}"#, true),
            (r#"{"a":{"$size":2}}"#, r#"{"a":[1,2]}"#, true),
            (r#"{"a":{"$all":[1,2]}}"#, r#"{"a":[2,1,3]}"#, true),
            (r#"{"a":{"$regex":"^AB","$options":"i"}}"#, r#"{"a":"abc"}"#, true),
            (r#"{"a":{"$not":{"$gt":5}}}"#, r#"{"a":"text"}"#, true),
            (r#"{"a":{"$gt":5}}"#, r#"{"a":"text"}"#, false),
            (r#"{"a":{"$mod":[4,1]}}"#, r#"{"a":{"$d":5}}"#, true),
            (r#"{"$nor":[{"a":1},{"b":1}]}"#, r#"{"c":1}"#, true),
            (r#"{"$and":[{"a":1},{"$or":[{"b":1},{"b":2}]}]}"#, r#"{"a":1,"b":2}"#, true),
            (r#"{"a":{"x":1,"y":2}}"#, r#"{"a":{"x":1,"y":{"$d":2}}}"#, true),
            (r#"{"a":{"$elemMatch":{"b":1,"c":2}}}"#, r#"{"a":[{"b":1},{"c":2}]}"#, false),
        ];
        for (query, document, expected) in cases {
            assert_eq!(failures(query, document).is_empty(), *expected, "{query} on {document}");
        }
    }

    #[test]
    fn fields_of_a_schema() {
        let v = validator(
            r#"{"$jsonSchema":{"required":["a","ghost"],"properties":{"a":{"bsonType":"object","required":["b"],"properties":{"b":{"bsonType":"int"},"c":{}}},"t":{"bsonType":"array","maxItems":9,"items":{"bsonType":"object","required":["k"],"properties":{"k":{"bsonType":"string"}}}}},"anyOf":[{"properties":{"z":{"bsonType":"date"}}},{}]}}"#,
        );
        let fields = v.fields();
        let find = |path: &str| fields.iter().find(|f| f.path == path).unwrap();
        assert!(find("a.b").always && find("a").required && !find("a.c").required);
        assert_eq!(find("a.b").types.as_deref(), Some(&[Type::Int][..]));
        assert!(find("ghost").required && !find("ghost").listed);
        assert_eq!(find("t").max_items, Some(9));
        assert!(find("t.k").in_array && find("t.k").required && !find("t.k").always);
        assert!(find("z").conditional);
        assert_eq!(v.array_bound("t"), Some(9));
        assert_eq!(Validator { action: Action::Warn, ..v }.array_bound("t"), None);
    }

    #[test]
    fn deep_input_is_survived() {
        let deep = "{\"not\":".repeat(120) + "{}" + &"}".repeat(120);
        let _ = failures(&format!("{{\"$jsonSchema\":{deep}}}"), "{}");
    }
}
