//! Events in the wrong bucket or in the wrong order. Words, reasons and examples: bucket-late-event.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::buckets;
use crate::config::intent::Pattern;
use crate::model::Model;
use crate::model::pattern::Bucket;
use crate::rules::{Findings, Place};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Share of the buckets, from 0 to 1, up to which those out of order are exceptions; where more are, nobody keeps
    /// an order.
    disorder: f64,
}

impl Default for Options {
    fn default() -> Self {
        Options { disorder: 0.2 }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for (collection, bucket) in buckets(model) {
        let seen = &bucket.seen;
        let place = Place::path(&collection.ns, &bucket.path);
        let mut cards = model.cards_of(&collection.ns).filter(|card| card.pattern == Pattern::Bucket);
        // A bucket that is opened again takes what comes late at its end.
        let reopens = cards.any(|card| card.late.as_deref() == Some("reopen"));
        let exceptions = (seen.disordered as f64) <= options.disorder * seen.ordered_or_not as f64;
        let draft = if 0 < seen.outside {
            findings.measured(place, seen.windowed).number("buckets", seen.outside).variant(window_of(bucket))
        } else if 0 < seen.disordered && exceptions && !reopens {
            findings.measured(place, seen.ordered_or_not).number("buckets", seen.disordered).variant("order")
        } else {
            continue;
        };
        draft.number("events", seen.events_outside).number("disordered", seen.disordered);
        if let Some(start) = &bucket.start {
            draft.text("start", start);
        }
    }
}

fn window_of(bucket: &Bucket) -> &'static str {
    if bucket.window.is_some() { "window" } else { "end" }
}
