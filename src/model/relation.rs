//! Relationships between documents of two collections: a field of one holds keys of the other.
//!
//! The values show it, or a declared schema, a join, or the team says it. Each comes with how many there are on both
//! sides and with what the application does with them.

mod joined;

use std::collections::{BTreeMap, BTreeSet};

use super::access::{SortKey, sort_keys};
use super::{Collection, Model, Reference};
use crate::catalogue::Namespace;
use crate::config::intent::{Ownership, Relationship, Semantics};
use crate::model::declared::is_named;
use crate::profile::Histogram;
use crate::value::Type;
use crate::value::path::FieldPath;
use crate::workload::pipeline::{Lookup, Pipeline, is_within};
use crate::workload::{Operation, Origin, Term, Test, Verb};

pub use joined::Shown;

/// A field that holds keys of another collection, or of its own (a tree).
#[derive(Debug, Clone)]
pub struct Relation {
    /// The collection that refers.
    pub from: Namespace,
    /// Path of the field that refers, in dot notation.
    pub path: FieldPath,
    /// The collection that is referred to.
    pub to: Namespace,
    /// The field of it that holds the same values: `_id`, or another unique key.
    pub target: FieldPath,
    /// Whether one document may hold many.
    pub many: bool,
    /// What tells of it.
    pub known_by: KnownBy,
    /// What the application does with both sides.
    pub uses: Uses,
}

/// What tells of a relationship.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct KnownBy {
    /// Distinct values that were compared with the keys, and how many of them were found.
    pub values: Option<(u64, u64)>,
    /// A schema of the application (`ref` of Mongoose).
    pub schema: bool,
    /// A join of the workload.
    pub join: bool,
    /// The team.
    pub intent: bool,
}

/// What the application does with both sides of a relationship.
#[derive(Debug, Clone, Default)]
pub struct Uses {
    /// Joins that start at the documents that refer.
    pub forward: Vec<Join>,
    /// Joins that start at the documents referred to.
    pub backward: Vec<Join>,
    /// Reads of the documents that refer, by the reference alone or among other conditions.
    pub by_reference: Load,
    /// Reads of the documents that refer by anything but the reference or their own key.
    pub referring_alone: Load,
    /// Reads of the documents referred to that no join starts from.
    pub target_alone: Load,
    /// Reads of the documents referred to from which a join to those that refer starts.
    pub target_joined: Load,
    /// Changes of the documents that refer, inserts left out.
    pub referring_written: Load,
    /// Changes of the documents referred to, inserts left out.
    pub target_written: Load,
    /// Inserts of documents that refer.
    pub referring_added: Load,
    /// Transactions of the source that write both.
    pub written_together: u64,
}

/// A read of both sides.
#[derive(Debug, Clone)]
pub struct Join {
    /// Position of the operation in the order of [`crate::workload::Operations::iter`].
    pub operation: usize,
    /// How it joins.
    pub way: Way,
    /// What is shown of the documents that it brings.
    pub shown: Shown,
    /// Whether it brings only so many of an order: the newest ten.
    pub first: Option<u64>,
    /// That order, where it is known.
    pub order: Option<Vec<SortKey>>,
    /// How often it runs.
    pub load: Load,
}

/// How both sides are brought together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// `$lookup` or `$graphLookup`.
    Lookup,
    /// `populate` of Mongoose.
    Populate,
    /// A read with what an earlier one returned.
    Sequence,
}

/// How often operations run.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Load {
    /// Places in the source, and shapes of logs.
    pub operations: u64,
    /// Runs that were seen.
    pub runs: u64,
    /// Runs a day that the team declares.
    pub per_day: f64,
}

impl Load {
    /// How often one operation runs.
    pub fn of(operation: &Operation) -> Load {
        Load {
            operations: 1,
            runs: operation.runs.as_ref().map_or(0, |runs| runs.count),
            per_day: operation.demand.as_ref().and_then(|demand| demand.per_day).unwrap_or(0.0),
        }
    }

