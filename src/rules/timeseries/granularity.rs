//! Buckets that are too short or too long for the readings. Words, reasons and examples: granularity.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{labels, repeats, series};
use crate::catalogue::TimeSeries;
use crate::model::Model;
use crate::rules::{Findings, Place};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Readings of one series that the time of a bucket should hold at least.
    least: f64,
    /// Readings of one series from which on the time of a bucket is far too long: a bucket takes 1,000.
    most: f64,
}

impl Default for Options {
    fn default() -> Self {
        Options { least: 5.0, most: 20_000.0 }
    }
}

/// Seconds that a bucket spans, by granularity (manual: core/timeseries/timeseries-granularity).
const SPANS: [(&str, i64); 3] = [("seconds", 3_600), ("minutes", 86_400), ("hours", 2_592_000)];

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for (collection, series) in series(model) {
        let Some(meta) = &series.meta_field else { continue };
        let stable = labels(collection, meta).into_iter().filter(|at| repeats(at.field));
        let Some(count) = stable.map(|at| at.field.distinct_count()).max() else { continue };
        let Some(time) = collection.fields().find(|at| at.path.as_str() == series.time_field) else { continue };
        let Some((first, last)) = time.field.dates.min.zip(time.field.dates.max) else { continue };
        let seconds = last.saturating_sub(first) as f64 / 1000.0;
        // The statistics of a time series count its documents where they are given, else what was read tells.
        let interval = seconds * count as f64 / collection.stored() as f64;
        let span = span(series);
        if interval <= 0.0 || seconds < interval {
            continue;
        }
        let held = span as f64 / interval;
        let variant = if held < options.least {
            "short"
        } else if options.most < held {
            "long"
        } else {
            continue;
        };
        let draft = findings.measured(Place::collection(&collection.ns), collection.documents());
        draft.number("series", count).number("interval", rounded(interval)).number("held", rounded(held));
        draft.text("chosen", chosen(series)).text("better", better(interval)).variant(variant);
    }
}

/// The seconds that one bucket spans at most.
fn span(series: &TimeSeries) -> i64 {
    let named = series.granularity.as_deref().unwrap_or("seconds");
    let by_name = SPANS.iter().find(|(name, _)| *name == named).map_or(3_600, |(_, seconds)| *seconds);
    series.bucket_max_span_seconds.filter(|seconds| 0 < *seconds).unwrap_or(by_name)
}

/// What the options say, as they say it.
fn chosen(series: &TimeSeries) -> String {
    match (&series.granularity, series.bucket_max_span_seconds) {
        (Some(name), _) => format!("granularity: {name}"),
        (None, Some(seconds)) => format!("bucketMaxSpanSeconds: {seconds}"),
        (None, None) => "granularity: seconds".to_owned(),
    }
}

/// The granularity whose buckets fit readings that far apart: a bucket of 1,000 readings, or a good part of one.
fn better(interval: f64) -> &'static str {
    match interval {
        i if i < 30.0 => "seconds",
        i if i < 1_800.0 => "minutes",
        _ => "hours",
    }
}

fn rounded(value: f64) -> f64 {
    if value < 10.0 { (value * 10.0).round() / 10.0 } else { value.round() }
}
