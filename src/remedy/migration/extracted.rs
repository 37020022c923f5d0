//! An object that many documents repeat, kept once in a collection of its own.

use serde::Serialize;

use super::{ExtendedReference, Step, are_together, is_addressable, is_field, is_writable, script};
use crate::catalogue::Namespace;
use crate::finding::Script;
use crate::locale::Lang;

/// The object's key in its place, with copies of some of its fields beside it where they are read with it.
///
/// The reference stands where the object stood. Where copies of one key say different things nothing is changed.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Extracted {
    database: Option<String>,
    parents: String,
    path: String,
    children: String,
    key: String,
    reference: String,
    fields: Vec<(String, String)>,
}

impl Extracted {
    /// The plan that moves the object at `path` into `children`, by its field `key`, and leaves `reference` instead.
    ///
    /// `fields` are pairs of the object's path and the copy's name; both they and the reference stand beside the object.
    /// There is none where the names cannot be written or are the object's own, or the collections are not two of one
    /// database.
    pub fn new(
        parents: &Namespace,
        path: &str,
        children: &Namespace,
        key: &str,
        reference: &str,
        fields: &[(String, String)],
    ) -> Option<Extracted> {
        if !are_together(parents, children) {
            return None;
        }
        let added: Vec<&str> = fields.iter().map(|(_, copy)| &**copy).chain([reference]).collect();
        let are_new = added.iter().enumerate().all(|(at, name)| {
            is_field(name) && path.rsplit('.').next() != Some(name) && added.iter().take(at).all(|other| other != name)
        });
        let are_reached = fields.iter().all(|(source, _)| is_addressable(source));
        let is_key = is_addressable(key) && !key.contains('.');
        (is_writable(path) && is_key && are_new && are_reached).then(|| Extracted {
            database: parents.database.clone(),
            parents: parents.collection.clone(),
            path: path.to_owned(),
            children: children.collection.clone(),
            key: key.to_owned(),
            reference: reference.to_owned(),
            fields: fields.to_vec(),
        })
    }

    /// One of its scripts, if it has it; `words` say what it does.
    pub fn script(&self, step: Step, words: &str) -> Option<Script> {
        let body = match step {
            Step::Migrate => include_str!("extracted-migrate.js"),
            Step::Check => include_str!("extracted-check.js"),
            Step::Back => include_str!("extracted-back.js"),
            Step::Finish | Step::Propagate | Step::Reconcile => return None,
        };
        Some(script(step, words, self, body))
    }

    /// What keeps the copies beside the reference, where there are any.
    pub fn copies(&self) -> Option<ExtendedReference> {
        let reference = match self.path.rsplit_once('.') {
            Some((above, _)) => format!("{above}.{}", self.reference),
            None => self.reference.clone(),
        };
        let ns = |collection: &str| Namespace { database: self.database.clone(), collection: collection.to_owned() };
        let (parents, children) = (ns(&self.parents), ns(&self.children));
        ExtendedReference::new(&parents, None, &reference, &children, "_id", &self.fields)
    }

    /// What a step does, for its header.
    pub fn words(step: Step, lang: Lang) -> &'static str {
        let sentences = lang.sentences();
        match step {
            Step::Migrate => sentences.scripts.extracted_migrate,
            Step::Back => sentences.scripts.extracted_back,
            Step::Finish => sentences.advice.script_finish,
            Step::Check => sentences.advice.script_check,
            Step::Propagate => sentences.advice.script_propagate,
            Step::Reconcile => sentences.advice.script_reconcile,
        }
    }
}
