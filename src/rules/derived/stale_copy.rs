//! Declared copies that differ from their source. Words, reasons and examples: stale-copy.md.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::config::Staleness;
use crate::config::intent::DerivedKind;
use crate::model::Model;
use crate::rules::{Findings, Place};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Share of the copies that may differ where nothing tells when their sources changed: they may be on their way.
    untimed: f64,
}

impl Default for Options {
    fn default() -> Self {
        Options { untimed: 0.01 }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for entry in model.registry() {
        if entry.derived.kind != DerivedKind::CurrentCopy {
            continue;
        }
        let Some(link) = model.link(&entry) else { continue };
        let budget = match &entry.derived.staleness {
            Some(Staleness::Within(duration)) => duration.0,
            _ => 0,
        };
        let compared = link.compare(budget, model.now);
        let share = compared.different as f64 / compared.pairs.max(1) as f64;
        if compared.different == 0 || (compared.timed == 0 && share < options.untimed) {
            continue;
        }
        let draft = findings.measured(Place::path(&entry.ns, &entry.path), compared.pairs);
        draft.number("different", compared.different).number("share", share);
        draft.text("source", entry.derived.source.as_deref().unwrap_or_default());
        if let Some(since) = compared.since {
            draft.date("since", since).variant("timed");
        }
    }
}
