//! All that was read so far: what a run knows before it draws conclusions, and what a saved profile holds.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::script::{self, Module};
use super::{Problem, Summary};
use crate::catalogue::replica_set::ReplicaSets;
use crate::catalogue::{Catalogue, Cluster, Namespace, Plan};
use crate::facts::Version;
use crate::model::{Known, Questions};
use crate::order::Ordered;
use crate::profile::sample::MAX_SHARED;
use crate::profile::{CollectionProfile, Fetched, Sample};
use crate::value::builder::base64;
use crate::value::write;
use crate::workload::{Site, Workload};

/// One input as it was read, or a part of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadInput {
    /// Its name.
    pub name: String,
    /// What it turned out to be.
    pub summary: Summary,
    /// The collections that it has documents of, each with their number.
    pub collections: BTreeMap<Namespace, u64>,
    /// What could not be read, or was read with a loss.
    pub problems: Vec<Problem>,
}

/// All that was read so far.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Gathered {
    /// The inputs, in the order of their reading.
    pub inputs: Vec<ReadInput>,
    /// The profiles by collection, names as the evidence gives them; the model shares them once they are known.
    pub profiles: BTreeMap<Namespace, Arc<CollectionProfile>>,
    /// What was fetched for pairs, by collection; no profile knows of it.
    pub fetched: BTreeMap<Namespace, Fetched>,
    /// Indexes, options, statistics.
    pub catalogue: Catalogue,
    /// What is known of the cluster as a whole.
    pub cluster: Cluster,
    /// What is known of replica sets.
    pub replica_sets: ReplicaSets,
    /// What the application does.
    pub workload: Workload,
    /// Outputs of explain.
    pub plans: Vec<Plan>,
    /// The texts that findings may point into, by name of their input.
    pub sources: BTreeMap<String, String>,
    /// What scripts say to each other, by name of their input.
    pub modules: BTreeMap<String, ReadModule>,
    /// The newest server version that the evidence tells.
    pub version: Option<Version>,
    /// The database that intent names, which counts where the evidence names none.
    #[serde(skip)]
    pub declared_database: Option<String>,
}

/// A script among others.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct ReadModule {
    /// What it says to others, as it was read alone.
    pub module: Module,
    /// What its name says of its collection.
    pub namespace: Option<Namespace>,
    /// Whether its operations are those of its second reading, with what others say.
    pub linked: bool,
}

/// Bytes that open a saved profile; the digit is the version of its form.
const MAGIC: &[u8] = b"mvprofile2\n";

/// What opens the same as text, to be pasted: base64 follows, a line for readers may go before.
const TEXT_MAGIC: &[u8] = b"mvprofile2:base64,";

/// Bytes within which one of these stands in what was saved.
pub const MARKED: usize = 512;

/// How much of what is known is saved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Keep {
    /// Types and lengths alone.
    Types,
    /// Few distinct values and hashes of many, too, as profiles hold them.
    Values,
    /// Sampled documents, too.
    Documents,
}

impl Gathered {
    /// Everything as bytes, to be merged elsewhere. Equal knowledge gives equal bytes.
    pub fn save(&mut self, keep: Keep) -> Vec<u8> {
        self.settle();
        self.inputs.order_by(|a, b| (&a.name, a.summary.range).cmp(&(&b.name, b.summary.range)));
        let mut saved = self.clone();
        if keep < Keep::Documents {
            for profile in saved.profiles.values_mut() {
                Arc::make_mut(profile).sample.clear();
            }
            for fetched in saved.fetched.values_mut() {
                fetched.documents_mut().clear();
            }
        }
        if keep < Keep::Values {
            saved.profiles.values_mut().for_each(|profile| Arc::make_mut(profile).forget_values());
            saved.fetched.clear();
        }
        let mut out = MAGIC.to_vec();
        // Nothing in it can fail to serialise: no maps with odd keys, no foreign types.
        out.extend(postcard::to_allocvec(&saved).unwrap_or_default());
        out
    }

    /// Reads those scripts again that import what other scripts export. To be called once all are read; once more after
    /// more came.
    pub fn link(&mut self) {
        let sources: Vec<script::Source<'_>> = self
            .modules
            .iter()
            .filter_map(|(name, read)| {
                let text = self.sources.get(name)?;
                Some(script::Source { name, text, namespace: read.namespace.as_ref(), module: &read.module })
            })
            .collect();
        let mut readings = script::link(&sources);
        for (name, read) in self.modules.iter_mut().filter(|(_, read)| read.linked) {
            // What made it differ from its reading alone may have become ambiguous.
            if let (false, Some(text)) = (readings.contains_key(name), self.sources.get(name)) {
                readings.insert(name.clone(), script::read(name, text, read.namespace.as_ref()));
                read.linked = false;
            }
        }
        for (name, reading) in readings {
            self.catalogue.replace(&name, reading.statements);
            self.workload.replace(&name, reading.operations);
            if let Some(read) = self.modules.get_mut(&name) {
                read.linked = true;
            }
        }
    }

