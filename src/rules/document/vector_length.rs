//! Number vectors of more than one length in one path. Words, reasons and examples: vector-length.md.

use std::ops::RangeInclusive;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::model::Model;
use crate::rules::{Findings, Place};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Numbers from which on an array counts as a vector.
    length: u64,
    /// Share of the vectors that must have the usual length.
    share: f64,
    /// Different lengths up to which a path holds vectors; more are lists that happen to hold numbers.
    lengths: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options { length: 16, share: 0.5, lengths: 4 }
    }
}

/// Lengths that differ because periods of time do: hours of a day, days of a month, weeks, days of a quarter or year.
const PERIODS: [RangeInclusive<u64>; 5] = [23..=25, 28..=31, 52..=53, 90..=92, 365..=366];

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for (collection, _) in model.with_documents() {
        for array in collection.arrays().iter().filter(|a| a.stats.is_numeric()) {
            let vectors = &array.stats.number_lengths;
            let lengths: Vec<(u64, u64)> = vectors.filled().collect();
            if vectors.min() < options.length || lengths.len() < 2 || options.lengths < lengths.len() {
                continue;
            }
            // Measures in a bucket are as many as came.
            let patterns = model.patterns().of(&collection.ns);
            if patterns.is_some_and(|forms| forms.buckets.iter().any(|bucket| bucket.id == array.id)) {
                continue;
            }
            let (usual, times) = vectors.mode();
            let total = vectors.count();
            let periods = PERIODS.iter().any(|p| p.contains(&vectors.min()) && p.contains(&vectors.max()));
            if periods || (times as f64) < options.share * total as f64 {
                continue;
            }
            findings
                .measured(Place::path(&collection.ns, &array.path), total)
                .number("usual", usual)
                .number("others", total - times)
                .figure("lengths", lengths.iter().map(|(length, _)| *length).collect::<Vec<_>>());
        }
    }
}
