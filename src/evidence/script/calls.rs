//! What the calls of a script want of the catalogue.

use std::collections::BTreeMap;

use oxc_ast::ast::{Argument, ArrayExpressionElement, CallExpression, ChainElement, Expression};
use oxc_span::Span;

use super::context::Surroundings;
use super::flow;
use super::literal::{self, bare};
use super::mongoose;
use super::operations::{self, Builder};
use super::source::Script;
use super::targets::Target;
use super::tree::{CallSite, Change, Declared, Fate, RegionKind};
use crate::catalogue::replica_set::DefaultWriteConcern;
use crate::catalogue::{Claim, CollectionKind, Index, IndexKind, IndexName, Namespace, Origin, ShardKey, Statement};
use crate::evidence::metadata::collection_options;
use crate::evidence::replica_set;
use crate::order::Ordered;
use crate::value::Value;
use crate::value::location::{Lines, Location};
use crate::workload::{self, Api, Hole, Key, Member, Operation, Site, Term, Verb, What};

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
    "adminCommand",
    "shardCollection",
    "shardAndDistributeCollection",
    "reshardCollection",
    "refineCollectionShardKey",
];

/// Commands that give a collection a shard key.
const SHARDING: &[&str] =
    &["shardCollection", "shardAndDistributeCollection", "reshardCollection", "refineCollectionShardKey"];

/// What the calls of a script say.
pub(super) struct Read {
    pub(super) statements: Vec<Statement>,
    pub(super) operations: Vec<Operation>,
    pub(super) write_concerns: Vec<DefaultWriteConcern>,
    /// The calls of operations, by their number.
    pub(super) calls: Vec<Span>,
}

/// Reads one script.
pub(super) struct Reader<'r, 'a> {
    input: &'r str,
    lines: &'r Lines,
    script: &'r Script<'a>,
    statements: Vec<Statement>,
    operations: Vec<Operation>,
    write_concerns: Vec<DefaultWriteConcern>,
    /// The calls of operations, by their number.
    calls: Vec<Span>,
}

/// A call that is an operation, before its arguments are read.
struct Found<'a> {
    /// The call on the collection.
    call: &'a CallExpression<'a>,
    method: &'a str,
    on: On<'a>,
    /// The calls on its cursor, in their order.
    chain: Vec<(&'a str, &'a CallExpression<'a>)>,
    fate: Fate<'a>,
}

/// What a call is called on.
enum On<'a> {
    Collection {
        ns: Option<Namespace>,
        api: Api,
    },
    Bulk {
        ns: Option<Namespace>,
        api: Api,
    },
    /// A database that is sent a command.
    Database(Option<String>),
    /// A document of Mongoose that an earlier operation found, under a name.
    Found {
        operation: u32,
        symbol: Option<u32>,
    },
    /// A document of Mongoose that was made here.
    Made {
        ns: Option<Namespace>,
        fields: Option<&'a Expression<'a>>,
    },
}

