//! Mongoose schemas: the indexes that a model asks for, and the collection that it uses.

use std::collections::BTreeMap;

use oxc_ast::ast::{CallExpression, Expression, ObjectExpression, ObjectPropertyKind};
use oxc_span::Span;

use super::literal::{self, bare};
use super::source::Script;
use super::targets::Target;
use super::tree::Declared;
use crate::catalogue::Namespace;
use crate::value::Value;
use crate::workload::Api;

/// The schemas and models of a script.
#[derive(Debug, Default)]
pub(super) struct Models {
    /// Schemas by the name that they are declared under.
    schemas: BTreeMap<u32, Schema>,
    /// The collections of models by name; nothing where Mongoose's own plural is taken.
    models: BTreeMap<String, Option<String>>,
}

impl Models {
    /// Finds schemas and models.
    pub(super) fn new(cx: &Script<'_>) -> Models {
        let mut found = Models::default();
        for (number, symbol) in cx.tree.symbols.iter().enumerate() {
            if let Declared::Value(init, path) = &symbol.declared
                && path.steps.is_empty()
                && let Some(schema) = Schema::new(init, cx, &|name, at| found.schema(cx, name, at).cloned())
            {
                found.schemas.insert(number as u32, schema);
            }
        }
        for site in &cx.tree.calls {
            let Expression::StaticMemberExpression(access) = bare(&site.call.callee) else { continue };
            if let (Expression::Identifier(name), "index") = (bare(&access.object), access.property.name.as_str())
                && let Some(symbol) = cx.tree.resolve(name.name.as_str(), name.span.start)
                && let Some(schema) = found.schemas.get_mut(&symbol)
            {
                schema.add(site.call, cx);
            }
        }
        for site in &cx.tree.calls {
            if let Some((name, schema, collection)) = model(site.call, cx) {
                let schema = match schema {
                    Expression::Identifier(schema) => {
                        found.schema(cx, schema.name.as_str(), schema.span.start).cloned()
                    }
                    other => Schema::new(other, cx, &|name, at| found.schema(cx, name, at).cloned()),
                };
                let collection = collection.or_else(|| schema?.collection);
                found.models.insert(name, collection);
            }
        }
        found
    }

    fn schema(&self, cx: &Script<'_>, name: &str, at: u32) -> Option<&Schema> {
        self.schemas.get(&cx.tree.resolve(name, at)?)
    }
}

/// Whether the script declares a model, or a class that one is made of.
pub(super) fn knows(cx: &Script<'_>, model: &str) -> bool {
    cx.models.models.contains_key(model)
}

/// What a model of this name gives access to.
pub(super) fn model_target(cx: &Script<'_>, model: &str, at: u32) -> Target {
    let collection = match cx.models.models.get(model) {
        Some(Some(collection)) => collection.clone(),
        _ => plural(model),
    };
    cx.collection(None, Some(collection), at, Api::Mongoose)
}

/// What `mongoose.model('User')`, with or without its schema, gives access to.
pub(super) fn declared_model(cx: &Script<'_>, call: &CallExpression<'_>) -> Option<Target> {
    let is_model = match bare(&call.callee) {
        Expression::Identifier(name) => name.name == "model" && !call.arguments.is_empty(),
        Expression::StaticMemberExpression(member) => member.property.name == "model",
        _ => false,
    };
    if !is_model || cx.is_strange() {
        return None;
    }
    let name = literal::argument(call.arguments.first()?, cx);
    Some(match name.as_str() {
        Some(name) => model_target(cx, name, call.span.start),
        None => Target::Collection { ns: None, api: Api::Mongoose },
    })
}

/// The collection of a model that a call makes, and the indexes that its schema asks for.
pub(super) fn wishes(cx: &Script<'_>, call: &CallExpression<'_>) -> Option<(Namespace, Vec<Wish>)> {
    let (name, schema, collection) = model(call, cx)?;
    let known = |name: &str, at: u32| cx.models.schema(cx, name, at).cloned();
    let schema = match schema {
        Expression::Identifier(schema) => known(schema.name.as_str(), schema.span.start),
        other => Schema::new(other, cx, &known),
    }?;
    let collection = collection.or(schema.collection).unwrap_or_else(|| plural(&name));
    Some((Namespace { database: cx.database_at(call.span.start), collection }, schema.indexes))
}

/// A schema that was declared under a name.
#[derive(Debug, Clone, Default)]
pub(super) struct Schema {
    /// The `collection` of its options.
    pub(super) collection: Option<String>,
    /// The indexes that it asks for, each with the place that asks.
    pub(super) indexes: Vec<Wish>,
}

