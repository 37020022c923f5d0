//! What the calls of a script want of the catalogue.

use std::collections::{BTreeMap, BTreeSet};

use oxc_ast::ast::{
    Argument, AssignmentExpression, AssignmentTarget, BindingIdentifier, BindingPattern, CallExpression, Expression,
    FormalParameter, Function, MethodDefinition, ObjectProperty, UpdateExpression, VariableDeclarator,
};
use oxc_ast_visit::{Visit, walk};
use oxc_span::{GetSpan, Span};
use oxc_syntax::scope::ScopeFlags;

use super::literal::{self, Names, bare};
use super::{Part, mongoose, operations};
use crate::catalogue::{Claim, CollectionKind, Index, IndexKind, IndexName, Namespace, Origin, Statement};
use crate::evidence::metadata::collection_options;
use crate::value::Value;
use crate::value::location::Lines;
use crate::workload::{Operation, Site, Term, What};

/// Functions that undo a migration: what they drop is not dropped when the migration is applied.
const UNDO: &[&str] = &["down", "rollback", "revert", "undo"];

/// Options of `createIndex` that say nothing about the index itself.
const ABOUT_THE_BUILD: &[&str] = &["background", "commitQuorum", "comment", "session", "maxTimeMS", "writeConcern"];

/// Methods of collections and databases that say something about the catalogue.
const KNOWN: &[&str] = &[
    "createIndex",
    "createIndexes",
    "ensureIndex",
    "dropIndex",
    "dropIndexes",
    "hideIndex",
    "unhideIndex",
    "drop",
    "renameCollection",
    "rename",
    "createCollection",
    "createView",
    "dropCollection",
    "runCommand",
    "command",
];

/// Reads the parts of one script in order.
pub struct Reader<'t> {
    input: &'t str,
    lines: &'t Lines,
    /// The database of `use`, or of the input's name.
    database: Option<String>,
    /// How many directives have been followed.
    followed: usize,
    constants: BTreeMap<String, Term>,
    targets: BTreeMap<String, Target>,
    schemas: BTreeMap<String, mongoose::Schema>,
    statements: Vec<Statement>,
    operations: Vec<Operation>,
    /// Ends of the calls that a chain has already been read from.
    chained: BTreeSet<u32>,
}

/// What an expression gives access to.
#[derive(Debug, Clone, PartialEq)]
enum Target {
    Database(Option<String>),
    Collection(Namespace),
}

impl<'t> Reader<'t> {
    /// A reader that starts in a database.
    pub fn new(input: &'t str, lines: &'t Lines, database: Option<String>) -> Self {
        Reader {
            input,
            lines,
            database,
            followed: 0,
            constants: BTreeMap::new(),
            targets: BTreeMap::new(),
            schemas: BTreeMap::new(),
            statements: Vec::new(),
            operations: Vec::new(),
            chained: BTreeSet::new(),
        }
    }

    /// Reads one part.
    pub fn program(&mut self, part: Part<'_, '_>) {
        let mut collect = Collect { constants: std::mem::take(&mut self.constants), text: part.text, base: part.base };
        collect.visit_program(part.program);
        self.constants = collect.constants;
        Walk { reader: self, part }.visit_program(part.program);
    }

    /// What it says about the catalogue and what it does with documents, in source order.
    pub fn finish(self) -> (Vec<Statement>, Vec<Operation>) {
        (self.statements, self.operations)
    }
}

/// Finds constants. A name that is declared twice, or assigned, stands for nothing that is known.
struct Collect<'p> {
    constants: BTreeMap<String, Term>,
    text: &'p str,
    base: usize,
}

impl Collect<'_> {
    fn declare(&mut self, name: &str, value: Term) {
        self.constants.entry(name.to_owned()).and_modify(|known| *known = Term::hole()).or_insert(value);
    }
}

impl Names for Collect<'_> {
    fn constant(&self, name: &str) -> Option<Term> {
        self.constants.get(name).cloned()
    }

    fn text(&self) -> &str {
        self.text
    }

    fn base(&self) -> usize {
        self.base
    }
}

