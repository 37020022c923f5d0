//! Mongoose schemas and models, also as NestJS and Typegoose classes: collections, fields, and the indexes that are
//! asked for.

use std::collections::BTreeMap;

use oxc_ast::ast::{
    Argument, CallExpression, Decorator, Expression, ObjectExpression, ObjectPropertyKind, PropertyDefinition, TSType,
    TSTypeName,
};
use oxc_span::{GetSpan, Span};

use super::literal::{self, bare};
use super::modules::Fact;
use super::source::Script;
use super::targets::Target;
use super::tree::{Declared, RegionKind, key_name};
use crate::catalogue::{DeclaredField, DeclaredSchema, Namespace};
use crate::value::{Type, Value};
use crate::workload::Api;

/// A schema that was declared.
#[derive(Debug, Clone, Default)]
pub(super) struct Schema {
    /// The `collection` of its options.
    collection: Option<String>,
    /// The model that a class stands for by itself.
    model: Option<String>,
    /// The indexes that it asks for, each with the place that asks.
    pub(super) indexes: Vec<Wish>,
    /// Its fields. References name models.
    fields: Vec<(DeclaredField, Option<String>)>,
    /// Whether more may be declared than is seen.
    open: bool,
}

/// An index that a schema asks for: the place that asks, the key, the options.
pub(super) type Wish = (Span, Vec<(String, Value)>, Vec<(String, Value)>);

/// Objects within objects that are read.
const DEEPEST: u32 = 20;

/// The schemas and models of a script.
#[derive(Debug, Default)]
pub(super) struct Models {
    /// Schemas by the name that they are declared under.
    schemas: BTreeMap<u32, Schema>,
    /// The collections of models by name; nothing where Mongoose's own plural is taken.
    collections: BTreeMap<String, Option<String>>,
    /// The models that schemas are used for.
    uses: BTreeMap<u32, String>,
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
                if let Some(model) = &schema.model {
                    found.collections.insert(model.clone(), schema.collection.clone());
                    found.uses.insert(number as u32, model.clone());
                }
                found.schemas.insert(number as u32, schema);
            }
        }
        for site in &cx.tree.calls {
            let Expression::StaticMemberExpression(access) = bare(&site.call.callee) else { continue };
            if let Expression::Identifier(name) = bare(&access.object)
                && matches!(access.property.name.as_str(), "index" | "plugin" | "add" | "discriminator")
                && let Some(symbol) = cx.tree.resolve(name.name.as_str(), name.span.start)
                && let Some(schema) = found.schemas.get_mut(&symbol)
            {
                match access.property.name.as_str() {
                    "index" => schema.add(site.call, cx),
                    // They may declare anything.
                    _ => schema.open = true,
                }
            }
        }
        for site in &cx.tree.calls {
            if let Some((name, given, collection)) = model(site.call, cx) {
                let schema = match given {
                    Expression::Identifier(schema) => {
                        if let Some(symbol) = cx.tree.resolve(schema.name.as_str(), schema.span.start) {
                            found.uses.insert(symbol, name.clone());
                        }
                        found.schema(cx, schema.name.as_str(), schema.span.start).cloned()
                    }
                    other => Schema::new(other, cx, &|name, at| found.schema(cx, name, at).cloned()),
                };
                let imported = || match cx.imported(given, 32) {
                    Some(Fact::Schema(collection)) => collection,
                    _ => None,
                };
                let collection = collection.or_else(|| schema.map_or_else(imported, |schema| schema.collection));
                found.collections.insert(name, collection);
            } else if let Some(schema) = class_model(cx, site.call)
                && let Some(name) = schema.model
            {
                found.collections.insert(name, schema.collection);
            }
        }
        found
    }

    fn schema(&self, cx: &Script<'_>, name: &str, at: u32) -> Option<&Schema> {
        self.schemas.get(&cx.tree.resolve(name, at)?)
    }

    /// The models that are declared, with the collection that they name.
    pub(super) fn declared(&self) -> &BTreeMap<String, Option<String>> {
        &self.collections
    }

    /// What other files may know of the schema under a declared name.
    pub(super) fn schema_of(&self, symbol: u32) -> Option<Fact> {
        self.schemas.get(&symbol).map(|schema| Fact::Schema(schema.collection.clone()))
    }
}

