//! The decisions: deterministic arithmetic over the evidence, with the criteria answered one by one, the alternatives
//! measured, and what is missing asked for. Rules word their findings from it and never decide themselves.

mod child;
mod declared;
mod family;
mod index_set;
mod names;
mod object;
mod pattern;
mod reference;
mod relationship;
mod scripts;
mod shard_key;
mod simulate;
mod uses;

use crate::catalogue::Namespace;
use crate::facts::Version;
use crate::finding::{Recommendation, Remedy, RemedyKind, Safety};
use crate::locale::Lang;
use crate::model::{Collection, Model};
use crate::remedy;

/// Every decision that the evidence allows, in the order of collections and paths; sentences are in `lang`.
pub fn decide(model: &Model, lang: Lang) -> Vec<Recommendation> {
    model
        .collections
        .iter()
        .flat_map(|collection| {
            let mut decided = relationship::decide(model, collection, lang);
            decided.extend(object::decide(model, collection, lang));
            decided.extend(reference::decide(model, collection, lang));
            decided.extend(pattern::decide(model, collection, lang));
            decided.extend(index_set::decide(model, collection, lang));
            decided.extend(shard_key::decide(model, collection, lang));
            decided
        })
        .collect()
}

/// An index that the decision about a collection's indexes adds.
#[derive(Debug, Clone, Copy)]
pub struct Suggested<'a> {
    /// Its key pattern.
    pub key: &'a str,
    /// The command that makes it.
    create: &'a str,
    /// The name of the index that it takes the place of.
    pub replaces: Option<&'a str>,
}

/// The index that the decision about a collection's indexes adds for a query shape.
pub fn index_for<'a>(recommendations: &'a [Recommendation], ns: &Namespace, shape: &str) -> Option<Suggested<'a>> {
    let ns = ns.to_string();
    let set = recommendations.iter().find(|r| r.kind == index_set::KIND && r.subject == ns)?;
    set.criteria.iter().find_map(|criterion| {
        let text = |name: &str| criterion.evidence.get(name).and_then(serde_json::Value::as_str);
        let serves = criterion.evidence.get("serves")?.as_array()?;
        let create = text("create").filter(|_| serves.iter().any(|served| served.as_str() == Some(shape)))?;
        Some(Suggested { key: &criterion.answer, create, replaces: text("replaces") })
    })
}

impl Suggested<'_> {
    /// The commands: the new index first, so that queries are served all the time, then the old one is hidden.
    pub fn remedy(&self, collection: &Collection, server: Version) -> Remedy {
        let old = collection.indexes().iter().find(|index| Some(index.name.as_str()) == self.replaces);
        let retire = old.map(|index| remedy::index::retire(&collection.ns, index, server).script);
        let script = [Some(self.create.to_owned()), retire].into_iter().flatten().collect::<Vec<_>>().join("\n");
        Remedy { safety: Safety::Review, kind: RemedyKind::Mongosh, script }
    }
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
