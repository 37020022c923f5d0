//! Things that many documents hold copies of: objects with a key of their own that stand in several parents.

use std::collections::{BTreeMap, BTreeSet};

use super::declared::is_named;
use super::{Collection, Model};
use crate::facts::names;
use crate::profile::{Field, FieldId, Shape};
use crate::value::event::{Document, Item, Type};
use crate::value::hash::{hash_entry, hash_key};
use crate::value::path::{FieldPath, reach};
use crate::workload::Verb;
use crate::workload::update::{Update, is_within};

/// From where on copies are those of a shared thing.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Parents that hold the same child from which on it counts as shared.
    pub parents: u64,
    /// Share of the children that must be shared.
    pub share: f64,
    /// Fields of the child that its id must decide.
    pub fields: usize,
    /// Numbered children below which they are the few values of an enumeration, or the places of a list.
    pub numbered: u64,
    /// The same for children with a word as their id.
    pub named: u64,
    /// The same for children with other ids.
    pub children: u64,
    /// Fields beside the id of an extended reference at most.
    pub extended: usize,
    /// Bytes of an extended reference at most.
    pub extended_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            parents: 3,
            share: 0.1,
            fields: 2,
            numbered: 20,
            named: 10,
            children: 5,
            extended: 4,
            extended_bytes: 256,
        }
    }
}

/// Copies of shared things at one path.
#[derive(Debug, Clone, PartialEq)]
pub struct Shared {
    /// The path of the objects, array levels not counted.
    pub path: FieldPath,
    /// The field of them.
    pub field: FieldId,
    /// The name of their key.
    pub key: String,
    /// Documents that hold any, of the sample.
    pub documents: u64,
    /// Distinct children.
    pub children: u64,
    /// Children that enough parents hold.
    pub shared: u64,
    /// Parents of the child that most hold.
    pub most: u64,
    /// Shared children whose copies differ in a field that their id decides.
    pub drifted: u64,
    /// Copies that were read, and their bytes.
    pub copies: (u64, u64),
    /// Whether the documents tell of events: then a copy may rightly be of the past.
    pub is_event: bool,
    /// Whether the workload updates the copies.
    pub is_updated: bool,
}

/// Share of the copies of one id that must have its most frequent value, and by how much that must exceed the share of
/// the most frequent value of all, for the id to decide a field.
const DECIDED: f64 = 0.7;
const ABOVE_CHANCE: f64 = 0.2;
/// Embedded children that are read of one path.
const MOST_COPIES: u64 = 20_000;
/// Texts of keys that are no longer are codes of enumerations: countries, currencies, languages.
const CODE: u64 = 3;

/// The shared things that a collection embeds; what is declared, a snapshot by its name, or an extended reference of a
/// document of the evidence is none.
pub fn shared(model: &Model, collection: &Collection, limits: &Limits) -> Vec<Shared> {
    let objects = collection.fields().filter(|at| at.has(Type::Object));
    let found = objects.filter_map(|at| {
        let path = at.path.as_str();
        let (key, field) = own_key(collection, at.id, path)?;
        if is_kept_on_purpose(model, collection, at.id, path) || is_code(field) {
            return None;
        }
        let copies = Copies::read(collection, path, key);
        let shared = copies.shared(limits.parents);
        let children = copies.children.len() as u64;
        let spelled = field.shape_count(Shape::ObjectId) + field.shape_count(Shape::Uuid);
        let least = if 0 < field.number_count() {
            limits.numbered
        } else if spelled < field.count_of(Type::String) {
            limits.named
        } else {
            limits.children
        };
        if children < least || (shared.len() as f64) < limits.share * children as f64 || shared.is_empty() {
            return None;
        }
        let decided = decided(&shared);
        let is_extended = is_extended_reference(model, collection, path, key, &decided, &copies, limits);
        if decided.len() < limits.fields || is_extended {
            return None;
        }
        let is_updated = updates(model, collection, Some(path));
        Some(Shared {
            path: at.path.clone(),
            field: at.id,
            key: key.to_owned(),
            documents: copies.parents,
            children,
            shared: shared.len() as u64,
            most: shared.iter().map(|child| child.parents).max().unwrap_or(0),
            drifted: drifted(&shared, &decided),
            copies: (copies.count, copies.bytes),
            is_event: !is_updated && is_event_like(model, collection),
            is_updated,
        })
    });
    found.collect()
}

