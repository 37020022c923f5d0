//! Stages of pipelines and where each may stand (manual: reference/mql/aggregation-stages, and the page of each stage).

use super::{Operator, Standing, Version};
use crate::facts::spelling;

/// A stage that the server knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stage {
    /// Its name and its versions.
    pub operator: Operator,
    /// Where in a pipeline it must stand.
    pub placing: Placing,
    refused: u8,
}

/// Where in a pipeline a stage must stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Placing {
    /// Anywhere.
    Anywhere,
    /// Nothing may come before it.
    First,
    /// Nothing may come behind it.
    Last,
}

/// Pipelines that not every stage may stand in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Within {
    /// A branch of `$facet`.
    Facet,
    /// The pipeline of a `$lookup`.
    Lookup,
    /// The pipeline of a `$unionWith`, which takes the same as that of a `$lookup`.
    Union,
    /// A view.
    View,
    /// A transaction.
    Transaction,
}

const FACET: u8 = 1;
const LOOKUP: u8 = 2;
const VIEW: u8 = 4;
const TRANSACTION: u8 = 8;

impl Stage {
    /// Whether the server refuses it there.
    pub fn is_refused_in(&self, within: Within) -> bool {
        let bit = match within {
            Within::Facet => FACET,
            Within::Lookup | Within::Union => LOOKUP,
            Within::View => VIEW,
            Within::Transaction => TRANSACTION,
        };
        self.refused & bit != 0
    }
}

const fn stage(name: &'static str, since: Option<Version>, placing: Placing, refused: u8) -> Stage {
    Stage { operator: Operator { name, since, until: None }, placing, refused }
}

/// The stage of a name.
pub fn find(name: &str) -> Option<&'static Stage> {
    let at = STAGES.binary_search_by(|stage| stage.operator.name.cmp(name)).ok()?;
    STAGES.get(at)
}

/// What a version of the server says to the name of a stage.
pub fn standing(name: &str, version: Version) -> Standing {
    find(name).map_or(Standing::Unknown, |stage| stage.operator.standing(version))
}

/// The stage that a misspelt one is nearest to, among those that the version has.
pub fn nearest(name: &str, version: Version) -> Option<&'static str> {
    let known = STAGES.iter().filter(|stage| stage.operator.standing(version) == Standing::Known);
    spelling::nearest(name, known.map(|stage| stage.operator.name))
}

/// The stages, sorted by name.
pub const STAGES: &[Stage] = &[
    stage("$addFields", None, Placing::Anywhere, 0),
    stage("$bucket", None, Placing::Anywhere, 0),
    stage("$bucketAuto", None, Placing::Anywhere, 0),
    stage("$changeStream", None, Placing::First, FACET | LOOKUP | VIEW | TRANSACTION),
    stage("$changeStreamSplitLargeEvent", Some(Version::new(7, 0)), Placing::Last, FACET | LOOKUP | VIEW),
    stage("$collStats", None, Placing::First, FACET | TRANSACTION),
    stage("$count", None, Placing::Anywhere, 0),
    stage("$currentOp", None, Placing::First, FACET | LOOKUP | VIEW | TRANSACTION),
    stage("$densify", Some(Version::new(5, 1)), Placing::Anywhere, 0),
    stage("$documents", Some(Version::new(5, 1)), Placing::First, FACET),
    stage("$facet", None, Placing::Anywhere, FACET),
    stage("$fill", Some(Version::new(5, 3)), Placing::Anywhere, 0),
    stage("$geoNear", None, Placing::First, FACET),
    stage("$graphLookup", None, Placing::Anywhere, 0),
    stage("$group", None, Placing::Anywhere, 0),
    stage("$indexStats", None, Placing::First, FACET | TRANSACTION),
    stage("$limit", None, Placing::Anywhere, 0),
    stage("$listCatalog", Some(Version::new(8, 0)), Placing::First, FACET | TRANSACTION),
    stage("$listClusterCatalog", Some(Version::new(8, 1)), Placing::First, FACET | TRANSACTION),
    stage("$listLocalSessions", None, Placing::First, FACET | TRANSACTION),
    stage("$listMqlEntities", Some(Version::new(8, 0)), Placing::First, FACET | TRANSACTION),
    stage("$listSampledQueries", Some(Version::new(7, 0)), Placing::First, FACET | TRANSACTION),
    stage("$listSearchIndexes", Some(Version::new(7, 0)), Placing::First, FACET | TRANSACTION),
    stage("$listSessions", None, Placing::First, FACET | TRANSACTION),
    stage("$lookup", None, Placing::Anywhere, 0),
    stage("$match", None, Placing::Anywhere, 0),
    stage("$merge", None, Placing::Last, FACET | LOOKUP | VIEW | TRANSACTION),
    stage("$out", None, Placing::Last, FACET | LOOKUP | VIEW | TRANSACTION),
    stage("$planCacheStats", None, Placing::First, FACET | TRANSACTION),
    stage("$project", None, Placing::Anywhere, 0),
    stage("$querySettings", Some(Version::new(8, 0)), Placing::First, FACET | TRANSACTION),
    stage("$queryStats", Some(Version::new(7, 1)), Placing::First, FACET | TRANSACTION),
    stage("$rankFusion", Some(Version::new(8, 0)), Placing::First, FACET),
    stage("$redact", None, Placing::Anywhere, 0),
    stage("$replaceRoot", None, Placing::Anywhere, 0),
    stage("$replaceWith", None, Placing::Anywhere, 0),
    stage("$sample", None, Placing::Anywhere, 0),
    stage("$score", Some(Version::new(8, 2)), Placing::Anywhere, 0),
    stage("$scoreFusion", Some(Version::new(8, 2)), Placing::First, FACET),
    stage("$search", None, Placing::First, FACET),
    stage("$searchMeta", None, Placing::First, FACET),
    stage("$set", None, Placing::Anywhere, 0),
    stage("$setWindowFields", Some(Version::new(5, 0)), Placing::Anywhere, 0),
    stage("$shardedDataDistribution", Some(Version::new(6, 0)), Placing::First, FACET | TRANSACTION),
    stage("$skip", None, Placing::Anywhere, 0),
    stage("$sort", None, Placing::Anywhere, 0),
    stage("$sortByCount", None, Placing::Anywhere, 0),
    stage("$unionWith", None, Placing::Anywhere, 0),
    stage("$unset", None, Placing::Anywhere, 0),
    stage("$unwind", None, Placing::Anywhere, 0),
    stage("$vectorSearch", Some(Version::new(6, 0)), Placing::First, FACET),
];
