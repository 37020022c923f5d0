//! What a rule says: it places a finding, names its figures, and picks a variant of the words. Wording, levels and
//! identity come afterwards and are the same for all rules.

use std::fmt::Display;

use serde_json::{Map, Value};
use xxhash_rust::xxh3::{Xxh3Default, xxh3_64};

use super::{Rule, words};
use crate::finding::{Certainty, Finding, Location, Recommendation, Remedy, Severity};
use crate::locale::Lang;
use crate::model::Model;
use crate::workload::{Operation, Span, shape};

/// Below this many documents what costs time costs little of it.
const SMALL_COLLECTION: u64 = 1_000;

/// Where a finding stands. What does not apply is left out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Place {
    collection: Option<String>,
    path: Option<String>,
    index: Option<String>,
    stage: Option<u32>,
    location: Option<Location>,
    /// The query shape of the operation, which tells findings of one file apart when lines move.
    shape: Option<u64>,
}

impl Place {
    /// A finding about the whole run, or about several collections.
    pub(crate) fn none() -> Self {
        Place::default()
    }

    /// A collection, by its namespace.
    pub(crate) fn collection(ns: impl Display) -> Self {
        Place { collection: Some(ns.to_string()), ..Place::default() }
    }

    /// A field of a collection, in dot notation.
    pub(crate) fn path(ns: impl Display, path: impl Display) -> Self {
        Place::collection(ns).with_path(path)
    }

    /// An index of a collection, by its name.
    pub(crate) fn index(ns: impl Display, name: impl Display) -> Self {
        Place { index: Some(name.to_string()), ..Place::collection(ns) }
    }

    /// Adds the field path; the empty path, which is the document itself, counts as none.
    pub(crate) fn with_path(mut self, path: impl Display) -> Self {
        self.path = Some(path.to_string()).filter(|path| !path.is_empty());
        self
    }

    /// An operation, or a part of it where a span is given.
    pub(crate) fn operation(model: &Model, operation: &Operation, span: Option<Span>) -> Self {
        Place {
            collection: operation.ns.as_ref().map(ToString::to_string),
            location: model.locate(operation, span),
            shape: Some(xxh3_64(shape::key(operation).as_bytes())),
            ..Place::default()
        }
    }

    /// Adds the 0-based stage of the pipeline.
    pub(crate) fn with_stage(mut self, stage: u32) -> Self {
        self.stage = Some(stage);
        self
    }

    /// Adds the place in a file.
    pub(crate) fn at(mut self, location: Location) -> Self {
        self.location = Some(location);
        self
    }
}

/// A finding before it has its words.
#[derive(Debug, Clone)]
pub(crate) struct Draft {
    place: Place,
    certainty: Certainty,
    severity: Option<Severity>,
    sampled: Option<u64>,
    documents: Option<u64>,
    variant: Option<&'static str>,
    help: Option<&'static str>,
    evidence: Map<String, Value>,
    causes: Vec<String>,
    remedy: Option<Remedy>,
}

impl Draft {
    /// A number of the evidence. One that is neither finite nor a number becomes null.
    pub(crate) fn number(&mut self, name: &'static str, value: impl Into<Value>) -> &mut Self {
        self.evidence.insert(name.to_owned(), value.into());
        self
    }

    /// A text of the evidence: a name, a type, a place; never a stored value.
    pub(crate) fn text(&mut self, name: &'static str, value: impl Display) -> &mut Self {
        self.evidence.insert(name.to_owned(), value.to_string().into());
        self
    }

    /// A list of names of the evidence.
    pub(crate) fn list(&mut self, name: &'static str, values: impl IntoIterator<Item = impl Display>) -> &mut Self {
        let values = values.into_iter().map(|value| Value::from(value.to_string())).collect();
        self.evidence.insert(name.to_owned(), Value::Array(values));
        self
    }

    /// A day of the evidence, from milliseconds since the Unix epoch; beyond the year 9999 it becomes null.
    pub(crate) fn date(&mut self, name: &'static str, milliseconds: i64) -> &mut Self {
        self.evidence.insert(name.to_owned(), crate::value::time::format_day(milliseconds).into());
        self
    }

    /// Any other part of the evidence, such as a table of counts by type.
    pub(crate) fn figure(&mut self, name: &'static str, value: impl Into<Value>) -> &mut Self {
        self.evidence.insert(name.to_owned(), value.into());
        self
    }

    /// Picks `message.<variant>`, `why.<variant>` and `help.<variant>`, where the page has them.
    pub(crate) fn variant(&mut self, variant: &'static str) -> &mut Self {
        self.variant = Some(variant);
        self
    }

