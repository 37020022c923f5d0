//! Arrays pushed into arrays. Words, reasons and examples: push-array.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{target, written};
use crate::facts::names;
use crate::model::{Collection, Model};
use crate::rules::{Findings, Place};
use crate::value::Type;
use crate::workload::{Api, Term};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    // Mongoose puts an array into `$each`, as far as its schema has no array of arrays.
    for (operation, update) in written(model).filter(|(operation, _)| operation.api != Api::Mongoose) {
        for change in &update.changes {
            let adds = matches!(change.operator, "$push" | "$addToSet");
            if !adds || change.argument.bson_type() != Some(Type::Array) {
                continue;
            }
            let field = change.field();
            let nested = target(model, operation).and_then(|collection| holds_arrays(collection, &field));
            if nested.unwrap_or_else(|| is_tuple(&field, change.argument)) {
                continue;
            }
            let draft = findings.certain(Place::operation(model, operation, None).with_path(field));
            draft.text("operator", change.operator);
        }
    }
}

/// Whether the elements of an array are arrays, as documents or validator show it; nothing where neither does.
fn holds_arrays(collection: &Collection, path: &str) -> Option<bool> {
    let element = |array: &crate::model::Array| {
        let element = collection.field(array.element?)?;
        Some(element.has(Type::Array))
    };
    let measured = collection.arrays().iter().filter(|array| array.path.as_str() == path).find_map(element);
    let declared = || {
        let fields = collection.validator()?.fields();
        let items = fields.iter().find(|field| field.path == path && field.in_array)?;
        items.types.as_ref().map(|types| types.contains(&Type::Array))
    };
    measured.or_else(declared)
}

/// Whether the array looks like one value: a position, a range, a pair of numbers.
fn is_tuple(path: &str, argument: &Term) -> bool {
    let Some(elements) = argument.elements() else { return true };
    let leaf = path.rsplit('.').next().unwrap_or(path);
    let number = |term: &Term| term.bson_type().is_some_and(Type::is_number);
    let may_be_number = |term: &Term| number(term) || (term.as_hole().is_some() && term.bson_type().is_none());
    let is_short = (2..=4).contains(&elements.len());
    let of_arrays = elements.iter().any(|element| element.bson_type() == Some(Type::Array));
    of_arrays
        || (is_short && elements.iter().all(number))
        || (is_short && elements.iter().all(may_be_number) && (names::is_position(leaf) || names::is_line(leaf)))
}
