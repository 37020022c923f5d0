//! Earlier states of documents: kept inside of them, or in a collection of their own.

use std::collections::BTreeMap;

use super::{family, item_of, whole};
use crate::catalogue::Namespace;
use crate::facts::forms;
use crate::model::{Collection, Model};
use crate::profile::{CollectionProfile, Field, FieldId, FieldKind};
use crate::value::event::Type;
use crate::value::hash::hash_key;
use crate::value::path::{FieldPath, reach};

/// An array that keeps earlier states of its own document.
#[derive(Debug, Clone)]
pub struct EmbeddedRevisions {
    /// The array in the profile.
    pub id: FieldId,
    /// Its path in dot notation.
    pub path: FieldPath,
    /// Fields of the document that the earlier states have too.
    pub shared: Vec<String>,
    /// Fields that nearly every document has, the array aside.
    pub fields: u64,
    /// Documents that hold earlier states.
    pub documents: u64,
    /// Bytes of the earlier states, all documents together.
    pub bytes: u64,
}

/// A collection that keeps the revisions of another one's documents.
#[derive(Debug, Clone)]
pub struct Revisions {
    /// The collection of the current documents.
    pub live: Namespace,
    /// The number of the current revision there.
    pub live_number: FieldPath,
    /// The key there that revisions refer to.
    pub key: FieldPath,
    /// The collection of the revisions.
    pub revisions: Namespace,
    /// The number of a revision.
    pub number: FieldPath,
    /// The field that refers to the document.
    pub reference: FieldPath,
    /// Current documents with revisions that were compared.
    pub compared: u64,
    /// Of these, how many show an earlier number than their newest revision.
    pub behind: u64,
    /// The largest difference between the two.
    pub most_behind: u64,
    /// Revisions that were looked at.
    pub looked_at: u64,
    /// Pairs of document and number that occur more than once.
    pub repeated: u64,
    /// Revisions that have one of them.
    pub repeating: u64,
}

/// Percent of the fields of a document that its earlier states have.
const SHARED: u64 = 60;
/// Fields that they have at least.
const LEAST: usize = 3;
/// Percent of the documents that have a field of the usual shape.
const USUAL: u64 = 50;
/// Percent of the revisions that have the number and the reference.
const NEARLY_ALL: u64 = 90;

/// The names of the fields that are usual below an object, with the family of their values.
fn usual(profile: &CollectionProfile, id: FieldId) -> BTreeMap<&str, Type> {
    let objects = profile.field(id).map_or(0, |field| field.count_of(Type::Object));
    let named = profile.children(id).filter(|(_, field)| {
        field.kind == FieldKind::Named && objects * USUAL <= field.count * 100 && *field.name != *"_id"
    });
    named.filter_map(|(_, field)| Some((&*field.name, main_family(field)?))).collect()
}

fn main_family(field: &Field) -> Option<Type> {
    field.types_found().into_iter().find_map(|(kind, _)| family(kind))
}

pub(super) fn embedded(collection: &Collection, profile: &CollectionProfile) -> Vec<EmbeddedRevisions> {
    let mut found = Vec::new();
    for array in collection.arrays() {
        let Some(element) = array.element else { continue };
        let Some(field) = profile.field(array.id).filter(|field| field.parent == FieldId::ROOT) else { continue };
        let mut own = usual(profile, FieldId::ROOT);
        own.remove(&*field.name);
        let numbered = |fields: &BTreeMap<&str, Type>| {
            fields.iter().any(|(name, kind)| forms::is_revision(name) && *kind == Type::Double)
        };
        // The state may lie in an object of the element: `{at, by, document: {…}}`.
        let below = profile.children(element).filter(|(_, field)| 0 < field.count_of(Type::Object));
        for (at, direct) in [(element, true)].into_iter().chain(below.map(|(id, _)| (id, false))) {
            let state = usual(profile, at);
            let shared: Vec<String> = own
                .iter()
                .filter(|(name, kind)| state.get(*name) == Some(*kind))
                .map(|(name, _)| (*name).to_owned())
                .collect();
            let whole = (own.len() as u64) * SHARED <= shared.len() as u64 * 100;
            // Answers to a comment look like it: only a name or a number makes earlier states of them.
            let named = forms::is_history(&field.name) || (direct && numbered(&own) && numbered(&state));
            if LEAST <= shared.len() && whole && named {
                found.push(EmbeddedRevisions {
                    id: array.id,
                    path: array.path.clone(),
                    shared,
                    fields: own.len() as u64,
                    documents: array.stats.lengths.at_least(1),
                    bytes: field.bytes,
                });
                break;
            }
        }
    }
    found
}

