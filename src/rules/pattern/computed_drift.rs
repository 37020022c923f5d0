//! Stored counts, sums and averages that their parts contradict. Words, reasons and examples: computed-drift.md.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::config::intent::DerivedKind;
use crate::config::intent::Precision;
use crate::model::computed::{Base, Computed, Source};
use crate::model::{Model, declared};
use crate::remedy;
use crate::rules::{Findings, Place};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Share of the documents that must agree with a formula, in percent, before the others are told; where the names do
    /// not say what is computed.
    agreement: u64,
    /// The same where the names say it: `itemCount` beside `items`.
    named_agreement: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options { agreement: 90, named_agreement: 60 }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for computed in model.computed.iter().filter(|computed| computed.drifts()) {
        let least = if computed.named { options.named_agreement } else { options.agreement };
        let tally = computed.tally;
        if tally.agree.saturating_mul(100) < tally.judged().saturating_mul(least) || is_approximate(model, computed) {
            continue;
        }
        let draft = findings.measured(Place::path(&computed.ns, &computed.path), tally.judged());
        draft.number("differ", tally.differ).number("share", tally.differ as f64 / tally.judged().max(1) as f64);
        draft.number("above", tally.above).number("below", tally.differ.saturating_sub(tally.above));
        draft.text("formula", computed.describe());
        match &computed.source {
            Source::Own(formula) => {
                draft.variant(match formula.base {
                    Base::Count { .. } => "count",
                    Base::Quotient { .. } | Base::Mean { .. } => "average",
                    _ => "sum",
                });
                if let Some(remedy) = remedy::computed::repair(&computed.ns, formula) {
                    draft.remedy(remedy);
                }
            }
            Source::Children(children) => {
                draft.variant("children").text("source", &children.collection);
            }
        }
    }
}

/// Whether the team says that it need not be exact.
fn is_approximate(model: &Model, computed: &Computed) -> bool {
    model.intent.derived.iter().any(|derived| {
        derived.kind == DerivedKind::Computed
            && derived.precision == Some(Precision::Approximate)
            && derived
                .field
                .strip_suffix(computed.path.as_str())
                .and_then(|ns| ns.strip_suffix('.'))
                .is_some_and(|ns| declared::is_named(&computed.ns, ns))
    })
}
