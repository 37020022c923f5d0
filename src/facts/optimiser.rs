//! What the server's optimiser does to a pipeline by itself (manual: core/aggregation-pipeline-optimization; source:
//! `canSwapWithMatch`, `canSwapWithSkippingOrLimitingStage` and `doOptimizeAt` of the stages).

use super::Version;

/// The oldest version that mongovet speaks of.
const ALWAYS: Version = Version::new(4, 4);

/// Since when a `$sort` moves before a `$lookup`, `$graphLookup` or `$unwind` that does not make its fields.
const SORT_BEFORE_JOIN: Version = Version::new(6, 0);

/// Stages that a `$match` on fields that they leave alone moves before, and since when.
const MATCH_BEFORE: &[&str] = &[
    "$addFields",
    "$graphLookup",
    "$group",
    "$lookup",
    "$match",
    "$project",
    "$replaceRoot",
    "$replaceWith",
    "$set",
    "$sort",
    "$unset",
    "$unwind",
];

/// Stages that a `$limit` or `$skip` moves before. A `$lookup` that has taken in the `$unwind` behind it is none.
const LIMIT_BEFORE: &[&str] =
    &["$addFields", "$graphLookup", "$lookup", "$project", "$replaceRoot", "$replaceWith", "$set", "$unset"];

/// Whether the server moves a `$match` before a stage that leaves its fields alone.
pub fn moves_match_before(stage: &str, version: Version) -> bool {
    version >= ALWAYS && MATCH_BEFORE.contains(&stage)
}

/// Whether the server moves a `$limit` before a stage.
pub fn moves_limit_before(stage: &str, version: Version) -> bool {
    version >= ALWAYS && LIMIT_BEFORE.contains(&stage)
}

/// Whether the server moves a `$sort` before a stage that leaves its fields alone.
pub fn moves_sort_before(stage: &str, version: Version) -> bool {
    version >= SORT_BEFORE_JOIN && matches!(stage, "$lookup" | "$graphLookup" | "$unwind")
}
