//! Embed, reference, or a form in between: decided for each embedded array of objects, in the order that the knowledge
//! base gives. First goes what cannot last, then what is shared; among the rest today's form stays unless another one
//! is known to cost less. What is unknown satisfies no condition.

use serde_json::{Map, Value};

use super::child::{self, Child, History, Ownership};
use super::declared::{Answer, Declared, EMBEDDING, REFERENCING};
use super::names::{self, Names};
use super::scripts;
use super::simulate::{Forecast, Form, Order, Simulation, YEAR, YEARS, child_indexes, tenths};
use super::uses::PartUses;
use crate::facts::limits;
use crate::finding::{Alternative, Certainty, Criterion, Recommendation};
use crate::locale::{AdviceSentences, Lang, template};
use crate::model::{Array, Collection, Model};
use crate::value::event::Type;

/// The kind of these recommendations.
pub(super) const KIND: &str = "relationship";

/// Elements that no document should hold at the 99th percentile.
pub(super) const TOO_MANY: u64 = 1_000;
/// Years within which that counts.
pub(super) const AHEAD: f64 = 3.0;
/// Elements at the 99th percentile within these years beyond which growth without a bound is no small list's.
pub(super) const MANY: f64 = 100.0;
/// Share of parents that count as outliers at most.
const OUTLIERS: f64 = 0.01;
/// How far beyond the 99th percentile an outlier lies, and how many elements it has at least.
const FAR: u64 = 10;
const FAR_ELEMENTS: u64 = 100;
/// Share of the reads that take a child without its parent, from which on it has documents of its own.
const ALONE: f64 = 0.1;
/// Share of the reads from which on what they do is the usual thing.
const MOSTLY: f64 = 0.5;
/// Share of the reads from which on they nearly all do it.
const NEARLY: f64 = 0.9;
/// Parents below which a decision is a guess.
const ENOUGH: u64 = 50;
/// Parents with children below which it is not worth saying that all stays as it is.
pub(super) const WORTH_KEEPING: u64 = 20;
/// A longest array up to this is a small list, whatever it holds.
pub(super) const FEW: u64 = 10;
/// Children shown with their parent, and how many bytes of them.
const NEWEST: (u64, u64) = (10, 5);
const NEWEST_BYTES: f64 = 4_096.0;
/// Elements of a page of an overflow.
const PAGE: u64 = 200;

/// The answers to the question how the children should be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Decision {
    Keep,
    ParentReference,
    Subset,
    ChildReferences,
    Association,
    Outlier,
    TimeSeries,
    Embed,
    ExtendedReference,
    Computed,
}

impl Decision {
    pub(super) fn word(self) -> &'static str {
        match self {
            Decision::Keep => "keep",
            Decision::ParentReference => "parent-reference",
            Decision::Subset => "subset",
            Decision::ChildReferences => "child-references",
            Decision::Association => "association",
            Decision::Outlier => "outlier",
            Decision::TimeSeries => "time-series",
            Decision::Embed => "embed",
            Decision::ExtendedReference => "extended-reference",
            Decision::Computed => "computed",
        }
    }
}

/// Why a decision was made: picks the sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reason {
    Bounded,
    DeclaredBounded,
    Few,
    Stable,
    Slow,
    Silent,
    SubsetInUse,
    OutlierInUse,
    LongToday,
    LongSoon,
    LargeSoon,
    LargeDesign,
    Cold,
    Unbounded,
    DeclaredUnbounded,
    Apart,
    Alone,
    Versions,
    FarOut,
    Shared,
    Readings,
}

/// One array of objects with all that is measured on it.
pub(super) struct Case<'a> {
    pub(super) collection: &'a Collection,
    pub(super) array: &'a Array,
    pub(super) child: Child<'a>,
    pub(super) names: Names,
    pub(super) simulation: Simulation,
    /// What the team declares.
    declared: Declared<'a>,
    /// What the workload does with the array.
    uses: PartUses,
    /// Bound of a validator that binds.
    pub(super) bound: Option<u64>,
    /// Elements that stay in the parents of an outlier form, and on its pages.
    pub(super) cap: u64,
    pub(super) page: u64,
    /// The word for the present form.
    today: &'static str,
    soon: Forecast,
}

/// The decisions about the arrays of objects that one collection embeds.
pub(super) fn decide(model: &Model, collection: &Collection, lang: Lang) -> Vec<Recommendation> {
    if is_internal(collection) {
        return Vec::new();
    }
    let declared = |array: &Array| Declared::of(model, collection, array).numbers().is_some();
    let arrays = collection.arrays().iter().filter(|array| is_relationship(collection, array, declared(array)));
    arrays.filter_map(|array| Case::new(model, collection, array)?.recommendation(lang)).collect()
}

