//! Pages that are counted off from the start. Words, reasons and examples: skip-paging.md.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::model::Model;
use crate::rules::{Findings, Place};
use crate::workload::{Operation, Origin, Term, Verb, What};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// From how many skipped documents on a constant is worth a word.
    skip: i64,
}

impl Default for Options {
    fn default() -> Self {
        Options { skip: 1_000 }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    let pages = model.workload.iter().filter(|operation| matches!(operation.verb, Verb::Find | Verb::Aggregate));
    for operation in pages {
        for (stage, skip) in skips(operation) {
            let place = Place::operation(model, operation, None);
            let place = match stage {
                Some(stage) => place.with_stage(stage),
                None => place,
            };
            match &skip.what {
                What::Value(_) => {
                    if let Some(skip) = skip.as_i64().filter(|skip| *skip >= options.skip) {
                        findings.certain(place).number("skip", skip);
                    }
                }
                What::Hole(hole) if hole.origin != Origin::Hidden => {
                    findings.certain(place).text("method", &operation.method).variant("variable");
                }
                _ => {}
            }
        }
    }
}

fn skips(operation: &Operation) -> Vec<(Option<u32>, &Term)> {
    let mut found: Vec<(Option<u32>, &Term)> = operation.skip.iter().map(|term| (None, term)).collect();
    let stages = operation.pipeline.as_ref().and_then(Term::elements).unwrap_or_default();
    for (number, stage) in stages.iter().enumerate() {
        let number = u32::try_from(number).ok();
        match stage.only_member() {
            Some(("$skip", argument)) => found.push((number, argument)),
            // The page of a facet beside its count.
            Some(("$facet", facets)) => {
                let facets = facets.members().unwrap_or_default().iter();
                let inner = facets.flat_map(|facet| facet.value.elements().unwrap_or_default());
                found.extend(inner.filter_map(|stage| stage.get("$skip")).map(|skip| (number, skip)));
            }
            _ => {}
        }
    }
    found
}
