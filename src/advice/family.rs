//! Arithmetic on documents that refer to each other: sampled parents with their children, put together in each form.
//!
//! A family is taken apart to what is the same in all forms; the size of every form follows from that, today's too.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::names::RelationNames;
use super::simulate::{EMPTY, INT, OBJECT_ID, YEAR, YEARS, array, field, rates_of, sorted, tenths};
use crate::model::array::creation_time;
use crate::model::{Collection, Model, Relation};
use crate::order::Ordered;
use crate::profile::{Distinct, Growth};
use crate::value::event::{Document, Entry, Item};
use crate::value::hash::{hash_key, hash_scalar};
use crate::value::path::reach;

/// The side of a relationship on which one document stands for many of the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Holder {
    /// Each child names its parent: the parent is what is referred to.
    Child,
    /// The parent lists its children: the parent is what refers.
    Parent,
}

/// A parent with its children, without what the form of their relationship costs. Sizes are bytes of BSON.
#[derive(Debug, Clone, Default)]
struct Family {
    /// The parent without its list of keys.
    base: u64,
    /// The value that children name it by.
    id: u64,
    /// Each child without the field that names the parent.
    children: Vec<u64>,
    /// What is shown of the parent beside a child.
    shown: u64,
    /// How many children it has; more than are at hand where the sample lacks some.
    count: u64,
    /// When the parent was made.
    created: Option<i64>,
    /// Children a month that it gains.
    rate: f64,
}

/// The forms that are put together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// Each child names its parent.
    ParentReference,
    /// The parent lists the keys of its children.
    ChildReferences,
    /// The children stand in their parent.
    Embed,
    /// Each child names its parent and holds a copy of the fields that are shown with it.
    ExtendedReference,
    /// The newest children stand in their parent with their number, all of them apart.
    Subset,
    /// A document for each pair.
    Association,
    /// The number of children stands in their parent.
    Computed,
}

/// How often each pattern runs against the others: runs, or places in the source.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Weights {
    /// A parent alone.
    pub(super) parent: f64,
    /// A parent with its children.
    pub(super) both: f64,
    /// The children of a parent without it.
    pub(super) children: f64,
    /// One child.
    pub(super) child: f64,
    /// One child with what is shown of its parent.
    pub(super) joined: f64,
    /// A new child.
    pub(super) added: f64,
    /// A change of a child.
    pub(super) written: f64,
    /// A change of what is shown of a parent.
    pub(super) changed: f64,
}

/// The sampled families of one relationship.
#[derive(Debug)]
pub(super) struct Families {
    sampled: Vec<Family>,
    /// Bytes of the value that tells a child from others.
    child_id: u64,
    /// Indexes of the children's collection that a form in the parent would have to carry, `_id` and the reference left
    /// out.
    child_indexes: u64,
    /// Documents stored for each parent that was sampled.
    scale: f64,
    /// Families that lack some of their children, of which others of the sample took the place.
    filled: u64,
    /// How the number of children depends on the age of their parent.
    pub(super) growth: Option<Growth>,
    names: RelationNames,
    /// Children that are shown with their parent in a subset.
    newest: u64,
}

