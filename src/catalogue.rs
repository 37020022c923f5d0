//! What the server knows about collections besides their documents: indexes, options, validators, statistics.
//!
//! Evidence gives statements in any order; [`Catalogue::collections`] folds them into one state: first what a
//! catalogue says is there, then what scripts and intent want, in the order of input names and statements.

pub mod declared;
pub mod index;
pub mod keys;
pub mod plan;
pub mod replica_set;
pub mod sharding;
pub mod statistics;
pub mod validator;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use declared::{DeclaredField, DeclaredSchema};
pub use index::{Index, IndexKind};
pub use plan::Plan;
pub use sharding::{Cluster, KeyAnalysis, ShardKey};
pub use statistics::{IndexUse, Statistics};
pub use validator::{Action, Level, Validator};

use crate::order::Ordered;
use crate::value::Value;
use crate::value::location::Location;

/// A collection's name, with its database where that is known.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Namespace {
    /// The database; absent where the evidence names the collection alone.
    pub database: Option<String>,
    /// The collection.
    pub collection: String,
}

/// Whether something is there, or only asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Origin {
    /// A catalogue shows it: `getIndexes()`, metadata of a dump, statistics.
    Present,
    /// A script or intent asks for it; the server may still refuse.
    Wanted,
}

/// What one statement of the evidence says about one collection.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Claim {
    /// The whole list of its indexes.
    Indexes(Vec<Index>),
    /// One index that is wanted.
    CreateIndex(Index),
    /// An index that goes, by name or by key; every index but `_id_` for `*`.
    DropIndex(IndexName),
    /// An index that is hidden or shown again.
    HideIndex {
        /// Which one.
        index: IndexName,
        /// Hidden or shown.
        hidden: bool,
    },
    /// Another `expireAfterSeconds` for an index (`collMod`).
    ExpireIndex {
        /// Which one.
        index: IndexName,
        /// The new value, as given.
        seconds: Value,
    },
    /// The collection's options, whole (a catalogue, `createCollection`).
    Options(CollectionOptions),
    /// Options that a `collMod` changes; only those that it names.
    ChangeOptions(CollectionOptions),
    /// The collection goes, with its indexes and options.
    Drop,
    /// The collection gets another name.
    Rename(Namespace),
    /// Statistics of one host.
    Statistics(Statistics),
    /// Use of one index on one host.
    IndexUse(IndexUse),
    /// The schema that an application declares, which asks for all of its indexes itself.
    Schema(DeclaredSchema),
    /// The key that it is sharded by, or is to be.
    ShardKey(ShardKey),
    /// What the server measured on a shard key.
    KeyAnalysis(KeyAnalysis),
}

/// How a command names an index.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum IndexName {
    /// Its name.
    Name(String),
    /// Its key.
    Key(Vec<(String, IndexKind)>),
    /// All but the one on `_id`.
    All,
}

/// One statement of the evidence.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Statement {
    /// Name of the input.
    pub input: String,
    /// Position among the statements of its input.
    pub sequence: u32,
    /// About which collection.
    pub namespace: Namespace,
    /// Present state or wish.
    pub origin: Origin,
    /// Where it stands, where the input is text.
    pub location: Option<Location>,
    /// What it says.
    pub claim: Claim,
}

/// The options of a collection, of a view or of a time series.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct CollectionOptions {
    /// Collection, view or time series.
    pub kind: CollectionKind,
    /// Whether it is capped.
    pub capped: Option<bool>,
    /// The size of a capped collection, in bytes.
    pub size: Option<i64>,
    /// The greatest number of documents of a capped collection.
    pub max: Option<i64>,
    /// The validator; an empty expression where there is none or where a `collMod` takes it away.
    pub validator: Option<Validator>,
    /// Validation level without a validator beside it (`collMod` may set it alone).
    pub level: Option<Level>,
    /// Validation action without a validator beside it.
    pub action: Option<Action>,
    /// Default collation.
    pub collation: Option<Value>,
    /// Time series options.
    pub timeseries: Option<TimeSeries>,
    /// `expireAfterSeconds` of a time series or clustered collection, as given.
    pub expire_after_seconds: Option<Value>,
    /// The clustered index, as given.
    pub clustered_index: Option<Value>,
    /// What a view reads.
    pub view_on: Option<String>,
    /// The pipeline of a view.
    pub pipeline: Option<Value>,
    /// The `encryptedFields` of Queryable Encryption, as given.
    pub encrypted_fields: Option<Value>,
    /// Names of options that were given and are not listed above.
    pub other: Vec<String>,
}

/// What stands under a collection's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum CollectionKind {
    /// Documents.
    #[default]
    Collection,
    /// A view.
    View,
    /// A time series collection.
    TimeSeries,
}

