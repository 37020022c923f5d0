//! Joins whose other side no index serves. Words, reasons and examples: lookup-unindexed.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{leads_with, pipelines};
use crate::catalogue::{Index, Origin};
use crate::model::Model;
use crate::remedy;
use crate::rules::Findings;
use crate::value::Value;
use crate::workload::Pipeline;

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for seen in pipelines(model) {
        for lookup in seen.pipeline.lookups() {
            let Some(from) = &lookup.from else { continue };
            let other = seen.joined(lookup.database.as_deref(), from);
            let Some(collection) = model.collection(&other).filter(|other| other.catalogue.indexes_known) else {
                continue;
            };
            let joined = lookup.foreign.iter().chain(lookup.compared.iter().map(|(path, _)| path));
            let joined: Vec<&str> = joined.map(String::as_str).collect();
            let Some(field) = joined.first() else { continue };
            // What its own pipeline asks for may lead an index too.
            let filters = lookup.pipeline.iter().flat_map(Pipeline::leading_match).collect::<Vec<_>>();
            let open = filters.iter().any(|filter| filter.open);
            let asked = filters.iter().flat_map(|filter| filter.conjuncts()).map(|(path, _)| path);
            let mut leading = joined.iter().copied().chain(asked);
            let serves = |path: &str| path == "_id" || collection.indexes().iter().any(|index| leads_with(index, path));
            let unknown_pipeline =
                lookup.pipeline.as_ref().is_some_and(|pipeline| pipeline.certain().is_empty() && pipeline.open);
            if open || unknown_pipeline || leading.any(serves) {
                continue;
            }
            let index = Index::of_key(&[((*field).to_owned(), Value::Int(1))], Origin::Wanted);
            let stored = Some(collection.stored()).filter(|stored| *stored > 0);
            let draft = seen.certain(findings, lookup.position).text("other", &other).text("field", field);
            draft.cause(format!("{other} {field}")).remedy(remedy::index::create(&other, &index)).stored(stored);
        }
    }
}
