//! What the calls of a script want of the catalogue.

use oxc_ast::ast::{CallExpression, ChainElement, Expression};
use oxc_span::Span;

use super::context::Surroundings;
use super::literal::{self, bare};
use super::mongoose;
use super::operations;
use super::source::Script;
use super::targets::Target;
use super::tree::{CallSite, Fate};
use crate::catalogue::{Claim, CollectionKind, Index, IndexKind, IndexName, Namespace, Origin, Statement};
use crate::evidence::metadata::collection_options;
use crate::value::Value;
use crate::value::location::Lines;
use crate::workload::{Api, Operation, Site, Term, What};

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

/// Reads one script.
pub(super) struct Reader<'r, 'a> {
    input: &'r str,
    lines: &'r Lines,
    script: &'r Script<'a>,
    statements: Vec<Statement>,
    operations: Vec<Operation>,
}

/// A call that is an operation, before its arguments are read.
struct Found<'a> {
    /// The call on the collection.
    call: &'a CallExpression<'a>,
    method: &'a str,
    ns: Option<Namespace>,
    api: Api,
    /// The calls on its cursor, in their order.
    chain: Vec<(&'a str, &'a CallExpression<'a>)>,
    fate: Fate<'a>,
}

/// A call of a member: what it is called on, the method.
fn method_call<'e, 'a>(call: &'e CallExpression<'a>) -> Option<(&'e Expression<'a>, &'e str)> {
    match bare(&call.callee) {
        Expression::StaticMemberExpression(member) => Some((&member.object, member.property.name.as_str())),
        _ => None,
    }
}

/// The call that an expression is.
fn call_of<'e, 'a>(expression: &'e Expression<'a>) -> Option<&'e CallExpression<'a>> {
    match bare(expression) {
        Expression::CallExpression(call) => Some(call),
        Expression::ChainExpression(chain) => match &chain.expression {
            ChainElement::CallExpression(call) => Some(call),
            _ => None,
        },
        _ => None,
    }
}

impl<'r, 'a> Reader<'r, 'a> {
    /// Reads a script. Gives what it says about the catalogue and what it does with documents, in source order.
    pub(super) fn read(input: &'r str, lines: &'r Lines, script: &'r Script<'a>) -> (Vec<Statement>, Vec<Operation>) {
        let mut reader = Reader { input, lines, script, statements: Vec::new(), operations: Vec::new() };
        for site in &script.tree.calls {
            if !script.is_undone(site.call.span.start) {
                reader.call(site.call);
            }
        }
        reader.all_operations();
        (reader.statements, reader.operations)
    }

    fn argument(&self, call: &CallExpression<'_>, place: usize) -> Option<Term> {
        call.arguments.get(place).map(|argument| literal::argument(argument, self.script))
    }

    fn text_argument(&self, call: &CallExpression<'_>, place: usize) -> Option<String> {
        self.script.text_argument(&call.arguments, place)
    }

    /// Finds the operations, then reads them: what one gives may be what another one is asked for.
    fn all_operations(&mut self) {
        let script = self.script;
        let mut found: Vec<Found<'a>> = Vec::new();
        for site in &script.tree.calls {
            if let Some(one) = self.found(site, found.len() as u32) {
                found.push(one);
            }
        }
        script.memo.borrow_mut().clear();
        let surroundings = Surroundings::new(script);
        let mut later: Vec<Operation> = Vec::new();
        for (number, found) in found.into_iter().enumerate() {
            let mut context = surroundings.of(script, found.call.span.start, found.fate);
            context.number = number as u32;
            let Some(mut operation) = self.operation(&found) else { continue };
            operation.context = context;
            self.operations.push(operation);
        }
        self.operations.append(&mut later);
    }

