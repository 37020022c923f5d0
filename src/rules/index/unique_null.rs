//! Unique indexes over fields that are missing. Words, reasons and examples: unique-null.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{place, unique};
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

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
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
