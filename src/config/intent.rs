//! The declared model: relationships, derived fields, pattern cards, access patterns, shard keys.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use super::duration::{Duration, Rebuild, Staleness};
use super::literal::Literal;

/// What the team says about its model.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Intent {
    /// Relationships between documents, or between a document and its parts.
    pub relationships: Vec<Relationship>,
    /// Copies and computed values.
    pub derived: Vec<Derived>,
    /// Design patterns in use, each with its card.
    pub patterns: Vec<Card>,
    /// What the application does, and how often.
    pub access_patterns: Vec<AccessPattern>,
    /// Declared shard keys, by collection.
    pub sharding: BTreeMap<String, ShardKey>,
}

/// A relationship.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Relationship {
    /// Collection of the parent, `db.collection`.
    pub parent: String,
    /// Path in the parent that holds the child, its reference, or the list of them.
    pub path: String,
    /// Collection of the child; absent for a part that has none of its own.
    pub to: Option<String>,
    /// Children of one parent.
    pub cardinality: Option<Cardinality>,
    /// Parents of one child.
    pub parents_per_child: Option<Cardinality>,
    /// Whose the child is.
    pub ownership: Option<Ownership>,
    /// How often a read of the parent needs the child.
    pub read_together: Option<ReadTogether>,
    /// Whether the child is read without its parent.
    pub child_read_alone: Option<bool>,
    /// Whether the child is written without its parent.
    pub child_written_alone: Option<bool>,
    /// Whether both are updated in one unit.
    pub updated_together: Option<bool>,
    /// Reads of parents a day.
    pub parent_reads_per_day: Option<f64>,
    /// Updates of children a day.
    pub child_updates_per_day: Option<f64>,
    /// Whether copied fields keep what was true then, or follow their source.
    pub semantics: Option<Semantics>,
    /// How old a copy may be.
    pub staleness: Option<Staleness>,
    /// Whether both are made and removed together.
    pub lifecycle: Option<Sharing>,
    /// Whether the same people may see both.
    pub permissions: Option<Sharing>,
    /// Whether both are kept for the same time.
    pub retention: Option<Sharing>,
    /// How often reports read the child alone.
    pub analytics: Option<Frequency>,
}

/// How many there are.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Cardinality {
    /// The usual number.
    pub typical: Option<f64>,
    /// The number that 99 of 100 do not pass.
    pub p99: Option<f64>,
    /// The largest number that there can be.
    pub max: Option<f64>,
    /// Whether something bounds the number.
    pub growth: Option<Bound>,
}

/// Whether something bounds a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Bound {
    /// Something does.
    Bounded,
    /// Nothing does.
    Unbounded,
}

/// Whose a child is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Ownership {
    /// One parent's.
    Owned,
    /// Several parents'.
    Shared,
    /// Its own.
    Independent,
}

/// How often a read of the parent needs the child.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the words say it")]
pub enum ReadTogether {
    Always,
    Often,
    Rarely,
    Never,
}

/// What a copied field means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Semantics {
    /// What was true when it was copied.
    Snapshot,
    /// What is true at the source.
    CurrentCopy,
}

/// Whether parent and child have something in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the words say it")]
pub enum Sharing {
    Shared,
    Different,
}

/// How often.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the words say it")]
pub enum Frequency {
    Rare,
    Frequent,
}

/// A copy or computed value.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Derived {
    /// The field, `db.collection.path`.
    pub field: String,
    /// What it is.
    pub kind: DerivedKind,
    /// Where it comes from, `db.collection.path`.
    pub source: Option<String>,
    /// How the source is joined: path of the source's document to path of this one; without it the relationship that
    /// the data shows.
    #[serde(default)]
    pub on: BTreeMap<String, String>,
    /// Which documents of the source count.
    #[serde(rename = "where")]
    pub restriction: Option<Literal>,
    /// `count`, `sum(p)`, `avg(p)`, `min(p)`, `max(p)`, `latest(p by q)`, arithmetic of sibling fields, or an
    /// aggregation expression.
    pub formula: Option<Literal>,
    /// Version of the formula.
    pub formula_version: Option<u64>,
    /// Whether it must be exact.
    pub precision: Option<Precision>,
    /// How old it may be.
    pub staleness: Option<Staleness>,
    /// How changes of the source get here.
    pub propagation: Option<Propagation>,
    /// How often the job runs.
    pub every: Option<Duration>,
    /// How it can be made anew.
    pub rebuild: Option<Rebuild>,
    /// The longest time that a consumer may be away.
    pub consumer_gap: Option<Duration>,
    /// Field that says when it was computed.
    pub as_of: Option<String>,
    /// Field that identifies an event, so that a repeated one changes nothing.
    pub idempotency_key: Option<String>,
    /// Field that orders versions of the source.
    pub version_field: Option<String>,
    /// How it is compared with its source.
    pub reconciliation: Option<Reconciliation>,
    /// What happens when the source goes.
    pub on_source_delete: Option<OnSourceDelete>,
    /// Whether it is personal data.
    pub personal_data: Option<bool>,
    /// The period that it sums up.
    pub period: Option<Period>,
    /// What happens to events that come after the period has closed.
    pub late: Option<Late>,
}

