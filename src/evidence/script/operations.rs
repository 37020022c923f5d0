//! Calls on collections as operations: which argument is the filter, which the update, which the options.

use crate::catalogue::Namespace;
use crate::value::{Type, Value};
use crate::workload::{Api, Key, Member, Operation, Origin, Term, Verb, What};

/// What an argument of a method is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Filter,
    Update,
    Documents,
    Document,
    Pipeline,
    Field,
    Options,
    /// Options of a find: a projection in the shell and in Mongoose, options in the driver.
    ProjectionOrOptions,
    /// The `_id`.
    Id,
    /// The old shell's fourth argument of `update`.
    Multi,
    /// A whole document, stored under its own `_id`.
    Whole,
    /// All parts in one object, as in the command.
    Command,
}

/// Methods of collections: name, verb, whether several documents may change, arguments.
#[rustfmt::skip]
const METHODS: &[(&str, Verb, bool, &[Part])] = &[
    ("find", Verb::Find, true, &[Part::Filter, Part::ProjectionOrOptions, Part::Options]),
    ("findOne", Verb::FindOne, false, &[Part::Filter, Part::ProjectionOrOptions, Part::Options]),
    ("aggregate", Verb::Aggregate, true, &[Part::Pipeline, Part::Options]),
    ("countDocuments", Verb::Count, true, &[Part::Filter, Part::Options]),
    ("count", Verb::Count, true, &[Part::Filter, Part::Options]),
    ("estimatedDocumentCount", Verb::EstimatedCount, true, &[Part::Options]),
    ("distinct", Verb::Distinct, true, &[Part::Field, Part::Filter, Part::Options]),
    ("insertOne", Verb::Insert, false, &[Part::Document, Part::Options]),
    ("insert", Verb::Insert, false, &[Part::Document, Part::Options]),
    ("insertMany", Verb::Insert, true, &[Part::Documents, Part::Options]),
    ("updateOne", Verb::Update, false, &[Part::Filter, Part::Update, Part::Options]),
    ("updateMany", Verb::Update, true, &[Part::Filter, Part::Update, Part::Options]),
    ("update", Verb::Update, false, &[Part::Filter, Part::Update, Part::Options, Part::Multi]),
    ("replaceOne", Verb::Replace, false, &[Part::Filter, Part::Update, Part::Options]),
    ("save", Verb::Replace, false, &[Part::Whole, Part::Options]),
    ("deleteOne", Verb::Delete, false, &[Part::Filter, Part::Options]),
    ("deleteMany", Verb::Delete, true, &[Part::Filter, Part::Options]),
    ("remove", Verb::Delete, true, &[Part::Filter, Part::Options]),
    ("findOneAndUpdate", Verb::FindAndUpdate, false, &[Part::Filter, Part::Update, Part::Options]),
    ("findOneAndReplace", Verb::FindAndReplace, false, &[Part::Filter, Part::Update, Part::Options]),
    ("findOneAndDelete", Verb::FindAndDelete, false, &[Part::Filter, Part::Options]),
    ("findAndModify", Verb::FindAndUpdate, false, &[Part::Command]),
    ("bulkWrite", Verb::Update, true, &[Part::Options, Part::Options]),
    ("watch", Verb::Watch, true, &[Part::Pipeline, Part::Options]),
];

/// Methods of Mongoose models that collections do not have.
#[rustfmt::skip]
const MODEL_METHODS: &[(&str, Verb, bool, &[Part])] = &[
    ("findById", Verb::FindOne, false, &[Part::Id, Part::ProjectionOrOptions, Part::Options]),
    ("findByIdAndUpdate", Verb::FindAndUpdate, false, &[Part::Id, Part::Update, Part::Options]),
    ("findByIdAndDelete", Verb::FindAndDelete, false, &[Part::Id, Part::Options]),
    ("findByIdAndRemove", Verb::FindAndDelete, false, &[Part::Id, Part::Options]),
    ("findOneAndRemove", Verb::FindAndDelete, false, &[Part::Filter, Part::Options]),
    ("exists", Verb::FindOne, false, &[Part::Filter, Part::Options]),
    ("create", Verb::Insert, false, &[Part::Document, Part::Options]),
    ("where", Verb::Find, true, &[Part::Filter]),
];