/// Whether a model is declared, or a class that one is made of, here or in another file.
pub(super) fn knows(cx: &Script<'_>, model: &str) -> bool {
    if cx.models.collections.contains_key(model) {
        return true;
    }
    cx.wanted_models.borrow_mut().insert(model.to_owned());
    cx.imports.models.contains_key(model)
}

/// The collection of a model; nothing where several files declare it differently.
fn collection_of(cx: &Script<'_>, model: &str) -> Option<String> {
    if let Some(known) = cx.models.collections.get(model) {
        return Some(known.clone().unwrap_or_else(|| plural(model)));
    }
    cx.wanted_models.borrow_mut().insert(model.to_owned());
    cx.imports.models.get(model).cloned().unwrap_or_else(|| Some(plural(model)))
}

/// What other files may know of `new Schema({…}, {…})`.
pub(super) fn schema_fact(cx: &Script<'_>, expression: &Expression<'_>) -> Option<Fact> {
    Schema::new(expression, cx, &|_, _| None).map(|schema| Fact::Schema(schema.collection))
}

/// What a model of this name gives access to.
pub(super) fn model_target(cx: &Script<'_>, model: &str, at: u32) -> Target {
    cx.collection(None, collection_of(cx, model), at, Api::Mongoose)
}

/// What `mongoose.model('User')`, with or without its schema, or `getModelForClass(User)` gives access to.
pub(super) fn declared_model(cx: &Script<'_>, call: &CallExpression<'_>) -> Option<Target> {
    let (function, own) = match bare(&call.callee) {
        Expression::Identifier(name) => (name.name.as_str(), true),
        Expression::StaticMemberExpression(member) => (member.property.name.as_str(), false),
        _ => return None,
    };
    if cx.is_strange() {
        return None;
    }
    let first = call.arguments.first()?;
    match (function, first) {
        ("getModelForClass", Argument::Identifier(class)) => {
            Some(model_target(cx, class.name.as_str(), call.span.start))
        }
        ("model", _) if !own || cx.tree.modules.iter().any(|module| module.contains("mongoose")) => {
            Some(match literal::argument(first, cx).as_str() {
                Some(name) => model_target(cx, name, call.span.start),
                None => Target::Collection { ns: None, api: Api::Mongoose },
            })
        }
        _ => None,
    }
}

/// What `this` gives access to within a static of a schema.
pub(super) fn of_static(cx: &Script<'_>, at: u32) -> Option<Target> {
    let function = cx.tree.around(at).find_map(|(_, region)| match region.kind {
        RegionKind::Function(function) => Some(function),
        _ => None,
    })?;
    let info = cx.tree.functions.get(function as usize)?;
    let (schema, from) = match (info.assigned, info.callback) {
        (Some(text), _) => (text.split_once(".statics.")?.0, info.span.start),
        (None, Some((call, _))) => match bare(&call.callee) {
            Expression::StaticMemberExpression(member) if member.property.name == "static" => {
                (cx.source(member.object.span())?, call.span.start)
            }
            _ => return None,
        },
        (None, None) => return None,
    };
    let symbol = cx.tree.resolve(schema, from)?;
    cx.models.schemas.get(&symbol)?;
    Some(match cx.models.uses.get(&symbol) {
        Some(model) => model_target(cx, model, at),
        None => Target::Collection { ns: None, api: Api::Mongoose },
    })
}

