//! What parents keep of children that stay in their own collection: their number, and copies of the newest.

use serde::Serialize;

use super::{Step, are_together, is_field, is_writable, script};
use crate::catalogue::Namespace;
use crate::finding::Script;
use crate::locale::Lang;

/// The number of the children in each parent, with copies of the newest where they are shown.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Kept {
    database: Option<String>,
    parents: String,
    target: String,
    children: String,
    parent_id: String,
    field: Option<String>,
    count: String,
    newest: u64,
    sort: Vec<(String, i32)>,
}

impl Kept {
    /// The plan that writes the number of `children` whose `parent_id` equals a parent's `target` into its new field
    /// `count`.
    ///
    /// There is none where the names cannot be written, or the collections are not two of one database.
    pub fn new(parents: &Namespace, target: &str, children: &Namespace, parent_id: &str, count: &str) -> Option<Kept> {
        let are_right = is_field(count) && is_writable(parent_id) && super::is_addressable(target);
        (are_together(parents, children) && are_right).then(|| Kept {
            database: parents.database.clone(),
            parents: parents.collection.clone(),
            target: target.to_owned(),
            children: children.collection.clone(),
            parent_id: parent_id.to_owned(),
            field: None,
            count: count.to_owned(),
            newest: 0,
            sort: Vec::new(),
        })
    }

    /// The same with copies of the first `newest` children by `sort` in the new field `field`.
    #[must_use]
    pub fn with_copies(self, field: &str, newest: u64, sort: Vec<(String, i32)>) -> Option<Kept> {
        let are_right = is_field(field) && field != self.count && 0 < newest && !sort.is_empty();
        are_right.then(|| Kept { field: Some(field.to_owned()), newest, sort, ..self })
    }

    /// One of its scripts, if it has it; `words` say what it does.
    pub fn script(&self, step: Step, words: &str) -> Option<Script> {
        let body = match step {
            Step::Migrate => include_str!("kept-migrate.js"),
            Step::Back => include_str!("kept-back.js"),
            Step::Reconcile => include_str!("kept-reconcile.js"),
            Step::Check | Step::Finish | Step::Propagate => return None,
        };
        Some(script(step, words, self, body))
    }

    /// What a step does, for its header.
    pub fn words(step: Step, lang: Lang) -> &'static str {
        let sentences = lang.sentences();
        match step {
            Step::Migrate => sentences.scripts.kept_migrate,
            Step::Back => sentences.scripts.kept_back,
            Step::Finish => sentences.advice.script_finish,
            Step::Check => sentences.advice.script_check,
            Step::Propagate => sentences.advice.script_propagate,
            Step::Reconcile => sentences.advice.script_reconcile,
        }
    }
}
