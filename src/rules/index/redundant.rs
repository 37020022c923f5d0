//! Indexes that others make needless. Words, reasons and examples: duplicate.md, redundant-prefix.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{may_back_a_shard_key, place, size};
use crate::catalogue::index::same_collation;
use crate::catalogue::{Index, Origin};
use crate::facts::Version;
use crate::model::{Collection, Model};
use crate::remedy;
use crate::rules::Findings;

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn duplicate(model: &Model, _: &Options, findings: &mut Findings) {
    each(model, findings, |shorter, longer| shorter.key.len() == longer.key.len());
}

pub(crate) fn prefix(model: &Model, _: &Options, findings: &mut Findings) {
    each(model, findings, |shorter, longer| shorter.key.len() < longer.key.len());
}

fn each(model: &Model, findings: &mut Findings, wanted: fn(&Index, &Index) -> bool) {
    for collection in model.collections.iter().filter(|collection| !may_back_a_shard_key(collection)) {
        for (at, needless) in collection.indexes().iter().enumerate() {
            if needless.hidden || needless.name == "_id_" || !says_nothing_more(needless) {
                continue;
            }
            let mut others = collection.indexes().iter().enumerate().filter(|(other, longer)| {
                *other != at
                    && !excludes(longer, needless, model.server)
                    && serves(longer, needless)
                    && wanted(needless, longer)
                    && !(*other > at && is_twin(longer, needless))
            });
            if let Some((_, longer)) = others.next() {
                tell(model, collection, needless, longer, findings);
            }
        }
    }
}

fn tell(model: &Model, collection: &Collection, needless: &Index, longer: &Index, findings: &mut Findings) {
    let size = size(collection, needless);
    let same_directions = needless.key.iter().zip(&longer.key).all(|(a, b)| a.1 == b.1);
    let draft = findings.certain(place(collection, needless));
    draft.text("other", &longer.name).text("key", longer.key_script());
    if 0 < collection.stored() {
        draft.documents(collection.stored());
    }
    match (size, needless.key.len() == longer.key.len() && !same_directions) {
        (_, true) => {
            draft.variant("backwards");
        }
        (Some(size), false) => {
            draft.number("size", size).variant("sized");
        }
        (None, false) => {}
    }
    draft.remedy(remedy::index::retire(&collection.ns, needless, model.server));
}

/// Whether an index only finds and sorts: it enforces nothing, leaves nothing out and deletes nothing.
fn says_nothing_more(index: &Index) -> bool {
    index.is_plain()
        && !index.unique
        && !index.sparse
        && !index.is_ttl()
        && index.partial_filter.is_none()
        && !index.prepare_unique
}

/// Whether a query that the shorter index serves is served by the longer one.
fn serves(longer: &Index, shorter: &Index) -> bool {
    if !longer.is_plain() || longer.sparse || longer.hidden || longer.partial_filter.is_some() {
        return false;
    }
    let prefix = longer.key.get(..shorter.key.len()).unwrap_or_default();
    if prefix.len() != shorter.key.len()
        || prefix.iter().zip(&shorter.key).any(|(a, b)| a.0 != b.0)
        || !same_collation(longer.effective_collation(), shorter.effective_collation())
    {
        return false;
    }
    let same = prefix.iter().zip(&shorter.key).filter(|(a, b)| a.1 == b.1).count();
    // A single field is walked either way, several together only all of them.
    shorter.key.len() == 1 || same == 0 || same == shorter.key.len()
}

/// Whether the two can never be there together: then `index/option-conflict` speaks.
fn excludes(a: &Index, b: &Index, server: Version) -> bool {
    (a.origin == Origin::Wanted || b.origin == Origin::Wanted) && (a.name == b.name || a.same_identity(b, server))
}

/// Whether each makes the other needless: then the later one goes.
fn is_twin(a: &Index, b: &Index) -> bool {
    says_nothing_more(a) && serves(b, a) && a.name != "_id_"
}
