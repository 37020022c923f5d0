//! TTL indexes over what is no date. Words, reasons and examples: ttl-not-date.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::place;
use crate::finding::Severity;
use crate::model::{Collection, Model};
use crate::rules::Findings;
use crate::value::event::Type;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Share of the documents, in percent, without a date from which on it is said.
    percent: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options { percent: 10 }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for (collection, profile) in model.with_documents() {
        // Text for a date may come from the form of the file alone.
        if !collection.types_are_kept() {
            continue;
        }
        for index in collection.indexes().iter().filter(|index| index.is_ttl() && index.is_plain()) {
            let [(path, _)] = index.key.as_slice() else { continue };
            let documents = profile.documents;
            let Held { dates, others, other } = held(collection, path);
            let place = place(collection, index).with_path(path);
            if dates == 0 && 0 < documents {
                let draft = findings.measured(place, documents);
                draft.none_of(documents, collection.complete);
                if !collection.complete {
                    draft.severity(Severity::Warning);
                }
                match other {
                    Some(kind) => draft.text("other", kind.alias()).variant("none"),
                    None => draft.variant("nothing"),
                };
                continue;
            }
            // A document without the field is kept on purpose as often as not; one with something else never is.
            let without = documents.saturating_sub(dates);
            if without * 100 < documents * options.percent {
                continue;
            }
            let draft = findings.measured(place, documents);
            draft.number("without", without).number("share", without as f64 / documents.max(1) as f64);
            match other {
                Some(kind) if documents * options.percent <= others * 100 => {
                    draft.text("other", kind.alias()).severity(Severity::Warning).variant("some");
                }
                _ if index.partial_filter.is_some() => {
                    draft.severity(Severity::Info).variant("missing");
                }
                _ => {
                    draft.severity(Severity::Warning).variant("missing");
                }
            }
        }
    }
}

/// What documents hold at a path: how many a date or an array with one, how many something else, and mostly what.
struct Held {
    dates: u64,
    others: u64,
    other: Option<Type>,
}

fn held(collection: &Collection, path: &str) -> Held {
    let mut out = Held { dates: 0, others: 0, other: None };
    let Some(profile) = &collection.profile else { return out };
    for id in profile.resolve(path) {
        let Some(field) = profile.field(id) else { continue };
        out.dates += field.count_of(Type::Date);
        if let Some((_, element)) = profile.elements(id) {
            out.dates += element.documents.min(element.count_of(Type::Date));
        }
        let others =
            field.types_found().into_iter().filter(|(kind, _)| !matches!(kind, Type::Date | Type::Array | Type::Null));
        for (kind, count) in others {
            out.others += count;
            out.other = out.other.or(Some(kind));
        }
    }
    out.dates = out.dates.min(profile.documents);
    out
}
