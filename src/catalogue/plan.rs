//! Plans: what an explain output says of how the server answers, in one form for all engines and topologies.

use serde::{Deserialize, Serialize};

use super::Namespace;
use crate::facts::Version;
use crate::workload::{Operation, Site};

/// One explain output.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// The collection.
    pub ns: Option<Namespace>,
    /// Where it stands.
    pub site: Site,
    /// The server that made it.
    pub version: Option<Version>,
    /// What was explained, without its values.
    pub operation: Option<Operation>,
    /// Whether a router asked several shards and put their answers together.
    pub merged: bool,
    /// What each shard does; one part where there are no shards.
    pub parts: Vec<Part>,
}

/// What one server does for a plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Part {
    /// The shard, where there are several servers.
    pub shard: Option<String>,
    /// The last stage.
    pub root: Stage,
    /// Documents that the part returned, where it ran.
    pub returned: Option<u64>,
    /// Documents that it examined, those of joined collections included.
    pub docs: Option<u64>,
    /// Index keys that it examined.
    pub keys: Option<u64>,
    /// The trials of the winner and of the rejected plans.
    pub trials: Vec<Trial>,
}

/// A stage of a plan with those that feed it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Stage {
    /// Its name, as `explain` has it: `IXSCAN`, `$group`.
    pub name: String,
    /// The index that it walks.
    pub index: Option<String>,
    /// Paths that its filter tests.
    pub filter: Vec<String>,
    /// The keys of its sort.
    pub sort: Vec<String>,
    /// Why it ends at once (`EOF` from 8.1 on).
    pub reason: Option<String>,
    /// What it joins.
    pub lookup: Option<Lookup>,
    /// Documents or keys that it gave on.
    pub returned: Option<u64>,
    /// Documents that it examined.
    pub docs: Option<u64>,
    /// Index keys that it examined.
    pub keys: Option<u64>,
    /// Whether it wrote to disk because its memory was full.
    pub spilled: bool,
    /// How often it did.
    pub spills: Option<u64>,
    /// Bytes that it held or wrote.
    pub bytes: Option<u64>,
    /// The stages that feed it.
    pub inputs: Vec<Stage>,
}

/// A join of a plan.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Lookup {
    /// The collection that is joined.
    pub from: Option<String>,
    /// The field that takes what was found.
    pub into: Option<String>,
    /// The field that is looked for there.
    pub foreign: Option<String>,
    /// How the slot-based engine joins: `IndexedLoopJoin`, `HashJoin`, `NestedLoopJoin`.
    pub strategy: Option<String>,
    /// Scans of the whole other collection.
    pub scans: Option<u64>,
    /// Documents of the other collection that were examined.
    pub docs: Option<u64>,
    /// Whether each document that was found becomes one of its own (`$unwind`).
    pub unwound: bool,
}

/// The trial of a plan among others.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Trial {
    /// The planner's score, where it is told.
    pub score: Option<f64>,
    /// Documents that it gave in its trial.
    pub advanced: u64,
    /// Units of work of its trial.
    pub works: u64,
    /// Whether it came to its end.
    pub ended: bool,
    /// The indexes that it walks.
    pub indexes: Vec<String>,
}

impl Plan {
    /// Whether the operation ran, so that figures are known.
    pub fn ran(&self) -> bool {
        self.parts.iter().any(|part| part.returned.is_some())
    }

    /// All stages of all parts.
    pub fn stages(&self) -> Vec<&Stage> {
        self.parts.iter().flat_map(|part| part.root.all()).collect()
    }

    /// The indexes that are walked, each once.
    pub fn indexes(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.stages().into_iter().filter_map(|stage| stage.index.as_deref()).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Whether a stage of this name occurs.
    pub fn has(&self, name: &str) -> bool {
        self.stages().into_iter().any(|stage| stage.name == name)
    }
}

impl Part {
    /// The stage that finds the documents: what sorts, limits, joins, counts or changes them comes behind it.
    pub fn source(&self) -> &Stage {
        let mut stage = &self.root;
        while stage.is_behind_source()
            && let [input] = stage.inputs.as_slice()
        {
            stage = input;
        }
        stage
    }

    /// Documents of the collection itself that were examined.
    pub fn own_docs(&self) -> Option<u64> {
        let joined = self.root.all().into_iter().filter_map(|stage| stage.lookup.as_ref()?.docs);
        // The total of a pipeline's cursor knows nothing of later joins, that of the slot-based engine does.
        let joined: u64 = if self.root.all().iter().any(|stage| stage.name == "EQ_LOOKUP") { joined.sum() } else { 0 };
        Some(self.docs?.saturating_sub(joined))
    }

    /// Documents that the filter let through.
    pub fn matched(&self) -> Option<u64> {
        self.source().returned.or(self.returned)
    }
}

impl Stage {
    /// The stage and all that feed it.
    pub fn all(&self) -> Vec<&Stage> {
        let mut out = vec![self];
        let mut at = 0;
        while let Some(stage) = out.get(at).copied() {
            out.extend(&stage.inputs);
            at += 1;
        }
        out
    }

    fn is_behind_source(&self) -> bool {
        self.name.starts_with('$')
            || self.name.starts_with("PROJECTION")
            || matches!(
                self.name.as_str(),
                "SORT"
                    | "LIMIT"
                    | "SKIP"
                    | "COUNT"
                    | "UPDATE"
                    | "DELETE"
                    | "BATCHED_DELETE"
                    | "GROUP"
                    | "UNWIND"
                    | "EQ_LOOKUP"
                    | "EQ_LOOKUP_UNWIND"
                    | "MATCH"
                    | "REPLACE_ROOT"
                    | "WINDOW"
                    | "SHARDING_FILTER"
                    | "SORT_KEY_GENERATOR"
                    | "RETURN_KEY"
                    | "CACHED_PLAN"
                    | "SUBPLAN"
                    | "SHARD_FILTER"
            )
    }

    /// Whether the documents reach this stage as the collection has them, so that an index could have put them in
    /// order.
    pub fn has_stored_input(&self) -> bool {
        let plain = |name: &str| {
            name.starts_with("PROJECTION")
                || matches!(
                    name,
                    "FETCH"
                        | "COLLSCAN"
                        | "IXSCAN"
                        | "CLUSTERED_IXSCAN"
                        | "OR"
                        | "SUBPLAN"
                        | "CACHED_PLAN"
                        | "SHARDING_FILTER"
                        | "SORT_KEY_GENERATOR"
                        | "AND_SORTED"
                        | "AND_HASH"
                        | "$cursor"
                        | "$match"
                )
        };
        self.inputs.iter().flat_map(Stage::all).all(|stage| plain(&stage.name))
    }
}

impl Trial {
    /// Documents for each unit of work, with the bonus of a trial that came to its end: what the planner compares.
    pub fn merit(&self) -> f64 {
        match self.score {
            // Every score begins at 1.
            Some(score) => (score - 1.0).max(0.0),
            None => self.advanced as f64 / self.works.max(1) as f64 + f64::from(u8::from(self.ended)),
        }
    }
}