/// An index that a schema asks for: the place that asks, the key, the options.
pub(super) type Wish = (Span, Vec<(String, Value)>, Vec<(String, Value)>);

/// Objects within objects that are read.
const DEEPEST: u32 = 20;

impl Schema {
    /// The schema of `new Schema({…}, {…})`. `other` gives schemas by name, for those that are embedded.
    pub(super) fn new(
        expression: &Expression<'_>,
        cx: &Script<'_>,
        other: &dyn Fn(&str, u32) -> Option<Schema>,
    ) -> Option<Schema> {
        let Expression::NewExpression(new) = bare(expression) else { return None };
        let is_schema = match bare(&new.callee) {
            Expression::Identifier(name) => name.name == "Schema",
            Expression::StaticMemberExpression(member) => member.property.name == "Schema",
            _ => false,
        };
        let (true, Some(definition)) = (is_schema, new.arguments.first()?.as_expression()) else { return None };
        let Expression::ObjectExpression(definition) = bare(definition) else { return None };
        let mut schema = Schema::default();
        schema.fields(definition, "", cx, other, 0);
        if let Some(options) = new.arguments.get(1) {
            let options = literal::argument(options, cx);
            if let Some(collection) = options.get("collection").and_then(|term| term.as_str()) {
                schema.collection = Some(collection.to_owned());
            }
        }
        Some(schema)
    }

    /// Takes `schema.index(key, options)`.
    pub(super) fn add(&mut self, call: &CallExpression<'_>, cx: &Script<'_>) {
        let Some(Value::Object(key)) = call.arguments.first().and_then(|key| literal::argument(key, cx).value()) else {
            return;
        };
        let options = match call.arguments.get(1).map(|options| literal::argument(options, cx).value()) {
            None => Vec::new(),
            Some(Some(Value::Object(options))) => options.into_iter().map(seconds).collect(),
            Some(_) => return,
        };
        if !key.is_empty() {
            self.indexes.push((call.span, key, options));
        }
    }

    fn fields(
        &mut self,
        object: &ObjectExpression<'_>,
        prefix: &str,
        cx: &Script<'_>,
        other: &dyn Fn(&str, u32) -> Option<Schema>,
        depth: u32,
    ) {
        if depth > DEEPEST {
            return;
        }
        for property in &object.properties {
            let ObjectPropertyKind::ObjectProperty(property) = property else { continue };
            let Some(name) = property.key.static_name() else { continue };
            let path = if prefix.is_empty() { name.to_string() } else { format!("{prefix}.{name}") };
            let mut value = bare(&property.value);
            // `[{ … }]` describes the elements of an array.
            if let Expression::ArrayExpression(array) = value
                && let Some(element) = array.elements.first().and_then(|e| e.as_expression())
            {
                value = bare(element);
            }
            match value {
                Expression::ObjectExpression(inner) => match described_type(inner) {
                    Some(kind) => {
                        self.options(inner, &path, property.span, cx);
                        self.nested(kind, &path, cx, other, depth);
                    }
                    None => self.fields(inner, &path, cx, other, depth + 1),
                },
                kind => self.nested(kind, &path, cx, other, depth),
            }
        }
    }

    /// A type that is a schema by itself, or a list or object of fields.
    fn nested(
        &mut self,
        kind: &Expression<'_>,
        path: &str,
        cx: &Script<'_>,
        other: &dyn Fn(&str, u32) -> Option<Schema>,
        depth: u32,
    ) {
        match bare(kind) {
            Expression::ArrayExpression(array) => {
                if let Some(element) = array.elements.first().and_then(|e| e.as_expression()) {
                    match bare(element) {
                        Expression::ObjectExpression(inner) if described_type(inner).is_none() => {
                            self.fields(inner, path, cx, other, depth + 1);
                        }
                        name @ Expression::Identifier(_) => self.nested(name, path, cx, other, depth + 1),
                        _ => {}
                    }
                }
            }
            Expression::Identifier(name) => {
                let Some(inner) = other(name.name.as_str(), name.span.start) else { return };
                for (span, key, options) in inner.indexes {
                    let key = key.into_iter().map(|(field, kind)| (format!("{path}.{field}"), kind)).collect();
                    self.indexes.push((span, key, options));
                }
            }
            _ => {}
        }
    }