/// Collections of the server itself, views and time series: their form is not the team's to choose.
fn is_internal(collection: &Collection) -> bool {
    let ns = &collection.ns;
    let is_plain = |kind| kind == crate::catalogue::CollectionKind::Collection;
    matches!(ns.database.as_deref(), Some("admin" | "config" | "local"))
        || ns.collection.starts_with("system.")
        || collection.options().is_some_and(|options| !is_plain(options.kind))
}

/// Whether an array stands for a relationship: objects and nothing else, no attributes, no fixed small tuple.
fn is_relationship(collection: &Collection, array: &Array, declared: bool) -> bool {
    let Some(element) = array.element else { return false };
    let Some(field) = collection.profile.as_ref().and_then(|p| p.field(element)) else { return false };
    let lengths = &array.stats.lengths;
    let names = names::inside(collection, array);
    !array.nested
        // An object around one value is a list of values.
        && 2 <= names.len()
        && !array.path.as_str().split('.').any(|name| name == "<key>")
        && 0 < field.count
        && field.count_of(Type::Object) == field.count
        && (2 <= lengths.max() || declared)
        && !child::are_attributes(collection, element)
}

impl Array {
    /// The `maxItems` of a validator that binds.
    fn bound_of(&self, collection: &Collection) -> Option<u64> {
        collection.validator()?.array_bound(self.path.as_str())
    }
}

