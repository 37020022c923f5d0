//! Which shard key, if any: candidates from wishes, filters and unique indexes, each measured on documents, workload and
//! indexes, or by the server; those with a fault are out, and of the rest the one that targets most comes first.

use serde_json::{Map, Value, json};

use crate::catalogue::{CollectionKind, Index, IndexKind, Origin, ShardKey};
use crate::facts::{Version, names};
use crate::finding::{Alternative, Certainty, Criterion, Recommendation, Safety, Script};
use crate::locale::{Lang, template};
use crate::model::shard_key::{DOCUMENTS_EACH, FEW_VALUES, FOLLOWS, FREQUENT, HEAVY, LARGE, SMALL};
use crate::model::{Collection, Model};
use crate::order::Ordered;
use crate::remedy;

/// The kind of these recommendations.
pub(super) const KIND: &str = "shard-key";
/// The decision that nothing changes.
const KEEP: &str = "keep";
/// Today's form of a collection on one shard.
const UNSHARDED: &str = "unsharded";
/// Candidates that are compared.
const MOST: usize = 16;
/// Candidates that are shown.
const MOST_SHOWN: usize = 6;
/// Fields that candidates begin with.
const MOST_FIRST: usize = 4;
/// The share of the operations that another key must target beyond today's to be worth a change.
const GAIN: f64 = 0.2;
/// The share of the operations that a key must target, where it is known, to be proposed.
const LEAST: f64 = 0.5;
/// The share of the documents without the key from which on it is no candidate.
const MISSING: f64 = 0.1;
/// Documents below which nothing is said of their values.
const ENOUGH: u64 = 20;
/// Documents with one value below which their number may be chance.
const FEW: u64 = 10;
/// A key may get a suffix.
const REFINE: Version = Version::new(4, 4);
/// A collection may get another key.
const RESHARD: Version = Version::new(5, 0);
/// The server measures keys.
const ANALYZE: Version = Version::new(7, 0);

/// A key with what is known of it.
struct Candidate {
    key: ShardKey,
    /// Documents that its values were seen in; 0 where nothing tells of them.
    documents: u64,
    distinct: Option<u64>,
    /// The share of the documents with the most frequent value.
    frequent: Option<f64>,
    correlation: Option<f64>,
    follows: Option<bool>,
    missing: Option<f64>,
    /// The share of the operations that go to some shards.
    targeted: Option<f64>,
    /// The share that goes to all shards for a range of a hashed field.
    ranges: Option<f64>,
    /// Unique indexes that the server does not keep with it.
    conflicts: Vec<String>,
    /// Whether its first field keeps documents of one value together.
    groups: bool,
    /// Places that change a field of it.
    changes: u64,
    fault: Option<Fault>,
}

/// Why a key is out.
enum Fault {
    /// The server refuses it: a unique index.
    Unique(String),
    /// The server refuses it: an array.
    Array(String),
    Few(u64, u64),
    Frequent(f64),
    Follows,
    Missing(f64),
}

/// The decision about the shard key of a collection; nothing where nobody asks for one and its size does not.
pub(super) fn decide(model: &Model, collection: &Collection, lang: Lang) -> Option<Recommendation> {
    let kind = collection.options().map(|options| options.kind).unwrap_or_default();
    if kind != CollectionKind::Collection || collection.ns.is_internal() {
        return None;
    }
    let bytes = collection.data_bytes();
    if !collection.tells_of_shards() && bytes.is_none_or(|bytes| bytes < LARGE) {
        return None;
    }
    let present = collection.catalogue.shard_key.as_ref();
    let asked = collection.catalogue.wanted_shard_key.as_ref().filter(|_| present.is_none()).or(present);
    let mut candidates: Vec<Candidate> =
        keys(model, collection).into_iter().map(|key| Candidate::measure(model, collection, key)).collect();
    // What the server refuses is told of keys that are asked about alone.
    let refused = |one: &Candidate| matches!(one.fault, Some(Fault::Unique(_) | Fault::Array(_)));
    candidates.retain(|one| !refused(one) || model.shard_keys(collection).any(|key| *key == one.key));
    // The one that is asked about stays first.
    if let Some((_, others)) = candidates.split_first_mut().filter(|_| asked.is_some()) {
        others.order_by_key(Candidate::rank);
    } else {
        candidates.order_by_key(Candidate::rank);
    }
    let load = model.load_per_second(&collection.ns);
    let is_small = bytes.is_some_and(|bytes| bytes < SMALL) && load.is_none_or(|load| load < HEAVY);
    let choice = Choice { model, collection, asked, present, candidates, bytes, load, lang };
    Some(choice.recommendation(is_small && present.is_none()))
}

