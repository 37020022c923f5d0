//! A list of children's keys that becomes a reference in each child.

use serde::Serialize;

use super::{Step, are_together, is_writable, script};
use crate::catalogue::Namespace;
use crate::finding::Script;
use crate::locale::Lang;

/// The parent's `_id` in each child, instead of the children's in the parent.
///
/// An emptied array keeps its place in the document until the last step; after it, the way back adds it at the end, in
/// the order of the children's keys. A child that two lists name, and a key that finds no child, stay where they are.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Reversed {
    database: Option<String>,
    parents: String,
    path: String,
    children: String,
    parent_id: String,
    place: String,
}

impl Reversed {
    /// The plan that writes `parent_id`, and until the last step `place`, into each child that `path` of a parent lists.
    ///
    /// There is none where the paths cannot be written, or the collections are not two of one database.
    pub fn new(
        parents: &Namespace,
        path: &str,
        children: &Namespace,
        parent_id: &str,
        place: &str,
    ) -> Option<Reversed> {
        if !are_together(parents, children) {
            return None;
        }
        let is_right = is_writable(path) && is_writable(parent_id) && is_writable(place) && parent_id != place;
        is_right.then(|| Reversed {
            database: parents.database.clone(),
            parents: parents.collection.clone(),
            path: path.to_owned(),
            children: children.collection.clone(),
            parent_id: parent_id.to_owned(),
            place: place.to_owned(),
        })
    }

    /// One of its scripts, if it has it; `words` say what it does.
    pub fn script(&self, step: Step, words: &str) -> Option<Script> {
        let body = match step {
            Step::Migrate => include_str!("reversed-migrate.js"),
            Step::Check => include_str!("reversed-check.js"),
            Step::Back => include_str!("reversed-back.js"),
            Step::Finish => include_str!("reversed-finish.js"),
            Step::Propagate | Step::Reconcile => return None,
        };
        Some(script(step, words, self, body))
    }

    /// What a step does, for its header.
    pub fn words(step: Step, lang: Lang) -> &'static str {
        let sentences = lang.sentences();
        match step {
            Step::Migrate => sentences.scripts.reversed_migrate,
            Step::Back => sentences.scripts.reversed_back,
            Step::Finish => sentences.advice.script_finish,
            Step::Check => sentences.advice.script_check,
            Step::Propagate => sentences.advice.script_propagate,
            Step::Reconcile => sentences.advice.script_reconcile,
        }
    }
}
