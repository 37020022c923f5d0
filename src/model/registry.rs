//! The declared registry of copies and computed values, each entry with the place that its names mean.

use super::Model;
use crate::catalogue::Namespace;
use crate::config::intent::{self, Derived};

/// A declared derived field.
#[derive(Debug, Clone)]
pub struct Entry<'m> {
    /// What is declared.
    pub derived: &'m Derived,
    /// The collection that holds the field.
    pub ns: Namespace,
    /// The path of the field.
    pub path: String,
}

impl Model {
    /// The entries of the registry, in the order of the declaration. Names that name no collection are left out.
    pub fn registry(&self) -> Vec<Entry<'_>> {
        let known: Vec<String> = self.collections.iter().map(|collection| collection.ns.to_string()).collect();
        let mut entries = Vec::new();
        for derived in &self.intent.derived {
            entries.extend(place(&derived.field, &known).map(|(ns, path)| Entry { derived, ns, path }));
        }
        entries
    }
}

fn place(field: &str, known: &[String]) -> Option<(Namespace, String)> {
    let (ns, path) = intent::split(field, known.iter().map(String::as_str))?;
    let (database, collection) = ns.split_once('.')?;
    (!path.is_empty()).then(|| (Namespace::new(database, collection), path.to_owned()))
}
