//! Entries of the declared registry that leave a question open. Words, reasons and examples: no-source.md and others.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::config::Staleness;
use crate::config::intent::{Derived, DerivedKind, Propagation};
use crate::model::Model;
use crate::rules::{Findings, Place};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn no_source(model: &Model, _: &Options, findings: &mut Findings) {
    each(model, findings, |derived| derived.source.is_none());
}

pub(crate) fn no_staleness_budget(model: &Model, _: &Options, findings: &mut Findings) {
    each(model, findings, |derived| derived.staleness.is_none() && follows_later(derived));
}

pub(crate) fn no_reconciliation(model: &Model, _: &Options, findings: &mut Findings) {
    each(model, findings, |derived| derived.reconciliation.is_none() && follows(derived));
}

pub(crate) fn no_delete_policy(model: &Model, _: &Options, findings: &mut Findings) {
    // What is computed from its own document goes with it.
    let is_apart = |derived: &Derived| derived.propagation != Some(Propagation::SameDocument);
    each(model, findings, |derived| derived.on_source_delete.is_none() && is_apart(derived));
}

pub(crate) fn vague_staleness(model: &Model, _: &Options, findings: &mut Findings) {
    each(model, findings, |derived| matches!(derived.staleness, Some(Staleness::Vague(_))));
}

pub(crate) fn unversioned_formula(model: &Model, _: &Options, findings: &mut Findings) {
    each(model, findings, |derived| derived.formula.is_some() && derived.formula_version.is_none());
}

pub(crate) fn no_rebuild(model: &Model, _: &Options, findings: &mut Findings) {
    each(model, findings, |derived| {
        derived.propagation == Some(Propagation::ChangeStream) && derived.rebuild.is_none()
    });
}

pub(crate) fn unmeasurable_lag(model: &Model, _: &Options, findings: &mut Findings) {
    let is_copy = |derived: &Derived| derived.kind == DerivedKind::CurrentCopy && follows_later(derived);
    each(model, findings, |derived| is_copy(derived) && derived.version_field.is_none() && derived.as_of.is_none());
}

pub(crate) fn budget_unmet(model: &Model, _: &Options, findings: &mut Findings) {
    for entry in model.registry() {
        let Some(Staleness::Within(budget)) = entry.derived.staleness else { continue };
        let reconciled = || entry.derived.reconciliation.map(|reconciliation| reconciliation.every);
        let (every, variant) = match entry.derived.propagation {
            Some(Propagation::Job) => (entry.derived.every, None),
            Some(Propagation::None) | None => (reconciled(), Some("reconciliation")),
            Some(_) => (None, None),
        };
        let Some(every) = every.filter(|every| budget < *every) else { continue };
        let draft = findings.certain(Place::path(&entry.ns, &entry.path));
        // Minutes, rounded up: what is told never seems shorter than it is.
        let minutes = |duration: crate::config::Duration| (duration.0.max(0) as u64).div_ceil(60_000);
        draft.number("everyMinutes", minutes(every)).number("budgetMinutes", minutes(budget));
        if let Some(variant) = variant {
            draft.variant(variant);
        }
    }
}

/// Tells the entries that lack what `lacks` asks for.
fn each(model: &Model, findings: &mut Findings, lacks: impl Fn(&Derived) -> bool) {
    for entry in model.registry().into_iter().filter(|entry| lacks(entry.derived)) {
        findings.certain(Place::path(&entry.ns, &entry.path));
    }
}

/// Whether the value follows its source: a snapshot does not, and what is read at the source is none.
fn follows(derived: &Derived) -> bool {
    derived.kind != DerivedKind::Snapshot && derived.staleness != Some(Staleness::Direct)
}

/// Whether the value may lag: one that is written in the step that writes its source never does.
fn follows_later(derived: &Derived) -> bool {
    let at_once = matches!(derived.propagation, Some(Propagation::SameDocument | Propagation::Transaction));
    follows(derived) && !at_once
}
