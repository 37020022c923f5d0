//! Calls that a transaction does not hold. Words, reasons and examples: transaction-session.md.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use super::transactions;
use crate::finding::Severity;
use crate::model::Model;
use crate::rules::{Findings, Place};
use crate::workload::{Api, Operation, Span, Verb};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for operations in transactions(model).values() {
        let is_used = operations.iter().any(|operation| session(operation) == Session::Given);
        for operation in operations.iter().filter(|operation| is_forgotten(operation, is_used)) {
            let draft = findings.certain(Place::operation(model, operation, None));
            draft.text("method", &operation.method).variant("missing");
        }
        let mut beside: BTreeMap<Span, Vec<&Operation>> = BTreeMap::new();
        for operation in operations {
            if let Some(call) = operation.context.parallel {
                beside.entry(call).or_default().push(operation);
            }
        }
        for (call, together) in beside {
            let Some(first) = together.first() else { continue };
            let draft = findings.certain(Place::operation(model, first, Some(call))).severity(Severity::Warning);
            match together.as_slice() {
                // A callback for each element is one call in the text.
                [only] => draft.text("method", &only.method).variant("each"),
                _ => draft.number("calls", together.len()).variant("parallel"),
            };
        }
    }
}

/// What a call says about its session.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Session {
    Given,
    Missing,
    /// The options may hold one.
    Open,
}

fn session(operation: &Operation) -> Session {
    match &operation.options {
        None => Session::Missing,
        Some(options) if options.get("session").is_some() => Session::Given,
        Some(options) if options.is_closed() => Session::Missing,
        Some(options) if options.as_scalar().is_some() => Session::Missing,
        Some(_) => Session::Open,
    }
}

/// Whether a call runs outside of the transaction that it stands in.
fn is_forgotten(operation: &Operation, is_used: bool) -> bool {
    let has_own = match operation.api {
        // The shell's collections carry the session of the database that they come from.
        Api::Shell => !is_used,
        // A document of Mongoose keeps the session that it was read with, and with `transactionAsyncLocalStorage`, which
        // is set elsewhere, nobody passes one.
        Api::Mongoose => operation.method == "save" || !is_used,
        Api::Driver | Api::Command => false,
    };
    !has_own && operation.verb != Verb::Watch && session(operation) == Session::Missing
}
