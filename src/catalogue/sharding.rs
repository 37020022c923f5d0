//! How collections are spread over shards: their keys, present and wanted, and what the server measured on a key.

use serde::{Deserialize, Serialize};

use super::{IndexKind, Origin};
use crate::order::Ordered;
use crate::value::Value;
use crate::value::location::Location;

/// A shard key.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ShardKey {
    /// Paths and kinds, in order.
    pub key: Vec<(String, IndexKind)>,
    /// Whether the server is to keep the values of the key unique.
    pub unique: bool,
    /// Whether the collection is sharded by it or is to be.
    pub origin: Origin,
    /// Where it stands.
    pub location: Option<Location>,
}

/// What `analyzeShardKey` measured on one key (7.0 and later), without the values that it saw.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct KeyAnalysis {
    /// The paths of the key, from the values that it shows; empty where it shows none.
    pub paths: Vec<String>,
    /// Documents of the collection.
    pub documents: Option<u64>,
    /// Average size of a document, in bytes.
    pub average: Option<u64>,
    /// Documents that were looked at.
    pub sampled: Option<u64>,
    /// Distinct values of the key.
    pub distinct: Option<u64>,
    /// Documents with the most frequent value.
    pub most_frequent: Option<u64>,
    /// Whether values rise or fall with insertion; absent where the server could not tell.
    pub monotonic: Option<bool>,
    /// The correlation of values and insertion, from −1 to 1.
    pub correlation: Option<f64>,
    /// Where sampled reads went.
    pub reads: Distribution,
    /// Where sampled updates and deletes went.
    pub writes: Distribution,
    /// The share of sampled writes that changed the key, in percent.
    pub key_updates: Option<f64>,
    /// The input that holds it.
    pub location: Option<Location>,
}

/// To how many shards sampled operations went.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Distribution {
    /// Operations that were sampled.
    pub sampled: u64,
    /// The share that every shard was asked, in percent.
    pub scattered: f64,
}

/// What is known of the cluster as a whole.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Cluster {
    /// Names of its shards, sorted.
    pub shards: Vec<String>,
    /// Whether the evidence lists all sharded collections, so that any other is not sharded.
    pub listed: bool,
}

impl ShardKey {
    /// The key of a pattern as `sh.shardCollection` takes it; none where it names no field.
    pub fn of_pattern(pattern: &Value, origin: Origin) -> Option<ShardKey> {
        let fields = pattern.as_object().filter(|fields| !fields.is_empty())?;
        let key = fields.iter().map(|(path, kind)| (path.clone(), IndexKind::parse(kind, origin))).collect();
        Some(ShardKey { key, unique: false, origin, location: None })
    }

    /// The paths of the key, in order.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.key.iter().map(|(path, _)| path.as_str())
    }

    /// Whether the first field is hashed.
    pub fn is_hashed_first(&self) -> bool {
        matches!(self.key.first(), Some((_, IndexKind::Hashed)))
    }

    /// Whether the server can keep an index over these paths unique over all shards: it begins with the paths of the
    /// key, whatever their kinds, or with `_id`, which is then unique on each shard alone.
    pub fn allows_unique<'a>(&self, mut paths: impl Iterator<Item = &'a str> + Clone) -> bool {
        paths.clone().next() == Some("_id") || self.paths().all(|own| paths.next() == Some(own))
    }

    /// How a script writes the key.
    pub fn script(&self) -> String {
        super::index::key_script(&self.key)
    }
}

impl Cluster {
    /// Takes what another part of the evidence knows.
    pub fn merge(&mut self, other: Cluster) {
        self.shards.extend(other.shards);
        self.shards.order();
        self.shards.dedup();
        self.listed |= other.listed;
    }
}

impl KeyAnalysis {
    /// What an output of `analyzeShardKey` says.
    pub fn parse(value: &Value) -> KeyAnalysis {
        let part = |name: &str| value.get(name).cloned().unwrap_or(Value::Null);
        let (traits, reads, writes) = (part("keyCharacteristics"), part("readDistribution"), part("writeDistribution"));
        let count = |name: &str| traits.get(name).and_then(whole);
        let frequent = traits.get("mostCommonValues").and_then(Value::as_array).unwrap_or_default();
        let names =
            |value: &Value| value.as_object().map(|fields| fields.iter().map(|(name, _)| name.clone()).collect());
        let monotonicity = traits.get("monotonicity");
        KeyAnalysis {
            paths: frequent.iter().find_map(|one| names(one.get("value")?)).unwrap_or_default(),
            documents: count("numDocsTotal"),
            average: count("avgDocSizeBytes"),
            sampled: count("numDocsSampled").or_else(|| count("numDocsTotal")),
            distinct: count("numDistinctValues"),
            most_frequent: frequent.iter().filter_map(|one| whole(one.get("frequency")?)).max(),
            monotonic: match monotonicity.and_then(|m| m.get("type")?.as_str()) {
                Some("monotonic") => Some(true),
                Some("not monotonic") => Some(false),
                _ => None,
            },
            correlation: monotonicity.and_then(|m| m.get("recordIdCorrelationCoefficient")?.as_f64()),
            reads: Distribution::parse(&reads, "percentageOfScatterGatherReads"),
            writes: Distribution::parse(&writes, "percentageOfScatterGatherWrites"),
            key_updates: writes.get("percentageOfShardKeyUpdates").and_then(Value::as_f64),
            location: None,
        }
    }

