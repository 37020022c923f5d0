//! Stored counts, sums and averages that their parts contradict. Words, reasons and examples: computed-drift.md.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::config::intent::{Derived, DerivedKind, Precision};
use crate::finding::Severity;
use crate::model::Model;
use crate::model::computed::{Base, Computed, Source};
use crate::model::declared::is_named;
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
        if tally.agree.saturating_mul(100) < tally.judged().saturating_mul(least) {
            continue;
        }
        let declared = declared(model, computed);
        if declared.is_some_and(|derived| derived.precision == Some(Precision::Approximate)) {
            continue;
        }
        let draft = findings.measured(Place::path(&computed.ns, &computed.path), tally.judged());
        draft.number("differ", tally.differ).number("share", tally.differ as f64 / tally.judged().max(1) as f64);
        draft.number("above", tally.above).number("below", tally.differ.saturating_sub(tally.above));
        draft.text("formula", computed.describe());
        // Nothing tells how long it has differed: it may be on its way.
        if declared.is_some_and(|derived| derived.staleness.is_some()) {
            draft.severity(Severity::Info);
        }
        match &computed.source {
            Source::Own(formula) => {
                match formula.base {
                    Base::Count { .. } => draft.variant("count"),
                    Base::Quotient { .. } | Base::Mean { .. } => draft.variant("average"),
                    Base::Sum { .. } | Base::Field(_) => draft.variant("sum"),
                    Base::Product(_) => draft,
                };
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

/// What the team declares of a computed value.
fn declared<'m>(model: &'m Model, computed: &Computed) -> Option<&'m Derived> {
    model.intent.derived.iter().find(|derived| {
        derived.kind == DerivedKind::Computed
            && derived
                .field
                .strip_suffix(computed.path.as_str())
                .and_then(|ns| ns.strip_suffix('.'))
                .is_some_and(|ns| is_named(&computed.ns, ns))
    })
}
