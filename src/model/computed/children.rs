//! Stored counts, sums and means over the documents of another collection that refer to theirs.

use std::collections::BTreeMap;

use super::formula::{number, value_of};
use super::search::{Rounding, rounding};
use super::{Computed, Outcome, Source, Tally};
use crate::catalogue::Namespace;
use crate::facts::names;
use crate::model::{Collection, Model, Relation};
use crate::profile::{Distinct, FieldKind};
use crate::value::event::{Document, Item};
use crate::value::hash::{hash_entry, hash_scalar};
use crate::value::path::{FieldPath, reach};

/// How a stored number follows from documents that refer to its document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Children {
    /// Their collection.
    pub collection: Namespace,
    /// Path of their reference.
    pub reference: String,
    /// The field that it refers to.
    pub key: String,
    /// What is taken of them.
    pub of: Of,
}

/// What is taken of documents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Of {
    /// How many there are.
    Count,
    /// The sum of a field.
    Sum(String),
    /// The mean of a field.
    Mean(String),
}

impl Children {
    /// As text: `count(shop.reviews)`.
    pub fn describe(&self) -> String {
        match &self.of {
            Of::Count => format!("count({})", self.collection),
            Of::Sum(field) => format!("sum({}.{field})", self.collection),
            Of::Mean(field) => format!("avg({}.{field})", self.collection),
        }
    }
}

/// Numbers of one child that are summed up.
const MAX_FIELDS: usize = 6;
/// Parents that must hold the number.
const MIN_PARENTS: u64 = 3;
/// Share that must agree before a formula is taken for meant, where the names say so and where they say no more than
/// that it counts.
const NAMED: f64 = 0.6;
const UNNAMED: f64 = 0.9;
/// Values of a field by which children may be told apart that count and that do not.
const MAX_STATES: usize = 10;

/// Adds what the collections that refer to others tell.
pub(super) fn find(model: &Model, found: &mut Vec<Computed>) {
    for relation in model.relations.iter().filter(|relation| !relation.is_self()) {
        let (Some(child), Some(parent)) = (model.collection(&relation.from), model.collection(&relation.to)) else {
            continue;
        };
        if !child.complete || !parent.complete || child.documents() == 0 {
            continue;
        }
        let candidates = candidates(child, parent, relation);
        if candidates.is_empty() {
            continue;
        }
        let groups = Groups::of(child, relation);
        for (path, named) in candidates {
            let known = found.iter().any(|c| c.ns == parent.ns && c.path.as_str() == path && 0 < c.tally.agree);
            if let Some(computed) = best(child, parent, relation, &groups, &path, named)
                && (!known || computed.tally.differ == 0)
            {
                found.retain(|c| c.ns != parent.ns || c.path.as_str() != path);
                found.push(computed);
            }
        }
    }
}

/// Numbers of the parents that may count or sum up children, and whether their names say so.
fn candidates(child: &Collection, parent: &Collection, relation: &Relation) -> Vec<(String, bool)> {
    let Some(profile) = parent.profile.as_deref() else { return Vec::new() };
    let things = names::words(&child.ns.collection);
    let mut out = Vec::new();
    for at in parent.fields().filter(|at| at.field.kind == FieldKind::Named && 0 < at.field.number_count()) {
        let words = names::words(at.leaf());
        if profile.in_array(at.id) || at.path.as_str() == relation.target.as_str() {
            continue;
        }
        let counted = names::counted(at.leaf());
        let names_children = |thing: &[String]| names::names_thing(thing, &things);
        // `reviewCount`, `num_mflix_comments`; `reviews.count` stands under its thing.
        let above = at.path.as_str().rsplit('.').nth(1).map(names::words).unwrap_or_default();
        let named = names::is_count(at.leaf())
            && (names_children(&counted) || counted.is_empty() && names_children(&above))
            || names_children(&words);
        let speaks = named || names::is_count(at.leaf()) || names::is_total(at.leaf()) || names::is_average(at.leaf());
        if speaks {
            out.push((at.path.to_string(), named));
        }
    }
    out
}

