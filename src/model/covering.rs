//! Covered queries: answered from the keys of an index, without any document (manual: core/query-optimization, "Covered
//! Query").

use super::{Access, Collection, Model, serving};
use crate::catalogue::Index;
use crate::value::Value;
use crate::workload::pipeline::{Change, Pipeline};
use crate::workload::{Operation, Operator, Predicate, Term, Test, Verb};

/// What an index is to an access, as far as documents are spared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Covering {
    /// The index answers by itself.
    Covered,
    /// It would with these fields more in its key.
    With(Vec<String>),
}

/// Fields that are worth adding for the sake of covering.
const MOST_ADDED: usize = 2;
/// Bytes of such a field on average.
const ADDED_BYTES: u64 = 24;

/// Whether an index that serves an access spares its documents too, or would with few small fields more. Nothing where
/// the evidence does not tell: without documents a field may be an array, which no index covers.
pub fn covering(model: &Model, collection: &Collection, access: &Access, index: &Index) -> Option<Covering> {
    let profile = collection.profile.as_ref()?;
    if access.open || !index.is_plain() || index.hidden || index.sparse || index.partial_filter.is_some() {
        return None;
    }
    let mut needed: Vec<String> = Vec::new();
    for operation in access.operations.iter().map(|at| model.workload.get(*at)) {
        let operation = operation?;
        needed.extend(shown(operation)?);
        // A test for null must look at the document: the key of a missing field is the same.
        let filters = match operation.verb {
            Verb::Aggregate => Pipeline::read(operation.pipeline.as_ref()?).leading_match(),
            _ => vec![operation.conditions()],
        };
        for predicate in filters.iter().flat_map(|filter| &filter.all) {
            let Predicate::Path { path, certain: true, tests, .. } = predicate else { return None };
            if tests.iter().any(|test| asks_for_null(test) || test.operator == Operator::Exists) {
                return None;
            }
            needed.push(path.clone());
        }
    }
    needed.extend(access.sort.iter().map(|key| key.path.clone()));
    if needed.iter().any(|path| serving::is_array(collection, path)) {
        return None;
    }
    let mut missing: Vec<String> = Vec::new();
    for path in needed {
        if !index.key.iter().any(|(held, _)| *held == path) && !missing.contains(&path) {
            missing.push(path);
        }
    }
    if missing.is_empty() {
        return Some(Covering::Covered);
    }
    let is_small = |path: &String| {
        let fields = profile.resolve(path);
        let is_scalar =
            |kind| fields.iter().all(|id| profile.field(*id).is_some_and(|field| field.count_of(kind) == 0));
        let bytes: u64 = fields.iter().filter_map(|id| profile.field(*id)).map(|field| field.bytes).sum();
        let count: u64 = fields.iter().filter_map(|id| profile.field(*id)).map(|field| field.count).sum();
        0 < count
            && bytes <= count * ADDED_BYTES
            && is_scalar(crate::value::Type::Object)
            && is_scalar(crate::value::Type::Array)
    };
    (missing.len() <= MOST_ADDED && missing.iter().all(is_small)).then_some(Covering::With(missing))
}

/// The stored paths that an operation shows or computes from, where they are all known; none for a count.
fn shown(operation: &Operation) -> Option<Vec<String>> {
    if operation.verb != Verb::Aggregate {
        return Some(returned(operation)?.into_iter().map(str::to_owned).collect());
    }
    let pipeline = Pipeline::read(operation.pipeline.as_ref()?);
    let mut paths: Vec<String> = Vec::new();
    for stage in pipeline.certain() {
        if stage.is_any(&["$match", "$sort", "$limit", "$skip"]) {
            continue;
        }
        let reads = stage.reads();
        let Change::Only(left) = stage.change() else { return None };
        if !reads.is_closed() || !stage.is_any(&["$project", "$group", "$count", "$sortByCount"]) {
            return None;
        }
        paths.extend(reads.paths.into_iter().map(|(path, _)| path));
        let kept = left.into_iter().filter(|made| made.source == crate::workload::pipeline::Source::Kept);
        paths.extend(kept.map(|made| made.path));
        return Some(paths);
    }
    None
}

/// The paths that a find returns, where they are listed; none for a count.
pub fn returned(operation: &Operation) -> Option<Vec<&str>> {
    match operation.verb {
        Verb::Count => Some(Vec::new()),
        Verb::Find | Verb::FindOne => {
            let members = operation.projection.as_ref()?.members()?;
            let mut paths = vec!["_id"];
            for member in members {
                let (name, kept) = (member.name()?, is_kept(&member.value)?);
                match (name, kept) {
                    ("_id", false) => paths.retain(|path| *path != "_id"),
                    ("_id", true) => {}
                    (_, true) => paths.push(name),
                    (_, false) => return None,
                }
            }
            (!paths.is_empty()).then_some(paths)
        }
        _ => None,
    }
}

fn is_kept(value: &Term) -> Option<bool> {
    let value = value.as_scalar()?;
    value.as_bool().or_else(|| value.as_f64().map(|number| number != 0.0))
}

/// Whether every path that is tested or returned stands in the key.
pub fn covers(index: &Index, tested: &[&str], returned: &[&str]) -> bool {
    let holds = |path: &&str| index.key.iter().any(|(held, _)| held == path);
    let leads = index.key.first().is_some_and(|(first, _)| tested.contains(&first.as_str()));
    let whole = !index.sparse && index.partial_filter.is_none() && !index.hidden && index.is_plain();
    whole && leads && tested.iter().all(holds) && returned.iter().all(holds)
}

/// Whether a test asks for null, which a missing field is too.
pub fn asks_for_null(test: &Test) -> bool {
    let is_null = |term: &Term| term.as_scalar() == Some(&Value::Null);
    match test.operator {
        Operator::Eq => is_null(&test.argument),
        Operator::In => test.argument.elements().unwrap_or_default().iter().any(is_null),
        Operator::Exists => test.argument.as_bool() == Some(false),
        _ => false,
    }
}
