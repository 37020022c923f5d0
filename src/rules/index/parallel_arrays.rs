//! Two arrays in one compound index. Words, reasons and examples: parallel-arrays.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::place;
use crate::finding::Severity;
use crate::model::{Answer, Collection, Model};
use crate::order::Ordered;
use crate::rules::Findings;

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for collection in &model.collections {
        for index in collection.indexes() {
            let Some(Answer::Keys { parallel, .. }) = collection.answers.keys(index) else { continue };
            let arrays: Vec<&str> = index.key.iter().filter_map(|(path, _)| array_of(collection, path)).collect();
            let mut distinct = arrays.clone();
            distinct.order();
            distinct.dedup();
            if 0 < *parallel {
                findings
                    .certain(place(collection, index))
                    .number("documents", *parallel)
                    .number("sampled", collection.answers.documents)
                    .list("arrays", distinct);
            } else if 2 <= distinct.len() && !nested(&distinct) {
                findings
                    .measured(place(collection, index), collection.answers.documents)
                    .list("arrays", distinct)
                    .severity(Severity::Warning)
                    .variant("apart");
            }
        }
    }
}

/// The first array on the way of a path.
fn array_of<'p>(collection: &Collection, path: &'p str) -> Option<&'p str> {
    let profile = collection.profile.as_ref()?;
    let ends = path.match_indices('.').map(|(at, _)| at).chain([path.len()]);
    let mut prefixes = ends.filter_map(|end| path.get(..end));
    prefixes.find(|prefix| {
        profile.resolve(prefix).into_iter().filter_map(|id| profile.field(id)).any(|field| field.arrays.is_some())
    })
}

/// Whether one of the arrays lies inside another.
fn nested(arrays: &[&str]) -> bool {
    arrays.iter().any(|a| arrays.iter().any(|b| b.strip_prefix(*a).is_some_and(|rest| rest.starts_with('.'))))
}
