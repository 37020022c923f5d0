//! What rules and advice may see: collections with their profile, catalogue and answers, built once, immutable.

pub mod access;
pub mod array;
pub mod collection;
pub mod computed;
pub mod copied;
pub mod copies;
pub mod covering;
pub mod declared;
pub mod discriminator;
pub mod extended;
pub mod filters;
pub mod in_use;
pub mod pairs;
pub mod partial;
pub mod pattern;
pub mod questions;
pub mod reads;
pub mod reference;
pub mod registry;
pub mod relation;
pub mod sensitive;
pub mod serving;
pub mod shard_key;
pub mod shared;
pub mod subset;
pub mod tree;
pub mod wanted;

pub use access::Access;
pub use array::Array;
pub use collection::{Collection, FieldRef};
pub use computed::Computed;
pub use copied::{Copied, copied};
pub use filters::AskedFilter;
pub use in_use::InUse;
pub use pairs::{Children, Lost, Pair, Pairs, Tally};
pub use questions::{Answer, Answers, Question, Questions};
pub use reference::Reference;
pub use relation::Relation;
pub use subset::Subset;
pub use tree::{Tree, TreeKind};

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use crate::catalogue::{self, Namespace};
use crate::config::Intent;
use crate::facts::Version;
use crate::profile::{CollectionProfile, Fetched};
use crate::value::location::Location;
use crate::workload::pipeline::Pipeline;
use crate::workload::{Operation, Operations, Sources, Span, Verb};

/// The model of one run.
#[derive(Debug)]
pub struct Model {
    /// The collections, sorted by name.
    pub collections: Vec<Collection>,
    /// The server version that rules go by.
    pub server: Version,
    /// The time that ages are measured against, in milliseconds since the Unix epoch: given, or the newest time of
    /// the evidence that tells of the past. Absent where nothing tells a time.
    pub now: Option<i64>,
    /// References between the collections, as the hashes of their values or the answers of a server show them.
    pub references: Vec<Reference>,
    /// Relationships between documents, from all that tells of them; gathered with the workload.
    pub relations: Vec<Relation>,
    /// Stored numbers that follow from others; gathered with the workload.
    pub computed: Vec<Computed>,
    /// Arrays that hold the first of the documents that refer to theirs; gathered with the workload.
    pub subsets: Vec<Subset>,
    /// Fields that hold trees together; gathered with the workload.
    pub trees: Vec<Tree>,
    /// What the application does, names completed.
    pub workload: Operations,
    /// How it reaches documents, one for each query shape.
    pub accesses: Vec<Access>,
    /// What is known of the cluster as a whole.
    pub cluster: catalogue::Cluster,
    /// What is known of replica sets.
    pub replica_sets: catalogue::replica_set::ReplicaSets,
    /// Outputs of explain, in the order of their places.
    pub plans: Vec<catalogue::Plan>,
    /// The pipelines of its aggregations, each with the position of the operation: read once for all rules.
    pub pipelines: Vec<(usize, Pipeline)>,
    /// The filters of all operations, their pipelines included: read once for all rules.
    pub filters: Vec<AskedFilter>,
    /// Where spans of sources lie.
    pub sources: Sources,
    /// The declared model.
    pub intent: Intent,
    /// What [`Model::patterns`] found, once it was asked.
    patterns: OnceLock<pattern::Patterns>,
    in_use: OnceLock<BTreeMap<Namespace, Vec<InUse>>>,
}

/// What the evidence says about one collection, before questions are answered.
#[derive(Debug, Default)]
pub struct Known {
    /// What was counted on its documents; concluded.
    pub profile: Option<Arc<CollectionProfile>>,
    /// Its indexes, options and statistics.
    pub catalogue: catalogue::Collection,
    /// Whether all of its documents were read.
    pub complete: bool,
    /// Documents that were fetched for pairs, which count for nothing else.
    pub fetched: Fetched,
}

