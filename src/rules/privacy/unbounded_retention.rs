//! Traces of persons that nothing removes. Words, reasons and examples: unbounded-retention.md.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::facts::names;
use crate::model::{Collection, Model};
use crate::rules::{Findings, Place};
use crate::value::Type;
use crate::workload::{Operator, Verb};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Days that the oldest documents may be older than the newest.
    days: i64,
}

impl Default for Options {
    fn default() -> Self {
        Options { days: 400 }
    }
}

const DAY: i64 = 86_400_000;

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for collection in &model.collections {
        if !names::is_event_like(&collection.ns.collection) || !collection.knows_indexes() || ends(model, collection) {
            continue;
        }
        let Some((path, days)) = span(collection).filter(|(_, days)| options.days <= *days) else { continue };
        let personal: Vec<_> = collection.sensitive().iter().filter(|held| !held.what.is_secret()).collect();
        if personal.is_empty() {
            continue;
        }
        let place = Place::collection(&collection.ns);
        let draft =
            findings.inferred(place, "the collection's name, personal data, no index that removes").text("time", path);
        draft.number("days", days).list("fields", personal.iter().map(|held| &held.path));
    }
}

/// Whether something removes what is old, or somebody has said how long it stays.
fn ends(model: &Model, collection: &Collection) -> bool {
    let removed = collection.indexes().iter().any(crate::catalogue::Index::is_ttl);
    let bounded = collection
        .options()
        .is_some_and(|options| options.capped == Some(true) || options.expire_after_seconds.is_some());
    let purged = model.workload.of(&collection.ns).any(|operation| {
        let by_time = |operator: &Operator| matches!(operator, Operator::Lt | Operator::Lte);
        operation.verb == Verb::Delete
            && operation.conditions().conjuncts().iter().any(|(_, test)| by_time(&test.operator))
    });
    let declared = model.intent.patterns.iter().any(|card| card.collection == collection.ns.to_string());
    removed || bounded || purged || declared
}

/// The time that goes back furthest, and how many days it does.
fn span(collection: &Collection) -> Option<(String, i64)> {
    let dated = collection.fields().filter(|at| 0 < at.field.count_of(Type::Date) && names::is_event_time(at.leaf()));
    let spans = dated.filter_map(|at| {
        let (first, last) = at.field.dates.min.zip(at.field.dates.max)?;
        Some((at.path.to_string(), last.saturating_sub(first) / DAY))
    });
    spans.max_by_key(|(_, days)| *days)
}
