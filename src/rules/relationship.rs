//! Documents of two or more collections. One module a rule, or a family of ids.

pub(super) mod cold_embedded;
pub(super) mod cross_tenant;
pub(super) mod dbref;
pub(super) mod junction;
pub(super) mod missing_index;
pub(super) mod orphan;
pub(super) mod relational_transplant;
pub(super) mod separated;
pub(super) mod shared_embedded;
pub(super) mod two_way_drift;
pub(super) mod type_mismatch;
pub(super) mod unbounded_references;

use crate::facts::names;
use crate::model::{Collection, Model, Relation};
use crate::profile::{Field, FieldId};
use crate::value::event::{Document, Type};

/// Share of the references that find their target, and share of the targets that are referred to, by which two files
/// show that they belong together: parts of collections, taken each for itself, would not meet so well.
const FOUND: f64 = 0.95;
const REFERRED_TO: f64 = 0.5;

/// Whether somebody says that the field refers: a schema, a join, the team. Else the values and the name say it.
fn is_said(relation: &Relation) -> bool {
    relation.known_by.schema || relation.known_by.join || relation.known_by.intent
}

/// Whether the field repeats a name of what is referred to rather than refers: an address of a person, or a code beside
/// the key of the same document. Such a value is a copy, which may rightly be older than its source.
fn is_copy(model: &Model, relation: &Relation) -> bool {
    let holder = |path: &str| path.rsplit_once('.').map(|(holder, _)| holder.to_owned());
    let path = relation.path.as_str();
    let stands_beside_key = || {
        model.relations.iter().any(|other| {
            (&other.from, &other.to, other.target.as_str()) == (&relation.from, &relation.to, "_id")
                && holder(other.path.as_str()) == holder(path)
        })
    };
    relation.target.as_str() != "_id" && (names::is_personal(relation.path.leaf()) || stands_beside_key())
}

/// The fields of a path, the elements of an array at its end included.
fn fields<'m>(collection: &'m Collection, path: &str) -> Vec<(FieldId, &'m Field)> {
    let Some(profile) = &collection.profile else { return Vec::new() };
    let ids = profile.resolve(path).into_iter();
    let with_elements = ids.flat_map(|id| [Some(id), profile.elements(id).map(|(id, _)| id)]);
    with_elements.flatten().filter_map(|id| Some((id, profile.field(id)?))).collect()
}

/// The words for the types of the values that refer: all numbers are one.
fn key_types(collection: &Collection, path: &str) -> Vec<&'static str> {
    let mut out = Vec::new();
    for (_, field) in fields(collection, path) {
        for (kind, _) in field.types_found() {
            let word = match kind {
                kind if kind.is_number() => "number",
                Type::ObjectId | Type::String | Type::BinData => kind.alias(),
                _ => continue,
            };
            if !out.contains(&word) {
                out.push(word);
            }
        }
    }
    out.sort_unstable();
    out
}

/// Whether all values that refer are numbers.
fn are_numbers(collection: &Collection, path: &str) -> bool {
    key_types(collection, path) == ["number"]
}

/// Whether an index can be asked for the values of a path: its key begins with it, fields of the tenant aside, which
/// every query of such an application names.
fn is_led(collection: &Collection, path: &str) -> bool {
    use crate::catalogue::IndexKind::{Ascending, Descending, Hashed};
    path == "_id"
        || collection.indexes().iter().filter(|index| !index.hidden && index.partial_filter.is_none()).any(|index| {
            let mut keys = index.key.iter().skip_while(|(at, _)| at != path && names::tenant(at).is_some());
            index.is_wildcard()
                || keys.next().is_some_and(|(at, kind)| at == path && matches!(kind, Ascending | Descending | Hashed))
        })
}

/// Whether what was read of both sides belongs together, so that counts of one side by the other mean something.
fn belong_together(model: &Model, relation: &Relation) -> bool {
    let (Some(from), Some(to)) = (model.collection(&relation.from), model.collection(&relation.to)) else {
        return false;
    };
    if from.complete && to.complete {
        return true;
    }
    let Some((compared, found)) = relation.known_by.values else { return false };
    let distinct: u64 = fields(from, relation.path.as_str())
        .iter()
        .filter_map(|(_, field)| field.distinct.as_deref())
        .map(crate::profile::Distinct::estimate)
        .max()
        .unwrap_or(0);
    compared as f64 * FOUND <= found as f64 && to.documents() as f64 * REFERRED_TO <= distinct as f64
}

/// The fields of an object in the profile that have names of their own.
fn named_children(collection: &Collection, id: FieldId) -> Vec<(FieldId, &Field)> {
    collection.named_children(id)
}

/// The value of a path in a document: the first that it reaches.
fn first<'a>(document: &Document<'a>, path: &str) -> Option<crate::value::event::Item<'a>> {
    let at = *crate::value::path::reach(document, path).first()?;
    document.entries.get(at).map(|entry| entry.item)
}

/// The word for a decision about a relationship that the pages have sentences for.
fn help_of(decision: &str) -> Option<&'static str> {
    ["embed", "child-references", "parent-reference", "association", "extended-reference", "subset", "outlier"]
        .into_iter()
        .find(|known| *known == decision)
}