    /// Picks `help.<variant>` where what to do depends on something else than what is wrong.
    pub(crate) fn help(&mut self, variant: &'static str) -> &mut Self {
        self.help = Some(variant);
        self
    }

    /// Another severity than the rule's default.
    pub(crate) fn severity(&mut self, severity: Severity) -> &mut Self {
        self.severity = Some(severity);
        self
    }

    /// What the finding is about, where it is not its path, index or source place: rules of one cause must name the
    /// same subject (a query shape, a statement, the path of the array). May be called more than once.
    pub(crate) fn cause(&mut self, subject: impl Display) -> &mut Self {
        self.causes.push(subject.to_string());
        self
    }

    /// How many documents, values or pairs an inferred finding was checked on.
    pub(crate) fn sampled(&mut self, sampled: u64) -> &mut Self {
        self.sampled = Some(sampled);
        self
    }

    /// How many documents the collection stores or the query examined: a rule about speed is info on few.
    pub(crate) fn documents(&mut self, documents: u64) -> &mut Self {
        self.documents = Some(documents);
        self.evidence.insert("documents".to_owned(), documents.into());
        self
    }

    /// The finding is that none of `sampled` has something: a sample proves that only up to its 95 % bound, 3/N.
    pub(crate) fn none_of(&mut self, sampled: u64, complete: bool) -> &mut Self {
        if !complete && sampled > 0 {
            self.evidence.insert("noneOf".to_owned(), sampled.into());
            self.evidence.insert("upperBound".to_owned(), (3.0 / sampled as f64).min(1.0).into());
        }
        self
    }

    /// A script that makes the finding go away.
    pub(crate) fn remedy(&mut self, remedy: Remedy) -> &mut Self {
        self.remedy = Some(remedy);
        self
    }

    /// Namespace of the finding.
    pub(super) fn namespace(&self) -> Option<&str> {
        self.place.collection.as_deref()
    }

    /// File of the finding.
    pub(super) fn file(&self) -> Option<&str> {
        self.place.location.as_ref().map(|location| location.file.as_str())
    }

    /// The subjects of its cause: those that the rule named, else path, index or source place, else the collection.
    pub(super) fn subjects(&self) -> Vec<String> {
        if !self.causes.is_empty() {
            return self.causes.clone();
        }
        let place = &self.place;
        let start = |location: &Location| match location.start {
            Some(start) => format!("{}:{}:{}", location.file, start.line, start.column),
            None => location.file.clone(),
        };
        let own = place.path.clone().or_else(|| place.index.clone());
        vec![own.or_else(|| place.location.as_ref().map(start)).unwrap_or_default()]
    }

    /// The finding with its level, its words and its identity.
    pub(super) fn finish(self, rule: &Rule, terms: &Terms) -> Finding {
        let Draft { place, certainty, severity, sampled, documents, variant, help, mut evidence, causes, remedy } =
            self;
        let mut level = terms.severity.or(severity).unwrap_or(rule.severity);
        let mut added = Vec::new();
        let sentences = terms.lang.sentences();
        if rule.is_preview() && terms.severity.is_none() {
            level = Severity::Info;
        }
        if certainty == Certainty::Inferred && terms.severity.is_none() {
            level = level.min(Severity::Warning);
        }
        if let Some(sampled) = sampled {
            evidence.insert("sampled".to_owned(), sampled.into());
            if let Some(needed) = terms.min_sample.checked_sub(sampled).filter(|needed| *needed > 0) {
                level = Severity::Info;
                evidence.insert("needed".to_owned(), needed.into());
                added.push(sentences.too_few);
            }
        }
        if rule.is_about_speed() && documents.is_some_and(|documents| documents < SMALL_COLLECTION) {
            level = Severity::Info;
            added.push(sentences.too_small);
        }
        if evidence.contains_key("noneOf") {
            added.push(sentences.none_of);
        }
        let figures = figures(&evidence, &place, sentences.some_collection);
        let wording = |kind: &str, variant: Option<&str>| match words::template(rule.id, kind, variant, terms.lang) {
            Some(template) => words::fill(template, &figures, terms.lang),
            None => format!("{{{kind}.{}}}", variant.unwrap_or_default()),
        };
        let (message, mut why) = (wording("message", variant), wording("why", variant));
        let help = wording("help", help.or(variant));
        for sentence in added {
            why.push_str(". ");
            why.push_str(&words::fill(sentence, &figures, terms.lang));
        }
        Finding {
            rule: rule.id.to_owned(),
            severity: level,
            certainty,
            fingerprint: fingerprint(rule.id, &place, &causes),
            collection: place.collection,
            path: place.path,
            index: place.index,
            stage: place.stage,
            location: place.location,
            message,
            why,
            help,
            evidence,
            remedy,
            docs: rule.id.to_owned(),
        }
    }
}

