//! Joins that bring few small fields: an extended reference would save them.

use super::relation::{Load, Shown};
use super::{Model, Relation};
use crate::value::Type;
use crate::workload::pipeline::is_within;
use crate::workload::{Update, Verb};

/// Fields beyond which a copy is no small one.
pub const MAX_FIELDS: usize = 4;
/// Bytes of all copied fields together, names included, beyond which it is none either.
pub const MAX_BYTES: u64 = 256;
/// Share of the joins, in percent, that the fields must serve.
pub const MIN_SERVED: u64 = 50;

/// What copying the fields that joins show would do.
#[derive(Debug, Clone, PartialEq)]
pub struct Extension {
    /// The fields of the documents referred to, sorted.
    pub fields: Vec<String>,
    /// Their mean size together, names included; absent without documents.
    pub bytes: Option<u64>,
    /// The mean size of the documents that are read for them; absent without documents.
    pub read: Option<u64>,
    /// Joins that the fields would serve.
    pub served: Load,
    /// All joins from the documents that refer.
    pub joins: Load,
    /// Writes that change the fields.
    pub changed: Load,
    /// Copies of one document's fields, on average; absent without documents.
    pub copies: Option<u64>,
    /// Position of the first join that they serve.
    pub operation: usize,
}

/// What of a relationship could be copied beside its reference; nothing where joins show much, or nothing is joined,
/// or the fields change more often than they are read.
pub fn extension(model: &Model, relation: &Relation) -> Option<Extension> {
    let mut fields: Vec<String> = Vec::new();
    let (mut served, mut joins, mut operation) = (Load::default(), Load::default(), None);
    for join in &relation.uses.forward {
        joins.add(join.load);
        let Shown::Fields(shown) = &join.shown else { continue };
        let shown: Vec<&String> =
            shown.iter().filter(|path| *path != "_id" && *path != relation.target.as_str()).collect();
        let more = shown.iter().filter(|path| !fields.contains(path)).count();
        if shown.is_empty() || MAX_FIELDS < fields.len() + more {
            continue;
        }
        for path in shown {
            if !fields.contains(path) {
                fields.push(path.clone());
            }
        }
        served.add(join.load);
        operation.get_or_insert(join.operation);
    }
    fields.sort();
    if served.share_of(joins)? * 100.0 < MIN_SERVED as f64 {
        return None;
    }
    let target = model.collection(&relation.to);
    let profile = target.and_then(|target| target.profile.as_deref());
    let mut bytes = None;
    if let Some(profile) = profile.filter(|profile| 0 < profile.documents) {
        let mut sum = 0;
        for path in &fields {
            let ids = profile.resolve(path);
            let found: Vec<_> = ids.iter().filter_map(|id| profile.field(*id)).collect();
            // Lists grow, and what no document has cannot be judged.
            if found.is_empty() || found.iter().any(|field| 0 < field.count_of(Type::Array)) {
                return None;
            }
            sum += found.iter().map(|f| f.bytes.checked_div(f.count).unwrap_or(0)).sum::<u64>() + path.len() as u64 + 2;
        }
        bytes = Some(sum).filter(|sum| *sum <= MAX_BYTES);
        bytes?;
    }
    let copies = relation.per_target(model).map(|(counts, _)| counts.mean().max(1));
    let changed = changes(model, relation, &fields)?;
    let outweighs = |changed: f64, saved: f64| 0.0 < changed && saved <= changed * copies.unwrap_or(1) as f64;
    if outweighs(changed.per_day, served.per_day) || outweighs(changed.runs as f64, served.runs as f64) {
        return None;
    }
    let read = profile.map(|profile| profile.sizes.mean());
    Some(Extension { fields, bytes, read, served, joins, changed, copies, operation: operation? })
}

/// Writes that change any of the fields; nothing where one counts up or down, which never stands still.
fn changes(model: &Model, relation: &Relation, fields: &[String]) -> Option<Load> {
    let mut changed = Load::default();
    let touches = |path: &str| fields.iter().any(|field| is_within(path, field) || is_within(field, path));
    for operation in model.workload.iter().filter(|operation| operation.ns.as_ref() == Some(&relation.to)) {
        if !matches!(operation.verb, Verb::Update | Verb::FindAndUpdate | Verb::Replace | Verb::FindAndReplace) {
            continue;
        }
        let Some(update) = Update::of(operation) else { continue };
        let changes: Vec<_> = update.changes.iter().filter(|change| touches(&change.field())).collect();
        if changes.iter().any(|change| matches!(change.operator, "$inc" | "$mul")) {
            return None;
        }
        if !changes.is_empty() {
            changed.add(Load::of(operation));
        }
    }
    Some(changed)
}
