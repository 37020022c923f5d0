//! `mongovet.json`: settings of the rules and the declared model.

use serde_json::Value;

use crate::finding::Severity;

/// The settings of the rules: severity and options, with their overrides by collection or file.
#[derive(Debug, Default)]
pub struct Settings {}

impl Settings {
    /// Every set of options of a rule; the first is the general one.
    pub(crate) fn options(&self, _rule: &str) -> Vec<Value> {
        vec![Value::Object(serde_json::Map::new())]
    }

    /// Which set of options counts at a place.
    pub(crate) fn options_for(&self, _rule: &str, _collection: Option<&str>, _file: Option<&str>) -> usize {
        0
    }

    /// The severity that replaces a rule's default at a place.
    pub(crate) fn severity(&self, _rule: &str, _collection: Option<&str>, _file: Option<&str>) -> Option<Severity> {
        None
    }
}