impl<'a> Visit<'a> for Collect<'_> {
    fn visit_variable_declarator(&mut self, declarator: &VariableDeclarator<'a>) {
        match (&declarator.id, &declarator.init) {
            (BindingPattern::BindingIdentifier(name), Some(init)) => {
                let value = literal::evaluate(init, self);
                self.declare(name.name.as_str(), value);
                self.visit_expression(init);
            }
            _ => walk::walk_variable_declarator(self, declarator),
        }
    }

    fn visit_binding_identifier(&mut self, name: &BindingIdentifier<'a>) {
        self.declare(name.name.as_str(), Term::hole());
    }

    fn visit_assignment_expression(&mut self, assignment: &AssignmentExpression<'a>) {
        if let AssignmentTarget::AssignmentTargetIdentifier(name) = &assignment.left {
            self.constants.insert(name.name.as_str().to_owned(), Term::hole());
        }
        walk::walk_assignment_expression(self, assignment);
    }

    fn visit_update_expression(&mut self, update: &UpdateExpression<'a>) {
        let span = update.argument.span();
        if let Some(name) = self.text.get(span.start as usize..span.end as usize) {
            self.constants.insert(name.to_owned(), Term::hole());
        }
    }
}

struct Walk<'r, 't, 'p, 'a> {
    reader: &'r mut Reader<'t>,
    part: Part<'p, 'a>,
}

impl Names for Walk<'_, '_, '_, '_> {
    fn constant(&self, name: &str) -> Option<Term> {
        self.reader.constants.get(name).cloned()
    }

    fn text(&self) -> &str {
        self.part.text
    }

    fn base(&self) -> usize {
        self.part.base
    }
}

impl<'a> Visit<'a> for Walk<'_, '_, '_, '_> {
    fn visit_call_expression(&mut self, call: &CallExpression<'a>) {
        self.follow_directives(call.span);
        self.call(call);
        self.operation(call);
        walk::walk_call_expression(self, call);
    }

    fn visit_variable_declarator(&mut self, declarator: &VariableDeclarator<'a>) {
        if let BindingPattern::BindingIdentifier(name) = &declarator.id {
            if is_undo(name.name.as_str()) && declarator.init.as_ref().is_some_and(is_function) {
                return;
            }
            if let Some(init) = &declarator.init {
                self.follow_directives(declarator.span);
                let known = |name: &str| self.reader.schemas.get(name).cloned();
                if let Some(schema) = mongoose::Schema::new(init, self, &known) {
                    self.reader.schemas.insert(name.name.as_str().to_owned(), schema);
                }
                match self.target(init, 0) {
                    Some(target) => self.reader.targets.insert(name.name.as_str().to_owned(), target),
                    None => self.reader.targets.remove(name.name.as_str()),
                };
            }
        }
        walk::walk_variable_declarator(self, declarator);
    }

    fn visit_formal_parameter(&mut self, parameter: &FormalParameter<'a>) {
        if let BindingPattern::BindingIdentifier(name) = &parameter.pattern {
            self.reader.targets.remove(name.name.as_str());
        }
        walk::walk_formal_parameter(self, parameter);
    }

    fn visit_assignment_expression(&mut self, assignment: &AssignmentExpression<'a>) {
        match &assignment.left {
            AssignmentTarget::AssignmentTargetIdentifier(name) => {
                if let Some(target) = self.target(&assignment.right, 0) {
                    if let (Target::Database(database), "db") = (&target, name.name.as_str()) {
                        self.reader.database.clone_from(database);
                    }
                    self.reader.targets.insert(name.name.as_str().to_owned(), target);
                }
            }
            AssignmentTarget::StaticMemberExpression(member)
                if is_undo(member.property.name.as_str()) && is_function(&assignment.right) =>
            {
                return;
            }
            _ => {}
        }
        walk::walk_assignment_expression(self, assignment);
    }

    fn visit_function(&mut self, function: &Function<'a>, flags: ScopeFlags) {
        if !function.id.as_ref().is_some_and(|id| is_undo(id.name.as_str())) {
            walk::walk_function(self, function, flags);
        }
    }

    fn visit_object_property(&mut self, property: &ObjectProperty<'a>) {
        let name = property.key.static_name();
        if !(name.is_some_and(|name| is_undo(&name)) && is_function(&property.value)) {
            walk::walk_object_property(self, property);
        }
    }