/// The keys that are compared, that which is asked about first.
fn keys(model: &Model, collection: &Collection) -> Vec<ShardKey> {
    let mut keys: Vec<ShardKey> = model.shard_keys(collection).cloned().collect();
    if let (Some(_), Some(wanted)) = (&collection.catalogue.shard_key, &collection.catalogue.wanted_shard_key) {
        keys.push(wanted.clone());
    }
    let sorted = |paths: &[String]| pattern(paths.iter().map(|path| (path.as_str(), IndexKind::Ascending)));
    let analysed = collection.catalogue.key_analyses.iter().filter(|analysis| !analysis.paths.is_empty());
    let paths_known = |key: &ShardKey, paths: &[String]| key.paths().eq(paths.iter().map(String::as_str));
    for analysis in analysed {
        if !keys.iter().any(|key| paths_known(key, &analysis.paths)) {
            keys.push(sorted(&analysis.paths));
        }
    }
    let firsts = first_fields(model, collection);
    let suffixes = suffixes(model, collection);
    let mut add = |key: ShardKey| keys.push(key);
    let is_fine = |key: &ShardKey| collection.spread(&key.key).is_some_and(|s| s.documents < 2 * s.distinct);
    if let Some(present) = collection.catalogue.shard_key.as_ref().filter(|present| !is_fine(present)) {
        for suffix in suffixes.iter().filter(|suffix| !present.paths().any(|path| path == suffix.0)).take(2) {
            add(extended(present, suffix));
        }
    }
    for first in &firsts {
        for suffix in suffixes.iter().filter(|suffix| suffix.0 != *first).take(2) {
            add(ShardKey { key: vec![(first.clone(), IndexKind::Ascending), suffix.clone()], ..wish() });
        }
        add(pattern([(first.as_str(), IndexKind::Ascending)]));
        add(pattern([(first.as_str(), IndexKind::Hashed)]));
    }
    for index in collection.indexes().iter().filter(|index| index.unique && index.is_plain() && !index.is_id()) {
        add(pattern(index.key.iter().map(|(path, _)| (path.as_str(), IndexKind::Ascending))));
    }
    add(pattern([("_id", IndexKind::Hashed)]));
    let mut seen: Vec<Vec<(String, IndexKind)>> = Vec::new();
    keys.retain(|key| {
        let is_new = !seen.contains(&key.key);
        seen.push(key.key.clone());
        is_new && key.paths().all(|path| collection.may_have(path))
    });
    keys.truncate(MOST);
    keys
}

/// A key with one more field; of its fields at most one is hashed.
fn extended(key: &ShardKey, (path, kind): &(String, IndexKind)) -> ShardKey {
    let hashes = key.key.iter().any(|(_, kind)| *kind == IndexKind::Hashed);
    let kind = if hashes { IndexKind::Ascending } else { kind.clone() };
    ShardKey { key: key.key.iter().cloned().chain([(path.clone(), kind)]).collect(), ..wish() }
}

fn wish() -> ShardKey {
    ShardKey { key: Vec::new(), unique: false, origin: Origin::Wanted, location: None }
}

fn pattern<'a>(fields: impl IntoIterator<Item = (&'a str, IndexKind)>) -> ShardKey {
    ShardKey { key: fields.into_iter().map(|(path, kind)| (path.to_owned(), kind)).collect(), ..wish() }
}

