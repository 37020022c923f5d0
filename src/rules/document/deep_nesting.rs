//! Documents that nest deeply. Words, reasons and examples: deep-nesting.md.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::facts::limits;
use crate::finding::Severity;
use crate::model::Model;
use crate::profile::{CollectionProfile, FieldId};
use crate::rules::{Findings, Place};
use crate::value::event::Type;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Levels that a document may have; a flat one has one.
    levels: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options { levels: 8 }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for (collection, profile) in model.with_documents() {
        let max = profile.levels.max();
        if max <= options.levels {
            continue;
        }
        let place = Place::path(&collection.ns, top_of_deepest(profile));
        let finding = if u64::from(limits::NESTING_REFUSED) < max {
            let finding = findings.certain(place).severity(Severity::Error).variant("refused");
            finding.number("refused", limits::NESTING_REFUSED)
        } else if u64::from(limits::NESTING_DOCUMENTED) < max {
            let finding = findings.certain(place).severity(Severity::Warning).variant("documented");
            finding.number("documented", limits::NESTING_DOCUMENTED)
        } else {
            let deep = profile.levels.at_least(options.levels.saturating_add(1));
            findings.measured(place, profile.documents).number("deep", deep)
        };
        finding.number("levels", max);
    }
}

/// The name at the top of the document below which it is deepest.
fn top_of_deepest(profile: &CollectionProfile) -> &str {
    let mut deepest = (0, "");
    for (id, top) in profile.children(FieldId::ROOT) {
        let mut work = vec![(id, 1)];
        while let Some((id, level)) = work.pop() {
            let Some(field) = profile.field(id) else { continue };
            let is_container = 0 < field.count_of(Type::Object) + field.count_of(Type::Array);
            if is_container && deepest.0 < level {
                deepest = (level, &*top.name);
            }
            work.extend(field.children.iter().map(|child| (*child, level + 1)));
        }
    }
    deepest.1
}
