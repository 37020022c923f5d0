//! More collections and indexes than a cluster carries well. Words, reasons and examples: too-many-collections.md.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::facts::limits;
use crate::model::Model;
use crate::rules::{Findings, Place};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Collections beyond which any cluster has too many.
    collections: usize,
    /// The Atlas tier, such as `M10`; its figure holds for collections and indexes together.
    tier: Option<Tier>,
}

/// Tiers that differ in how many collections and indexes they carry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
enum Tier {
    /// The smallest dedicated tier.
    M10,
    /// As large as M30 in this.
    M20,
    /// As large as M20 in this.
    M30,
    /// This one and all above.
    #[serde(rename = "M40")]
    M40AndAbove,
}

impl Default for Options {
    fn default() -> Self {
        Options { collections: limits::COLLECTIONS, tier: None }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    let collections = model.collections.len();
    let indexes: usize = model.collections.iter().map(|collection| collection.indexes().len()).sum();
    let figure = options.tier.map(|tier| match tier {
        Tier::M10 => limits::TIER_M10,
        Tier::M20 | Tier::M30 => limits::TIER_M20,
        Tier::M40AndAbove => limits::TIER_M40,
    });
    let beyond_tier = figure.filter(|figure| *figure < collections + indexes);
    if collections <= options.collections && beyond_tier.is_none() {
        return;
    }
    findings
        .certain(Place::none())
        .number("collections", collections)
        .number("indexes", indexes)
        .number("limit", beyond_tier.unwrap_or(options.collections))
        .variant(if beyond_tier.is_some() { "tier" } else { "any" });
}
