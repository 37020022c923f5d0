//! Drills for a test database: a pattern is built with typical and outlier documents, taken across its limits and back,
//! broken and repaired, and read by a reader of the old version.
//!
//! Each is a body of JavaScript that never changes, beside a plan with the names: so no name becomes code.

use serde::Serialize;

use super::migration;
use crate::config::intent::Pattern;
use crate::finding::Script;

/// The names and numbers of a drill.
#[derive(Debug, Clone, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Drill {
    /// The database that it makes and drops.
    pub(crate) database: &'static str,
    /// The pattern's name.
    pub(crate) pattern: &'static str,
    /// The collection that the pattern is on.
    pub(crate) collection: String,
    /// The collection with the source, the overflow, the events or the revisions.
    pub(crate) other: String,
    /// The path that the pattern is about.
    pub(crate) path: String,
    /// How many there may be.
    pub(crate) limit: u64,
    /// How many there are in a typical document.
    pub(crate) typical: u64,
    /// A name that no path of the plan begins with.
    pub(crate) owner: String,
    /// The stored number of events of a bucket.
    pub(crate) count: String,
    /// The mark of an outlier.
    pub(crate) flag: String,
    /// The field that orders a subset.
    pub(crate) order: String,
    /// Whether the highest come first.
    pub(crate) descending: bool,
    /// The field of the other collection that refers to this one.
    pub(crate) reference: String,
    /// A copied field.
    pub(crate) copy: String,
    /// The name of the key in a list of attributes.
    pub(crate) key: String,
    /// The name of the value there.
    pub(crate) value: String,
    /// What the field of a tree holds.
    pub(crate) kind: String,
}

/// The database of all drills.
pub(crate) const DATABASE: &str = "mongovet_drill";

impl Drill {
    /// The script of a pattern, if it has a drill; `words` say what it does.
    pub(crate) fn script(&self, pattern: Pattern, words: &str) -> Option<Script> {
        let body = match pattern {
            Pattern::Bucket => include_str!("drill/bucket.js"),
            Pattern::Subset => include_str!("drill/subset.js"),
            Pattern::Outlier => include_str!("drill/outlier.js"),
            Pattern::Preallocation => include_str!("drill/preallocation.js"),
            Pattern::Computed => include_str!("drill/computed.js"),
            Pattern::ExtendedReference => include_str!("drill/copies.js"),
            Pattern::Attribute => include_str!("drill/attribute.js"),
            Pattern::Polymorphic | Pattern::SchemaVersion => include_str!("drill/variant.js"),
            Pattern::Tree if matches!(self.kind.as_str(), "parent" | "ancestors") => include_str!("drill/tree.js"),
            Pattern::DocumentVersion => include_str!("drill/revisions.js"),
            Pattern::Approximation => include_str!("drill/approximation.js"),
            Pattern::TimeSeries | Pattern::Archive | Pattern::Separate | Pattern::Tree => return None,
        };
        let whole = include_str!("drill/frame.js").replacen("BODY", body.trim_end(), 1);
        Some(migration::planned("drill", words, self, &whole))
    }
}
