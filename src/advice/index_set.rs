//! The smallest set of indexes that serves the query shapes of a collection: equality, then sort, then range; prefixes
//! shared where the order of equalities allows it; what is there kept unless something longer takes its place.
//!
//! Where a sort and a range compete, the sort goes first: a range before it makes every page a blocking sort, which the
//! planner cannot avoid, while a range behind it costs keys that are filtered before a document is fetched (manual:
//! tutorial/equality-sort-range-guideline).

use serde_json::{Map, Value};

use crate::catalogue::index::{default_name, script_name};
use crate::catalogue::{Index, IndexKind, Origin};
use crate::facts::limits::{INDEX_FIELDS, MOST_SORTED_SCANS};
use crate::finding::{Alternative, Certainty, Criterion, Recommendation, Safety, Script};
use crate::locale::{Lang, template};
use crate::model::access::Branch;
use crate::model::covering::{Covering, covering};
use crate::model::serving::{self, Standing};
use crate::model::{Access, Collection, Model};
use crate::order::Ordered;
use crate::profile::Field;
use crate::remedy;

/// Documents that runs must have examined for a covered query to be worth a longer key.
const SPARED: u64 = 1_000;
/// The kind of these recommendations.
pub(super) const KIND: &str = "index-set";
/// What a criterion says of an index: it stays.
const KEEP: &str = "keep";
/// A new one.
const ADD: &str = "add";
/// A new one in the place of one that is there.
const REPLACE: &str = "replace";
/// One that another makes needless.
const DROP: &str = "drop";

/// A field of the key behind the equalities.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Tail {
    path: String,
    /// The direction; nothing where only a range needs the field.
    descending: Option<bool>,
}

/// What one branch of an access wants of an index.
#[derive(Debug, Clone)]
struct Want {
    access: usize,
    equalities: Vec<String>,
    tail: Vec<Tail>,
    collation: Option<crate::value::Value>,
}

/// An index that is being planned: equalities in blocks whose order is settled, free within a block; then the tail.
#[derive(Debug, Clone)]
struct Plan {
    blocks: Vec<Vec<String>>,
    tail: Vec<Tail>,
    collation: Option<crate::value::Value>,
    serves: Vec<usize>,
}

/// The decision about the indexes of a collection; nothing where indexes or query shapes are not known.
pub(super) fn decide(model: &Model, collection: &Collection, lang: Lang) -> Option<Recommendation> {
    if !collection.knows_indexes() || collection.ns.is_internal() {
        return None;
    }
    let accesses: Vec<&Access> = model.accesses_of(&collection.ns).collect();
    let standings: Vec<Standing> =
        accesses.iter().map(|access| serving::standing(access, collection, collection.indexes())).collect();
    let judged = standings.iter().filter(|standing| **standing != Standing::Unjudged).count();
    if judged == 0 {
        return None;
    }
    let missed = standings.iter().filter(|s| !matches!(s, Standing::Unjudged | Standing::Served(_))).count();
    let plans = plan(&accesses, &standings, collection);
    let added: Vec<Index> = plans.iter().map(|plan| plan.index(collection)).collect();
    let replaced = replaced(&standings, collection, &added);
    let mut set = Set { collection, accesses: &accesses, standings: &standings, plans: &plans, added, replaced };
    set.keep_what_is_needed();
    Some(set.recommendation(model, judged, missed, lang))
}

