//! What may stand before what without another result.
//!
//! Two paths count as independent only where their first names differ: whatever is an array on the way, then neither
//! changes what the other finds.

use crate::workload::pipeline::{Change, Reads, Source, Stage, is_repeatable, is_within, plain_path, top};
use crate::workload::{Filter, Member, Operator, Predicate, Term, What};

/// Levels of a filter's own expressions that are looked through.
const DEEPEST: u32 = 100;

/// A condition of a `$match`, as it would stand before other stages.
#[derive(Debug, Clone)]
pub(super) struct Condition<'p> {
    /// The member of the filter.
    pub(super) member: &'p Member,
    /// The name that it has there, where that is another one.
    pub(super) renamed: Option<String>,
    /// The position of the first stage that it may stand before.
    pub(super) to: usize,
}

/// The conditions of a `$match`, each with how far to the front it can go. Nothing where its members are not all known
/// by name, or one comes twice.
pub(super) fn conditions(stages: &[Stage], at: usize) -> Option<Vec<Condition<'_>>> {
    let members = stages.get(at)?.argument.members()?;
    let mut conditions = Vec::with_capacity(members.len());
    for (place, member) in members.iter().enumerate() {
        let name = member.name()?;
        if members.iter().take(place).any(|other| other.name() == Some(name)) {
            return None;
        }
        conditions.push(condition(stages, at, member));
    }
    Some(conditions)
}

fn condition<'p>(stages: &[Stage], at: usize, member: &'p Member) -> Condition<'p> {
    let mut found = Condition { member, renamed: None, to: at };
    let filter = Filter::read(&Term::new(What::Object(vec![member.clone()])));
    let reads = Reads::of_filter(&filter);
    if !reads.is_closed() || !is_repeatable(&member.value, DEEPEST) || member.name() == Some("$sampleRate") {
        return found;
    }
    // A condition on one path can follow it through a rename.
    let mut single = match filter.all.as_slice() {
        [Predicate::Path { path, certain: true, .. }] => Some(path.clone()),
        _ => None,
    };
    let mut paths: Vec<String> = reads.paths.into_iter().map(|(path, _)| path).collect();
    for (place, stage) in stages.iter().enumerate().take(at).rev() {
        if paths.iter().all(|path| stays(stage, path)) {
            found.to = place;
            continue;
        }
        let Some(before) = single.as_deref().and_then(|path| renamed(stage, path, member)) else { break };
        paths = vec![before.clone()];
        single = Some(before.clone());
        found.renamed = Some(before);
        found.to = place;
    }
    // Behind the filters that stand there already.
    while found.to < at && stages.get(found.to).is_some_and(|stage| stage.is("$match")) {
        found.to += 1;
    }
    found
}

/// Whether a path has the same value before and behind a stage, and the stage neither picks documents by their number
/// nor makes others of them: a filter on it may stand on either side.
fn stays(stage: &Stage, path: &str) -> bool {
    match stage.name.as_deref() {
        Some("$match" | "$sort") => true,
        Some("$addFields" | "$set" | "$unset" | "$project" | "$unwind" | "$lookup" | "$graphLookup") => {
            is_untouched(stage, path)
        }
        _ => false,
    }
}

/// Whether a stage leaves the value of a path alone.
pub(super) fn is_untouched(stage: &Stage, path: &str) -> bool {
    match stage.change() {
        Change::Some { made, removed } => {
            !made.iter().any(|made| top(&made.path) == top(path)) && !removed.iter().any(|gone| top(gone) == top(path))
        }
        Change::Only(left) => {
            let mut own = left.iter().filter(|made| top(&made.path) == top(path));
            matches!(
                (own.next(), own.next()),
                (Some(made), None) if made.source == Source::Kept && !made.path.contains('.') && is_within(path, &made.path)
            )
        }
        Change::Unknown => false,
    }
}

/// The path that a condition has before a stage that renames it: a plain name of a projection, the key of a group or a
/// part of it.
fn renamed(stage: &Stage, path: &str, member: &Member) -> Option<String> {
    let before = match stage.name.as_deref()? {
        "$project" => match stage.change() {
            Change::Only(left) => {
                let mut own = left.into_iter().filter(|made| top(&made.path) == top(path));
                match (own.next(), own.next()) {
                    (Some(made), None) if made.path == path => match made.source {
                        Source::Renamed(from) => from,
                        _ => return None,
                    },
                    _ => return None,
                }
            }
            _ => return None,
        },
        "$group" => {
            let key = stage.argument.get("_id").filter(|_| stage.argument.is_closed())?;
            // Values that a group takes for one (1 and 1.0) differ in type, and its key is never missing.
            if !tests_value(member) {
                return None;
            }
            let source = match path.split_once('.') {
                None if path == "_id" => key,
                Some(("_id", part)) if !part.contains('.') && !key.is_operators() => key.get(part)?,
                _ => return None,
            };
            plain_path(source.as_str()?)?.to_owned()
        }
        _ => return None,
    };
    (!before.contains('.')).then_some(before)
}

/// Whether a condition tests nothing but a value: not its type, and not whether it is there. A value that is not known
/// may hold any operator.
fn tests_value(member: &Member) -> bool {
    let filter = Filter::read(&Term::new(What::Object(vec![member.clone()])));
    filter.conjuncts().iter().all(|(_, test)| {
        let compares = matches!(
            test.operator,
            Operator::Eq | Operator::Gt | Operator::Gte | Operator::Lt | Operator::Lte | Operator::In
        );
        compares && test.is_certain() && test.argument.as_scalar() != Some(&crate::value::Value::Null) && {
            let elements = test.argument.elements().unwrap_or_default();
            elements.iter().all(|element| element.as_scalar() != Some(&crate::value::Value::Null))
        }
    })
}
