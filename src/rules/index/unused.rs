//! Indexes that no operation used. Words, reasons and examples: unused.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{place, size};
use crate::catalogue::{Index, IndexUse, Origin};
use crate::model::{Collection, Model};
use crate::order::Ordered;
use crate::remedy;
use crate::rules::Findings;
use crate::value::time::DAY;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Days of statistics from which on an index without a use counts as unused.
    days: i64,
}

impl Default for Options {
    fn default() -> Self {
        Options { days: 7 }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for collection in &model.collections {
        let may_go = |index: &&Index| may_go(index) && !collection.may_back_shard_key(index);
        for index in collection.indexes().iter().filter(may_go) {
            let rows: Vec<&IndexUse> =
                collection.catalogue.index_use.iter().filter(|row| row.index == index.name).collect();
            if rows.is_empty() || rows.iter().any(|row| 0 < row.operations || row.building) {
                continue;
            }
            // Each host counts from its own start; the shortest window is what all of them have seen.
            let windows = rows.iter().map(|row| Some(now(model, collection, row)? - row.since?));
            let Some(window) = windows.collect::<Option<Vec<i64>>>().and_then(|all| all.into_iter().min()) else {
                continue;
            };
            let Some(since) = rows.iter().filter_map(|row| row.since).max() else { continue };
            if window < options.days.saturating_mul(DAY) {
                continue;
            }
            let mut hosts: Vec<&str> = rows.iter().filter_map(|row| row.host.as_deref()).collect();
            hosts.order();
            hosts.dedup();
            let size = size(collection, index);
            let draft = findings.measured(place(collection, index), rows.len() as u64);
            draft.number("days", window / DAY).date("since", since).number("hosts", hosts.len()).list("names", &hosts);
            if let Some(size) = size {
                draft.number("size", size);
            }
            match (hosts.len(), size) {
                (2.., _) => draft.variant("several"),
                (_, Some(_)) => draft.variant("sized"),
                _ => draft,
            }
            .remedy(remedy::index::retire(&collection.ns, index, model.server));
        }
    }
}

/// Whether an index is there for reads alone.
fn may_go(index: &Index) -> bool {
    index.origin == Origin::Present
        && !index.is_id()
        && !index.unique
        && !index.prepare_unique
        && !index.is_ttl()
        && !index.hidden
}

/// The time of the statistics: the host's own where it is known, else the time of the run.
fn now(model: &Model, collection: &Collection, row: &IndexUse) -> Option<i64> {
    let own = collection.catalogue.statistics.iter().filter(|s| s.host.is_none() || s.host == row.host);
    own.filter_map(|s| s.local_time).max().or(model.now)
}
