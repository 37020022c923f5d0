//! Tables copied one to one. Words, reasons and examples: relational-transplant.md.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use super::are_numbers;
use crate::finding::Severity;
use crate::model::{Collection, Model};
use crate::rules::{Findings, Place};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Collections of a database below which nothing is said.
    collections: usize,
    /// Share of them that must be flat, small and joined.
    share: f64,
    /// Bytes of a small document, on average.
    bytes: u64,
    /// Joins of one pipeline that show that one page needs many tables.
    lookups: usize,
    /// Share of the collections with numbers as keys from which on tables were copied, where no pipeline shows it.
    numbered: f64,
}

impl Default for Options {
    fn default() -> Self {
        Options { collections: 4, share: 0.7, bytes: 1_024, lookups: 3, numbered: 0.7 }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    let mut databases: BTreeMap<Option<&str>, Vec<&Collection>> = BTreeMap::new();
    for (collection, profile) in model.with_documents() {
        if 0 < profile.documents && !collection.ns.is_internal() {
            databases.entry(collection.ns.database.as_deref()).or_default().push(collection);
        }
    }
    for (database, collections) in databases {
        if collections.len() < options.collections {
            continue;
        }
        let tables: Vec<&Collection> =
            collections.iter().copied().filter(|collection| is_table(model, collection, options)).collect();
        let share = tables.len() as f64 / collections.len() as f64;
        let chains = model.pipelines.iter().filter(|(at, pipeline)| {
            let ns = model.workload.get(*at).and_then(|operation| operation.ns.as_ref());
            ns.is_some_and(|ns| ns.database.as_deref() == database) && options.lookups <= pipeline.lookups().len()
        });
        let chains = chains.count();
        let numbered = tables.iter().filter(|table| is_numbered(model, table)).count();
        let are_copied = options.numbered * collections.len() as f64 <= numbered as f64;
        if tables.len() < options.collections || share < options.share || chains == 0 && !are_copied {
            continue;
        }
        let documents = tables.iter().map(|table| table.documents()).sum();
        let finding = findings
            .measured(Place::none(), documents)
            .list("tables", tables.iter().map(|table| &table.ns))
            .number("count", tables.len())
            .number("collections", collections.len())
            .number("pipelines", chains)
            .number("lookups", options.lookups)
            .cause(database.unwrap_or_default());
        if chains == 0 {
            finding.number("numbered", numbered).severity(Severity::Info).variant("tables");
        }
    }
}

/// Whether the documents are rows: flat, small, and joined with those of another collection.
fn is_table(model: &Model, collection: &Collection, options: &Options) -> bool {
    let Some(profile) = &collection.profile else { return false };
    let is_joined = model
        .relations
        .iter()
        .any(|relation| !relation.is_self() && (relation.from == collection.ns || relation.to == collection.ns));
    profile.levels.max() <= 1 && profile.sizes.mean() <= options.bytes && is_joined
}

/// Whether the rows are known by numbers, in `_id` or in a column that was copied as it stood.
fn is_numbered(model: &Model, collection: &Collection) -> bool {
    let mut relations = model.relations.iter().filter(|relation| relation.to == collection.ns);
    are_numbers(collection, "_id") || relations.any(|relation| are_numbers(collection, relation.target.as_str()))
}