    /// A chain of calls on a collection: the operation, then what its cursor adds. The outermost call comes first.
    fn found(&self, site: &CallSite<'a>, number: u32) -> Option<Found<'a>> {
        let script = self.script;
        let mut chain = Vec::new();
        let mut link = site.call;
        let (method, ns, api) = loop {
            let (object, method) = method_call(link)?;
            if operations::is_operation(method)
                && let Some(Target::Collection { ns, api }) = script.target(object)
            {
                break (method, ns, api);
            }
            chain.push((method, link));
            link = call_of(object)?;
        };
        if script.is_undone(link.span.start) || !script.claim(link.span, number) {
            return None;
        }
        chain.reverse();
        let ends = chain.iter().position(|(method, _)| !operations::stays_result(method)).unwrap_or(chain.len());
        for (_, link) in chain.iter().take(ends) {
            script.claim(link.span, number);
        }
        let fate = script.tree.fates.get(&(link.span.start, link.span.end)).copied().unwrap_or_default();
        Some(Found { call: link, method, ns, api, chain, fate })
    }

    fn operation(&self, found: &Found<'a>) -> Option<Operation> {
        let script = self.script;
        let call = found.call;
        let arguments = call.arguments.iter().map(|argument| literal::argument(argument, script)).collect();
        let mut operation = operations::operation(found.ns.clone(), found.api, found.method, arguments)?;
        let mut end = call.span.end;
        for (method, link) in &found.chain {
            let argument = link.arguments.first().map(|argument| literal::argument(argument, script));
            if !operations::cursor_method(&mut operation, method, argument) {
                break;
            }
            end = link.span.end;
        }
        let span = crate::workload::Span { start: call.span.start, end };
        operation.site = Some(Site::Source { file: self.input.to_owned(), span });
        Some(operation)
    }

    fn say(&mut self, span: Span, namespace: Namespace, mut claim: Claim) {
        let location = self.lines.location(self.input, span.start as usize, span.end as usize);
        match &mut claim {
            Claim::CreateIndex(index) => index.location = Some(location.clone()),
            Claim::Options(options) | Claim::ChangeOptions(options) => {
                if let Some(validator) = &mut options.validator {
                    validator.location = Some(location.clone());
                }
            }
            _ => {}
        }
        self.statements.push(Statement {
            input: self.input.to_owned(),
            sequence: self.statements.len() as u32,
            namespace,
            origin: Origin::Wanted,
            location: Some(location),
            claim,
        });
    }

    fn call(&mut self, call: &CallExpression<'_>) {
        self.mongoose(call);
        let Some((object, method)) = method_call(call) else { return };
        if !KNOWN.contains(&method) {
            return;
        }
        match self.script.target(object) {
            Some(Target::Collection { ns: Some(ns), .. }) => self.collection_call(method, call, ns),
            Some(Target::Database { name, .. }) => {
                let database = name.or_else(|| self.script.database_at(call.span.start));
                self.database_call(method, call, database.as_deref());
            }
            _ => {}
        }
    }

    /// The indexes that a model's schema asks for.
    fn mongoose(&mut self, call: &CallExpression<'_>) {
        let Some((ns, wishes)) = mongoose::wishes(self.script, call) else { return };
        for (span, key, options) in wishes {
            let options = Term::from(Value::Object(options));
            self.create_index(span, ns.clone(), key, Some(&options));
        }
    }

    fn collection_call(&mut self, method: &str, call: &CallExpression<'_>, ns: Namespace) {
        match method {
            "createIndex" | "ensureIndex" => {
                let Some(key) = self.argument(call, 0).as_ref().and_then(key_pattern) else { return };
                let options = self.argument(call, 1);
                self.create_index(call.span, ns, key, options.as_ref());
            }
            "createIndexes" => {
                let Some(list) = self.argument(call, 0) else { return };
                let options = self.argument(call, 1);
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
            "dropIndex" | "dropIndexes" => match self.argument(call, 0) {
                None if method == "dropIndexes" => self.say(call.span, ns, Claim::DropIndex(IndexName::All)),
                None => {}
                Some(names) => self.drop_indexes(call.span, &ns, &names),
            },
            "hideIndex" | "unhideIndex" => {
                let Some(index) = self.argument(call, 0).and_then(|name| name.value()).and_then(index_name) else {
                    return;
                };
                self.say(call.span, ns, Claim::HideIndex { index, hidden: method == "hideIndex" });
            }
            "drop" => self.say(call.span, ns, Claim::Drop),
            "renameCollection" | "rename" => {
                if let Some(name) = self.text_argument(call, 0) {
                    let to = Namespace { database: ns.database.clone(), collection: name };
                    self.say(call.span, ns, Claim::Rename(to));
                }
            }
            "runCommand" => {
                if let (Some(name), Some(rest)) = (self.text_argument(call, 0), self.argument(call, 1)) {
                    self.command(call.span, &name, ns, &rest);
                }
            }
            _ => {}
        }
    }

    fn database_call(&mut self, method: &str, call: &CallExpression<'_>, database: Option<&str>) {
        let named = |name: String| Namespace { database: database.map(str::to_owned), collection: name };
        match method {
            "createCollection" => {
                let Some(name) = self.text_argument(call, 0) else { return };
                match self.argument(call, 1) {
                    None => self.create(call.span, named(name), &Term::from(Value::Object(Vec::new()))),
                    Some(options) => self.create(call.span, named(name), &options),
                }
            }
            "createView" => {
                let (Some(name), Some(source)) = (self.text_argument(call, 0), self.text_argument(call, 1)) else {
                    return;
                };
                let pipeline = self.argument(call, 2).and_then(|pipeline| pipeline.value());
                let mut options = vec![("viewOn".to_owned(), Value::String(source))];
                options.extend(pipeline.map(|pipeline| ("pipeline".to_owned(), pipeline)));
                self.create(call.span, named(name), &Term::from(Value::Object(options)));
            }
            "dropCollection" => {
                if let Some(name) = self.text_argument(call, 0) {
                    self.say(call.span, named(name), Claim::Drop);
                }
            }
            "runCommand" | "command" => {
                let Some(command) = self.argument(call, 0) else { return };
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
        let location = self.lines.location(self.input, span.start as usize, span.end as usize);
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
