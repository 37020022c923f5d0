//! Limits (manual: reference/limits).

/// The largest document that the server stores, in bytes.
pub const DOCUMENT_BYTES: u32 = 16 * 1024 * 1024;

/// The nesting that the manual promises.
pub const NESTING_DOCUMENTED: u32 = 100;

/// The nesting beyond which the server refuses a document (`BSONDepth`: 200, less what a command adds, 20).
pub const NESTING_REFUSED: u32 = 180;

/// Indexes on one collection.
pub const INDEXES: usize = 64;

/// Fields in the key of one index.
pub const INDEX_FIELDS: usize = 32;

/// The longest `expireAfterSeconds` of a TTL index, in seconds (manual: core/index-ttl).
pub const TTL_SECONDS: i64 = 2_147_483_647;

/// Scans that the planner merges to keep a sort by an index when equalities with several values come before it
/// (`internalQueryMaxScansToExplode`; manual: reference/operator/query/in, "Query Data ... sort").
pub const MOST_SORTED_SCANS: u64 = 200;

/// Bytes that a sort may hold in memory (manual: reference/limits, "Sort Operations").
pub const SORT_BYTES: u64 = 100 * 1024 * 1024;

/// Collections of one cluster beyond which it slows down (manual: data-modeling/design-antipatterns/reduce-collections).
pub const COLLECTIONS: usize = 10_000;

/// Collections and indexes together that an Atlas M10 carries well (Atlas manual: reference/faq/database).
pub const TIER_M10: usize = 5_000;

/// The same for M20 and M30.
pub const TIER_M20: usize = 10_000;

/// The same for M40 and above.
pub const TIER_M40: usize = 100_000;
