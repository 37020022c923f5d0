//! Inputs whose documents answer a `find` by the values of one field: which of the values came back.

use std::collections::BTreeMap;

use bumpalo::Bump;
use serde::{Deserialize, Serialize};

use crate::order::Ordered;
use crate::profile::fetched::Answer;
use crate::value::event::{Document, Item};
use crate::value::hash::hash_key;
use crate::value::path::reach;

/// What the host knows of such an input: the command that it answers, and whether the reply ended by itself.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Reply {
    /// The filter `{path: {$in: […]}}` in canonical Extended JSON.
    pub filter: serde_json::Value,
    /// The greatest number of documents that was asked for.
    pub limit: u64,
    /// Whether all documents up to the limit came.
    pub whole: bool,
}

/// Counts what comes under each value that was asked for.
#[derive(Debug, Clone, Default)]
pub struct Asked {
    path: String,
    keys: BTreeMap<u64, u32>,
    limit: u64,
    whole: bool,
    documents: u64,
}

impl Asked {
    /// Reads the command; of a filter in any other form nothing is known, and its documents count for pairs alone.
    pub fn new(reply: &Reply) -> Asked {
        let mut asked = Asked { limit: reply.limit, whole: reply.whole, ..Asked::default() };
        let text = reply.filter.to_string();
        let arena = Bump::new();
        let mut entries = Vec::new();
        let Ok((_, form)) = crate::value::ejson::decode(text.as_bytes(), &arena, &mut entries) else { return asked };
        let filter = Document { entries: &entries, fidelity: form.fidelity(false) };
        let mut fields = filter.children(0);
        let (Some((place, field)), None) = (fields.next(), fields.next()) else { return asked };
        let Some((list, _)) = filter.children(place).find(|(_, entry)| entry.key == "$in") else { return asked };
        field.key.clone_into(&mut asked.path);
        asked.keys = filter.children(list).map(|(_, entry)| (hash_key(&entry.item), 0)).collect();
        asked
    }

    /// Counts one document of the reply.
    pub fn count(&mut self, document: &Document<'_>) {
        self.documents += 1;
        let values = reach(document, &self.path).into_iter().filter_map(|at| document.entries.get(at));
        let scalars = values.filter(|entry| !matches!(entry.item, Item::Object { .. } | Item::Array { .. }));
        let mut keys: Vec<u64> = scalars.map(|entry| hash_key(&entry.item)).collect();
        keys.order();
        keys.dedup();
        for key in keys {
            if let Some(count) = self.keys.get_mut(&key) {
                *count = count.saturating_add(1);
            }
        }
    }

    /// The path, and what came under each value; `good` says that nothing of the reply was unreadable.
    pub fn answers(self, good: bool) -> (String, Vec<(u64, Answer)>) {
        let whole = self.whole && good && self.documents < self.limit;
        let answer = |(key, documents)| (key, Answer { documents, whole });
        (self.path, self.keys.into_iter().map(answer).collect())
    }
}