    fn visit_method_definition(&mut self, method: &MethodDefinition<'a>) {
        if !method.key.static_name().is_some_and(|name| is_undo(&name)) {
            walk::walk_method_definition(self, method);
        }
    }
}

fn is_undo(name: &str) -> bool {
    UNDO.contains(&name)
}

fn is_function(expression: &Expression<'_>) -> bool {
    matches!(bare(expression), Expression::FunctionExpression(_) | Expression::ArrowFunctionExpression(_))
}

/// Members that are followed to find a database or a collection.
const LONGEST_PATH: u32 = 32;

impl Walk<'_, '_, '_, '_> {
    fn follow_directives(&mut self, span: Span) {
        let offset = self.part.base + span.start as usize;
        while let Some(directive) = self.part.directives.get(self.reader.followed).filter(|d| d.offset <= offset) {
            self.reader.database = Some(directive.database.clone());
            self.reader.followed += 1;
        }
    }

    fn argument(&self, arguments: &[Argument<'_>], place: usize) -> Option<Term> {
        arguments.get(place).map(|argument| literal::argument(argument, self))
    }

    fn text_argument(&self, arguments: &[Argument<'_>], place: usize) -> Option<String> {
        match self.argument(arguments, place)?.value()? {
            Value::String(text) if !text.is_empty() => Some(text),
            _ => None,
        }
    }

    fn collection(&self, database: Option<String>, name: String) -> Target {
        let database = database.or_else(|| self.reader.database.clone());
        Target::Collection(Namespace { database, collection: name })
    }

    /// The database or collection that an expression stands for.
    fn target(&self, expression: &Expression<'_>, depth: u32) -> Option<Target> {
        if depth > LONGEST_PATH {
            return None;
        }
        let member = |object: &Expression<'_>, name: &str| match self.target(object, depth + 1) {
            Some(Target::Database(database)) => Some(self.collection(database, name.to_owned())),
            Some(Target::Collection(ns)) => Some(Target::Collection(Namespace {
                collection: format!("{}.{name}", ns.collection),
                database: ns.database,
            })),
            // `this.db`, `mongoose.connection.db`, `ctx.db`
            None => (name == "db").then(|| Target::Database(self.reader.database.clone())),
        };
        match bare(expression) {
            Expression::Identifier(name) => match self.reader.targets.get(name.name.as_str()) {
                Some(target) => Some(target.clone()),
                None => matches!(name.name.as_str(), "db" | "database")
                    .then(|| Target::Database(self.reader.database.clone())),
            },
            Expression::StaticMemberExpression(access) => member(&access.object, access.property.name.as_str()),
            Expression::ComputedMemberExpression(access) => match literal::evaluate(&access.expression, self).what {
                What::Value(Value::String(name)) => member(&access.object, &name),
                _ => None,
            },
            Expression::CallExpression(call) => self.called_target(call, depth),
            _ => None,
        }
    }

    fn called_target(&self, call: &CallExpression<'_>, depth: u32) -> Option<Target> {
        let name = self.text_argument(&call.arguments, 0);
        if let Expression::Identifier(function) = bare(&call.callee) {
            // `connect("mongodb://host/shop")` gives the database of its address.
            let address = name.filter(|_| function.name == "connect")?;
            let path = address.split("://").last()?.split_once('/')?.1;
            let database = path.split('?').next().filter(|d| !d.is_empty())?;
            return Some(Target::Database(Some(database.to_owned())));
        }
        let Expression::StaticMemberExpression(access) = bare(&call.callee) else { return None };
        match access.property.name.as_str() {
            "getSiblingDB" | "getDB" | "getSisterDB" => name.map(|name| Target::Database(Some(name))),
            "db" => match (call.arguments.is_empty(), name) {
                (true, _) => Some(Target::Database(self.reader.database.clone())),
                (false, name) => name.map(|name| Target::Database(Some(name))),
            },
            "getCollection" | "collection" | "createCollection" => {
                let database = match self.target(&access.object, depth + 1) {
                    Some(Target::Database(database)) => database,
                    _ => None,
                };
                name.map(|name| self.collection(database, name))
            }
            _ => None,
        }
    }

    fn say(&mut self, span: Span, namespace: Namespace, mut claim: Claim) {
        let (start, end) = (self.part.base + span.start as usize, self.part.base + span.end as usize);
        let location = self.reader.lines.location(self.reader.input, start, end);
        match &mut claim {
            Claim::CreateIndex(index) => index.location = Some(location.clone()),
            Claim::Options(options) | Claim::ChangeOptions(options) => {
                if let Some(validator) = &mut options.validator {
                    validator.location = Some(location.clone());
                }
            }
            _ => {}
        }
        self.reader.statements.push(Statement {
            input: self.reader.input.to_owned(),
            sequence: self.reader.statements.len() as u32,
            namespace,
            origin: Origin::Wanted,
            location: Some(location),
            claim,
        });
    }

    fn call(&mut self, call: &CallExpression<'_>) {
        let arguments = call.arguments.as_slice();
        self.mongoose(call);
        if let Expression::Identifier(function) = bare(&call.callee) {
            if let ("use", Some(database)) = (function.name.as_str(), self.text_argument(arguments, 0)) {
                self.reader.database = Some(database);
            }
            return;
        }
        let Expression::StaticMemberExpression(access) = bare(&call.callee) else { return };
        let method = access.property.name.as_str();
        if !KNOWN.contains(&method) {
            return;
        }
        match self.target(&access.object, 0) {
            Some(Target::Collection(ns)) => self.collection_call(method, call, ns),
            Some(Target::Database(database)) => {
                let database = database.or_else(|| self.reader.database.clone());
                self.database_call(method, call, database.as_deref());
            }
            None => {}
        }
    }

    /// A chain of calls on a collection: the operation, then what its cursor adds. The outermost call comes first.
    fn operation(&mut self, call: &CallExpression<'_>) {
        let mut chain = Vec::new();
        let mut link = call;
        let mut operation = loop {
            let Expression::StaticMemberExpression(access) = bare(&link.callee) else { return };
            let method = access.property.name.as_str();
            if operations::is_operation(method)
                && let Some(Target::Collection(ns)) = self.target(&access.object, 0)
            {
                let arguments = link.arguments.iter().map(|argument| literal::argument(argument, self)).collect();
                let Some(operation) = operations::operation(ns, method, arguments) else { return };
                break operation;
            }
            chain.push((method, link));
            let Expression::CallExpression(inner) = bare(&access.object) else { return };
            link = inner;
        };
        if !self.reader.chained.insert(self.part.base as u32 + link.span.end) {
            return;
        }
        let mut end = link.span.end;
        for (method, link) in chain.into_iter().rev() {
            let argument = link.arguments.first().map(|argument| literal::argument(argument, self));
            if !operations::cursor_method(&mut operation, method, argument) {
                break;
            }
            end = link.span.end;
        }
        let base = self.part.base as u32;
        let span = crate::workload::Span { start: base + call.span.start, end: base + end };
        operation.site = Some(Site::Source { file: self.reader.input.to_owned(), span });
        operation.context.number = self.reader.operations.len() as u32;
        self.reader.operations.push(operation);
    }

    /// Calls on Mongoose schemas, and models made of them.
    fn mongoose(&mut self, call: &CallExpression<'_>) {
        if let Some((model, schema, collection)) = mongoose::model(call, self) {
            let Some(schema) = self.reader.schemas.get(&schema).cloned() else { return };
            let collection = collection.or(schema.collection).unwrap_or_else(|| mongoose::plural(&model));
            let namespace = Namespace { database: self.reader.database.clone(), collection };
            for (span, key, options) in schema.indexes {
                let options = Term::from(Value::Object(options));
                self.create_index(span, namespace.clone(), key, Some(&options));
            }
            return;
        }
        let Expression::StaticMemberExpression(access) = bare(&call.callee) else { return };
        let (Expression::Identifier(name), "index") = (bare(&access.object), access.property.name.as_str()) else {
            return;
        };
        if let Some(mut schema) = self.reader.schemas.remove(name.name.as_str()) {
            schema.add(call, self);
            self.reader.schemas.insert(name.name.as_str().to_owned(), schema);
        }
    }

    fn collection_call(&mut self, method: &str, call: &CallExpression<'_>, ns: Namespace) {
        let arguments = call.arguments.as_slice();
        match method {
            "createIndex" | "ensureIndex" => {
                let Some(key) = self.argument(arguments, 0).as_ref().and_then(key_pattern) else { return };
                let options = self.argument(arguments, 1);
                self.create_index(call.span, ns, key, options.as_ref());
            }
            "createIndexes" => {
                let Some(list) = self.argument(arguments, 0) else { return };
                let options = self.argument(arguments, 1);
                for one in list.elements().unwrap_or_default() {
                    // The driver takes specifications, the shell key patterns with common options.
                    match one.get("key") {
                        Some(key) if key.members().is_some() => {
                            let Some(key) = key_pattern(key) else { continue };
                            self.create_index(call.span, ns.clone(), key, Some(one));
                        }
                        _ => {
                            let Some(key) = key_pattern(one) else { continue };
                            self.create_index(call.span, ns.clone(), key, options.as_ref());
                        }
                    }
                }
            }
            "dropIndex" | "dropIndexes" => match self.argument(arguments, 0) {
                None if method == "dropIndexes" => self.say(call.span, ns, Claim::DropIndex(IndexName::All)),
                None => {}
                Some(names) => self.drop_indexes(call.span, &ns, &names),
            },
            "hideIndex" | "unhideIndex" => {
                let Some(index) = self.argument(arguments, 0).and_then(|name| name.value()).and_then(index_name) else {
                    return;
                };
                self.say(call.span, ns, Claim::HideIndex { index, hidden: method == "hideIndex" });
            }
            "drop" => self.say(call.span, ns, Claim::Drop),
            "renameCollection" | "rename" => {
                if let Some(name) = self.text_argument(arguments, 0) {
                    let to = Namespace { database: ns.database.clone(), collection: name };
                    self.say(call.span, ns, Claim::Rename(to));
                }
            }
            "runCommand" => {
                if let (Some(name), Some(rest)) = (self.text_argument(arguments, 0), self.argument(arguments, 1)) {
                    self.command(call.span, &name, ns, &rest);
                }
            }
            _ => {}
        }
    }

    fn database_call(&mut self, method: &str, call: &CallExpression<'_>, database: Option<&str>) {
        let arguments = call.arguments.as_slice();
        let named = |name: String| Namespace { database: database.map(str::to_owned), collection: name };
        match method {
            "createCollection" => {
                let Some(name) = self.text_argument(arguments, 0) else { return };
                match self.argument(arguments, 1) {
                    None => self.create(call.span, named(name), &Term::from(Value::Object(Vec::new()))),
                    Some(options) => self.create(call.span, named(name), &options),
                }
            }
            "createView" => {
                let (Some(name), Some(source)) = (self.text_argument(arguments, 0), self.text_argument(arguments, 1))
                else {
                    return;
                };
                let pipeline = self.argument(arguments, 2).and_then(|pipeline| pipeline.value());
                let mut options = vec![("viewOn".to_owned(), Value::String(source))];
                options.extend(pipeline.map(|pipeline| ("pipeline".to_owned(), pipeline)));
                self.create(call.span, named(name), &Term::from(Value::Object(options)));
            }
            "dropCollection" => {
                if let Some(name) = self.text_argument(arguments, 0) {
                    self.say(call.span, named(name), Claim::Drop);
                }
            }
            "runCommand" | "command" => {
                let Some(command) = self.argument(arguments, 0) else { return };
                let name = command.members().and_then(|members| members.first()?.name());
                let Some(name) = name else { return };
                let Some(collection) = command.get(name).and_then(Term::as_str) else { return };
                self.command(call.span, name, named(collection.to_owned()), &command);
            }
            _ => {}
        }
    }

    fn command(&mut self, span: Span, name: &str, ns: Namespace, command: &Term) {
        match name {
            "create" => self.create(span, ns, command),
            "collMod" => {
                if let Some(index) = command.get("index").and_then(Term::known_parts) {
                    self.change_index(span, &ns, &index);
                }
                if let Some(change) = self.options(span, command) {
                    self.say(span, ns, Claim::ChangeOptions(change));
                }
            }
            "createIndexes" => {
                for one in command.get("indexes").and_then(Term::elements).unwrap_or_default() {
                    let Some(key) = one.get("key").and_then(key_pattern) else { continue };
                    self.create_index(span, ns.clone(), key, Some(one));
                }
            }
            "dropIndexes" => {
                if let Some(names) = command.get("index") {
                    self.drop_indexes(span, &ns, names);
                }
            }
            "drop" => self.say(span, ns, Claim::Drop),
            _ => {}
        }
    }

    fn change_index(&mut self, span: Span, ns: &Namespace, change: &Value) {
        let name = change.get("name").or_else(|| change.get("keyPattern"));
        let Some(index) = name.cloned().and_then(index_name) else { return };
        if let Some(hidden) = change.get("hidden").and_then(Value::as_bool) {
            self.say(span, ns.clone(), Claim::HideIndex { index: index.clone(), hidden });
        }
        if let Some(seconds) = change.get("expireAfterSeconds") {
            self.say(span, ns.clone(), Claim::ExpireIndex { index, seconds: seconds.clone() });
        }
    }

    fn create(&mut self, span: Span, ns: Namespace, options: &Term) {
        if let Some(options) = self.options(span, options) {
            self.say(span, ns, Claim::Options(options));
        }
    }

    /// Collection options as far as they are known. Those that are given and not known are named in `other`.
    fn options(&self, span: Span, given: &Term) -> Option<crate::catalogue::CollectionOptions> {
        let members = given.members()?;
        let unknown: Vec<String> = members
            .iter()
            .filter(|member| member.name().is_none() || member.value.value().is_none())
            .map(|member| member.name().unwrap_or("*").to_owned())
            .collect();
        let known = given.known_parts()?;
        let start = self.part.base + span.start as usize;
        let location = self.reader.lines.location(self.reader.input, start, self.part.base + span.end as usize);
        let mut options = collection_options(&known, CollectionKind::Collection, Origin::Wanted, &location);
        options.other.retain(|name| name != "index");
        options.other.extend(unknown);
        Some(options)
    }

    fn create_index(&mut self, span: Span, ns: Namespace, key: Vec<(String, Value)>, options: Option<&Term>) {
        let mut fields = vec![("key".to_owned(), Value::Object(key))];
        match options.map(|options| &options.what) {
            None | Some(What::Value(Value::Undefined | Value::Null)) => {}
            Some(What::Object(members)) => {
                for member in members {
                    let Some(name) = member.name() else { return };
                    match member.value.value() {
                        _ if name == "key" || ABOUT_THE_BUILD.contains(&name) => {}
                        Some(value) => fields.push((name.to_owned(), value)),
                        // An option that may be anything makes it another index than the one that is seen.
                        None => return,
                    }
                }
            }
            Some(_) => return,
        }
        if let Some(index) = Index::parse(&Value::Object(fields), Origin::Wanted) {
            self.say(span, ns, Claim::CreateIndex(index));
        }
    }

    fn drop_indexes(&mut self, span: Span, ns: &Namespace, names: &Term) {
        let names = match names.value() {
            Some(Value::Array(names)) => names,
            Some(name) => vec![name],
            None => return,
        };
        for name in names.into_iter().filter_map(index_name) {
            self.say(span, ns.clone(), Claim::DropIndex(name));
        }
    }
}

/// A key pattern in the forms that drivers take: an object, a path, a list of paths or of pairs.
fn key_pattern(key: &Term) -> Option<Vec<(String, Value)>> {
    match key.value()? {
        Value::Object(fields) if !fields.is_empty() => Some(fields),
        Value::String(path) => Some(vec![(path, Value::Int(1))]),
        Value::Array(parts) if !parts.is_empty() => parts
            .into_iter()
            .map(|part| match part {
                Value::String(path) => Some((path, Value::Int(1))),
                Value::Array(pair) => match pair.as_slice() {
                    [Value::String(path), kind] => Some((path.clone(), kind.clone())),
                    _ => None,
                },
                Value::Object(mut fields) if fields.len() == 1 => fields.pop(),
                _ => None,
            })
            .collect(),
        _ => None,
    }
}

fn index_name(value: Value) -> Option<IndexName> {
    match value {
        Value::String(name) if name == "*" => Some(IndexName::All),
        Value::String(name) => Some(IndexName::Name(name)),
        Value::Object(key) => Some(IndexName::Key(
            key.iter().map(|(path, kind)| (path.clone(), IndexKind::parse(kind, Origin::Wanted))).collect(),
        )),
        _ => None,
    }
}
