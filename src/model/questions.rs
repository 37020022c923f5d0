//! What only a second reading can tell, asked for exactly the collections that need it.
//!
//! A question is put by the model after the first pass and answered document by document: every answer is a sum,
//! so parts merge in any order. Where no second pass is possible the sample answers.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Known;
use super::computed::{self, Formula, Tally};
use crate::catalogue::keys::{KeyMaker, Keys};
use crate::catalogue::validator::{Compiled, Verdict};
use crate::catalogue::{Index, Namespace, Origin, Validator};
use crate::order::Ordered;
use crate::profile::CollectionProfile;
use crate::value::event::{Document, Type};

/// One question about the documents of one collection.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Question {
    /// How many documents fail the validator, and which of its clauses.
    Violations(Validator),
    /// Which keys of an index repeat, and how many documents hold two of its fields as arrays.
    Keys(Box<Index>),
    /// How often a stored number is what follows from other parts of its document.
    Computed(Box<Formula>),
}

/// What was counted for one question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Answer {
    /// Documents that fail, and how often each clause does.
    Violations {
        /// Documents that fail.
        failed: u64,
        /// Documents that fail each clause, as path and keyword.
        clauses: BTreeMap<(String, String), u64>,
        /// Documents of which it cannot be said: a part that cannot be evaluated decides.
        unknown: u64,
    },
    /// Keys of an index.
    Keys {
        /// Documents that the index takes in.
        indexed: u64,
        /// Documents with two of the fields as arrays, which the server refuses.
        parallel: u64,
        /// How many documents have each key of which no part is missing or null, by the key's hash.
        full: KeyHashes,
        /// The same for keys of which a part is missing or null.
        with_null: KeyHashes,
    },
    /// How often a formula holds.
    Computed(Tally),
}

/// Keys that repeat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Repeats {
    /// How many keys repeat.
    pub keys: u64,
    /// How many documents hold one of them.
    pub documents: u64,
    /// How many documents hold the most frequent one.
    pub most: u64,
}

impl Repeats {
    /// The keys that more than one document has.
    pub fn of(keys: &KeyHashes) -> Repeats {
        let mut keys = keys.clone();
        keys.compact();
        keys.repeated.values().fold(Repeats::default(), |sum, count| Repeats {
            keys: sum.keys + 1,
            documents: sum.documents + count,
            most: sum.most.max(*count),
        })
    }
}

/// The keys of an index by their hashes, and how often each comes.
///
/// Of more single keys than are kept only every second stays, then every fourth, by the value of the hash: which keys
/// repeat is then known for a part of them, and for that part exactly.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct KeyHashes {
    /// Keys that came once so far, and newer ones that may be any.
    hashes: Vec<u64>,
    /// Keys that repeat, with how often they came.
    repeated: BTreeMap<u64, u64>,
    /// How many low bits of a hash must be zero for a single key to stay.
    zeros: u32,
}

/// Hashes that are kept: 64 MiB of them.
const MOST_HASHES: usize = 8 << 20;

impl KeyHashes {
    fn push(&mut self, hash: u64) {
        // What repeats is counted on, whatever its hash.
        if let Some(count) = self.repeated.get_mut(&hash) {
            *count += 1;
            return;
        }
        if hash.trailing_zeros() < self.zeros {
            return;
        }
        self.hashes.push(hash);
        if MOST_HASHES < self.hashes.len() {
            self.compact();
            self.thin(MOST_HASHES / 2);
        }
    }

    fn merge(&mut self, other: KeyHashes) {
        self.zeros = self.zeros.max(other.zeros);
        self.hashes.extend(other.hashes);
        for (hash, count) in other.repeated {
            *self.repeated.entry(hash).or_default() += count;
        }
        self.compact();
        self.thin(MOST_HASHES / 2);
    }

