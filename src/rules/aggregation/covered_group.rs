//! Groups over an indexed field that scan the collection. Words, reasons and examples: covered-group.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::pipelines;
use crate::model::Model;
use crate::model::serving::is_array;
use crate::rules::Findings;
use crate::workload::Term;
use crate::workload::pipeline::plain_path;

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for seen in pipelines(model) {
        let Some(group) = seen.pipeline.certain().first().filter(|stage| stage.is("$group")) else { continue };
        let Some(key) = group.argument.get("_id").and_then(Term::as_str).and_then(plain_path) else { continue };
        let reads = group.reads();
        // Without accumulators the server scans distinct keys by itself.
        let accumulates = group.argument.members().is_some_and(|members| 1 < members.len());
        if !accumulates || !reads.is_closed() || key == "_id" || seen.operation.option("hint").is_some() {
            continue;
        }
        let Some(collection) = seen.collection().filter(|collection| collection.catalogue.indexes_known) else {
            continue;
        };
        let covers = |index: &&crate::catalogue::Index| {
            let has = |path: &str| {
                index.key.iter().any(|(own, kind)| own == path && kind.is_sorted() && !is_array(collection, own))
            };
            let whole = index.is_plain() && !index.hidden && !index.sparse && index.partial_filter.is_none();
            whole
                && index.key.first().is_some_and(|(first, _)| first == key)
                && reads.paths.iter().all(|(path, _)| has(path))
        };
        let Some(index) = collection.indexes().iter().find(covers) else { continue };
        seen.certain(findings, group.position).text("field", key).text("by", &index.name).stored(seen.stored());
    }
}