    /// Adds other operations.
    pub fn add(&mut self, other: Load) {
        self.operations += other.operations;
        self.runs = self.runs.saturating_add(other.runs);
        self.per_day += other.per_day;
    }

    /// Both together.
    #[must_use]
    pub fn and(mut self, other: Load) -> Load {
        self.add(other);
        self
    }

    /// Whether nothing is known to run.
    pub fn is_none(&self) -> bool {
        self.operations == 0
    }

    /// Which part this is of `whole`, of which it is a part: by declared runs a day where there are any, else by runs
    /// that were seen, else by places in the source. Absent where the whole is nothing.
    pub fn share_of(&self, whole: Load) -> Option<f64> {
        if 0.0 < whole.per_day {
            return Some(self.per_day / whole.per_day);
        }
        if 0 < whole.runs {
            return Some(self.runs as f64 / whole.runs as f64);
        }
        (0 < whole.operations).then(|| self.operations as f64 / whole.operations as f64)
    }
}

/// Whose relationship the team declares, seen from one of the model.
#[derive(Debug, Clone, Copy)]
pub struct DeclaredRelation<'a> {
    /// What is declared.
    pub relationship: &'a Relationship,
    /// Whether its parent is the collection that refers; else it is the one referred to.
    pub parent_refers: bool,
}

impl Relation {
    /// Whether it is a tree: documents that refer to others of their own collection.
    pub fn is_self(&self) -> bool {
        self.from == self.to
    }

    /// How many references each document that refers holds, those without one left out; absent without documents.
    pub fn per_document(&self, model: &Model) -> Option<Histogram> {
        let mut counts = Histogram::default();
        let collection = model.collection(&self.from)?;
        if let Some(array) = collection.arrays().iter().find(|array| array.path == self.path) {
            return Some(array.stats.lengths.clone());
        }
        collection.profile.as_ref()?;
        collection.each_sampled(|document| {
            let found = crate::value::path::reach(document, self.path.as_str()).len() as u64;
            if 0 < found {
                counts.add(found);
            }
        });
        Some(counts)
    }

    /// How many references each key has that is referred to at all, and whether all documents were counted; of a
    /// collection that was not read whole the counts are too low.
    pub fn per_target(&self, model: &Model) -> Option<(Histogram, bool)> {
        let collection = model.collection(&self.from)?;
        let mut counts = Histogram::default();
        if !collection.complete {
            let asked = self.pairs(model).map(|pairs| pairs.children()).unwrap_or_default();
            if 0 < asked.counts.count() {
                return Some((asked.counts, asked.more == 0));
            }
        }
        let profile = collection.profile.as_ref()?;
        for id in profile.resolve(self.path.as_str()) {
            let Some(distinct) = profile.field(id).and_then(|field| field.distinct.as_deref()) else { continue };
            for (_, count) in distinct.smallest() {
                counts.add(count);
            }
        }
        (0 < counts.count()).then_some((counts, collection.complete))
    }

    /// The documents on both sides.
    pub fn pairs<'m>(&self, model: &'m Model) -> Option<super::Pairs<'m>> {
        model.pairs_between(&self.from, self.path.as_str(), &self.to, self.target.as_str())
    }

    /// What the team declares of it.
    pub fn declared<'m>(&self, model: &'m Model) -> Option<DeclaredRelation<'m>> {
        let path = self.path.as_str();
        let holds = |r: &&Relationship| {
            is_named(&self.from, &r.parent)
                && (r.path == path || is_within(path, &r.path))
                && r.to.as_ref().is_none_or(|to| is_named(&self.to, to))
        };
        let inverse = |r: &&Relationship| {
            is_named(&self.to, &r.parent) && r.to.as_ref().is_some_and(|to| is_named(&self.from, to))
        };
        let all = || model.intent.relationships.iter();
        let refers = all().find(holds).map(|relationship| DeclaredRelation { relationship, parent_refers: true });
        let reversed =
            || all().find(inverse).map(|relationship| DeclaredRelation { relationship, parent_refers: false });
        refers.or_else(reversed)
    }

    /// All reads of the documents that refer, as far as the workload tells.
    pub fn reads_of_referring(&self) -> Load {
        self.uses.backward_load().and(self.uses.by_reference).and(self.uses.referring_alone)
    }
}