impl Default for Model {
    fn default() -> Self {
        Model::new(BTreeMap::new(), BTreeMap::new(), Version::DEFAULT, None, Intent::default())
    }
}

impl Model {
    /// Builds the model; `answers` holds what the second pass counted.
    pub fn new(
        known: BTreeMap<Namespace, Known>,
        mut answers: BTreeMap<Namespace, Answers>,
        server: Version,
        now: Option<i64>,
        intent: Intent,
    ) -> Model {
        let collections: Vec<Collection> = known
            .into_iter()
            .map(|(ns, known)| {
                let answers = answers.remove(&ns).unwrap_or_default();
                Collection::new(ns, known, answers)
            })
            .collect();
        let references = reference::find(&collections);
        Model {
            collections,
            server,
            now,
            references,
            relations: Vec::new(),
            computed: Vec::new(),
            subsets: Vec::new(),
            trees: Vec::new(),
            workload: Operations::default(),
            pipelines: Vec::new(),
            filters: Vec::new(),
            accesses: Vec::new(),
            cluster: catalogue::Cluster::default(),
            replica_sets: catalogue::replica_set::ReplicaSets::default(),
            plans: Vec::new(),
            sources: Sources::default(),
            intent,
            patterns: OnceLock::new(),
            in_use: OnceLock::new(),
        }
    }

    /// Adds what the application does, and the texts that it stands in.
    #[must_use]
    pub fn with_workload(mut self, workload: Operations, sources: Sources) -> Model {
        self.accesses = access::all(&workload);
        let aggregations = workload.iter().enumerate().filter(|(_, operation)| operation.verb == Verb::Aggregate);
        let read = |(at, operation): (usize, &Operation)| Some((at, Pipeline::read(operation.pipeline.as_ref()?)));
        self.pipelines = aggregations.filter_map(read).collect();
        self.filters = filters::all(&workload);
        self.workload = workload;
        self.sources = sources;
        self.relations = relation::find(&self);
        self.computed = computed::find(&self);
        self.subsets = subset::find(&self);
        self.trees = tree::find(&self);
        self
    }

    /// How operations reach the documents of a collection.
    pub fn accesses_of<'a>(&'a self, ns: &'a Namespace) -> impl Iterator<Item = &'a Access> {
        let first = self.accesses.partition_point(|access| access.ns < *ns);
        self.accesses.iter().skip(first).take_while(move |access| access.ns == *ns)
    }

    /// The first operation of an access.
    pub fn first_of(&self, access: &Access) -> Option<&Operation> {
        self.workload.get(*access.operations.first()?)
    }

    /// Adds what the server says of how it answers.
    #[must_use]
    pub fn with_plans(mut self, plans: Vec<catalogue::Plan>) -> Model {
        self.plans = plans;
        self
    }

    /// Adds what is known of replica sets.
    #[must_use]
    pub fn with_replica_sets(mut self, replica_sets: catalogue::replica_set::ReplicaSets) -> Model {
        self.replica_sets = replica_sets;
        self
    }

    /// Adds what is known of the cluster as a whole.
    #[must_use]
    pub fn with_cluster(mut self, cluster: catalogue::Cluster) -> Model {
        self.cluster = cluster;
        self
    }

    /// The place of an operation, or of a part of it.
    pub fn locate(&self, operation: &Operation, span: Option<Span>) -> Option<Location> {
        self.sources.locate(operation, span)
    }

    /// The collection of a namespace.
    pub fn collection(&self, ns: &Namespace) -> Option<&Collection> {
        self.collections.binary_search_by(|c| c.ns.cmp(ns)).ok().and_then(|at| self.collections.get(at))
    }

    /// The collections whose documents were read.
    pub fn with_documents(&self) -> impl Iterator<Item = (&Collection, &CollectionProfile)> {
        self.collections.iter().filter_map(|c| c.profile.as_deref().map(|p| (c, p)))
    }
}
