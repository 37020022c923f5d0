//! Personal data in copies. Words, reasons and examples: personal-data-copied.md.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::config::intent::OnSourceDelete;
use crate::model::sensitive::Sensitive;
use crate::model::{Model, copied};
use crate::rules::{Findings, Place};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    let registry = model.registry();
    let mut told: BTreeSet<(String, String)> = BTreeSet::new();
    for relation in &model.relations {
        let (Some(parent), Some(pairs)) = (model.collection(&relation.to), relation.pairs(model)) else { continue };
        // A name beside a reference is what nearly every page shows; what reaches a person is not.
        let held = parent.sensitive();
        let reaches = |path: &str| {
            held.iter().any(|one| one.path.as_str() == path && !one.what.is_secret() && one.what != Sensitive::Name)
        };
        for copy in copied(&pairs).into_iter().filter(|copy| reaches(&copy.source)) {
            let entry = registry.iter().find(|entry| entry.ns == relation.from && entry.path == copy.path);
            let is_handled = entry.is_some_and(|entry| {
                let removes = matches!(
                    entry.derived.on_source_delete,
                    Some(OnSourceDelete::Delete | OnSourceDelete::Anonymise | OnSourceDelete::Recompute)
                );
                entry.derived.personal_data == Some(true) && removes
            });
            if is_handled || !told.insert((relation.from.to_string(), copy.path.clone())) {
                continue;
            }
            let draft = findings.measured(Place::path(&relation.from, &copy.path), copy.pairs);
            draft.text("source", format!("{}.{}", relation.to, copy.source)).number("equal", copy.equal);
            if entry.is_some() {
                draft.variant("declared");
            }
        }
    }
}