/// What a derived field is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DerivedKind {
    /// A copy that keeps what was true then.
    Snapshot,
    /// A copy that follows its source.
    CurrentCopy,
    /// A computed value.
    Computed,
}

/// Whether a computed value must be exact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the words say it")]
pub enum Precision {
    Exact,
    Approximate,
}

/// How changes of the source get into a derived field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Propagation {
    /// Source and value lie in one document.
    SameDocument,
    /// Both are written in one transaction.
    Transaction,
    /// Through an outbox.
    Outbox,
    /// Through a change stream.
    ChangeStream,
    /// By a periodic job.
    Job,
    /// Not at all.
    None,
}

/// How a derived field is compared with its source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Reconciliation {
    /// How often.
    pub every: Duration,
}

/// What happens to a derived value when its source goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the words say it")]
pub enum OnSourceDelete {
    Keep,
    Anonymise,
    Mark,
    Delete,
    Hide,
    Recompute,
}

/// The period that a value sums up.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Period {
    /// Field that names the period.
    pub field: String,
    /// Its length.
    pub length: Option<Duration>,
    /// How long after its end it closes.
    pub closes: Option<Duration>,
}

/// What happens to events that come late.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the words say it")]
pub enum Late {
    Reopen,
    Correct,
    Drop,
}

/// A design pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the names of the catalogue of patterns")]
pub enum Pattern {
    Attribute,
    Bucket,
    TimeSeries,
    Computed,
    ExtendedReference,
    Subset,
    Outlier,
    Polymorphic,
    SchemaVersion,
    Approximation,
    Preallocation,
    DocumentVersion,
    Tree,
    Archive,
    Separate,
}

/// The card of a pattern in use.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Card {
    /// The collection, `db.collection`.
    pub collection: String,
    /// Which pattern.
    pub pattern: Pattern,
    /// The path that the pattern is about.
    pub path: Option<String>,
    /// The access pattern that it serves.
    pub access_pattern: Option<String>,
    /// Normal and outlier numbers.
    pub cardinality: Option<Cardinality>,
    /// Reads a day.
    pub reads: Option<f64>,
    /// Writes a day.
    pub writes: Option<f64>,
    /// Where the truth lies.
    pub source_of_truth: Option<String>,
    /// How consistent it is kept.
    pub consistency: Option<String>,
    /// The indexes that it needs.
    #[serde(default)]
    pub indexes: Vec<Literal>,
    /// How it fails.
    #[serde(default)]
    pub failure_modes: Vec<String>,
    /// Scripts of the way in and out.
    pub migration: Option<Migration>,
    /// What is watched.
    pub observability: Option<String>,
    /// The simpler alternative.
    pub alternative: Option<String>,
    /// Who or what repairs it.
    pub repair: Option<String>,
    /// Elements at most: of a bucket, of the embedded part.
    pub limit: Option<u64>,
    /// When a bucket closes.
    pub close: Option<String>,
    /// What happens to what comes late.
    pub late: Option<String>,
    /// Field that marks an outlier.
    pub flag: Option<String>,
    /// Collection of the overflow.
    pub overflow: Option<String>,
}

/// The scripts of a migration.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Migration {
    /// The way in.
    #[serde(rename = "in")]
    pub into: Option<String>,
    /// The way out.
    pub out: Option<String>,
}

/// Something that the application does.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AccessPattern {
    /// Its name.
    pub name: String,
    /// The operation, as in mongosh.
    pub operation: String,
    /// Runs a day.
    pub per_day: Option<f64>,
    /// Whether someone waits for it.
    #[serde(default)]
    pub hot: bool,
}

/// A declared shard key.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ShardKey {
    /// The key, as `sh.shardCollection` takes it.
    pub key: Literal,
}

/// Namespace and path of `db.collection.path`: the database ends at the first dot, the collection is the longest of
/// the known ones (`db.collection`), else one name long.
pub fn split<'a>(name: &'a str, known: impl IntoIterator<Item = &'a str>) -> Option<(&'a str, &'a str)> {
    let reach = |ns: &str| match name.strip_prefix(ns) {
        Some(rest) if rest.is_empty() || rest.starts_with('.') => Some(ns.len()),
        _ => None,
    };
    let longest = known.into_iter().filter_map(reach).max();
    let end = longest.or_else(|| {
        let database = name.find('.')?;
        let collection = name.get(database + 1..)?;
        Some(collection.find('.').map_or(name.len(), |end| database + 1 + end))
    })?;
    Some((name.get(..end)?, name.get(end + 1..).unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn names_split_at_the_longest_known_collection() {
        assert_eq!(split("shop.orders.items.sku", []), Some(("shop.orders", "items.sku")));
        assert_eq!(
            split("shop.orders.old.total", ["shop.orders", "shop.orders.old"]),
            Some(("shop.orders.old", "total"))
        );
        assert_eq!(split("shop.orderlines.n", ["shop.order"]), Some(("shop.orderlines", "n")));
        assert_eq!(split("shop.orders", ["shop.orders"]), Some(("shop.orders", "")));
        assert_eq!(split("orders", []), None);
    }
}
