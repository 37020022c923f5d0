//! Stages where the server does not take them. Words, reasons and examples: stage-order.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Inner, pipelines};
use crate::catalogue::Namespace;
use crate::facts::operators::stage::{self, Placing, Within};
use crate::model::Model;
use crate::rules::{Findings, Place};
use crate::workload::Pipeline;
use crate::workload::Term;

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for seen in pipelines(model) {
        let in_transaction = seen.operation.context.transaction.is_some() && seen.operation.option("session").is_some();
        seen.each_stage(&mut |inner| {
            let Some(variant) = fault(inner, seen.pipeline.open, in_transaction) else { return };
            let name = inner.stage.name.as_deref().unwrap_or_default();
            seen.certain(findings, inner.position).variant(variant).text("name", name);
        });
    }
    for collection in &model.collections {
        let Some(pipeline) = collection.options().and_then(|options| options.pipeline.clone()) else { continue };
        let pipeline = Pipeline::read(&Term::from(pipeline));
        for inner in pipeline.certain() {
            let Some(known) = inner.name.as_deref().and_then(stage::find) else { continue };
            if known.is_refused_in(Within::View) {
                view(&collection.ns, inner.position, known.operator.name, findings);
            }
        }
    }
}

fn view(ns: &Namespace, position: u32, name: &str, findings: &mut Findings) {
    findings.certain(Place::collection(ns).with_stage(position)).variant("view").text("name", name);
}

/// What is wrong with the place of a stage. Where stages are not known, what is not last may be, and the reverse.
fn fault(inner: &Inner<'_>, open: bool, in_transaction: bool) -> Option<&'static str> {
    let known = stage::find(inner.stage.name.as_deref()?)?;
    let refused = |within: &Within| known.is_refused_in(*within);
    match inner.within.last() {
        Some(Within::Facet) if refused(&Within::Facet) => return Some("facet"),
        Some(Within::Lookup | Within::Union) if refused(&Within::Lookup) => return Some("lookup"),
        _ => {}
    }
    if in_transaction && refused(&Within::Transaction) {
        return Some("transaction");
    }
    match known.placing {
        Placing::First if !inner.is_first => Some("first"),
        Placing::Last if !inner.is_last && !open => Some("last"),
        _ => None,
    }
}
