//! What the server refuses in a schema, and what nothing can satisfy.

use std::cmp::Ordering;

use super::{DEEPEST, TypeSet, Validator, below};
use crate::facts::schema::{JSON_TYPES, KEYWORDS, MISNAMED_TYPES};
use crate::value::key::{FieldOrder, equal};
use crate::value::number::Number;
use crate::value::{Type, Value};

/// Why the server refuses a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum RefusalKind {
    /// A keyword that it does not know, of other dialects of JSON Schema or of nobody.
    Keyword,
    /// A type that it does not know.
    TypeName,
    /// `type` and `bsonType` beside each other.
    TwoTypes,
    /// `exclusiveMinimum` or `exclusiveMaximum` as a number, as later drafts have it, or without its bound.
    Exclusive,
    /// A keyword twice in one schema.
    Repeated,
    /// A value that the keyword does not take.
    Value(Wanted),
}

/// What a keyword takes instead of the value that it has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wanted {
    /// One element at least.
    Element,
    /// Each element once.
    Distinct,
    /// A list of names.
    Names,
    /// A list of values.
    Values,
    /// A number.
    Number,
    /// A number above 0.
    Positive,
    /// A whole number from 0 on.
    Whole,
    /// A string.
    Text,
    /// `true` or `false`.
    Boolean,
    /// A schema.
    Schema,
    /// A list of schemas.
    Schemas,
    /// A schema or a list of schemas.
    SchemaOrSchemas,
    /// A schema, `true` or `false`.
    SchemaOrBoolean,
    /// An object of schemas by name.
    ByName,
    /// An object of schemas or lists of names by name.
    Dependencies,
    /// The name of a type or a list of such.
    TypeNames,
    /// An object.
    Object,
}

/// One thing in a schema that the server refuses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The field whose schema holds it, in dot notation; empty for the document.
    pub path: String,
    /// The keyword.
    pub keyword: String,
    /// Why.
    pub kind: RefusalKind,
    /// The type name that is not known.
    pub given: Option<String>,
    /// The name that was probably meant.
    pub meant: Option<&'static str>,
}

/// What makes a schema impossible.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ContradictionKind {
    /// A lower bound above the upper one; the two keywords.
    Bounds(&'static str, &'static str),
    /// No member of `enum` is of a type that the schema allows.
    EnumType,
    /// A name that is required and that `additionalProperties: false` refuses.
    RequiredRefused,
    /// `additionalProperties: false` at the top without `_id`, which every document has.
    NoId,
    /// A top-level schema whose type is not object.
    TopType,
    /// `not` of a schema that everything satisfies.
    NotAnything,
}

/// Clauses that nothing can satisfy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contradiction {
    /// The field, in dot notation; empty for the document.
    pub path: String,
    /// What it is.
    pub kind: ContradictionKind,
    /// Whether every document must pass it, so that none can be written.
    pub always: bool,
}

impl Validator {
    /// What the server refuses in the schema, in its order.
    pub fn refusals(&self) -> Vec<Refusal> {
        let mut out = Vec::new();
        if let Some(schema) = self.expression.get("$jsonSchema") {
            refuse(schema, "", 0, &mut out);
        }
        out
    }

    /// What nothing can satisfy, in the order of the schema.
    pub fn contradictions(&self) -> Vec<Contradiction> {
        let mut out = Vec::new();
        if let Some(schema) = self.schema() {
            contradict(schema, "", true, 0, &mut out);
        }
        out
    }
}