impl Families {
    /// Takes the sampled families of a relationship apart; nothing where one side has no documents.
    pub(super) fn new(
        model: &Model,
        relation: &Relation,
        holder: Holder,
        names: RelationNames,
        shown: &[String],
        newest: u64,
    ) -> Option<Families> {
        let pairs = relation.pairs(model)?;
        let (referring, target) = (model.collection(&relation.from)?, model.collection(&relation.to)?);
        let (parents, children) = match holder {
            Holder::Child => (target, referring),
            Holder::Parent => (referring, target),
        };
        let key_path = if holder == Holder::Child { relation.target.as_str() } else { "_id" };
        let mut families: BTreeMap<u64, Family> = BTreeMap::new();
        let mut order = Vec::new();
        let counts = counts(relation, referring, holder);
        let profile = parents.profile.as_ref()?;
        for (_, kept) in profile.sample.iter() {
            kept.with(|document| {
                let Some(key) = key_of(document, key_path) else { return };
                let mut family = Family::of_parent(document, u64::from(kept.bytes()), key_path, shown);
                if holder == Holder::Parent {
                    let (list, length) = list_of(document, relation.path.as_str());
                    family.base = family.base.saturating_sub(list);
                    family.count = length;
                } else {
                    family.count =
                        value_of(document, key_path).and_then(|hash| counts.get(&hash).copied()).unwrap_or(0);
                }
                if families.insert(key, family).is_none() {
                    order.push(key);
                }
            });
        }
        let mut child_id = 0;
        let mut pool: Vec<u64> = Vec::new();
        pairs.each(|pair| {
            let (parent, child, bytes) = match holder {
                Holder::Child => (pair.parent, pair.child, pair.bytes.child),
                Holder::Parent => (pair.child, pair.parent, pair.bytes.parent),
            };
            let mut own = bytes;
            if holder == Holder::Child {
                own = own.saturating_sub(
                    pair.child
                        .entries
                        .get(pair.value)
                        .map_or(0, |entry| field(entry.key, u64::from(entry.item.bytes()))),
                );
            }
            child_id = child_id.max(child.get("_id").map_or(0, |id| u64::from(id.bytes())));
            pool.push(own);
            if let Some(family) = key_of(parent, key_path).and_then(|key| families.get_mut(&key)) {
                family.children.push(own);
            }
        });
        if pool.is_empty() {
            for (_, kept) in children.profile.iter().flat_map(|p| p.sample.iter()) {
                pool.push(u64::from(kept.bytes()));
            }
        }
        if pool.is_empty() || families.is_empty() {
            return None;
        }
        let mut filled = 0;
        let mut next = 0usize;
        let mut families: Vec<Family> = order.iter().filter_map(|key| families.remove(key)).collect();
        for family in &mut families {
            family.count = family.count.max(family.children.len() as u64);
            let missing = family.count.min(MOST_CHILDREN).saturating_sub(family.children.len() as u64);
            filled += u64::from(0 < missing);
            for _ in 0..missing {
                family.children.extend(pool.get(next % pool.len()));
                next += 1;
            }
        }
        let points: Vec<(i64, u64)> = families.iter().filter_map(|f| Some((f.created?, f.count))).collect();
        let growth = Growth::measure(&points);
        if growth.is_some_and(|growth| growth.is_steady()) {
            let latest = model.now.or_else(|| families.iter().filter_map(|f| f.created).max());
            let ages: Vec<(Option<i64>, u64)> = families.iter().map(|f| (f.created, f.count)).collect();
            for (family, rate) in families.iter_mut().zip(rates_of(&ages, latest)) {
                family.rate = rate;
            }
        }
        let own_index = |index: &&crate::catalogue::Index| {
            let leads = index.key.first().is_some_and(|(path, _)| path == relation.path.as_str());
            let is_reference = holder == Holder::Child && leads && index.key.len() == 1;
            !index.is_id() && !is_reference
        };
        Some(Families {
            scale: parents.stored() as f64 / families.len().max(1) as f64,
            child_id: if child_id == 0 { OBJECT_ID } else { child_id },
            child_indexes: children.indexes().iter().filter(own_index).count() as u64,
            sampled: families,
            filled,
            growth,
            names,
            newest,
        })
    }

    /// How many parents were taken apart.
    pub(super) fn sampled(&self) -> u64 {
        self.sampled.len() as u64
    }

    /// Bytes of a child and of a parent without it: the means.
    pub(super) fn sizes(&self) -> (f64, f64) {
        let children: u64 = self.sampled.iter().flat_map(|f| &f.children).sum();
        let count: u64 = self.sampled.iter().map(|f| f.children.len() as u64).sum();
        let parents: u64 = self.sampled.iter().map(|f| f.base).sum();
        (children as f64 / count.max(1) as f64, parents as f64 / self.sampled.len().max(1) as f64)
    }