/// What the configuration and the run decide about a finding.
#[derive(Debug, Clone, Copy)]
pub(super) struct Terms {
    /// The severity that replaces every default of the rule.
    pub(super) severity: Option<Severity>,
    /// From how many on a measured finding keeps its level.
    pub(super) min_sample: u64,
    /// Language of the words.
    pub(super) lang: Lang,
}

/// The findings of one rule, as it makes them.
#[derive(Debug)]
pub(crate) struct Findings<'a> {
    recommendations: &'a [Recommendation],
    drafts: Vec<Draft>,
}

impl<'a> Findings<'a> {
    /// An empty list for one run of one rule.
    pub(super) fn new(recommendations: &'a [Recommendation]) -> Self {
        Findings { recommendations, drafts: Vec::new() }
    }

    /// A finding that was counted on `sampled` documents, values or pairs: the side that it is about.
    pub(crate) fn measured(&mut self, place: Place, sampled: u64) -> &mut Draft {
        self.add(place, Certainty::Measured, Some(sampled))
    }

    /// A finding that follows from the syntax or the server's rules.
    pub(crate) fn certain(&mut self, place: Place) -> &mut Draft {
        self.add(place, Certainty::Certain, None)
    }

    /// A finding that rests on a heuristic, which `evidence.heuristic` names; it is never an error.
    pub(crate) fn inferred(&mut self, place: Place, heuristic: &'static str) -> &mut Draft {
        self.add(place, Certainty::Inferred, None).text("heuristic", heuristic)
    }

    /// What advice decided: a finding that proposes a design is worded from it and never decides by itself.
    pub(crate) fn recommendations(&self) -> &'a [Recommendation] {
        self.recommendations
    }

    /// The drafts, in the order in which the rule made them.
    pub(super) fn into_drafts(self) -> Vec<Draft> {
        self.drafts
    }

    fn add(&mut self, place: Place, certainty: Certainty, sampled: Option<u64>) -> &mut Draft {
        let at = self.drafts.len();
        self.drafts.push(Draft {
            place,
            certainty,
            severity: None,
            sampled,
            documents: None,
            variant: None,
            help: None,
            evidence: Map::new(),
            causes: Vec::new(),
            remedy: None,
        });
        &mut self.drafts[at]
    }
}

/// The figures that templates may name: the evidence and the place.
fn figures(evidence: &Map<String, Value>, place: &Place, some_collection: &str) -> Map<String, Value> {
    let mut figures = evidence.clone();
    figures.insert("collection".to_owned(), some_collection.into());
    let mut name = |key: &str, value: Option<&String>| {
        if let Some(value) = value {
            let mut quoted = String::new();
            words::quote(&mut quoted, value);
            figures.insert(key.to_owned(), quoted.into());
        }
    };
    name("path", place.path.as_ref());
    name("collection", place.collection.as_ref());
    name("index", place.index.as_ref());
    if let Some(stage) = place.stage {
        figures.insert("stage".to_owned(), stage.into());
    }
    figures
}

/// The identity of a finding across runs: its rule and place without the line, which moves with every edit. A finding
/// about several collections has no place: what it is about tells it apart.
pub(super) fn fingerprint(rule: &str, place: &Place, causes: &[String]) -> String {
    let stage = place.stage.map(|stage| stage.to_string());
    let file = place.location.as_ref().map(|location| &location.file);
    let mut hash = Xxh3Default::new();
    hash.update(rule.as_bytes());
    let causes = if *place == Place::none() { causes } else { &[] };
    let shape = place.shape.map(|shape| format!("{shape:016x}"));
    let parts = [place.collection.as_ref(), place.path.as_ref(), place.index.as_ref(), stage.as_ref(), file];
    for part in parts.into_iter().chain(causes.iter().map(Some)).chain(shape.iter().map(Some)) {
        // 0xFF occurs in no UTF-8 text, so parts cannot run into each other; absent differs from empty.
        match part {
            Some(part) => {
                hash.update(&[0xFF, 1]);
                hash.update(part.as_bytes());
            }
            None => hash.update(&[0xFF, 0]),
        }
    }
    format!("{:016x}", hash.digest())
}