impl<'a> Case<'a> {
    fn new(model: &'a Model, collection: &'a Collection, array: &'a Array) -> Option<Case<'a>> {
        let names = Names::new(model, collection, array);
        let child = Child::new(collection, array, &names.child)?;
        let is_shared = child.ownership.0 == Ownership::Shared;
        let copied = child::copied_from(model, collection, &child);
        let is_declared = Declared::of(model, collection, array).numbers().is_some();
        let today = match copied {
            Some(other) if child::refers_to(other, collection) => "subset",
            // Copies of documents that do not name the parent: references with some fields, decided with those.
            Some(_) => return None,
            // One, two or three of everything are parts of the document, no list, unless other documents have them too.
            None if array.stats.is_constant() && array.stats.lengths.max() <= 3 && !is_shared && !is_declared => {
                return None;
            }
            None if names::has_overflow_mark(collection, array) => "outlier",
            None => "embed",
        };
        let simulate = |newest| {
            Simulation::new(collection, array, names.clone(), child.time, child.key_apart(), model.now, newest)
        };
        let mut simulation = simulate(NEWEST.0);
        if NEWEST_BYTES < simulation.child * NEWEST.0 as f64 {
            simulation = simulate(NEWEST.1);
        }
        if !simulation.finds_array() {
            return None;
        }
        let declared = Declared::of(model, collection, array);
        let numbers = declared.numbers().filter(|_| simulation.sampled() < ENOUGH);
        if let Some(numbers) = numbers {
            simulation = simulation.designed(numbers);
        }
        let soon = simulation.forecast(AHEAD * YEAR);
        let bound = array.bound_of(collection);
        let p99 = array.stats.lengths.p99().max(numbers.map_or(0, |[_, p99, _]| p99));
        let cap = (p99.div_ceil(10) * 10).max(2 * FEW);
        let uses = PartUses::of(model, collection, array.path.as_str());
        Some(Case { collection, array, declared, uses, child, names, simulation, bound, cap, page: PAGE, today, soon })
    }

    fn recommendation(self, lang: Lang) -> Option<Recommendation> {
        let (decision, reason) = self.decide();
        let in_use = matches!(reason, Reason::SubsetInUse | Reason::OutlierInUse) || self.simulation.examples.is_some();
        if decision == Decision::Keep && !in_use && self.array.stats.lengths.at_least(1) < WORTH_KEEPING {
            return None;
        }
        let sentences = &lang.sentences().advice;
        let figures = self.told();
        let guessed = matches!(reason, Reason::Versions | Reason::Readings) || self.simulation.sampled() < ENOUGH;
        let unreadable = !self.is_addressable();
        let mut asks = self.asks(decision, sentences);
        let mut out = if unreadable { Vec::new() } else { scripts::of(&self, decision, &figures, lang) };
        if unreadable && decision != Decision::Keep {
            asks.insert(0, template::fill(sentences.ask_rename, &figures, lang));
            out.clear();
        }
        Some(Recommendation {
            kind: KIND.to_owned(),
            subject: format!("{}.{}", self.collection.ns, self.array.path),
            collection: Some(self.collection.ns.to_string()),
            today: self.today.to_owned(),
            decision: decision.word().to_owned(),
            certainty: if guessed { Certainty::Inferred } else { Certainty::Measured },
            why: self.why(decision, reason, sentences, &figures, lang),
            criteria: self.criteria(),
            alternatives: self.alternatives(decision, reason, sentences, &figures, lang),
            asks: asks.into_iter().map(|ask| template::fill(&ask, &figures, lang)).collect(),
            scripts: out,
        })
    }

    /// The decision, in the order in which conditions rule.
    fn decide(&self) -> (Decision, Reason) {
        let (_, p99, longest) = self.lengths();
        let grows = self.grows();
        let apart = if self.shows_newest() { Decision::Subset } else { Decision::ParentReference };
        let is_long_today = TOO_MANY <= p99;
        let is_long_soon = TOO_MANY as f64 <= self.soon.elements;
        let is_large = f64::from(limits::DOCUMENT_BYTES) <= self.soon.bytes;
        let is_large_soon = is_large && grows;
        let is_large_design = is_large && self.simulation.examples.is_some();
        if self.today == "subset" {
            // A bounded copy of the newest with the full set apart is the cure, not the disease.
            return if is_long_today || is_long_soon && grows {
                (apart, if is_long_today { Reason::LongToday } else { Reason::LongSoon })
            } else {
                (Decision::Keep, Reason::SubsetInUse)
            };
        }
        if self.today == "outlier" && !is_long_today && !(grows && is_long_soon) {
            return (Decision::Keep, Reason::OutlierInUse);
        }
        if self.child.are_readings && (is_long_today || grows && MANY <= self.soon.elements) {
            return (Decision::TimeSeries, Reason::Readings);
        }
        if is_long_today {
            return (apart, Reason::LongToday);
        }
        if grows && is_long_soon {
            return (apart, Reason::LongSoon);
        }
        if is_large_design {
            return (apart, Reason::LargeDesign);
        }
        if is_large_soon {
            return (apart, Reason::LargeSoon);
        }
        if self.is_cold() {
            return (Decision::ParentReference, Reason::Cold);
        }
        if self.is_shared() && self.child.has_content() {
            let decision =
                if grows && MANY <= self.soon.elements { Decision::Association } else { Decision::ChildReferences };
            return (decision, Reason::Shared);
        }
        if self.declared.is_apart() {
            return (Decision::ParentReference, Reason::Apart);
        }
        if FEW < longest && self.read_alone_share().is_some_and(|share| ALONE <= share) {
            return (Decision::ParentReference, Reason::Alone);
        }
        if self.child.history.0 == History::Versions && !self.is_bounded() {
            return (Decision::ParentReference, Reason::Versions);
        }
        if grows && MANY <= self.soon.elements {
            return (apart, Reason::Unbounded);
        }
        if self.declared.bound.bounded == Some(false) && self.bound.is_none() {
            return (apart, Reason::DeclaredUnbounded);
        }
        if self.has_outliers() {
            return (Decision::Outlier, Reason::FarOut);
        }
        let reason = if self.bound.is_some() {
            Reason::Bounded
        } else if self.is_bounded() {
            Reason::DeclaredBounded
        } else if longest <= FEW {
            Reason::Few
        } else if grows {
            Reason::Slow
        } else if self.growth_is_measured() {
            Reason::Stable
        } else {
            Reason::Silent
        };
        (Decision::Keep, reason)
    }

    /// Elements at the median, at the 99th percentile and at most: of the documents, or of a design.
    fn lengths(&self) -> (u64, u64, u64) {
        let lengths = &self.array.stats.lengths;
        match self.declared.numbers().filter(|_| self.simulation.examples.is_some()) {
            Some([typical, p99, most]) => (typical, p99.max(lengths.p99()), most.max(lengths.max())),
            None => (lengths.median(), lengths.p99(), lengths.max()),
        }
    }

    /// Whether the array grows and nothing bounds it.
    fn grows(&self) -> bool {
        self.array.grows() && !self.is_bounded()
    }

    /// Whether a validator or the declared model bounds the array.
    fn is_bounded(&self) -> bool {
        self.bound.is_some() || self.declared.bound.holds(self.array.stats.lengths.max()) && self.lengths().1 < TOO_MANY
    }

    /// Whether parents share the children: as the team says, else as their keys show.
    fn is_shared(&self) -> bool {
        let is_snapshot = self.history().0 == "snapshot";
        let shared = |answer: Answer| answer.0 == "shared";
        let measured = self.child.ownership.0 == Ownership::Shared;
        !is_snapshot && self.child.key.is_some() && self.declared.ownership().map_or(measured, shared)
    }

    fn ownership(&self) -> Answer {
        self.declared.ownership().unwrap_or(match self.child.ownership.0 {
            Ownership::Owned => ("owned", Some(EMBEDDING)),
            Ownership::Shared => ("shared", Some(REFERENCING)),
            Ownership::Unknown => (UNKNOWN, None),
        })
    }

    fn history(&self) -> Answer {
        self.declared.semantics().unwrap_or(match self.child.history.0 {
            History::Snapshot => ("snapshot", Some(EMBEDDING)),
            History::Versions => ("versions", Some(REFERENCING)),
            History::Unknown => (UNKNOWN, None),
        })
    }

    /// Whether very few parents are far out: beyond ten times what 99 of 100 hold, or on their way past the limit.
    fn has_outliers(&self) -> bool {
        let (_, p99, longest) = self.lengths();
        let far = FAR_ELEMENTS.max(FAR * p99);
        let share = self.beyond_cap();
        let is_far = far <= longest && self.bound.is_none();
        let passes = TOO_MANY as f64 <= self.soon.longest && TOO_MANY <= longest.max(self.cap * FAR);
        (is_far || passes && self.bound.is_none()) && 0.0 < share && share <= OUTLIERS
    }

    /// Whether the array is ten times the rest of its document and reads nearly always leave it out.
    fn is_cold(&self) -> bool {
        let ((array, _), (rest, _)) = self.simulation.sizes();
        let left_out = self.uses.without.share_of(self.uses.reads());
        rest.max(1) * FAR <= array && left_out.is_some_and(|share| NEARLY <= share)
    }

    /// Which part of the parents holds more than stays in the main form of an outlier pattern.
    fn beyond_cap(&self) -> f64 {
        if self.simulation.examples.is_some() {
            // One of the hundred that a design is built to holds the most.
            return if self.cap < self.lengths().2 { 0.01 } else { 0.0 };
        }
        let lengths = &self.array.stats.lengths;
        lengths.at_least(self.cap + 1) as f64 / lengths.count().max(1) as f64
    }

    /// Whether a read of the parent mostly needs the newest children: as the team says, else as reads show by `$slice`.
    fn shows_newest(&self) -> bool {
        let sliced = self.uses.sliced.share_of(self.uses.reads());
        self.declared.shows_children() || sliced.is_some_and(|share| MOSTLY <= share)
    }

    /// Which part of the reads takes single children without their parent.
    fn read_alone_share(&self) -> Option<f64> {
        self.uses.alone.share_of(self.uses.reads())
    }

    fn growth_is_measured(&self) -> bool {
        self.array.growth.is_some_and(|g| ENOUGH <= g.points && 30 <= g.days)
    }

    fn is_addressable(&self) -> bool {
        names::is_addressable(self.array.path.as_str())
    }

    /// The figures that sentences may name.
    fn told(&self) -> Map<String, Value> {
        let lengths = &self.array.stats.lengths;
        let rates = self.simulation.rates();
        let reached = self.simulation.reached_elements(TOO_MANY);
        let share = self.beyond_cap();
        let mut out = Map::new();
        let mut put = |name: &str, value: Value| {
            out.insert(name.to_owned(), value);
        };
        let mut quoted = String::new();
        template::quote(&mut quoted, self.array.path.as_str());
        put("path", quoted.into());
        put("leaf", self.names.leaf.clone().into());
        put("child", self.names.child.clone().into());
        put("parents", self.collection.ns.collection.clone().into());
        put("documents", lengths.count().into());
        put("sampled", self.simulation.sampled().into());
        let (median, p99, longest) = self.lengths();
        put("median", median.into());
        put("p99", p99.into());
        put("max", longest.into());
        if let Some(examples) = self.simulation.examples {
            let (typical, p99, largest) = self.simulation.designed_bytes();
            put("examples", examples.into());
            put("bytesTypical", typical.into());
            put("bytesP99", p99.into());
            put("bytesLargest", largest.into());
        }
        put("cap", self.cap.into());
        put("beyond", share.into());
        put("bound", self.bound.into());
        put("newest", self.simulation.newest.into());
        put("perMonth", tenths(rates.0));
        put("perMonthP99", tenths(rates.1));
        put("in3Years", tenths(self.soon.elements.round()));
        put("bytesIn3Years", tenths(self.soon.bytes.round()));
        put("reaches", reached.typical.or(reached.outlier).map_or(Value::Null, day));
        put("children", self.names.children.to_string().into());
        for (name, value) in self.child.ownership.1.iter().chain(&self.child.history.1) {
            if name != "children" {
                put(name, value.clone());
            }
        }
        out
    }

    fn why(
        &self,
        decision: Decision,
        reason: Reason,
        sentences: &AdviceSentences,
        figures: &Map<String, Value>,
        lang: Lang,
    ) -> String {
        let because = match reason {
            Reason::Bounded => sentences.bounded,
            Reason::DeclaredBounded => sentences.declared_bounded,
            Reason::Few => sentences.few,
            Reason::Stable => sentences.stable,
            Reason::Slow => sentences.slow,
            Reason::Silent => sentences.silent,
            Reason::SubsetInUse => sentences.subset_in_use,
            Reason::OutlierInUse => sentences.outlier_in_use,
            Reason::LongToday => sentences.long_today,
            Reason::LongSoon => sentences.long_soon,
            Reason::LargeSoon => sentences.large_soon,
            Reason::LargeDesign => sentences.large_design,
            Reason::Cold => sentences.cold,
            Reason::Unbounded => sentences.unbounded,
            Reason::DeclaredUnbounded => sentences.declared_unbounded,
            Reason::Apart => sentences.declared_apart,
            Reason::Alone => sentences.read_alone,
            Reason::Versions => sentences.versions,
            Reason::FarOut => sentences.far_out,
            Reason::Shared => sentences.shared,
            Reason::Readings => sentences.readings,
        };
        let then = match decision {
            // Of children that are embedded today no such thing is decided.
            Decision::Keep | Decision::Embed | Decision::ExtendedReference | Decision::Computed => "",
            Decision::ParentReference if matches!(reason, Reason::Apart | Reason::Alone | Reason::Cold) => "",
            Decision::ParentReference => sentences.then_parent_reference,
            Decision::Subset => sentences.then_subset,
            Decision::ChildReferences => sentences.then_child_references,
            Decision::Association => sentences.then_association,
            Decision::Outlier => sentences.then_outlier,
            Decision::TimeSeries => sentences.then_time_series,
        };
        let mut why = template::fill(because, figures, lang);
        if !then.is_empty() {
            why.push(' ');
            why.push_str(&template::fill(then, figures, lang));
        }
        if self.simulation.examples.is_some() {
            why.push(' ');
            why.push_str(&template::fill(sentences.designed, figures, lang));
        }
        why
    }

    /// The criteria, one by one. Most of them wait for a workload or a declared model and say so.
    fn criteria(&self) -> Vec<Criterion> {
        let (array_bytes, rest_bytes) = self.simulation.sizes();
        let heavy = rest_bytes.0.max(1) * FAR <= array_bytes.1;
        let light = array_bytes.1 <= rest_bytes.0;
        let size = if heavy {
            "large"
        } else if light {
            "small"
        } else {
            "medium"
        };
        let size_evidence = evidence([
            ("childBytes", tenths(self.simulation.child.round())),
            ("arrayBytesMedian", array_bytes.0.into()),
            ("arrayBytesP99", array_bytes.1.into()),
            ("restBytesMedian", rest_bytes.0.into()),
            ("sampled", self.simulation.sampled().into()),
            ("cut", self.simulation.cut().into()),
        ]);
        let (indexes, index_evidence) = self.indexes();
        let (lifecycle, lifecycle_evidence) = self.lifecycle();
        let sharded = self.collection.catalogue.statistics.iter().find_map(|s| s.sharded);
        let sharding = match sharded {
            Some(false) => ("not sharded", None),
            _ => (UNKNOWN, None),
        };
        let declared = &self.declared;
        // What is declared says so; what nobody tells is unknown.
        let told = |name: &str, answer: Option<Answer>, seen: (Answer, Map<String, Value>), weight| match answer {
            Some(answer) => criterion(name, answer, weight, evidence([("declared", true.into())])),
            None => criterion(name, seen.0, weight, seen.1),
        };
        let or_measured = |answer: Option<Answer>, mut evidence: Map<String, Value>| {
            if answer.is_some() {
                evidence.insert("declared".to_owned(), true.into());
            }
            evidence
        };
        let ownership_evidence = or_measured(declared.ownership(), self.child.ownership.1.clone());
        let history_evidence = or_measured(declared.semantics(), self.child.history.1.clone());
        let favours_size = if heavy { Some(REFERENCING) } else { light.then_some(EMBEDDING) };
        vec![
            criterion("ownership", self.ownership(), 3, ownership_evidence),
            criterion("growth", self.growth(), 3, self.growth_evidence()),
            told("read together", declared.read_together(), self.seen_together(), 3),
            told("read alone", declared.read_alone(), self.seen_alone(), 3),
            told("updated together", declared.updated_together(), self.seen_updated(), 2),
            self.rate_of_change(),
            criterion("history", self.history(), 2, history_evidence),
            criterion("size", (size, favours_size), 2, size_evidence),
            criterion("indexes", indexes, 1, index_evidence),
            criterion("lifecycle", lifecycle, 2, lifecycle_evidence),
            criterion("sharding", sharding, 1, Map::new()),
            told("analytics", declared.analytics(), self.seen_reports(), 1),
            told("staleness", declared.staleness(), unseen(), 1),
        ]
    }

    fn seen_together(&self) -> (Answer, Map<String, Value>) {
        let Some(share) = self.uses.with.share_of(self.uses.reads()) else { return unseen() };
        let answer = if NEARLY <= share {
            ("nearly always", Some(EMBEDDING))
        } else if MOSTLY <= share {
            ("often", Some(EMBEDDING))
        } else if 0.0 < share {
            ("rarely", Some(REFERENCING))
        } else {
            ("never", Some(REFERENCING))
        };
        let mut figures = evidence([("percentOfReads", tenths(share * 100.0))]);
        if let Some(newest) = self.uses.newest {
            let sliced = self.uses.sliced.share_of(self.uses.reads()).unwrap_or(0.0);
            figures.extend(evidence([("percentSliced", tenths(sliced * 100.0)), ("sliced", newest.into())]));
        }
        (answer, figures)
    }

    fn seen_alone(&self) -> (Answer, Map<String, Value>) {
        let Some(share) = self.read_alone_share() else { return unseen() };
        let answer = if ALONE <= share {
            ("often", Some(REFERENCING))
        } else if 0.0 < share {
            ("rarely", Some(EMBEDDING))
        } else {
            ("never", Some(EMBEDDING))
        };
        (answer, evidence([("percentOfReads", tenths(share * 100.0))]))
    }

    fn seen_updated(&self) -> (Answer, Map<String, Value>) {
        let uses = &self.uses;
        let Some(share) = uses.both_written.share_of(uses.both_written.and(uses.part_written)) else { return unseen() };
        let answer = if MOSTLY <= share { ("yes", Some(EMBEDDING)) } else { ("no", Some(REFERENCING)) };
        (answer, evidence([("percentOfChanges", tenths(share * 100.0))]))
    }

    fn rate_of_change(&self) -> Criterion {
        let mut figures = self.additions();
        let writes = self.uses.part_written.and(self.uses.both_written);
        let Some(rate) = writes.share_of(self.uses.reads()) else {
            return criterion("rate of change", (UNKNOWN, None), 2, figures);
        };
        figures.insert("changesPer100Reads".to_owned(), tenths(rate * 100.0));
        let answer = if 1.0 <= rate { ("constantly", Some(REFERENCING)) } else { ("rarely", Some(EMBEDDING)) };
        criterion("rate of change", answer, 2, figures)
    }

    fn seen_reports(&self) -> (Answer, Map<String, Value>) {
        let reads = self.uses.reads().and(self.uses.reports);
        let Some(share) = self.uses.reports.share_of(reads) else { return unseen() };
        let answer = if MOSTLY <= share { ("frequent", Some(REFERENCING)) } else { ("rare", Some(EMBEDDING)) };
        (answer, evidence([("percentOfReads", tenths(share * 100.0))]))
    }

    fn growth(&self) -> Answer {
        if self.is_bounded() {
            ("bounded", Some(EMBEDDING))
        } else if self.array.grows() || self.declared.bound.bounded == Some(false) {
            ("unbounded", Some(REFERENCING))
        } else if self.growth_is_measured() {
            ("stable", Some(EMBEDDING))
        } else {
            (UNKNOWN, None)
        }
    }

    fn growth_evidence(&self) -> Map<String, Value> {
        let (median, p99, longest) = self.lengths();
        let mut out = evidence([
            ("kind", self.kind().into()),
            ("median", median.into()),
            ("p99", p99.into()),
            ("max", longest.into()),
        ]);
        if self.simulation.examples.is_some() {
            let (typical, p99, largest) = self.simulation.designed_bytes();
            out.extend(evidence([
                ("designTypicalBytes", typical.into()),
                ("designP99Bytes", p99.into()),
                ("designLargestBytes", largest.into()),
            ]));
        }
        if let Some(bound) = self.bound {
            out.insert("maxItems".to_owned(), bound.into());
        }
        if let Some(bounded) = self.declared.bound.bounded {
            out.insert("declaredBounded".to_owned(), bounded.into());
        }
        if let Some(most) = self.declared.bound.max {
            out.insert("declaredMax".to_owned(), most.into());
        }
        if let Some(growth) = self.array.growth {
            out.extend(evidence([
                ("documentsCompared", growth.points.into()),
                ("days", growth.days.into()),
                ("tau", (growth.tau as f64 / 1000.0).into()),
            ]));
        }
        if let Some(times) = self.array.element_times {
            out.extend(evidence([("arraysWithTimes", times.arrays.into()), ("arraysOverMonths", times.spread.into())]));
        }
        if !self.array.grows() {
            return out;
        }
        let (median, p99) = self.simulation.rates();
        out.extend(evidence([("perMonth", tenths(median)), ("perMonthP99", tenths(p99))]));
        for years in YEARS {
            let ahead = self.simulation.forecast(f64::from(years) * YEAR);
            let unit = if years == 1 { "Year" } else { "Years" };
            out.insert(format!("p99In{years}{unit}"), tenths(ahead.elements.round()));
            out.insert(format!("longestIn{years}{unit}"), tenths(ahead.longest.round()));
        }
        let limit = self.simulation.reached_limit();
        for (elements, name) in [(100, "100"), (TOO_MANY, "1000"), (10_000, "10000")] {
            let reached = self.simulation.reached_elements(elements);
            put_day(&mut out, &format!("p99Reaches{name}"), reached.typical);
            put_day(&mut out, &format!("longestReaches{name}"), reached.outlier);
        }
        put_day(&mut out, "p99Reaches16MiB", limit.typical);
        put_day(&mut out, "longestReaches16MiB", limit.outlier);
        out
    }

    /// The kind of relationship by its cardinality.
    fn kind(&self) -> &'static str {
        if self.ownership().0 == "shared" {
            "many-to-many"
        } else if self.grows() || self.declared.bound.bounded == Some(false) {
            "one-to-unbounded"
        } else if self.lengths().1 <= FEW {
            "one-to-few"
        } else {
            "one-to-many"
        }
    }