/// The collection of a model that a call makes, its schema with names of collections, and the indexes that it asks for.
pub(super) fn wishes(cx: &Script<'_>, call: &CallExpression<'_>) -> Option<(Namespace, DeclaredSchema, Vec<Wish>)> {
    let known = |name: &str, at: u32| cx.models.schema(cx, name, at).cloned();
    let (name, schema, collection) = if let Some((name, schema, collection)) = model(call, cx) {
        let schema = match schema {
            Expression::Identifier(schema) => known(schema.name.as_str(), schema.span.start),
            other => Schema::new(other, cx, &known),
        }?;
        (name, schema, collection)
    } else {
        let schema = class_model(cx, call)?;
        // Indexes that are added to the schema's name belong to it.
        let named = cx.models.schemas.iter().find(|(symbol, _)| {
            cx.tree.symbol(**symbol).is_some_and(
                |symbol| matches!(&symbol.declared, Declared::Value(init, _) if bare(init).span() == call.span),
            )
        });
        let schema = named.map_or(schema, |(_, schema)| schema.clone());
        (schema.model.clone()?, schema, None)
    };
    let collection = collection.or(schema.collection).unwrap_or_else(|| plural(&name));
    let database = cx.database_at(call.span.start);
    let refer = |(mut field, model): (DeclaredField, Option<String>)| {
        field.reference = model
            .and_then(|model| Some(Namespace { database: database.clone(), collection: collection_of(cx, &model)? }));
        field
    };
    let fields = schema.fields.into_iter().map(refer).collect();
    let declared = DeclaredSchema { fields, open: schema.open, location: None };
    Some((Namespace { database: database.clone(), collection }, declared, schema.indexes))
}

/// The schema of `SchemaFactory.createForClass(User)` or `getModelForClass(User)`.
fn class_model(cx: &Script<'_>, call: &CallExpression<'_>) -> Option<Schema> {
    let function = match bare(&call.callee) {
        Expression::Identifier(name) => name.name.as_str(),
        Expression::StaticMemberExpression(member) => member.property.name.as_str(),
        _ => return None,
    };
    if !matches!(function, "createForClass" | "getModelForClass" | "buildSchema") {
        return None;
    }
    let Argument::Identifier(class) = call.arguments.first()? else { return None };
    Schema::of_class(cx, class.name.as_str(), class.span.start, DEEPEST)
}

impl Schema {
    /// The schema of `new Schema({…}, {…})` or of a class. `other` gives schemas by name, for those that are embedded.
    fn new(
        expression: &Expression<'_>,
        cx: &Script<'_>,
        other: &dyn Fn(&str, u32) -> Option<Schema>,
    ) -> Option<Schema> {
        let new = match bare(expression) {
            Expression::NewExpression(new) => new,
            Expression::CallExpression(call) => return class_model(cx, call),
            _ => return None,
        };
        let is_schema = match bare(&new.callee) {
            Expression::Identifier(name) => name.name == "Schema",
            Expression::StaticMemberExpression(member) => member.property.name == "Schema",
            _ => false,
        };
        if !is_schema {
            return None;
        }
        let mut schema = Schema::default();
        let definition = new.arguments.first().and_then(Argument::as_expression).map(bare);
        let definition = match definition {
            // `const fields = {…}; new Schema(fields)`
            Some(Expression::Identifier(name)) => {
                let symbol = cx.tree.resolve(name.name.as_str(), name.span.start).and_then(|s| cx.tree.symbol(s));
                match symbol.map(|symbol| (&symbol.declared, symbol.writes.is_empty())) {
                    Some((Declared::Value(init, path), true)) if path.steps.is_empty() => Some(bare(init)),
                    _ => definition,
                }
            }
            _ => definition,
        };
        match definition {
            Some(Expression::ObjectExpression(definition)) => schema.fields(definition, "", false, cx, other, 0),
            _ => schema.open = true,
        }
        if let Some(options) = new.arguments.get(1) {
            let options = literal::argument(options, cx);
            if let Some(collection) = options.get("collection").and_then(|term| term.as_str()) {
                schema.collection = Some(collection.to_owned());
            }
            schema.open |=
                !options.is_closed() || options.get("strict").is_some_and(|strict| strict.as_bool() != Some(true));
            if options.get("timestamps").is_some_and(|on| on.as_bool() == Some(true)) {
                schema.timestamps();
            }
        }
        Some(schema)
    }

    fn timestamps(&mut self) {
        for path in ["createdAt", "updatedAt"] {
            let field = DeclaredField { path: path.to_owned(), types: vec![Type::Date], ..DeclaredField::default() };
            self.fields.push((field, None));
        }
    }

