//! Reads of large documents of which little is looked at. Words, reasons and examples: missing-projection.md.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::Deserialize;

use crate::model::Model;
use crate::profile::CollectionProfile;
use crate::rules::{Findings, Place};
use crate::workload::{Api, Uses};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Mean size in bytes from which on documents are large.
    mean_bytes: u64,
    /// Share of the bytes below which little is used.
    share: f64,
}

impl Default for Options {
    fn default() -> Self {
        Options { mean_bytes: 16 << 10, share: 0.2 }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for operation in model.workload.iter() {
        let (Uses::Fields(paths), Some(ns)) = (&operation.uses, &operation.ns) else { continue };
        let profile = model.collection(ns).and_then(|collection| collection.profile.as_ref());
        let Some(profile) = profile.filter(|profile| options.mean_bytes <= profile.sizes.mean()) else { continue };
        let Some(used) = used(profile, paths) else { continue };
        let whole = profile.sizes.sum();
        let bytes: u64 = used.values().fold(0, |sum, bytes| sum.saturating_add(*bytes));
        let share = if whole == 0 { 1.0 } else { bytes as f64 / whole as f64 };
        // What is only tested for being there reads no field.
        if used.keys().all(|path| path == "_id") || share >= options.share {
            continue;
        }
        let finding = findings
            .measured(Place::operation(model, operation, None), profile.documents)
            .number("mean", profile.sizes.mean())
            .number("used", bytes.checked_div(profile.documents).unwrap_or_default())
            .number("share", share)
            .text("method", &operation.method)
            .list("fields", used.keys().filter(|path| *path != "_id"));
        match operation.api {
            Api::Mongoose => finding.variant("select"),
            Api::Driver => finding.variant("option"),
            Api::Shell | Api::Command => finding,
        };
    }
}

/// The bytes of the fields that are looked at, with those of the `_id`, which comes along; nothing where one of them is
/// no field of the documents: what computes it may need others.
fn used(profile: &CollectionProfile, paths: &BTreeSet<String>) -> Option<BTreeMap<String, u64>> {
    let mut used: BTreeMap<String, u64> = BTreeMap::new();
    for path in paths.iter().map(String::as_str).chain(["_id"]) {
        let path = if path == "id" && profile.resolve(path).is_empty() { "_id" } else { path };
        // A path that ends in something of the language (`name.first.trim`) counts as far as it is stored.
        let mut stored = path;
        while profile.resolve(stored).is_empty() {
            stored = stored.rsplit_once('.')?.0;
        }
        let bytes = profile.resolve(stored).into_iter().filter_map(|id| profile.field(id)).map(|field| {
            let named = (field.name.len() as u64).saturating_add(2);
            field.bytes.saturating_add(named.saturating_mul(field.count))
        });
        used.insert(stored.to_owned(), bytes.fold(0, u64::saturating_add));
    }
    // A field within one that is used as a whole counts once.
    let within = |path: &str| {
        let mut parent = path;
        while let Some((whole, _)) = parent.rsplit_once('.') {
            if used.contains_key(whole) {
                return true;
            }
            parent = whole;
        }
        false
    };
    Some(used.iter().filter(|(path, _)| !within(path)).map(|(path, bytes)| (path.clone(), *bytes)).collect())
}
