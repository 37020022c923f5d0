//! Lists of ids that nothing bounds. Words, reasons and examples: unbounded-references.md.

use super::{fields, named_children};
use crate::model::{Array, Collection, Model};
use crate::profile::Field;
use crate::rules::Findings;
use crate::rules::document::unbounded_array;
use crate::value::event::Type;

pub(crate) use crate::rules::document::unbounded_array::Options;

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    unbounded_array::check_those(model, options, findings, |collection, array| {
        let refers = |path: &str| {
            model.relations.iter().any(|relation| relation.from == collection.ns && relation.path.as_str() == path)
        };
        refers(array.path.as_str()) || holds_ids(collection, array)
    });
}

/// Whether the elements are ids of something that the evidence does not have, bare or alone in an object.
fn holds_ids(collection: &Collection, array: &Array) -> bool {
    let are_ids = |field: &Field| 0 < field.count && field.count_of(Type::ObjectId) + field.nulls() == field.count;
    let Some((id, element)) =
        array.element.and_then(|id| fields(collection, array.path.as_str()).into_iter().find(|(at, _)| *at == id))
    else {
        return false;
    };
    let only = || match named_children(collection, id).as_slice() {
        [(_, only)] => are_ids(only) && only.count == element.count,
        _ => false,
    };
    are_ids(element) && 0 < element.count_of(Type::ObjectId)
        || 0 < element.count && element.count_of(Type::Object) == element.count && only()
}