    /// The schema of a class with decorated fields.
    fn of_class(cx: &Script<'_>, name: &str, at: u32, depth: u32) -> Option<Schema> {
        let depth = depth.checked_sub(1)?;
        let Declared::Class(number) = &cx.tree.symbol(cx.tree.resolve(name, at)?)?.declared else { return None };
        let class = cx.tree.classes.get(*number as usize)?;
        let mut schema = Schema { model: class.name.map(str::to_owned), ..Schema::default() };
        for decorator in class.decorators {
            schema.class_decorator(decorator, cx);
        }
        let known = |name: &str, at: u32| Schema::of_class(cx, name, at, depth);
        for (owner, property) in cx.tree.fields.iter().filter(|(owner, _)| owner == number) {
            let _ = owner;
            schema.class_field(property, cx, &known);
        }
        Some(schema)
    }

    fn class_decorator(&mut self, decorator: &Decorator<'_>, cx: &Script<'_>) {
        let Expression::CallExpression(call) = &decorator.expression else { return };
        let Expression::Identifier(name) = &call.callee else { return };
        let options = || call.arguments.first().map(|options| literal::argument(options, cx));
        match name.name.as_str() {
            "Schema" | "modelOptions" => {
                let Some(options) = options() else { return };
                let options = options.get("schemaOptions").cloned().unwrap_or(options);
                if let Some(collection) = options.get("collection").and_then(|term| term.as_str()) {
                    self.collection = Some(collection.to_owned());
                }
                if options.get("timestamps").is_some_and(|on| on.as_bool() == Some(true)) {
                    self.timestamps();
                }
                self.open |= options.get("strict").is_some_and(|strict| strict.as_bool() != Some(true));
            }
            "index" | "Index" => self.add(call, cx),
            "plugin" => self.open = true,
            _ => {}
        }
    }

    /// `@Prop({…}) name: string;`
    fn class_field(
        &mut self,
        property: &PropertyDefinition<'_>,
        cx: &Script<'_>,
        other: &dyn Fn(&str, u32) -> Option<Schema>,
    ) {
        let Some(name) = key_name(&property.key) else { return };
        let call = property.decorators.iter().find_map(|decorator| match &decorator.expression {
            Expression::CallExpression(call) => match &call.callee {
                Expression::Identifier(name) if matches!(name.name.as_str(), "Prop" | "prop" | "arrayProp") => {
                    Some(call)
                }
                _ => None,
            },
            _ => None,
        });
        let Some(call) = call else { return };
        let annotation = property.type_annotation.as_ref().map(|annotation| &annotation.type_annotation);
        let (array, annotated) = match annotation {
            Some(TSType::TSArrayType(of)) => (true, Some(&of.element_type)),
            other => (false, other),
        };
        let mut field = DeclaredField { path: name.to_owned(), array, ..DeclaredField::default() };
        let mut reference = None;
        let before = self.fields.len();
        let given = call.arguments.first().and_then(Argument::as_expression).map(bare);
        match given {
            Some(Expression::ObjectExpression(options)) => {
                if let Some(kind) = described_type(options) {
                    self.kind(kind, &mut field, cx, other, 0);
                }
                reference = self.options(options, &mut field, property.span, cx);
            }
            Some(kind) => self.kind(kind, &mut field, cx, other, 0),
            None => {}
        }
        if field.types.is_empty()
            && self.fields.len() == before
            && reference.is_none()
            && let Some(annotated) = annotated
        {
            match annotated {
                TSType::TSStringKeyword(_) => field.types.push(Type::String),
                TSType::TSNumberKeyword(_) => field.types.extend(NUMBERS),
                TSType::TSBooleanKeyword(_) => field.types.push(Type::Bool),
                TSType::TSTypeReference(reference) => {
                    if let TSTypeName::IdentifierReference(name) = &reference.type_name {
                        match name.name.as_str() {
                            "Date" => field.types.push(Type::Date),
                            class => self.embed(class, name.span.start, &mut field, other),
                        }
                    }
                }
                _ => {}
            }
        }
        self.fields.push((field, reference));
    }

    /// Takes `schema.index(key, options)`.
    fn add(&mut self, call: &CallExpression<'_>, cx: &Script<'_>) {
        let Some(Value::Object(key)) = call.arguments.first().and_then(|key| literal::argument(key, cx).value()) else {
            self.open = true;
            return;
        };
        let options = match call.arguments.get(1).map(|options| literal::argument(options, cx).value()) {
            None => Vec::new(),
            Some(Some(Value::Object(options))) => options.into_iter().map(seconds).collect(),
            Some(_) => {
                self.open = true;
                return;
            }
        };
        if !key.is_empty() {
            self.indexes.push((call.span, key, options));
        }
    }

