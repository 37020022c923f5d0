//! Fields that tell the variants of a collection apart, and what they explain.

use std::collections::BTreeMap;

use super::{Collection, FieldRef};
use crate::facts::names;
use crate::profile::{CollectionProfile, Field, FieldId, FieldKind};
use crate::value::event::{Document, Item, Type};
use crate::value::hash::hash_scalar;

/// A discriminator has no more values than this.
const MAX_VALUES: u64 = 50;
/// Each of its values occurs in at least one of this many objects.
const RAREST: u64 = 100;
/// And at least this often: what is nearly unique tells no variants apart.
const MIN_TIMES: u64 = 3;
/// Documents that are enough to see a class that a value in a hundred objects explains.
const ENOUGH: usize = 500;
/// What it explains agrees with it in at least this many of a hundred cases, class by class.
const AGREEMENT: u64 = 95;

impl Collection {
    /// Whether a field tells variants apart: few values, none of them rare, nearly always there, not personal.
    pub fn is_discriminator(&self, id: FieldId) -> bool {
        let Some(field) = self.field(id) else { return false };
        let plain = [Type::String, Type::Int, Type::Long, Type::Double, Type::Bool, Type::Null];
        let scalar = field.field.types_found().iter().all(|(kind, _)| plain.contains(kind));
        let objects = self.parent_objects(id);
        let counts = value_counts(field.field);
        field.field.kind == FieldKind::Named
            && scalar
            && field.path.as_str() != "_id"
            && objects * AGREEMENT <= field.field.count * 100
            && counts.is_some_and(|counts| {
                2 <= counts.len()
                    && counts.len() as u64 <= MAX_VALUES
                    && counts.iter().all(|n| MIN_TIMES <= *n && objects <= n * RAREST)
            })
            && !names::is_personal(field.leaf())
    }