fn refuse(schema: &Value, path: &str, depth: usize, out: &mut Vec<Refusal>) {
    let Some(fields) = schema.as_object() else { return };
    if depth > DEEPEST {
        return;
    }
    for (place, (keyword, value)) in fields.iter().enumerate() {
        let mut say = |kind, given: Option<&str>, meant| {
            out.push(Refusal {
                path: path.to_owned(),
                keyword: keyword.clone(),
                kind,
                given: given.map(str::to_owned),
                meant,
            });
        };
        if KEYWORDS.binary_search(&keyword.as_str()).is_err() {
            let meant = match keyword.as_str() {
                "const" => Some("enum"),
                "$defs" | "definitions" | "$ref" | "$schema" | "$id" | "id" => None,
                other => nearest(other),
            };
            say(RefusalKind::Keyword, None, meant);
            continue;
        }
        if fields.iter().take(place).any(|(earlier, _)| earlier == keyword) {
            say(RefusalKind::Repeated, None, None);
            continue;
        }
        match keyword.as_str() {
            "type" | "bsonType" => {
                if keyword == "bsonType" && schema.get("type").is_some() {
                    say(RefusalKind::TwoTypes, None, None);
                }
                let names = value.as_array().unwrap_or(std::slice::from_ref(value));
                if names.is_empty() {
                    say(RefusalKind::Value(Wanted::Element), None, None);
                }
                for name in names {
                    let Some(name) = name.as_str() else {
                        say(RefusalKind::Value(Wanted::TypeNames), None, None);
                        continue;
                    };
                    let known = if keyword == "type" {
                        JSON_TYPES.contains(&name)
                    } else {
                        name == "number" || Type::from_alias(name).is_some()
                    };
                    if !known {
                        say(RefusalKind::TypeName, Some(name), meant_type(name));
                    }
                }
            }
            "exclusiveMinimum" | "exclusiveMaximum" => {
                let bound = if keyword == "exclusiveMinimum" { "minimum" } else { "maximum" };
                if value.as_bool().is_none() || schema.get(bound).is_none() {
                    say(RefusalKind::Exclusive, None, Some(bound));
                }
            }
            _ => {
                if let Some(wanted) = wanted(keyword, value) {
                    say(RefusalKind::Value(wanted), None, None);
                }
            }
        }
    }
    each_inner(schema, path, &mut |inner, path, _| refuse(inner, path, depth + 1, out));
}

/// How the schema of a part is tied to the whole.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tie {
    /// The value of a property, and whether it is required.
    Property(bool),
    /// The same value must pass it too.
    Same,
    /// It need not hold: an alternative, an element, a pattern.
    Loose,
}

/// Visits the schemas directly inside a schema.
fn each_inner(schema: &Value, path: &str, visit: &mut impl FnMut(&Value, &str, Tie)) {
    let required = schema.get("required").and_then(Value::as_array).unwrap_or_default();
    for (keyword, value) in schema.as_object().unwrap_or_default() {
        match keyword.as_str() {
            "properties" => {
                for (name, inner) in value.as_object().unwrap_or_default() {
                    let is_required = required.iter().any(|r| r.as_str() == Some(name));
                    visit(inner, &below(path, name), Tie::Property(is_required));
                }
            }
            "patternProperties" | "dependencies" => {
                for (_, inner) in value.as_object().unwrap_or_default() {
                    visit(inner, path, Tie::Loose);
                }
            }
            "items" | "additionalItems" | "additionalProperties" | "not" | "anyOf" | "oneOf" => {
                for inner in value.as_array().unwrap_or(std::slice::from_ref(value)) {
                    visit(inner, path, Tie::Loose);
                }
            }
            "allOf" => value.as_array().unwrap_or_default().iter().for_each(|inner| visit(inner, path, Tie::Same)),
            _ => {}
        }
    }
}

