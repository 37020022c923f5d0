//! Places that are reserved in every document and mostly empty: arrays of one length, objects with numbered slots.

use crate::model::Collection;
use crate::profile::{CollectionProfile, Field, FieldId, FieldKind, KeyShape, Shape};
use crate::value::event::Type;
use crate::value::path::FieldPath;

/// Reserved places.
#[derive(Debug, Clone)]
pub struct Preallocated {
    /// The array or object that holds them.
    pub path: FieldPath,
    /// Whether it is an array.
    pub array: bool,
    /// Paths of the single slots; empty for arrays and for names that are data.
    pub slots: Vec<FieldPath>,
    /// Arrays or objects that were counted.
    pub holders: u64,
    /// Places in each of them.
    pub capacity: u64,
    /// Places in all of them.
    pub places: u64,
    /// Of these, how many are empty.
    pub empty: u64,
}

/// Places below this are no reserve.
const MIN_PLACES: u64 = 6;
/// Percent of the objects that have a slot.
const NEARLY_ALL: u64 = 95;

impl Preallocated {
    /// The share of places that are empty, from 0 to 1.
    pub fn share(&self) -> f64 {
        self.empty as f64 / self.places.max(1) as f64
    }
}

pub(super) fn find(collection: &Collection, profile: &CollectionProfile) -> Vec<Preallocated> {
    let mut found: Vec<Preallocated> = Vec::new();
    for array in collection.arrays() {
        let Some((_, element)) = profile.elements(array.id) else { continue };
        let lengths = &array.stats.lengths;
        if !array.stats.is_constant() || lengths.max() < MIN_PLACES {
            continue;
        }
        found.push(Preallocated {
            path: array.path.clone(),
            array: true,
            slots: Vec::new(),
            holders: lengths.at_least(1),
            capacity: lengths.max(),
            places: element.count,
            empty: empty(element),
        });
    }
    found.extend(profile.fields().filter_map(|(id, parent)| slots(collection, profile, id, parent)));
    found.retain(|reserved| 0 < reserved.empty);
    found
}

/// How many values say nothing: nulls, empty texts, empty objects and arrays.
fn empty(field: &Field) -> u64 {
    field.nulls() + field.shape_count(Shape::Empty) + field.empty_containers
}

/// The numbered fields of an object that all of them have.
fn slots(collection: &Collection, profile: &CollectionProfile, id: FieldId, parent: &Field) -> Option<Preallocated> {
    let objects = parent.count_of(Type::Object) - parent.empty_containers.min(parent.count_of(Type::Object));
    if objects == 0 || !matches!(parent.kind, FieldKind::Named | FieldKind::Root) {
        return None;
    }
    let path = profile.path(id);
    if let Some((_, folded)) = profile.children(id).find(|(_, field)| field.kind == FieldKind::Folded) {
        // Names that are numbers, as many in each object as there are in all.
        let keys = folded.keys.as_ref()?;
        let capacity = keys.distinct.estimate();
        let numbered = keys.shapes.get(KeyShape::Number as usize).copied().unwrap_or(0);
        let fixed = objects * capacity * NEARLY_ALL <= folded.count * 100;
        let reserved = MIN_PLACES <= capacity && numbered == folded.count && fixed;
        let (places, empty) = (folded.count, empty(folded));
        let slots = Vec::new();
        return reserved.then_some(Preallocated {
            path,
            array: false,
            slots,
            holders: objects,
            capacity,
            places,
            empty,
        });
    }
    let mut stem: Option<String> = None;
    let (mut paths, mut places, mut nothing) = (Vec::new(), 0, 0);
    for (child, field) in profile.children(id) {
        let name = field.name.trim_end_matches(|letter: char| letter.is_ascii_digit());
        let numbered = name.len() < field.name.len();
        if !numbered || field.kind != FieldKind::Named || field.count * 100 < objects * NEARLY_ALL {
            continue;
        }
        if stem.get_or_insert_with(|| name.to_owned()) != name {
            return None;
        }
        paths.push(collection.field(child)?.path);
        places += field.count;
        nothing += empty(field);
    }
    let capacity = paths.len() as u64;
    (MIN_PLACES <= capacity).then_some(Preallocated {
        path,
        array: false,
        slots: paths,
        holders: objects,
        capacity,
        places,
        empty: nothing,
    })
}
