//! Keys of unique indexes that repeat. Words, reasons and examples: unique-null.md, unique-duplicates.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::place;
use crate::catalogue::{Index, Origin};
use crate::finding::Severity;
use crate::model::questions::Repeats;
use crate::model::{Answer, Collection, Model};
use crate::remedy;
use crate::rules::Findings;
use crate::value::Value;

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn null(model: &Model, _: &Options, findings: &mut Findings) {
    for (collection, index) in unique(model) {
        let Some(Answer::Keys { with_null, .. }) = collection.answers.keys(index) else { continue };
        let repeats = Repeats::of(with_null);
        if repeats.keys == 0 {
            continue;
        }
        let lacking: Vec<&str> =
            index.key.iter().map(|(path, _)| path.as_str()).filter(|p| may_lack(collection, p)).collect();
        let draft = findings.measured(place(collection, index), collection.answers.documents);
        draft.number("documents", repeats.documents).number("keys", repeats.keys).list("fields", &lacking);
        let compound = 1 < index.key.len();
        if index.origin == Origin::Wanted {
            draft.severity(Severity::Error).variant(if compound { "wanted-compound" } else { "wanted" });
        } else {
            draft.variant(if compound { "compound" } else { "present" });
        }
        draft.remedy(remedy::index::replace(&collection.ns, index, &where_there(index, &lacking), model.server));
    }
}

pub(crate) fn duplicates(model: &Model, _: &Options, findings: &mut Findings) {
    for (collection, index) in unique(model) {
        // One that is there keeps them out: what documents of another day show is no fault of it.
        if index.origin != Origin::Wanted {
            continue;
        }
        let Some(Answer::Keys { full, .. }) = collection.answers.keys(index) else { continue };
        let repeats = Repeats::of(full);
        if repeats.keys == 0 {
            continue;
        }
        findings
            .measured(place(collection, index), collection.answers.documents)
            .number("keys", repeats.keys)
            .number("documents", repeats.documents)
            .number("most", repeats.most)
            .text("key", index.key_script());
    }
}

fn unique(model: &Model) -> impl Iterator<Item = (&Collection, &Index)> {
    model.collections.iter().flat_map(|collection| {
        collection.indexes().iter().filter(|index| index.unique).map(move |index| (collection, index))
    })
}

fn may_lack(collection: &Collection, path: &str) -> bool {
    let Some(profile) = &collection.profile else { return false };
    let fields: Vec<_> = profile.resolve(path).into_iter().filter_map(|id| profile.field(id)).collect();
    let most = fields.iter().map(|field| field.documents).max().unwrap_or(0);
    most < profile.documents || fields.iter().any(|field| 0 < field.nulls())
}

/// The same index over the documents that have the fields.
fn where_there(index: &Index, lacking: &[&str]) -> Index {
    let typed = |path: &str| (path.to_owned(), Value::Object(vec![("$exists".to_owned(), Value::Bool(true))]));
    let mut filter: Vec<(String, Value)> = match &index.partial_filter {
        Some(Value::Object(fields)) => fields.clone(),
        _ => Vec::new(),
    };
    filter.extend(
        lacking
            .iter()
            .filter(|path| index.partial_filter.as_ref().is_none_or(|f| f.get(path).is_none()))
            .map(|p| typed(p)),
    );
    Index { partial_filter: Some(Value::Object(filter)), sparse: false, ..index.clone() }
}