impl DeclaredRelation<'_> {
    /// Whether the copies keep what was true when they were made.
    pub fn is_snapshot(&self) -> bool {
        self.relationship.semantics == Some(Semantics::Snapshot)
    }

    /// Whether several parents share a child.
    pub fn is_shared(&self) -> bool {
        matches!(self.relationship.ownership, Some(Ownership::Shared | Ownership::Independent))
    }
}

impl Uses {
    /// How often documents that refer are brought by joins from those that they refer to.
    pub fn backward_load(&self) -> Load {
        self.backward.iter().fold(Load::default(), |sum, join| sum.and(join.load))
    }

    /// How often what is referred to is brought by joins.
    pub fn forward_load(&self) -> Load {
        self.forward.iter().fold(Load::default(), |sum, join| sum.and(join.load))
    }

    /// Whether documents that refer are looked for by the reference: joins from the other side, and filters.
    pub fn follows_backward(&self) -> bool {
        !self.backward.is_empty() || !self.by_reference.is_none()
    }
}

/// The two references of a collection whose documents are links: one of each in nearly all of them, and little else.
pub fn links<'m>(model: &'m Model, collection: &Collection) -> Option<[&'m Relation; 2]> {
    let is_single = |relation: &&Relation| {
        relation.from == collection.ns && !relation.many && !relation.is_self() && !relation.path.as_str().contains('.')
    };
    let single: Vec<&Relation> = model.relations.iter().filter(is_single).collect();
    let [a, b] = single[..] else { return None };
    let attributes = attributes(collection, &[a, b])?;
    let everywhere = |relation: &Relation| {
        let documents = collection.documents();
        collection.fields().any(|f| f.path == relation.path && documents * 95 <= f.field.documents * 100)
    };
    // A document that others refer to is a thing of its own.
    let is_thing = model.relations.iter().any(|relation| relation.to == collection.ns);
    let is_small = attributes.len() <= MAX_ATTRIBUTES && attributes.iter().all(|(_, is_small)| *is_small);
    (is_small && everywhere(a) && everywhere(b) && !is_thing).then_some([a, b])
}

/// Fields that a link has at most beside its references.
const MAX_ATTRIBUTES: usize = 5;
/// Bytes of such a field on average: a word, a date, a number.
const ATTRIBUTE_BYTES: u64 = 40;

/// The fields of a link beside its `_id` and its references, and whether each is a small scalar.
pub fn attributes(collection: &Collection, references: &[&Relation]) -> Option<Vec<(String, bool)>> {
    let profile = collection.profile.as_ref()?;
    let is_own = |path: &str| path == "_id" || references.iter().any(|relation| relation.path.as_str() == path);
    // A counter of changes that the mapper keeps by itself says nothing of the link.
    let is_counter =
        |field: &crate::profile::Field| crate::facts::names::is_version(&field.name) && 0 < field.number_count();
    let fields = profile.children(crate::profile::FieldId::ROOT);
    let fields = fields.filter(|(_, field)| !is_own(&field.name) && !is_counter(field));
    let is_small = |field: &crate::profile::Field| {
        let is_scalar = [Type::Object, Type::Array].iter().all(|kind| field.count_of(*kind) == 0);
        is_scalar && field.bytes <= field.count.max(1) * ATTRIBUTE_BYTES
    };
    Some(fields.map(|(_, field)| (field.name.to_string(), is_small(field))).collect())
}