    /// How fast children are added: the part of the rate of change that documents can tell.
    fn additions(&self) -> Map<String, Value> {
        let (median, p99) = self.simulation.rates();
        if p99 <= 0.0 {
            return Map::new();
        }
        evidence([("addedPerMonth", tenths(median)), ("addedPerMonthP99", tenths(p99))])
    }

    fn indexes(&self) -> (Answer, Map<String, Value>) {
        let indexes: Vec<&str> = child_indexes(self.collection, self.array).map(|i| i.name.as_str()).collect();
        if !self.collection.catalogue.indexes_known && indexes.is_empty() {
            return ((UNKNOWN, None), Map::new());
        }
        let lengths = &self.array.stats.lengths;
        let of = |length: u64| Value::from(length.max(1) * indexes.len() as u64);
        let figures = evidence([
            ("multikey", Value::from(indexes.iter().copied().map(Value::from).collect::<Vec<_>>())),
            ("entriesPerParentMedian", of(lengths.median())),
            ("entriesPerParentMax", of(lengths.max())),
        ]);
        let answer = match indexes.len() {
            0 => ("none", Some(EMBEDDING)),
            _ if lengths.p99() <= FEW => ("few", Some(EMBEDDING)),
            _ => ("many", Some(REFERENCING)),
        };
        (answer, figures)
    }