/// The options of a time series collection.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct TimeSeries {
    /// The field with the time.
    pub time_field: String,
    /// The field that names the series.
    pub meta_field: Option<String>,
    /// `seconds`, `minutes` or `hours`.
    pub granularity: Option<String>,
    /// `bucketMaxSpanSeconds`.
    pub bucket_max_span_seconds: Option<i64>,
    /// `bucketRoundingSeconds`.
    pub bucket_rounding_seconds: Option<i64>,
}

/// All that is known about one collection besides its documents.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Collection {
    /// Its options; absent where no evidence tells them.
    pub options: Option<CollectionOptions>,
    /// Whether the options are the whole truth (a catalogue or a `createCollection` gave them).
    pub options_known: bool,
    /// Its indexes, those that are there before those that are wanted.
    pub indexes: Vec<Index>,
    /// Whether a catalogue gave the whole list of indexes, or a declared schema asks for all of them.
    pub indexes_known: bool,
    /// The schema that an application declares for it.
    pub schema: Option<DeclaredSchema>,
    /// Statistics, one a host.
    pub statistics: Vec<Statistics>,
    /// Use of indexes, one row for each index and host.
    pub index_use: Vec<IndexUse>,
    /// The key that it is sharded by today.
    pub shard_key: Option<ShardKey>,
    /// The key that it is to be sharded by, where that is another one.
    pub wanted_shard_key: Option<ShardKey>,
    /// What the server measured on shard keys, present and possible ones.
    pub key_analyses: Vec<KeyAnalysis>,
    /// Names of the inputs that speak of it, sorted.
    pub inputs: Vec<String>,
}

/// The statements of the evidence so far.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Catalogue {
    statements: Vec<Statement>,
}

impl Catalogue {
    /// Takes statements, in any order.
    pub fn extend(&mut self, statements: impl IntoIterator<Item = Statement>) {
        self.statements.extend(statements);
    }

    /// Replaces what an input says.
    pub(crate) fn replace(&mut self, input: &str, statements: Vec<Statement>) {
        self.statements.retain(|statement| statement.input != input);
        self.statements.extend(statements);
    }

    /// Takes the statements of another part of the evidence.
    pub fn merge(&mut self, other: Catalogue) {
        self.extend(other.statements);
    }

    /// The databases that are named, sorted and without repetition.
    pub fn databases(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.statements.iter().filter_map(|s| s.namespace.database.as_deref()).collect();
        names.order();
        names.dedup();
        names
    }

    /// The state of every collection. `database` completes names that come without one.
    pub fn collections(&self, database: Option<&str>) -> BTreeMap<Namespace, Collection> {
        let mut ordered: Vec<&Statement> = self.statements.iter().collect();
        // What is there comes first; the sort is stable, so that equal places keep the order of arrival.
        ordered.order_by(|a, b| (a.origin, &a.input, a.sequence).cmp(&(b.origin, &b.input, b.sequence)));
        let mut collections: BTreeMap<Namespace, Collection> = BTreeMap::new();
        for statement in ordered {
            let namespace = statement.namespace.within(database);
            let collection = collections.entry(namespace.clone()).or_default();
            if !collection.inputs.contains(&statement.input) {
                collection.inputs.push(statement.input.clone());
            }
            if let Claim::Rename(to) = &statement.claim {
                let moved = collections.remove(&namespace).unwrap_or_default();
                collections.insert(to.within(namespace.database.as_deref().or(database)), moved);
                continue;
            }
            collection.apply(&statement.claim, statement.origin);
        }
        for collection in collections.values_mut() {
            collection.inputs.order();
        }
        collections
    }
}

impl Collection {
    /// The validator, unless it was taken away.
    pub fn validator(&self) -> Option<&Validator> {
        let validator = self.options.as_ref()?.validator.as_ref()?;
        validator.expression.as_object().is_some_and(|fields| !fields.is_empty()).then_some(validator)
    }

    /// Documents in all shards; on one shard the hosts hold the same ones.
    pub fn count(&self) -> Option<u64> {
        let mut shards: BTreeMap<Option<&str>, u64> = BTreeMap::new();
        for statistics in &self.statistics {
            if let Some(count) = statistics.count {
                let most = shards.entry(statistics.shard.as_deref()).or_insert(0);
                *most = count.max(*most);
            }
        }
        shards.into_values().reduce(u64::saturating_add)
    }

    /// Takes the wish for a shard key; one that is there already is no wish.
    pub fn want_shard_key(&mut self, key: ShardKey) {
        let is_there = self.shard_key.as_ref().is_some_and(|present| present.key == key.key);
        self.wanted_shard_key = Some(key).filter(|_| !is_there);
    }