    /// Bytes of what is shown of a parent beside each child: the mean.
    pub(super) fn shown(&self) -> f64 {
        let shown: u64 = self.sampled.iter().map(|f| f.shown).sum();
        shown as f64 / self.sampled.len().max(1) as f64
    }

    /// How many children the sampled parents have: median, 99th percentile, most; those without any are left out.
    pub(super) fn counts(&self) -> (u64, u64, u64) {
        let mut counts: Vec<u64> = self.sampled.iter().map(|f| f.count).filter(|count| 0 < *count).collect();
        counts.order();
        let rank = |percent: usize| {
            let at = (counts.len() * percent).div_ceil(100).max(1) - 1;
            counts.get(at).copied().unwrap_or(0)
        };
        (rank(50), rank(99), counts.last().copied().unwrap_or(0))
    }

    /// Children at the 99th percentile in so many months, if every parent keeps its pace.
    pub(super) fn forecast(&self, months: f64) -> f64 {
        let counts = sorted(self.sampled.iter().map(|f| f.count as f64 + f.rate * months));
        counts.get((counts.len() * 99).div_ceil(100).max(1) - 1).copied().unwrap_or(0.0)
    }

    /// The largest parent with all of its children in it, in so many months.
    pub(super) fn largest_embedded(&self, months: f64) -> f64 {
        let of = |family: &Family| {
            let mean = family.children.iter().sum::<u64>() as f64 / family.children.len().max(1) as f64;
            family.base as f64 + (family.count as f64 + family.rate * months) * (mean + 4.0)
        };
        self.sampled.iter().map(of).fold(0.0, f64::max)
    }

    /// The named figures of a form, and the documents and bytes that the weighed patterns read and write a run.
    pub(super) fn figures(&self, form: Form, weights: &Weights) -> (Map<String, Value>, Cost) {
        let mut sum = Sum::default();
        for family in &self.sampled {
            self.add(form, family, &mut sum);
        }
        let count = self.sampled.len().max(1) as f64;
        let mut out = Map::new();
        let mut put = |name: &str, value: f64| {
            out.insert(name.to_owned(), tenths(value));
        };
        let patterns = [
            ("ReadToShowParent", sum.parent, weights.parent),
            ("ReadToShowBoth", sum.both, weights.both),
            ("ReadToShowChildren", sum.children, weights.children),
            ("ReadToShowChild", sum.child, weights.child),
            ("ReadToShowChildWithParent", sum.joined, weights.joined),
            ("WrittenToAddOne", sum.added, weights.added),
            ("WrittenToChangeOne", sum.written, weights.written),
            ("WrittenToChangeParent", sum.changed, weights.changed),
        ];
        let mut cost = Cost::default();
        let total: f64 = patterns.iter().map(|(_, _, weight)| weight).sum();
        for (name, Cost(documents, bytes), weight) in patterns {
            put(&format!("documents{name}"), documents / count);
            put(&format!("bytes{name}"), (bytes / count).round());
            cost.add(documents / count * weight, bytes / count * weight);
        }
        if 0.0 < total {
            cost = Cost(cost.0 / total, cost.1 / total);
            put("documentsPerRun", cost.0);
            put("bytesPerRun", cost.1.round());
        }
        put("indexEntriesPerParent", sum.entries / count);
        put("storedBytes", (sum.stored * self.scale).round());
        put("largestDocument", sum.largest.round());
        if self.sampled.iter().any(|family| 0.0 < family.rate) && matches!(form, Form::Embed | Form::ChildReferences) {
            for years in YEARS {
                let months = f64::from(years) * YEAR;
                let largest = if form == Form::Embed {
                    self.largest_embedded(months)
                } else {
                    let of =
                        |f: &Family| f.base as f64 + (f.count as f64 + f.rate * months) * (self.child_id + 4) as f64;
                    self.sampled.iter().map(of).fold(0.0, f64::max)
                };
                put(&format!("largestDocumentIn{years}Year{}", if years == 1 { "" } else { "s" }), largest.round());
            }
        }
        if 0 < self.filled {
            put("familiesFilledFromOthers", self.filled as f64);
        }
        (out, cost)
    }