/// The fields that keys may begin with: those that filters name by equality, the most frequent first, and those that
/// unique indexes begin with.
fn first_fields(model: &Model, collection: &Collection) -> Vec<String> {
    let mut named: Vec<String> = Vec::new();
    for access in model.accesses_of(&collection.ns) {
        named.extend(access.branches.iter().flat_map(|branch| branch.points.iter().map(|point| point.path.clone())));
    }
    named.order();
    named.dedup();
    let share = |path: &String| {
        let reach = model.reach(&collection.ns, &[(path.clone(), IndexKind::Hashed)]);
        let missed = reach.all.and(reach.ranges).share_of(reach.judged).unwrap_or(1.0);
        (missed * 1000.0) as i64
    };
    named.order_by_key(share);
    let unique = collection.indexes().iter().filter(|index| index.unique && index.is_plain() && !index.is_id());
    named.extend(unique.filter_map(|index| index.key.first()).map(|(path, _)| path.clone()));
    if named.is_empty() {
        named = named_as_keys(collection).filter(|path| collection.groups_by(path)).collect();
    }
    let mut firsts: Vec<String> = Vec::new();
    for path in named {
        if path != "_id" && !firsts.contains(&path) && firsts.len() < MOST_FIRST {
            firsts.push(path);
        }
    }
    firsts
}

/// The fields that tell the documents of one value apart: those of unique indexes, those that filters name and that
/// hardly repeat, `_id`. One that follows insertion is hashed, unless ranges of it are asked for.
fn suffixes(model: &Model, collection: &Collection) -> Vec<(String, IndexKind)> {
    let unique = collection.indexes().iter().filter(|index| index.unique && index.is_plain() && !index.is_id());
    let mut paths: Vec<String> = unique.flat_map(|index| index.key.iter().map(|(path, _)| path.clone())).collect();
    let branches = model.accesses_of(&collection.ns).flat_map(|access| &access.branches);
    paths.extend(branches.flat_map(|branch| &branch.points).map(|point| point.path.clone()));
    if paths.is_empty() {
        paths.extend(named_as_keys(collection));
    }
    let hardly_repeats = |path: &str| {
        let spread = collection.spread(&[(path.to_owned(), IndexKind::Ascending)]);
        spread.is_some_and(|spread| ENOUGH <= spread.documents && spread.documents < 2 * spread.distinct)
    };
    paths.retain(|path| hardly_repeats(path));
    paths.push("_id".to_owned());
    let mut seen = Vec::new();
    paths.retain(|path| {
        let is_new = !seen.contains(path);
        seen.push(path.clone());
        is_new
    });
    let asks_in_order = |path: &str| {
        model.accesses_of(&collection.ns).any(|access| {
            let ranged = access.branches.iter().any(|branch| branch.ranges.iter().any(|range| range == path));
            ranged || access.sort.iter().any(|key| key.path == path)
        })
    };
    let kind = |path: String| {
        let order = collection.insertion_order(&[(path.clone(), IndexKind::Ascending)]);
        let follows = order.is_some_and(|order| FOLLOWS <= (order.tau as f64 / 1000.0).abs());
        let kind = if follows && !asks_in_order(&path) { IndexKind::Hashed } else { IndexKind::Ascending };
        (path, kind)
    };
    paths.into_iter().map(kind).collect()
}

/// The fields at the top of documents whose names are those of keys.
fn named_as_keys(collection: &Collection) -> impl Iterator<Item = String> + '_ {
    let fields = collection.named_children(crate::profile::FieldId::ROOT).into_iter();
    fields.map(|(_, field)| field.name.to_string()).filter(|name| name != "_id" && names::is_key(name))
}

