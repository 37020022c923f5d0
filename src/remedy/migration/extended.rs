//! Fields of the document that a reference names, copied beside the reference.

use serde::Serialize;

use super::{Step, are_together, is_addressable, is_field, is_writable, script};
use crate::catalogue::Namespace;
use crate::finding::Script;
use crate::locale::Lang;

/// Copies beside a reference, which may stand in each element of an array.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ExtendedReference {
    database: Option<String>,
    holders: String,
    array: Option<String>,
    reference: String,
    sources: String,
    target: String,
    fields: Vec<(String, String)>,
}

impl ExtendedReference {
    /// The plan that copies `fields` of the source beside the reference: pairs of the source's path and the copy's name.
    ///
    /// `reference` is the path within the document, or within each element of `array`. There is no plan where the paths
    /// cannot be written, a copy's name is the reference's own, or the collections are not two of one database.
    pub fn new(
        holders: &Namespace,
        array: Option<&str>,
        reference: &str,
        sources: &Namespace,
        target: &str,
        fields: &[(String, String)],
    ) -> Option<ExtendedReference> {
        if !are_together(holders, sources) {
            return None;
        }
        let leaf = reference.rsplit('.').next();
        let are_right = !fields.is_empty()
            && fields.iter().all(|(source, copy)| is_addressable(source) && is_field(copy) && Some(&**copy) != leaf)
            && fields.iter().enumerate().all(|(at, (_, copy))| fields.iter().take(at).all(|(_, other)| other != copy));
        let is_reached = array.is_none_or(is_writable) && is_addressable(reference) && is_addressable(target);
        (are_right && is_reached).then(|| ExtendedReference {
            database: holders.database.clone(),
            holders: holders.collection.clone(),
            array: array.map(str::to_owned),
            reference: reference.to_owned(),
            sources: sources.collection.clone(),
            target: target.to_owned(),
            fields: fields.to_vec(),
        })
    }

    /// One of its scripts, if it has it; `words` say what it does.
    pub fn script(&self, step: Step, words: &str) -> Option<Script> {
        let body = match step {
            Step::Migrate => include_str!("extended-migrate.js"),
            Step::Check => include_str!("extended-check.js"),
            Step::Back => include_str!("extended-back.js"),
            Step::Propagate => include_str!("extended-propagate.js"),
            Step::Reconcile => include_str!("extended-reconcile.js"),
            Step::Finish => return None,
        };
        Some(script(step, words, self, body))
    }

    /// What a step does, for its header.
    pub fn words(step: Step, lang: Lang) -> &'static str {
        let sentences = lang.sentences();
        match step {
            Step::Migrate => sentences.scripts.extended_migrate,
            Step::Check => sentences.scripts.extended_check,
            Step::Back => sentences.scripts.extended_back,
            Step::Finish => sentences.advice.script_finish,
            Step::Propagate => sentences.scripts.extended_propagate,
            Step::Reconcile => sentences.scripts.extended_reconcile,
        }
    }
}
