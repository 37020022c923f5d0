//! Documents that take a large part of a collection's writes. Words, reasons and examples: hot-document.md.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::catalogue::Namespace;
use crate::model::Model;
use crate::rules::{Findings, Place};
use crate::workload::Runs;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Share of a collection's writes, in percent, from which on one document is hot.
    percent: u64,
    /// Writes a second that such a document must take.
    per_second: u64,
    /// Writes with conflicts from which on they are told for themselves.
    conflicts: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options { percent: 20, per_second: 1, conflicts: 10 }
    }
}

/// A shorter time tells no rate.
const SHORTEST_MS: u64 = 10_000;

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    let mut writes: BTreeMap<&Namespace, Runs> = BTreeMap::new();
    for operation in model.workload.iter().filter(|operation| operation.verb.is_write()) {
        if let (Some(ns), Some(runs)) = (&operation.ns, &operation.runs) {
            writes.entry(ns).or_default().merge(runs);
        }
    }
    for (ns, runs) in writes {
        let hits = runs.ids.most().map_or(0, |(_, hits)| hits);
        let millis = runs.first.zip(runs.last).map_or(0, |(first, last)| last.abs_diff(first)).max(SHORTEST_MS);
        let is_hot = runs.count.saturating_mul(options.percent) <= hits.saturating_mul(100)
            && options.per_second.saturating_mul(millis) <= hits.saturating_mul(1_000);
        let conflicting = if 0 < runs.write_conflicts.max { runs.write_conflicts.count } else { 0 };
        let draft = match (is_hot, options.conflicts <= conflicting) {
            (true, with_conflicts) => {
                let draft = findings.measured(Place::collection(ns), runs.count);
                draft.number("hits", hits).number("share", hits as f64 / runs.count.max(1) as f64);
                draft.number("perSecond", (hits.saturating_mul(10_000) / millis) as f64 / 10.0);
                draft.variant(if with_conflicts { "both" } else { "hot" })
            }
            (false, true) => findings.certain(Place::collection(ns)).variant("conflicts"),
            (false, false) => continue,
        };
        draft.number("writes", runs.count);
        if 0 < conflicting {
            draft.number("conflicting", conflicting).number("conflicts", runs.write_conflicts.sum);
        }
    }
}
