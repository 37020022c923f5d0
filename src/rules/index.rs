//! Indexes: wrong, wasted, missing. One module a rule, or a family of ids.

pub(super) mod collation_mismatch;
pub(super) mod field_unknown;
pub(super) mod hashed_range;
pub(super) mod low_selectivity;
pub(super) mod missing;
pub(super) mod multikey_growth;
pub(super) mod option_conflict;
pub(super) mod order;
pub(super) mod parallel_arrays;
pub(super) mod partial_unsupported;
pub(super) mod partial_unused_by_query;
pub(super) mod redundant;
pub(super) mod second_text;
pub(super) mod sort_direction;
pub(super) mod sparse;
pub(super) mod subdocument;
pub(super) mod too_many;
pub(super) mod too_many_keys;
pub(super) mod ttl_bad_option;
pub(super) mod ttl_candidate;
pub(super) mod ttl_compound;
pub(super) mod ttl_not_date;
pub(super) mod unique_duplicates;
pub(super) mod unique_null;
pub(super) mod unused;
pub(super) mod volatile_copy;
pub(super) mod wildcard_overuse;

use super::{Draft, Findings, Place};
use crate::advice;
use crate::catalogue::Index;
use crate::model::serving::{self, Standing};
use crate::model::{Access, Collection, Model};

/// Where a finding about an index stands: at the index, and where it is defined.
fn place(collection: &Collection, index: &Index) -> Place {
    let place = Place::index(&collection.ns, &index.name);
    match &index.location {
        Some(location) => place.at(location.clone()),
        None => place,
    }
}

/// The bytes of an index on the host where it is largest.
fn size(collection: &Collection, index: &Index) -> Option<u64> {
    let sizes = collection.catalogue.statistics.iter().flat_map(|statistics| &statistics.index_sizes);
    sizes.filter(|(name, _)| *name == index.name).map(|(_, size)| *size).max()
}

/// The unique indexes of all collections.
fn unique(model: &Model) -> impl Iterator<Item = (&Collection, &Index)> {
    model.collections.iter().flat_map(|collection| {
        collection.indexes().iter().filter(|index| index.unique).map(move |index| (collection, index))
    })
}

/// How the query shapes stand with the indexes of collections whose indexes are all known.
fn demands(model: &Model) -> Vec<(&Collection, &Access, Standing)> {
    let mut out = Vec::new();
    for access in &model.accesses {
        let Some(collection) = model.collection(&access.ns).filter(|c| c.knows_indexes() && !c.ns.is_internal()) else {
            continue;
        };
        out.push((collection, access, serving::standing(access, collection, collection.indexes())));
    }
    out
}

/// A finding at the first operation of a query shape, with how it ran.
fn demand<'f>(
    model: &Model,
    collection: &Collection,
    access: &Access,
    findings: &'f mut Findings<'_>,
) -> &'f mut Draft {
    let first = model.first_of(access);
    let place =
        first.map_or_else(|| Place::collection(&collection.ns), |operation| Place::operation(model, operation, None));
    let shape = access.shape.clone();
    let draft = findings.certain(place);
    draft.text("shape", shape).number("places", access.operations.len());
    examined(draft, collection, access);
    draft
}

/// What the query shape examined and how large its collection is.
fn examined(draft: &mut Draft, collection: &Collection, access: &Access) {
    let mut size = collection.stored();
    if let Some(runs) = &access.runs {
        draft.number("runs", runs.count);
        if let (Some(examined), Some(returned)) = (runs.docs_examined.mean(), runs.returned.mean()) {
            draft.number("examined", examined).number("returned", returned);
            size = size.max(runs.docs_examined.max);
        }
    }
    if size > 0 {
        draft.documents(size);
    }
}

/// Accesses by the index that they share, in the order of collections and indexes.
fn by_index<'m>(
    found: impl Iterator<Item = (&'m Collection, &'m Access, usize)>,
) -> Vec<(&'m Collection, usize, Vec<&'m Access>)> {
    let mut out: Vec<(&Collection, usize, Vec<&Access>)> = Vec::new();
    for (collection, access, at) in found {
        match out.iter_mut().find(|(known, index, _)| known.ns == collection.ns && *index == at) {
            Some((_, _, accesses)) => accesses.push(access),
            None => out.push((collection, at, vec![access])),
        }
    }
    out
}

/// A finding at an index about the query shapes that it serves badly, with the index that the advice puts in its place.
fn tell(
    model: &Model,
    collection: &Collection,
    at: usize,
    accesses: &[&Access],
    findings: &mut Findings,
    variant: &'static str,
) {
    let (Some(index), Some(access)) = (collection.indexes().get(at), accesses.first()) else { return };
    let Some(better) = advice::index_for(findings.recommendations(), &collection.ns, &access.shape) else { return };
    let first = model.first_of(access);
    let mut place = Place::index(&collection.ns, &index.name);
    if let Some(location) = first.and_then(|operation| model.locate(operation, None)) {
        place = place.at(location);
    }
    let draft = findings.certain(place);
    draft.text("present", index.key_script()).text("key", better.key).text("shape", &access.shape);
    draft.number("shapes", accesses.len()).variant(variant).cause(&index.name);
    // What logs and plans tell of the same statements is the same cause.
    for place in accesses.iter().filter_map(|access| model.locate(model.first_of(access)?, None)) {
        if let Some(start) = place.start {
            draft.cause(format!("{}:{}:{}", place.file, start.line, start.column));
        }
    }
    examined(draft, collection, access);
    draft.remedy(better.remedy(collection, model.server));
}
