//! Sparse fields that each need an index. Words, reasons and examples: attribute-candidate.md.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Deserialize;

use super::forms;
use crate::model::pattern::SparseFields;
use crate::model::{Collection, Model};
use crate::rules::{Findings, Place};
use crate::value::Type;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Sparse fields of one object from which on a list of them may serve better.
    fields: usize,
    /// Of these, how many must have an index of their own or be searched alone.
    uses: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options { fields: 6, uses: 3 }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for (collection, forms) in forms(model) {
        for sparse in &forms.sparse {
            let fields = like(sparse);
            if fields.len() < options.fields {
                continue;
            }
            let indexed = indexed(collection, &fields);
            let searched = searched(model, collection, &fields);
            if indexed.len().max(searched.len()) < options.uses {
                continue;
            }
            let uses: Vec<&str> = indexed.union(&searched).copied().collect();
            findings
                .measured(Place::path(&collection.ns, &sparse.path), sparse.objects)
                .number("count", fields.len())
                .number("indexes", indexed.len())
                .number("searched", searched.len())
                .variant(if searched.is_empty() { "indexed" } else { "searched" })
                .list("fields", uses);
        }
    }
}

/// The fields of the type that most of them have.
fn like(sparse: &SparseFields) -> BTreeSet<&str> {
    let of = |wanted: Type| {
        let fields = sparse.fields.iter().filter(move |(_, kind)| *kind == wanted);
        fields.map(|(path, _)| path.as_str()).collect::<BTreeSet<_>>()
    };
    let kinds = [Type::Double, Type::String, Type::Bool];
    kinds.into_iter().map(of).max_by_key(BTreeSet::len).unwrap_or_default()
}

/// Those that an index was made for, behind what narrows it or alone. One that takes in a part of the documents only is
/// the cure for variants.
fn indexed<'f>(collection: &Collection, fields: &BTreeSet<&'f str>) -> BTreeSet<&'f str> {
    let whole = collection.indexes().iter().filter(|index| index.partial_filter.is_none() && index.is_plain());
    let mut found = BTreeSet::new();
    for index in whole {
        let own: Vec<&str> = index.key.iter().filter_map(|(path, _)| fields.get(path.as_str()).copied()).collect();
        if let [one] = own.as_slice() {
            found.insert(*one);
        }
    }
    found
}

/// Those that a query asks for without asking for another one.
fn searched<'f>(model: &Model, collection: &Collection, fields: &BTreeSet<&'f str>) -> BTreeSet<&'f str> {
    let mut found = BTreeSet::new();
    for access in model.accesses_of(&collection.ns) {
        for branch in &access.branches {
            let points = branch.points.iter().map(|point| &point.path);
            let paths: BTreeSet<&str> =
                points.chain(&branch.ranges).filter_map(|path| fields.get(path.as_str()).copied()).collect();
            if paths.len() == 1 {
                found.extend(paths);
            }
        }
    }
    found
}
