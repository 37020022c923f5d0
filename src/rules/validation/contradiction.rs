//! Clauses that nothing can satisfy. Words, reasons and examples: contradiction.md.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::catalogue::validator::check::ContradictionKind;
use crate::finding::Severity;
use crate::model::Model;
use crate::rules::{Findings, Place};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for collection in &model.collections {
        let Some(validator) = collection.validator() else { continue };
        for contradiction in validator.contradictions() {
            let mut place = Place::path(&collection.ns, &contradiction.path);
            if let Some(location) = &validator.location {
                place = place.at(location.clone());
            }
            let draft = findings.certain(place);
            let always = contradiction.always;
            draft.severity(if always { Severity::Error } else { Severity::Warning });
            match contradiction.kind {
                ContradictionKind::Bounds(low, high) => {
                    draft.text("low", low).text("high", high).variant(if always {
                        "bounds"
                    } else {
                        "bounds-optional"
                    });
                }
                ContradictionKind::EnumType => {
                    draft.variant(if always { "enum" } else { "enum-optional" });
                }
                ContradictionKind::RequiredRefused => {
                    draft.variant(if always { "refused" } else { "refused-optional" });
                }
                ContradictionKind::NoId => {
                    draft.variant("id");
                }
                ContradictionKind::TopType => {
                    draft.variant("top");
                }
                ContradictionKind::NotAnything => {
                    draft.variant(if always { "nothing" } else { "nothing-optional" });
                }
            }
        }
    }
}
