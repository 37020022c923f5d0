//! Operators that no filter takes, and operators in the wrong place. Words, reasons and examples:
//! unknown-operator.md, misplaced-operator.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Asked, DEEPEST, filters, joined};
use crate::facts::Version;
use crate::facts::operators::{Standing, nearest, query, standing, update};
use crate::model::Model;
use crate::rules::{Findings, Place};
use crate::workload::{Filter, Operator, Predicate, Test, Update};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

/// What the server says to a name.
enum Fault {
    /// It knows none of this name.
    Unknown,
    /// It knows it, elsewhere.
    Misplaced,
}

/// An operator in a filter.
struct Seen<'n> {
    name: &'n str,
    /// The path that it stands under; empty at the top.
    path: String,
}

pub(crate) fn unknown(model: &Model, _: &Options, findings: &mut Findings) {
    each_fault(model, |asked, seen, fault| {
        let Fault::Unknown = fault else { return };
        let place = asked.place(model).with_path(&seen.path);
        let draft = findings.certain(place).text("operator", seen.name);
        let tables = if seen.path.is_empty() { [query::TOP, query::FIELD] } else { [query::FIELD, query::TOP] };
        let near = tables.into_iter().find_map(|table| nearest(table, seen.name, model.server));
        match near {
            _ if !seen.name.starts_with('$') => draft.variant("name"),
            Some(near) => draft.text("near", near).variant("near"),
            None => draft,
        };
    });
    unknown_in_updates(model, findings);
}

fn unknown_in_updates(model: &Model, findings: &mut Findings) {
    for operation in model.workload.iter().filter(|operation| operation.runs.is_none() && operation.ns.is_some()) {
        for applied in Update::of(operation).iter().flat_map(|update| &update.operators) {
            if standing(update::OPERATORS, applied.name, model.server) == Standing::Known {
                continue;
            }
            let draft = findings.certain(Place::operation(model, operation, None)).text("operator", applied.name);
            match nearest(update::OPERATORS, applied.name, model.server) {
                Some(near) => draft.text("near", near).variant("update-near"),
                None => draft.variant("update"),
            };
        }
    }
}

pub(crate) fn misplaced(model: &Model, _: &Options, findings: &mut Findings) {
    each_fault(model, |asked, seen, fault| {
        let Fault::Misplaced = fault else { return };
        let draft = findings.certain(asked.place(model).with_path(&seen.path)).text("operator", seen.name);
        let is_option = query::STAGES_AND_OPTIONS.contains(&seen.name);
        let is_update = standing(update::OPERATORS, seen.name, model.server) == Standing::Known;
        match (seen.path.is_empty(), is_option, is_update) {
            (false, ..) if query::JOINS.contains(&seen.name) => draft.variant("join"),
            (false, ..) => draft.variant("field"),
            (true, true, _) => draft.variant("option"),
            (true, _, true) => draft.variant("update"),
            (true, ..) => draft.variant("top"),
        };
    });
}

/// Calls `say` for every operator that a filter may not hold where it stands. Only what is asked of a collection that
/// is known: other libraries have operators of their own.
fn each_fault(model: &Model, mut say: impl FnMut(&Asked<'_>, &Seen<'_>, &Fault)) {
    for asked in filters(model).filter(|asked| asked.is_written() && asked.operation.ns.is_some()) {
        let mut told: Vec<(String, String)> = Vec::new();
        each(asked.filter, "", DEEPEST, &mut |seen| {
            let key = (seen.name.to_owned(), seen.path.clone());
            if let Some(fault) = fault(seen, model.server).filter(|_| !told.contains(&key)) {
                told.push(key);
                say(&asked, seen, &fault);
            }
        });
    }
}

fn fault(seen: &Seen<'_>, version: Version) -> Option<Fault> {
    if seen.name.starts_with("$_internal") || query::ALSO_TAKEN.contains(&seen.name) {
        return None;
    }
    let at_top = standing(query::TOP, seen.name, version) == Standing::Known;
    let under_field = standing(query::FIELD, seen.name, version) == Standing::Known;
    match (seen.path.is_empty(), at_top, under_field) {
        (true, true, _) | (false, _, true) => None,
        (true, _, true) | (false, true, _) => Some(Fault::Misplaced),
        (true, ..) => {
            let elsewhere = query::STAGES_AND_OPTIONS.contains(&seen.name)
                || standing(update::OPERATORS, seen.name, version) == Standing::Known;
            Some(if elsewhere { Fault::Misplaced } else { Fault::Unknown })
        }
        (false, ..) => Some(Fault::Unknown),
    }
}

fn each(filter: &Filter, prefix: &str, depth: u32, visit: &mut impl FnMut(&Seen<'_>)) {
    let Some(depth) = depth.checked_sub(1) else { return };
    for predicate in &filter.all {
        match predicate {
            Predicate::Path { path, tests, .. } => {
                for test in tests {
                    each_of(&joined(prefix, path), test, depth, visit);
                }
            }
            Predicate::And(parts, _) | Predicate::Or(parts, _) | Predicate::Nor(parts, _) => {
                for part in parts {
                    each(part, prefix, depth, visit);
                }
            }
            Predicate::Top { operator, .. } => visit(&Seen { name: operator, path: String::new() }),
        }
    }
}

fn each_of(path: &str, test: &Test, depth: u32, visit: &mut impl FnMut(&Seen<'_>)) {
    let Some(depth) = depth.checked_sub(1) else { return };
    if let Operator::Other(name) = &test.operator {
        visit(&Seen { name, path: path.to_owned() });
    }
    match test.element_filter() {
        Some(inner) => each(&inner, path, depth, visit),
        None => test.inner_tests().iter().for_each(|inner| each_of(path, inner, depth, visit)),
    }
}