    /// The discriminator that explains which class each object at `parent` falls into: beside it, or in an object
    /// around it. `class` reads one object, by its place in the event list; None leaves it out. The fields that are to
    /// be explained explain nothing themselves.
    ///
    /// Measured on the sample: each class lies in values of the discriminator where nearly all are of that class.
    pub fn explained_by(
        &self,
        parent: FieldId,
        explained: &[FieldId],
        mut class: impl FnMut(&Document<'_>, usize) -> Option<u64>,
    ) -> Option<FieldRef<'_>> {
        let profile = self.profile.as_ref()?;
        let chain = chain(profile, parent);
        // Level 0 is the document, each further one the field below; a discriminator may hang on any of them.
        let mut candidates: Vec<(usize, FieldRef<'_>, Table)> = Vec::new();
        for (level, id) in std::iter::once(FieldId::ROOT).chain(chain.iter().copied()).enumerate() {
            let below: Vec<FieldId> = profile.children(id).map(|(child, _)| child).collect();
            let discriminators =
                below.into_iter().filter(|child| !explained.contains(child) && self.is_discriminator(*child));
            candidates.extend(discriminators.filter_map(|child| Some((level, self.field(child)?, Table::new()))));
        }
        if candidates.is_empty() {
            return None;
        }
        self.each_sampled_of(ENOUGH, |document| {
            each_place(profile, document, &chain, &mut |places| {
                let Some(place) = places.last().copied() else { return };
                let Some(class) = class(document, place) else { return };
                for (level, field, table) in &mut candidates {
                    let Some(object) = places.get(*level).copied() else { continue };
                    let value = document.children(object).find(|(_, e)| e.key == field.leaf());
                    let value = value.map_or(0, |(_, entry)| hash_scalar(&entry.item));
                    *table.entry(value).or_default().entry(class).or_default() += 1;
                }
            });
        });
        candidates.into_iter().find(|(_, _, table)| explains(table)).map(|(_, field, _)| field)
    }
}

impl Collection {
    /// Hands every place of the sampled documents that holds one of these fields to `read`: the number of the field in
    /// `ids`, and the index in the event list. Every document is decoded once.
    pub fn each_at_any(&self, ids: &[FieldId], mut read: impl FnMut(usize, &Document<'_>, usize)) {
        let Some(profile) = &self.profile else { return };
        let chains: Vec<Vec<FieldId>> = ids.iter().map(|id| chain(profile, *id)).collect();
        if chains.is_empty() {
            return;
        }
        self.each_sampled(|document| {
            for (which, chain) in chains.iter().enumerate() {
                each_place(profile, document, chain, &mut |places| {
                    if let Some(place) = places.last() {
                        read(which, document, *place);
                    }
                });
            }
        });
    }
}

/// How often each class goes with each value.
pub(super) type Table = BTreeMap<u64, BTreeMap<u64, u64>>;

/// Whether each class lies where it is what nearly all are.
pub(super) fn explains(table: &Table) -> bool {
    let mut all: BTreeMap<u64, u64> = BTreeMap::new();
    let mut right: BTreeMap<u64, u64> = BTreeMap::new();
    for classes in table.values() {
        let total: u64 = classes.values().sum();
        for (class, count) in classes {
            *all.entry(*class).or_default() += count;
            if total * AGREEMENT <= count * 100 {
                *right.entry(*class).or_default() += count;
            }
        }
    }
    2 <= all.len() && all.iter().all(|(class, count)| count * AGREEMENT <= right.get(class).copied().unwrap_or(0) * 100)
}

/// How often each value occurs; none where there are too many to know.
fn value_counts(field: &Field) -> Option<Vec<u64>> {
    let sketches = [&field.distinct, &field.distinct_other];
    let mut counts = Vec::new();
    for sketch in sketches.into_iter().flatten() {
        if !sketch.is_exact() {
            return None;
        }
        counts.extend(sketch.smallest().into_iter().map(|(_, count)| count));
    }
    Some(counts)
}

/// The fields from below the document down to `id`.
fn chain(profile: &CollectionProfile, id: FieldId) -> Vec<FieldId> {
    let mut chain = Vec::new();
    let mut at = id;
    while at != FieldId::ROOT {
        let Some(field) = profile.field(at) else { break };
        chain.push(at);
        at = field.parent;
    }
    chain.reverse();
    chain
}

/// Hands every place of one document that the chain of fields reaches to `read`, with the places above it: the
/// document first. Chains are no longer than the profile is deep.
fn each_place(
    profile: &CollectionProfile,
    document: &Document<'_>,
    chain: &[FieldId],
    read: &mut impl FnMut(&[usize]),
) {
    let mut places = vec![0];
    descend(profile, document, chain, &mut places, read);
}

fn descend(
    profile: &CollectionProfile,
    document: &Document<'_>,
    chain: &[FieldId],
    places: &mut Vec<usize>,
    read: &mut dyn FnMut(&[usize]),
) {
    let Some((next, rest)) = chain.split_first() else {
        read(places);
        return;
    };
    let Some(field) = profile.field(*next) else { return };
    let at = places.last().copied().unwrap_or(0);
    let array = document.entries.get(at).is_some_and(|entry| matches!(entry.item, Item::Array { .. }));
    for (child, entry) in document.children(at) {
        let reached = match field.kind {
            FieldKind::Root => false,
            FieldKind::Element => array,
            FieldKind::Named => !array && *field.name == *entry.key,
            FieldKind::Folded => !array && !profile.has_name(field.parent, entry.key),
        };
        if reached {
            places.push(child);
            descend(profile, document, rest, places, read);
            places.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts by value of the discriminator, then by class.
    fn table(values: &[&[u64]]) -> Table {
        let classes = |counts: &[u64]| counts.iter().enumerate().map(|(class, count)| (class as u64, *count)).collect();
        values.iter().enumerate().map(|(value, counts)| (value as u64, classes(counts))).collect()
    }

    #[test]
    fn a_value_that_goes_with_one_class_explains_it() {
        assert!(explains(&table(&[&[100, 0], &[0, 40]])));
        assert!(explains(&table(&[&[100, 1], &[0, 40]])), "a stray one changes nothing");
    }

    #[test]
    fn what_is_spread_over_the_values_is_not_explained() {
        assert!(!explains(&table(&[&[100, 10], &[100, 10]])));
        assert!(!explains(&table(&[&[200, 3], &[200, 4]])), "rare in every value");
        assert!(!explains(&table(&[&[100, 0], &[50, 40]])), "the second value decides nothing");
        assert!(!explains(&table(&[&[100], &[40]])), "one class needs no explanation");
    }
}