    fn lifecycle(&self) -> (Answer, Map<String, Value>) {
        if let Some(answer) = self.declared.lifecycle() {
            return (answer, evidence([("declared", true.into())]));
        }
        let ttl = self.collection.indexes().iter().find(|index| index.expire_after_seconds.is_some());
        if let Some(field) = self.child.expiry {
            return (("different", Some(REFERENCING)), evidence([("childField", field.into())]));
        }
        match ttl {
            Some(index) => (("shared", Some(EMBEDDING)), evidence([("ttlIndex", index.name.clone().into())])),
            None => ((UNKNOWN, None), Map::new()),
        }
    }

    /// Today's form, the proposal, and what else a team would consider; the figures of each are measured.
    fn alternatives(
        &self,
        decision: Decision,
        reason: Reason,
        sentences: &AdviceSentences,
        told: &Map<String, Value>,
        lang: Lang,
    ) -> Vec<Alternative> {
        let out = match reason {
            Reason::LongToday => Some(sentences.out_long),
            Reason::LongSoon => Some(sentences.out_long_soon),
            Reason::LargeSoon | Reason::LargeDesign => Some(sentences.out_large_soon),
            Reason::Shared => Some(sentences.out_shared),
            Reason::Apart | Reason::Alone => Some(sentences.out_apart),
            _ => None,
        };
        let today = self.simulation.figures(Form::Embed);
        let cost = Simulation::bytes_per_run(&today);
        let mut alternatives = vec![Alternative {
            decision: self.today.to_owned(),
            out: out.map(|sentence| template::fill(sentence, told, lang)),
            figures: today,
        }];
        let mut forms: Vec<(&str, Form)> = Vec::new();
        let outlier = Form::Outlier { cap: self.cap, page: self.page };
        match decision {
            Decision::Outlier => forms.push(("outlier", outlier)),
            Decision::ChildReferences | Decision::Association => {
                forms.push(("child-references", Form::ChildReferences));
            }
            Decision::Subset => forms.push(("subset", Form::Subset)),
            _ => {}
        }
        // A shared child has no one parent to name, and the full set of a subset is apart already.
        if self.today != "subset" && !self.is_shared() {
            forms.push(("parent-reference", Form::ParentReference));
            if decision != Decision::Subset && self.simulation.newest < self.array.stats.lengths.max() {
                forms.push(("subset", Form::Subset));
            }
        }
        for (name, form) in forms {
            let mut figures = self.simulation.figures(form);
            let saved = 1.0 - Simulation::bytes_per_run(&figures) / cost.max(1.0);
            figures.insert("savedBytesShare".to_owned(), ((saved * 100.0).round() / 100.0).into());
            alternatives.push(Alternative { decision: name.to_owned(), out: None, figures });
        }
        if decision == Decision::TimeSeries {
            let figures = evidence([
                ("measurements", self.child.count.into()),
                ("fields", (self.child.fields.len() as u64).into()),
            ]);
            alternatives.insert(1, Alternative { decision: "time-series".to_owned(), out: None, figures });
        }
        alternatives
    }

