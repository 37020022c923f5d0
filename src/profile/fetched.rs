//! Documents of a collection that were fetched by the values of a field: the targets of sampled references, the
//! children of sampled parents. They count for pairs and never for statistics.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Sample;
use crate::value::event::Document;

/// What was fetched from one collection, mergeable and independent of order.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Fetched {
    documents: Sample,
    /// By path, then by the key of the value that was asked for ([`crate::value::hash::hash_key`]).
    asked: BTreeMap<String, BTreeMap<u64, Answer>>,
}

/// What the server has under one value of a field.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// Documents that came.
    pub documents: u32,
    /// Whether these are all: else the reply was cut, and there may be more.
    pub whole: bool,
}

/// Values that are kept of one path: more than any list of commands asks for.
const MAX_ASKED: usize = 1 << 16;

impl Fetched {
    /// Keeps a document.
    pub fn add(&mut self, document: &Document<'_>) {
        if !document.entries.is_empty() {
            self.documents.offer_once(Sample::place(document), document);
        }
    }

    /// Keeps what came under values of a path.
    pub fn answer(&mut self, path: &str, answers: impl IntoIterator<Item = (u64, Answer)>) {
        let asked = self.asked.entry(path.to_owned()).or_default();
        for (key, answer) in answers {
            let known = asked.entry(key).or_default();
            known.documents = known.documents.max(answer.documents);
            known.whole |= answer.whole;
        }
        while MAX_ASKED < asked.len() {
            asked.pop_last();
        }
    }

    /// Adds all that was fetched elsewhere.
    pub fn merge(&mut self, other: Fetched) {
        self.documents.merge_once(other.documents);
        for (path, answers) in other.asked {
            self.answer(&path, answers);
        }
    }

    /// The documents, each once.
    pub fn documents(&self) -> &Sample {
        &self.documents
    }

    /// The same, to be cut.
    pub fn documents_mut(&mut self) -> &mut Sample {
        &mut self.documents
    }

    /// The values of a path that were asked for, by their keys; none where nothing was.
    pub fn answers(&self, path: &str) -> Option<&BTreeMap<u64, Answer>> {
        self.asked.get(path)
    }

    /// The paths by whose values was asked.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.asked.keys().map(String::as_str)
    }

    /// Whether nothing was asked for.
    pub fn is_empty(&self) -> bool {
        self.asked.is_empty() && self.documents.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn fetched(parts: &[(u32, bool, Vec<u8>)]) -> Fetched {
        let mut fetched = Fetched::default();
        for (id, whole, text) in parts {
            let text = String::from_utf8_lossy(text).replace(['"', '\\'], "");
            let json = format!("{{\"_id\": {id}, \"text\": \"{text}\"}}");
            let arena = bumpalo::Bump::new();
            let mut entries = Vec::new();
            let (_, form) = crate::value::ejson::decode(json.as_bytes(), &arena, &mut entries).expect("valid JSON");
            fetched.add(&Document { entries: &entries, fidelity: form.fidelity(false) });
            fetched.answer("_id", [(u64::from(*id), Answer { documents: 1, whole: *whole })]);
        }
        fetched
    }

    proptest! {
        #[test]
        fn merged_parts_equal_the_whole_in_any_order(
            parts in prop::collection::vec((0u32..20, any::<bool>(), prop::collection::vec(b'a'..b'e', 0..4)), 0..40),
            cut in 0usize..40,
        ) {
            let (left, right) = parts.split_at(cut.min(parts.len()));
            let mut merged = fetched(right);
            merged.merge(fetched(left));
            prop_assert_eq!(&merged, &fetched(&parts));
            let ids: std::collections::BTreeSet<u32> = parts.iter().map(|part| part.0).collect();
            prop_assert_eq!(merged.documents().len(), ids.len(), "each document is kept once");
            merged.merge(fetched(&parts));
            prop_assert_eq!(&merged, &fetched(&parts), "and learning it again changes nothing");
        }
    }
}