    /// Moves the keys that came more than once to those that repeat.
    fn compact(&mut self) {
        self.hashes.sort_unstable();
        let mut single = Vec::new();
        for same in self.hashes.chunk_by(|a, b| a == b) {
            let Some(hash) = same.first() else { continue };
            match self.repeated.get_mut(hash) {
                Some(count) => *count += same.len() as u64,
                None if 1 < same.len() => {
                    self.repeated.insert(*hash, same.len() as u64);
                }
                None => single.push(*hash),
            }
        }
        self.hashes = single;
    }

    fn thin(&mut self, limit: usize) {
        while limit < self.hashes.len() && self.zeros < u64::BITS {
            self.zeros += 1;
            let zeros = self.zeros;
            self.hashes.retain(|hash| zeros <= hash.trailing_zeros());
        }
    }
}

/// The answers of one collection.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Answers {
    /// Question and answer, in the order in which the model asks.
    pub given: Vec<(Question, Answer)>,
    /// Documents that were asked.
    pub documents: u64,
    /// Whether every document that the first pass read was asked; else the sample was.
    pub exact: bool,
    #[serde(skip)]
    ready: Ready,
}

/// The questions in the form that reads documents; made when the first one comes, and no knowledge of its own.
#[derive(Debug, Default)]
struct Ready(Vec<Reader>);

#[derive(Debug)]
enum Reader {
    Validator(Compiled),
    Keys(Option<KeyMaker>),
    Computed(Box<Formula>),
}

impl Clone for Ready {
    fn clone(&self) -> Self {
        Ready::default()
    }
}

impl PartialEq for Ready {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// All questions of a run, with what was counted so far.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Questions {
    asked: BTreeMap<Namespace, Answers>,
    /// What completes the names of collections without a database.
    database: Option<String>,
}

impl Questions {
    /// The questions that the evidence raises; `database` completes the names of collections without one.
    pub fn ask(known: &BTreeMap<Namespace, Known>, database: Option<String>) -> Questions {
        let mut asked = BTreeMap::new();
        for (ns, known) in known {
            let given = questions(known).into_iter().map(Question::with_answer).collect::<Vec<_>>();
            if !given.is_empty() {
                asked.insert(ns.clone(), Answers { given, ..Answers::default() });
            }
        }
        Questions { asked, database }
    }

    /// Everything as bytes, for other threads to take part.
    pub fn save(&self) -> Vec<u8> {
        // Nothing in it can fail to serialise: no maps with odd keys, no foreign types.
        postcard::to_allocvec(self).unwrap_or_default()
    }

    /// Reads saved bytes back.
    pub fn load(bytes: &[u8]) -> Result<Questions, &'static str> {
        postcard::from_bytes(bytes).map_err(|_| "these are no questions of this version of mongovet")
    }

    /// The collections that are asked about.
    pub fn namespaces(&self) -> impl Iterator<Item = &Namespace> {
        self.asked.keys()
    }

    /// Counts one document of the second pass.
    pub fn read(&mut self, ns: &Namespace, document: &Document<'_>) {
        let answers = match (&ns.database, &self.database) {
            (None, Some(_)) => self.asked.get_mut(&ns.within(self.database.as_deref())),
            _ => self.asked.get_mut(ns),
        };
        if let Some(answers) = answers {
            answers.read(document);
        }
    }

    /// Adds what another part of the second pass counted for the same questions.
    pub fn merge(&mut self, other: Questions) {
        for (ns, theirs) in other.asked {
            if let Some(mine) = self.asked.get_mut(&ns) {
                mine.documents += theirs.documents;
                for ((_, mine), (_, theirs)) in mine.given.iter_mut().zip(theirs.given) {
                    mine.merge(theirs);
                }
            }
        }
    }

    /// The answers: exact where the second pass read as many documents as the first, else from the sample.
    pub fn answers(mut self, known: &BTreeMap<Namespace, Known>) -> BTreeMap<Namespace, Answers> {
        for (ns, answers) in &mut self.asked {
            let Some(profile) = known.get(ns).and_then(|k| k.profile.as_ref()) else { continue };
            if answers.documents == profile.documents {
                answers.exact = true;
                continue;
            }
            answers.documents = 0;
            for (question, answer) in &mut answers.given {
                *answer = question.unanswered();
            }
            for (_, kept) in profile.sample.iter() {
                kept.with(|document| answers.read(document));
            }
        }
        self.asked
    }
}

