//! Dates that stand for "none". Words, reasons and examples: sentinel-date.md.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::model::Model;
use crate::profile::field::DateStats;
use crate::remedy::field;
use crate::rules::{Findings, Place};
use crate::value::event::Type;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Share of the dates of a path from which on a special day counts as "none": one day of many years is rarer.
    share: f64,
    /// How often a day that may be a true one (1900-01-01, 1970-01-01) must occur.
    times: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options { share: 0.01, times: 3 }
    }
}

/// Days that somebody may have been born on.
const POSSIBLE: [&str; 2] = ["1900-01-01", "1970-01-01"];

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for (collection, profile) in model.with_documents() {
        for at in collection.fields() {
            let dates = at.field.count_of(Type::Date);
            let is_none = |day: &str, count: u64| {
                let least = if POSSIBLE.contains(&day) { options.times.max(1) } else { 1 };
                least <= count && options.share * dates as f64 <= count as f64
            };
            let days: Vec<(&str, u64)> = DateStats::SENTINELS
                .into_iter()
                .zip(at.field.dates.sentinels)
                .filter(|(day, count)| is_none(day, *count))
                .collect();
            if days.is_empty() {
                continue;
            }
            let count: u64 = days.iter().map(|(_, count)| count).sum();
            let draft = findings
                .measured(Place::path(&collection.ns, &at.path), dates)
                .list("days", days.iter().map(|(day, _)| day))
                .number("count", count)
                .number("share", count as f64 / dates as f64);
            if field::is_reachable(profile, &at) {
                let days = days.iter().map(|(day, _)| *day);
                draft.remedy(field::unset_dates(&collection.ns, at.path.as_str(), days));
            }
        }
    }
}
