//! Plans that read a whole collection to find some of it. Words, reasons and examples: collection-scan.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Logged, certain, is_selective, logged};
use crate::catalogue::Plan;
use crate::catalogue::plan::Stage;
use crate::model::{Collection, Model};
use crate::rules::Findings;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Share of the documents that is returned, from which on a scan is the best plan.
    share: f64,
}

impl Default for Options {
    fn default() -> Self {
        Options { share: 0.5 }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for plan in &model.plans {
        planned(model, plan, options, findings);
    }
    for seen in logged(model) {
        ran(model, &seen, options, findings);
    }
}

fn planned(model: &Model, plan: &Plan, options: &Options, findings: &mut Findings) {
    let scans: Vec<&Stage> =
        plan.stages().into_iter().filter(|stage| stage.name == "COLLSCAN" && !stage.filter.is_empty()).collect();
    let Some(first) = scans.first() else { return };
    let figure = |of: fn(&Stage) -> Option<u64>| -> Option<u64> { scans.iter().map(|stage| of(stage)).sum() };
    let figures = figure(|stage| stage.docs).zip(figure(|stage| stage.returned)).filter(|_| plan.ran());
    if figures.is_some_and(|(examined, returned)| is_most(returned, examined, options)) {
        return;
    }
    let draft = certain(model, plan, findings);
    draft.list("fields", &first.filter);
    if let Some((examined, returned)) = figures {
        draft.number("examined", examined).number("returned", returned).documents(examined);
    } else {
        draft.variant("planned");
        if let Some(stored) =
            plan.ns.as_ref().and_then(|ns| model.collection(ns)).map(Collection::stored).filter(|n| *n > 0)
        {
            draft.documents(stored);
        }
    }
}

fn ran(model: &Model, seen: &Logged<'_>, options: &Options, findings: &mut Findings) {
    let (scans, runs) = (seen.runs.plans.get("COLLSCAN").copied().unwrap_or_default(), seen.runs);
    if scans == 0 || !is_selective(seen.operation) {
        return;
    }
    let Some(examined) = runs.docs_examined.mean() else { return };
    let returned = runs.returned.mean().filter(|_| seen.returns_what_it_finds());
    if returned.is_some_and(|returned| is_most(returned, examined, options)) {
        return;
    }
    let draft = seen.tell(model, findings, runs.docs_examined.sum);
    draft.number("scans", scans).number("examined", examined).documents(runs.docs_examined.max);
    match returned {
        Some(returned) => draft.number("returned", returned).variant("logged"),
        None => draft.variant("counted"),
    };
}

fn is_most(returned: u64, examined: u64, options: &Options) -> bool {
    returned as f64 >= examined as f64 * options.share
}
