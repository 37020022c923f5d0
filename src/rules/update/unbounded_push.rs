//! Pushes that nothing ends. Words, reasons and examples: unbounded-push.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{caps, carries_time, names_field, target, updates};
use crate::finding::Severity;
use crate::model::{Array, Model};
use crate::rules::{Findings, Place};
use crate::workload::{Change, Operation, Term, Update};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Elements of the longest array from which on it is more than a hint.
    length: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options { length: 20 }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for (operation, update) in updates(model) {
        for (change, elements) in appends(&update) {
            let field = change.field();
            let array = measured(model, operation, &field);
            if is_bounded(model, operation, &update, &field, array, options) {
                continue;
            }
            let place = Place::operation(model, operation, None).with_path(&field);
            let declared = operation.ns.as_ref().and_then(|ns| model.declared_bound(ns, &field).bounded);
            let is_long = array.is_some_and(|array| array.grows() || options.length <= array.stats.lengths.max());
            let is_settled = array.is_some_and(|array| array.growth.is_some_and(|growth| growth.is_telling()));
            let is_timed = elements.iter().any(|element| carries_time(element)) && (is_long || !is_settled);
            let draft = match (is_timed, is_long) {
                (true, true) => findings.inferred(place, "the time in the element").variant("timed-long"),
                (true, false) => findings.inferred(place, "the time in the element").variant("timed"),
                (false, true) => {
                    let sampled = array.map_or(0, |array| array.stats.lengths.count());
                    findings.measured(place, sampled).variant("long")
                }
                (false, false) if declared == Some(false) => {
                    findings.inferred(place, "the declared model").variant("declared")
                }
                (false, false) => findings.inferred(place, "nothing that bounds it").severity(Severity::Info),
            };
            draft.text("operator", change.operator).cause(&field);
            if let Some(array) = array.filter(|_| is_long) {
                draft.number("max", array.stats.lengths.max()).number("median", array.stats.lengths.median());
            }
            if let Some(at) = model.locate(operation, None).and_then(|location| location.start) {
                draft.cause(format_args!("{}:{}:{}", operation.file().unwrap_or_default(), at.line, at.column));
            }
        }
    }
}

/// The changes that make an array longer, with the elements that they add.
fn appends<'t>(update: &Update<'t>) -> Vec<(Change<'t>, Vec<&'t Term>)> {
    let pushes = update.changes.iter().filter(|change| change.certain).filter_map(|change| {
        let added = change.added().unwrap_or_default();
        let grows = match change.operator {
            "$push" => change.argument.get("$slice").is_none() && change.argument.elements().is_none(),
            // A set of values that are all written down ends by itself.
            "$addToSet" => added.is_empty() || !added.iter().all(|added| added.value().is_some()),
            _ => false,
        };
        let adds_none = change.argument.get("$each").and_then(Term::elements).is_some_and(<[Term]>::is_empty);
        (grows && !adds_none).then_some((*change, added))
    });
    let computed = update.computed();
    let concatenations = computed.iter().filter(|change| change.certain).filter_map(|change| {
        let parts = change.argument.get("$concatArrays")?.elements()?;
        let own = format!("${}", change.path);
        let added =
            parts.iter().filter(|part| !names_field(part, &own)).flat_map(|part| part.elements().unwrap_or(&[]));
        parts.iter().any(|part| names_field(part, &own)).then(|| (*change, added.collect()))
    });
    pushes.chain(concatenations).collect()
}

/// The array as documents show it.
fn measured<'m>(model: &'m Model, operation: &Operation, path: &str) -> Option<&'m Array> {
    let arrays = target(model, operation)?.arrays();
    arrays.iter().find(|array| array.path.as_str() == path).filter(|array| 0 < array.stats.lengths.max())
}

/// Whether something holds the array to a length: validator, declared model, filter, or what it is.
fn is_bounded(
    model: &Model,
    operation: &Operation,
    update: &Update<'_>,
    path: &str,
    array: Option<&Array>,
    options: &Options,
) -> bool {
    let Some(ns) = &operation.ns else { return true };
    let longest = array.map_or(0, |array| array.stats.lengths.max());
    let validator = target(model, operation).and_then(|collection| collection.validator());
    // Short arrays pile up at some length by chance.
    let by_itself = |array: &Array| {
        (!array.is_list() && !array.grows()) || (array.is_capped() && options.length <= array.stats.lengths.max())
    };
    validator.is_some_and(|validator| validator.array_bound(path).is_some())
        || model.declared_bound(ns, path).holds(longest)
        || array.is_some_and(by_itself)
        || caps(&operation.conditions(), update, path)
}