/// Options of a find that the driver takes as the second argument; in the shell that is the projection.
const FIND_OPTIONS: &[&str] = &[
    "projection",
    "sort",
    "limit",
    "skip",
    "hint",
    "session",
    "collation",
    "readPreference",
    "readConcern",
    "batchSize",
    "maxTimeMS",
    "comment",
    "allowDiskUse",
    "let",
    "min",
    "max",
    "returnKey",
    "showRecordId",
    "noCursorTimeout",
    "tailable",
    "awaitData",
    "allowPartialResults",
    "timeout",
    "raw",
    "promoteValues",
    "promoteLongs",
    "lean",
];

/// Methods that set something of a cursor or query.
const CURSOR_METHODS: &[&str] = &[
    "sort",
    "project",
    "projection",
    "limit",
    "skip",
    "hint",
    "collation",
    "maxTimeMS",
    "batchSize",
    "comment",
    "allowDiskUse",
    "readConcern",
    "readPref",
    "read",
    "session",
    "min",
    "max",
    "noCursorTimeout",
    "explain",
    "select",
    "lean",
    "setOptions",
    "slice",
    "where",
    "equals",
    "gt",
    "gte",
    "lt",
    "lte",
    "ne",
    "in",
    "nin",
    "exists",
    "regex",
    "all",
    "size",
    "elemMatch",
    "and",
    "or",
    "nor",
    "populate",
    "match",
    "group",
    "unwind",
    "lookup",
    "addFields",
    "sortByCount",
    "facet",
    "replaceRoot",
    "sample",
    "graphLookup",
    "unionWith",
    "append",
    "option",
    "out",
    "redact",
];

/// Methods that hand out what an operation found.
const RESULT_METHODS: &[&str] = &[
    "toArray",
    "next",
    "tryNext",
    "hasNext",
    "forEach",
    "each",
    "eachAsync",
    "stream",
    "cursor",
    "exec",
    "pretty",
    "itcount",
    "addCursorFlag",
    "setReadPreference",
    "close",
    "clone",
    "returnKey",
    "orFail",
    "transform",
    "rewind",
    "count",
    "countDocuments",
    "distinct",
    "toObject",
    "upsert",
    "arrayFilters",
    "execPopulate",
];

/// Whether a method of a collection or model is an operation.
pub(super) fn is_operation(method: &str) -> bool {
    method_of(method).is_some()
}

/// Whether a method of a collection or of a model is an operation.
pub(super) fn is_operation_of(api: Api, method: &str) -> bool {
    let own = MODEL_METHODS.iter().any(|(name, ..)| *name == method);
    // A model has no `save` of its own: that is a document's.
    is_operation(method) && (api == Api::Mongoose || !own) && !(api == Api::Mongoose && method == "save")
}

fn method_of(method: &str) -> Option<&'static (&'static str, Verb, bool, &'static [Part])> {
    METHODS.iter().chain(MODEL_METHODS).find(|(name, ..)| *name == method)
}

/// Whether a method sets something of a cursor or query.
pub(super) fn is_cursor_method(method: &str) -> bool {
    CURSOR_METHODS.contains(&method)
}

/// Whether what a method of a cursor gives is still the operation's result, or a part of it.
pub(super) fn stays_result(method: &str) -> bool {
    is_cursor_method(method) || RESULT_METHODS.contains(&method)
}

