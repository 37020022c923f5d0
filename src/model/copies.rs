//! Declared copies, compared with what they copy.

use std::collections::BTreeSet;

use super::pattern::time_of;
use super::registry::Entry;
use super::{Model, Pairs};
use crate::catalogue::Namespace;
use crate::config::intent;
use crate::facts::names;
use crate::value::event::{Document, Item};
use crate::value::hash::hash_entry;
use crate::value::path::reach;

/// Where a declared copy stands and where its source is.
pub struct Link<'m> {
    /// The documents on both sides.
    pub pairs: Pairs<'m>,
    /// Path of the copy.
    copy: String,
    /// Path of the source in its document.
    source: String,
}

/// How the copies of an entry compare with their sources.
#[derive(Debug, Default)]
pub struct Compared {
    /// Pairs that hold both.
    pub pairs: u64,
    /// Of these, how many differ though the source changed before the budget, or at a time that nothing tells.
    pub different: u64,
    /// Of these, how many have a source that tells when it changed.
    pub timed: u64,
    /// The earliest time at which the source of a copy that differs changed, in milliseconds.
    pub since: Option<i64>,
}

/// What became of copies whose source is gone.
#[derive(Debug, Default)]
pub struct Outlived {
    /// Documents whose source is gone.
    pub gone: u64,
    /// Of these, how many still hold the copy.
    pub full: u64,
}

impl Model {
    /// How an entry is joined with its source: as it says, else by the relationship between the two collections.
    pub fn link(&self, entry: &Entry<'_>) -> Option<Link<'_>> {
        let known: Vec<String> = self.collections.iter().map(|collection| collection.ns.to_string()).collect();
        let (ns, source) = intent::split(entry.derived.source.as_deref()?, known.iter().map(String::as_str))?;
        let to = Namespace::parse(ns);
        let (path, target) = match entry.derived.on.iter().next() {
            Some((target, path)) if entry.derived.on.len() == 1 => (path.clone(), target.clone()),
            Some(_) => return None,
            None => {
                let joins = self.relations.iter().filter(|relation| relation.from == entry.ns && relation.to == to);
                let near = joins.max_by_key(|relation| common(relation.path.as_str(), &entry.path))?;
                (near.path.to_string(), near.target.to_string())
            }
        };
        let pairs = self.pairs_between(&entry.ns, &path, &to, &target)?;
        Some(Link { pairs, copy: entry.path.clone(), source: source.to_owned() })
    }
}

/// Letters that two paths have in common at their beginning.
fn common(a: &str, b: &str) -> usize {
    a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count()
}

impl Link<'_> {
    /// Compares all pairs at hand. A source that changed less than `budget` milliseconds before `now` may be on its way.
    pub fn compare(&self, budget: i64, now: Option<i64>) -> Compared {
        let mut compared = Compared::default();
        self.pairs.each(|pair| {
            let Some(copy) = beside(pair.child, pair.value, &self.pairs.path, &self.copy) else { return };
            let Some(source) = super::pattern::place_of(pair.parent, &self.source) else { return };
            if is_empty(pair.child, copy) || is_empty(pair.parent, source) {
                return;
            }
            compared.pairs += 1;
            if hash_entry(pair.child, copy) == hash_entry(pair.parent, source) {
                return;
            }
            let changed = changed(pair.parent);
            if let (Some(changed), Some(now)) = (changed, now)
                && now.saturating_sub(changed) < budget
            {
                return;
            }
            compared.different += 1;
            compared.timed += u64::from(changed.is_some());
            compared.since = [compared.since, changed].into_iter().flatten().min();
        });
        compared
    }

    /// Looks for copies whose source is gone. One constant in all of them stands for none: that is how they are made
    /// anonymous.
    pub fn outlived(&self) -> Outlived {
        let mut outlived = Outlived::default();
        let mut values = BTreeSet::new();
        self.pairs.each_lost(|child, value| {
            outlived.gone += 1;
            let copy = beside(child, value, &self.pairs.path, &self.copy).filter(|copy| !is_empty(child, *copy));
            if let Some(copy) = copy {
                outlived.full += 1;
                values.insert(hash_entry(child, copy));
            }
        });
        if values.len() < 2 {
            outlived.full = 0;
        }
        outlived
    }
}

/// The place of a path in the object that holds a reference; paths outside of that object are looked for from the top.
fn beside(document: &Document<'_>, value: usize, reference: &str, path: &str) -> Option<usize> {
    let holder = reference.rsplit_once('.').map_or("", |(holder, _)| holder);
    let below = path.strip_prefix(holder).and_then(|rest| rest.strip_prefix('.')).filter(|_| !holder.is_empty());
    let Some(below) = below else { return super::pattern::place_of(document, path) };
    let holds = |at: &usize| match document.entries.get(*at).map(|entry| entry.item) {
        Some(Item::Object { end, .. }) => *at < value && value < end as usize,
        _ => false,
    };
    let mut at = reach(document, holder).into_iter().find(holds)?;
    for name in below.split('.') {
        at = document.children(at).find(|(_, entry)| entry.key == name)?.0;
    }
    Some(at)
}

fn is_empty(document: &Document<'_>, at: usize) -> bool {
    match document.entries.get(at).map(|entry| entry.item) {
        None | Some(Item::Null | Item::Undefined) => true,
        Some(Item::String(text)) => text.is_empty(),
        Some(_) => false,
    }
}

/// When a document was last changed, as far as a field of its own tells.
fn changed(document: &Document<'_>) -> Option<i64> {
    let mut times = document.children(0).filter(|(_, entry)| names::is_change_time(entry.key));
    times.find_map(|(_, entry)| time_of(&entry.item))
}