    fn fields(
        &mut self,
        object: &ObjectExpression<'_>,
        prefix: &str,
        array: bool,
        cx: &Script<'_>,
        other: &dyn Fn(&str, u32) -> Option<Schema>,
        depth: u32,
    ) {
        if depth > DEEPEST {
            self.open = true;
            return;
        }
        for property in &object.properties {
            let ObjectPropertyKind::ObjectProperty(property) = property else {
                self.open = true;
                continue;
            };
            let Some(name) = property.key.static_name() else {
                self.open = true;
                continue;
            };
            let path = if prefix.is_empty() { name.to_string() } else { format!("{prefix}.{name}") };
            let mut field = DeclaredField { path, array, ..DeclaredField::default() };
            let mut value = bare(&property.value);
            // `[{ … }]` describes the elements of an array.
            if let Expression::ArrayExpression(list) = value {
                field.array = true;
                let Some(element) = list.elements.first().and_then(|element| element.as_expression()) else {
                    self.fields.push((field, None));
                    continue;
                };
                value = bare(element);
            }
            let mut reference = None;
            match value {
                Expression::ObjectExpression(inner) => {
                    if let Some(kind) = described_type(inner) {
                        reference = self.options(inner, &mut field, property.span, cx);
                        self.kind(kind, &mut field, cx, other, depth);
                    } else {
                        field.types.push(Type::Object);
                        let (path, array) = (field.path.clone(), field.array);
                        self.fields(inner, &path, array, cx, other, depth + 1);
                    }
                }
                kind => self.kind(kind, &mut field, cx, other, depth),
            }
            self.fields.push((field, reference));
        }
    }

    /// A type: a constructor, the name of one, a schema, or a list of one of these.
    fn kind(
        &mut self,
        kind: &Expression<'_>,
        field: &mut DeclaredField,
        cx: &Script<'_>,
        other: &dyn Fn(&str, u32) -> Option<Schema>,
        depth: u32,
    ) {
        if depth > DEEPEST {
            return;
        }
        match bare(kind) {
            Expression::ArrayExpression(list) => {
                field.array = true;
                let element = list.elements.first().and_then(|element| element.as_expression()).map(bare);
                match element {
                    Some(Expression::ObjectExpression(inner)) => {
                        if let Some(kind) = described_type(inner) {
                            self.kind(kind, field, cx, other, depth + 1);
                        } else {
                            field.types.push(Type::Object);
                            let path = field.path.clone();
                            self.fields(inner, &path, true, cx, other, depth + 1);
                        }
                    }
                    Some(element) => self.kind(element, field, cx, other, depth + 1),
                    None => {}
                }
            }
            Expression::ObjectExpression(inner) => {
                field.types.push(Type::Object);
                let (path, array) = (field.path.clone(), field.array);
                self.fields(inner, &path, array, cx, other, depth + 1);
            }
            // `() => Address`
            Expression::ArrowFunctionExpression(arrow) => {
                if let Some(inner) = arrow.body.as_expression() {
                    self.kind(inner, field, cx, other, depth + 1);
                }
            }
            Expression::Identifier(name) => match types_of(name.name.as_str()) {
                Some(types) => field.types.extend(types),
                None => self.embed(name.name.as_str(), name.span.start, field, other),
            },
            Expression::StaticMemberExpression(member) => {
                if let Some(types) = types_of(member.property.name.as_str()) {
                    field.types.extend(types);
                }
            }
            Expression::StringLiteral(name) => {
                let mut letters = name.value.as_str().chars();
                let capital: String =
                    letters.next().map(|c| c.to_ascii_uppercase()).into_iter().chain(letters).collect();
                field.types.extend(types_of(&capital).unwrap_or_default());
            }
            new @ Expression::NewExpression(_) => {
                if let Some(inner) = Schema::new(new, cx, other) {
                    self.take(inner, field);
                }
            }
            _ => {}
        }
    }