/// The operation of a call of a method on a collection; nothing where its arguments show that it is another library's.
pub(super) fn operation(ns: Option<Namespace>, api: Api, method: &str, arguments: Vec<Term>) -> Option<Operation> {
    let (_, verb, many, parts) = method_of(method)?;
    let mut operation = Operation::new(ns, *verb, method);
    operation.api = api;
    operation.many = *many;
    let arguments: Vec<Term> = arguments.into_iter().filter(|argument| !is_callback(argument)).collect();
    if arguments.iter().take(2).any(is_sequelize) {
        return None;
    }
    if method == "create" && arguments.len() > 1 && arguments.get(1).is_some_and(|second| !is_options(second)) {
        // `create(one, two, three)`
        operation.documents = Some(Term::new(What::Array(arguments)));
        operation.many = true;
        return Some(operation);
    }
    if method == "findAndModify" {
        return find_and_modify(operation, arguments);
    }
    // Older drivers take the stages one by one.
    if *verb == Verb::Aggregate && arguments.first().is_some_and(Term::is_operators) {
        operation.pipeline = Some(Term::new(What::Array(arguments)));
        return Some(operation);
    }
    let mut arguments = arguments.into_iter();
    // `where('a')` starts a condition that the next calls complete.
    if method == "where" {
        let first = arguments.next()?;
        if first.members().is_some() {
            operation.filter = Some(first);
        } else {
            builder(&mut operation, "where", vec![first], &mut Builder::default());
        }
        return Some(operation);
    }
    for (part, argument) in parts.iter().zip(arguments) {
        match part {
            Part::Filter => operation.filter = Some(argument),
            Part::Id => operation.filter = Some(by_id(argument)),
            Part::Update => operation.update = Some(argument),
            Part::Pipeline => operation.pipeline = Some(argument),
            Part::Field => operation.field = Some(argument),
            Part::Documents => {
                operation.documents = Some(match &argument.what {
                    // Mongoose takes a single document too.
                    What::Object(_) => Term { span: argument.span, what: What::Array(vec![argument]) },
                    _ => argument,
                });
            }
            Part::Document => {
                let span = argument.span;
                let several = argument.elements().is_some();
                operation.many |= several;
                operation.documents =
                    Some(if several { argument } else { Term { what: What::Array(vec![argument]), span } });
            }
            Part::Whole => {
                let id = argument.get("_id").cloned().unwrap_or_else(Term::hole);
                operation.filter = Some(by_id(id));
                operation.update = Some(argument);
                add_option(&mut operation, "upsert", Term::from(Value::Bool(true)));
            }
            Part::ProjectionOrOptions if is_projection(api, &argument) => {
                operation.projection = Some(selected(argument));
            }
            Part::Options if *verb == Verb::Update && argument.as_bool().is_some() => {
                add_option(&mut operation, "upsert", argument);
            }
            Part::Options if method == "remove" && argument.as_bool().is_some() => {
                add_option(&mut operation, "justOne", argument);
            }
            Part::Multi => add_option(&mut operation, "multi", argument),
            Part::Options | Part::ProjectionOrOptions => set_options(&mut operation, &argument),
            Part::Command => {}
        }
    }
    // `{}` and nothing are one; `undefined` stands for nothing too.
    operation.filter = operation.filter.filter(|filter| filter.as_scalar() != Some(&Value::Undefined));
    operation.many |= operation.option("multi").and_then(Term::as_bool) == Some(true);
    if *verb == Verb::Delete && operation.option("justOne").and_then(Term::as_bool) == Some(true) {
        operation.many = false;
    }
    Some(operation)
}

/// Functions are handed over to be called with the result.
fn is_callback(argument: &Term) -> bool {
    let Some(hole) = argument.as_hole() else { return false };
    match &hole.origin {
        Origin::Parameter { name } => {
            matches!(name.as_str(), "cb" | "callback" | "next" | "done" | "fn" | "resolve" | "callbackFn")
        }
        _ => hole.kind == Some(Type::Javascript),
    }
}

/// Sequelize's models have methods of the same names, whose conditions stand under `where`.
fn is_sequelize(argument: &Term) -> bool {
    argument.members().is_some_and(|members| {
        members.iter().any(|member| matches!(member.name(), Some("where" | "include" | "attributes" | "data")))
            && members.iter().all(|member| {
                member.name().is_none_or(|name| {
                    matches!(
                        name,
                        "where"
                            | "include"
                            | "attributes"
                            | "data"
                            | "select"
                            | "create"
                            | "order"
                            | "limit"
                            | "offset"
                            | "transaction"
                            | "raw"
                            | "paranoid"
                            | "group"
                            | "returning"
                            | "individualHooks"
                            | "defaults"
                            | "force"
                    )
                })
            })
    })
}

fn is_options(argument: &Term) -> bool {
    argument.members().is_some_and(|members| {
        members.iter().any(|member| matches!(member.name(), Some("session" | "ordered" | "validateBeforeSave")))
    })
}

/// A filter on the `_id`.
pub(super) fn by_id(id: Term) -> Term {
    let span = id.span;
    let member = Member { key: Key::Name("_id".to_owned()), value: id, span, spread: false };
    Term { what: What::Object(vec![member]), span }
}