    /// Whether it is about this key, as far as it tells; its kinds it does not tell.
    pub fn is_about(&self, key: &ShardKey) -> bool {
        self.paths.is_empty() || self.paths.iter().map(String::as_str).eq(key.paths())
    }

    /// How many reads, updates and deletes were sampled, and the share of them, from 0 to 1, that every shard was asked;
    /// nothing where none were.
    pub fn scattered(&self) -> Option<(u64, f64)> {
        let part = |distribution: &Distribution| distribution.sampled as f64 * distribution.scattered / 100.0;
        let sampled = self.reads.sampled.saturating_add(self.writes.sampled);
        (0 < sampled).then(|| (sampled, (part(&self.reads) + part(&self.writes)) / sampled as f64))
    }

    /// Bytes of all documents.
    pub fn bytes(&self) -> Option<u64> {
        Some(self.documents?.saturating_mul(self.average?))
    }
}

impl Distribution {
    fn parse(value: &Value, scattered: &str) -> Distribution {
        Distribution {
            sampled: value.get("sampleSize").and_then(|size| whole(size.get("total")?)).unwrap_or(0),
            scattered: value.get(scattered).and_then(Value::as_f64).unwrap_or(0.0),
        }
    }
}

/// A number of things, in whatever type it is written.
fn whole(value: &Value) -> Option<u64> {
    value.as_f64().filter(|number| number.is_finite() && 0.0 <= *number).map(|number| number as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(fields: &[(&str, IndexKind)]) -> ShardKey {
        let key = fields.iter().map(|(path, kind)| ((*path).to_owned(), kind.clone())).collect();
        ShardKey { key, unique: false, origin: Origin::Wanted, location: None }
    }

    #[test]
    fn unique_indexes_begin_with_the_key() {
        let tenant = key(&[("tenantId", IndexKind::Ascending), ("orderId", IndexKind::Hashed)]);
        let allows = |paths: &[&str]| tenant.allows_unique(paths.iter().copied());
        assert!(allows(&["tenantId", "orderId"]) && allows(&["tenantId", "orderId", "line"]) && allows(&["_id"]));
        assert!(!allows(&["tenantId"]) && !allows(&["orderId", "tenantId"]) && !allows(&["email"]));
        assert_eq!(tenant.script(), "{ tenantId: 1, orderId: \"hashed\" }");
    }

    #[test]
    fn an_analysis_keeps_counts_and_no_values() {
        let fields =
            |list: Vec<(&str, Value)>| Value::Object(list.into_iter().map(|(k, v)| (k.to_owned(), v)).collect());
        let frequent = |count| {
            fields(vec![
                ("value", fields(vec![("a", Value::String("x".into())), ("b", Value::Int(1))])),
                ("frequency", Value::Long(count)),
            ])
        };
        let sample = |total| fields(vec![("total", Value::Int(total))]);
        let analysis = KeyAnalysis::parse(&fields(vec![
            (
                "keyCharacteristics",
                fields(vec![
                    ("numDocsTotal", Value::Long(1_000)),
                    ("avgDocSizeBytes", Value::Int(50)),
                    ("numDistinctValues", Value::Long(7)),
                    ("mostCommonValues", Value::Array(vec![frequent(3), frequent(9)])),
                    ("monotonicity", fields(vec![("type", Value::String("unknown".into()))])),
                ]),
            ),
            (
                "readDistribution",
                fields(vec![("sampleSize", sample(30)), ("percentageOfScatterGatherReads", Value::Int(50))]),
            ),
            (
                "writeDistribution",
                fields(vec![("sampleSize", sample(10)), ("percentageOfScatterGatherWrites", Value::Double(0.0))]),
            ),
        ]));
        assert_eq!((analysis.distinct, analysis.most_frequent, analysis.sampled), (Some(7), Some(9), Some(1_000)));
        assert_eq!(
            (analysis.monotonic, analysis.bytes(), analysis.scattered()),
            (None, Some(50_000), Some((40, 0.375)))
        );
        assert!(analysis.is_about(&key(&[("a", IndexKind::Ascending), ("b", IndexKind::Hashed)])));
        assert!(!analysis.is_about(&key(&[("b", IndexKind::Ascending), ("a", IndexKind::Ascending)])));
    }
}
