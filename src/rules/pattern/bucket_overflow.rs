//! Buckets that hold too much. Words, reasons and examples: bucket-overflow.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::buckets;
use crate::model::Model;
use crate::model::pattern::bucket::CapacityOrigin;
use crate::rules::{Findings, Place};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// How far a bucket must pass a capacity that nobody declared, as a multiple of it.
    margin: f64,
    /// Events of the longest bucket from which on a bucket without any capacity counts as one without a cap.
    length: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options { margin: 1.2, length: 500 }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for (collection, bucket) in buckets(model) {
        let Some(array) = bucket.array(collection) else { continue };
        let lengths = &array.stats.lengths;
        let place = Place::path(&collection.ns, &bucket.path);
        let Some(capacity) = bucket.capacity else {
            // A window ends a bucket too; only where one is far longer than the rest does the rate not hold it.
            let spread = bucket.window.is_none() || lengths.median().saturating_mul(2) <= lengths.max();
            if options.length <= lengths.max() && spread {
                findings
                    .measured(place, lengths.count())
                    .number("max", lengths.max())
                    .number("median", lengths.median())
                    .variant("no-cap");
            }
            continue;
        };
        let (allowed, variant) = match capacity.origin {
            CapacityOrigin::Card => (capacity.limit, "declared"),
            CapacityOrigin::Validator => (capacity.limit, "validator"),
            CapacityOrigin::Usual => ((capacity.limit as f64 * options.margin) as u64, "usual"),
        };
        let over = lengths.at_least(allowed.saturating_add(1));
        if 0 < over {
            findings
                .measured(place, lengths.count())
                .number("over", over)
                .number("limit", capacity.limit)
                .number("max", lengths.max())
                .variant(variant);
        }
    }
}