    fn add(&self, form: Form, family: &Family, sum: &mut Sum) {
        let names = &self.names;
        let total: u64 = family.children.iter().sum();
        let n = family.children.len() as f64;
        let mean = if n == 0.0 { 0.0 } else { total as f64 / n };
        let reference = field(&names.parent_id, family.id);
        let keys = || array(family.children.iter().map(|_| self.child_id));
        let count = field(&names.count, INT);
        let base = family.base as f64;
        let apart = |child: u64| (child + reference) as f64;
        let all_apart = (total + reference * family.children.len() as u64) as f64;
        let own_entries = 1.0 + self.child_indexes as f64;
        match form {
            Form::ParentReference | Form::ExtendedReference | Form::Computed | Form::Subset => {
                let copies = if form == Form::ExtendedReference { family.shown as f64 } else { 0.0 };
                let newest: Vec<u64> = family.children.iter().copied().take(self.newest as usize).collect();
                let (extra, shown_with) = match form {
                    Form::Subset => (field(&names.recent, array(newest.iter().copied())) + count, 0.0),
                    Form::Computed => (count, 0.0),
                    _ => (0, n),
                };
                let parent = base + extra as f64;
                let each = mean + reference as f64 + copies;
                let children = all_apart + copies * n;
                sum.parent.add(1.0, parent);
                let brought = if shown_with == 0.0 { 0.0 } else { children };
                sum.both.add(1.0 + shown_with, parent + brought);
                sum.children.add(n, children);
                sum.child.add(1.0, each);
                let with_parent = if form == Form::ExtendedReference { (1.0, each) } else { (2.0, each + parent) };
                sum.joined.add(with_parent.0, with_parent.1);
                let in_parent = if matches!(form, Form::Subset | Form::Computed) { (1.0, parent) } else { (0.0, 0.0) };
                sum.added.add(1.0 + in_parent.0, each + in_parent.1);
                sum.written.add(1.0 + in_parent.0, each + in_parent.1);
                let rewritten = if form == Form::ExtendedReference { (n, children) } else { (0.0, 0.0) };
                sum.changed.add(1.0 + rewritten.0, parent + rewritten.1);
                sum.entries += n * (own_entries + 1.0);
                sum.stored += parent + children;
                let largest = family.children.iter().copied().map(apart).fold(parent, f64::max);
                sum.largest = sum.largest.max(largest + copies);
            }
            Form::ChildReferences => {
                let held = if names.one { self.child_id } else { keys() };
                let list = field(&names.child_ids, held) as f64;
                let parent = base + if family.children.is_empty() { 0.0 } else { list };
                sum.parent.add(1.0, parent);
                sum.both.add(1.0 + n, parent + total as f64);
                sum.children.add(1.0 + n, parent + total as f64);
                sum.child.add(1.0, mean);
                sum.joined.add(2.0, mean + parent);
                sum.added.add(2.0, mean + parent);
                sum.written.add(1.0, mean);
                sum.changed.add(1.0, parent);
                sum.entries += n * own_entries + n.max(1.0);
                sum.stored += parent + total as f64;
                sum.largest = sum.largest.max(family.children.iter().map(|c| *c as f64).fold(parent, f64::max));
            }
            Form::Embed => {
                let list = if names.one {
                    total + 2 + names.list.len() as u64
                } else {
                    field(&names.list, array(family.children.iter().copied()))
                };
                let parent = base + if family.children.is_empty() { 0.0 } else { list as f64 };
                for pattern in [&mut sum.parent, &mut sum.both, &mut sum.children, &mut sum.child, &mut sum.joined] {
                    pattern.add(1.0, parent);
                }
                sum.added.add(1.0, parent + mean);
                sum.written.add(1.0, parent);
                sum.changed.add(1.0, parent);
                sum.entries += self.child_indexes as f64 * n.max(1.0);
                sum.stored += parent;
                sum.largest = sum.largest.max(parent);
            }
            Form::Association => {
                let link = (EMPTY + field("_id", OBJECT_ID) + reference + field(&names.child_id, self.child_id)) as f64;
                sum.parent.add(1.0, base);
                sum.both.add(1.0 + 2.0 * n, base + n * link + total as f64);
                sum.children.add(2.0 * n, n * link + total as f64);
                sum.child.add(1.0, mean);
                sum.joined.add(3.0, mean + link + base);
                sum.added.add(2.0, mean + link);
                sum.written.add(1.0, mean);
                sum.changed.add(1.0, base);
                sum.entries += n * (own_entries + 3.0);
                sum.stored += base + n * link + total as f64;
                sum.largest = sum.largest.max(family.children.iter().map(|c| *c as f64).fold(base.max(link), f64::max));
            }
        }
    }
}

