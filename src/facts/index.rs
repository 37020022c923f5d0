//! What the server takes in the definition of an index.

use super::Version;

/// Since when `unique`, `sparse` and `wildcardProjection` are part of what makes two indexes different
/// (manual: reference/method/db.collection.createIndex, core/indexes/index-types/index-wildcard).
pub const OPTIONS_IN_IDENTITY: Version = Version::new(5, 0);

/// Since when an index can be hidden (manual: core/index-hidden).
pub const HIDDEN: Version = Version::new(4, 4);

/// Since when `collMod` can turn an index into a unique one by way of `prepareUnique` (manual: reference/command/collMod).
pub const PREPARE_UNIQUE: Version = Version::new(6, 0);

/// Since when `collMod` can give a TTL to a single-field index that has none (manual: reference/command/collMod).
pub const TTL_BY_COLL_MOD: Version = Version::new(5, 1);

/// Since when an index that is not multikey covers an equality with null, where nothing but `_id` is returned, or a
/// count (SERVER-18861; the first release for all is 6.0).
pub const NULL_COVERED: Version = Version::new(6, 0);

/// The operators of a partial filter that every version takes (manual: core/index-partial).
pub const PARTIAL_OPERATORS: &[&str] = &["$eq", "$exists", "$gt", "$gte", "$lt", "$lte", "$type", "$and"];

/// The operators that later versions added, and since when; nested `$and` came with them.
pub const PARTIAL_OPERATORS_SINCE: &[(&str, Version)] = &[
    ("$or", Version::new(6, 0)),
    ("$in", Version::new(6, 0)),
    ("$geoWithin", Version::new(6, 0)),
    ("$geoIntersects", Version::new(6, 0)),
];

/// Since when `$and` may stand below the top level of a partial filter.
pub const PARTIAL_NESTED_AND: Version = Version::new(6, 0);

/// The special index types that a key may name besides directions (manual: indexes).
pub const SPECIAL_TYPES: &[&str] = &["text", "2d", "2dsphere", "hashed"];