/// What the server wants instead of the value of a keyword, as its parser checks it; nothing where it takes the value.
fn wanted(keyword: &str, value: &Value) -> Option<Wanted> {
    let is_object = value.as_object().is_some();
    let all_objects = |list: &[Value]| list.iter().all(|v| v.as_object().is_some());
    let unless = |fine: bool, wanted| (!fine).then_some(wanted);
    match keyword {
        "required" => names(value),
        "enum" => elements(value, Wanted::Values, |_| true, |a, b| equal(a, b, FieldOrder::Ignored)),
        "minimum" | "maximum" => unless(Number::of_value(value).is_some(), Wanted::Number),
        "multipleOf" => {
            let above = |n: Number| n.compare(Number::from_i64(0)) == Some(Ordering::Greater);
            unless(Number::of_value(value).is_some_and(above), Wanted::Positive)
        }
        "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties" | "maxProperties" => {
            let is_whole =
                matches!(Number::of_value(value), Some(Number::Finite { negative: false, exponent: 0.., .. }));
            unless(is_whole, Wanted::Whole)
        }
        "pattern" | "title" | "description" => unless(value.as_str().is_some(), Wanted::Text),
        "uniqueItems" => unless(value.as_bool().is_some(), Wanted::Boolean),
        "items" => unless(is_object || value.as_array().is_some_and(all_objects), Wanted::SchemaOrSchemas),
        "additionalItems" | "additionalProperties" => {
            unless(is_object || value.as_bool().is_some(), Wanted::SchemaOrBoolean)
        }
        "properties" | "patternProperties" => {
            let fine = value.as_object().is_some_and(|p| p.iter().all(|(_, v)| v.as_object().is_some()));
            unless(fine, Wanted::ByName)
        }
        "dependencies" => {
            let is_fine = |(_, v): &(String, Value)| v.as_object().is_some() || names(v).is_none();
            unless(value.as_object().is_some_and(|p| p.iter().all(is_fine)), Wanted::Dependencies)
        }
        "allOf" | "anyOf" | "oneOf" => elements(value, Wanted::Schemas, |one| one.as_object().is_some(), |_, _| false),
        "not" => unless(is_object, Wanted::Schema),
        "encrypt" | "encryptMetadata" => unless(is_object, Wanted::Object),
        _ => None,
    }
}

/// What is wrong with a list of names, each of them once.
fn names(value: &Value) -> Option<Wanted> {
    elements(value, Wanted::Names, |name| name.as_str().is_some(), |a, b| a == b)
}

/// What is wrong with a list that must have an element, only elements that `fit`, and no two that are the `same`.
fn elements(
    value: &Value,
    kind: Wanted,
    fit: impl Fn(&Value) -> bool,
    same: impl Fn(&Value, &Value) -> bool,
) -> Option<Wanted> {
    let Some(list) = value.as_array().filter(|list| list.iter().all(fit)) else { return Some(kind) };
    if list.is_empty() {
        return Some(Wanted::Element);
    }
    let is_repeated = |(place, one): (usize, &Value)| list.iter().take(place).any(|other| same(one, other));
    list.iter().enumerate().any(is_repeated).then_some(Wanted::Distinct)
}

/// The alias that was probably meant by a type name that `bsonType` does not know.
pub(crate) fn meant_type(name: &str) -> Option<&'static str> {
    let misnamed = MISNAMED_TYPES.iter().find(|(wrong, _)| *wrong == name).map(|(_, right)| *right);
    misnamed.or_else(|| Type::ALL.into_iter().map(Type::alias).find(|alias| alias.eq_ignore_ascii_case(name)))
}

fn nearest(keyword: &str) -> Option<&'static str> {
    KEYWORDS.iter().copied().find(|known| strsim::osa_distance(known, keyword) <= 2 && keyword.len() > 3)
}