/// The children of each parent, by the hash of the reference.
#[derive(Debug, Default)]
struct Groups {
    /// Counts, and up to which hash they are known.
    counts: BTreeMap<u64, u64>,
    below: u64,
    /// Of children that are all at hand: what is summed of each parent's, field by field.
    fields: Vec<String>,
    sums: BTreeMap<u64, Vec<(f64, u64)>>,
    /// How many children of a parent have a value of a field of states.
    states: BTreeMap<String, BTreeMap<u64, BTreeMap<u64, u64>>>,
    whole: bool,
}

impl Groups {
    fn of(child: &Collection, relation: &Relation) -> Groups {
        let mut groups = Groups::default();
        let Some(profile) = child.profile.as_deref() else { return groups };
        let ids = profile.resolve(relation.path.as_str());
        let distinct: Vec<&Distinct> = ids.iter().filter_map(|id| profile.field(*id)?.distinct.as_deref()).collect();
        if let [distinct] = distinct.as_slice() {
            groups.counts = distinct.smallest().into_iter().collect();
            groups.below = distinct.kept_below();
        }
        groups.whole = child.sampled() == profile.documents && !profile.is_cut();
        if !groups.whole {
            return groups;
        }
        let numeric = |at: &crate::model::FieldRef<'_>| {
            at.field.kind == FieldKind::Named
                && 0 < at.field.number_count()
                && !profile.in_array(at.id)
                && at.path.as_str() != relation.path.as_str()
                && !names::is_version(at.leaf())
        };
        groups.fields = child.fields().filter(numeric).map(|at| at.path.to_string()).take(MAX_FIELDS).collect();
        let is_state = |at: &crate::model::FieldRef<'_>| {
            let shape = at.has(crate::value::Type::Bool) || at.has(crate::value::Type::String);
            at.field.kind == FieldKind::Named
                && !profile.in_array(at.id)
                && (shape && at.field.distinct_count() <= MAX_STATES as u64 || names::is_event_time(at.leaf()))
        };
        let states: Vec<String> =
            child.fields().filter(is_state).map(|at| at.path.to_string()).take(MAX_STATES).collect();
        groups.counts.clear();
        groups.below = u64::MAX;
        child.each_sampled(|document| {
            for at in reach(document, relation.path.as_str()) {
                let Some(entry) = document.entries.get(at) else { continue };
                groups.add(document, hash_scalar(&entry.item), &states);
            }
        });
        groups
    }

    fn add(&mut self, document: &Document<'_>, parent: u64, states: &[String]) {
        *self.counts.entry(parent).or_default() += 1;
        let sums = self.sums.entry(parent).or_insert_with(|| vec![(0.0, 0); self.fields.len()]);
        for (sum, field) in sums.iter_mut().zip(&self.fields) {
            if let Some(value) = number(document, 0, field) {
                sum.0 += value;
                sum.1 += 1;
            }
        }
        for state in states {
            let place = super::formula::place(document, 0, state);
            let value = match place.and_then(|at| document.entries.get(at)).map(|entry| entry.item) {
                None | Some(Item::Null) => 0,
                // That it has one says all: `deletedAt`.
                Some(Item::Date(_)) => 1,
                Some(_) => hash_entry(document, place.unwrap_or_default()),
            };
            let by_parent = self.states.entry(state.clone()).or_default().entry(parent).or_default();
            *by_parent.entry(value).or_default() += 1;
        }
    }
}

