//! Field paths in dot notation, as queries write them.

/// A path in dot notation; array levels are not part of it, as in queries.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct FieldPath(String);

impl FieldPath {
    /// The path of a dotted string.
    pub fn new(dotted: impl Into<String>) -> Self {
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
