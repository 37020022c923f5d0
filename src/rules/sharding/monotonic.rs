//! Shard keys that follow insertion. Words, reasons and examples: monotonic.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{keys, located, name_key};
use crate::catalogue::ShardKey;
use crate::facts::{forms, names};
use crate::finding::Severity;
use crate::model::shard_key::FOLLOWS;
use crate::model::{Collection, Model};
use crate::rules::{Draft, Findings, Place};
use crate::value::Type;

/// Documents below which an order may be chance.
const FEW: u64 = 10;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// The rank correlation of values and time of insertion from which on values follow it, from 0 to 1.
    correlation: f64,
}

impl Default for Options {
    fn default() -> Self {
        Self { correlation: FOLLOWS }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for (collection, key) in keys(model) {
        let Some((first, kind)) = key.key.first() else { continue };
        if !kind.is_sorted() {
            continue;
        }
        let place = located(Place::path(&collection.ns, first), key);
        let analysis = collection.analysis_of(key);
        if let Some(monotonic) = analysis.and_then(|analysis| analysis.monotonic) {
            let sampled = analysis.and_then(|analysis| analysis.sampled).unwrap_or(0);
            let correlation = analysis.and_then(|analysis| analysis.correlation).unwrap_or(1.0);
            if monotonic {
                tell(findings.measured(place, sampled), key, correlation);
            }
        } else if let Some(order) = collection.insertion_order(&key.key).filter(|order| FEW <= order.points) {
            let correlation = order.tau as f64 / 1000.0;
            if options.correlation <= correlation.abs() {
                tell(findings.measured(place, order.points), key, correlation);
            }
        } else if is_moment(first) && may_be_date(collection, first) {
            let draft = findings.inferred(place, "the name of the moment of an act").variant("named");
            // A name may also be that of a day to come.
            name_key(draft, key).severity(Severity::Info);
        }
    }
}

fn tell(draft: &mut Draft, key: &ShardKey, correlation: f64) {
    draft.number("correlation", correlation).variant(if correlation < 0.0 { "falling" } else { "rising" });
    name_key(draft, key);
}

/// Whether a name is that of the moment at which a document is made, as far as a name can tell.
fn is_moment(name: &str) -> bool {
    (forms::is_act(name) || matches!(name, "ts" | "timestamp")) && !names::is_expiry(name)
}

/// Whether all that is known of a field is that it holds dates.
fn may_be_date(collection: &Collection, path: &str) -> bool {
    let Some(profile) = &collection.profile else { return true };
    let fields = profile.resolve(path);
    let mut fields = fields.iter().filter_map(|id| profile.field(*id)).peekable();
    fields.peek().is_some() && fields.all(|field| field.count_of(Type::Date) == field.count)
}
