//! What a live server should be asked for behind a sample: the targets of sampled references and the children of
//! sampled parents, as bounded `find` commands. The hosts only execute them.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::pairs::{as_json, class, classes, referring};
use super::reference::{Hint, Keys, Names, Side, sides};
use super::{Collection, Model};
use crate::catalogue::{CollectionKind, IndexKind, Namespace, Origin};
use crate::order::Ordered;
use crate::value::path::ANY_NAME;
use crate::value::{Type, Value};

/// Bounds of what is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Limits {
    /// Values of one command.
    pub keys: usize,
    /// Values of one reference, in each direction.
    pub keys_of_reference: usize,
    /// Commands in all.
    pub commands: usize,
    /// Bytes of one reply, beyond which the host stops reading it.
    pub bytes: u64,
    /// Documents of a collection that may be scanned where no index serves.
    pub scanned: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { keys: 500, keys_of_reference: 1_000, commands: 200, bytes: 2 << 20, scanned: 10_000 }
    }
}

/// One command, and what to do with its reply.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Wanted {
    /// The name of the input that the reply becomes.
    pub name: String,
    /// The collection as inputs name it.
    pub namespace: String,
    /// Its database, where it is known.
    pub database: Option<String>,
    /// What to run.
    pub command: Find,
    /// Bytes of the reply after which the host stops reading.
    pub bytes: u64,
}

/// A `find` command.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Find {
    /// The collection.
    pub find: String,
    /// The filter `{path: {$in: […]}}` in canonical Extended JSON.
    pub filter: serde_json::Value,
    /// Documents that may come.
    pub limit: u64,
    /// The index that serves it, where it is not the one on `_id`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

/// What is asked for, and what had to be left.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Asks {
    /// The commands, in the order of their worth.
    pub wanted: Vec<Wanted>,
    /// Fields by which no index serves, by collection: their collections would have to be scanned.
    pub unserved: BTreeMap<Namespace, BTreeSet<String>>,
}

/// Values of one field that only a type suggests as a reference: enough to see whether it is one.
const PROBED_KEYS: usize = 25;
/// Collections of which such values are asked.
const PROBED_COLLECTIONS: usize = 8;
/// Values of one field of one collection, whatever refers to it, as a multiple of those of one reference.
const SHARED: usize = 4;
/// Bytes of a collection that may be scanned where no index serves.
const SCANNED_BYTES: u64 = 32 << 20;
/// Documents of one reply that are children of parents.
const MAX_CHILDREN: u64 = 2_000;
/// Values of one command, at least, however large the documents are.
const MIN_KEYS: u64 = 5;

/// The values of one field that are asked for.
#[derive(Debug, Default)]
struct Group {
    values: Vec<Value>,
    seen: BTreeSet<u64>,
    hint: Option<String>,
    /// Whether a name or a shared id speaks for a reference.
    likely: bool,
    /// Documents that a value may have, in hundredths: for children twice their mean.
    each: u64,
}

/// Which way a group looks; the order in which commands are sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Way {
    Targets,
    Children,
}

impl Model {
    /// What to ask a live server for.
    pub(crate) fn wanted(&self, limits: Limits) -> Asks {
        let (keys, names) = (Keys::of(&self.collections), Names::of(&self.collections));
        let mut groups: BTreeMap<(Way, usize, String), Group> = BTreeMap::new();
        let mut unserved: BTreeMap<Namespace, BTreeSet<String>> = BTreeMap::new();
        for side in sides(&self.collections) {
            let mut probed = 0;
            for target in side.targets(&self.collections, &names, &keys) {
                let Some(parent) = self.collections.get(target.to) else { continue };
                let likely = target.hint != Hint::Type;
                if !likely {
                    probed += 1;
                    if PROBED_COLLECTIONS < probed {
                        break;
                    }
                }
                let most = if likely { limits.keys_of_reference } else { PROBED_KEYS };
                targets(&side, parent, &target.path, most, |hint| {
                    let group = groups.entry((Way::Targets, target.to, target.path.clone())).or_default();
                    group.hint = hint;
                    group.likely |= likely;
                    group.each = 100;
                    (group, limits.keys_of_reference.saturating_mul(SHARED))
                });
                if !likely || side.collection.complete {
                    continue;
                }
                match served(side.collection, side.path.as_str(), limits.scanned) {
                    Served::By(hint) => {
                        let place = (Way::Children, side.place, side.path.as_str().to_owned());
                        let group = groups.entry(place).or_default();
                        group.hint = hint;
                        group.likely = true;
                        group.each = side
                            .collection
                            .stored()
                            .saturating_mul(200)
                            .div_ceil(parent.stored().max(1))
                            .max(group.each);
                        children(&side, parent, &target.path, limits.keys_of_reference, group);
                    }
                    Served::No => {
                        let paths = unserved.entry(side.collection.ns.clone()).or_default();
                        paths.insert(side.path.as_str().to_owned());
                    }
                    Served::Never => {}
                }
            }
        }
        Asks { wanted: self.commands(&groups, limits), unserved }
    }

