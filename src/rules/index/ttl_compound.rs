//! TTL on a key that takes none. Words, reasons and examples: ttl-compound.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::place;
use crate::catalogue::{CollectionKind, Index};
use crate::model::Model;
use crate::remedy;
use crate::rules::Findings;

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for collection in &model.collections {
        if collection.options().is_some_and(|options| options.kind == CollectionKind::TimeSeries) {
            continue;
        }
        for index in collection.indexes().iter().filter(|index| index.is_ttl()) {
            let on_id = index.is_id();
            if index.key.len() < 2 && !on_id {
                continue;
            }
            let draft = findings.certain(place(collection, index));
            draft.number("fields", index.key.len());
            if on_id {
                draft.variant("id");
            } else if let Some((path, kind)) = index.key.iter().find(|(path, _)| looks_like_time(path)) {
                let alone = Index {
                    name: format!("{path}_{}", kind.text()),
                    key: vec![(path.clone(), kind.clone())],
                    ..index.clone()
                };
                let lasting = Index { expire_after_seconds: None, ..index.clone() };
                let mut remedy = remedy::index::replace(&collection.ns, index, &lasting, model.server);
                remedy.script = format!("{}\n{}", remedy.script, remedy::index::create(&collection.ns, &alone).script);
                draft.remedy(remedy);
            }
        }
    }
}

/// Whether a name is usual for the time that decides.
fn looks_like_time(path: &str) -> bool {
    let name = path.rsplit('.').next().unwrap_or_default();
    let last = crate::facts::names::words(name).pop().unwrap_or_default();
    matches!(last.as_str(), "at" | "on" | "date" | "time" | "timestamp" | "expires" | "expiry" | "ts")
}