/// The key of the children themselves: `_id`, `id`, `uuid`, or `courseId` in `course` and `courses`.
fn own_key<'m>(collection: &'m Collection, id: FieldId, path: &str) -> Option<(&'m str, &'m Field)> {
    let objects = collection.profile.as_ref()?.field(id)?.count_of(Type::Object);
    let in_most = |field: &Field| objects * 95 <= (field.count - field.nulls()) * 100 && field.distinct.is_some();
    let leaf = path.rsplit('.').next().unwrap_or(path);
    let fields: Vec<&Field> = collection.named_children(id).into_iter().map(|(_, field)| field).collect();
    let of_name = |name: &str| fields.iter().copied().find(|field| &*field.name == name && in_most(field));
    // A `key` or `sequence` of a license or a step is a word of an enumeration.
    let is_id = |name: &str| {
        names::words(name).last().is_some_and(|last| matches!(last.as_str(), "id" | "uuid" | "guid" | "uid"))
    };
    let is_own = |field: &Field| is_id(&field.name) && names::is_own_key(&field.name, leaf);
    let named = || fields.iter().copied().find(|field| in_most(field) && is_own(field));
    of_name("_id").or_else(|| of_name("id")).or_else(named).map(|field| (&*field.name, field))
}

/// Whether the ids are codes or days, which everybody knows.
fn is_code(field: &Field) -> bool {
    let days = field.shape_count(Shape::Day) + field.shape_count(Shape::DateTime);
    field.count <= days * 2
        || field.strings.as_ref().is_some_and(|strings| {
            field.count_of(Type::String) + field.nulls() == field.count && strings.lengths.max() <= CODE
        })
}

/// Whether the copies are snapshots or declared, or their place says that they are of the past.
fn is_kept_on_purpose(model: &Model, collection: &Collection, id: FieldId, path: &str) -> bool {
    let is_declared = model.intent.relationships.iter().any(|relationship| {
        is_named(&collection.ns, &relationship.parent)
            && relationship.path == path
            && (relationship.semantics.is_some()
                || relationship.ownership == Some(crate::config::intent::Ownership::Owned))
    });
    let is_derived = model.intent.derived.iter().any(|derived| {
        derived.field.match_indices('.').any(|(at, _)| {
            let (ns, rest) =
                (derived.field.get(..at).unwrap_or_default(), derived.field.get(at + 1..).unwrap_or_default());
            is_named(&collection.ns, ns) && is_within(rest, path)
        })
    });
    let is_snapshot = || {
        path.split('.').any(names::is_snapshot)
            || collection.named_children(id).iter().any(|(_, field)| names::is_snapshot(&field.name))
    };
    // A map by names has no path of its own.
    is_declared || is_derived || is_snapshot() || path.split('.').any(|name| name == "<key>")
}

/// Whether the children are references with few small fields of a document that the evidence has.
fn is_extended_reference(
    model: &Model,
    collection: &Collection,
    path: &str,
    key: &str,
    decided: &[&str],
    copies: &Copies,
    limits: &Limits,
) -> bool {
    let reference = format!("{path}.{key}");
    let refers = model.relations.iter().any(|r| r.from == collection.ns && r.path.as_str() == reference);
    let bytes = copies.bytes.checked_div(copies.count).unwrap_or(0);
    refers && decided.len() <= limits.extended && bytes <= limits.extended_bytes
}

