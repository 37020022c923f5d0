//! Sparse indexes. Words, reasons and examples: sparse.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::place;
use crate::catalogue::Index;
use crate::finding::Severity;
use crate::model::{Collection, Model};
use crate::remedy;
use crate::rules::Findings;
use crate::value::Value;

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for collection in &model.collections {
        // Text and geo indexes are sparse by themselves.
        for index in collection.indexes().iter().filter(|index| index.sparse && index.is_plain() && !index.is_id()) {
            let draft = findings.certain(place(collection, index));
            draft.list("fields", index.key.iter().map(|(path, _)| path));
            if index.unique && 1 < index.key.len() && !skips(collection, index) {
                draft.severity(Severity::Warning).variant("compound");
            } else if 1 < index.key.len() {
                draft.variant("any");
            }
            draft.remedy(remedy::index::replace(&collection.ns, index, &partial(index), model.server));
        }
    }
}

/// Whether documents show that the fields are missing together, so that the index leaves out what it should.
fn skips(collection: &Collection, index: &Index) -> bool {
    let Some(profile) = collection.profile.as_ref().filter(|profile| 0 < profile.documents) else { return false };
    let present = index.key.iter().map(|(path, _)| {
        profile
            .resolve(path)
            .into_iter()
            .filter_map(|id| profile.field(id))
            .map(|field| field.documents)
            .max()
            .unwrap_or(0)
    });
    let present: Vec<u64> = present.collect();
    // Fields that are always there leave nothing out; fields that come equally often come together.
    let most = present.iter().copied().max().unwrap_or(0);
    most < profile.documents && present.iter().all(|count| *count == most)
}

/// The same index with a filter that says which documents are meant: those that have the rarer fields.
fn partial(index: &Index) -> Index {
    let exists = Value::Object(vec![("$exists".to_owned(), Value::Bool(true))]);
    let fields = match index.key.as_slice() {
        [_] => index.key.as_slice(),
        // The first field of a compound is the one that is always there.
        [_, rest @ ..] => rest,
        [] => &[],
    };
    let filter = fields.iter().map(|(path, _)| (path.clone(), exists.clone())).collect();
    Index { sparse: false, partial_filter: Some(Value::Object(filter)), ..index.clone() }
}
