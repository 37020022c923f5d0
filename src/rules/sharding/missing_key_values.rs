//! Documents without the fields of the shard key. Words, reasons and examples: missing-key-values.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{keys, name_key, place};
use crate::catalogue::IndexKind;
use crate::facts::Version;
use crate::finding::Severity;
use crate::model::Model;
use crate::rules::Findings;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// The share of the documents from which on it is more than a hint.
    share: f64,
}

impl Default for Options {
    fn default() -> Self {
        Self { share: 0.01 }
    }
}

/// Documents may lack fields of the key.
const MAY_LACK: Version = Version::new(4, 4);

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for (collection, key) in keys(model) {
        let Some(spread) = collection.spread(&key.key).filter(|spread| 0 < spread.missing) else { continue };
        let lacks = |path: &&(String, IndexKind)| {
            collection.spread(std::slice::from_ref(*path)).is_some_and(|spread| 0 < spread.missing)
        };
        let share = spread.missing as f64 / spread.documents.max(1) as f64;
        let draft = findings.measured(place(collection, key), spread.documents).cause("missing");
        draft.number("missing", spread.missing).number("share", share);
        draft.list("fields", key.key.iter().filter(lacks).map(|(path, _)| path));
        name_key(draft, key);
        if model.server < MAY_LACK {
            draft.variant("refused");
        } else if share < options.share {
            draft.severity(Severity::Info);
        }
    }
}
