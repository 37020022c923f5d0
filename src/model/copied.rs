//! Fields that repeat a field of the document that they refer to.

use std::collections::{BTreeMap, BTreeSet};

use super::Pairs;
use crate::facts::names::{self, words};
use crate::value::event::{Document, Item};
use crate::value::hash::hash_entry;

/// A field beside a reference that has the values of a field of what is referred to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Copied {
    /// Path of the copy in the documents that refer.
    pub path: String,
    /// Path of its source in the documents that are referred to.
    pub source: String,
    /// Pairs of documents that hold both.
    pub pairs: u64,
    /// Of these, how many hold the same value.
    pub equal: u64,
    /// Distinct values of the source in these pairs.
    pub distinct: u64,
    /// Whether the names of both agree: `customerName` and `name`.
    pub named: bool,
    /// Bytes of the copies with their names, in all pairs.
    pub bytes: u64,
}

/// Pairs below which nothing is told.
const MIN_PAIRS: u64 = 20;
/// Values up to this are an enumeration, whose repetition says nothing.
const MAX_CONSTANTS: u64 = 10;
/// Fields of one document that are compared.
const MAX_FIELDS: usize = 64;

/// A field that may be a copy or a source.
struct Leaf {
    path: String,
    hash: u64,
    bytes: u64,
}

#[derive(Debug, Default)]
struct Tally {
    pairs: u64,
    equal: u64,
    values: BTreeSet<u64>,
    bytes: u64,
}

/// The copies that stand beside a reference, by their paths: equal in nine of ten pairs, or in half of them where the
/// names agree. Of several sources of one copy the one that agrees most often counts.
pub fn copied(pairs: &Pairs<'_>) -> Vec<Copied> {
    let mut found: BTreeMap<(String, String), Tally> = BTreeMap::new();
    pairs.each(|pair| {
        if !pair.sampled {
            return;
        }
        let copies = beside(pair.child, &pairs.path);
        let sources = leaves(pair.parent, 0, "", 2);
        for copy in &copies {
            for source in sources.iter().filter(|source| source.path != "_id" && source.path != pairs.target) {
                let tally = found.entry((copy.path.clone(), source.path.clone())).or_default();
                tally.pairs += 1;
                tally.equal += u64::from(copy.hash == source.hash);
                tally.bytes += copy.bytes;
                if tally.values.len() as u64 <= MAX_CONSTANTS {
                    tally.values.insert(source.hash);
                }
            }
        }
    });
    let mut best: BTreeMap<String, Copied> = BTreeMap::new();
    for ((path, source), tally) in found {
        let Tally { pairs, equal, values, bytes } = tally;
        let named = agree(&path, &source);
        let enough = equal * 10 >= pairs * 9 || named && equal * 2 >= pairs;
        let distinct = values.len() as u64;
        if pairs < MIN_PAIRS || !enough || distinct <= MAX_CONSTANTS {
            continue;
        }
        let copied = Copied { path: path.clone(), source, pairs, equal, distinct, named, bytes };
        let known = best.entry(path).or_insert_with(|| copied.clone());
        if (known.named, known.equal) < (copied.named, copied.equal) {
            *known = copied;
        }
    }
    best.into_values().collect()
}

/// The fields in the object that holds the reference, and in objects right below it. A reference at the top has its
/// copies at the top or in an object of its own name: `customerId` and `customer.name`.
fn beside(document: &Document<'_>, path: &str) -> Vec<Leaf> {
    let (holder, name) = path.rsplit_once('.').map_or(("", path), |(holder, name)| (holder, name));
    let mut out = Vec::new();
    for at in if holder.is_empty() { vec![0] } else { crate::value::path::reach(document, holder) } {
        let fields = leaves(document, at, holder, 2);
        out.extend(fields.into_iter().filter(|leaf| leaf.path != path && !is_key(&leaf.path, holder, name)));
        if MAX_FIELDS <= out.len() || holder.is_empty() {
            break;
        }
    }
    out.truncate(MAX_FIELDS);
    out
}

/// Whether a field is a key rather than a copy: `_id`, or a key below an object.
fn is_key(path: &str, holder: &str, name: &str) -> bool {
    let own = path.strip_prefix(holder).unwrap_or(path).trim_start_matches('.');
    own == "_id" || own == name || own.ends_with("._id")
}

/// The scalars of an object and of the objects in it.
fn leaves(document: &Document<'_>, at: usize, prefix: &str, depth: u32) -> Vec<Leaf> {
    let mut out = Vec::new();
    for (place, entry) in document.children(at) {
        if MAX_FIELDS <= out.len() {
            break;
        }
        let path = if prefix.is_empty() { entry.key.to_owned() } else { format!("{prefix}.{}", entry.key) };
        match entry.item {
            Item::Object { .. } if 1 < depth => out.extend(leaves(document, place, &path, depth - 1)),
            Item::Object { .. } | Item::Array { .. } | Item::Null | Item::Bool(_) => {}
            item => {
                let bytes = entry.key.len() as u64 + 2 + u64::from(item.bytes());
                out.push(Leaf { path, hash: hash_entry(document, place), bytes });
            }
        }
    }
    out
}

/// Whether the name of a copy holds all words of the name of its source, or the source's leaf: `productNameAtPurchase`
/// and `name`, `customer.currentName` and `name`.
fn agree(copy: &str, source: &str) -> bool {
    let leaf = |path: &str| words(path.rsplit('.').next().unwrap_or(path));
    let (copy, source) = (leaf(copy), leaf(source));
    let has = |word: &String| copy.iter().any(|other| other == word || names::is_same_thing(other, word));
    !source.is_empty() && source.iter().all(has)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_copies_hold_those_of_their_sources() {
        for (copy, source) in
            [("customerName", "name"), ("customer.currentName", "name"), ("items.unitPrice", "unitPrice"), ("n", "n")]
        {
            assert!(agree(copy, source), "{copy} {source}");
        }
        assert!(!agree("total", "price") && !agree("name", "lastName"));
    }
}
