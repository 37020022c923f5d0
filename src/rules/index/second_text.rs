//! Two text indexes. Words, reasons and examples: second-text.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::place;
use crate::catalogue::{Index, IndexKind};
use crate::model::Model;
use crate::remedy;
use crate::rules::Findings;

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for collection in &model.collections {
        let mut texts = collection.indexes().iter().filter(|index| index.is_text());
        let Some(first) = texts.next() else { continue };
        for second in texts {
            let mut together = Index { name: String::new(), ..first.clone() };
            for (path, kind) in &second.key {
                if !together.key.iter().any(|(known, _)| known == path) {
                    together.key.push((path.clone(), kind.clone()));
                }
            }
            together.weights.extend(
                second.weights.iter().filter(|(path, _)| first.weights.iter().all(|(p, _)| p != path)).cloned(),
            );
            let parts: Vec<String> =
                together.key.iter().map(|(path, kind)| format!("{path}_{}", kind.text())).collect();
            together.name = parts.join("_");
            let mut remedy = remedy::index::create(&collection.ns, &together);
            let drop = |index: &Index| remedy::index::drop(&collection.ns, index).script;
            remedy.script = format!("{}\n{}\n{}", drop(second), drop(first), remedy.script);
            findings
                .certain(place(collection, second))
                .text("first", &first.name)
                .list("fields", second.key.iter().filter(|(_, kind)| *kind == IndexKind::Text).map(|(path, _)| path))
                .remedy(remedy);
        }
    }
}