/// `findAndModify({query, update, …})`, or with the arguments of old drivers: filter, sort, update, options.
fn find_and_modify(mut operation: Operation, arguments: Vec<Term>) -> Option<Operation> {
    let first = arguments.first()?;
    let is_command = first.get("query").is_some() || first.get("update").is_some() || first.get("remove").is_some();
    if !is_command {
        let mut arguments = arguments.into_iter();
        operation.filter = arguments.next();
        operation.sort = arguments.next();
        operation.update = arguments.next();
        if let Some(options) = arguments.next() {
            set_options(&mut operation, &options);
        }
        return Some(operation);
    }
    for member in first.members().unwrap_or_default() {
        let value = || member.value.clone();
        match member.name() {
            Some("query") => operation.filter = Some(value()),
            Some("update") => operation.update = Some(value()),
            Some("sort") => operation.sort = Some(value()),
            Some("fields") => operation.projection = Some(value()),
            Some("remove") => {
                if member.value.as_bool() == Some(true) {
                    operation.verb = Verb::FindAndDelete;
                }
            }
            _ => keep_option(&mut operation, member),
        }
    }
    Some(operation)
}

/// One entry of a `bulkWrite`: `{updateOne: {filter, update, upsert}}`.
pub(super) fn bulk_entry(ns: Option<Namespace>, api: Api, entry: &Term, options: Option<&Term>) -> Option<Operation> {
    let [member] = entry.members()? else { return None };
    let (verb, many) = match member.name()? {
        "insertOne" => (Verb::Insert, false),
        "updateOne" => (Verb::Update, false),
        "updateMany" => (Verb::Update, true),
        "replaceOne" => (Verb::Replace, false),
        "deleteOne" => (Verb::Delete, false),
        "deleteMany" => (Verb::Delete, true),
        _ => return None,
    };
    let mut operation = Operation::new(ns, verb, "bulkWrite");
    operation.api = api;
    operation.many = many;
    for part in member.value.members().unwrap_or_default() {
        let value = || part.value.clone();
        match part.name() {
            Some("filter" | "q") => operation.filter = Some(value()),
            Some("update" | "replacement" | "u") => operation.update = Some(value()),
            Some("document") => {
                operation.documents = Some(Term { what: What::Array(vec![value()]), span: part.value.span });
            }
            Some("sort") => operation.sort = Some(value()),
            _ => keep_option(&mut operation, part),
        }
    }
    // What is not written down may be any condition.
    if verb != Verb::Insert && operation.filter.is_none() {
        operation.filter = Some(Term::hole());
    }
    if let Some(options) = options {
        set_options(&mut operation, options);
    }
    Some(operation)
}

/// What a chain of a Mongoose query has begun to say.
#[derive(Debug, Default)]
pub(super) struct Builder {
    /// The path of the last `where`.
    path: Option<String>,
}

/// A method of a cursor, query or aggregation: what it adds to its operation. False where it ends the chain or is not
/// one.
pub(super) fn chained(operation: &mut Operation, method: &str, arguments: Vec<Term>, state: &mut Builder) -> bool {
    let arguments: Vec<Term> = arguments.into_iter().filter(|argument| !is_callback(argument)).collect();
    if operation.verb == Verb::Aggregate && operation.api != Api::Shell && stage(operation, method, &arguments) {
        return true;
    }
    let is_query = matches!(operation.verb, Verb::Find | Verb::FindOne | Verb::Count | Verb::Distinct)
        || matches!(operation.verb, Verb::Update | Verb::Delete | Verb::FindAndUpdate | Verb::FindAndDelete);
    if operation.api == Api::Mongoose && is_query {
        // Queries can be made into others on the way.
        match method {
            "countDocuments" | "count" => {
                operation.verb = Verb::Count;
                operation.filter = and(operation.filter.take(), arguments.into_iter().next());
                return true;
            }
            "distinct" => {
                operation.verb = Verb::Distinct;
                operation.field = arguments.into_iter().next();
                return true;
            }
            "find" | "findOne" => {
                if method == "findOne" {
                    operation.verb = Verb::FindOne;
                    operation.many = false;
                }
                operation.filter = and(operation.filter.take(), arguments.into_iter().next());
                return true;
            }
            _ => {}
        }
        if builder(operation, method, arguments.clone(), state) {
            return true;
        }
    }
    let argument = arguments.into_iter().next();
    match (method, argument) {
        ("sort", Some(argument)) => operation.sort = Some(sorted(argument)),
        ("project" | "projection", Some(argument)) => operation.projection = Some(argument),
        ("limit", Some(argument)) => operation.limit = Some(argument),
        ("skip", Some(argument)) => operation.skip = Some(argument),
        // The shell's and the old driver's cursors count.
        ("count" | "size", _) if operation.verb == Verb::Find => operation.verb = Verb::Count,
        (
            "hint" | "collation" | "maxTimeMS" | "batchSize" | "comment" | "allowDiskUse" | "readConcern" | "readPref"
            | "read" | "session" | "min" | "max" | "noCursorTimeout" | "explain" | "lean",
            argument,
        ) => {
            let name = if matches!(method, "readPref" | "read") { "readPreference" } else { method };
            let value = argument.unwrap_or_else(|| Term::from(Value::Bool(true)));
            add_option(operation, name, value);
        }
        ("setOptions", Some(argument)) => set_options(operation, &argument),
        ("populate" | "cursor" | "exec" | "addCursorFlag" | "clone" | "orFail", _) => {}
        _ => return false,
    }
    true
}