    /// The groups in commands: the first batch of everything likely goes first, what only a type suggests last.
    fn commands(&self, groups: &BTreeMap<(Way, usize, String), Group>, limits: Limits) -> Vec<Wanted> {
        let mut batches = Vec::new();
        for ((way, place, path), group) in groups {
            let Some(collection) = self.collections.get(*place) else { continue };
            // Twice the mean leaves room for larger documents.
            let mean = collection.profile.as_ref().map_or(0, |p| p.sizes.mean()).max(1);
            let fitting = limits.bytes / (mean * 2);
            let documents = if *way == Way::Children { fitting.min(MAX_CHILDREN) } else { fitting };
            let size = (documents.saturating_mul(100) / group.each.max(1)).max(MIN_KEYS) as usize;
            for (number, values) in group.values.chunks(size.min(limits.keys).max(1)).enumerate() {
                batches.push(Batch {
                    rank: (!group.likely, number, *way),
                    collection,
                    path,
                    values,
                    hint: &group.hint,
                });
            }
        }
        // The sort is stable: equal ranks stay in the order of names.
        batches.order_by_key(|batch| batch.rank);
        let mut numbers: BTreeMap<&Namespace, usize> = BTreeMap::new();
        let mut out = Vec::new();
        for batch in batches.into_iter().take(limits.commands) {
            let number = numbers.entry(&batch.collection.ns).or_default();
            *number += 1;
            out.push(batch.command(*number, limits.bytes));
        }
        out
    }
}

/// The values of one command.
struct Batch<'m> {
    /// What only a type suggests comes last, second batches behind first ones.
    rank: (bool, usize, Way),
    collection: &'m Collection,
    path: &'m str,
    values: &'m [Value],
    hint: &'m Option<String>,
}

impl Batch<'_> {
    fn command(&self, number: usize, bytes: u64) -> Wanted {
        let one = |name: &str, value: serde_json::Value| {
            let fields = std::iter::once((name.to_owned(), value));
            serde_json::Value::Object(fields.collect())
        };
        let values: Vec<serde_json::Value> = self.values.iter().map(as_json).collect();
        let ns = &self.collection.ns;
        let (_, _, way) = self.rank;
        Wanted {
            name: format!("{ns}.pairs.{number:03}"),
            namespace: ns.to_string(),
            database: ns.database.clone(),
            command: Find {
                find: ns.collection.clone(),
                filter: one(self.path, one("$in", values.into())),
                // No value of a unique key has two documents: such a reply ends by itself.
                limit: if way == Way::Children { MAX_CHILDREN } else { self.values.len() as u64 + 1 },
                hint: self.hint.clone(),
            },
            bytes,
        }
    }
}

impl Group {
    fn add(&mut self, key: u64, value: &Value, most: usize) {
        if self.values.len() < most && self.seen.insert(key) {
            self.values.push(value.clone());
        }
    }
}

/// Asks for the targets of the sampled references, as they are stored and in the other forms that the target has.
fn targets<'g>(
    side: &Side<'_>,
    parent: &Collection,
    path: &str,
    most: usize,
    group: impl FnOnce(Option<String>) -> (&'g mut Group, usize),
) {
    if parent.complete {
        return;
    }
    // A unique key has its index, so that nothing is scanned.
    let Served::By(hint) = served(parent, path, 0) else { return };
    let there = classes(parent, path);
    let (group, shared) = group(hint);
    for value in referring(side.collection, side.path.as_str(), most) {
        group.add(value.key, &value.value, shared);
        for other in value.others.iter().filter(|other| there.contains(&other.class)) {
            group.add(other.key, &other.value, shared);
        }
    }
}

/// Asks for the children of the sampled parents, by the forms that the children have.
fn children(side: &Side<'_>, parent: &Collection, path: &str, most: usize, group: &mut Group) {
    for value in referring(parent, path, most) {
        if side.classes.contains(&class(value.value.bson_type())) {
            group.add(value.key, &value.value, most);
        }
        for other in value.others.iter().filter(|other| side.classes.contains(&other.class)) {
            group.add(other.key, &other.value, most);
        }
    }
}

/// How the server finds documents by a field.
enum Served {
    /// By this index, by the one on `_id`, or by a scan of a small collection.
    By(Option<String>),
    /// By a scan.
    No,
    /// Not at all: a view, a time series, a path that no query can name.
    Never,
}

fn served(collection: &Collection, path: &str, scanned: u64) -> Served {
    let options = collection.options();
    let nameable = |name: &str| !name.is_empty() && name != ANY_NAME;
    if options.is_some_and(|o| o.kind != CollectionKind::Collection)
        || !path.split('.').all(nameable)
        || path.starts_with('$')
    {
        return Served::Never;
    }
    // Under a collation text is found that is not the same, and other indexes serve.
    let collated = options.and_then(|o| o.collation.as_ref());
    let collated = collated.is_some_and(|c| c.get("locale").and_then(Value::as_str) != Some("simple"));
    if collated && classes(collection, path).contains(&Type::String) {
        return Served::Never;
    }
    if path == "_id" {
        let by_id = collection.indexes().iter().any(crate::catalogue::Index::is_id)
            || options.is_some_and(|o| o.clustered_index.is_some())
            || !collection.catalogue.indexes_known;
        if by_id {
            return Served::By(None);
        }
    }
    let serves = |index: &&crate::catalogue::Index| {
        let hashed = |kind: &IndexKind| *kind == IndexKind::Hashed;
        let leads = index.key.first().is_some_and(|(first, _)| first == path);
        leads
            && index.key.iter().all(|(_, kind)| kind.is_sorted() || hashed(kind))
            && !index.is_wildcard()
            && !index.hidden
            && index.origin == Origin::Present
            && index.partial_filter.is_none()
            && index.effective_collation().is_none()
    };
    if let Some(index) = collection.indexes().iter().find(serves) {
        return Served::By(Some(index.name.clone()));
    }
    let statistics = &collection.catalogue.statistics;
    let bytes: u64 = statistics.iter().filter_map(|s| s.size).fold(0, u64::saturating_add);
    let is_small = collection.catalogue.count().is_some_and(|count| count <= scanned) && bytes <= SCANNED_BYTES;
    if is_small { Served::By(None) } else { Served::No }
}
