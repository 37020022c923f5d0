//! Subsets in use: an array with the newest or best of documents that lie apart and name their parent.
//!
//! The order is found by which the elements are the first of all children; what contradicts it is stale.

use std::collections::BTreeMap;

use super::computed::{place, value_of};
use super::{Array, Collection, Model, Relation};
use crate::catalogue::Namespace;
use crate::facts::names;
use crate::profile::{FieldKind, Kept};
use crate::value::Type;
use crate::value::event::{Document, Item};
use crate::value::hash::{hash_entry, hash_key};
use crate::value::path::FieldPath;
use crate::value::time::object_id_time;

/// An array that holds the first of the children of its document.
#[derive(Debug, Clone)]
pub struct Subset {
    /// The collection with the array.
    pub parent: Namespace,
    /// Path of the array.
    pub path: FieldPath,
    /// The collection with all children.
    pub child: Namespace,
    /// Path of the children's reference.
    pub reference: FieldPath,
    /// The field that orders the children.
    pub order: String,
    /// Whether the highest come first.
    pub descending: bool,
    /// The longest array.
    pub longest: u64,
    /// Parents of which it can be said.
    pub parents: u64,
    /// Of these, how many have more children than elements.
    pub cut: u64,
    /// Of these, how many contradict the children.
    pub stale: u64,
    /// Parents with a child that belongs into the array and is not in it.
    pub missing: u64,
    /// Parents with an element that is no child.
    pub gone: u64,
    /// Parents with an element that differs from its child.
    pub differing: u64,
    /// Whether all parents and all children were compared.
    pub exact: bool,
}

/// Elements beyond which an array is no small part.
const MAX_LONGEST: u64 = 200;
/// Fields that elements and children must share.
const MIN_SHARED: usize = 2;
/// Parents that must have more children than elements.
const MIN_CUT: u64 = 3;
/// Share of the parents, in percent, that must agree with the order: where the name says that it is a subset, else.
const NAMED: u64 = 60;
const UNNAMED: u64 = 80;
/// Share of the pairs, in percent, in which a field must be equal to count as a copy.
const COPIED: u64 = 75;

/// The subsets of all collections, in the order of collections and paths.
pub(super) fn find(model: &Model) -> Vec<Subset> {
    let mut found: Vec<Subset> = Vec::new();
    for relation in model.relations.iter().filter(|relation| !relation.is_self() && !relation.many) {
        let (Some(child), Some(parent)) = (model.collection(&relation.from), model.collection(&relation.to)) else {
            continue;
        };
        for array in parent.arrays().iter().filter(|array| !array.nested && !array.numeric) {
            let lengths = &array.stats.lengths;
            if lengths.max() == 0 || MAX_LONGEST < lengths.max() {
                continue;
            }
            found.extend(Shared::of(parent, array, child, relation).and_then(|shared| shared.judge(relation)));
        }
    }
    found.sort_by(|a, b| (&a.parent, &a.path, b.parents).cmp(&(&b.parent, &b.path, a.parents)));
    found.dedup_by(|a, b| a.parent == b.parent && a.path == b.path);
    found
}

/// What elements and children have in common.
struct Shared<'m> {
    parent: &'m Collection,
    array: &'m Array,
    child: &'m Collection,
    /// The field of the elements that holds the key of a child.
    key: Option<String>,
    /// Fields of both by which children may be ordered.
    orders: Vec<String>,
    /// All fields of both but keys.
    fields: Vec<String>,
}

/// An element or a child: its key, what orders it, the hashes of its fields.
#[derive(Debug, Clone)]
struct Member {
    key: Option<u64>,
    orders: Vec<Option<f64>>,
    fields: Vec<Option<u64>>,
}

/// A parent with what its array holds and with its children at hand.
#[derive(Debug, Default)]
struct Family {
    elements: Vec<Member>,
    length: u64,
    children: Vec<Member>,
}

