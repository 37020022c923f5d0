//! Values that are read, changed in code and written back. Words, reasons and examples: read-modify-write.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::written;
use crate::facts::names;
use crate::model::Model;
use crate::rules::{Findings, Place};
use crate::workload::update::{Update, overlap};
use crate::workload::{Hole, Key, Operation, Origin, Predicate, Term, Test, Verb, What};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for (operation, read, path) in unguarded(model) {
        let place = Place::operation(model, operation, None);
        let draft = match &path {
            Some(path) => findings.certain(place.with_path(path)).variant("field"),
            None => findings.certain(place).variant("whole"),
        };
        draft.text("method", &operation.method).text("reader", &read.method);
        if let Some(at) = model.locate(operation, None).and_then(|location| location.start) {
            draft.cause(format_args!("{}:{}:{}", operation.file().unwrap_or_default(), at.line, at.column));
        }
    }
}

/// The writes that put back what was read and changed, with the read and the path (nothing for the whole document), where
/// nothing makes sure that the value is still what was read.
pub(in crate::rules) fn unguarded(model: &Model) -> Vec<(&Operation, &Operation, Option<String>)> {
    let found = written(model).filter_map(|(operation, update)| {
        let (back, read) = written_back(model, operation, &update)?;
        let is_safe = is_guarded(operation, back.read) || same_transaction(operation, read);
        (!is_safe).then_some((operation, read, back.path))
    });
    found.collect()
}

/// A value that goes back to where it came from.
struct Back {
    /// The operation that read it, by number in the file.
    read: u32,
    /// The path; nothing for the whole document.
    path: Option<String>,
}

/// What an update writes back, with the operation that read it.
fn written_back<'m>(model: &'m Model, operation: &Operation, update: &Update<'_>) -> Option<(Back, &'m Operation)> {
    let reader = |number: u32| {
        model.workload.beside(operation, number).filter(|read| {
            read.ns.is_some() && read.ns == operation.ns && matches!(read.verb, Verb::Find | Verb::FindOne)
        })
    };
    backs(operation, update).into_iter().find_map(|back| {
        let read = reader(back.read)?;
        Some((back, read))
    })
}

fn backs(operation: &Operation, update: &Update<'_>) -> Vec<Back> {
    let mut found = Vec::new();
    let sets = update.changes.iter().filter(|change| change.operator == "$set" && change.certain);
    for change in sets {
        let field = change.field();
        for (read, path) in computed(change.argument) {
            if overlap(path, &field) {
                found.push(Back { read, path: Some(field.clone()) });
            }
        }
    }
    for member in update.replacement().unwrap_or_default() {
        match &member.key {
            Key::Name(name) => {
                let back = computed(&member.value).into_iter().filter(|(_, path)| overlap(path, name));
                found.extend(back.map(|(read, _)| Back { read, path: Some(name.clone()) }));
            }
            Key::Spread | Key::Computed(_) => {}
        }
    }
    // `replaceOne(filter, document)` with the document that was read: what others changed meanwhile goes.
    if matches!(operation.verb, Verb::Replace | Verb::FindAndReplace)
        && let Some(Hole { origin: Origin::Result { operation: read, path, .. }, .. }) =
            operation.update.as_ref().and_then(Term::as_hole)
        && path.is_empty()
    {
        found.push(Back { read: *read, path: None });
    }
    found
}

/// The results of reads that a value is computed from, with their paths.
fn computed(term: &Term) -> Vec<(u32, &str)> {
    let mut found = Vec::new();
    let mut open = vec![term];
    while let Some(term) = open.pop() {
        match &term.what {
            What::Hole(Hole { origin: Origin::Result { operation, path, computed: true }, .. }) => {
                found.push((*operation, path.as_str()));
            }
            What::Object(members) => open.extend(members.iter().map(|member| &member.value)),
            What::Array(elements) => open.extend(elements),
            What::Value(_) | What::Hole(_) => {}
        }
    }
    found
}

/// Whether the filter makes sure that nothing has changed since the read: it repeats a value that was read, or a
/// version.
fn is_guarded(operation: &Operation, read: u32) -> bool {
    let filter = operation.conditions();
    let repeats = |path: &str, test: &Test| {
        let from_read = super::holds(
            &test.argument,
            &|term| matches!(term.as_hole(), Some(Hole { origin: Origin::Result { operation, .. }, .. }) if *operation == read),
        );
        path != "_id" && (from_read || names::is_version(path.rsplit('.').next().unwrap_or(path)))
    };
    let is_expression = |predicate: &Predicate| matches!(predicate, Predicate::Top { .. });
    let is_repeated = filter.conjuncts().into_iter().any(|(path, test)| repeats(path, test));
    filter.open || is_repeated || filter.all.iter().any(is_expression)
}

/// Whether both run in one transaction: the server then refuses the write where another came between.
fn same_transaction(write: &Operation, read: &Operation) -> bool {
    write.context.transaction.is_some() && write.context.transaction == read.context.transaction
}
