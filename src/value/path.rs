//! Field paths in dot notation, as queries write them.

use std::sync::Arc;

/// A path in dot notation; array levels are not part of it, as in queries. Copies share the text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct FieldPath(Arc<str>);

impl FieldPath {
    /// The path of a dotted string.
    pub fn new(dotted: impl Into<Arc<str>>) -> Self {
        FieldPath(dotted.into())
    }

    /// The dotted string.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The last name of the path.
    pub fn leaf(&self) -> &str {
        self.0.rsplit('.').next().unwrap_or_default()
    }
}

impl std::fmt::Display for FieldPath {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}
