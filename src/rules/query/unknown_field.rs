//! Paths that no document has. Words, reasons and examples: unknown-field.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Asked, each_test, filters, is_negative, is_position};
use crate::catalogue::Namespace;
use crate::model::access::sort_keys;
use crate::model::{Collection, Model};
use crate::rules::Findings;
use crate::value::Value;
use crate::workload::{Operation, Operator, Term, Test, What};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for asked in filters(model) {
        let Some((collection, profile)) = asked.documents(model) else { continue };
        let mut paths: Vec<Named> = Vec::new();
        each_test(asked.filter, &mut |path, test, is_negated| {
            let expects_none = is_negated || allows_missing(test);
            match paths.iter_mut().find(|known| known.path == path) {
                Some(known) => known.expects_none |= expects_none,
                None => paths.push(Named { path: path.to_owned(), expects_none, is_sort: false }),
            }
        });
        paths.extend(sorted_by(&asked));
        for Named { path, expects_none, is_sort } in paths {
            if path.contains('$') || path.split('.').any(str::is_empty) || collection.may_have(&path) {
                continue;
            }
            let near = collection.nearest_path(&path);
            let is_new = || expects_none || is_declared(collection, &path) || is_written(model, asked.ns, &path);
            if near.is_none() && is_new() {
                continue;
            }
            let draft = findings.measured(asked.place(model).with_path(&path), profile.documents);
            draft.none_of(profile.documents, collection.complete);
            match (near, is_sort) {
                (Some(near), false) => draft.text("near", near).variant("typo"),
                (Some(near), true) => draft.text("near", near).variant("sorttypo"),
                (None, true) => draft.variant("sort"),
                (None, false) => draft,
            };
        }
    }
}

/// A path that a query names.
struct Named {
    path: String,
    /// Whether some test of it is met by documents that lack it: then it may well be new, or on its way out.
    expects_none: bool,
    is_sort: bool,
}

fn allows_missing(test: &Test) -> bool {
    let is_null = |term: &Term| term.as_scalar() == Some(&Value::Null);
    is_negative(test)
        || match test.operator {
            Operator::Exists | Operator::Ne | Operator::Type => true,
            Operator::Eq => is_null(&test.argument),
            Operator::In => test.argument.elements().unwrap_or_default().iter().any(is_null),
            _ => false,
        }
}

/// The paths of a sort of stored documents.
fn sorted_by(asked: &Asked<'_>) -> Vec<Named> {
    let sort = if asked.stage.is_none() { asked.operation.sort.as_ref().and_then(sort_keys) } else { None };
    let keys = sort.unwrap_or_default().into_iter();
    keys.map(|key| Named { path: key.path, expects_none: false, is_sort: true }).collect()
}

/// Whether the validator knows the path.
fn is_declared(collection: &Collection, path: &str) -> bool {
    let plain: Vec<&str> = path.split('.').filter(|name| !is_position(name)).collect();
    let plain = plain.join(".");
    let fields = collection.validator().map(crate::catalogue::Validator::fields).unwrap_or_default();
    fields.iter().any(|field| field.path == plain)
}

/// Whether some statement writes the path: then documents will have it.
fn is_written(model: &Model, ns: Option<&Namespace>, path: &str) -> bool {
    let Some(ns) = ns else { return false };
    model.workload.of(ns).any(|operation| writes(operation, path))
}

fn writes(operation: &Operation, path: &str) -> bool {
    let documents = operation.documents.as_ref().and_then(Term::elements).unwrap_or_default();
    if documents.iter().any(|document| holds(document, path)) {
        return true;
    }
    let Some(update) = &operation.update else { return false };
    let parts = update.members().unwrap_or_default().iter();
    holds(update, path)
        || parts
            .filter(|part| part.name().is_some_and(|name| name.starts_with('$')))
            .any(|part| holds(&part.value, path))
}

/// Whether an object has a path, spelt with dots or nested.
fn holds(object: &Term, path: &str) -> bool {
    object.members().unwrap_or_default().iter().any(|member| {
        let Some(name) = member.name() else { return false };
        match path.strip_prefix(name) {
            Some("") => true,
            Some(rest) => rest.strip_prefix('.').is_some_and(|rest| match &member.value.what {
                What::Object(_) => holds(&member.value, rest),
                What::Hole(_) => true,
                _ => false,
            }),
            None => name.strip_prefix(path).is_some_and(|rest| rest.starts_with('.')),
        }
    })
}