pub(super) fn find(model: &Model) -> Vec<Revisions> {
    let mut found: Vec<Revisions> = Vec::new();
    for reference in model.references.iter().filter(|reference| !reference.many && reference.from != reference.to) {
        let (Some(child), Some(parent)) = (model.collection(&reference.from), model.collection(&reference.to)) else {
            continue;
        };
        let (Some(number), Some(live_number)) = (number_of(child), number_of(parent)) else { continue };
        if !looks_alike(child, parent) {
            continue;
        }
        let mut revisions = Revisions {
            live: parent.ns.clone(),
            live_number,
            key: reference.target.clone(),
            revisions: child.ns.clone(),
            number,
            reference: reference.path.clone(),
            compared: 0,
            behind: 0,
            most_behind: 0,
            looked_at: 0,
            repeated: 0,
            repeating: 0,
        };
        revisions.measure(model, child);
        if 0 < revisions.compared {
            found.push(revisions);
        }
    }
    found
}

/// The number of the revision, at the top of nearly every document or in its `_id`.
fn number_of(collection: &Collection) -> Option<FieldPath> {
    let profile = collection.profile.as_ref()?;
    let id = profile.children(FieldId::ROOT).find(|(_, field)| *field.name == *"_id").map(|(id, _)| id);
    let places = [Some(FieldId::ROOT), id].into_iter().flatten();
    let numbers = places.flat_map(|place| profile.children(place)).filter(|(_, field)| {
        let everywhere = profile.documents * NEARLY_ALL <= field.documents * 100;
        everywhere
            && field.number_count() == field.count
            && field.numbers.fractional == 0
            && forms::is_revision(&field.name)
    });
    let found = numbers.min_by_key(|(_, field)| field.name.clone());
    found.map(|(id, _)| profile.path(id))
}

/// Whether the documents of one collection have most of what those of the other have.
fn looks_alike(child: &Collection, parent: &Collection) -> bool {
    let (Some(child), Some(parent)) = (&child.profile, &parent.profile) else { return false };
    let (state, own) = (usual(child, FieldId::ROOT), usual(parent, FieldId::ROOT));
    let shared = own.iter().filter(|(name, kind)| state.get(*name) == Some(*kind)).count();
    LEAST <= shared && own.len() as u64 * SHARED <= shared as u64 * 100
}

impl Revisions {
    fn measure(&mut self, model: &Model, child: &Collection) {
        let Some(pairs) = model.pairs_between(&self.revisions, self.reference.as_str(), &self.live, self.key.as_str())
        else {
            return;
        };
        // By document: its own number, and that of its newest revision.
        let mut numbers: BTreeMap<u64, (i64, i64)> = BTreeMap::new();
        pairs.each(|pair| {
            let newest = item_of(pair.child, self.number.as_str()).as_ref().and_then(whole);
            let own = item_of(pair.parent, self.live_number.as_str()).as_ref().and_then(whole);
            let Some(key) = pair.child.entries.get(pair.value).map(|entry| hash_key(&entry.item)) else { return };
            if let (Some(newest), Some(own)) = (newest, own) {
                let known = numbers.entry(key).or_insert((own, newest));
                known.1 = known.1.max(newest);
            }
        });
        self.compared = numbers.len() as u64;
        for (own, newest) in numbers.into_values().filter(|(own, newest)| own < newest) {
            self.behind += 1;
            self.most_behind = self.most_behind.max(newest.abs_diff(own));
        }
        let mut seen: BTreeMap<(u64, i64), u64> = BTreeMap::new();
        child.each_sampled(|document| {
            let number = item_of(document, self.number.as_str()).as_ref().and_then(whole);
            let keys = reach(document, self.reference.as_str());
            let key = keys.first().and_then(|at| document.entries.get(*at)).map(|entry| hash_key(&entry.item));
            if let (Some(key), Some(number)) = (key, number) {
                self.looked_at += 1;
                *seen.entry((key, number)).or_default() += 1;
            }
        });
        for times in seen.into_values().filter(|times| 1 < *times) {
            self.repeated += 1;
            self.repeating += times;
        }
    }
}