impl Candidate {
    fn measure(model: &Model, collection: &Collection, key: ShardKey) -> Candidate {
        // An analysis that does not show its key is about the one that is asked about, and no other candidate.
        let is_asked = model.shard_keys(collection).any(|asked| *asked == key);
        let analysis = collection.analysis_of(&key).filter(|analysis| is_asked || !analysis.paths.is_empty());
        let spread = collection.telling_spread(&key.key).filter(|spread| ENOUGH <= spread.documents);
        let documents = analysis.and_then(|a| a.sampled).or(spread.map(|s| s.documents)).unwrap_or(0);
        let most = analysis.and_then(|a| a.most_frequent).or(spread.map(|s| s.most));
        let order = collection.insertion_order(&key.key).filter(|order| ENOUGH <= order.points);
        let hashed = matches!(key.key.first(), Some((_, IndexKind::Hashed)));
        let correlation = match analysis.and_then(|a| a.monotonic) {
            Some(_) => analysis.and_then(|a| a.correlation),
            None => order.map(|order| order.tau as f64 / 1000.0),
        };
        let measured = analysis.and_then(|a| a.monotonic).or(correlation.map(|c| FOLLOWS <= c.abs()));
        let reach = model.reach(&collection.ns, &key.key);
        let share = |load: crate::model::relation::Load| load.share_of(reach.judged);
        let targeted = match analysis.and_then(crate::catalogue::KeyAnalysis::scattered) {
            Some((_, scattered)) => Some(1.0 - scattered),
            None => share(reach.all.and(reach.ranges)).map(|missed| 1.0 - missed),
        };
        let conflicts = collection.indexes().iter().filter(|index| {
            (index.unique || index.prepare_unique)
                && !key.allows_unique(index.key.iter().map(|(path, _)| path.as_str()))
        });
        let conflicts = conflicts.map(Index::key_script).collect();
        let changes = model.key_changes(&collection.ns, &key).iter().map(|(_, load)| load.operations).sum();
        let groups = key.paths().next().is_some_and(|first| collection.groups_by(first));
        let mut candidate = Candidate {
            documents,
            distinct: analysis.and_then(|a| a.distinct).or(spread.map(|s| s.distinct)),
            frequent: most.filter(|_| 0 < documents).map(|most| most as f64 / documents as f64),
            correlation,
            follows: if hashed { Some(false) } else { measured },
            groups,
            missing: spread.map(|spread| spread.missing as f64 / spread.documents as f64),
            targeted,
            ranges: share(reach.ranges),
            conflicts,
            changes,
            fault: None,
            key,
        };
        candidate.fault = candidate.find_fault(collection);
        candidate
    }

    fn find_fault(&self, collection: &Collection) -> Option<Fault> {
        if let Some(index) = self.conflicts.first() {
            return Some(Fault::Unique(index.clone()));
        }
        let in_array = |path: &&str| {
            collection.arrays().iter().any(|array| crate::workload::update::is_within(path, array.path.as_str()))
        };
        if let Some(path) = self.key.paths().find(in_array) {
            return Some(Fault::Array(path.to_owned()));
        }
        if let Some(distinct) = self.distinct.filter(|distinct| 0 < *distinct && *distinct < FEW_VALUES)
            && DOCUMENTS_EACH <= self.documents / distinct
        {
            return Some(Fault::Few(distinct, self.documents));
        }
        let many = |share: &f64| FREQUENT < *share && FEW as f64 <= share * self.documents as f64;
        if let Some(share) = self.frequent.filter(many) {
            return Some(Fault::Frequent(share));
        }
        if self.follows == Some(true) {
            return Some(Fault::Follows);
        }
        self.missing.filter(|missing| MISSING <= *missing).map(Fault::Missing)
    }

    /// Whether the values of the key were seen.
    fn is_measured(&self) -> bool {
        0 < self.documents && self.distinct.is_some()
    }

    /// Whether values of the key repeat, so that they bound how fine the data can be cut.
    fn is_coarse(&self) -> bool {
        self.distinct.is_none_or(|distinct| distinct.saturating_mul(2) <= self.documents)
    }

    /// Better candidates have smaller ranks: no fault, seen values, most operations targeted, fewest ranges lost, fields
    /// that stay, fine values, few fields, none hashed without need.
    fn rank(&self) -> (bool, bool, i64, i64, u64, bool, bool, usize, usize) {
        let thousandths = |share: Option<f64>| (share.unwrap_or(0.0) * 1000.0).round() as i64;
        let hashed = self.key.key.iter().filter(|(_, kind)| *kind == IndexKind::Hashed).count();
        (
            self.fault.is_some(),
            !self.is_measured(),
            -thousandths(self.targeted),
            thousandths(self.ranges),
            self.changes,
            self.is_coarse(),
            // Where no workload tells what is asked for together, what belongs together stays together.
            self.targeted.is_none() && !self.groups,
            self.key.key.len(),
            hashed,
        )
    }

