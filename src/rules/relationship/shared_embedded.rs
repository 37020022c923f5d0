//! Shared things copied into their parents. Words, reasons and examples: shared-embedded.md.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::Deserialize;

use super::{help_of, named_children};
use crate::advice;
use crate::facts::names;
use crate::finding::Severity;
use crate::model::declared::is_named;
use crate::model::{Collection, Model};
use crate::profile::{Field, FieldId};
use crate::rules::{Findings, Place};
use crate::value::event::{Document, Item, Type};
use crate::value::hash::{hash_entry, hash_key};
use crate::value::path::reach;
use crate::workload::Verb;
use crate::workload::update::{Update, is_within};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Parents that hold the same child from which on it counts as shared.
    parents: u64,
    /// Share of the children that must be shared.
    share: f64,
    /// Fields of the child that its id must decide.
    fields: usize,
    /// Numbered children below which they are the few values of an enumeration, or the places of a list.
    numbered: u64,
    /// The same for children with other ids.
    children: u64,
    /// Fields beside the id of an extended reference at most.
    extended: usize,
    /// Bytes of an extended reference at most.
    extended_bytes: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options { parents: 3, share: 0.1, fields: 2, numbered: 20, children: 5, extended: 4, extended_bytes: 256 }
    }
}

/// Share of the copies of one id that must have its most frequent value, and by how much that must exceed the share of
/// the most frequent value of all, for the id to decide a field.
const DECIDED: f64 = 0.7;
const ABOVE_CHANCE: f64 = 0.2;
/// Embedded children that are read of one path.
const MOST_COPIES: u64 = 20_000;
/// Texts of keys that are no longer are codes of enumerations: countries, currencies, languages.
const CODE: u64 = 3;

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for collection in &model.collections {
        for at in collection.fields().filter(|at| at.has(Type::Object)) {
            let path = at.path.as_str();
            let Some((key, field)) = own_key(collection, at.id, path) else { continue };
            if is_kept_on_purpose(model, collection, at.id, path) || is_code(field) {
                continue;
            }
            let copies = Copies::read(collection, path, key);
            let shared = copies.shared(options.parents);
            let children = copies.children.len() as u64;
            let least = if 0 < field.number_count() { options.numbered } else { options.children };
            if children < least || (shared.len() as f64) < options.share * children as f64 || shared.is_empty() {
                continue;
            }
            let decided = decided(&shared);
            if decided.len() < options.fields
                || is_extended_reference(model, collection, path, key, &decided, &copies, options)
            {
                continue;
            }
            let decision = advice::relationship(findings.recommendations(), &collection.ns, path);
            if decision.is_some_and(|decision| decision.decision == "keep") {
                continue;
            }
            let help = decision.and_then(|decision| help_of(&decision.decision));
            let is_updated = updates(model, collection, Some(path));
            let is_event = !is_updated && is_event_like(model, collection);
            let finding = findings
                .measured(Place::path(&collection.ns, &at.path), copies.parents)
                .number("children", children)
                .number("shared", shared.len() as u64)
                .number("parents", options.parents)
                .number("most", shared.iter().map(|child| child.parents).max().unwrap_or(0))
                .number("drifted", drifted(&shared, &decided));
            if is_event {
                finding.severity(Severity::Info).variant("event");
            } else if is_updated {
                finding.variant("updated");
            }
            if let Some(help) = help {
                finding.help(help);
            }
        }
    }
}

/// The key of the children themselves: `_id`, `id`, `uuid`, or `courseId` in `course` and `courses`.
fn own_key<'m>(collection: &'m Collection, id: FieldId, path: &str) -> Option<(&'m str, &'m Field)> {
    let objects = collection.profile.as_ref()?.field(id)?.count_of(Type::Object);
    let in_most = |field: &Field| objects * 95 <= (field.count - field.nulls()) * 100 && field.distinct.is_some();
    let leaf = path.rsplit('.').next().unwrap_or(path);
    let fields: Vec<&Field> = named_children(collection, id).into_iter().map(|(_, field)| field).collect();
    let of_name = |name: &str| fields.iter().copied().find(|field| &*field.name == name && in_most(field));
    // A `key` or `sequence` of a license or a step is a word of an enumeration.
    let is_id = |name: &str| {
        names::words(name).last().is_some_and(|last| matches!(last.as_str(), "id" | "uuid" | "guid" | "uid"))
    };
    let is_own = |field: &Field| is_id(&field.name) && names::is_own_key(&field.name, leaf);
    let named = || fields.iter().copied().find(|field| in_most(field) && is_own(field));
    of_name("_id").or_else(|| of_name("id")).or_else(named).map(|field| (&*field.name, field))
}

/// Whether the ids are codes that everybody knows.
fn is_code(field: &Field) -> bool {
    field.strings.as_ref().is_some_and(|strings| {
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
            || named_children(collection, id).iter().any(|(_, field)| names::is_snapshot(&field.name))
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
    options: &Options,
) -> bool {
    let reference = format!("{path}.{key}");
    let refers = model.relations.iter().any(|r| r.from == collection.ns && r.path.as_str() == reference);
    let bytes = copies.bytes.checked_div(copies.count).unwrap_or(0);
    refers && decided.len() <= options.extended && bytes <= options.extended_bytes
}

/// Whether the documents tell of events: dated, without a time of change, and never updated.
fn is_event_like(model: &Model, collection: &Collection) -> bool {
    let fields = named_children(collection, FieldId::ROOT);
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