    fn apply(&mut self, claim: &Claim, origin: Origin) {
        match claim {
            Claim::Indexes(list) => {
                self.indexes_known = true;
                for index in list {
                    // Several catalogues of one collection (hosts, dates) tell the same index again.
                    if self.indexes.iter().all(|known| known.name != index.name) {
                        self.indexes.push(index.clone());
                    }
                }
            }
            Claim::CreateIndex(index) => {
                let known = self.indexes.iter().any(|known| {
                    known.name == index.name && index::same_key(&known.key, &index.key) && known.same_definition(index)
                });
                let only_id = index.is_id() && !index.is_ttl();
                if !known && !only_id {
                    self.indexes.push(index.clone());
                }
            }
            Claim::DropIndex(IndexName::All) => self.indexes.retain(Index::is_id),
            Claim::DropIndex(name) => self.indexes.retain(|index| index.is_id() || !name.names(index)),
            Claim::HideIndex { index, hidden } => {
                for known in self.indexes.iter_mut().filter(|known| index.names(known)) {
                    known.hidden = *hidden;
                }
            }
            Claim::ExpireIndex { index, seconds } => {
                for known in self.indexes.iter_mut().filter(|known| index.names(known)) {
                    known.expire_after_seconds = Some(seconds.clone());
                }
            }
            Claim::Options(options) => {
                // A script that creates what a catalogue already shows changes nothing of it.
                if origin == Origin::Present || !self.options_known {
                    let earlier = self.options.take();
                    let mut options = options.clone();
                    if options.validator.is_none() {
                        options.validator = earlier.and_then(|o| o.validator);
                    }
                    self.options = Some(options);
                } else if let Some(validator) = &options.validator {
                    // The validator of a `createCollection` is what the team wants from now on.
                    self.options.get_or_insert_default().validator = Some(validator.clone());
                }
                self.options_known = true;
            }
            Claim::ChangeOptions(change) => self.options.get_or_insert_default().change(change),
            // Scripts drop for a clean start; what a catalogue shows stays known.
            Claim::Drop => self.indexes.retain(|index| index.origin == Origin::Present),
            Claim::Rename(_) => {}
            Claim::Statistics(statistics) => self.statistics.push(statistics.clone()),
            Claim::IndexUse(row) => self.index_use.push(row.clone()),
            Claim::ShardKey(key) if key.origin == Origin::Present => self.shard_key = Some(key.clone()),
            // Of several wishes the last one holds: scripts refine and change keys.
            Claim::ShardKey(key) => self.want_shard_key(key.clone()),
            Claim::KeyAnalysis(analysis) => self.key_analyses.push(analysis.clone()),
            Claim::Schema(schema) => {
                // The server makes the index on `_id` by itself.
                if !schema.open && !self.indexes_known {
                    self.indexes_known = true;
                    let mut id = Index::of_key(&[("_id".to_owned(), Value::Int(1))], Origin::Present);
                    "_id_".clone_into(&mut id.name);
                    self.indexes.insert(0, id);
                }
                // Of two declarations the fuller one tells more.
                if self.schema.as_ref().is_none_or(|known| known.fields.len() < schema.fields.len()) {
                    self.schema = Some(schema.clone());
                }
            }
        }
    }
}

impl CollectionOptions {
    /// Takes over what a `collMod` names.
    fn change(&mut self, change: &CollectionOptions) {
        if let Some(validator) = &change.validator {
            let before = self.validator.as_ref();
            self.validator = Some(Validator {
                level: change.level.or(before.map(|v| v.level)).unwrap_or_default(),
                action: change.action.or(before.map(|v| v.action)).unwrap_or_default(),
                ..validator.clone()
            });
        } else if let Some(validator) = &mut self.validator {
            validator.level = change.level.unwrap_or(validator.level);
            validator.action = change.action.unwrap_or(validator.action);
        }
        self.level = change.level.or(self.level);
        self.action = change.action.or(self.action);
        if change.expire_after_seconds.is_some() {
            self.expire_after_seconds.clone_from(&change.expire_after_seconds);
        }
        if let (Some(own), Some(new)) = (&mut self.timeseries, &change.timeseries) {
            own.granularity = new.granularity.clone().or_else(|| own.granularity.take());
            own.bucket_max_span_seconds = new.bucket_max_span_seconds.or(own.bucket_max_span_seconds);
            own.bucket_rounding_seconds = new.bucket_rounding_seconds.or(own.bucket_rounding_seconds);
        }
    }
}

impl IndexName {
    /// Whether this names the index.
    pub fn names(&self, index: &Index) -> bool {
        match self {
            IndexName::Name(name) => index.name == *name,
            IndexName::Key(key) => index::same_key(&index.key, key),
            IndexName::All => true,
        }
    }
}

