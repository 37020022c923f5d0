//! Queries: filters, sorts, projections, and how code asks. One module a rule, or a family of ids.

pub(super) mod coordinates;
pub(super) mod count_scan;
pub(super) mod duplicate_key;
pub(super) mod elem_match;
pub(super) mod estimated_count_filter;
pub(super) mod exists;
pub(super) mod in_memory_sort;
pub(super) mod injection;
pub(super) mod large_in;
pub(super) mod missing_projection;
pub(super) mod n_plus_one;
pub(super) mod negation;
pub(super) mod null_matches_missing;
pub(super) mod null_not_covered;
pub(super) mod operator_shape;
pub(super) mod operators;
pub(super) mod or_branch;
pub(super) mod projection_mix;
pub(super) mod read_concern;
pub(super) mod regex;
pub(super) mod skip_paging;
pub(super) mod special_index_missing;
pub(super) mod type_mismatch;
pub(super) mod unbounded_result;
pub(super) mod unknown_field;
pub(super) mod where_code;
pub(super) mod whole_object_match;

use super::Place;
use crate::catalogue::{CollectionKind, Namespace};
use crate::model::{self, Collection, Model};
use crate::profile::CollectionProfile;
use crate::workload::{Filter, Operation, Operator, Predicate, Span, Term, Test};

/// Pipelines within pipelines, and conditions within conditions, that are followed.
const DEEPEST: u32 = 32;

/// A filter of the workload: that of a read or a write, a `$match`, the `query` of a `$geoNear`.
struct Asked<'m> {
    operation: &'m Operation,
    /// As it is written.
    term: &'m Term,
    filter: &'m Filter,
    ns: Option<&'m Namespace>,
    /// Whether it tests documents as they are stored: no stage before it has made others of them.
    stored: bool,
    stage: Option<u32>,
}

impl Asked<'_> {
    /// The statement that asks.
    fn place(&self, model: &Model) -> Place {
        self.place_of(model, None)
    }

    /// A part of the statement.
    fn place_of(&self, model: &Model, span: Option<Span>) -> Place {
        let place = match self.ns {
            Some(ns) => Place::collection(ns),
            None => Place::none(),
        };
        let place = match model.locate(self.operation, span) {
            Some(location) => place.at(location),
            None => place,
        };
        match self.stage {
            Some(stage) => place.with_stage(stage),
            None => place,
        }
    }

    /// The collection whose stored documents it tests.
    fn collection<'m>(&self, model: &'m Model) -> Option<&'m Collection> {
        if self.stored { model.collection(self.ns?) } else { None }
    }

    /// The same with what was counted on its documents, where there were any.
    fn documents<'m>(&self, model: &'m Model) -> Option<(&'m Collection, &'m CollectionProfile)> {
        let collection = self.collection(model)?;
        let plain = collection.options().is_none_or(|options| options.kind == CollectionKind::Collection);
        let profile = collection.profile.as_ref().filter(|profile| profile.documents > 0)?;
        plain.then_some((collection, profile))
    }

    /// Whether it was written by somebody, as against seen running: what ran was taken by the server.
    fn is_written(&self) -> bool {
        self.operation.runs.is_none()
    }
}

/// Every filter of the workload.
fn filters(model: &Model) -> impl Iterator<Item = Asked<'_>> {
    model.filters.iter().filter_map(|held| {
        let model::AskedFilter { operation, term, filter, ns, stored, stage } = held;
        let operation = model.workload.get(*operation)?;
        Some(Asked { operation, term, filter, ns: ns.as_ref(), stored: *stored, stage: *stage })
    })
}

/// Calls `visit` for every test of a path that is known, those of branches and of `$elemMatch` included: with the whole
/// path, and whether a `$not` or `$nor` stands around it.
fn each_test(filter: &Filter, visit: &mut impl FnMut(&str, &Test, bool)) {
    tests_below(filter, "", false, DEEPEST, visit);
}

fn tests_below(filter: &Filter, prefix: &str, is_negated: bool, depth: u32, visit: &mut dyn FnMut(&str, &Test, bool)) {
    let Some(depth) = depth.checked_sub(1) else { return };
    for predicate in &filter.all {
        match predicate {
            Predicate::Path { path, certain: true, tests, .. } => {
                let path = joined(prefix, path);
                for test in tests {
                    tests_within(&path, test, is_negated, depth, visit);
                }
            }
            Predicate::And(parts, _) | Predicate::Or(parts, _) => {
                for part in parts {
                    tests_below(part, prefix, is_negated, depth, visit);
                }
            }
            Predicate::Nor(parts, _) => {
                for part in parts {
                    tests_below(part, prefix, !is_negated, depth, visit);
                }
            }
            Predicate::Path { .. } | Predicate::Top { .. } => {}
        }
    }
}

fn tests_within(path: &str, test: &Test, is_negated: bool, depth: u32, visit: &mut dyn FnMut(&str, &Test, bool)) {
    visit(path, test, is_negated);
    let Some(depth) = depth.checked_sub(1) else { return };
    if let Some(inner) = test.element_filter() {
        tests_below(&inner, path, is_negated, depth, visit);
        return;
    }
    let is_negated = is_negated != (test.operator == Operator::Not);
    for inner in test.inner_tests() {
        tests_within(path, &inner, is_negated, depth, visit);
    }
}

fn joined(prefix: &str, path: &str) -> String {
    if prefix.is_empty() { path.to_owned() } else { format!("{prefix}.{path}") }
}

/// The tests that hold for every match, whatever is negative left out: they find documents by what they have.
fn positive(filter: &Filter) -> impl Iterator<Item = (&str, &Test)> {
    filter.conjuncts().into_iter().filter(|(_, test)| !is_negative(test))
}

/// Whether a test finds documents by what they lack.
fn is_negative(test: &Test) -> bool {
    match test.operator {
        // `{$ne: null}` asks for documents that have the field.
        Operator::Ne => test.argument.as_scalar() != Some(&crate::value::Value::Null),
        Operator::Nin | Operator::Not => true,
        Operator::Exists => test.argument.as_bool() == Some(false),
        _ => false,
    }
}

/// Whether a part of a path is the place of an element.
fn is_position(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|b| b.is_ascii_digit())
}

/// Documents of the collection, where anything tells them: what is quick on few is no cause for a warning.
fn stored(asked: &Asked<'_>, model: &Model) -> Option<u64> {
    let collection = asked.collection(model)?;
    let known = collection.catalogue.count().is_some() || (collection.complete && collection.profile.is_some());
    known.then(|| collection.stored())
}