impl<'m> Shared<'m> {
    fn of(parent: &'m Collection, array: &'m Array, child: &'m Collection, relation: &Relation) -> Option<Shared<'m>> {
        let (profile, children) = (parent.profile.as_deref()?, child.profile.as_deref()?);
        let element = array.element?;
        let named = |(_, field): &(crate::profile::FieldId, &crate::profile::Field)| field.kind == FieldKind::Named;
        let (mut fields, mut orders, mut key) = (Vec::new(), Vec::new(), None);
        for (_, field) in profile.children(element).filter(named) {
            let name = field.name.to_string();
            let is_key = name == "_id" || names::is_own_key(&name, &child.ns.collection);
            if is_key {
                key.get_or_insert(name);
                continue;
            }
            let twin = children.children(crate::profile::FieldId::ROOT).find(|(_, other)| *other.name == *name);
            let Some((_, twin)) = twin.filter(|_| name != relation.path.as_str()) else { continue };
            let is_order = |f: &crate::profile::Field| 0 < f.count_of(Type::Date) || 0 < f.number_count();
            if is_order(field) && is_order(twin) {
                orders.push(name.clone());
            }
            fields.push(name);
        }
        if key.is_some() && orders.is_empty() {
            // The time in its id orders it too.
            orders.push("_id".to_owned());
        }
        let enough = MIN_SHARED <= fields.len() + usize::from(key.is_some());
        (enough && !orders.is_empty()).then_some(Shared { parent, array, child, key, orders, fields })
    }

    fn families(&self, relation: &Relation) -> BTreeMap<u64, Family> {
        let mut families: BTreeMap<u64, Family> = BTreeMap::new();
        self.parent.each_sampled(|document| {
            let at = place(document, 0, relation.target.as_str());
            let Some(entry) = at.and_then(|at| document.entries.get(at)) else { return };
            let Some(array) = place(document, 0, self.array.path.as_str()) else { return };
            let Some(Item::Array { len, .. }) = document.entries.get(array).map(|entry| entry.item) else { return };
            let family = families.entry(hash_key(&entry.item)).or_default();
            family.length = u64::from(len);
            let elements = document.children(array);
            family.elements = elements.map(|(at, _)| self.member(document, at, self.key.as_deref())).collect();
        });
        let mut add = |document: &Document<'_>| {
            let at = place(document, 0, relation.path.as_str());
            let Some(entry) = at.and_then(|at| document.entries.get(at)) else { return };
            if let Some(family) = families.get_mut(&hash_key(&entry.item)) {
                family.children.push(self.member(document, 0, Some("_id")));
            }
        };
        self.child.each_sampled(&mut add);
        let sample = self.child.profile.as_ref().map(|profile| &profile.sample);
        let fetched = self.child.fetched.documents().iter();
        let others = fetched.filter(|(hash, _)| !sample.is_some_and(|sample| sample.holds(*hash)));
        others.map(|(_, kept): (u64, &Kept)| kept).for_each(|kept| {
            kept.with(&mut add);
        });
        families.retain(|_, family| !family.children.is_empty() || self.has_all_children());
        families
    }

    fn member(&self, document: &Document<'_>, at: usize, key: Option<&str>) -> Member {
        let of = |name: &str| place(document, at, name).and_then(|at| Some((at, document.entries.get(at)?.item)));
        let key_item = key.and_then(of).map(|(_, item)| item);
        let order = |name: &String| match name.as_str() {
            "_id" => match key_item? {
                Item::ObjectId(id) => Some(object_id_time(id) as f64),
                item => value_of(&item),
            },
            name => match of(name)?.1 {
                Item::Date(at) => Some(at as f64),
                item => value_of(&item),
            },
        };
        Member {
            key: key_item.map(|item| hash_key(&item)),
            orders: self.orders.iter().map(order).collect(),
            fields: self.fields.iter().map(|name| of(name).map(|(at, _)| hash_entry(document, at))).collect(),
        }
    }

    fn has_all_children(&self) -> bool {
        let profile = self.child.profile.as_deref();
        self.child.complete && profile.is_some_and(|p| p.documents == p.sample.len() as u64 && !p.is_cut())
    }