fn contradict(schema: &Value, path: &str, always: bool, depth: usize, out: &mut Vec<Contradiction>) {
    if schema.as_object().is_none() || depth > DEEPEST {
        return;
    }
    let types = schema.get("bsonType").or_else(|| schema.get("type")).and_then(TypeSet::parse);
    let only = |allowed: &[Type]| {
        types.is_some_and(|set| !set.list().is_empty() && set.list().iter().all(|t| allowed.contains(t)))
    };
    let mut say = |path: &str, kind, always| out.push(Contradiction { path: path.to_owned(), kind, always });
    let numbers = [Type::Int, Type::Long, Type::Double, Type::Decimal];
    for (low, high, of) in [
        ("minimum", "maximum", &numbers[..]),
        ("minLength", "maxLength", &[Type::String]),
        ("minItems", "maxItems", &[Type::Array]),
        ("minProperties", "maxProperties", &[Type::Object]),
    ] {
        let bound = |keyword: &str| schema.get(keyword).and_then(Number::of_value);
        let (Some(least), Some(most)) = (bound(low), bound(high)) else { continue };
        let exclusive = low == "minimum"
            && ["exclusiveMinimum", "exclusiveMaximum"]
                .iter()
                .any(|k| schema.get(k).and_then(Value::as_bool) == Some(true));
        let empty = match least.compare(most) {
            Some(Ordering::Greater) => true,
            Some(Ordering::Equal) => exclusive,
            _ => false,
        };
        // Without a type, values of other types pass; that they alone may be there is hardly meant.
        let bound_to_type = only(of) || (low == "minProperties" && path.is_empty());
        if empty && (bound_to_type || types.is_none()) {
            say(path, ContradictionKind::Bounds(low, high), always && bound_to_type);
        }
    }
    if let (Some(set), Some(members)) = (types, schema.get("enum").and_then(Value::as_array))
        && !members.is_empty()
        && !members.iter().any(|member| set.has(member.bson_type()) || alike(set, member))
    {
        say(path, ContradictionKind::EnumType, always);
    }
    if path.is_empty() && depth == 0 && types.is_some_and(|set| !set.has(Type::Object)) {
        say(path, ContradictionKind::TopType, true);
    }
    if schema.get("not").and_then(Value::as_object).is_some_and(<[_]>::is_empty) {
        say(path, ContradictionKind::NotAnything, always);
    }
    if schema.get("additionalProperties").and_then(Value::as_bool) == Some(false) {
        let listed = schema.get("properties").and_then(Value::as_object).unwrap_or_default();
        let patterns = schema.get("patternProperties").and_then(Value::as_object).unwrap_or_default();
        let allowed = |name: &str| {
            listed.iter().any(|(l, _)| l == name)
                || patterns.iter().any(|(p, _)| super::pattern::Pattern::new(p, "").is_none_or(|p| p.is_match(name)))
        };
        if path.is_empty() && depth == 0 && !allowed("_id") {
            say("_id", ContradictionKind::NoId, true);
        }
        for name in
            schema.get("required").and_then(Value::as_array).unwrap_or_default().iter().filter_map(Value::as_str)
        {
            let told = path.is_empty() && name == "_id";
            if !allowed(name) && !told {
                // Where the value may be of another type than object, that is the way out.
                say(
                    &below(path, name),
                    ContradictionKind::RequiredRefused,
                    always && (path.is_empty() || only(&[Type::Object])),
                );
            }
        }
    }
    each_inner(schema, path, &mut |inner, path, tie| match tie {
        Tie::Property(required) => {
            contradict(inner, path, always && required && holds_objects(types, depth), depth + 1, out);
        }
        Tie::Same => contradict(inner, path, always, depth + 1, out),
        Tie::Loose => {}
    });
}

/// Whether the value around a property is an object for certain, so that the property's schema applies.
fn holds_objects(types: Option<TypeSet>, depth: usize) -> bool {
    depth == 0 || types.is_some_and(|set| set.list() == [Type::Object])
}

