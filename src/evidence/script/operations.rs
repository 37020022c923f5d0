//! Calls on collections as operations: which argument is the filter, which the update, which the options.

use crate::catalogue::Namespace;
use crate::value::Value;
use crate::workload::{Api, Key, Member, Operation, Term, Verb, What};

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
    /// Options of a find: a projection in the shell, options in the driver.
    ProjectionOrOptions,
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
    ("update", Verb::Update, false, &[Part::Filter, Part::Update, Part::Options]),
    ("replaceOne", Verb::Replace, false, &[Part::Filter, Part::Update, Part::Options]),
    ("deleteOne", Verb::Delete, false, &[Part::Filter, Part::Options]),
    ("deleteMany", Verb::Delete, true, &[Part::Filter, Part::Options]),
    ("remove", Verb::Delete, true, &[Part::Filter, Part::Options]),
    ("findOneAndUpdate", Verb::FindAndUpdate, false, &[Part::Filter, Part::Update, Part::Options]),
    ("findOneAndReplace", Verb::FindAndReplace, false, &[Part::Filter, Part::Update, Part::Options]),
    ("findOneAndDelete", Verb::FindAndDelete, false, &[Part::Filter, Part::Options]),
    ("watch", Verb::Watch, true, &[Part::Pipeline, Part::Options]),
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

/// Whether a method of a collection is an operation.
pub(super) fn is_operation(method: &str) -> bool {
    METHODS.iter().any(|(name, ..)| *name == method)
}

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
    "session",
    "min",
    "max",
    "noCursorTimeout",
    "explain",
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
    "lean",
    "count",
    "pretty",
    "size",
    "itcount",
    "addCursorFlag",
    "setReadPreference",
    "close",
    "clone",
    "returnKey",
];

/// Whether a method sets something of a cursor or query.
pub(super) fn is_cursor_method(method: &str) -> bool {
    CURSOR_METHODS.contains(&method)
}

/// Whether what a method of a cursor gives is still the operation's result, or a part of it.
pub(super) fn stays_result(method: &str) -> bool {
    is_cursor_method(method) || RESULT_METHODS.contains(&method)
}

/// The operation of a call of a method on a collection.
pub(super) fn operation(ns: Option<Namespace>, api: Api, method: &str, arguments: Vec<Term>) -> Option<Operation> {
    let (_, verb, many, parts) = METHODS.iter().find(|(name, ..)| *name == method)?;
    let mut operation = Operation::new(ns, *verb, method);
    operation.api = api;
    operation.many = *many;
    for (part, argument) in parts.iter().zip(arguments) {
        match part {
            Part::Filter => operation.filter = Some(argument),
            Part::Update => operation.update = Some(argument),
            Part::Pipeline => operation.pipeline = Some(argument),
            Part::Field => operation.field = Some(argument),
            Part::Documents => operation.documents = Some(argument),
            Part::Document => {
                let span = argument.span;
                let several = argument.elements().is_some();
                operation.many |= several;
                operation.documents =
                    Some(if several { argument } else { Term { what: What::Array(vec![argument]), span } });
            }
            Part::ProjectionOrOptions if !is_find_options(&argument) => operation.projection = Some(argument),
            Part::Options | Part::ProjectionOrOptions => set_options(&mut operation, &argument),
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

/// A method of a cursor: what it adds to its operation. False where it ends the cursor or is not one.
pub(super) fn cursor_method(operation: &mut Operation, method: &str, argument: Option<Term>) -> bool {
    match (method, argument) {
        ("sort", Some(argument)) => operation.sort = Some(argument),
        ("project" | "projection", Some(argument)) => operation.projection = Some(argument),
        ("limit", Some(argument)) => operation.limit = Some(argument),
        ("skip", Some(argument)) => operation.skip = Some(argument),
        (
            "hint" | "collation" | "maxTimeMS" | "batchSize" | "comment" | "allowDiskUse" | "readConcern" | "readPref"
            | "session" | "min" | "max" | "noCursorTimeout" | "explain",
            argument,
        ) => {
            let name = if method == "readPref" { "readPreference" } else { method };
            let value = argument.unwrap_or_else(|| Term::from(Value::Bool(true)));
            add_option(operation, name, value);
        }
        _ => return false,
    }
    true
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

fn set_options(operation: &mut Operation, options: &Term) {
    let Some(members) = options.members() else {
        operation.options = Some(options.clone());
        return;
    };
    for member in members {
        let value = || member.value.clone();
        match member.name() {
            Some("projection" | "fields") => operation.projection = Some(value()),
            Some("sort") => operation.sort = Some(value()),
            Some("limit") => operation.limit = Some(value()),
            Some("skip") => operation.skip = Some(value()),
            Some(name) => add_option(operation, name, value()),
            None => {
                let options = operation.options.get_or_insert_with(|| Term::new(What::Object(Vec::new())));
                if let What::Object(members) = &mut options.what {
                    members.push(member.clone());
                }
            }
        }
    }
}

fn add_option(operation: &mut Operation, name: &str, value: Term) {
    let options = operation.options.get_or_insert_with(|| Term::new(What::Object(Vec::new())));
    if let What::Object(members) = &mut options.what {
        let span = value.span;
        members.push(Member { key: Key::Name(name.to_owned()), value, span, spread: false });
    }
}