    fn judge(&self, relation: &Relation) -> Option<Subset> {
        let families = self.families(relation);
        let families: Vec<&Family> = families.values().filter(|family| !family.children.is_empty()).collect();
        let longest = self.array.stats.lengths.max();
        let cut =
            families.iter().filter(|family| (family.elements.len() as u64) < family.children.len() as u64).count();
        if (cut as u64) < MIN_CUT {
            return None;
        }
        let least = if names::is_subset(self.array.path.leaf()) { NAMED } else { UNNAMED };
        let mut best: Option<(u64, usize, bool)> = None;
        for at in 0..self.orders.len() {
            for descending in [true, false] {
                // The order shows where a child is left out.
                let telling = families.iter().filter(|f| f.elements.len() < f.children.len() && !f.elements.is_empty());
                let agree = telling.filter(|f| !lacks(f, at, descending, longest)).count() as u64;
                if best.is_none_or(|(known, ..)| known < agree) {
                    best = Some((agree, at, descending));
                }
            }
        }
        let (agree, at, descending) = best?;
        if agree < MIN_CUT || agree * 100 < cut as u64 * least {
            return None;
        }
        let copies = self.copies(&families, at);
        let mut subset = Subset {
            parent: self.parent.ns.clone(),
            path: self.array.path.clone(),
            child: self.child.ns.clone(),
            reference: relation.path.clone(),
            order: self.orders.get(at)?.clone(),
            descending,
            longest,
            parents: families.len() as u64,
            cut: cut as u64,
            stale: 0,
            missing: 0,
            gone: 0,
            differing: 0,
            exact: self.has_all_children() && self.parent.complete && self.parent.sampled() == self.parent.documents(),
        };
        for family in families {
            let missing = lacks(family, at, descending, longest);
            let is_child = |element: &&Member| family.children.iter().any(|child| is_same(element, child, at));
            let gone = self.has_all_children() && !family.elements.iter().all(|element| is_child(&element));
            let differing = family.elements.iter().any(|element| {
                let child = family.children.iter().find(|child| is_same(element, child, at));
                let differs = |(place, copied): (usize, &bool)| {
                    let of = |member: &Member| member.fields.get(place).copied().flatten();
                    *copied && child.is_some_and(|child| of(child) != of(element))
                };
                copies.iter().enumerate().any(differs)
            });
            subset.missing += u64::from(missing);
            subset.gone += u64::from(gone);
            subset.differing += u64::from(differing);
            subset.stale += u64::from(missing || gone || differing);
        }
        Some(subset)
    }

    /// Which of the shared fields are copies: equal in nearly all pairs.
    fn copies(&self, families: &[&Family], at: usize) -> Vec<bool> {
        let mut counts = vec![(0_u64, 0_u64); self.fields.len()];
        for family in families {
            for element in &family.elements {
                let Some(child) = family.children.iter().find(|child| is_same(element, child, at)) else { continue };
                for ((equal, all), (a, b)) in counts.iter_mut().zip(element.fields.iter().zip(&child.fields)) {
                    *all += 1;
                    *equal += u64::from(a == b);
                }
            }
        }
        counts.into_iter().map(|(equal, all)| all * COPIED <= equal * 100 && 0 < all).collect()
    }
}

/// Whether an element stands for a child: by its key, else by what orders it.
fn is_same(element: &Member, child: &Member, at: usize) -> bool {
    match (element.key, child.key) {
        (Some(a), Some(b)) => a == b,
        _ => element
            .orders
            .get(at)
            .copied()
            .flatten()
            .is_some_and(|a| child.orders.get(at).copied().flatten() == Some(a)),
    }
}

/// Whether a child belongs into the array and is not in it.
fn lacks(family: &Family, at: usize, descending: bool, longest: u64) -> bool {
    let order = |member: &Member| member.orders.get(at).copied().flatten();
    let values = family.elements.iter().filter_map(order);
    let worst = if descending { values.reduce(f64::min) } else { values.reduce(f64::max) };
    family.children.iter().any(|child| {
        if family.elements.iter().any(|element| is_same(element, child, at)) {
            return false;
        }
        let is_better = match (order(child), worst) {
            (Some(value), Some(worst)) => {
                if descending {
                    worst < value
                } else {
                    value < worst
                }
            }
            _ => false,
        };
        is_better || family.length < longest && family.elements.len() as u64 == family.length && order(child).is_some()
    })
}
