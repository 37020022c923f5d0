//! The decisions: deterministic arithmetic over the evidence, with the criteria answered one by one, the alternatives
//! measured, and what is missing asked for. Rules word their findings from it and never decide themselves.

mod child;
mod declared;
mod names;
mod relationship;
mod scripts;
mod simulate;

use crate::catalogue::Namespace;
use crate::finding::Recommendation;
use crate::locale::Lang;
use crate::model::Model;

/// Every decision that the evidence allows, in the order of collections and paths; sentences are in `lang`.
pub fn decide(model: &Model, lang: Lang) -> Vec<Recommendation> {
    model.collections.iter().flat_map(|collection| relationship::decide(model, collection, lang)).collect()
}

/// The decision about the relationship that an array or a reference of a collection stands for.
pub fn relationship<'a>(
    recommendations: &'a [Recommendation],
    ns: &Namespace,
    path: &str,
) -> Option<&'a Recommendation> {
    let subject = format!("{ns}.{path}");
    recommendations.iter().find(|r| r.kind == relationship::KIND && r.subject == subject)
}