/// Whether the documents tell of events: dated, without a time of change, and never updated.
fn is_event_like(model: &Model, collection: &Collection) -> bool {
    let fields = collection.named_children(FieldId::ROOT);
    let most = collection.documents() * 9;
    let is_dated = fields.iter().any(|(_, field)| {
        most <= field.count_of(Type::Date) * 10 && names::is_event_time(&field.name) && !names::is_version(&field.name)
    });
    let is_changed = fields.iter().any(|(_, field)| names::is_version(&field.name) && 0 < field.count_of(Type::Date));
    is_dated && !is_changed && !updates(model, collection, None)
}

/// Whether the workload updates documents of the collection, or what they hold at a path.
fn updates(model: &Model, collection: &Collection, path: Option<&str>) -> bool {
    model
        .workload
        .of(&collection.ns)
        .filter(|operation| operation.verb.is_write() && operation.verb != Verb::Insert)
        .any(|operation| {
            let Some(update) = Update::of(operation) else { return false };
            path.is_none_or(|path| {
                update.changes.iter().any(|change| change.field() != path && is_within(&change.field(), path))
            })
        })
}

/// The copies of one path in the sampled documents.
#[derive(Debug, Default)]
struct Copies {
    children: BTreeMap<u64, Child>,
    /// Documents that hold any.
    parents: u64,
    count: u64,
    bytes: u64,
}

/// The copies of one id.
#[derive(Debug, Default)]
struct Child {
    parents: u64,
    /// How often each field has each value.
    values: BTreeMap<String, BTreeMap<u64, u64>>,
}

impl Copies {
    fn read(collection: &Collection, path: &str, key: &str) -> Copies {
        let mut out = Copies::default();
        collection.each_sampled(|document| {
            if MOST_COPIES <= out.count {
                return;
            }
            let mut here = BTreeSet::new();
            for at in reach(document, path) {
                let Some(Item::Object { bytes, .. }) = document.entries.get(at).map(|entry| entry.item) else {
                    continue;
                };
                let of_key = document.children(at).find(|(_, entry)| entry.key == key);
                let Some((_, entry)) = of_key.filter(|(_, entry)| !matches!(entry.item, Item::Null)) else { continue };
                let hash = hash_key(&entry.item);
                let child = out.children.entry(hash).or_default();
                child.parents += u64::from(here.insert(hash));
                child.add(document, at, key);
                out.count += 1;
                out.bytes += u64::from(bytes);
            }
            out.parents += u64::from(!here.is_empty());
        });
        out
    }

    fn shared(&self, parents: u64) -> Vec<&Child> {
        self.children.values().filter(|child| parents <= child.parents).collect()
    }
}

impl Child {
    fn add(&mut self, document: &Document<'_>, object: usize, key: &str) {
        for (at, entry) in document.children(object).filter(|(_, entry)| entry.key != key) {
            *self.values.entry(entry.key.to_owned()).or_default().entry(hash_entry(document, at)).or_default() += 1;
        }
    }
}

/// The fields that the id decides: ids that only number the elements of each list decide nothing.
fn decided<'c>(shared: &[&'c Child]) -> Vec<&'c str> {
    let names: BTreeSet<&str> = shared.iter().flat_map(|child| child.values.keys().map(String::as_str)).collect();
    let decides = |name: &&str| {
        let (mut most, mut all, mut overall) = (0, 0, BTreeMap::<u64, u64>::new());
        for counts in shared.iter().filter_map(|child| child.values.get(*name)) {
            most += counts.values().max().copied().unwrap_or(0);
            all += counts.values().sum::<u64>();
            for (value, count) in counts {
                *overall.entry(*value).or_default() += count;
            }
        }
        let whole = (all as f64).max(1.0);
        let (within, chance) = (most as f64 / whole, overall.values().max().copied().unwrap_or(0) as f64 / whole);
        DECIDED <= within && ABOVE_CHANCE <= within - chance
    };
    names.into_iter().filter(decides).collect()
}

/// How many shared children have copies that differ in a field that their id decides.
fn drifted(shared: &[&Child], decided: &[&str]) -> u64 {
    let differs =
        |child: &&&Child| decided.iter().any(|name| child.values.get(*name).is_some_and(|counts| 1 < counts.len()));
    shared.iter().filter(differs).count() as u64
}
