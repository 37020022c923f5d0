//! Reads that may be taken back, and read options that the server refuses. Words, reasons and examples:
//! read-concern.md.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::facts::Version;
use crate::finding::Severity;
use crate::model::Model;
use crate::rules::update::weak_write_concern::{is_exact, matters};
use crate::rules::{Findings, Place};
use crate::workload::{Operation, Origin, Term, Verb};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

/// The levels (manual: reference/read-concern).
const LEVELS: &[&str] = &["available", "linearizable", "local", "majority", "snapshot"];

/// The version that takes `snapshot` outside of transactions (manual: reference/read-concern-snapshot).
const SNAPSHOT_ALONE: Version = Version::new(5, 0);

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for operation in model.workload.iter().filter(|operation| operation.runs.is_none()) {
        let level = operation.option("readConcern").and_then(level);
        let preference = operation.option("readPreference").and_then(mode);
        let place = || Place::operation(model, operation, None);
        let elsewhere = preference.filter(|mode| *mode != "primary");
        // A call without the session runs outside.
        let in_transaction = operation.context.transaction.is_some() && operation.option("session").is_some();
        if let Some(mode) = elsewhere.filter(|_| in_transaction) {
            let draft = findings.certain(place()).severity(Severity::Error);
            draft.text("preference", mode).variant("preference");
            continue;
        }
        let Some(level) = level else {
            // Client and collection may set another default than `local`.
            if operation.option("readConcern").is_none()
                && !in_transaction
                && operation.ns.as_ref().is_some_and(|ns| is_exact(model, ns))
                && let Some(write) = decided(model, operation)
                && let Some(ns) = write.ns.as_ref().filter(|ns| is_exact(model, ns))
                && !is_guarded(write, operation.context.number)
            {
                findings.inferred(place(), "default").text("written", &ns.collection).variant("default");
            }
            continue;
        };
        let refused = match level {
            unknown if !LEVELS.contains(&unknown) => Some("level"),
            "linearizable" if elsewhere.is_some() => Some("linearizable"),
            "linearizable" if writes_out(operation) => Some("out"),
            "snapshot" if !in_transaction && model.server < SNAPSHOT_ALONE => Some("snapshot"),
            _ => None,
        };
        if let Some(variant) = refused {
            findings.certain(place()).severity(Severity::Error).text("level", level).variant(variant);
        } else if matches!(level, "local" | "available")
            && !in_transaction
            && let Some(write) = decided(model, operation)
            && let Some(ns) = &write.ns
        {
            findings.certain(place()).text("level", level).text("written", &ns.collection).variant("decides");
        }
    }
}

fn level(option: &Term) -> Option<&str> {
    option.as_str().or_else(|| option.get("level")?.as_str())
}

fn mode(option: &Term) -> Option<&str> {
    option.as_str().or_else(|| option.get("mode")?.as_str())
}

/// Whether a write takes place only where what was read still holds: its filter repeats values of the read.
fn is_guarded(write: &Operation, read: u32) -> bool {
    let filter = write.conditions();
    filter.open
        || filter.conjuncts().into_iter().any(|(path, test)| {
            let origin = test.argument.as_hole().map(|hole| &hole.origin);
            path != "_id" && matches!(origin, Some(Origin::Result { operation, .. }) if *operation == read)
        })
}

fn writes_out(operation: &Operation) -> bool {
    let stages = operation.pipeline.as_ref().and_then(Term::elements).unwrap_or_default();
    stages.iter().any(|stage| matches!(stage.only_member(), Some(("$out" | "$merge", _))))
}

/// The write of what matters that comes after a read in the same function.
fn decided<'m>(model: &'m Model, read: &Operation) -> Option<&'m Operation> {
    let reads = matches!(read.verb, Verb::Find | Verb::FindOne | Verb::Count | Verb::Aggregate | Verb::Distinct);
    let function = read.context.functions.last().filter(|_| reads)?;
    model.workload.iter().find(|other| {
        other.verb.is_write()
            && other.runs.is_none()
            && other.file() == read.file()
            && other.context.functions.contains(function)
            && other.context.number > read.context.number
            && matters(model, other)
    })
}
