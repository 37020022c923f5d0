//! Design patterns in use, misused or missing. One module a rule, or a family of ids.

pub(super) mod approximation_candidate;
pub(super) mod computed_candidate;
pub(super) mod computed_drift;
pub(super) mod extended_reference_candidate;
pub(super) mod subset_candidate;
pub(super) mod subset_stale;
pub(super) mod tree_unindexed;

use crate::catalogue::Namespace;
use crate::config::intent::Pattern;
use crate::model::{Model, declared};
use crate::workload::Operation;

/// The subject of the rules about a statement: where it starts.
fn statement(model: &Model, operation: &Operation) -> Option<String> {
    let location = model.locate(operation, None)?;
    Some(match location.start {
        Some(start) => format!("{}:{}:{}", location.file, start.line, start.column),
        None => location.file,
    })
}

/// Whether the team has a card of one of these patterns for a field, or for its whole collection.
fn is_declared(model: &Model, ns: &Namespace, path: &str, patterns: &[Pattern]) -> bool {
    model.intent.patterns.iter().any(|card| {
        patterns.contains(&card.pattern)
            && declared::is_named(ns, &card.collection)
            && card.path.as_deref().is_none_or(|own| own == path)
    })
}