    /// The options of one field that make an index.
    fn options(&mut self, field: &ObjectExpression<'_>, path: &str, span: Span, cx: &Script<'_>) {
        let given = |name: &str| {
            field.properties.iter().find_map(|property| match property {
                ObjectPropertyKind::ObjectProperty(property) if property.key.static_name().as_deref() == Some(name) => {
                    literal::evaluate(&property.value, cx).value()
                }
                _ => None,
            })
        };
        let yes = |value: &Option<Value>| *value == Some(Value::Bool(true));
        let (index, unique, sparse, text, expires) =
            (given("index"), given("unique"), given("sparse"), given("text"), given("expires"));
        let mut kind = Value::Int(1);
        let mut options: Vec<(String, Value)> = Vec::new();
        match &index {
            Some(Value::String(special)) => kind = Value::String(special.clone()),
            Some(Value::Object(inner)) => options.extend(inner.iter().cloned().map(seconds)),
            _ => {}
        }
        if yes(&text) {
            kind = Value::String("text".to_owned());
        }
        let asked = matches!(index, Some(Value::Bool(true) | Value::String(_) | Value::Object(_)))
            || yes(&unique)
            || yes(&sparse)
            || yes(&text)
            || expires.is_some();
        if !asked || index == Some(Value::Bool(false)) {
            return;
        }
        for (name, set) in [("unique", yes(&unique)), ("sparse", yes(&sparse))] {
            if set {
                options.push((name.to_owned(), Value::Bool(true)));
            }
        }
        options.extend(expires.map(|expires| seconds(("expires".to_owned(), expires))));
        self.indexes.push((span, vec![(path.to_owned(), kind)], options));
    }
}

/// The expression of `type`, where an object describes a field and not fields.
fn described_type<'e, 'a>(object: &'e ObjectExpression<'a>) -> Option<&'e Expression<'a>> {
    object.properties.iter().find_map(|property| match property {
        ObjectPropertyKind::ObjectProperty(property) if property.key.static_name().as_deref() == Some("type") => {
            // `{type: {type: String}}` is a field that is called type.
            let nested =
                matches!(bare(&property.value), Expression::ObjectExpression(inner) if described_type(inner).is_some());
            (!nested).then_some(&property.value)
        }
        _ => None,
    })
}

/// Mongoose's `expires` is `expireAfterSeconds`, and takes `"7d"` as well as seconds.
fn seconds((name, value): (String, Value)) -> (String, Value) {
    if name != "expires" {
        return (name, value);
    }
    let parsed = value.as_str().and_then(|text| {
        let text = text.trim();
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        let (number, unit) = text.split_at(digits);
        let unit = match unit.trim() {
            "ms" => return number.parse::<i64>().ok().map(|n| n / 1000),
            "s" | "sec" | "secs" | "second" | "seconds" => 1,
            "m" | "min" | "mins" | "minute" | "minutes" => 60,
            "h" | "hr" | "hrs" | "hour" | "hours" => 3_600,
            "d" | "day" | "days" => 86_400,
            "w" | "week" | "weeks" => 604_800,
            "y" | "yr" | "year" | "years" => 31_557_600,
            _ => return None,
        };
        number.parse::<i64>().ok()?.checked_mul(unit)
    });
    let value = match parsed {
        Some(seconds) => i32::try_from(seconds).map_or(Value::Long(seconds), Value::Int),
        None => value,
    };
    ("expireAfterSeconds".to_owned(), value)
}