/// A stage that a builder appends.
fn stage(operation: &mut Operation, method: &str, arguments: &[Term]) -> bool {
    let name = match method {
        "match" | "group" | "project" | "sort" | "limit" | "skip" | "unwind" | "lookup" | "addFields" | "facet"
        | "sample" | "sortByCount" | "graphLookup" | "unionWith" | "replaceRoot" | "out" | "redact" => method,
        "append" => {
            let pipeline = operation.pipeline.get_or_insert_with(|| Term::new(What::Array(Vec::new())));
            if let What::Array(stages) = &mut pipeline.what {
                for argument in arguments {
                    match &argument.what {
                        What::Array(more) => stages.extend(more.iter().cloned()),
                        _ => stages.push(argument.clone()),
                    }
                }
            }
            return true;
        }
        _ => return false,
    };
    let pipeline = operation.pipeline.get_or_insert_with(|| Term::new(What::Array(Vec::new())));
    let What::Array(stages) = &mut pipeline.what else { return true };
    let Some(first) = arguments.first() else { return true };
    let mut value = first.clone();
    match (name, value.as_str().map(str::to_owned)) {
        ("sort", Some(_)) => value = sorted(value),
        ("project", Some(_)) => value = selected(value),
        ("unwind", Some(path)) if !path.starts_with('$') => {
            value.what = What::Value(Value::String(format!("${path}")));
        }
        ("sample", None) if value.as_i64().is_some() => {
            let member =
                Member { key: Key::Name("size".to_owned()), span: value.span, spread: false, value: value.clone() };
            value = Term { what: What::Object(vec![member]), span: value.span };
        }
        _ => {}
    }
    let span = value.span;
    let member = Member { key: Key::Name(format!("${name}")), value, span, spread: false };
    stages.push(Term { what: What::Object(vec![member]), span });
    true
}

/// A method that builds the conditions of a Mongoose query.
fn builder(operation: &mut Operation, method: &str, arguments: Vec<Term>, state: &mut Builder) -> bool {
    let mut arguments = arguments.into_iter();
    let (first, second) = (arguments.next(), arguments.next());
    match method {
        "where" => match (first, second) {
            (Some(path), None) if path.members().is_some() => {
                operation.filter = and(operation.filter.take(), Some(path));
            }
            (Some(path), value) => {
                state.path = path.as_str().map(str::to_owned);
                match (value, &state.path) {
                    (Some(value), Some(path)) => condition(operation, &path.clone(), None, value),
                    (_, None) => open(operation),
                    _ => {}
                }
            }
            _ => open(operation),
        },
        "and" | "or" | "nor" => {
            let Some(parts) = first else { return true };
            condition(operation, &format!("${method}"), None, parts);
        }
        "equals" | "gt" | "gte" | "lt" | "lte" | "ne" | "in" | "nin" | "exists" | "regex" | "all" | "size"
        | "elemMatch" => {
            let (path, value) = match (first, second) {
                (Some(path), Some(value)) => (path.as_str().map(str::to_owned), value),
                (Some(value), None) => (state.path.clone(), value),
                (None, _) if method == "exists" => (state.path.clone(), Term::from(Value::Bool(true))),
                _ => return true,
            };
            let Some(path) = path else {
                open(operation);
                return true;
            };
            let operator = (method != "equals").then(|| format!("${method}"));
            condition(operation, &path, operator, value);
        }
        "select" => {
            if let Some(fields) = first {
                operation.projection = Some(selected(fields));
            }
        }
        "slice" => {}
        _ => return false,
    }
    true
}

