//! Shard keys with few values. Words, reasons and examples: low-cardinality.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{keys, name_key, place};
use crate::model::Model;
use crate::model::shard_key::{DOCUMENTS_EACH, FEW_VALUES};
use crate::rules::Findings;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Distinct values below which a key has few.
    values: u64,
    /// Documents for each value, on average, from which on the values are known to repeat.
    documents_each: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self { values: FEW_VALUES, documents_each: DOCUMENTS_EACH }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for (collection, key) in keys(model) {
        let analysed = collection.analysis_of(key).and_then(|analysis| Some((analysis.sampled?, analysis.distinct?)));
        let counted =
            || collection.telling_spread(&key.key).map(|s| (s.documents.saturating_sub(s.missing), s.distinct));
        let Some((documents, distinct)) = analysed.or_else(counted) else { continue };
        if distinct == 0 || options.values <= distinct || documents / distinct < options.documents_each {
            continue;
        }
        let draft = findings.measured(place(collection, key), documents).cause("values");
        name_key(draft, key).number("distinct", distinct).number("each", documents / distinct);
    }
}