/// From which field of which collection to which field of which.
type Place = (Namespace, String, Namespace, String);

/// The relationships of a model, in the order of their collections and paths.
pub(super) fn find(model: &Model) -> Vec<Relation> {
    let mut found = Found::default();
    for reference in &model.references {
        let Reference { from, path, to, target, compared, found: hits, many, .. } = reference;
        let relation = found.add((from.clone(), path.to_string(), to.clone(), target.to_string()), *many);
        relation.known_by.values = Some((*compared, *hits));
    }
    for collection in &model.collections {
        let fields = collection.catalogue.schema.iter().flat_map(|schema| &schema.fields);
        for (field, to) in fields.filter_map(|field| Some((field, field.reference.as_ref()?))) {
            let place = (collection.ns.clone(), field.path.clone(), to.clone(), "_id".to_owned());
            found.add(place, field.array || is_in_array(collection, &field.path)).known_by.schema = true;
        }
    }
    declared(model, &mut found);
    let reads: Vec<Read<'_>> = model.workload.iter().map(Read::of).collect();
    for (at, pipeline) in &model.pipelines {
        let Some(Read { ns: Some(ns), load, .. }) = reads.get(*at) else { continue };
        for lookup in pipeline.lookups() {
            if let Some((place, is_forward)) = found.place(model, ns, pipeline, &lookup) {
                let shown = joined::shown(pipeline, &lookup);
                let first = lookup.pipeline.as_ref().and_then(limit);
                let order = lookup.pipeline.as_ref().and_then(|own| sort_keys(own.leading_sort()?));
                let join = Join { operation: *at, way: Way::Lookup, shown, first, order, load: *load };
                found.join(place, is_forward, join);
            }
        }
    }
    let mut relations: Vec<Relation> = found.relations.into_values().collect();
    follow(&reads, &mut relations);
    relations
}

/// The relationships while they are gathered.
#[derive(Debug, Default)]
struct Found {
    relations: BTreeMap<Place, Relation>,
}

impl Found {
    fn add(&mut self, place: Place, many: bool) -> &mut Relation {
        let relation = self.relations.entry(place).or_insert_with_key(|(from, path, to, target)| Relation {
            from: from.clone(),
            path: FieldPath::new(path.as_str()),
            to: to.clone(),
            target: FieldPath::new(target.as_str()),
            many,
            known_by: KnownBy::default(),
            uses: Uses::default(),
        });
        relation.many |= many;
        relation
    }

    /// Which relationship a join follows, and whether it starts where the reference is. What is not known yet needs
    /// a key on one side: else both fields may just have values in common.
    fn place(&self, model: &Model, ns: &Namespace, pipeline: &Pipeline, lookup: &Lookup) -> Option<(Place, bool)> {
        if lookup.within.is_some() || lookup.database.is_some() {
            return None;
        }
        let compared = || lookup.compared.iter().find_map(|(foreign, local)| Some((local.clone()?, foreign.clone())));
        let (local, foreign) = lookup.local.clone().zip(lookup.foreign.clone()).or_else(compared)?;
        if !pipeline.fields_before(lookup.position).is_stored(&local) {
            return None;
        }
        let other = Namespace { database: ns.database.clone(), collection: lookup.from.clone()? };
        let forward = (ns.clone(), local.clone(), other.clone(), foreign.clone());
        let backward = (other.clone(), foreign.clone(), ns.clone(), local.clone());
        let is_key = |ns: &Namespace, path: &str| {
            path == "_id" || model.collection(ns).is_some_and(|c| super::reference::is_key(c, path))
        };
        if self.relations.contains_key(&forward) {
            Some((forward, true))
        } else if self.relations.contains_key(&backward) {
            Some((backward, false))
        } else if is_key(&other, &foreign) && local != "_id" {
            Some((forward, true))
        } else if is_key(ns, &local) && foreign != "_id" {
            Some((backward, false))
        } else {
            None
        }
    }