/// Adds a condition to a filter; tests of one path stand together.
fn condition(operation: &mut Operation, path: &str, operator: Option<String>, value: Term) {
    let span = value.span;
    let filter = operation.filter.get_or_insert_with(|| Term::new(What::Object(Vec::new())));
    if !matches!(filter.what, What::Object(_)) {
        let whole = std::mem::replace(filter, Term::new(What::Object(Vec::new())));
        if let What::Object(members) = &mut filter.what {
            members.push(Member { key: Key::Spread, span: whole.span, value: whole, spread: true });
        }
    }
    let What::Object(members) = &mut filter.what else { return };
    let Some(operator) = operator else {
        members.push(Member { key: Key::Name(path.to_owned()), value, span, spread: false });
        return;
    };
    let test = Member { key: Key::Name(operator), value, span, spread: false };
    let known = members.iter_mut().rev().find(|member| member.name() == Some(path) && member.value.is_operators());
    match known.map(|member| &mut member.value.what) {
        Some(What::Object(tests)) => tests.push(test),
        _ => members.push(Member {
            key: Key::Name(path.to_owned()),
            value: Term { what: What::Object(vec![test]), span },
            span,
            spread: false,
        }),
    }
}

/// Leaves a filter open to more.
fn open(operation: &mut Operation) {
    let filter = operation.filter.get_or_insert_with(|| Term::new(What::Object(Vec::new())));
    if let What::Object(members) = &mut filter.what {
        members.push(Member { key: Key::Spread, value: Term::hole(), span: None, spread: true });
    }
}

/// Two filters of which both must hold.
fn and(one: Option<Term>, other: Option<Term>) -> Option<Term> {
    let (one, other) = match (one, other) {
        (Some(one), Some(other)) => (one, other),
        (one, other) => return one.or(other),
    };
    let span = one.span;
    let members = [one, other].into_iter().flat_map(|term| match term.what {
        What::Object(members) => members,
        what => vec![Member { key: Key::Spread, value: Term { what, span: term.span }, span: term.span, spread: true }],
    });
    Some(Term { what: What::Object(members.collect()), span })
}

/// `'-password'` of a selection, as an object.
pub(super) fn selected(term: Term) -> Term {
    listed(term, 0)
}

/// `'-createdAt name'` of a sort, as an object.
fn sorted(term: Term) -> Term {
    listed(term, -1)
}

/// A list of names as an object; those behind a minus have the given value.
fn listed(term: Term, minus: i32) -> Term {
    let Some(text) = term.as_str() else { return term };
    let mut members = Vec::new();
    for word in text.split_whitespace() {
        let (name, value) = match word.strip_prefix('-') {
            Some(name) => (name, minus),
            None => (word.trim_start_matches('+'), 1),
        };
        let value = Term { what: What::Value(Value::Int(value)), span: term.span };
        members.push(Member { key: Key::Name(name.to_owned()), value, span: term.span, spread: false });
    }
    Term { what: What::Object(members), span: term.span }
}

/// Whether the second argument of a find is a projection. In the driver it is options.
fn is_projection(api: Api, argument: &Term) -> bool {
    match api {
        Api::Driver => false,
        Api::Mongoose => true,
        Api::Shell | Api::Command => !is_find_options(argument),
    }
}

fn is_find_options(argument: &Term) -> bool {
    let Some(members) = argument.members() else { return false };
    !members.is_empty()
        && members.iter().all(|member| match &member.key {
            Key::Name(name) => FIND_OPTIONS.contains(&name.as_str()),
            Key::Computed(_) => false,
            Key::Spread => true,
        })
}

pub(super) fn set_options(operation: &mut Operation, options: &Term) {
    let Some(members) = options.members() else {
        if options.as_hole().is_some() && operation.options.is_none() {
            operation.options = Some(options.clone());
        }
        return;
    };
    for member in members {
        let value = || member.value.clone();
        match member.name() {
            Some("projection" | "fields") => operation.projection = Some(selected(value())),
            Some("sort") => operation.sort = Some(sorted(value())),
            Some("limit") if operation.verb != Verb::Delete => operation.limit = Some(value()),
            Some("skip") => operation.skip = Some(value()),
            _ => keep_option(operation, member),
        }
    }
}

pub(super) fn add_option(operation: &mut Operation, name: &str, value: Term) {
    let span = value.span;
    keep_option(operation, &Member { key: Key::Name(name.to_owned()), value, span, spread: false });
}

fn keep_option(operation: &mut Operation, member: &Member) {
    let options = operation.options.get_or_insert_with(|| Term::new(What::Object(Vec::new())));
    if let What::Object(members) = &mut options.what {
        members.push(member.clone());
    }
}
