//! A wildcard where the queries name their fields. Words, reasons and examples: wildcard-overuse.md.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Deserialize;

use super::place;
use crate::model::{Access, Collection, Model};
use crate::rules::Findings;
use crate::workload::{Filter, Operation, Predicate};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Named fields up to which indexes of their own do better.
    fields: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options { fields: 8 }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for collection in &model.collections {
        for index in collection.indexes().iter().filter(|index| !index.hidden) {
            let [(pattern, _)] = index.key.as_slice() else { continue };
            let Some(prefix) = pattern.strip_suffix("$**") else { continue };
            if holds_data_as_names(collection, prefix) || model.workload.of(&collection.ns).any(|o| is_open(o, prefix))
            {
                continue;
            }
            let accesses = model.accesses_of(&collection.ns);
            let named: BTreeSet<&str> = accesses.flat_map(|access| named(access, prefix)).collect();
            // What an index of its own serves already is none of the wildcard's.
            let leads = |path: &str| {
                collection.indexes().iter().any(|i| i.is_plain() && i.key.first().is_some_and(|(p, _)| p == path))
            };
            let named: Vec<&str> = named.into_iter().filter(|path| *path != "_id" && !leads(path)).collect();
            if !named.is_empty() && named.len() as u64 <= options.fields {
                let draft = findings.certain(place(collection, index));
                draft.list("paths", &named).number("fields", named.len());
            }
        }
    }
}

/// The paths below a prefix that an access compares.
fn named<'a>(access: &'a Access, prefix: &'a str) -> impl Iterator<Item = &'a str> {
    let paths = access.branches.iter().flat_map(|branch| {
        branch.points.iter().map(|point| point.path.as_str()).chain(branch.ranges.iter().map(String::as_str))
    });
    paths.filter(move |path| path.starts_with(prefix))
}

/// Whether an operation may ask for a field that its text does not name.
fn is_open(operation: &Operation, prefix: &str) -> bool {
    fn open(filter: &Filter, prefix: &str) -> bool {
        filter.open
            || filter.all.iter().any(|predicate| match predicate {
                Predicate::Path { path, certain: false, .. } => {
                    let known = path.split('?').next().unwrap_or_default();
                    known.starts_with(prefix) || prefix.starts_with(known)
                }
                Predicate::And(parts, _) | Predicate::Or(parts, _) | Predicate::Nor(parts, _) => {
                    parts.iter().any(|part| open(part, prefix))
                }
                _ => false,
            })
    }
    operation.filter.is_some() && open(&operation.conditions(), prefix)
}

/// Whether names of fields are data below a prefix: then the names are nobody's to list.
fn holds_data_as_names(collection: &Collection, prefix: &str) -> bool {
    collection.fields().any(|field| field.path.as_str().starts_with(prefix) && field.path.as_str().contains("<key>"))
}