    fn join(&mut self, place: Place, is_forward: bool, join: Join) {
        let relation = self.add(place, false);
        relation.known_by.join = true;
        if is_forward { relation.uses.forward.push(join) } else { relation.uses.backward.push(join) }
    }
}

/// What one operation does, read once for all relationships.
#[derive(Debug)]
struct Read<'w> {
    operation: &'w Operation,
    ns: Option<&'w Namespace>,
    load: Load,
    /// Paths that the filter compares with one value or a list of values, and the earlier operation and its path that
    /// these come from.
    equal: Vec<(String, Option<(u32, String)>)>,
}

impl<'w> Read<'w> {
    fn of(operation: &'w Operation) -> Read<'w> {
        let filters = match operation.verb {
            Verb::Aggregate => operation.pipeline.as_ref().map(|term| Pipeline::read(term).leading_match()),
            Verb::Insert | Verb::EstimatedCount | Verb::Watch | Verb::Populate => None,
            _ => Some(vec![operation.conditions()]),
        };
        let mut equal = Vec::new();
        for filter in filters.iter().flatten() {
            for (path, test) in filter.conjuncts() {
                if is_equality(test) {
                    equal.push((path.to_owned(), source(&test.argument)));
                }
            }
        }
        Read { operation, ns: operation.ns.as_ref(), load: Load::of(operation), equal }
    }
}

fn is_equality(test: &Test) -> bool {
    matches!(test.operator, crate::workload::Operator::Eq | crate::workload::Operator::In)
}

/// The earlier operation whose result a value is, and the path of it.
fn source(term: &Term) -> Option<(u32, String)> {
    let of = |term: &Term| match &term.as_hole()?.origin {
        Origin::Result { operation, path, computed: false } => Some((*operation, path.clone())),
        _ => None,
    };
    of(term).or_else(|| term.elements()?.iter().find_map(of))
}

/// The number of the last `$limit` of a joined pipeline.
fn limit(pipeline: &Pipeline) -> Option<u64> {
    let stage = pipeline.certain().iter().rev().find(|stage| stage.is("$limit"))?;
    stage.argument.as_i64().and_then(|limit| u64::try_from(limit).ok())
}

fn is_in_array(collection: &Collection, path: &str) -> bool {
    let Some(profile) = &collection.profile else { return false };
    let holds = |id: &crate::profile::FieldId| {
        let is_array = profile.field(*id).is_some_and(|f| 0 < f.count_of(Type::Array));
        profile.in_array(*id) || is_array
    };
    profile.resolve(path).iter().any(holds)
}

/// Relationships that the team declares between two collections: the path must hold keys, not documents.
fn declared(model: &Model, found: &mut Found) {
    let named = |name: &str| model.collections.iter().find(|c| is_named(&c.ns, name));
    for relationship in &model.intent.relationships {
        let (Some(from), Some(to)) = (named(&relationship.parent), relationship.to.as_deref().and_then(named)) else {
            continue;
        };
        let known = |(f, path, t, _): &&Place| {
            *f == from.ns && *t == to.ns && (*path == relationship.path || is_within(path, &relationship.path))
                || *f == to.ns && *t == from.ns
        };
        if let Some(place) = found.relations.keys().find(known).cloned() {
            found.add(place, false).known_by.intent = true;
            continue;
        }
        let fields: Vec<_> = from.fields().filter(|field| field.path.as_str() == relationship.path).collect();
        let holds_documents = fields.iter().any(|field| field.has(Type::Object));
        if !fields.is_empty() && !holds_documents {
            let many = is_in_array(from, &relationship.path);
            let place = (from.ns.clone(), relationship.path.clone(), to.ns.clone(), "_id".to_owned());
            found.add(place, many).known_by.intent = true;
        }
    }
}

/// Adds what single operations do with both sides.
fn follow(reads: &[Read<'_>], relations: &mut [Relation]) {
    let mut by_collection: BTreeMap<&Namespace, Vec<usize>> = BTreeMap::new();
    let mut by_number: BTreeMap<(&str, u32), usize> = BTreeMap::new();
    let mut transactions: BTreeMap<(&str, u32), BTreeSet<&Namespace>> = BTreeMap::new();
    for (at, read) in reads.iter().enumerate() {
        let Some(ns) = read.ns else { continue };
        by_collection.entry(ns).or_default().push(at);
        let Some(file) = read.operation.file() else { continue };
        by_number.insert((file, read.operation.context.number), at);
        if let Some(transaction) = read.operation.context.transaction.filter(|_| read.operation.verb.is_write()) {
            transactions.entry((file, transaction)).or_default().insert(ns);
        }
    }
    let earlier = |read: &Read<'_>, number: u32| by_number.get(&(read.operation.file()?, number)).copied();
    let of = |ns: &Namespace| by_collection.get(ns).map(Vec::as_slice).unwrap_or_default();
    for relation in relations {
        let (path, target) = (relation.path.as_str(), relation.target.as_str());
        // The read whose result another one looks for.
        let from_other = |read: &Read<'_>, at: &str, ns: &Namespace, its: &str| {
            read.equal.iter().filter(|(equal, _)| equal == at).find_map(|(_, source)| {
                let (number, taken) = source.as_ref()?;
                let other = earlier(read, *number)?;
                (reads.get(other)?.ns == Some(ns) && taken == its).then_some(other)
            })
        };
        let uses = &mut relation.uses;
        let mut joined: BTreeSet<usize> = uses.backward.iter().map(|join| join.operation).collect();
        for at in of(&relation.from) {
            let Some(read) = reads.get(*at) else { continue };
            let shown = || Shown::of_projection(read.operation);
            let sequence = |shown| {
                let first = read.operation.limit.as_ref().and_then(Term::as_i64);
                let first = first.and_then(|limit| u64::try_from(limit).ok());
                let order = read.operation.sort.as_ref().and_then(sort_keys);
                Join { operation: *at, way: Way::Sequence, shown, first, order, load: read.load }
            };
            match read.operation.verb {
                Verb::Insert => uses.referring_added.add(read.load),
                Verb::Watch | Verb::EstimatedCount => {}
                Verb::Populate => {
                    let field = read.operation.field.as_ref().and_then(Term::as_str);
                    if field == Some(path) {
                        uses.forward.push(Join { way: Way::Populate, ..sequence(shown()) });
                    }
                }
                verb if verb.is_write() => uses.referring_written.add(read.load),
                _ if let Some(other) = from_other(read, path, &relation.to, target) => {
                    joined.insert(other);
                    uses.backward.push(sequence(shown()));
                }
                _ if read.equal.iter().any(|(equal, _)| equal == path) => uses.by_reference.add(read.load),
                _ => uses.referring_alone.add(read.load),
            }
        }
        for at in of(&relation.to) {
            let Some(read) = reads.get(*at) else { continue };
            match read.operation.verb {
                Verb::Insert | Verb::Watch | Verb::EstimatedCount | Verb::Populate => {}
                verb if verb.is_write() => uses.target_written.add(read.load),
                _ if joined.contains(at) => uses.target_joined.add(read.load),
                _ if from_other(read, target, &relation.from, path).is_some() => {
                    let shown = Shown::of_projection(read.operation);
                    let join =
                        Join { operation: *at, way: Way::Sequence, shown, first: None, order: None, load: read.load };
                    uses.forward.push(join);
                }
                _ => uses.target_alone.add(read.load),
            }
        }
        let both = |written: &&BTreeSet<&Namespace>| written.contains(&relation.from) && written.contains(&relation.to);
        uses.written_together = transactions.values().filter(both).count() as u64;
    }
}