    fn embed(&mut self, name: &str, at: u32, field: &mut DeclaredField, other: &dyn Fn(&str, u32) -> Option<Schema>) {
        match other(name, at) {
            Some(inner) => self.take(inner, field),
            // A schema of another file may ask for indexes of its own.
            None => self.open = true,
        }
    }

    fn take(&mut self, inner: Schema, field: &mut DeclaredField) {
        field.types.push(Type::Object);
        let path = &field.path;
        self.open |= inner.open;
        for (span, key, options) in inner.indexes {
            let key = key.into_iter().map(|(name, kind)| (format!("{path}.{name}"), kind)).collect();
            self.indexes.push((span, key, options));
        }
        for (part, reference) in inner.fields {
            let part =
                DeclaredField { path: format!("{path}.{}", part.path), array: part.array || field.array, ..part };
            self.fields.push((part, reference));
        }
    }

    /// The options of one field, with those that make an index. Gives the model that it refers to.
    fn options(
        &mut self,
        options: &ObjectExpression<'_>,
        field: &mut DeclaredField,
        span: Span,
        cx: &Script<'_>,
    ) -> Option<String> {
        let expression = |name: &str| {
            options.properties.iter().find_map(|property| match property {
                ObjectPropertyKind::ObjectProperty(property) if property.key.static_name().as_deref() == Some(name) => {
                    Some(&property.value)
                }
                _ => None,
            })
        };
        let given = |name: &str| expression(name).and_then(|value| literal::evaluate(value, cx).value());
        let yes = |value: &Option<Value>| *value == Some(Value::Bool(true));
        field.required = match given("required") {
            Some(Value::Bool(required)) => required,
            Some(Value::Array(list)) => list.first() == Some(&Value::Bool(true)),
            _ => false,
        };
        field.default = expression("default").is_some();
        field.values = match given("enum") {
            Some(Value::Array(values)) => values,
            Some(Value::Object(members)) => match members.into_iter().find(|(name, _)| name == "values") {
                Some((_, Value::Array(values))) => values,
                _ => Vec::new(),
            },
            _ => Vec::new(),
        };
        let reference = expression("ref").and_then(|value| match bare(value) {
            Expression::Identifier(model) => {
                let text = literal::evaluate(value, cx);
                Some(text.as_str().unwrap_or(model.name.as_str()).to_owned())
            }
            // `User.name`
            Expression::StaticMemberExpression(member) if member.property.name == "name" => match &member.object {
                Expression::Identifier(class) => Some(class.name.as_str().to_owned()),
                _ => None,
            },
            Expression::ArrowFunctionExpression(arrow) => match bare(arrow.body.as_expression()?) {
                Expression::Identifier(class) => Some(class.name.as_str().to_owned()),
                Expression::StringLiteral(name) => Some(name.value.as_str().to_owned()),
                _ => None,
            },
            other => literal::evaluate(other, cx).as_str().map(str::to_owned),
        });
        let (index, unique, sparse, text, expires) =
            (given("index"), given("unique"), given("sparse"), given("text"), given("expires"));
        let mut kind = Value::Int(1);
        let mut wanted: Vec<(String, Value)> = Vec::new();
        match &index {
            Some(Value::String(special)) => kind = Value::String(special.clone()),
            Some(Value::Object(inner)) => wanted.extend(inner.iter().cloned().map(seconds)),
            None if expression("index").is_some() => self.open = true,
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
            return reference;
        }
        for (name, set) in [("unique", yes(&unique)), ("sparse", yes(&sparse))] {
            if set {
                wanted.push((name.to_owned(), Value::Bool(true)));
            }
        }
        wanted.extend(expires.map(|expires| seconds(("expires".to_owned(), expires))));
        self.indexes.push((span, vec![(field.path.clone(), kind)], wanted));
        reference
    }
}

/// The types of a JavaScript number.
const NUMBERS: [Type; 3] = [Type::Int, Type::Double, Type::Long];

