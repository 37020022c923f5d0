//! The kinds of inputs, as reports name them.

use serde::{Deserialize, Serialize};

use super::metadata;

/// What an input is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Documents of one collection, as mongodump writes them.
    BsonDump,
    /// An archive of mongodump.
    Archive,
    /// Documents in Extended JSON or JSON.
    ExtendedJson,
    /// Documents as mongosh literals.
    Literals,
    /// `*.metadata.json` of mongodump.
    Metadata,
    /// Output of `getIndexes()` or `listIndexes`.
    Indexes,
    /// Output of `getCollectionInfos()` or `listCollections`.
    CollectionInfos,
    /// Output of `$collStats` or `stats()`.
    Stats,
    /// Output of `$indexStats`.
    IndexStats,
    /// A `$jsonSchema` or another validator.
    Validator,
    /// JavaScript or TypeScript: a mongosh script or an application's source.
    Script,
    /// Documents of `system.profile`.
    Profiler,
    /// A structured log of mongod or mongos.
    Log,
    /// An explain output.
    Explain,
    /// Output of `$queryStats`.
    QueryStats,
    /// `rs.conf()`, `rs.status()`, oplog window or default concerns.
    ReplicaSet,
    /// `sh.status()`, documents of the `config` database, `analyzeShardKey` output.
    Sharding,
    /// `mongovet.json`.
    Config,
    /// A profile that mongovet has saved.
    SavedProfile,
    /// Entries of the oplog: neither documents of a collection nor a workload with its reads.
    Oplog,
    /// Buckets of a time series collection, the server's own form of its measurements.
    TimeSeriesBuckets,
    /// Collections of the server itself and other files that a dump brings along.
    Internal,
    /// `prelude.json` of mongodump: versions of server and tool.
    Prelude,
    /// A file without a byte, or with white space only.
    Empty,
    /// Documents that were fetched for pairs: the targets of references, the children of parents.
    Pairs,
    /// No evidence.
    Other,
}

impl Kind {
    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Kind::BsonDump => "bson-dump",
            Kind::Archive => "archive",
            Kind::ExtendedJson => "extended-json",
            Kind::Literals => "literals",
            Kind::Metadata => "metadata",
            Kind::Indexes => "indexes",
            Kind::CollectionInfos => "collection-infos",
            Kind::Stats => "stats",
            Kind::IndexStats => "index-stats",
            Kind::Validator => "validator",
            Kind::Script => "script",
            Kind::Profiler => "profiler",
            Kind::Log => "log",
            Kind::Explain => "explain",
            Kind::QueryStats => "query-stats",
            Kind::ReplicaSet => "replica-set",
            Kind::Sharding => "sharding",
            Kind::Config => "config",
            Kind::SavedProfile => "saved-profile",
            Kind::Oplog => "oplog",
            Kind::TimeSeriesBuckets => "time-series-buckets",
            Kind::Internal => "internal",
            Kind::Prelude => "prelude",
            Kind::Empty => "empty",
            Kind::Pairs => "pairs",
            Kind::Other => "other",
        }
    }

    /// The kind by which [`metadata::read`] takes it, where it is of the catalogue.
    pub fn catalogue(self) -> Option<metadata::Kind> {
        Some(match self {
            Kind::Metadata => metadata::Kind::Metadata,
            Kind::Indexes => metadata::Kind::Indexes,
            Kind::CollectionInfos => metadata::Kind::CollectionInfos,
            Kind::Stats => metadata::Kind::Statistics,
            Kind::IndexStats => metadata::Kind::IndexStats,
            Kind::Validator => metadata::Kind::Validator,
            Kind::Prelude => metadata::Kind::Prelude,
            _ => return None,
        })
    }

    /// Whether it holds documents of collections.
    pub fn is_documents(self) -> bool {
        matches!(self, Kind::BsonDump | Kind::Archive | Kind::ExtendedJson | Kind::Literals)
    }

    /// Whether it is a row of entries that each tell of the workload or of a plan.
    pub fn is_entries(self) -> bool {
        matches!(self, Kind::Profiler | Kind::Log | Kind::QueryStats | Kind::Explain)
    }

    /// Whether it tells of indexes, validators or statistics.
    pub fn is_catalogue(self) -> bool {
        self.catalogue().is_some()
    }
}

impl From<metadata::Kind> for Kind {
    fn from(kind: metadata::Kind) -> Kind {
        match kind {
            metadata::Kind::Metadata => Kind::Metadata,
            metadata::Kind::Indexes => Kind::Indexes,
            metadata::Kind::CollectionInfos => Kind::CollectionInfos,
            metadata::Kind::Statistics => Kind::Stats,
            metadata::Kind::IndexStats => Kind::IndexStats,
            metadata::Kind::Validator => Kind::Validator,
            metadata::Kind::Prelude => Kind::Prelude,
        }
    }
}