/// The formula that a number of the parents agrees with most often.
fn best(
    child: &Collection,
    parent: &Collection,
    relation: &Relation,
    groups: &Groups,
    path: &str,
    named: bool,
) -> Option<Computed> {
    let stored = stored(parent, relation.target.as_str(), path);
    let field = parent.fields().find(|at| at.path.as_str() == path)?;
    let rounding = rounding(parent.profile.as_deref()?, &field.path);
    let mut options: Vec<(Of, bool, Tally)> = Vec::new();
    let is_mean = names::is_average(field.leaf());
    if !is_mean {
        let counted = |key: u64| (key <= groups.below).then(|| groups.counts.get(&key).copied().unwrap_or(0) as f64);
        options.push((Of::Count, named, compare(&stored, rounding, counted)));
    }
    if groups.whole {
        for (at, of) in groups.fields.iter().enumerate() {
            let sums = |key: u64| groups.sums.get(&key).and_then(|sums| sums.get(at)).copied();
            let shares = names::words(of.rsplit('.').next().unwrap_or(of));
            let named =
                names::words(field.leaf()).iter().any(|word| shares.iter().any(|w| names::is_same_thing(w, word)));
            if is_mean {
                let mean = |key| sums(key).filter(|(_, n)| 0 < *n).map(|(sum, n)| sum / n as f64);
                options.push((Of::Mean(of.clone()), named, compare(&stored, rounding, mean)));
            } else {
                let sum = |key| Some(sums(key).map_or(0.0, |(sum, _)| sum));
                options.push((Of::Sum(of.clone()), named, compare(&stored, rounding, sum)));
            }
        }
    }
    let fits = |(_, named, tally): &&(Of, bool, Tally)| {
        MIN_PARENTS <= tally.agree && (if *named { NAMED } else { UNNAMED }) <= tally.agreement()
    };
    let (of, named, tally) = options.iter().filter(fits).max_by_key(|(_, named, tally)| (tally.agree, *named))?.clone();
    // Equal small numbers agree by chance.
    if spread(&stored) < 3 {
        return None;
    }
    let explained_by = if of == Of::Count && 0 < tally.differ { restricted(&stored, groups, tally) } else { None };
    let children = Children {
        collection: child.ns.clone(),
        reference: relation.path.to_string(),
        key: relation.target.to_string(),
        of,
    };
    let source = Source::Children(children);
    Some(Computed {
        ns: parent.ns.clone(),
        path: FieldPath::new(path),
        source,
        named,
        tally,
        exact: stored.len() as u64 == parent.documents(),
        explained_by,
    })
}

/// The key and the number of each parent at hand.
fn stored(parent: &Collection, key: &str, path: &str) -> Vec<(u64, f64)> {
    let mut out = Vec::new();
    parent.each_sampled(|document| {
        let at = super::formula::place(document, 0, key);
        let key = at.and_then(|at| document.entries.get(at)).map(|entry| hash_scalar(&entry.item));
        let value = super::formula::place(document, 0, path).and_then(|at| value_of(&document.entries.get(at)?.item));
        out.extend(key.zip(value));
    });
    out
}

fn spread(stored: &[(u64, f64)]) -> usize {
    let distinct: std::collections::BTreeSet<u64> = stored.iter().map(|(_, value)| value.to_bits()).collect();
    distinct.len()
}

fn compare(stored: &[(u64, f64)], rounding: Rounding, computed: impl Fn(u64) -> Option<f64>) -> Tally {
    let mut tally = Tally::default();
    for (key, value) in stored {
        tally.add(match computed(*key) {
            None => Outcome::Unjudged,
            Some(computed) if rounding.is_close(*value, computed) => Outcome::Agrees,
            Some(computed) => Outcome::Differs { above: computed < *value },
        });
    }
    tally
}

/// The field by whose values the children that count are told from those that do not: with it more parents agree.
fn restricted(stored: &[(u64, f64)], groups: &Groups, all: Tally) -> Option<String> {
    let exact = Rounding::default();
    for (field, by_parent) in &groups.states {
        let mut values: Vec<u64> = by_parent.values().flat_map(|counts| counts.keys().copied()).collect();
        values.sort_unstable();
        values.dedup();
        if MAX_STATES < values.len() {
            continue;
        }
        for value in values {
            let only = |key: u64| {
                let count = by_parent.get(&key).and_then(|counts| counts.get(&value)).copied().unwrap_or(0);
                Some(count as f64)
            };
            let but = |key: u64| Some(groups.counts.get(&key).copied().unwrap_or(0) as f64 - only(key)?);
            let better = |tally: Tally| all.agree < tally.agree && tally.differ * 2 <= all.differ;
            if better(compare(stored, exact, only)) || better(compare(stored, exact, but)) {
                return Some(field.clone());
            }
        }
    }
    None
}