/// Children of one parent that are put together; beyond that no form in the parent is thinkable.
const MOST_CHILDREN: u64 = 20_000;

#[derive(Debug, Default)]
struct Sum {
    parent: Cost,
    both: Cost,
    children: Cost,
    child: Cost,
    joined: Cost,
    added: Cost,
    written: Cost,
    changed: Cost,
    entries: f64,
    stored: f64,
    largest: f64,
}

/// Documents and bytes.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Cost(pub(super) f64, pub(super) f64);

impl Cost {
    fn add(&mut self, documents: f64, bytes: f64) {
        self.0 += documents;
        self.1 += bytes;
    }
}

impl Family {
    fn of_parent(document: &Document<'_>, bytes: u64, key_path: &str, shown: &[String]) -> Family {
        let size = |path: &str| {
            let at = reach(document, path).first().copied()?;
            document.entries.get(at).map(|entry| (entry.key, u64::from(entry.item.bytes())))
        };
        let shown = shown.iter().filter_map(|path| size(path)).map(|(name, bytes)| field(name, bytes)).sum();
        Family {
            base: bytes,
            id: size(key_path).map_or(OBJECT_ID, |(_, bytes)| bytes),
            created: creation_time(document),
            shown,
            ..Family::default()
        }
    }
}

/// How many documents name each value, by the value's hash; empty where the parents list their children.
fn counts(relation: &Relation, referring: &Collection, holder: Holder) -> BTreeMap<u64, u64> {
    if holder == Holder::Parent {
        return BTreeMap::new();
    }
    let profile = referring.profile.as_ref();
    let fields =
        profile.iter().flat_map(|p| p.resolve(relation.path.as_str()).into_iter().filter_map(|id| p.field(id)));
    fields.filter_map(|field| field.distinct.as_deref()).flat_map(Distinct::smallest).collect()
}

/// The value at a path as a key of the reference.
fn key_of(document: &Document<'_>, path: &str) -> Option<u64> {
    let at = reach(document, path).first().copied()?;
    document.entries.get(at).map(|entry| hash_key(&entry.item))
}

/// The value at a path as profiles count it.
fn value_of(document: &Document<'_>, path: &str) -> Option<u64> {
    let at = reach(document, path).first().copied()?;
    document.entries.get(at).map(|entry| hash_scalar(&entry.item))
}

/// Bytes of the list at a path with its name, and how many elements it has.
fn list_of(document: &Document<'_>, path: &str) -> (u64, u64) {
    let mut at = 0;
    for name in path.split('.') {
        match document.children(at).find(|(_, entry)| entry.key == name) {
            Some((place, _)) => at = place,
            None => return (0, 0),
        }
    }
    match document.entries.get(at) {
        Some(Entry { key, item: Item::Array { len, bytes, .. } }) => (field(key, u64::from(*bytes)), u64::from(*len)),
        _ => (0, 0),
    }
}