impl Namespace {
    /// A name with its database.
    pub fn new(database: impl Into<String>, collection: impl Into<String>) -> Self {
        Namespace { database: Some(database.into()), collection: collection.into() }
    }

    /// A name alone.
    pub fn bare(collection: impl Into<String>) -> Self {
        Namespace { database: None, collection: collection.into() }
    }

    /// Whether the server keeps it for itself.
    pub fn is_internal(&self) -> bool {
        self.collection.starts_with("system.") || matches!(self.database.as_deref(), Some("admin" | "local" | "config"))
    }

    /// The name completed with a database where it has none.
    #[must_use]
    pub fn within(&self, database: Option<&str>) -> Self {
        Namespace {
            database: self.database.clone().or_else(|| database.map(str::to_owned)),
            collection: self.collection.clone(),
        }
    }

    /// The name of an `ns` field: the database ends at the first dot.
    pub fn parse(ns: &str) -> Self {
        match ns.split_once('.') {
            Some((database, collection)) if !database.is_empty() && !collection.is_empty() => {
                Namespace::new(database, collection)
            }
            _ => Namespace::bare(ns),
        }
    }
}

impl std::fmt::Display for Namespace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(database) = &self.database {
            write!(f, "{database}.")?;
        }
        f.write_str(&self.collection)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index(path: &str, origin: Origin) -> Index {
        Index::of_key(&[(path.to_owned(), Value::Int(1))], origin)
    }

    fn statement(input: &str, sequence: u32, origin: Origin, claim: Claim) -> Statement {
        Statement { input: input.into(), sequence, namespace: Namespace::bare("c"), origin, location: None, claim }
    }

    fn names(statements: Vec<Statement>) -> Vec<String> {
        let mut forward = Catalogue::default();
        forward.extend(statements.clone());
        let mut backward = Catalogue::default();
        backward.extend(statements.into_iter().rev());
        let state = forward.collections(Some("d"));
        assert_eq!(state, backward.collections(Some("d")), "the order of files must not matter");
        state[&Namespace::new("d", "c")].indexes.iter().map(|i| i.name.clone()).collect()
    }

    #[test]
    fn scripts_apply_over_the_catalogue_in_order() {
        let present = Claim::Indexes(vec![
            index("_id", Origin::Present),
            index("a", Origin::Present),
            index("b", Origin::Present),
        ]);
        let all = vec![
            statement("z.json", 0, Origin::Present, present),
            statement("b.js", 0, Origin::Wanted, Claim::DropIndex(IndexName::Name("a_1".into()))),
            statement("b.js", 1, Origin::Wanted, Claim::CreateIndex(index("b", Origin::Wanted))),
            statement("b.js", 2, Origin::Wanted, Claim::CreateIndex(index("c", Origin::Wanted))),
            statement("a.js", 0, Origin::Wanted, Claim::CreateIndex(index("x", Origin::Wanted))),
            statement(
                "b.js",
                3,
                Origin::Wanted,
                Claim::DropIndex(IndexName::Key(vec![("x".into(), IndexKind::Ascending)])),
            ),
        ];
        assert_eq!(names(all), ["_id_1", "b_1", "c_1"]);
    }

    #[test]
    fn a_wish_that_differs_stays_beside_what_is_there() {
        let mut ttl = index("a", Origin::Wanted);
        ttl.expire_after_seconds = Some(Value::Int(60));
        let all = vec![
            statement("i.json", 0, Origin::Present, Claim::Indexes(vec![index("a", Origin::Present)])),
            statement("s.js", 0, Origin::Wanted, Claim::CreateIndex(ttl)),
        ];
        assert_eq!(names(all).len(), 2);
    }

    #[test]
    fn coll_mod_changes_what_it_names() {
        let validator = |level, origin| Validator {
            expression: Value::Object(vec![("a".into(), Value::Int(1))]),
            level,
            action: Action::Error,
            origin,
            location: None,
        };
        let options =
            CollectionOptions { validator: Some(validator(Level::Strict, Origin::Present)), ..Default::default() };
        let change = CollectionOptions { action: Some(Action::Warn), ..Default::default() };
        let mut catalogue = Catalogue::default();
        catalogue.extend([
            statement("i.json", 0, Origin::Present, Claim::Options(options)),
            statement("s.js", 0, Origin::Wanted, Claim::ChangeOptions(change)),
        ]);
        let state = catalogue.collections(None);
        let validator = state[&Namespace::bare("c")].validator().unwrap();
        assert_eq!((validator.level, validator.action), (Level::Strict, Action::Warn));
    }
}
