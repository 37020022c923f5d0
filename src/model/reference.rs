//! References between collections, as the hashes of their values show them: a field whose ids are the `_id`s of
//! another collection.

use super::Collection;
use crate::catalogue::Namespace;
use crate::profile::{Distinct, FieldId, FieldKind, Shape};
use crate::value::event::Type;
use crate::value::path::FieldPath;

/// A field that holds the `_id`s of a collection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// The collection that refers.
    pub from: Namespace,
    /// The field that refers.
    pub field: FieldId,
    /// Its path in dot notation.
    pub path: FieldPath,
    /// The collection that is referred to.
    pub to: Namespace,
    /// Distinct values that were compared.
    pub compared: u64,
    /// Of these, how many are an `_id` there.
    pub found: u64,
    /// Whether one parent document may hold many.
    pub many: bool,
}

/// Distinct values below this show nothing.
const MIN_COMPARED: u64 = 5;
/// Share of values that must be found, in percent.
const MIN_FOUND: u64 = 80;

/// The references among collections. Only ids that cannot agree by accident count: ObjectIds, UUIDs and their text.
pub(super) fn find(collections: &[Collection]) -> Vec<Reference> {
    let mut out = Vec::new();
    for from in collections {
        let Some(profile) = &from.profile else { continue };
        for (id, field) in profile.fields() {
            let path = profile.path(id);
            let is_own_id = path.as_str() == "_id";
            if is_own_id || matches!(field.kind, FieldKind::Root) || !holds_ids(field) {
                continue;
            }
            let Some(values) = field.distinct.as_deref() else { continue };
            let mut best: Option<Reference> = None;
            for to in collections {
                let Some(keys) = keys_of(to) else { continue };
                let (compared, found) = compare(values, keys);
                let better = best.as_ref().is_none_or(|b| b.found < found);
                if MIN_COMPARED <= compared && compared * MIN_FOUND <= found * 100 && better {
                    best = Some(Reference {
                        from: from.ns.clone(),
                        field: id,
                        path: path.clone(),
                        to: to.ns.clone(),
                        compared,
                        found,
                        many: profile.in_array(id) || field.kind == FieldKind::Element,
                    });
                }
            }
            out.extend(best);
        }
    }
    out
}

fn holds_ids(field: &crate::profile::Field) -> bool {
    let text = field.shape_count(Shape::ObjectId) + field.shape_count(Shape::Uuid);
    let ids = field.count_of(Type::ObjectId) + field.count_of(Type::BinData) + text;
    0 < ids && field.count <= (ids + field.nulls()) * 2
}

fn keys_of(collection: &Collection) -> Option<&Distinct> {
    let profile = collection.profile.as_ref()?;
    let id = *profile.resolve("_id").first()?;
    profile.field(id)?.distinct.as_deref()
}

/// Compares on the part of the hash space that both sides keep whole.
fn compare(values: &Distinct, keys: &Distinct) -> (u64, u64) {
    let bound = values.kept_below().min(keys.kept_below());
    let keys = keys.smallest();
    let mut compared = 0;
    let mut found = 0;
    for (hash, _) in values.smallest().into_iter().take_while(|(hash, _)| *hash <= bound) {
        compared += 1;
        found += u64::from(keys.binary_search_by_key(&hash, |(h, _)| *h).is_ok());
    }
    (compared, found)
}
