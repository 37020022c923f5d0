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
    /// Share of the buckets, from 0 to 1, up to which those with an event out of place are exceptions; where more are,
    /// the window is meant otherwise (another time zone, say), or nobody keeps an order.
    exceptions: f64,
}

impl Default for Options {
    fn default() -> Self {
        Options { exceptions: 0.25 }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for (collection, bucket) in buckets(model) {
        let seen = &bucket.seen;
        let place = Place::path(&collection.ns, &bucket.path);
        let mut cards = model.cards_of(&collection.ns).filter(|card| card.pattern == Pattern::Bucket);
        // A bucket that is opened again takes what comes late at its end.
        let reopens = cards.any(|card| card.late.as_deref() == Some("reopen"));
        let are_few = |some: u64, all: u64| 0 < some && some as f64 <= options.exceptions * all as f64;
        let draft = if are_few(seen.outside, seen.windowed) {
            findings.measured(place, seen.windowed).number("buckets", seen.outside).variant(window_of(bucket))
        } else if seen.outside == 0 && are_few(seen.disordered, seen.ordered_or_not) && !reopens {
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