    fn figures(&self) -> Map<String, Value> {
        let mut figures = Map::new();
        let share = |share: Option<f64>| share.map(|share| Value::from(thousandth(share)));
        let mut put = |name: &str, value: Option<Value>| {
            if let Some(value) = value {
                figures.insert(name.to_owned(), value);
            }
        };
        put("distinctValues", self.distinct.map(Value::from));
        put("mostFrequentShare", share(self.frequent));
        put("followsInsertion", self.follows.map(Value::from));
        put("targetedShare", share(self.targeted));
        put("rangesLostShare", share(self.ranges));
        put("uniqueConflicts", Some(self.conflicts.len().into()));
        put("withoutKeyShare", share(self.missing));
        put("updatesOfKey", Some(self.changes.into()));
        figures
    }

    /// What is wrong with it, as a clause.
    fn told(&self, lang: Lang) -> Option<String> {
        let words = &lang.sentences().shard_keys;
        let (sentence, figures) = match self.fault.as_ref()? {
            Fault::Unique(index) => (words.unique, json!({ "index": index })),
            Fault::Array(path) => (words.array, json!({ "path": path })),
            Fault::Few(distinct, documents) => (words.few, json!({ "distinct": distinct, "documents": documents })),
            Fault::Frequent(share) => (words.frequent, json!({ "share": share })),
            Fault::Follows => (words.follows, json!({})),
            Fault::Missing(share) => (words.missing, json!({ "share": share })),
        };
        Some(filled(sentence, &figures, lang))
    }
}

/// A share, to three places.
fn thousandth(share: f64) -> f64 {
    (share * 1000.0).round() / 1000.0
}

fn filled(sentence: &str, figures: &Value, lang: Lang) -> String {
    let none = Map::new();
    template::fill(sentence, figures.as_object().unwrap_or(&none), lang)
}

/// How a key comes about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    Stay,
    Shard,
    Refine,
    Reshard,
}

struct Choice<'a> {
    model: &'a Model,
    collection: &'a Collection,
    /// The key that is asked about: today's, else the wanted one.
    asked: Option<&'a ShardKey>,
    present: Option<&'a ShardKey>,
    /// The one that is asked about first, then the best.
    candidates: Vec<Candidate>,
    bytes: Option<u64>,
    load: Option<f64>,
    lang: Lang,
}

