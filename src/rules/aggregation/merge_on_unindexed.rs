//! `$merge` on fields that no unique index has. Words, reasons and examples: merge-on-unindexed.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::pipelines;
use crate::catalogue::{Index, Namespace, Origin};
use crate::model::Model;
use crate::order::Ordered;
use crate::remedy;
use crate::rules::Findings;
use crate::value::Value;
use crate::workload::{Term, What};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for seen in pipelines(model) {
        for stage in seen.pipeline.certain().iter().filter(|stage| stage.is("$merge")) {
            let Some(on) = stage.argument.get("on") else { continue };
            let names: Option<Vec<&str>> = match &on.what {
                What::Array(elements) => elements.iter().map(Term::as_str).collect(),
                _ => on.as_str().map(|name| vec![name]),
            };
            let Some(mut names) = names.filter(|names| !names.is_empty() && *names != ["_id"]) else { continue };
            let Some(into) = target(&stage.argument) else { continue };
            let other = seen.joined(into.database.as_deref(), &into.collection);
            let Some(collection) = model.collection(&other).filter(|other| other.catalogue.indexes_known) else {
                continue;
            };
            let written = names.clone();
            names.order();
            let fits = |index: &Index| {
                let mut key: Vec<&str> = index.key.iter().map(|(path, _)| path.as_str()).collect();
                key.order();
                index.unique && index.partial_filter.is_none() && key == names
            };
            if collection.indexes().iter().any(fits) {
                continue;
            }
            let key: Vec<(String, Value)> = written.iter().map(|name| ((*name).to_owned(), Value::Int(1))).collect();
            let mut index = Index::of_key(&key, Origin::Wanted);
            index.unique = true;
            let draft = seen.certain(findings, stage.position).text("other", &other).list("fields", written);
            draft.remedy(remedy::index::create(&other, &index));
        }
    }
}

/// The collection that a `$merge` writes to.
fn target(argument: &Term) -> Option<Namespace> {
    let into = argument.get("into")?;
    let part = |name: &str| into.get(name).and_then(Term::as_str).map(str::to_owned);
    match into.as_str() {
        Some(name) => Some(Namespace::bare(name)),
        None => Some(Namespace { database: part("db"), collection: part("coll")? }),
    }
}
