//! A list of keys that becomes a collection of links.

use serde::Serialize;

use super::{Step, are_together, is_field, is_writable, script};
use crate::catalogue::Namespace;
use crate::finding::Script;
use crate::locale::Lang;

/// One link for each key of a list, each pair once.
///
/// An emptied array keeps its place in the document until the last step; after it, the way back adds it at the end, in
/// the order of the links. A list that names one thing twice stays as it is.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Associated {
    database: Option<String>,
    owners: String,
    path: String,
    links: String,
    owner_ref: String,
    other_ref: String,
    place: String,
}

impl Associated {
    /// The plan that makes links of `owner` and `other`, and until the last step `place`, of what `path` lists.
    ///
    /// There is none where the names cannot be written, or the collections are not two of one database.
    pub fn new(
        owners: &Namespace,
        path: &str,
        links: &Namespace,
        [owner, other]: [&str; 2],
        place: &str,
    ) -> Option<Associated> {
        if !are_together(owners, links) {
            return None;
        }
        let are_right = [owner, other, place].iter().all(|name| is_field(name));
        (is_writable(path) && are_right && owner != other && owner != place && other != place).then(|| Associated {
            database: owners.database.clone(),
            owners: owners.collection.clone(),
            path: path.to_owned(),
            links: links.collection.clone(),
            owner_ref: owner.to_owned(),
            other_ref: other.to_owned(),
            place: place.to_owned(),
        })
    }

    /// One of its scripts, if it has it; `words` say what it does.
    pub fn script(&self, step: Step, words: &str) -> Option<Script> {
        let body = match step {
            Step::Migrate => include_str!("associated-migrate.js"),
            Step::Check => include_str!("associated-check.js"),
            Step::Back => include_str!("associated-back.js"),
            Step::Finish => include_str!("associated-finish.js"),
            Step::Propagate | Step::Reconcile => return None,
        };
        Some(script(step, words, self, body))
    }

    /// What a step does, for its header.
    pub fn words(step: Step, lang: Lang) -> &'static str {
        let sentences = lang.sentences();
        match step {
            Step::Migrate => sentences.scripts.associated_migrate,
            Step::Back => sentences.scripts.associated_back,
            Step::Finish => sentences.advice.script_finish,
            Step::Check => sentences.advice.script_check,
            Step::Propagate => sentences.advice.script_propagate,
            Step::Reconcile => sentences.advice.script_reconcile,
        }
    }
}
