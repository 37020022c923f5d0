//! Operators of filters (manual: reference/mql/query-predicates).

use super::Operator;

/// Operators that stand at the top of a filter, sorted.
pub const TOP: &[Operator] = &[
    Operator::always("$alwaysFalse"),
    Operator::always("$alwaysTrue"),
    Operator::always("$and"),
    Operator::always("$comment"),
    Operator::always("$expr"),
    Operator::always("$jsonSchema"),
    Operator::always("$nor"),
    Operator::always("$or"),
    Operator::always("$sampleRate"),
    Operator::always("$text"),
    Operator::always("$where"),
];

/// Operators that stand under a field, sorted.
pub const FIELD: &[Operator] = &[
    Operator::always("$all"),
    Operator::always("$bitsAllClear"),
    Operator::always("$bitsAllSet"),
    Operator::always("$bitsAnyClear"),
    Operator::always("$bitsAnySet"),
    Operator::always("$elemMatch"),
    Operator::always("$eq"),
    Operator::always("$exists"),
    Operator::always("$geoIntersects"),
    Operator::always("$geoWithin"),
    Operator::always("$gt"),
    Operator::always("$gte"),
    Operator::always("$in"),
    Operator::always("$lt"),
    Operator::always("$lte"),
    Operator::always("$maxDistance"),
    Operator::always("$minDistance"),
    Operator::always("$mod"),
    Operator::always("$ne"),
    Operator::always("$near"),
    Operator::always("$nearSphere"),
    Operator::always("$nin"),
    Operator::always("$not"),
    Operator::always("$options"),
    Operator::always("$regex"),
    Operator::always("$size"),
    Operator::always("$type"),
    // Old spelling of `$geoWithin`, still taken.
    Operator::always("$within"),
];

/// Names under a field that begin no operator and are taken: parts of a DBRef, an old alias of `$near`, an old option.
pub const ALSO_TAKEN: &[&str] = &["$ref", "$id", "$db", "$geoNear", "$uniqueDocs"];

/// Operators that join conditions.
pub const JOINS: &[&str] = &["$and", "$nor", "$or"];

/// Stages and options that are mistaken for operators of filters.
pub const STAGES_AND_OPTIONS: &[&str] = &[
    "$count",
    "$explain",
    "$group",
    "$hint",
    "$limit",
    "$lookup",
    "$match",
    "$maxTimeMS",
    "$orderby",
    "$project",
    "$projection",
    "$query",
    "$skip",
    "$sort",
    "$unwind",
];
