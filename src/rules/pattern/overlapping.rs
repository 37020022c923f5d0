//! Several patterns with duplicated data on one collection. Words, reasons and examples: overlapping.md.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::model::{InUse, Model, in_use};
use crate::rules::{Findings, Place};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Different patterns from which on they are told.
    patterns: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options { patterns: 3 }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for collection in &model.collections {
        let copies: Vec<&InUse> = model.in_use(&collection.ns).iter().filter(|used| used.duplicates).collect();
        let kinds: BTreeSet<&str> = copies.iter().map(|used| in_use::name(used.pattern)).collect();
        let unrepaired: BTreeSet<String> = copies
            .iter()
            .filter(|used| !used.is_repaired(model))
            .flat_map(|used| if used.fields.is_empty() { used.path.iter().cloned().collect() } else { places(used) })
            .collect();
        if kinds.len() < options.patterns || unrepaired.is_empty() {
            continue;
        }
        let draft = findings.measured(Place::collection(&collection.ns), collection.documents());
        draft.number("count", kinds.len()).list("patterns", kinds).list("unrepaired", unrepaired);
    }
}

/// The paths of what a pattern duplicates.
fn places(used: &InUse) -> Vec<String> {
    match used.pattern {
        crate::config::intent::Pattern::Subset => used.path.iter().cloned().collect(),
        _ => used.fields.clone(),
    }
}
