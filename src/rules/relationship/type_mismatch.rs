//! References of another type than their target. Words, reasons and examples: type-mismatch.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{fields, key_types};
use crate::finding::Remedy;
use crate::model::{Collection, Model, Relation};
use crate::remedy::convert::{self, Target};
use crate::rules::{Findings, Place};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for relation in &model.relations {
        let (Some(from), Some(to)) = (model.collection(&relation.from), model.collection(&relation.to)) else {
            continue;
        };
        // Plain JSON makes text of ids, on one side or on both.
        if !from.types_are_kept() || !to.types_are_kept() {
            continue;
        }
        let Some(tally) = relation.pairs(model).map(|pairs| pairs.tally()).filter(|tally| 0 < tally.other_type) else {
            continue;
        };
        let (own, theirs) = (key_types(from, relation.path.as_str()), key_types(to, relation.target.as_str()));
        let mut odd: Vec<&str> = own.iter().copied().filter(|kind| !theirs.contains(kind)).collect();
        if odd.is_empty() {
            odd = own;
        }
        let finding = findings
            .measured(Place::path(&relation.from, &relation.path), tally.documents)
            .number("mismatched", tally.mismatched)
            .text("target", &relation.to)
            .text("field", &relation.target)
            .list("types", &odd)
            .list("targetTypes", &theirs);
        if tally.found != 0 {
            finding.variant("some");
        }
        if let Some(remedy) = conversion(model, from, relation, &odd, &theirs) {
            finding.remedy(remedy);
        }
    }
}

/// The script that gives the references the type of their targets, where one path reaches each of them and they are
/// text.
fn conversion(model: &Model, from: &Collection, relation: &Relation, own: &[&str], theirs: &[&str]) -> Option<Remedy> {
    let target = match (own, theirs) {
        (["string"], ["objectId"]) => Target::ObjectId,
        (["string"], ["binData"]) => Target::Uuid,
        (["string"], ["number"]) => Target::Number,
        _ => return None,
    };
    let profile = from.profile.as_ref()?;
    let is_reached =
        !relation.many && !fields(from, relation.path.as_str()).iter().any(|(id, _)| profile.in_array(*id));
    if is_reached { convert::strings(&from.ns, relation.path.as_str(), target, model.server) } else { None }
}