    /// What is unknown and would change the answer.
    fn asks(&self, decision: Decision, sentences: &AdviceSentences) -> Vec<String> {
        let declared = &self.declared;
        let is_long = FEW < self.array.stats.lengths.max();
        let moves = matches!(
            decision,
            Decision::ParentReference | Decision::Subset | Decision::ChildReferences | Decision::Association
        );
        let asks_newest = decision == Decision::ParentReference || decision == Decision::Keep && is_long;
        let asks_alone =
            decision == Decision::Keep && declared.read_alone().is_none() && self.read_alone_share().is_none();
        let asks = [
            (asks_newest && declared.read_together().is_none() && self.uses.sliced.is_none(), sentences.ask_newest),
            (is_long && self.growth().0 == UNKNOWN, sentences.ask_growth),
            (asks_alone, sentences.ask_alone),
            (self.ownership().0 == UNKNOWN, sentences.ask_ownership),
            (decision == Decision::Outlier, sentences.ask_outliers),
            (moves && declared.updated_together().is_none(), sentences.ask_together),
            (moves && self.lifecycle().0.0 == UNKNOWN, sentences.ask_lifecycle),
            (moves && declared.staleness().is_none(), sentences.ask_staleness),
            (self.simulation.order == Order::Mixed && asks_newest && moves, sentences.ask_order),
        ];
        asks.into_iter().filter(|(open, _)| *open).map(|(_, ask)| ask.to_owned()).collect()
    }
}