/// The indexes that the accesses want which no index serves, as few as serve them all.
fn plan(accesses: &[&Access], standings: &[Standing], collection: &Collection) -> Vec<Plan> {
    let mut wants: Vec<Want> = Vec::new();
    for (number, (access, standing)) in accesses.iter().zip(standings).enumerate() {
        if matches!(standing, Standing::Unjudged | Standing::Served(_)) {
            continue;
        }
        for branch in &access.branches {
            // A branch that is served alone wants nothing.
            let alone = Access { branches: vec![branch.clone()], ..(*access).clone() };
            let served = matches!(
                serving::standing(&alone, collection, collection.indexes()),
                Standing::Served(_) | Standing::Unjudged
            );
            if !(served && access.branches.len() > 1) {
                wants.extend(want(number, access, branch, collection));
            }
        }
    }
    // The longest first, so that shorter ones find their prefix.
    wants.order_by(|a, b| {
        let length = |want: &Want| want.equalities.len() + want.tail.len();
        length(b).cmp(&length(a)).then_with(|| a.access.cmp(&b.access))
    });
    let mut plans: Vec<Plan> = Vec::new();
    for want in wants {
        if let Some(plan) = plans.iter_mut().find_map(|plan| plan.takes(&want).then_some(plan)) {
            if !plan.serves.contains(&want.access) {
                plan.serves.push(want.access);
            }
            continue;
        }
        plans.push(Plan {
            blocks: vec![want.equalities].into_iter().filter(|block| !block.is_empty()).collect(),
            tail: want.tail,
            collation: want.collation,
            serves: vec![want.access],
        });
    }
    for plan in &mut plans {
        plan.serves.order();
        plan.order(collection);
    }
    plans
}

