//! Field paths in dot notation, as queries write them.

use std::sync::Arc;

use super::event::{Document, Item};

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

/// Stands in a path for a name that is data, and for any name where a path is followed.
pub const ANY_NAME: &str = "<key>";

/// The places of the values that a dotted path reaches in a document: through arrays, as queries do, with its elements
/// in the place of an array at the end.
pub fn reach(document: &Document<'_>, path: &str) -> Vec<usize> {
    let is_object = |at: &usize| matches!(document.entries.get(*at).map(|e| e.item), Some(Item::Object { .. }));
    let is_array = |at: usize| matches!(document.entries.get(at).map(|e| e.item), Some(Item::Array { .. }));
    let spread = |at: usize| -> Vec<usize> {
        if is_array(at) { document.children(at).map(|(inner, _)| inner).collect() } else { vec![at] }
    };
    let mut reached = vec![0];
    for name in path.split('.') {
        let objects = reached.into_iter().flat_map(spread).filter(is_object);
        let named = objects.flat_map(|at| document.children(at).filter(|(_, e)| e.key == name || name == ANY_NAME));
        reached = named.map(|(at, _)| at).collect();
    }
    reached.into_iter().flat_map(spread).collect()
}