    /// What was saved, as text to be pasted.
    pub fn as_text(saved: &[u8]) -> String {
        let mut text = String::from_utf8_lossy(TEXT_MAGIC).into_owned();
        text.push_str(&write::base64(saved.strip_prefix(MAGIC).unwrap_or(saved)));
        text
    }

    /// Brings every profile into the one form that its knowledge has. A profile that the model shares is in it already.
    fn settle(&mut self) {
        for profile in self.profiles.values_mut().filter_map(Arc::get_mut) {
            profile.settle();
        }
    }

    /// Reads saved bytes back.
    pub fn load(bytes: &[u8]) -> Result<Gathered, &'static str> {
        let text = mark(bytes).map(|at| bytes.get(at..).unwrap_or_default());
        let unpacked = text.map(|text| {
            // What is pasted may have been wrapped.
            let text: String = text.iter().filter(|b| !b.is_ascii_whitespace()).map(|b| char::from(*b)).collect();
            base64(&text).ok_or("the saved profile is damaged")
        });
        let body = match unpacked {
            Some(bytes) => &bytes?,
            None => bytes.strip_prefix(MAGIC).ok_or("this is no saved profile of this version of mongovet")?,
        };
        let mut gathered: Gathered = postcard::from_bytes(body).map_err(|_| "the saved profile is damaged")?;
        for profile in gathered.profiles.values_mut() {
            Arc::make_mut(profile).restore();
        }
        Ok(gathered)
    }

    /// Whether bytes begin a saved profile, in either form.
    pub fn is_saved(bytes: &[u8]) -> bool {
        bytes.starts_with(MAGIC) || mark(bytes).is_some()
    }

    /// Adds all that another part of the evidence tells.
    pub fn merge(&mut self, other: Gathered) {
        self.inputs.extend(other.inputs);
        for (ns, profile) in other.profiles {
            match self.profiles.get_mut(&ns) {
                Some(mine) => Arc::make_mut(mine).merge(&profile),
                None => {
                    self.profiles.insert(ns, profile);
                }
            }
        }
        for (ns, fetched) in other.fetched {
            self.fetched.entry(ns).or_default().merge(fetched);
        }
        self.catalogue.merge(other.catalogue);
        self.cluster.merge(other.cluster);
        self.replica_sets.merge(other.replica_sets);
        self.workload.merge(other.workload);
        self.plans.extend(other.plans);
        self.sources.extend(other.sources);
        self.modules.extend(other.modules);
        self.version = self.version.max(other.version);
    }

    /// The workload with the lines of its entries counted from the beginning of their input, where several readers
    /// shared it.
    pub fn placed_workload(&self) -> Workload {
        let mut workload = self.workload.clone();
        workload.each_site(|site| {
            let Site::Entry { file, part, place: Some(place) } = site else { return };
            let before = self.inputs.iter().filter(|input| input.name == *file);
            let before = before.filter(|input| input.summary.range.is_some_and(|(started, _)| started < *part));
            let lines: u64 = before.map(|input| input.summary.lines).sum();
            place.line = place.line.saturating_add(u32::try_from(lines).unwrap_or(u32::MAX));
            *part = 0;
        });
        workload
    }

    /// The plans in the order of their places, names completed.
    pub fn placed_plans(&self) -> Vec<Plan> {
        let database = self.only_database();
        let mut plans = self.plans.clone();
        plans.sort_by(|a, b| a.site.cmp(&b.site));
        for plan in &mut plans {
            let complete = |ns: &Namespace| ns.clone().within(database.as_deref());
            plan.ns = plan.ns.as_ref().map(complete);
            if let Some(operation) = &mut plan.operation {
                operation.ns = operation.ns.as_ref().map(complete);
            }
        }
        plans
    }

    /// Keeps the memory of a run with many collections within bounds while it is read. What is cut here may depend on
    /// the order of very large runs; the share that conclusions rest on is cut again, and lies far below.
    pub fn bound_samples(&mut self) {
        if 4 * MAX_SHARED < sampled(self.profiles.values()) {
            Sample::share(self.profiles.values_mut().map(|p| &mut Arc::make_mut(p).sample), 4 * MAX_SHARED);
        }
        Sample::share(self.fetched.values_mut().map(Fetched::documents_mut), 4 * MAX_SHARED);
    }

    /// The database that completes names without one: the only one that the evidence names.
    pub fn only_database(&self) -> Option<String> {
        let named = self.profiles.keys().filter_map(|ns| ns.database.as_deref());
        let mut databases: Vec<&str> =
            named.chain(self.catalogue.databases()).chain(self.workload.databases()).collect();
        databases.order();
        databases.dedup();
        match databases.as_slice() {
            [one] => Some((*one).to_owned()),
            [] => self.declared_database.clone(),
            _ => None,
        }
    }

    /// What is known of each collection, names completed, profiles concluded. Profiles are shared where that changes
    /// nothing in them: what was gathered can still be saved, and is not kept twice.
    pub fn known(&mut self, complete: bool) -> BTreeMap<Namespace, Known> {
        self.settle();
        let database = self.only_database();
        let full = |ns: &Namespace| ns.within(database.as_deref());
        let mut known: BTreeMap<Namespace, Known> = BTreeMap::new();
        for (ns, profile) in &self.profiles {
            match &mut known.entry(full(ns)).or_default().profile {
                Some(mine) => {
                    let mine = Arc::make_mut(mine);
                    mine.merge(profile);
                    mine.settle();
                }
                none => *none = Some(Arc::clone(profile)),
            }
        }
        for (ns, catalogue) in self.catalogue.collections(database.as_deref()) {
            known.entry(ns).or_default().catalogue = catalogue;
        }
        for ns in self.workload.iter().filter_map(|operation| operation.ns.as_ref()) {
            known.entry(full(ns)).or_default();
        }
        for (ns, fetched) in &self.fetched {
            // What nothing else tells of is no collection of the model.
            if let Some(known) = known.get_mut(&full(ns)) {
                known.fetched.merge(fetched.clone());
            }
        }
        Sample::share(known.values_mut().map(|k| k.fetched.documents_mut()), MAX_SHARED);
        if MAX_SHARED < sampled(known.values().filter_map(|k| k.profile.as_ref())) {
            let profiles = known.values_mut().filter_map(|k| k.profile.as_mut());
            Sample::share(profiles.map(|p| &mut Arc::make_mut(p).sample), MAX_SHARED);
        }
        // Whether every input of a collection is a dump that was read whole.
        let mut whole: BTreeMap<Namespace, bool> = BTreeMap::new();
        for input in &self.inputs {
            let is_whole = input.summary.complete && input.problems.is_empty();
            for ns in input.collections.keys() {
                *whole.entry(full(ns)).or_insert(true) &= is_whole;
            }
        }
        for (ns, known) in &mut known {
            let Some(profile) = &mut known.profile else { continue };
            if profile.has_rare_names() {
                Arc::make_mut(profile).conclude();
            }
            let counted = known.catalogue.count();
            known.complete = complete || counted == Some(profile.documents) || whole.get(ns).copied().unwrap_or(false);
        }
        known
    }

    /// The names of the inputs that hold documents of the collections that are asked about.
    pub fn asked(&self, questions: &Questions) -> Vec<String> {
        let database = self.only_database();
        let asked: Vec<&Namespace> = questions.namespaces().collect();
        let mut names: Vec<String> = self
            .inputs
            .iter()
            .filter(|i| i.collections.keys().any(|ns| asked.contains(&&ns.within(database.as_deref()))))
            .map(|i| i.name.clone())
            .collect();
        names.order();
        names.dedup();
        names
    }

    /// The newest time of the evidence that tells of the past, in milliseconds since the Unix epoch.
    pub fn newest(&self) -> Option<i64> {
        let created = self.profiles.values().filter_map(|p| p.created.max).max();
        created.map(|seconds| i64::from(seconds) * 1000).max(self.workload.newest())
    }
}

/// Where the base64 of the form as text begins: behind the mark, which stands at the start of a line.
fn mark(bytes: &[u8]) -> Option<usize> {
    let head = bytes.get(..MARKED.min(bytes.len())).unwrap_or_default();
    let at = memchr::memmem::find(head, TEXT_MAGIC)?;
    let starts_line = at.checked_sub(1).is_none_or(|before| head.get(before) == Some(&b'\n'));
    starts_line.then_some(at + TEXT_MAGIC.len())
}

/// How many bytes the sampled documents of some profiles take.
fn sampled<'a>(profiles: impl Iterator<Item = &'a Arc<CollectionProfile>>) -> usize {
    profiles.map(|profile| profile.sample.bytes()).sum()
}
