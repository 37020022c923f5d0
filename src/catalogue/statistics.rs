//! What the server counts: sizes of collections and indexes, use of indexes.

use serde::{Deserialize, Serialize};

/// Statistics of one collection on one host (`$collStats`, `stats()`); sizes in bytes.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Statistics {
    /// The host that counted, where it says so.
    pub host: Option<String>,
    /// The shard that counted, where it says so.
    pub shard: Option<String>,
    /// Number of documents.
    pub count: Option<u64>,
    /// Uncompressed size of all documents.
    pub size: Option<u64>,
    /// Average size of a document.
    pub average: Option<u64>,
    /// Size on disk.
    pub storage_size: Option<u64>,
    /// Sizes of the indexes by name, in the order given.
    pub index_sizes: Vec<(String, u64)>,
    /// Whether it is capped.
    pub capped: Option<bool>,
    /// Whether it is sharded.
    pub sharded: Option<bool>,
    /// Whether it is a time series.
    pub timeseries: bool,
    /// The host's time, in milliseconds since the epoch.
    pub local_time: Option<i64>,
}

/// How often one host used one index (`$indexStats`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct IndexUse {
    /// Name of the index.
    pub index: String,
    /// The host that counted.
    pub host: Option<String>,
    /// The shard that counted.
    pub shard: Option<String>,
    /// Operations since `since`.
    pub operations: u64,
    /// Since when this host counts, in milliseconds since the epoch.
    pub since: Option<i64>,
    /// Whether the index is still being built.
    pub building: bool,
}
