//! Shared things copied into their parents. Words, reasons and examples: shared-embedded.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::help_of;
use crate::advice;
use crate::finding::Severity;
use crate::model::Model;
use crate::model::shared::{Limits, shared};
use crate::rules::{Findings, Place};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Parents that hold the same child from which on it counts as shared.
    parents: u64,
    /// Share of the children that must be shared.
    share: f64,
    /// Fields of the child that its id must decide.
    fields: usize,
    /// Numbered children below which they are the few values of an enumeration, or the places of a list.
    numbered: u64,
    /// The same for children with a word as their id.
    named: u64,
    /// The same for children with other ids.
    children: u64,
    /// Fields beside the id of an extended reference at most.
    extended: usize,
    /// Bytes of an extended reference at most.
    extended_bytes: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            parents: 3,
            share: 0.1,
            fields: 2,
            numbered: 20,
            named: 10,
            children: 5,
            extended: 4,
            extended_bytes: 256,
        }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    let Options { parents, share, fields, numbered, named, children, extended, extended_bytes } = *options;
    let limits = Limits { parents, share, fields, numbered, named, children, extended, extended_bytes };
    for collection in &model.collections {
        for found in shared(model, collection, &limits) {
            let path = found.path.as_str();
            let decision = advice::relationship(findings.recommendations(), &collection.ns, path);
            if decision.is_some_and(|decision| decision.decision == "keep" && !found.is_event) {
                continue;
            }
            let help = decision.and_then(|decision| help_of(&decision.decision));
            let finding = findings
                .measured(Place::path(&collection.ns, path), found.documents)
                .number("children", found.children)
                .number("shared", found.shared)
                .number("parents", options.parents)
                .number("most", found.most)
                .number("drifted", found.drifted);
            if found.is_event {
                finding.severity(Severity::Info).variant("event");
            } else if found.is_updated {
                finding.variant("updated");
            }
            if let Some(help) = help {
                finding.help(help);
            }
        }
    }
}