/// A number of a schema may be read as another number type than it was written.
fn alike(set: TypeSet, member: &Value) -> bool {
    match member {
        // `enum` compares by value: 5 matches a stored 5.0, so any number type may hold it.
        Value::Int(_) | Value::Long(_) | Value::Double(_) | Value::Decimal(_) => {
            set.list().iter().any(|t| t.is_number())
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Action, Level};
    use super::*;
    use crate::catalogue::Origin;
    use crate::value::samples::json;

    fn validator(schema: &str) -> Validator {
        Validator {
            expression: Value::Object(vec![("$jsonSchema".to_owned(), json(schema))]),
            level: Level::Strict,
            action: Action::Error,
            origin: Origin::Wanted,
            location: None,
        }
    }

    fn refusals(schema: &str) -> Vec<(String, String, RefusalKind, Option<&'static str>)> {
        validator(schema).refusals().into_iter().map(|r| (r.path, r.keyword, r.kind, r.meant)).collect()
    }

    fn refused(
        path: &str,
        keyword: &str,
        kind: RefusalKind,
        meant: Option<&'static str>,
    ) -> (String, String, RefusalKind, Option<&'static str>) {
        (path.to_owned(), keyword.to_owned(), kind, meant)
    }

    #[test]
    fn what_the_server_refuses() {
        use RefusalKind::{Exclusive, Keyword, TwoTypes, TypeName, Value as BadValue};
        assert_eq!(
            refusals(
                r#"{"bsonType":"object","properties":{"pages":{"type":"integer"},"t":{"bsonType":"string","default":"x"},"c":{"format":"email"}}}"#
            ),
            [
                refused("c", "format", Keyword, None),
                refused("pages", "type", TypeName, Some("int")),
                refused("t", "default", Keyword, None),
            ]
        );
        assert_eq!(
            refusals(r#"{"properties":{"a":{"bsonType":"ObjectId"}}}"#),
            [refused("a", "bsonType", TypeName, Some("objectId"))]
        );
        assert_eq!(
            refusals(r#"{"properties":{"a":{"bsonType":"Double"}}}"#),
            [refused("a", "bsonType", TypeName, Some("double"))]
        );
        assert_eq!(refusals(r#"{"properties":{"a":{"type":"int"}}}"#), [refused("a", "type", TypeName, Some("int"))]);
        assert_eq!(
            refusals(r#"{"properties":{"a":{"bsonType":"int","type":"number"}}}"#),
            [refused("a", "bsonType", TwoTypes, None)]
        );
        assert_eq!(
            refusals(r#"{"properties":{"a":{"exclusiveMinimum":5}}}"#),
            [refused("a", "exclusiveMinimum", Exclusive, Some("minimum"))]
        );
        assert_eq!(refusals(r#"{"required":[]}"#), [refused("", "required", BadValue(Wanted::Element), None)]);
        assert_eq!(
            refusals(r#"{"properties":{"a":{"requierd":["x"]}}}"#),
            [refused("a", "requierd", Keyword, Some("required"))]
        );
        assert_eq!(refusals(r#"{"anyOf":[{"properties":{"a":{"$ref":"x"}}}]}"#), [refused("a", "$ref", Keyword, None)]);
        assert_eq!(
            refusals(r#"{"properties":{"a":{"enum":[1,{"$d":1}]}}}"#),
            [refused("a", "enum", BadValue(Wanted::Distinct), None)]
        );
    }

    #[test]
    fn a_refused_value_tells_what_is_wanted() {
        use Wanted::*;
        for (schema, wanted) in [
            (r#"{"required": "a"}"#, Names),
            (r#"{"required": ["a", "a"]}"#, Distinct),
            (r#"{"enum": []}"#, Element),
            (r#"{"enum": 1}"#, Values),
            (r#"{"bsonType": []}"#, Element),
            (r#"{"bsonType": [1]}"#, TypeNames),
            (r#"{"minimum": "1"}"#, Number),
            (r#"{"multipleOf": 0}"#, Positive),
            (r#"{"minLength": -1}"#, Whole),
            (r#"{"maxItems": 1.5}"#, Whole),
            (r#"{"pattern": 1}"#, Text),
            (r#"{"uniqueItems": 1}"#, Boolean),
            (r#"{"items": true}"#, SchemaOrSchemas),
            (r#"{"additionalProperties": 1}"#, SchemaOrBoolean),
            (r#"{"properties": []}"#, ByName),
            (r#"{"dependencies": {"a": []}}"#, Dependencies),
            (r#"{"anyOf": []}"#, Element),
            (r#"{"anyOf": [1]}"#, Schemas),
            (r#"{"not": []}"#, Schema),
            (r#"{"encrypt": 1}"#, Object),
        ] {
            let kinds: Vec<_> = refusals(schema).into_iter().map(|(_, _, kind, _)| kind).collect();
            assert_eq!(kinds, [RefusalKind::Value(wanted)], "{schema}");
        }
    }

    #[test]
    fn good_schemas_are_not_refused() {
        for schema in [
            r#"{"bsonType":"object","title":"t","required":["a"],"properties":{"_id":{},"a":{"bsonType":["double","null"],"description":"d"},"b":{"type":["string","null"]},"default":{"bsonType":"int"}}}"#,
            r#"{"properties":{"a":{"minimum":0,"exclusiveMinimum":true,"maxLength":{"$d":5}}}}"#,
            r#"{"properties":{"ssn":{"encrypt":{"bsonType":"string","keyId":[1]}}},"bsonType":"object"}"#,
        ] {
            assert_eq!(refusals(schema), [], "{schema}");
        }
    }

    fn contradictions(schema: &str) -> Vec<(String, ContradictionKind, bool)> {
        validator(schema).contradictions().into_iter().map(|c| (c.path, c.kind, c.always)).collect()
    }

    #[test]
    fn what_nothing_satisfies() {
        use ContradictionKind::{Bounds, EnumType, NoId, RequiredRefused, TopType};
        let year = r#"{"properties":{"year":{"bsonType":"number","minimum":2100,"maximum":1400}},"required":["year"]}"#;
        assert_eq!(contradictions(year), [("year".to_owned(), Bounds("minimum", "maximum"), true)]);
        let optional = year.replace(r#""required":["year"]"#, r#""required":["x"]"#);
        assert_eq!(contradictions(&optional), [("year".to_owned(), Bounds("minimum", "maximum"), false)]);
        assert_eq!(
            contradictions(r#"{"additionalProperties":false,"properties":{"a":{}}}"#),
            [("_id".to_owned(), NoId, true)]
        );
        assert_eq!(
            contradictions(
                r#"{"additionalProperties":false,"required":["b"],"patternProperties":{"^_":{}},"properties":{"a":{}}}"#
            ),
            [("b".to_owned(), RequiredRefused, true)]
        );
        assert_eq!(
            contradictions(r#"{"properties":{"s":{"bsonType":"int","enum":["a","b"]}}}"#),
            [("s".to_owned(), EnumType, false)]
        );
        assert_eq!(contradictions(r#"{"bsonType":"array"}"#), [(String::new(), TopType, true)]);
        // Inside an optional object, or beside another type, there is a way out.
        let nested = r#"{"required":["o"],"properties":{"o":{"bsonType":["object","null"],"required":["n"],"properties":{"n":{"bsonType":"int","minimum":2,"maximum":1}}}}}"#;
        assert_eq!(contradictions(nested), [("o.n".to_owned(), Bounds("minimum", "maximum"), false)]);
    }

    #[test]
    fn what_can_be_satisfied() {
        for schema in [
            r#"{"properties":{"a":{"bsonType":"int","minimum":1,"maximum":1}}}"#,
            r#"{"properties":{"a":{"bsonType":["int","null"],"minimum":2,"maximum":1}}}"#,
            r#"{"additionalProperties":false,"properties":{"_id":{},"a":{}},"required":["a","_id"]}"#,
            r#"{"properties":{"o":{"additionalProperties":false,"properties":{"a":{}}}}}"#,
            r#"{"properties":{"a":{"bsonType":"double","enum":[1,2]}}}"#,
            r#"{"anyOf":[{"properties":{"a":{"bsonType":"int","minimum":2,"maximum":1}}},{}]}"#,
        ] {
            assert_eq!(contradictions(schema), [], "{schema}");
        }
    }
}