impl Answers {
    /// The answer to the question whether documents fail the validator.
    pub fn violations(&self) -> Option<&Answer> {
        self.given.iter().find(|(q, _)| matches!(q, Question::Violations(_))).map(|(_, answer)| answer)
    }

    /// The answer about the keys of an index.
    pub fn keys(&self, index: &Index) -> Option<&Answer> {
        self.given
            .iter()
            .find(|(q, _)| matches!(q, Question::Keys(asked) if asked.as_ref() == index))
            .map(|(_, answer)| answer)
    }

    fn read(&mut self, document: &Document<'_>) {
        self.documents += 1;
        if self.ready.0.len() != self.given.len() {
            self.ready = Ready(self.given.iter().map(|(question, _)| question.reader()).collect());
        }
        for ((_, answer), reader) in self.given.iter_mut().zip(&self.ready.0) {
            answer.read(document, reader);
        }
    }
}

/// The questions about one collection.
fn questions(known: &Known) -> Vec<Question> {
    let Some(profile) = known.profile.as_ref().filter(|profile| 0 < profile.documents) else { return Vec::new() };
    let mut out = Vec::new();
    // A validator that the server refuses judges nothing.
    if let Some(validator) = known.catalogue.validator().filter(|validator| validator.refusals().is_empty()) {
        out.push(Question::Violations(validator.clone()));
    }
    let asked = |index: &&Index| may_repeat(index, profile) || may_be_parallel(index, profile);
    out.extend(known.catalogue.indexes.iter().filter(asked).map(|index| Question::Keys(Box::new(index.clone()))));
    // The sample of a small collection holds all of it.
    if (profile.sample.len() as u64) < profile.documents {
        out.extend(computed::formulas(profile).into_iter().map(|formula| Question::Computed(Box::new(formula))));
    }
    out
}

/// Whether keys of a unique index may repeat: it is not built yet, or documents lack one of its fields.
fn may_repeat(index: &Index, profile: &CollectionProfile) -> bool {
    let lacks = |path: &str| {
        let fields = profile.resolve(path).into_iter().filter_map(|id| profile.field(id));
        let (documents, nulls) = fields.fold((0, 0), |(d, n), f| (f.documents.max(d), n + f.nulls()));
        documents < profile.documents || 0 < nulls
    };
    let asked = index.origin == Origin::Wanted || index.key.iter().any(|(path, _)| lacks(path));
    index.unique && index.is_plain() && !index.is_id() && asked
}

/// Whether documents may hold two different arrays of a compound index.
fn may_be_parallel(index: &Index, profile: &CollectionProfile) -> bool {
    let with_arrays = index.key.iter().filter(|(path, _)| {
        let steps = path.match_indices('.').map(|(at, _)| at).chain([path.len()]);
        let mut prefixes = steps.filter_map(|end| path.get(..end));
        prefixes.any(|prefix| {
            profile.resolve(prefix).into_iter().filter_map(|id| profile.field(id)).any(|f| 0 < f.count_of(Type::Array))
        })
    });
    index.is_plain() && 2 <= with_arrays.count()
}

impl Question {
    fn with_answer(self) -> (Question, Answer) {
        let answer = self.unanswered();
        (self, answer)
    }

    fn unanswered(&self) -> Answer {
        match self {
            Question::Violations(_) => Answer::Violations { failed: 0, clauses: BTreeMap::new(), unknown: 0 },
            Question::Keys(_) => {
                Answer::Keys { indexed: 0, parallel: 0, full: KeyHashes::default(), with_null: KeyHashes::default() }
            }
            Question::Computed(_) => Answer::Computed(Tally::default()),
        }
    }