/// What a branch wants: equalities, sort, range. At most one array, since two cannot stand in one key.
fn want(number: usize, access: &Access, branch: &Branch, collection: &Collection) -> Option<Want> {
    let mut array: Option<&str> = None;
    let mut one_array =
        |path: &str| {
            let Some(found) = collection.arrays().iter().find(|a| {
                path.strip_prefix(a.path.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            }) else {
                return true;
            };
            let first = *array.get_or_insert(found.path.as_str());
            first == found.path.as_str()
        };
    let mut scans: u64 = 1;
    let (mut equalities, mut late) = (Vec::new(), Vec::new());
    let mut points: Vec<_> = branch.points.iter().collect();
    // Single values before lists: they cost no scans.
    points.order_by_key(|point| point.values.unwrap_or(1));
    for point in points {
        // A list that is sorted by comes in with the sort: its scans are in no one order of it.
        if access.sort.iter().any(|key| key.path == point.path) || !one_array(&point.path) {
            continue;
        }
        scans = scans.saturating_mul(point.values.unwrap_or(1).max(1));
        if access.sort.is_empty() || scans <= MOST_SORTED_SCANS {
            equalities.push(point.path.clone());
        } else {
            late.push(point.path.clone());
        }
    }
    let mut tail: Vec<Tail> = Vec::new();
    for key in &access.sort {
        if !equalities.contains(&key.path) {
            tail.push(Tail { path: key.path.clone(), descending: Some(key.descending) });
        }
    }
    for path in late.into_iter().chain(branch.ranges.iter().take(1).cloned()) {
        if !tail.iter().any(|field| field.path == path) && !equalities.contains(&path) && one_array(&path) {
            tail.push(Tail { path, descending: None });
        }
    }
    let length = equalities.len() + tail.len();
    let collation = access.collation.clone();
    (0 < length && length <= INDEX_FIELDS).then_some(Want { access: number, equalities, tail, collation })
}

impl Plan {
    /// Takes a want that a prefix of this plan can serve, and settles the order of equalities that this needs.
    fn takes(&mut self, want: &Want) -> bool {
        if self.collation != want.collation {
            return false;
        }
        let mut left: Vec<&String> = want.equalities.iter().collect();
        let mut split: Option<(usize, Vec<String>)> = None;
        let mut used = 0;
        for (at, block) in self.blocks.iter().enumerate() {
            if left.is_empty() {
                break;
            }
            if block.iter().all(|path| left.contains(&path)) {
                left.retain(|path| !block.contains(path));
                used = at + 1;
                continue;
            }
            if !left.iter().all(|path| block.contains(path)) {
                return false;
            }
            split = Some((at, left.iter().map(|path| (*path).clone()).collect()));
            left.clear();
            break;
        }
        if !want.tail.is_empty() {
            // The tail must follow all equalities at once.
            if split.is_some() || used != self.blocks.len() || !left.is_empty() {
                return false;
            }
            return self.takes_tail(&want.tail);
        }
        // Equalities that are left may be the first fields of the tail.
        let tail: Vec<&String> = self.tail.iter().take(left.len()).map(|field| &field.path).collect();
        if !left.iter().all(|path| tail.contains(path)) {
            return false;
        }
        if let Some((at, first)) = split
            && let Some(block) = self.blocks.get_mut(at)
        {
            block.retain(|path| !first.contains(path));
            self.blocks.insert(at, first);
        }
        true
    }

    fn takes_tail(&mut self, wanted: &[Tail]) -> bool {
        if wanted.len() > self.tail.len() || wanted.iter().zip(&self.tail).any(|(a, b)| a.path != b.path) {
            return false;
        }
        // Directions agree all the same way or all reversed; a range walks either way.
        let turns = wanted.iter().zip(&self.tail).filter_map(|(a, b)| Some(a.descending? != b.descending?));
        let turns: Vec<bool> = turns.collect();
        if turns.windows(2).any(|pair| pair.first() != pair.last()) {
            return false;
        }
        for (field, wanted) in self.tail.iter_mut().zip(wanted) {
            if field.descending.is_none() {
                field.descending = wanted.descending.map(|down| down != turns.first().copied().unwrap_or(false));
            }
        }
        true
    }

    /// Orders the equalities within their blocks: what an index that is there begins with, then the most distinct
    /// first where documents tell it, else as the queries write them.
    fn order(&mut self, collection: &Collection) {
        let Some(first) = self.blocks.first_mut() else { return };
        let present = collection.indexes().iter().filter(|index| index.is_bare() && !index.is_id());
        let lead = present
            .filter(|index| index.key.iter().all(|(path, _)| first.contains(path)))
            .max_by_key(|index| index.key.len())
            .map(|index| index.key.iter().map(|(path, _)| path.clone()).collect::<Vec<_>>());
        if let Some(lead) = lead {
            first.retain(|path| !lead.contains(path));
            self.blocks.insert(0, lead);
        }
        for block in self.blocks.iter_mut().skip(1) {
            by_selectivity(block, collection);
        }
        if let [only] = self.blocks.as_mut_slice() {
            by_selectivity(only, collection);
        }
    }

    fn index(&self, collection: &Collection) -> Index {
        let equalities = self.blocks.iter().flatten().map(|path| (path.clone(), IndexKind::Ascending));
        let tail = self.tail.iter().map(|field| {
            let kind = if field.descending == Some(true) { IndexKind::Descending } else { IndexKind::Ascending };
            (field.path.clone(), kind)
        });
        let key: Vec<(String, IndexKind)> = equalities.chain(tail).collect();
        let pattern: Vec<(String, crate::value::Value)> = key
            .iter()
            .map(|(path, kind)| {
                let way = if *kind == IndexKind::Descending { -1 } else { 1 };
                (path.clone(), crate::value::Value::Int(way))
            })
            .collect();
        let mut index = Index::of_key(&pattern, Origin::Wanted);
        index.name = default_name(&pattern);
        index.collation.clone_from(&self.collation);
        // A name that is taken by another key would be refused.
        if collection.indexes().iter().any(|other| other.name == index.name) {
            index.name.push_str("_esr");
        }
        index
    }
}

/// The field with the most distinct values first, where documents tell them for all.
fn by_selectivity(block: &mut [String], collection: &Collection) {
    let Some(profile) = &collection.profile else { return };
    let distinct = |path: &String| {
        let fields = profile.resolve(path);
        // Of an array its elements are the keys.
        let keys =
            fields.iter().filter_map(|id| profile.elements(*id).map(|(_, field)| field).or_else(|| profile.field(*id)));
        keys.map(Field::distinct_count).max().unwrap_or(0)
    };
    if block.iter().all(|path| distinct(path) > 0) {
        block.order_by_key(|path| std::cmp::Reverse(distinct(path)));
    }
}

/// For each added index the position of the one that it takes the place of: a plain prefix of it, or the one whose
/// order is wrong for its shapes and that serves no other.
fn replaced(standings: &[Standing], collection: &Collection, added: &[Index]) -> Vec<Option<usize>> {
    let used: Vec<usize> = standings
        .iter()
        .filter_map(|standing| if let Standing::Served(by) = standing { Some(by.clone()) } else { None })
        .flatten()
        .collect();
    let mut taken: Vec<usize> = Vec::new();
    added
        .iter()
        .map(|index| {
            let found = collection.indexes().iter().enumerate().find(|(at, present)| {
                let wrong = standings.iter().any(|standing| {
                    matches!(standing, Standing::Order(by) | Standing::Direction(by) if by == at)
                        && !used.contains(at)
                        && index.key.iter().all(|(path, _)| present.key.iter().any(|(held, _)| held == path))
                });
                present.is_bare()
                    && !present.is_id()
                    && !collection.may_back_shard_key(present)
                    && !taken.contains(at)
                    && (index.covers(present) || wrong)
            });
            let at = found.map(|(at, _)| at);
            taken.extend(at);
            at
        })
        .collect()
}

/// The set of indexes with the reasons for each.
struct Set<'a> {
    collection: &'a Collection,
    accesses: &'a [&'a Access],
    standings: &'a [Standing],
    plans: &'a [Plan],
    added: Vec<Index>,
    replaced: Vec<Option<usize>>,
}

