//! Joins for few small fields. Words, reasons and examples: extended-reference-candidate.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::is_declared;
use crate::advice;
use crate::config::intent::Pattern;
use crate::model::Model;
use crate::model::extended::{self, extension};
use crate::rules::{Findings, Place};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Fields beyond which a copy is no small one.
    fields: usize,
    /// Bytes of the copied fields together, names included, beyond which it is none either.
    bytes: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options { fields: extended::MAX_FIELDS, bytes: extended::MAX_BYTES }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for relation in model.relations.iter().filter(|relation| !relation.is_self()) {
        // Advice has the last word: it weighs the other forms as well.
        let decided = advice::relationship(findings.recommendations(), &relation.from, relation.path.as_str());
        if decided.is_some_and(|decided| decided.decision != "extended-reference" || decided.today == decided.decision)
        {
            continue;
        }
        let Some(extension) = extension(model, relation) else { continue };
        let too_large = extension.bytes.is_some_and(|bytes| options.bytes < bytes);
        if too_large || options.fields < extension.fields.len() {
            continue;
        }
        // Copies that the team has declared are there already, whoever still joins.
        let target = relation.to.to_string();
        let is_copied = extension.fields.iter().all(|field| {
            let source = format!("{target}.{field}");
            model.intent.derived.iter().any(|derived| derived.source.as_ref() == Some(&source))
        });
        if is_copied || is_declared(model, &relation.from, relation.path.as_str(), &[Pattern::ExtendedReference]) {
            continue;
        }
        let draft = findings.inferred(Place::path(&relation.from, &relation.path), "what joins show");
        draft.list("fields", &extension.fields).text("target", &relation.to);
        draft.number("joins", extension.served.operations);
        if let (Some(bytes), Some(copies)) = (extension.bytes, extension.copies) {
            draft.number("bytes", bytes).number("read", extension.read.unwrap_or_default()).number("copies", copies);
            draft.variant("measured");
        }
    }
}