impl Child<'_> {
    /// The key that a child keeps when it becomes a document: its `_id` where no two share one, or what parents share.
    pub(super) fn key_apart(&self) -> Option<&str> {
        match self.ownership.0 {
            Ownership::Owned => self.key.filter(|key| *key == "_id"),
            Ownership::Shared => self.key,
            Ownership::Unknown => None,
        }
    }
}

pub(super) const UNKNOWN: &str = "unknown";

/// Nothing in the evidence answers.
fn unseen() -> (Answer, Map<String, Value>) {
    ((UNKNOWN, None), Map::new())
}

pub(super) fn criterion(name: &str, (answer, favours): Answer, weight: u8, evidence: Map<String, Value>) -> Criterion {
    Criterion {
        name: name.to_owned(),
        answer: answer.to_owned(),
        favours: favours.map(str::to_owned),
        weight,
        evidence,
    }
}

pub(super) fn evidence<const N: usize>(figures: [(&str, Value); N]) -> Map<String, Value> {
    figures.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// The day of a time in milliseconds.
fn day(milliseconds: i64) -> Value {
    crate::value::time::format_day(milliseconds).into()
}

pub(super) fn put_day(out: &mut Map<String, Value>, name: &str, time: Option<i64>) {
    if let Some(time) = time {
        out.insert(name.to_owned(), day(time));
    }
}
