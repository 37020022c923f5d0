//! One index: its key, its options, and what the server takes for the same index.

use serde::{Deserialize, Serialize};

use super::Origin;
use crate::value::Value;
use crate::value::location::Location;

/// How one field stands in the key of an index.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum IndexKind {
    /// Sorted upwards.
    Ascending,
    /// Sorted downwards.
    Descending,
    /// Full text.
    Text,
    /// Legacy coordinates on a plane.
    Geo2d,
    /// GeoJSON on a sphere.
    Geo2dsphere,
    /// Hash of the value.
    Hashed,
    /// A kind that is not known, or a direction that the server refuses, as given.
    Other(String),
}

/// One index, as a catalogue shows it or as a script wants it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Index {
    /// Its name; the server's default name where a script gives none.
    pub name: String,
    /// Paths and kinds, in order. A text index lists its text fields where `_fts` stands in the stored key.
    pub key: Vec<(String, IndexKind)>,
    /// Whether keys are unique.
    pub unique: bool,
    /// Whether documents without the field are left out.
    pub sparse: bool,
    /// Whether the planner may not use it.
    pub hidden: bool,
    /// Whether it refuses new duplicates, on its way to unique.
    pub prepare_unique: bool,
    /// The filter of a partial index, as given.
    pub partial_filter: Option<Value>,
    /// Seconds after which documents go, as given: it may be no number.
    pub expire_after_seconds: Option<Value>,
    /// The collation, as given.
    pub collation: Option<Value>,
    /// Which fields a wildcard index takes, as given.
    pub wildcard_projection: Option<Value>,
    /// Weights of text fields, in the order given.
    pub weights: Vec<(String, f64)>,
    /// The format version.
    pub version: Option<i64>,
    /// Options that are not listed above, as given (`textIndexVersion`, `background`, `storageEngine`, …).
    pub other: Vec<(String, Value)>,
    /// Whether it is there or only wanted.
    pub origin: Origin,
    /// Where it stands.
    pub location: Option<Location>,
}
