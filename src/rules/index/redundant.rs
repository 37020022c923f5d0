//! Indexes that others make needless. Words, reasons and examples: duplicate.md, redundant-prefix.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{place, size};
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
    for collection in &model.collections {
        for (at, needless) in collection.indexes().iter().enumerate() {
            if needless.hidden
                || needless.name == "_id_"
                || !needless.is_bare()
                || collection.may_back_shard_key(needless)
            {
                continue;
            }
            let mut others = collection.indexes().iter().enumerate().filter(|(other, longer)| {
                *other != at
                    && !excludes(longer, needless, model.server)
                    && longer.covers(needless)
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

/// Whether the two can never be there together: then `index/option-conflict` speaks.
fn excludes(a: &Index, b: &Index, server: Version) -> bool {
    (a.origin == Origin::Wanted || b.origin == Origin::Wanted) && (a.name == b.name || a.same_identity(b, server))
}

/// Whether each makes the other needless: then the later one goes.
fn is_twin(a: &Index, b: &Index) -> bool {
    a.is_bare() && b.covers(a) && a.name != "_id_"
}