/// The collection that Mongoose takes for a model's name: the plural, in lower case.
pub(super) fn plural(model: &str) -> String {
    const SAME: &[&str] = &[
        "advice",
        "energy",
        "excretion",
        "digestion",
        "cooperation",
        "health",
        "justice",
        "labour",
        "machinery",
        "equipment",
        "information",
        "pollution",
        "sewage",
        "paper",
        "money",
        "species",
        "series",
        "rain",
        "rice",
        "fish",
        "sheep",
        "moose",
        "deer",
        "news",
        "expertise",
        "status",
        "media",
    ];
    const ENDS: &[(&str, &str)] = &[
        ("person", "people"),
        ("child", "children"),
        ("man", "men"),
        ("quiz", "quizzes"),
        ("alias", "aliases"),
        ("bus", "buses"),
        ("buffalo", "buffaloes"),
        ("tomato", "tomatoes"),
        ("potato", "potatoes"),
        ("tum", "ta"),
        ("ium", "ia"),
        ("sis", "ses"),
        ("mouse", "mice"),
        ("louse", "lice"),
        ("matrix", "matrices"),
        ("vertex", "vertices"),
        ("index", "indices"),
        ("knife", "knives"),
        ("wife", "wives"),
        ("life", "lives"),
        ("lf", "lves"),
        ("rf", "rves"),
        ("ch", "ches"),
        ("sh", "shes"),
        ("ss", "sses"),
        ("x", "xes"),
    ];
    let name = model.to_lowercase();
    if SAME.contains(&name.as_str()) {
        return name;
    }
    if let Some((end, plural)) = ENDS.iter().find(|(end, _)| name.ends_with(end)) {
        return format!("{}{plural}", name.strip_suffix(end).unwrap_or_default());
    }
    let before_last = name.chars().rev().nth(1);
    match name.chars().last() {
        Some('y') if before_last.is_some_and(|c| !"aeiouy".contains(c)) => {
            format!("{}ies", name.strip_suffix('y').unwrap_or_default())
        }
        Some(last) if last != 's' && last.is_ascii_lowercase() => format!("{name}s"),
        _ => name,
    }
}

/// The name, the schema and the collection of `model("Member", memberSchema, "members")`.
fn model<'e, 'a>(
    call: &'e CallExpression<'a>,
    cx: &Script<'_>,
) -> Option<(String, &'e Expression<'a>, Option<String>)> {
    let is_model = match bare(&call.callee) {
        Expression::Identifier(name) => name.name == "model",
        Expression::StaticMemberExpression(member) => member.property.name == "model",
        _ => false,
    };
    let schema = call.arguments.get(1)?.as_expression().filter(|_| is_model)?;
    let name = cx.text_argument(&call.arguments, 0)?;
    Some((name, bare(schema), cx.text_argument(&call.arguments, 2)))
}

#[cfg(test)]
mod tests {
    use super::plural;
    use crate::catalogue::{Catalogue, Namespace};
    use crate::evidence::script::read;

    fn indexes(text: &str) -> Vec<String> {
        let reading = read("m.ts", text, Some(&Namespace::new("club", "x")));
        assert_eq!(reading.problems, []);
        let mut catalogue = Catalogue::default();
        catalogue.extend(reading.statements);
        let line = |ns: &Namespace, i: &crate::catalogue::Index| {
            let place = i.location.as_ref().unwrap().start.unwrap().line;
            let unique = if i.unique { " unique" } else { "" };
            format!("{place} {ns} {}{unique}{}", i.key_script(), if i.is_ttl() { " ttl" } else { "" })
        };
        let collections = catalogue.collections(None);
        collections.iter().flat_map(|(ns, c)| c.indexes.iter().map(move |i| line(ns, i))).collect()
    }

    #[test]
    fn schemas_ask_for_indexes() {
        let text = r"
import { Schema, model } from 'mongoose';
const addressSchema = new Schema({ zip: { type: String, index: true } });
const memberSchema = new Schema<Member>({
  cardNo: { type: String, required: true, unique: true },
  email: String,
  type: { type: String },
  address: addressSchema,
  place: { type: [Number], index: '2dsphere' },
  tokens: [{ value: { type: String, index: true } }],
  seenAt: { type: Date, expires: '7d' },
});
memberSchema.index({ email: 1, joinedAt: -1 }, { unique: true });
export const Member = model('Member', memberSchema);
export const Log = mongoose.model('Log', new Schema({ a: 1 }));
const other = new mongoose.Schema({ a: { type: Number, unique: true } }, { collection: 'things' });
mongoose.model('Other', other);
";
        assert_eq!(
            indexes(text),
            [
                "5 club.members { cardNo: 1 } unique",
                "3 club.members { \"address.zip\": 1 }",
                "9 club.members { place: \"2dsphere\" }",
                "10 club.members { \"tokens.value\": 1 }",
                "11 club.members { seenAt: 1 } ttl",
                "13 club.members { email: 1, joinedAt: -1 } unique",
                "16 club.things { a: 1 } unique",
            ]
        );
    }

    #[test]
    fn plurals_are_mongooses() {
        for (model, collection) in [
            ("User", "users"),
            ("Category", "categories"),
            ("Day", "days"),
            ("Person", "people"),
            ("Address", "addresses"),
            ("Box", "boxes"),
            ("News", "news"),
            ("Shelf", "shelves"),
            ("UserProfile", "userprofiles"),
            ("Analysis", "analyses"),
        ] {
            assert_eq!(plural(model), collection);
        }
    }
}
