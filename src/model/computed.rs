//! Computed values: which stored number follows from others of its document, or from the documents that refer to it,
//! and how often it does not.
//!
//! Recomputed here for all rules and advice. A formula is taken for meant where most documents agree with it.

mod children;
mod formula;
mod search;

pub use children::{Children, Of};
pub use formula::{Base, Formula, Less, Outcome, Part, Rate};
pub(super) use formula::{place, value_of};

use std::collections::{BTreeMap, BTreeSet};

use super::{Answer, Collection, Model, Question};
use crate::catalogue::Namespace;
use crate::profile::CollectionProfile;
use crate::value::event::{Document, Entry, Item};
use crate::value::hash::hash_entry;
use crate::value::path::{FieldPath, reach};

/// A stored number that follows from others.
#[derive(Debug, Clone)]
pub struct Computed {
    /// Its collection.
    pub ns: Namespace,
    /// Its path in dot notation.
    pub path: FieldPath,
    /// What it follows from.
    pub source: Source,
    /// Whether the names say so too.
    pub named: bool,
    /// How often it agrees and how often not.
    pub tally: Tally,
    /// Whether all documents were looked at; else the sample was.
    pub exact: bool,
    /// A field whose values tell the documents that differ from those that agree: another formula holds for them.
    pub explained_by: Option<String>,
}

/// What a computed value follows from.
#[derive(Debug, Clone, PartialEq)]
pub enum Source {
    /// Other parts of its own document.
    Own(Formula),
    /// The documents of another collection that refer to it.
    Children(Children),
}

/// How often a stored number agrees with its formula.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Tally {
    /// How often it agrees.
    pub agree: u64,
    /// How often it does not.
    pub differ: u64,
    /// Of these, how often it is higher than what follows from the parts.
    pub above: u64,
    /// How often nothing can be said: a part is missing, or something that is not understood plays in.
    pub unjudged: u64,
}

impl Tally {
    /// Adds one comparison.
    pub fn add(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Agrees => self.agree += 1,
            Outcome::Differs { above } => {
                self.differ += 1;
                self.above += u64::from(above);
            }
            Outcome::Unjudged => self.unjudged += 1,
        }
    }

    /// Adds other comparisons.
    pub fn merge(&mut self, other: Tally) {
        self.agree += other.agree;
        self.differ += other.differ;
        self.above += other.above;
        self.unjudged += other.unjudged;
    }

    /// How many comparisons tell something.
    pub fn judged(&self) -> u64 {
        self.agree + self.differ
    }

    /// The share that agrees; 0 where nothing was compared.
    pub fn agreement(&self) -> f64 {
        self.agree as f64 / self.judged().max(1) as f64
    }
}

impl Computed {
    /// What it follows from, as text: `sum(items.qty * items.price) - discount`.
    pub fn describe(&self) -> String {
        match &self.source {
            Source::Own(formula) => formula.describe(),
            Source::Children(children) => children.describe(),
        }
    }

    /// Whether documents contradict a formula that holds for the others.
    pub fn drifts(&self) -> bool {
        0 < self.tally.differ && self.explained_by.is_none()
    }
}

/// The formulas that the sample of a collection shows.
pub(super) fn formulas(profile: &CollectionProfile) -> Vec<Formula> {
    search::find(profile).into_iter().map(|(formula, _)| formula).collect()
}

/// The computed values of all collections, in the order of collections and paths.
pub(super) fn find(model: &Model) -> Vec<Computed> {
    let mut found = Vec::new();
    for collection in &model.collections {
        let Some(profile) = collection.profile.as_deref() else { continue };
        for (formula, named) in search::find(profile) {
            found.push(own(collection, profile, formula, named));
        }
    }
    children::find(model, &mut found);
    found.sort_by(|a, b| (&a.ns, &a.path).cmp(&(&b.ns, &b.path)));
    found
}

fn own(collection: &Collection, profile: &CollectionProfile, formula: Formula, named: bool) -> Computed {
    let (mut tally, mut states) = (Tally::default(), States::default());
    collection.each_sampled(|document| {
        let mut here = Tally::default();
        formula.each(document, &mut |outcome| here.add(outcome));
        states.add(document, here, formula.array().filter(|_| formula.scope.is_empty()));
        tally.merge(here);
    });
    let mut exact = collection.complete && collection.sampled() == profile.documents;
    if let Some(answer) = collection.answers.computed(&formula).filter(|_| collection.answers.exact) {
        (tally, exact) = (answer, collection.complete);
    }
    let explained_by = states.explaining();
    let path = FieldPath::new(formula.path());
    Computed { ns: collection.ns.clone(), path, source: Source::Own(formula), named, tally, exact, explained_by }
}