impl Choice<'_> {
    /// The candidate that is asked about.
    fn current(&self) -> Option<&Candidate> {
        self.candidates.first().filter(|first| self.asked.is_some_and(|asked| asked.key == first.key.key))
    }

    /// The best candidate without a fault whose values were seen and that does not send most operations to all shards.
    fn best(&self) -> Option<&Candidate> {
        let is_good = |one: &&Candidate| {
            one.fault.is_none() && one.is_measured() && one.targeted.is_none_or(|share| LEAST <= share)
        };
        self.candidates.iter().filter(is_good).min_by_key(|one| one.rank())
    }

    /// What is to be done, and the candidate that it leads to.
    fn step(&self) -> (Step, Option<&Candidate>) {
        let best = self.best();
        let targeted = |one: &Candidate| one.targeted.unwrap_or(0.0);
        if let Some(current) = self.current().filter(|current| current.fault.is_none()) {
            let gain = best.map_or(0.0, |best| targeted(best) - targeted(current));
            if gain < GAIN || current.targeted.is_none() {
                let step = if self.present.is_none() && current.is_measured() { Step::Shard } else { Step::Stay };
                return (step, Some(current));
            }
        }
        let Some(best) = best else { return (Step::Stay, None) };
        // What the team wishes goes before what is as good.
        let is_wish = |one: &&Candidate| {
            let wanted = self.collection.catalogue.wanted_shard_key.as_ref();
            let good = one.fault.is_none() && one.is_measured() && targeted(best) - targeted(one) < GAIN;
            good && wanted.is_some_and(|wanted| wanted.key == one.key.key)
        };
        let best = self.candidates.iter().find(is_wish).unwrap_or(best);
        let Some(present) = self.present else { return (Step::Shard, Some(best)) };
        let refines = |one: &&Candidate| {
            let longer = present.key.len() < one.key.key.len() && one.key.key.starts_with(&present.key);
            longer && one.fault.is_none() && one.is_measured() && targeted(best) - targeted(one) < GAIN
        };
        let refined = self.candidates.iter().filter(refines).min_by_key(|one| one.rank());
        match refined {
            Some(refined) if REFINE <= self.model.server => (Step::Refine, Some(refined)),
            _ => (Step::Reshard, Some(best)),
        }
    }

    fn recommendation(&self, is_small: bool) -> Recommendation {
        let (step, chosen) = self.step();
        let step = if is_small { Step::Stay } else { step };
        let ns = self.collection.ns.to_string();
        let decision = match (step, chosen) {
            (Step::Stay, _) | (_, None) => KEEP.to_owned(),
            (_, Some(chosen)) => chosen.key.script(),
        };
        let measured = self.candidates.iter().any(Candidate::is_measured);
        Recommendation {
            kind: KIND.to_owned(),
            subject: ns.clone(),
            collection: Some(ns),
            today: self.present.map_or_else(|| UNSHARDED.to_owned(), ShardKey::script),
            certainty: if measured { Certainty::Measured } else { Certainty::Inferred },
            why: self.why(step, chosen, is_small),
            criteria: self.criteria(&decision, chosen),
            alternatives: self.alternatives(),
            asks: self.asks(),
            scripts: self.scripts(step, chosen),
            decision,
        }
    }

    fn why(&self, step: Step, chosen: Option<&Candidate>, is_small: bool) -> String {
        let words = &self.lang.sentences().shard_keys;
        let key = chosen.map(|chosen| chosen.key.script());
        let figures = json!({
            "collection": self.collection.ns.to_string(), "bytes": self.bytes, "key": key,
            "share": chosen.and_then(|chosen| chosen.targeted),
        });
        let fill = |sentence: &str| filled(sentence, &figures, self.lang);
        let mut parts = Vec::new();
        let faulty = self.current().and_then(|current| Some((current.key.script(), current.told(self.lang)?)));
        if let Some((asked, fault)) = faulty {
            parts.push(filled(words.faulty, &json!({ "key": asked, "fault": fault }), self.lang));
        } else if let Some(current) = self.current()
            && let Some(share) = current.targeted.filter(|share| *share <= 1.0 - FREQUENT)
        {
            let figures = json!({ "key": current.key.script(), "share": share });
            parts.push(filled(words.misses, &figures, self.lang));
        }
        parts.push(match (step, chosen) {
            _ if is_small => fill(words.small),
            (Step::Stay, None) => fill(words.none),
            (Step::Stay, Some(chosen)) if !chosen.is_measured() => fill(words.unmeasured),
            (Step::Stay, _) => fill(words.stays),
            (_, Some(chosen)) if chosen.targeted.is_some() => fill(words.spreads),
            _ => fill(words.spreads_alone),
        });
        match step {
            Step::Stay if is_small && chosen.is_some_and(|chosen| chosen.fault.is_none()) => {
                parts.push(fill(words.then_small));
            }
            Step::Refine => parts.push(fill(words.then_refine)),
            Step::Reshard => parts.push(fill(words.then_reshard)),
            Step::Stay | Step::Shard => {}
        }
        parts.join(" ")
    }

    /// The criteria, answered for the key that is asked about, else for the one that was found.
    fn criteria(&self, decision: &str, chosen: Option<&Candidate>) -> Vec<Criterion> {
        let mut criteria = vec![self.need()];
        let Some(of) = self.current().or(chosen) else { return criteria };
        let own = of.key.script();
        let mut put = |name: &str, weight: u8, good: Option<bool>, words: [&str; 2], evidence: Value| {
            let answer = match good {
                Some(true) => words[0],
                Some(false) => words[1],
                None => "unknown",
            };
            let favours = match good {
                Some(true) => Some(own.clone()),
                Some(false) => Some(decision.to_owned()).filter(|decision| *decision != own && decision != KEEP),
                None => None,
            };
            let evidence = evidence.as_object().cloned().unwrap_or_default();
            let evidence = evidence.into_iter().filter(|(_, value)| !value.is_null()).collect();
            criteria.push(Criterion { name: name.to_owned(), answer: answer.to_owned(), favours, weight, evidence });
        };
        let measured = of.is_measured();
        let few = matches!(of.fault, Some(Fault::Few(..)));
        let sampled = Some(of.documents).filter(|documents| 0 < *documents);
        let few_values = of.distinct.is_some_and(|distinct| distinct < FEW_VALUES);
        put(
            "cardinality",
            3,
            measured.then_some(!few && !few_values),
            ["high", "low"],
            json!({ "distinct": of.distinct, "sampled": sampled }),
        );
        put(
            "frequency",
            3,
            of.frequent.map(|share| share <= FREQUENT),
            ["even", "uneven"],
            json!({ "mostFrequentShare": of.frequent.map(thousandth), "sampled": sampled }),
        );
        let correlation = of.correlation.map(|correlation| (correlation * 100.0).round() / 100.0);
        put("order of insertion", 3, of.follows.map(|f| !f), ["no", "followed"], json!({ "correlation": correlation }));
        put(
            "targeting",
            3,
            of.targeted.map(|share| 1.0 - FREQUENT < share),
            ["most", "not enough"],
            json!({ "targetedShare": of.targeted.map(thousandth) }),
        );
        let ranges = of.ranges.map(|share| share <= 0.0);
        put(
            "ranges",
            2,
            ranges,
            ["kept", "lost"],
            json!({ "lostShare": of.ranges.filter(|s| 0.0 < *s).map(thousandth) }),
        );
        let indexes = self.collection.knows_indexes() || !of.conflicts.is_empty();
        let conflicts = Some(&of.conflicts).filter(|conflicts| !conflicts.is_empty());
        put(
            "unique indexes",
            3,
            indexes.then_some(of.conflicts.is_empty()),
            ["allowed", "refused"],
            json!({ "indexNames": conflicts }),
        );
        put(
            "missing fields",
            2,
            of.missing.map(|share| share < 0.01),
            ["none", "some"],
            json!({ "missingShare": of.missing.filter(|share| 0.0 < *share).map(thousandth) }),
        );
        let workload = !self.model.workload.is_empty();
        let changes = Some(of.changes).filter(|changes| 0 < *changes);
        put("changes", 1, workload.then_some(of.changes == 0), ["never", "often"], json!({ "changing": changes }));
        criteria
    }

    /// Whether size or load need shards.
    fn need(&self) -> Criterion {
        let heavy = self.load.is_some_and(|load| HEAVY <= load);
        let answer = match self.bytes {
            _ if heavy => "large",
            Some(bytes) if bytes < SMALL => "small",
            Some(bytes) if LARGE <= bytes => "large",
            Some(_) => "medium",
            None => "unknown",
        };
        let mut evidence = Map::new();
        evidence.extend(self.bytes.map(|bytes| ("dataBytes".to_owned(), bytes.into())));
        evidence.extend(self.load.map(|load| ("perSecond".to_owned(), ((load * 100.0).round() / 100.0).into())));
        let favours = (answer == "small" && self.present.is_none()).then(|| KEEP.to_owned());
        Criterion { name: "size".to_owned(), answer: answer.to_owned(), favours, weight: 3, evidence }
    }

    fn alternatives(&self) -> Vec<Alternative> {
        let out = |one: &Candidate| {
            let fault = one.told(self.lang)?;
            Some(filled(self.lang.sentences().shard_keys.out, &json!({ "fault": fault }), self.lang))
        };
        let of = |one: &Candidate| Alternative { decision: one.key.script(), out: out(one), figures: one.figures() };
        self.candidates.iter().take(MOST_SHOWN).map(of).collect()
    }

    fn asks(&self) -> Vec<String> {
        let words = &self.lang.sentences().shard_keys;
        let mut asks = Vec::new();
        if self.bytes.is_none() {
            asks.push(words.ask_size.to_owned());
        }
        if self.best().is_none() {
            asks.push(words.ask_values.to_owned());
        }
        let known = self.candidates.iter().any(|one| one.targeted.is_some());
        if !known {
            asks.push(words.ask_workload.to_owned());
        } else if self.model.workload.of(&self.collection.ns).all(|o| o.runs.is_none() && o.demand.is_none())
            && self.collection.catalogue.key_analyses.is_empty()
        {
            asks.push(self.lang.sentences().advice.ask_frequency.to_owned());
        }
        asks
    }

    fn scripts(&self, step: Step, chosen: Option<&Candidate>) -> Vec<Script> {
        let words = &self.lang.sentences().shard_keys;
        let ns = &self.collection.ns;
        if ns.database.is_none() {
            return Vec::new();
        }
        let name = crate::catalogue::index::script_string(&ns.to_string());
        let mut scripts = Vec::new();
        let mut put = |script_name: &str, safety: Safety, comment: &str, script: String| {
            let script = format!("// {comment}\n{script}");
            scripts.push(Script { name: script_name.to_owned(), safety, script });
        };
        if let (Some(chosen), Step::Shard | Step::Refine | Step::Reshard) = (chosen, step) {
            let key = chosen.key.script();
            let index = self.index_for(&chosen.key).map(|create| format!("{create}\n")).unwrap_or_default();
            let old = RESHARD > self.model.server;
            match step {
                Step::Shard => {
                    let script = format!("{index}sh.shardCollection({name}, {key})");
                    put("shard", Safety::Review, words.script_shard, script);
                }
                Step::Refine => {
                    let command = format!("db.adminCommand({{ refineCollectionShardKey: {name}, key: {key} }})");
                    put("refine", Safety::Review, words.script_refine, format!("{index}{command}"));
                }
                Step::Reshard if old => put("reshard", Safety::Manual, words.script_copy, String::new()),
                Step::Reshard => {
                    let script = format!("sh.reshardCollection({name}, {key})");
                    put("reshard", Safety::Review, words.script_reshard, script);
                }
                Step::Stay => {}
            }
        }
        let unclear = |one: &&Candidate| one.fault.is_none() && (!one.is_measured() || one.targeted.is_none());
        let analyze =
            |one: &Candidate| format!("db.adminCommand({{ analyzeShardKey: {name}, key: {} }})", one.key.script());
        let measures: Vec<String> = self.candidates.iter().filter(unclear).take(3).map(analyze).collect();
        let is_settled = chosen.is_some_and(|chosen| !unclear(&chosen));
        if ANALYZE <= self.model.server && !is_settled && !measures.is_empty() {
            let sample =
                format!("db.adminCommand({{ configureQueryAnalyzer: {name}, mode: \"full\", samplesPerSecond: 5 }})");
            let off = format!("db.adminCommand({{ configureQueryAnalyzer: {name}, mode: \"off\" }})");
            let script = format!("{sample}\n// {}\n{}\n{off}", words.script_wait, measures.join("\n"));
            put("measure", Safety::Review, words.script_measure, script);
        }
        scripts
    }

    /// The command that makes the index which a key needs, where none of those that are there begins with it.
    fn index_for(&self, key: &ShardKey) -> Option<String> {
        let serves = |index: &Index| index.is_bare() && index.key.starts_with(&key.key);
        if self.collection.indexes().iter().any(serves) {
            return None;
        }
        let value = |kind: &IndexKind| match kind {
            IndexKind::Ascending => crate::value::Value::Int(1),
            IndexKind::Descending => crate::value::Value::Int(-1),
            other => crate::value::Value::String(other.text().to_owned()),
        };
        let pattern: Vec<_> = key.key.iter().map(|(path, kind)| (path.clone(), value(kind))).collect();
        Some(remedy::index::create(&self.collection.ns, &Index::of_key(&pattern, Origin::Wanted)).script)
    }
}