    fn reader(&self) -> Reader {
        match self {
            Question::Violations(validator) => Reader::Validator(validator.compile()),
            Question::Keys(index) => Reader::Keys(KeyMaker::new(index)),
            Question::Computed(formula) => Reader::Computed(formula.clone()),
        }
    }
}

impl Answer {
    fn read(&mut self, document: &Document<'_>, reader: &Reader) {
        match (self, reader) {
            (Answer::Violations { failed, clauses, unknown }, Reader::Validator(validator)) => {
                let mut numbers = Vec::new();
                match validator.evaluate(document, &mut numbers) {
                    Verdict::Passes => {}
                    Verdict::Unknown => *unknown += 1,
                    Verdict::Fails => *failed += 1,
                }
                let mut failed: Vec<_> = numbers.iter().filter_map(|n| validator.clauses().get(*n as usize)).collect();
                // Two places of a schema may make one demand of one field.
                failed.order();
                failed.dedup();
                for clause in failed {
                    *clauses.entry((clause.path.clone(), clause.keyword.clone())).or_default() += 1;
                }
            }
            (Answer::Keys { indexed, parallel, full, with_null }, Reader::Keys(Some(maker))) => {
                match maker.keys(document) {
                    Keys::Left | Keys::Unknown => {}
                    Keys::ParallelArrays => *parallel += 1,
                    Keys::Made(keys) => {
                        *indexed += 1;
                        for key in keys {
                            let counts = if key.has_null { &mut *with_null } else { &mut *full };
                            counts.push(xxhash_rust::xxh3::xxh3_64(&key.bytes));
                        }
                    }
                }
            }
            (Answer::Computed(tally), Reader::Computed(formula)) => {
                formula.each(document, &mut |outcome| tally.add(outcome));
            }
            _ => {}
        }
    }

    fn merge(&mut self, other: Answer) {
        match (self, other) {
            (
                Answer::Violations { failed, clauses, unknown },
                Answer::Violations { failed: more, clauses: theirs, unknown: others },
            ) => {
                *failed += more;
                *unknown += others;
                add(clauses, theirs);
            }
            (
                Answer::Keys { indexed, parallel, full, with_null },
                Answer::Keys { indexed: more, parallel: others, full: theirs, with_null: nulls },
            ) => {
                *indexed += more;
                *parallel += others;
                full.merge(theirs);
                with_null.merge(nulls);
            }
            (Answer::Computed(tally), Answer::Computed(more)) => tally.merge(more),
            // Both sides answer the same questions.
            _ => {}
        }
    }
}

fn add<K: Ord>(mine: &mut BTreeMap<K, u64>, theirs: BTreeMap<K, u64>) {
    for (key, count) in theirs {
        *mine.entry(key).or_default() += count;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeats_are_found_in_any_order_and_beyond_the_limit() {
        let hashes: Vec<u64> = (0..1_000u64).map(|n| (n % 900).wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
        let mut whole = KeyHashes::default();
        for hash in &hashes {
            whole.push(*hash);
        }
        assert_eq!(Repeats::of(&whole), Repeats { keys: 100, documents: 200, most: 2 });
        let (mut left, mut right) = (KeyHashes::default(), KeyHashes::default());
        hashes
            .iter()
            .rev()
            .enumerate()
            .for_each(|(n, hash)| if n % 3 == 0 { left.push(*hash) } else { right.push(*hash) });
        left.merge(right);
        assert_eq!(Repeats::of(&left), Repeats::of(&whole));
        whole.hashes.extend((2_000..9_000u64).map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
        whole.compact();
        whole.thin(300);
        assert!(whole.hashes.len() <= 300);
        assert_eq!(Repeats::of(&whole).keys, 100, "what repeats stays");
    }
}
