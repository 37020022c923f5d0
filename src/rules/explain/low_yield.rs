//! Plans that fetch many documents for each that they return. Words, reasons and examples: low-yield.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{logged, measured, yielded};
use crate::model::Model;
use crate::rules::Findings;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Documents examined for each one returned, beyond which the index serves badly.
    ratio: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options { ratio: 10 }
    }
}

impl Options {
    /// Whether so many documents were examined for so few.
    pub(super) fn is_low(&self, examined: u64, returned: u64) -> bool {
        examined > returned.max(1).saturating_mul(self.ratio)
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for plan in &model.plans {
        let Some((examined, returned)) =
            yielded(plan).filter(|(examined, returned)| options.is_low(*examined, *returned))
        else {
            continue;
        };
        let draft = measured(model, plan, findings, examined);
        draft.number("examined", examined).number("returned", returned).number("ratio", examined / returned.max(1));
        draft.list("indexes", plan.indexes()).documents(examined);
        let fields: Vec<&String> = plan.parts.iter().take(1).flat_map(|part| &part.source().filter).collect();
        if !fields.is_empty() {
            draft.list("fields", fields).variant("filter");
        }
    }
    for seen in logged(model) {
        let runs = seen.runs;
        let (examined, returned) = (runs.docs_examined.sum, runs.returned.sum);
        // A run that finds nothing need not find anything.
        let least = returned.max(runs.docs_examined.count);
        if !seen.returns_what_it_finds() || seen.used("COLLSCAN") || !options.is_low(examined, least) {
            continue;
        }
        let mean = |sum: u64| sum.checked_div(runs.docs_examined.count).unwrap_or_default();
        let draft = seen.tell(model, findings, examined);
        draft
            .number("examined", mean(examined))
            .number("returned", mean(returned))
            .number("ratio", examined / least.max(1));
        draft.list("plans", runs.plans.keys()).documents(runs.docs_examined.max).variant("logged");
    }
}
