//! A source and its count, written one after the other. Words, reasons and examples: dual-write.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::flow::{counts, is_beside, may_have_session, written};
use crate::config::intent::Propagation;
use crate::model::Model;
use crate::rules::{Findings, Place};
use crate::workload::{Operation, Verb};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    let sources: Vec<&Operation> =
        written(model).filter(|operation| matches!(operation.verb, Verb::Insert | Verb::Delete)).collect();
    for update in written(model).filter(|operation| matches!(operation.verb, Verb::Update | Verb::FindAndUpdate)) {
        let Some(ns) = update.ns.as_ref().filter(|_| !may_have_session(update)) else { continue };
        let found = sources.iter().find_map(|source| {
            let of = source.ns.as_ref().filter(|of| *of != ns)?;
            let same = source.context.functions == update.context.functions && is_beside(source, update);
            let field = counts(update, &of.collection).filter(|_| same && !may_have_session(source))?;
            Some((*source, of, field))
        });
        let Some((source, of, field)) = found else { continue };
        let heals = model.registry().iter().any(|entry| {
            let later = matches!(
                entry.derived.propagation,
                Some(Propagation::Outbox | Propagation::ChangeStream | Propagation::Job)
            );
            &entry.ns == ns && entry.path == field && (later || entry.derived.reconciliation.is_some())
        });
        if heals {
            continue;
        }
        let second = if source.context.number < update.context.number { update } else { source };
        let draft = findings.certain(Place::operation(model, second, None));
        draft.text("field", format!("{}.{field}", ns.collection)).text("of", &of.collection);
    }
}