impl Set<'_> {
    /// The indexes after the change.
    fn after(&self) -> Vec<Index> {
        let gone: Vec<usize> = self.replaced.iter().flatten().copied().collect();
        let kept = self.collection.indexes().iter().enumerate().filter(|(at, _)| !gone.contains(at));
        kept.map(|(_, index)| index.clone()).chain(self.added.iter().cloned()).collect()
    }

    /// Takes back a replacement that would leave a shape without the index that serves it today.
    fn keep_what_is_needed(&mut self) {
        for at in 0..self.replaced.len() {
            let after = self.after();
            let loses = self.accesses.iter().zip(self.standings).any(|(access, standing)| {
                matches!(standing, Standing::Served(_))
                    && !matches!(
                        serving::standing(access, self.collection, &after),
                        Standing::Served(_) | Standing::Unjudged
                    )
            });
            if loses && let Some(replaced) = self.replaced.get_mut(at) {
                *replaced = None;
            }
        }
    }

    fn recommendation(&self, model: &Model, judged: usize, missed: usize, lang: Lang) -> Recommendation {
        let sentences = lang.sentences();
        let ns = self.collection.ns.to_string();
        let after = self.after();
        let still = self.unserved(&after);
        let mut figures = Map::new();
        figures.insert("n".to_owned(), judged.into());
        figures.insert("missed".to_owned(), missed.into());
        let why = if missed == 0 { sentences.advice.indexes_serve } else { sentences.advice.indexes_miss };
        let keys = |indexes: &[Index]| {
            let others = indexes.iter().filter(|index| !index.is_id()).map(Index::key_script).collect::<Vec<_>>();
            if others.is_empty() { "{ _id: 1 }".to_owned() } else { others.join(", ") }
        };
        let decision = if self.added.is_empty() { KEEP.to_owned() } else { keys(&self.added) };
        let alternative = |decision: String, indexes: &[Index], unserved: usize| Alternative {
            decision,
            out: None,
            figures: Map::from_iter([
                ("indexes".to_owned(), indexes.len().into()),
                ("shapesServed".to_owned(), (judged - unserved.min(judged)).into()),
                ("entriesPerDocument".to_owned(), total_entries(self.collection, indexes).into()),
            ]),
        };
        let mut alternatives = vec![alternative("today".to_owned(), self.collection.indexes(), missed)];
        if !self.added.is_empty() {
            alternatives.push(alternative(decision.clone(), &after, still));
        }
        Recommendation {
            kind: KIND.to_owned(),
            subject: ns.clone(),
            collection: Some(ns),
            today: keys(self.collection.indexes()),
            decision,
            certainty: if self.accesses.iter().any(|a| a.runs.is_some()) {
                Certainty::Measured
            } else {
                Certainty::Certain
            },
            why: template::fill(why, &figures, lang),
            criteria: self.criteria(model),
            alternatives,
            asks: self.asks(lang),
            scripts: self.scripts(model),
        }
    }

    /// The accesses that an index serves today.
    fn served_by(&self, at: usize) -> Vec<usize> {
        let served = |standing: &Standing| matches!(standing, Standing::Served(by) if by.contains(&at));
        self.standings.iter().enumerate().filter(|(_, standing)| served(standing)).map(|(access, _)| access).collect()
    }

    fn unserved(&self, indexes: &[Index]) -> usize {
        let standing = |access: &&&Access| serving::standing(access, self.collection, indexes);
        let open = |standing: &Standing| matches!(standing, Standing::Unjudged | Standing::Served(_));
        self.accesses.iter().filter(|access| !open(&standing(access))).count()
    }

    fn criteria(&self, model: &Model) -> Vec<Criterion> {
        let mut criteria = Vec::new();
        let shapes = |serves: &[usize]| -> Value {
            serves
                .iter()
                .filter_map(|at| self.accesses.get(*at))
                .map(|access| Value::from(access.shape.clone()))
                .collect()
        };
        for ((index, plan), replaced) in self.added.iter().zip(self.plans).zip(&self.replaced) {
            let old = replaced.and_then(|at| self.collection.indexes().get(at));
            let mut evidence = self.cost(model, index);
            let served: Vec<usize> = plan.serves.clone();
            self.tell_covered(model, index, &served, &mut evidence);
            let inherited = replaced.map(|at| self.served_by(at)).unwrap_or_default();
            let serves: Vec<usize> = plan.serves.iter().copied().chain(inherited).collect();
            evidence.insert("serves".to_owned(), shapes(&serves));
            let create = remedy::index::create(&self.collection.ns, index).script;
            evidence.insert("create".to_owned(), create.into());
            if let Some(old) = old {
                evidence.insert("replaces".to_owned(), old.name.clone().into());
            }
            criteria.push(Criterion {
                name: if old.is_some() { REPLACE } else { ADD }.to_owned(),
                answer: index.key_script(),
                favours: None,
                weight: 3,
                evidence,
            });
        }
        for (at, index) in self.collection.indexes().iter().enumerate() {
            if self.replaced.contains(&Some(at)) || index.is_id() {
                continue;
            }
            let serves = self.served_by(at);
            let needless = index.is_bare()
                && serves.is_empty()
                && !self.collection.may_back_shard_key(index)
                && self.added.iter().any(|longer| longer.covers(index) && longer.key.len() > index.key.len());
            let mut evidence = self.cost(model, index);
            self.tell_covered(model, index, &serves, &mut evidence);
            if !serves.is_empty() {
                evidence.insert("serves".to_owned(), shapes(&serves));
            }
            criteria.push(Criterion {
                name: if needless { DROP } else { KEEP }.to_owned(),
                answer: index.key_script(),
                favours: None,
                weight: if needless { 2 } else { 1 },
                evidence,
            });
        }
        criteria
    }

    /// The shapes that an index answers without a document, and those that it would with few small fields more, where
    /// runs show how many documents that spares.
    fn tell_covered(&self, model: &Model, index: &Index, serves: &[usize], evidence: &mut Map<String, Value>) {
        let (mut covered, mut nearly) = (Vec::new(), Vec::new());
        for access in serves.iter().filter_map(|at| self.accesses.get(*at)) {
            match covering(model, self.collection, access, index) {
                Some(Covering::Covered) => covered.push(Value::from(access.shape.clone())),
                Some(Covering::With(fields)) => {
                    let examined = access.runs.as_ref().map_or(0, |runs| runs.docs_examined.sum);
                    if SPARED <= examined {
                        nearly.push(serde_json::json!({
                            "shape": access.shape, "add": fields, "documentsExamined": examined,
                        }));
                    }
                }
                None => {}
            }
        }
        if !covered.is_empty() {
            evidence.insert("covers".to_owned(), covered.into());
        }
        if !nearly.is_empty() {
            evidence.insert("wouldCover".to_owned(), nearly.into());
        }
    }

    /// What an index costs: entries for each document, and the writes of the workload that touch its fields.
    fn cost(&self, model: &Model, index: &Index) -> Map<String, Value> {
        let mut cost = Map::new();
        if self.collection.profile.is_some() {
            cost.insert("entriesPerDocument".to_owned(), entries(self.collection, index).into());
        }
        let writes = model.workload.of(&self.collection.ns).filter(|operation| {
            use crate::workload::Verb;
            match operation.verb {
                Verb::Insert | Verb::Replace | Verb::Delete | Verb::FindAndReplace | Verb::FindAndDelete => true,
                Verb::Update | Verb::FindAndUpdate => operation.update.as_ref().is_some_and(|update| {
                    update.members().unwrap_or_default().iter().any(|operator| {
                        operator.value.members().unwrap_or_default().iter().any(|field| {
                            index.key.iter().any(|(path, _)| {
                                field.name().is_some_and(|name| name == path || path.starts_with(&format!("{name}.")))
                            })
                        })
                    })
                }),
                _ => false,
            }
        });
        let writes = writes.count();
        if writes > 0 {
            cost.insert("writes".to_owned(), writes.into());
        }
        cost
    }

    fn asks(&self, lang: Lang) -> Vec<String> {
        let sentences = lang.sentences();
        let mut asks = Vec::new();
        if self.accesses.iter().all(|access| access.runs.is_none()) && self.accesses.len() > 1 {
            asks.push(sentences.advice.ask_frequency.to_owned());
        }
        for access in self.accesses.iter().filter(|access| !access.sort.is_empty()) {
            for point in access.branches.iter().flat_map(|branch| &branch.points).filter(|p| p.values.is_none()) {
                let figures = Map::from_iter([
                    ("path".to_owned(), script_name(&point.path).into()),
                    ("most".to_owned(), MOST_SORTED_SCANS.into()),
                ]);
                let ask = template::fill(sentences.advice.ask_in, &figures, lang);
                if !asks.contains(&ask) {
                    asks.push(ask);
                }
            }
        }
        asks
    }

    fn scripts(&self, model: &Model) -> Vec<Script> {
        let ns = &self.collection.ns;
        let create = self.added.iter().map(|index| remedy::index::create(ns, index).script).collect::<Vec<_>>();
        let gone = self.replaced.iter().flatten().filter_map(|at| self.collection.indexes().get(*at));
        let retire = gone.map(|index| remedy::index::retire(ns, index, model.server)).collect::<Vec<_>>();
        let mut scripts = Vec::new();
        if !create.is_empty() {
            scripts.push(Script {
                name: "create-indexes".to_owned(),
                safety: Safety::Review,
                script: create.join("\n"),
            });
        }
        if let Some(safety) = retire.first().map(|remedy| remedy.safety) {
            let script = retire.iter().map(|remedy| remedy.script.as_str()).collect::<Vec<_>>().join("\n");
            scripts.push(Script { name: "retire-indexes".to_owned(), safety, script });
        }
        scripts
    }
}

/// Entries that an index holds for a document, on average: the elements of the array that its key holds.
fn entries(collection: &Collection, index: &Index) -> u64 {
    let arrays = collection.arrays().iter().filter(|array| {
        index.key.iter().any(|(path, _)| {
            path.strip_prefix(array.path.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        })
    });
    arrays.map(|array| array.stats.lengths.mean().max(1)).max().unwrap_or(1)
}

fn total_entries(collection: &Collection, indexes: &[Index]) -> u64 {
    indexes.iter().map(|index| entries(collection, index)).sum()
}