/// The operations of a `populate`: one for each path.
fn populate(ns: Option<&Namespace>, span: Span, arguments: &[Term]) -> Vec<Operation> {
    let mut paths: Vec<Term> = Vec::new();
    let Some(first) = arguments.first() else { return Vec::new() };
    let parts = first.elements().map_or_else(|| vec![first], |elements| elements.iter().collect());
    for part in parts {
        match (part.as_str(), part.get("path")) {
            (Some(text), _) => {
                for word in text.split_whitespace() {
                    paths.push(Term { what: What::Value(Value::String(word.to_owned())), span: part.span });
                }
            }
            (None, Some(path)) => paths.push(path.clone()),
            (None, None) => paths.push(Term { what: Term::hole().what, span: part.span }),
        }
    }
    let one = |path: Term| {
        let mut operation = Operation::new(ns.cloned(), Verb::Populate, "populate");
        operation.api = Api::Mongoose;
        operation.many = true;
        operation.field = Some(path);
        if let Some(select) = arguments.get(1).filter(|second| second.as_str().is_some() || second.members().is_some())
        {
            operation.projection = Some(operations::selected(select.clone()));
        }
        let span = workload::Span { start: span.start, end: span.end };
        operation.site = Some(Site::Source { file: String::new(), span });
        operation
    };
    paths.into_iter().map(one).collect()
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
    /// Reads a script. Gives what it says about the catalogue and what it does with documents, in source order, and the
    /// calls of its operations by their number.
    pub(super) fn read(input: &'r str, lines: &'r Lines, script: &'r Script<'a>) -> Read {
        let mut reader = Reader {
            input,
            lines,
            script,
            statements: Vec::new(),
            operations: Vec::new(),
            write_concerns: Vec::new(),
            calls: Vec::new(),
        };
        for site in &script.tree.calls {
            if !script.is_undone(site.call.span.start) && !script.is_fallback(site.call.span.start) {
                reader.call(site.call);
            }
        }
        reader.all_operations();
        let Reader { statements, operations, write_concerns, calls, .. } = reader;
        Read { statements, operations, write_concerns, calls }
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
            if let Some(one) = self.found(*site, &found) {
                found.push(one);
            }
        }
        self.calls = found.iter().map(|one| one.call.span).collect();
        script.memo.borrow_mut().clear();
        let later = self.later_calls();
        let surroundings = Surroundings::new(script);
        for (number, one) in found.iter().enumerate() {
            let mut context = surroundings.of(script, one.call.span.start, one.fate);
            context.number = number as u32;
            let more = later.get(&context.number).map(Vec::as_slice).unwrap_or_default();
            for mut operation in self.operations_of(one, more, &found) {
                operation.context = context.clone();
                operation.context.sent_keys = self.sent_keys(&operation);
                self.operations.push(operation);
            }
        }
    }

    /// Members of an operation's parts whose names a request gives.
    fn sent_keys(&self, operation: &Operation) -> Vec<workload::Span> {
        let sent = self.script.sent_keys.borrow();
        if sent.is_empty() {
            return Vec::new();
        }
        let parts = [&operation.filter, &operation.update, &operation.sort, &operation.projection, &operation.pipeline];
        let mut found = Vec::new();
        let mut left: Vec<&Term> = parts.into_iter().flatten().collect();
        while let Some(term) = left.pop() {
            left.extend(term.elements().unwrap_or_default());
            for member in term.members().unwrap_or_default() {
                left.push(&member.value);
                let Some(span) = member.span.filter(|_| matches!(member.key, Key::Computed(_))) else { continue };
                // The name's expression stands behind the bracket that opens the member.
                found.extend(sent.range(span.start..span.end).next().map(|_| span));
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// A chain of calls on a collection: the operation, then what its cursor adds. The outermost call comes first.
    fn found(&self, site: CallSite<'a>, before: &[Found<'a>]) -> Option<Found<'a>> {
        let script = self.script;
        let mut chain = Vec::new();
        let mut link = site.call;
        let (method, on) = loop {
            let (object, method) = method_call(link)?;
            if let Some(on) = self.called_on(object, method, link, before) {
                break (method, on);
            }
            chain.push((method, link));
            link = call_of(object)?;
        };
        let number = before.len() as u32;
        if script.is_undone(link.span.start) || !script.claim(link.span, number) {
            return None;
        }
        chain.reverse();
        let ends = chain.iter().position(|(method, _)| !operations::stays_result(method)).unwrap_or(chain.len());
        for (_, link) in chain.iter().take(ends) {
            script.claim(link.span, number);
        }
        let fate = script.tree.fates.get(&(link.span.start, link.span.end)).copied().unwrap_or_default();
        Some(Found { call: link, method, on, chain, fate })
    }

    /// What an operation is called on; nothing where it is none.
    fn called_on(
        &self,
        object: &'a Expression<'a>,
        method: &str,
        call: &CallExpression<'_>,
        before: &[Found<'a>],
    ) -> Option<On<'a>> {
        let script = self.script;
        if matches!(method, "runCommand" | "command" | "adminCommand") {
            return match script.target(object)? {
                Target::Database { name, .. } => {
                    let name = name.or_else(|| script.database_at(call.span.start));
                    Some(On::Database(name.filter(|_| method != "adminCommand")))
                }
                _ => None,
            };
        }
        if !operations::is_operation(method) {
            return None;
        }
        let target = script.target(object).or_else(|| script.likely(object, method));
        match target.or_else(|| script.asked(method, call)) {
            Some(Target::Collection { ns, api }) if operations::is_operation_of(api, method) => {
                Some(On::Collection { ns, api })
            }
            Some(Target::Bulk { ns, api }) if matches!(method, "find" | "insert") => Some(On::Bulk { ns, api }),
            None if method == "save" => self.saved(object, before),
            _ => None,
        }
    }

    /// The document that `doc.save()` saves.
    fn saved(&self, object: &'a Expression<'a>, before: &[Found<'a>]) -> Option<On<'a>> {
        let script = self.script;
        let mut symbol = None;
        let mut made = bare(object);
        if let Expression::Identifier(name) = made {
            symbol = script.tree.resolve(name.name.as_str(), name.span.start);
            if let Some(Declared::Value(init, path)) = symbol.and_then(|s| script.tree.symbol(s)).map(|s| &s.declared)
                && path.steps.is_empty()
            {
                made = bare(init);
            }
        }
        if let Expression::NewExpression(new) = made {
            return match script.target(&new.callee)? {
                Target::Collection { ns, api: Api::Mongoose } => {
                    Some(On::Made { ns, fields: new.arguments.first().and_then(Argument::as_expression) })
                }
                _ => None,
            };
        }
        let term = literal::evaluate(object, script);
        let hole = term.as_hole()?;
        let workload::Origin::Result { operation, path, .. } = &hole.origin else { return None };
        let source = before.get(*operation as usize)?;
        let mongoose = matches!(source.on, On::Collection { api: Api::Mongoose, .. });
        (mongoose && path.is_empty()).then_some(On::Found { operation: *operation, symbol })
    }

    /// Calls on variables that hold a cursor or query, by operation: `cursor.sort(…)`.
    fn later_calls(&self) -> BTreeMap<u32, Vec<(&'a str, &'a CallExpression<'a>, bool)>> {
        let script = self.script;
        let mut later: BTreeMap<u32, Vec<_>> = BTreeMap::new();
        for site in &script.tree.calls {
            let Some((mut object, method)) = method_call(site.call) else { continue };
            if !operations::is_cursor_method(method) {
                continue;
            }
            let call = site.call;
            // Each call of a chain comes by itself.
            while let Some((inner, method)) = call_of(object).and_then(method_call) {
                if !operations::is_cursor_method(method) {
                    break;
                }
                object = inner;
            }
            let Expression::Identifier(name) = bare(object) else { continue };
            let Some(symbol) =
                script.tree.resolve(name.name.as_str(), name.span.start).and_then(|s| script.tree.symbol(s))
            else {
                continue;
            };
            let Declared::Value(init, path) = &symbol.declared else { continue };
            let Some(number) =
                call_of(init).filter(|_| path.steps.is_empty()).and_then(|init| script.operation_of(init.span))
            else {
                continue;
            };
            let certain = script
                .tree
                .around(call.span.start)
                .take_while(|(region, _)| *region != symbol.region)
                .all(|(_, region)| matches!(region.kind, RegionKind::Scope));
            later.entry(number).or_default().push((method, call, certain));
        }
        for calls in later.values_mut() {
            calls.order_by_key(|(_, call, _)| call.span.end);
        }
        later
    }

    fn arguments_of(&self, call: &CallExpression<'_>) -> Vec<Term> {
        call.arguments.iter().map(|argument| literal::argument(argument, self.script)).collect()
    }

    fn operations_of(
        &self,
        found: &Found<'a>,
        later: &[(&'a str, &'a CallExpression<'a>, bool)],
        all: &[Found<'a>],
    ) -> Vec<Operation> {
        let mut end = found.call.span.end;
        let mut operations = match &found.on {
            On::Collection { ns, api } if found.method == "bulkWrite" => self.bulk_write(found, ns.as_ref(), *api),
            On::Collection { ns, api } => {
                let mut operations = Vec::new();
                if let Some(mut operation) = self.operation(found, ns.clone(), *api) {
                    let mut populated = Vec::new();
                    let mut state = Builder::default();
                    for (method, link) in &found.chain {
                        let arguments = self.arguments_of(link);
                        if *method == "populate" && *api == Api::Mongoose {
                            populated.push((link.span, arguments.clone()));
                        }
                        if !operations::chained(&mut operation, method, arguments, &mut state) {
                            break;
                        }
                        end = link.span.end;
                    }
                    for (method, link, certain) in later {
                        let arguments = self.arguments_of(link);
                        if *method == "populate" && *api == Api::Mongoose {
                            populated.push((link.span, arguments.clone()));
                        }
                        let arguments = if *certain { arguments } else { vec![Term::hole()] };
                        operations::chained(&mut operation, method, arguments, &mut state);
                    }
                    let number = operation.ns.clone();
                    operations.push(operation);
                    for (span, arguments) in populated {
                        operations.extend(populate(number.as_ref(), span, &arguments));
                    }
                }
                operations
            }
            On::Bulk { ns, api } => {
                end = found.chain.last().map_or(end, |(_, link)| link.span.end);
                self.bulk_operation(found, ns.as_ref(), *api).into_iter().collect()
            }
            On::Database(database) => {
                let command = found.call.arguments.first().map(|argument| literal::argument(argument, self.script));
                command.map(|command| workload::command::read(&command, database.as_deref())).unwrap_or_default()
            }
            On::Made { ns, fields } => {
                let mut operation = Operation::new(ns.clone(), Verb::Insert, "save");
                operation.api = Api::Mongoose;
                let document = fields.map_or_else(Term::hole, |fields| literal::evaluate(fields, self.script));
                operation.documents = Some(Term { span: document.span, what: What::Array(vec![document]) });
                self.with_options(operation, found.call)
            }
            On::Found { operation, symbol } => {
                let ns = all.get(*operation as usize).and_then(|source| match &source.on {
                    On::Collection { ns, .. } => ns.clone(),
                    _ => None,
                });
                let saved = self.save(ns, *operation, *symbol, found.call);
                self.with_options(saved, found.call)
            }
        };
        for operation in &mut operations {
            let span = match &operation.site {
                Some(Site::Source { span, .. }) => *span,
                _ => workload::Span { start: found.call.span.start, end },
            };
            operation.site = Some(Site::Source { file: self.input.to_owned(), span });
        }
        operations
    }

    fn operation(&self, found: &Found<'a>, ns: Option<Namespace>, api: Api) -> Option<Operation> {
        let mut operation = operations::operation(ns, api, found.method, self.arguments_of(found.call))?;
        // Documents that are made one by one out of a list have one form.
        if operation.verb == Verb::Insert
            && let Some(list) = found.call.arguments.first().and_then(Argument::as_expression)
            && operation.documents.as_ref().is_none_or(|known| {
                known.elements().is_none_or(|list| matches!(list, [one] if one.as_hole().is_some()))
            })
        {
            let mut elements = Vec::new();
            let complete = self.elements(list, &mut elements, 8);
            if elements.iter().any(|element| element.members().is_some()) {
                if !complete {
                    elements.push(Term::hole());
                }
                operation.documents = Some(Term::new(What::Array(elements)));
                operation.many = true;
            }
        }
        Some(operation)
    }

    fn with_options(&self, mut operation: Operation, call: &CallExpression<'_>) -> Vec<Operation> {
        if let Some(options) = call.arguments.first().map(|argument| literal::argument(argument, self.script)) {
            operations::set_options(&mut operation, &options);
        }
        vec![operation]
    }

    /// What `doc.save()` writes: what was set on the document since it was found.
    fn save(&self, ns: Option<Namespace>, source: u32, symbol: Option<u32>, call: &CallExpression<'_>) -> Operation {
        let script = self.script;
        let mut members: Vec<Member> = Vec::new();
        let mut set = |path: &[&str], value: Term| {
            let span = value.span;
            members.push(Member { key: Key::Name(path.join(".")), value, span, spread: false });
        };
        let writes = symbol.and_then(|symbol| script.tree.symbol(symbol)).map_or(&[][..], |symbol| &symbol.writes);
        let mut open = symbol.is_none();
        for write in writes.iter().filter(|write| write.end <= call.span.start) {
            match &write.change {
                Change::Set(path, value) => set(path, literal::evaluate(value, script)),
                Change::Adjust(path) => {
                    let origin = workload::Origin::Result { operation: source, path: path.join("."), computed: true };
                    set(path, Term::new(What::Hole(Hole { kind: None, origin })));
                }
                Change::Assign(_) => {}
                _ => open = true,
            }
        }
        if open || members.is_empty() {
            members.push(Member { key: Key::Spread, value: Term::hole(), span: None, spread: true });
        }
        let mut operation = Operation::new(ns, Verb::Update, "save");
        operation.api = Api::Mongoose;
        let origin = workload::Origin::Result { operation: source, path: "_id".to_owned(), computed: false };
        operation.filter = Some(operations::by_id(Term::new(What::Hole(Hole { kind: None, origin }))));
        let set = Term::new(What::Object(members));
        let member = Member { key: Key::Name("$set".to_owned()), value: set, span: None, spread: false };
        operation.update = Some(Term::new(What::Object(vec![member])));
        operation
    }

    /// `bulk.find(filter).upsert().updateOne(update)`, `bulk.insert(document)`.
    fn bulk_operation(&self, found: &Found<'a>, ns: Option<&Namespace>, api: Api) -> Option<Operation> {
        let first = self.argument(found.call, 0);
        let mut operation = Operation::new(ns.cloned(), Verb::Insert, "bulkWrite");
        operation.api = api;
        if found.method == "insert" {
            operation.documents = Some(Term::new(What::Array(vec![first.unwrap_or_else(Term::hole)])));
            return Some(operation);
        }
        operation.filter = first;
        for (method, link) in &found.chain {
            let argument = self.argument(link, 0);
            let (verb, many) = match *method {
                "updateOne" => (Verb::Update, false),
                "update" | "updateMany" => (Verb::Update, true),
                "replaceOne" => (Verb::Replace, false),
                "deleteOne" | "removeOne" => (Verb::Delete, false),
                "delete" | "deleteMany" | "remove" => (Verb::Delete, true),
                name => {
                    let value = argument.unwrap_or_else(|| Term::from(Value::Bool(true)));
                    operations::add_option(&mut operation, name, value);
                    continue;
                }
            };
            operation.verb = verb;
            operation.many = many;
            if verb != Verb::Delete {
                operation.update = argument;
            }
            return Some(operation);
        }
        None
    }

    /// The entries of a `bulkWrite`, each an operation.
    fn bulk_write(&self, found: &Found<'a>, ns: Option<&Namespace>, api: Api) -> Vec<Operation> {
        let Some(list) = found.call.arguments.first().and_then(Argument::as_expression) else { return Vec::new() };
        let options = self.argument(found.call, 1);
        let mut entries = Vec::new();
        self.elements(list, &mut entries, 8);
        let whole = found.call.span;
        let mut operations = Vec::new();
        for entry in entries {
            let Some(mut operation) = operations::bulk_entry(ns.cloned(), api, &entry, options.as_ref()) else {
                continue;
            };
            // An entry that is written elsewhere is found by the call.
            if let Some(span) = entry.span.filter(|span| whole.start <= span.start && span.end <= whole.end) {
                operation.site = Some(Site::Source { file: self.input.to_owned(), span });
            }
            operations.push(operation);
        }
        operations
    }

    /// The elements that a list may have, one for each form that is written. False where there may be others.
    fn elements(&self, list: &Expression<'_>, out: &mut Vec<Term>, depth: u32) -> bool {
        let script = self.script;
        let Some(depth) = depth.checked_sub(1) else { return false };
        match bare(list) {
            Expression::ArrayExpression(array) => {
                let mut complete = true;
                for element in &array.elements {
                    match element {
                        ArrayExpressionElement::SpreadElement(spread) => {
                            complete &= self.elements(&spread.argument, out, depth);
                        }
                        other => out.extend(other.as_expression().map(|element| literal::evaluate(element, script))),
                    }
                }
                complete
            }
            Expression::Identifier(name) => {
                let symbol = script.tree.resolve(name.name.as_str(), name.span.start);
                let Some(symbol) = symbol.and_then(|symbol| script.tree.symbol(symbol)) else { return false };
                let mut complete = match &symbol.declared {
                    Declared::Value(init, path) if path.steps.is_empty() => self.elements(init, out, depth),
                    _ => false,
                };
                for write in symbol.writes.iter().take(200) {
                    complete = false;
                    match &write.change {
                        Change::Push(arguments) | Change::Unshift(arguments) => {
                            for argument in *arguments {
                                match argument {
                                    Argument::SpreadElement(spread) => {
                                        self.elements(&spread.argument, out, depth);
                                    }
                                    other => out.push(literal::argument(other, script)),
                                }
                            }
                        }
                        Change::Assign(value) => {
                            self.elements(value, out, depth);
                        }
                        _ => {}
                    }
                }
                complete
            }
            Expression::CallExpression(call) => {
                let Some((object, method)) = method_call(call) else { return false };
                match method {
                    "map" | "flatMap" => {
                        let function = call.arguments.first().and_then(Argument::as_expression);
                        let function = function.and_then(|function| flow::function_of(script, function));
                        let function = function.and_then(|function| script.tree.functions.get(function as usize));
                        for value in function.map_or(&[][..], |function| function.returns.as_slice()).iter().take(8) {
                            if method == "flatMap" {
                                self.elements(value, out, depth);
                            } else {
                                out.push(literal::evaluate(value, script));
                            }
                        }
                        false
                    }
                    "filter" | "slice" | "concat" | "flat" => {
                        self.elements(object, out, depth);
                        false
                    }
                    _ => false,
                }
            }
            other => match literal::evaluate(other, script).what {
                What::Array(elements) => {
                    out.extend(elements);
                    true
                }
                _ => false,
            },
        }
    }

    fn say(&mut self, span: Span, namespace: Namespace, mut claim: Claim) {
        let location = self.lines.location(self.input, span.start as usize, span.end as usize);
        match &mut claim {
            Claim::CreateIndex(index) => index.location = Some(location.clone()),
            Claim::Schema(schema) => schema.location = Some(location.clone()),
            Claim::ShardKey(key) => key.location = Some(location.clone()),
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
        if matches!(bare(object), Expression::Identifier(name) if name.name == "sh") {
            let (name, key) = (self.text_argument(call, 0), self.argument(call, 1));
            let unique = self.argument(call, 2).and_then(|unique| unique.as_bool());
            if let (true, Some(name), Some(key)) = (SHARDING.contains(&method), name, key) {
                self.shard(call.span, &name, &key, unique == Some(true));
            }
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
        let Some((ns, schema, wishes)) = mongoose::wishes(self.script, call) else { return };
        self.say(call.span, ns.clone(), Claim::Schema(schema));
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
            "runCommand" | "command" | "adminCommand" => {
                let Some(command) = self.argument(call, 0) else { return };
                let name = command.members().and_then(|members| members.first()?.name());
                let Some(name) = name else { return };
                if let (true, Some(concern)) = (name == "setDefaultRWConcern", command.get("defaultWriteConcern")) {
                    self.default_write_concern(call.span, concern);
                    return;
                }
                let Some(collection) = command.get(name).and_then(Term::as_str) else { return };
                if let (true, Some(key)) = (SHARDING.contains(&name), command.get("key")) {
                    let unique = command.get("unique").and_then(Term::as_bool) == Some(true);
                    self.shard(call.span, collection, key, unique);
                    return;
                }
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

    fn default_write_concern(&mut self, span: Span, concern: &Term) {
        let (start, end) = (self.lines.position(span.start as usize), self.lines.position(span.end as usize));
        let location = Location { file: self.input.to_owned(), start: Some(start), end: Some(end) };
        let concern = concern.value().and_then(|concern| replica_set::write_concern(&concern, true, location));
        self.write_concerns.extend(concern);
    }

    /// The wish that a collection, named with its database, be sharded by a key.
    fn shard(&mut self, span: Span, name: &str, key: &Term, unique: bool) {
        let ns = Namespace::parse(name);
        let Some(mut key) = key.value().and_then(|key| ShardKey::of_pattern(&key, Origin::Wanted)) else { return };
        key.unique = unique;
        if ns.database.is_some() {
            self.say(span, ns, Claim::ShardKey(key));
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

#[cfg(test)]
mod tests {
    use crate::evidence::script::read;
    use crate::workload::{Key, Loop, Operation, Origin, Over, Term, What};

    /// A term in a line: literals as they are, holes as `?type<origin>`.
    fn show(term: &Term) -> String {
        let list = |parts: Vec<String>| parts.join(", ");
        match &term.what {
            What::Value(value) => crate::value::write::literal(value),
            What::Array(elements) => format!("[{}]", list(elements.iter().map(show).collect())),
            What::Object(members) => {
                let member = |key: &Key, value: &Term| match key {
                    Key::Name(name) => format!("{name}: {}", show(value)),
                    Key::Computed(name) => format!("[{name}]: {}", show(value)),
                    Key::Spread => format!("...{}", show(value)),
                };
                format!("{{{}}}", list(members.iter().map(|m| member(&m.key, &m.value)).collect()))
            }
            What::Hole(hole) => {
                let kind = hole.kind.map_or("", crate::value::Type::alias);
                match &hole.origin {
                    Origin::Unknown => format!("?{kind}"),
                    Origin::Request { text } => format!("?{kind}<{text}>"),
                    Origin::Parameter { name } => format!("?{kind}<({name})>"),
                    Origin::Result { operation, path, computed } => {
                        format!("?{kind}<#{operation}.{path}{}>", if *computed { " computed" } else { "" })
                    }
                    other => format!("?{kind}<{other:?}>"),
                }
            }
        }
    }

    fn operations(text: &str) -> Vec<Operation> {
        let reading = read("a.ts", text, None);
        assert_eq!(reading.problems, [], "{text}");
        reading.operations
    }

    /// Operations in lines: api, method, collection, then their parts.
    fn lines(text: &str) -> Vec<String> {
        operations(text)
            .iter()
            .map(|operation| {
                let ns = operation.ns.as_ref().map_or_else(|| "?".to_owned(), ToString::to_string);
                let mut line = format!("{:?} {} {ns}", operation.api, operation.method);
                for part in [
                    &operation.filter,
                    &operation.projection,
                    &operation.sort,
                    &operation.limit,
                    &operation.update,
                    &operation.pipeline,
                    &operation.documents,
                    &operation.field,
                    &operation.options,
                ]
                .into_iter()
                .flatten()
                {
                    line.push(' ');
                    line.push_str(&show(part));
                }
                line
            })
            .collect()
    }

    fn over(text: &str) -> Vec<Vec<Over>> {
        let loops = |loops: &[Loop]| loops.iter().map(|one| one.over.clone()).collect();
        operations(text).iter().map(|operation| loops(&operation.context.loops)).collect()
    }

    #[test]
    fn collections_are_found_wherever_they_are_held() {
        let text = r"
            import { MongoClient, Collection, Db } from 'mongodb';
            const client = new MongoClient(url);
            const db = client.db('shop');
            const orders = db.collection<Order>('orders');
            const users = () => db.collection('users');
            const collections = { items: db.collection('items') };
            let late: Collection;
            async function start() { late = (await connect()).db('web').collection('late'); }
            class Repo {
                private readonly own: Collection<Item>;
                constructor(private readonly db: Db, private readonly given: Collection) { this.own = client.db('x').collection('own'); }
                get logs() { return client.db('x').collection('logs'); }
                at(name: string) { return client.db('x').collection(name); }
                async run() {
                    await this.own.findOne({});
                    await this.logs.findOne({});
                    await this.at('parts').findOne({});
                    await this.given.findOne({});
                }
            }
            orders.findOne({}); users().findOne({}); collections.items.findOne({}); late.findOne({});
            const { items } = collections;
            items.findOne({});
            db?.collection('maybe').findOne({});
            function shadow(orders) { orders.findOne({}); [].find(x => x); }
        ";
        let found: Vec<String> = lines(text).iter().filter_map(|l| l.split(' ').nth(2).map(str::to_owned)).collect();
        assert_eq!(
            found,
            [
                "x.own",
                "x.logs",
                "x.parts",
                "?",
                "shop.orders",
                "shop.users",
                "shop.items",
                "web.late",
                "shop.items",
                "shop.maybe"
            ]
        );
    }

    #[test]
    fn other_libraries_are_no_collections() {
        let text = r"
            import { Sequelize } from 'sequelize';
            const db = new Sequelize();
            db.User.findOne({ where: { a: 1 } });
            [1, 2].find(x => x);
            new Map().count();
            $('a').find('b').remove();
            fs.watch('x');
        ";
        assert_eq!(lines(text), [] as [&str; 0]);
    }

    #[test]
    fn constants_change_on_the_way() {
        let text = r"
            const pipeline = [{ $match: { a: 1 } }];
            if (sorted) pipeline.push({ $sort: { b: 1 } });
            pipeline.push({ $limit: 5 });
            db.a.aggregate(pipeline);
            const filter = { x: 1 };
            filter.y = 2;
            if (z) filter.z = 3;
            db.a.find(filter);
            let n = 1;
            if (more) n = 2; else db.a.find({ n });
            db.a.find({ n });
            const made = (id) => ({ owner: id, ...(id && { set: true }) });
            db.a.find(made(7));
            function f() { const filter = { inner: 1 }; db.a.find(filter); }
            enum State { Open = 'open', Paid = 'paid' }
            db.a.find({ state: State.Paid });
            const handed = {};
            addTenant(handed);
            db.a.deleteMany(handed);
        ";
        assert_eq!(
            lines(text),
            [
                "Shell aggregate a [{$match: {a: 1}}, ?, {$limit: 5}]",
                "Shell find a {x: 1, y: 2, ...{z: 3}}",
                "Shell find a {n: 1}",
                "Shell find a {n: ?int}",
                "Shell find a {owner: 7, ...{set: true}}",
                "Shell find a {inner: 1}",
                "Shell find a {state: 'paid'}",
                "Shell deleteMany a {...?}",
            ]
        );
    }

    #[test]
    fn values_tell_where_they_come_from() {
        let text = r"
            const users = client.db('s').collection('users');
            app.post('/x', async (req, res) => {
                const { name, age = 3 } = req.body;
                const user = await users.findOne({ name });
                await users.updateOne({ _id: user._id, q: String(req.query.q) }, { $set: { n: user.n + 1, id: req.params.id } });
                if (typeof age !== 'number') return;
                await users.findOne({ age, free: req.query.free, [req.query.key]: 1 });
            });
            app.post('/y', validate(schema), async (req, res) => users.findOne({ a: req.body.a }));
            users.find({}).toArray((err, docs) => docs.forEach(doc => users.deleteOne({ _id: doc._id })));
            async function g(key: string) { return users.findOne({ key }); }
        ";
        assert_eq!(
            lines(text),
            [
                "Driver findOne s.users {name: ?<req.body.name>}",
                "Driver updateOne s.users {_id: ?<#0._id>, q: ?string<req.query.q>} {$set: {n: ?<#0.n computed>, id: ?string<req.params.id>}}",
                "Driver findOne s.users {age: ?double<req.body.age>, free: ?<req.query.free>, [?]: 1}",
                "Driver findOne s.users {a: ?}",
                "Driver find s.users {}",
                "Driver deleteOne s.users {_id: ?<#4._id>}",
                "Driver findOne s.users {key: ?string<(key)>}",
            ]
        );
        let sent: Vec<usize> = operations(text).iter().map(|operation| operation.context.sent_keys.len()).collect();
        assert_eq!(sent, [0, 0, 1, 0, 0, 0, 0]);
    }

    #[test]
    fn what_is_only_called_request_is_none() {
        let text = r"
            const users = client.db('s').collection('users');
            function write(request, callback) { users.findOne(request.query, callback); }
            const route = (request, reply) => users.findOne(request.query);
            db.collection('old', (error, old) => old.findOne({ a: 1 }));
        ";
        assert_eq!(
            lines(text),
            ["Driver findOne s.users ?", "Driver findOne s.users ?<request.query>", "Driver findOne old {a: 1}"]
        );
    }

    #[test]
    fn loops_tell_what_they_go_over() {
        let text = r"
            const a = client.db('s').collection('a');
            async function f(ids) {
                const docs = await a.find({}).toArray();
                for (const doc of docs) await a.findOne({ _id: doc.b });
                await Promise.all(docs.map(async (doc) => a.findOne({ _id: doc.b })));
                for (const name of ['x', 'y']) await a.findOne({ name });
                for (const id of ids) await a.findOne({ id });
                while (attempt < 5) await a.findOne({ attempt });
                const cursor = a.find({ big: 1 });
                while (await cursor.hasNext()) { const doc = await cursor.next(); await a.deleteOne({ _id: doc._id }); }
                for await (const doc of a.find({ z: 1 })) await a.deleteOne({ _id: doc._id });
                for (let i = 0; i < 10; i++) await a.insertOne({ i });
                const [list, n] = await Promise.all([a.find({ all: 1 }).toArray(), a.countDocuments()]);
                for (const one of list) await a.findOne({ one });
                const query = a.find({ later: 1 });
                for (const one of await query.limit(5).toArray()) await a.findOne({ one });
                async.eachSeries(ids, (id, next) => a.findOne({ id }, next));
            }
        ";
        assert_eq!(
            over(text),
            [
                vec![],
                vec![Over::Result(0)],
                vec![Over::Result(0)],
                vec![Over::Constant],
                vec![Over::Unknown],
                vec![Over::Again],
                vec![],
                vec![Over::Result(6)],
                vec![],
                vec![Over::Result(8)],
                vec![Over::Constant],
                vec![],
                vec![],
                vec![Over::Result(11)],
                vec![],
                vec![Over::Result(14)],
                vec![Over::Unknown],
            ]
        );
        let parallel: Vec<bool> =
            operations(text).iter().map(|operation| operation.context.parallel.is_some()).collect();
        assert_eq!(parallel.iter().position(|parallel| *parallel), Some(2));
    }

    #[test]
    fn helpers_do_in_a_loop_what_they_are_called_for_in_one() {
        let text = r"
            const a = client.db('s').collection('a');
            async function load(id) { return a.findOne({ _id: id }); }
            const each = async (doc) => a.deleteOne({ _id: doc._id });
            async function deep(id) { return load2(id); }
            async function load2(id) { return a.findOne({ two: id }); }
            async function once(id) { return a.findOne({ once: id }); }
            async function self(id) { for (const x of y) self(x); return a.findOne({ self: id }); }
            class Service {
                one(id) { return a.findOne({ one: id }); }
                async all(ids) { return Promise.all(ids.map((id) => this.one(id))); }
            }
            async function f(ids) {
                const docs = await a.find({}).toArray();
                await load(1);
                for (const doc of docs) await load(doc.b);
                await Promise.all(docs.map(each));
                for (const id of ids) await deep(id);
                await once(2);
            }
        ";
        assert_eq!(
            over(text),
            [
                vec![Over::Result(6)],
                vec![Over::Result(6)],
                vec![Over::Unknown],
                vec![],
                vec![],
                vec![Over::Unknown],
                vec![],
            ]
        );
    }

    #[test]
    fn what_is_done_after_a_failure_is_not_what_is_wanted() {
        let text = r"
            const c = client.db('s').collection('c');
            try { await c.createIndex({ x: 1 }, { collation: { locale: 'en' } }); } catch (e) { await c.createIndex({ x: 1 }); }
            c.createIndex({ y: 1 }).catch(() => c.createIndex({ y: -1 }));
        ";
        assert_eq!(read("s.js", text, None).statements.len(), 2);
    }

    #[test]
    fn receivers_from_elsewhere_are_known_by_what_they_are_asked() {
        let text = r"
            const { Orders } = context.collections;
            await Orders.updateOne({ _id: id }, { $set: { a: 1 } }, { w: 0 });
            await self.models.cart.findByIdAndUpdate(id, { $inc: { n: 1 } });
            await store.aggregate([{ $match: { a: 1 } }, { $group: { _id: '$b' } }]);
            await repository.updateOne({ id }, { name: 'x' });
            list.aggregate([{ field: 1 }]);
            api.update({ id }, { $set: { a: 1 } });
        ";
        assert_eq!(
            lines(text),
            [
                "Driver updateOne ? {_id: ?} {$set: {a: 1}} {w: 0}",
                "Mongoose findByIdAndUpdate ? {_id: ?} {$inc: {n: 1}}",
                "Driver aggregate ? [{$match: {a: 1}}, {$group: {_id: '$b'}}]",
            ]
        );
        assert_eq!(lines(&format!("import x from 'sequelize'; {text}")), [] as [&str; 0]);
    }

    #[test]
    fn transactions_and_branches() {
        let text = r"
            async function f(session) {
                await session.withTransaction(async () => { await a().updateOne({}, {}, { session }); });
                await a().findOne({});
                session.startTransaction();
                if (x) { await a().deleteOne({ y: 1 }); } else { await a().deleteOne({ y: 2 }); }
                await session.commitTransaction();
                const r = await a().findOneAndUpdate({}, { $inc: { n: 1 } });
                await a().findOneAndUpdate({}, { $inc: { n: 1 } });
            }
            const a = () => client.db('s').collection('a');
        ";
        let found: Vec<(Option<u32>, usize, Option<bool>)> = operations(text)
            .iter()
            .map(|o| (o.context.transaction, o.context.branches.len(), o.context.used))
            .collect();
        let (yes, no) = (Some(true), Some(false));
        assert_eq!(
            found,
            [(Some(0), 0, no), (None, 0, no), (Some(1), 1, no), (Some(1), 1, no), (None, 0, yes), (None, 0, no)]
        );
    }

    #[test]
    fn old_and_bulk_forms() {
        let text = r"
            db.a.update({ q: 1 }, { $set: { u: 1 } }, true, true);
            db.a.remove({ q: 1 }, true);
            db.a.findAndModify({ query: { q: 1 }, update: { $inc: { n: 1 } }, upsert: true });
            db.a.find({ q: 1 }, { name: 1 }).sort({ s: -1 }).limit(3).count();
            const ops = docs.map(d => ({ updateOne: { filter: { _id: d.id }, update: { $set: { x: 1 } } } }));
            ops.push({ deleteMany: { filter: { gone: true } } });
            db.a.bulkWrite(ops, { ordered: false });
            const bulk = db.a.initializeUnorderedBulkOp();
            bulk.find({ q: 2 }).upsert().updateOne({ $set: { y: 1 } });
            db.runCommand({ aggregate: 'b', pipeline: [{ $count: 'n' }], cursor: {} });
            db.a.explain().find({ e: 1 });
            const c = db.a.find({ c: 1 });
            c.sort({ d: 1 });
        ";
        assert_eq!(
            lines(text),
            [
                "Shell update a {q: 1} {$set: {u: 1}} {upsert: true, multi: true}",
                "Shell remove a {q: 1} {justOne: true}",
                "Shell findAndModify a {q: 1} {$inc: {n: 1}} {upsert: true}",
                "Shell find a {q: 1} {name: 1} {s: -1} 3",
                "Shell bulkWrite a {_id: ?} {$set: {x: 1}} {ordered: false}",
                "Shell bulkWrite a {gone: true} {ordered: false}",
                "Shell bulkWrite a {q: 2} {$set: {y: 1}} {upsert: true}",
                "Command aggregate b [{$count: 'n'}]",
                "Shell find a {e: 1}",
                "Shell find a {c: 1} {d: 1}",
            ]
        );
    }

    #[test]
    fn mongoose() {
        let text = r"
            import mongoose, { Schema, model } from 'mongoose';
            import Other from '../models/other';
            const userSchema = new Schema({ name: String, account: { type: Schema.Types.ObjectId, ref: 'Account' } }, { collection: 'people' });
            userSchema.statics.byName = function (name) { return this.findOne({ name }); };
            const User = mongoose.model('User', userSchema);
            const Account = model('Account', new Schema({ balance: Number }));
            async function f(id) {
                await User.findById(id).select('name -_id').populate('account', 'balance').lean();
                await User.find({ a: 1 }).where('age').gt(5).lt(9).sort('-createdAt').limit(10);
                await Account.aggregate().match({ b: 1 }).group({ _id: '$x' });
                const account = await Account.findOne({ _id: id });
                account.balance = account.balance - 5;
                await account.save({ session });
                await new User({ name: 'x' }).save();
                await Other.updateMany({}, { done: true });
                await Account.create({ balance: 0 });
            }
        ";
        assert_eq!(
            lines(text),
            [
                "Mongoose findOne people {name: ?<(name)>}",
                "Mongoose findById people {_id: ?<(id)>} {name: 1, _id: 0} {lean: true}",
                "Mongoose populate people {balance: 1} 'account'",
                "Mongoose find people {a: 1, age: {$gt: 5, $lt: 9}} {createdAt: -1} 10",
                "Mongoose aggregate accounts [{$match: {b: 1}}, {$group: {_id: '$x'}}]",
                "Mongoose findOne accounts {_id: ?<(id)>}",
                "Mongoose save accounts {_id: ?<#4._id>} {$set: {balance: ?double<#4.balance computed>}} {session: ?}",
                "Mongoose save people [{name: 'x'}]",
                "Mongoose updateMany ? {} {done: true}",
                "Mongoose create accounts [{balance: 0}]",
            ]
        );
    }

    /// A script may be written to take for ever.
    #[test]
    fn hostile_constants_end() {
        use std::fmt::Write;
        let mut text = String::from("const a0 = [1, 2, 3];\n");
        for n in 1..60 {
            let _ = writeln!(text, "const a{n} = [...a{}, ...a{}, a{}];", n - 1, n - 1, n - 1);
        }
        let _ = writeln!(text, "const big = [{}];", "1, ".repeat(10_000));
        for _ in 0..2_000 {
            text.push_str("db.a.find({ x: { $in: big }, y: a59 });\n");
        }
        text.push_str("let q = {};\n");
        for n in 0..300 {
            let _ = writeln!(text, "if (c{n}) q = {{ ...q, f{n}: q }};");
        }
        text.push_str("db.a.find(q);\n");
        // It is done in seconds, or the test would not end.
        assert_eq!(operations(&text).len(), 2_001);
    }
}
