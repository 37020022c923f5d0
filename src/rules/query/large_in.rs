//! Long lists of values. Words, reasons and examples: large-in.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{each_test, filters};
use crate::facts::limits::MOST_SORTED_SCANS;
use crate::model::access::{Branch, Point, Purpose};
use crate::model::serving::{self, SortServed};
use crate::model::{Access, Collection, Model};
use crate::rules::{Findings, Place};
use crate::workload::{Operator, Origin, Term};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// How many values a list may have.
    values: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options { values: 200 }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for asked in filters(model) {
        each_test(asked.filter, &mut |path, test, is_negated| {
            let values = if test.operator == Operator::In && !is_negated { length(&test.argument) } else { None };
            if let Some(values) = values.filter(|values| *values > options.values) {
                findings.certain(asked.place(model).with_path(path)).number("values", values);
            }
        });
    }
    for access in model.accesses.iter().filter(|access| !access.open && access.purpose != Purpose::Join) {
        let Some(scans) = scans(access, model.collection(&access.ns)) else { continue };
        for operation in access.operations.iter().filter_map(|at| model.workload.get(*at)) {
            let draft = findings.certain(Place::operation(model, operation, None)).number("scans", scans);
            draft.list("keys", access.sort.iter().map(|key| &key.path)).variant("sort");
        }
    }
}

/// How many values a list has.
fn length(list: &Term) -> Option<u64> {
    let many = |term: &Term| match term.as_hole().map(|hole| &hole.origin) {
        Some(Origin::Many(count)) => Some(u64::from(*count)),
        _ => None,
    };
    match list.elements() {
        Some(elements) => Some(elements.iter().map(|element| many(element).unwrap_or(1)).sum()),
        None => many(list),
    }
}

/// The scans that a sort would have to merge, where they are too many and nothing else keeps an index from giving it.
fn scans(access: &Access, collection: Option<&Collection>) -> Option<u64> {
    if access.sort.is_empty() {
        return None;
    }
    let mut all: u64 = 0;
    for branch in &access.branches {
        all = all.saturating_add(match collection.filter(|collection| !collection.indexes().is_empty()) {
            Some(collection) => through_an_index(access, branch, collection)?,
            None => product(branch.points.iter()),
        });
    }
    (all > MOST_SORTED_SCANS).then_some(all)
}

/// The scans of the index that gives the sort for single values; none where no index does.
fn through_an_index(access: &Access, branch: &Branch, collection: &Collection) -> Option<u64> {
    let single = Branch {
        points: branch.points.iter().map(|point| Point { values: Some(1), ..point.clone() }).collect(),
        ..branch.clone()
    };
    let gives = collection.indexes().iter().filter(|index| {
        let served = serving::serve(access, &single, collection, index);
        // One that gives the sort and narrows nothing is a walk over everything.
        index.is_plain()
            && serving::is_usable(access, branch, collection, index)
            && served.narrows()
            && served.sort == SortServed::InOrder
    });
    gives
        .map(|index| {
            let before =
                index.key.iter().take_while(|(path, _)| access.sort.first().is_none_or(|key| key.path != *path));
            product(before.filter_map(|(path, _)| branch.points.iter().find(|point| point.path == *path)))
        })
        .min()
}

fn product<'p>(points: impl Iterator<Item = &'p Point>) -> u64 {
    points.map(|point| point.values.unwrap_or(1).max(1)).fold(1, u64::saturating_mul)
}
