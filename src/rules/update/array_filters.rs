//! Array filters and the identifiers that they are for. Words, reasons and examples: array-filters.md.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Deserialize;

use super::written;
use crate::model::Model;
use crate::rules::{Findings, Place};
use crate::workload::update::{Segment, Update};
use crate::workload::{Filter, Operation, Term};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for (operation, update) in written(model) {
        if let Some(fault) = fault(operation, &update) {
            let draft = findings.certain(Place::operation(model, operation, None));
            match fault {
                Fault::Missing(name) => draft.text("identifier", name).variant("missing"),
                Fault::Unused(name) => draft.text("identifier", name).variant("unused"),
                Fault::Twice(name) => draft.text("identifier", name).variant("twice"),
                Fault::Mixed(names) => draft.list("identifiers", names).variant("mixed"),
                Fault::Name(name) => draft.text("identifier", name).variant("name"),
                Fault::Pipeline => draft.text("method", &operation.method).variant("pipeline"),
            };
        }
    }
}

/// Why the server refuses the filters.
enum Fault {
    /// `$[name]` stands in a path, and no filter is for it.
    Missing(String),
    /// A filter is for a name that no path has.
    Unused(String),
    /// Two filters are for one name.
    Twice(String),
    /// One filter is for two names.
    Mixed(Vec<String>),
    /// A name that no identifier may have.
    Name(String),
    /// A pipeline takes no filters.
    Pipeline,
}

fn fault(operation: &Operation, update: &Update<'_>) -> Option<Fault> {
    let given = filters(operation)?;
    if update.stages().is_some() {
        return (!given.elements.is_empty()).then_some(Fault::Pipeline);
    }
    let mut named: BTreeSet<String> = BTreeSet::new();
    let mut complete = given.complete;
    for element in given.elements {
        let filter = Filter::read(element);
        let mut names: Vec<String> = filter.paths().iter().filter_map(|path| first_name(path)).collect();
        names.dedup();
        match names.as_slice() {
            [] => complete = false,
            [name] if !named.insert(name.clone()) => return Some(Fault::Twice(name.clone())),
            [name] if !is_identifier(name) => return Some(Fault::Name(name.clone())),
            [_] => {}
            _ => return Some(Fault::Mixed(names)),
        }
    }
    let used: BTreeSet<&str> =
        update.changes.iter().flat_map(crate::workload::Change::segments).filter_map(identifier).collect();
    let missing = used.iter().find(|used| !named.contains(**used)).filter(|_| complete);
    let unused = named.iter().find(|named| !used.contains(named.as_str()));
    let may_be_used = update.open || update.changes.is_empty();
    missing
        .map(|name| Fault::Missing((*name).to_owned()))
        .or_else(|| unused.filter(|_| !may_be_used).map(|name| Fault::Unused(name.clone())))
}

/// The filters of an operation.
struct Given<'t> {
    elements: &'t [Term],
    /// Whether there are no more than these.
    complete: bool,
}

/// The filters; nothing where a variable may hold them.
fn filters(operation: &Operation) -> Option<Given<'_>> {
    let Some(options) = &operation.options else { return Some(Given { elements: &[], complete: true }) };
    match options.get("arrayFilters") {
        Some(filters) => {
            let elements = filters.elements()?;
            Some(Given { elements, complete: elements.iter().all(Term::is_closed) })
        }
        None => options.is_closed().then_some(Given { elements: &[], complete: true }),
    }
}

fn first_name(path: &str) -> Option<String> {
    path.split('.').next().filter(|name| *name != "?").map(str::to_owned)
}

fn identifier(segment: Segment<'_>) -> Option<&str> {
    match segment {
        Segment::Filtered(name) if name != "?" => Some(name),
        _ => None,
    }
}

/// A small letter, then letters and digits: so the server wants it.
fn is_identifier(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_lowercase()) && name.bytes().all(|byte| byte.is_ascii_alphanumeric())
}
