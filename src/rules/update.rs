//! Rules on writes.

pub(super) mod add_to_set_object;
pub(super) mod all_documents;
pub(super) mod array_filters;
pub(super) mod conflict;
pub(super) mod hot_document;
pub(super) mod immutable;
pub(super) mod operator_shape;
pub(super) mod positional;
pub(super) mod push_array;
pub(super) mod read_modify_write;
pub(super) mod replacement;
pub(super) mod returning_unused;
pub(super) mod transaction_avoidable;
pub(super) mod transaction_fan_out;
pub(super) mod transaction_session;
pub(super) mod unbounded_push;
pub(super) mod upsert_mutable_filter;
pub(super) mod upsert_unguarded;
pub(super) mod weak_write_concern;

use std::collections::BTreeMap;

use crate::facts::names;
use crate::model::{Collection, Model};
use crate::value::Type;
use crate::workload::{Filter, Member, Operation, Operator, Term, Test, Update, What, may_be_same};

/// The updates that scripts and source code send. What was seen running was taken by the server.
fn written(model: &Model) -> impl Iterator<Item = (&Operation, Update<'_>)> {
    updates(model).filter(|(operation, _)| operation.runs.is_none())
}

/// All updates.
pub(super) fn updates(model: &Model) -> impl Iterator<Item = (&Operation, Update<'_>)> {
    model.workload.iter().filter_map(|operation| Some((operation, Update::of(operation)?)))
}

/// The operations of each transaction, by file and number in it.
fn transactions(model: &Model) -> BTreeMap<(&str, u32), Vec<&Operation>> {
    let mut found: BTreeMap<(&str, u32), Vec<&Operation>> = BTreeMap::new();
    for operation in model.workload.iter().filter(|operation| operation.runs.is_none()) {
        if let (Some(file), Some(transaction)) = (operation.file(), operation.context.transaction) {
            found.entry((file, transaction)).or_default().push(operation);
        }
    }
    found
}

/// The collection that an operation writes to.
pub(super) fn target<'m>(model: &'m Model, operation: &Operation) -> Option<&'m Collection> {
    model.collection(operation.ns.as_ref()?)
}

/// The equalities that every match of a filter meets.
pub(super) fn equalities(filter: &Filter) -> Vec<(&str, &Test)> {
    filter.conjuncts().into_iter().filter(|(_, test)| test.operator == Operator::Eq).collect()
}

/// Whether equality on these paths finds at most one document, as `_id` or a unique index has it.
pub(super) fn is_unique(collection: Option<&Collection>, paths: &[&str]) -> bool {
    let indexes = collection.map(Collection::indexes).unwrap_or_default();
    let covers = |key: &[(String, _)]| key.iter().all(|(path, _)| paths.contains(&path.as_str()));
    paths.contains(&"_id") || indexes.iter().any(|index| index.unique && covers(&index.key))
}

/// Whether a filter holds an array, or a bucket, to a number of elements: by its length, by a place that must be free,
/// or by a counter that the same update raises.
pub(super) fn caps(filter: &Filter, update: &Update<'_>, array: &str) -> bool {
    let raises = |path: &str| update.changes.iter().any(|change| change.operator == "$inc" && change.field() == path);
    let is_place = |path: &str| {
        let place = path.strip_prefix(array).and_then(|rest| rest.strip_prefix('.'));
        place.is_some_and(|place| !place.is_empty() && place.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let tests_length = |test: &Test| test.operator == Operator::Size;
    filter.conjuncts().into_iter().any(|(path, test)| match test.operator {
        Operator::Lt | Operator::Lte => raises(path),
        Operator::Size => path == array,
        Operator::Not => path == array && test.inner_tests().iter().any(tests_length),
        Operator::Exists => is_place(path) && test.argument.as_bool() == Some(false),
        _ => false,
    }) || measures_length(filter, array)
}

/// Whether an `$expr` of the filter looks at the length of the array.
fn measures_length(filter: &Filter, array: &str) -> bool {
    use crate::workload::Predicate;
    let field = format!("${array}");
    let is_length = |term: &Term| term.get("$size").is_some_and(|size| names_field(size, &field));
    filter.all.iter().any(|predicate| match predicate {
        Predicate::Top { operator, argument, .. } => operator == "$expr" && holds(argument, &is_length),
        Predicate::And(parts, _) => parts.iter().any(|part| measures_length(part, array)),
        _ => false,
    })
}

/// Whether an expression is a field, or that field where it is there (`{$ifNull: ["$a", []]}`).
fn names_field(expression: &Term, field: &str) -> bool {
    let first = expression.get("$ifNull").and_then(Term::elements).and_then(<[Term]>::first);
    expression.as_str() == Some(field) || first.and_then(Term::as_str) == Some(field)
}

/// Whether a part of a term, or the whole, is what is looked for.
fn holds(term: &Term, is_wanted: &impl Fn(&Term) -> bool) -> bool {
    let mut open = vec![term];
    while let Some(term) = open.pop() {
        if is_wanted(term) {
            return true;
        }
        match &term.what {
            What::Object(members) => open.extend(members.iter().map(|member| &member.value)),
            What::Array(elements) => open.extend(elements),
            What::Value(_) | What::Hole(_) => {}
        }
    }
    false
}

/// Whether an element that is pushed says when it came: then more will come.
pub(super) fn carries_time(element: &Term) -> bool {
    let is_time = |term: &Term| matches!(term.bson_type(), Some(Type::Date | Type::Timestamp));
    let is_named_so = |member: &Member| {
        member.name().is_some_and(names::is_event_time)
            && member.value.as_hole().is_some_and(|hole| hole.kind.is_none())
    };
    let members = element.members().unwrap_or_default();
    is_time(element) || members.iter().any(|member| is_time(&member.value) || is_named_so(member))
}