/// What the short texts and marks at the top of documents have to do with whether they agree.
#[derive(Debug, Default)]
struct States {
    /// Documents that agree and that differ, by the field and the hash of its value.
    seen: BTreeMap<String, BTreeMap<u64, (u64, u64)>>,
    /// The same for the elements of the array that is summed up.
    elements: BTreeMap<String, BTreeMap<u64, (u64, u64)>>,
    /// All documents that agree and that differ.
    all: (u64, u64),
}

/// Documents that agree and that differ, by the values of a field, while these are few enough for states.
fn values_of<'s>(
    seen: &'s mut BTreeMap<String, BTreeMap<u64, (u64, u64)>>,
    field: &str,
) -> Option<&'s mut BTreeMap<u64, (u64, u64)>> {
    if !seen.contains_key(field) {
        seen.insert(field.to_owned(), BTreeMap::new());
    }
    seen.get_mut(field).filter(|values| values.len() <= MAX_STATES)
}

/// Whether a field may hold a state: a mark, a short text, a version.
fn is_state(entry: &Entry<'_>) -> bool {
    match entry.item {
        Item::Bool(_) => true,
        Item::String(text) => text.len() <= 32,
        Item::Int(_) => crate::facts::names::is_version(entry.key),
        _ => false,
    }
}

/// More values are no states.
const MAX_STATES: usize = 20;
/// Documents that differ, below which no state is looked for.
const MIN_DIFFERING: u64 = 2;

impl States {
    fn add(&mut self, document: &Document<'_>, tally: Tally, array: Option<&str>) {
        let (agrees, differs) = (u64::from(tally.differ == 0 && 0 < tally.agree), u64::from(0 < tally.differ));
        if agrees + differs == 0 {
            return;
        }
        self.all.0 += agrees;
        self.all.1 += differs;
        for (at, entry) in document.children(0).filter(|(_, entry)| is_state(entry)) {
            let values = values_of(&mut self.seen, entry.key);
            if let Some(counts) = values.map(|values| values.entry(hash_entry(document, at)).or_default()) {
                counts.0 += agrees;
                counts.1 += differs;
            }
        }
        // Lines that were sent back count otherwise: each state of an element counts once for its document.
        let mut of_elements: BTreeSet<(&str, u64)> = BTreeSet::new();
        for place in array.into_iter().flat_map(|array| reach(document, array)) {
            for (at, entry) in document.children(place).filter(|(_, entry)| is_state(entry)) {
                of_elements.insert((entry.key, hash_entry(document, at)));
            }
        }
        for (field, value) in of_elements {
            let values = values_of(&mut self.elements, field);
            if let Some(counts) = values.map(|values| values.entry(value).or_default()) {
                counts.0 += agrees;
                counts.1 += differs;
            }
        }
    }

    /// The field whose values keep those that differ apart: all of them have values that hardly any other has.
    fn explaining(&self) -> Option<String> {
        if self.all.1 < MIN_DIFFERING || self.all.0 == 0 {
            return None;
        }
        let explains = |values: &&BTreeMap<u64, (u64, u64)>| {
            let (agree, differ) = values
                .values()
                .filter(|counts| 0 < counts.1)
                .fold((0, 0), |sum, counts| (sum.0 + counts.0, sum.1 + counts.1));
            // Those without the field are a state too.
            let lacking = self.all.1.saturating_sub(values.values().map(|counts| counts.1).sum());
            let agree_without = self.all.0.saturating_sub(values.values().map(|counts| counts.0).sum());
            let without = if 0 < lacking { agree_without } else { 0 };
            values.len() <= MAX_STATES && (agree + without) * 10 <= differ + lacking
        };
        // Of elements one state alone tells: each document may hold several.
        let one_explains = |values: &&BTreeMap<u64, (u64, u64)>| {
            let tells = |counts: &&(u64, u64)| counts.1 == self.all.1 && counts.0 * 10 <= counts.1;
            values.len() <= MAX_STATES && values.values().find(tells).is_some()
        };
        let of_documents = self.seen.iter().find(|(_, values)| explains(values));
        let of_elements = || self.elements.iter().find(|(_, values)| one_explains(values));
        of_documents.or_else(of_elements).map(|(field, _)| field.clone())
    }
}

impl super::Answers {
    /// How often a formula holds.
    pub fn computed(&self, formula: &Formula) -> Option<Tally> {
        self.given.iter().find_map(|(question, answer)| match (question, answer) {
            (Question::Computed(asked), Answer::Computed(tally)) if **asked == *formula => Some(*tally),
            _ => None,
        })
    }
}

impl Model {
    /// The computed values of one collection.
    pub fn computed_of<'a>(&'a self, ns: &'a Namespace) -> impl Iterator<Item = &'a Computed> {
        self.computed.iter().filter(move |computed| computed.ns == *ns)
    }
}