/// The types that a schema type stores; nothing where it is no schema type.
fn types_of(name: &str) -> Option<Vec<Type>> {
    Some(match name {
        "String" | "Uuid" => vec![Type::String],
        "Number" => NUMBERS.to_vec(),
        "Date" => vec![Type::Date],
        "Boolean" | "Bool" => vec![Type::Bool],
        "ObjectId" | "ObjectID" | "Oid" => vec![Type::ObjectId],
        "Buffer" | "UUID" => vec![Type::BinData],
        "Decimal128" => vec![Type::Decimal],
        "BigInt" | "Long" => vec![Type::Long],
        "Int32" => vec![Type::Int],
        "Double" => vec![Type::Double],
        "Map" => vec![Type::Object],
        "Mixed" | "Object" | "Array" | "Schema" | "Any" => Vec::new(),
        _ => return None,
    })
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
        let own = |index: &&crate::catalogue::Index| !index.is_id();
        collections.iter().flat_map(|(ns, c)| c.indexes.iter().filter(own).map(move |i| line(ns, i))).collect()
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

    fn fields(text: &str) -> Vec<String> {
        use std::fmt::Write;
        let reading = read("m.ts", text, None);
        assert_eq!(reading.problems, []);
        let mut catalogue = Catalogue::default();
        catalogue.extend(reading.statements);
        let collections = catalogue.collections(None);
        let mut lines = Vec::new();
        for (ns, collection) in &collections {
            let Some(schema) = &collection.schema else { continue };
            lines.push(format!("{ns}{}", if schema.open { " open" } else { "" }));
            for field in &schema.fields {
                let types: Vec<&str> = field.types.iter().map(|kind| kind.alias()).collect();
                let mut line = format!("  {} {}", field.path, types.join("|"));
                for (word, is) in [("array", field.array), ("required", field.required), ("default", field.default)] {
                    line.push_str(if is { " " } else { "" });
                    line.push_str(if is { word } else { "" });
                }
                if let Some(ns) = &field.reference {
                    let _ = write!(line, " -> {ns}");
                }
                if !field.values.is_empty() {
                    let _ = write!(line, " of {}", field.values.len());
                }
                lines.push(line);
            }
            lines.extend(
                collection.indexes.iter().filter(|i| !i.is_id()).map(|i| format!("  index {}", i.key_script())),
            );
        }
        lines
    }

    #[test]
    fn schemas_declare_fields() {
        let text = r"
const line = new Schema({ sku: String, n: { type: Number, min: 1 } }, { _id: false });
const order = new Schema({
  state: { type: String, enum: ['open', 'paid'], required: true, default: 'open' },
  owner: { type: Schema.Types.ObjectId, ref: 'Person' },
  lines: [line],
  tags: [String],
  at: { by: 'string' },
}, { timestamps: true });
mongoose.model('Order', order);
mongoose.model('Person', new Schema({ ...base, name: String }));
";
        assert_eq!(
            fields(text),
            [
                "orders",
                "  state string required default of 2",
                "  owner objectId -> people",
                "  lines.sku string array",
                "  lines.n int|double|long array",
                "  lines object array",
                "  tags string array",
                "  at.by string",
                "  at object",
                "  createdAt date",
                "  updatedAt date",
                "people open",
                "  name string",
            ]
        );
    }

    #[test]
    fn classes_are_schemas() {
        let text = r"
@Schema({ collection: 'cats' })
export class Cat {
  @Prop({ required: true, index: true }) name: string;
  @Prop() age: number;
  @Prop([String]) tags: string[];
  @Prop({ type: mongoose.Schema.Types.ObjectId, ref: 'Owner' }) owner: Owner;
}
export const CatSchema = SchemaFactory.createForClass(Cat);
CatSchema.index({ age: -1 });

@index({ a: 1, b: 1 })
class Kitten {
  @prop({ ref: () => Cat }) public mother!: Ref<Cat>;
  @prop({ type: () => [String] }) public names?: string[];
}
export const KittenModel = getModelForClass(Kitten);
";
        assert_eq!(
            fields(text),
            [
                "cats",
                "  name string required",
                "  age int|double|long",
                "  tags string array",
                "  owner objectId -> owners",
                "  index { name: 1 }",
                "  index { age: -1 }",
                "kittens",
                "  mother  -> cats",
                "  names string array",
                "  index { a: 1, b: 1 }",
            ]
        );
    }
}
