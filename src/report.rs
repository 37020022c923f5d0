//! The report: what was read, what was found, what is missing. Its serialised form is schema 1 and stable; the other
//! formats are renderings of it, one file a format.

mod advice;
mod concise;
mod escape;
mod fixes;
mod github;
mod gitlab;
mod html;
mod json;
mod jsonl;
mod junit;
mod markdown;
pub mod profile;

#[cfg(test)]
mod samples;
mod sarif;
mod text;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::evidence::Kind;
use crate::finding::{Finding, Recommendation, Safety, Severity};
use crate::locale::template::fill;
use crate::locale::{Lang, Sentences};
use crate::model::Model;
use crate::order::Ordered;
use crate::rules::{self, Evidence};

pub(crate) use escape::json as escape_json;

/// Everything that one run has to say.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// Version of this form.
    pub schema: u32,
    /// Version of mongovet.
    pub version: String,
    /// Server version that the rules assumed.
    pub server_version: String,
    /// Where it came from: `option`, `configuration`, `evidence` or `default`.
    pub server_version_from: String,
    /// The time that the run counts as now; absent where nothing told one.
    pub now: Option<String>,
    /// The inputs, by name.
    pub inputs: Vec<Input>,
    /// The findings, in their stable order.
    pub findings: Vec<Finding>,
    /// The decisions of advice.
    pub recommendations: Vec<Recommendation>,
    /// The kinds of evidence that were not given.
    pub missing: Vec<Missing>,
    /// The counts.
    pub summary: Summary,
}

/// One input, as it was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Input {
    /// Its name, with `/`.
    pub name: String,
    /// What it was recognised as, such as `bson-dump`.
    pub kind: String,
    /// The collection that it belongs to, where it belongs to one.
    pub collection: Option<String>,
    /// Documents read.
    pub documents: u64,
    /// Bytes read, unpacked.
    pub bytes: u64,
    /// Whether these are all documents of the collection.
    pub complete: bool,
    /// What could not be read.
    pub problems: Vec<Problem>,
}

impl Input {
    /// Whether it is evidence by itself: what was fetched for pairs counts for nothing else.
    fn counts(&self) -> bool {
        self.kind != Kind::Pairs.name()
    }
}

/// A part of an input that could not be read, or was read with a loss.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// What kind of fault, such as `truncated`.
    pub kind: String,
    /// Number of the document, from 1.
    pub document: Option<u64>,
    /// Byte offset in the unpacked input.
    pub offset: Option<u64>,
    /// Line of a text, from 1.
    pub line: Option<u32>,
    /// Column in UTF-16 code units, from 1.
    pub column: Option<u32>,
    /// One sentence, lower-case, without a full stop.
    pub message: String,
}

impl From<crate::evidence::Problem> for Problem {
    fn from(problem: crate::evidence::Problem) -> Self {
        let narrow = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
        Problem {
            kind: problem.kind.name().to_owned(),
            document: problem.document,
            offset: problem.offset,
            line: problem.line.map(narrow),
            column: problem.column.map(narrow),
            message: problem.message,
        }
    }
}

/// A kind of evidence that was not given, and the rules that it would have let speak.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Missing {
    /// The kind.
    pub evidence: String,
    /// Ids of rules.
    pub would_answer: Vec<String>,
}

/// The counts of a report.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    /// Findings of severity error.
    pub error: u64,
    /// Findings of severity warning.
    pub warning: u64,
    /// Findings of severity info.
    pub info: u64,
    /// Problems of all inputs.
    pub problems: u64,
}

/// A form of output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Frames for people.
    Text,
    /// One line a finding.
    Concise,
    /// The report itself.
    Json,
    /// The report, an object a line.
    Jsonl,
    /// SARIF 2.1.0.
    Sarif,
    /// Workflow commands of GitHub Actions.
    Github,
    /// GitLab's code quality report.
    Gitlab,
    /// JUnit XML.
    Junit,
    /// Markdown.
    Markdown,
    /// One page of HTML.
    Html,
}

/// How to render.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct RenderOptions {
    /// Language of headings; the words of findings have theirs already.
    pub lang: Lang,
    /// Whether to colour for a terminal.
    pub color: bool,
    /// Columns to wrap at.
    pub width: usize,
    /// Whether infos have frames of their own.
    pub show_info: bool,
    /// Findings at most, 0 for all; absent for the format's own limit, which only text has.
    pub max_findings: Option<usize>,
    /// Whether to list the inputs with what they were read as.
    pub statistics: bool,
    /// Only errors and warnings: no infos, problems, missing evidence.
    pub quiet: bool,
}

/// The texts of inputs that findings point into, by name.
pub type Sources = BTreeMap<String, String>;

impl Default for RenderOptions {
    fn default() -> Self {
        RenderOptions {
            lang: Lang::En,
            color: false,
            width: 80,
            show_info: false,
            max_findings: None,
            statistics: false,
            quiet: false,
        }
    }
}

/// The rule that product and people want told once for a database.
const NO_VALIDATOR: &str = "validation/missing";

/// Frames that text shows unless told otherwise.
const FRAMES: usize = 50;

impl RenderOptions {
    /// The limit of a format that has none of its own.
    fn lines(&self) -> usize {
        self.max_findings.filter(|most| *most > 0).unwrap_or(usize::MAX)
    }

    /// The limit of text.
    fn frames(&self) -> usize {
        if self.max_findings.is_none() { FRAMES } else { self.lines() }
    }
}

impl Format {
    /// Every format with its name.
    pub const ALL: [(&'static str, Format); 10] = [
        ("text", Format::Text),
        ("concise", Format::Concise),
        ("json", Format::Json),
        ("jsonl", Format::Jsonl),
        ("sarif", Format::Sarif),
        ("github", Format::Github),
        ("gitlab", Format::Gitlab),
        ("junit", Format::Junit),
        ("markdown", Format::Markdown),
        ("html", Format::Html),
    ];

    /// The format of a name.
    pub fn from_name(name: &str) -> Option<Format> {
        Format::ALL.iter().find(|(known, _)| *known == name).map(|(_, format)| *format)
    }
}

impl Report {
    /// A report of its parts: sorts findings and inputs and counts.
    pub fn new(server_version: String, server_version_from: &str, now: Option<String>) -> Self {
        Report {
            schema: 1,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            server_version,
            server_version_from: server_version_from.to_owned(),
            now,
            inputs: Vec::new(),
            findings: Vec::new(),
            recommendations: Vec::new(),
            missing: Vec::new(),
            summary: Summary::default(),
        }
    }

    /// Puts everything in its order, says which evidence is missing given what there is, and counts.
    #[must_use]
    pub fn sealed(mut self, available: &[Evidence]) -> Self {
        self.inputs.order_by(|a, b| a.name.cmp(&b.name));
        rules::sort(&mut self.findings);
        self.recommendations.order_by(|a, b| place(a).cmp(&place(b)));
        self.missing = missing(available);
        self.summary = Summary { problems: self.problems().count() as u64, ..Summary::default() };
        for finding in &self.findings {
            match finding.severity {
                Severity::Error => self.summary.error += 1,
                Severity::Warning => self.summary.warning += 1,
                Severity::Info => self.summary.info += 1,
            }
        }
        self
    }

    /// The problems of all inputs, each with its input.
    pub fn problems(&self) -> impl Iterator<Item = (&Input, &Problem)> {
        self.inputs.iter().flat_map(|input| input.problems.iter().map(move |problem| (input, problem)))
    }

    /// The report in a format. `sources` are the texts of the inputs that findings point into.
    pub fn render(&self, format: Format, sources: &Sources, options: &RenderOptions) -> String {
        let for_people = matches!(format, Format::Text | Format::Markdown | Format::Html);
        if let Some(report) = self.said_once(options.lang).filter(|_| for_people) {
            return report.render_whole(format, sources, options);
        }
        self.render_whole(format, sources, options)
    }

    /// The formats stay functions of their own: an engine compiles a function as a whole, when it is first called.
    fn render_whole(&self, format: Format, sources: &Sources, options: &RenderOptions) -> String {
        match format {
            Format::Text => text::render(self, sources, options),
            Format::Concise => concise::render(self, options),
            Format::Json => json::render(self),
            Format::Jsonl => jsonl::render(self),
            Format::Sarif => sarif::render(self, options),
            Format::Github => github::render(self, options),
            Format::Gitlab => gitlab::render(self),
            Format::Junit => junit::render(self),
            Format::Markdown => markdown::render(self, options),
            Format::Html => html::render(self, options),
        }
    }

    /// The report with what holds for several collections of a database said once; nothing where there is none such.
    fn said_once(&self, lang: Lang) -> Option<Report> {
        let is_one = |finding: &&Finding| finding.rule == NO_VALIDATOR && finding.severity == Severity::Info;
        let mut databases: BTreeMap<Option<&str>, Vec<&Finding>> = BTreeMap::new();
        for finding in self.findings.iter().filter(is_one) {
            let database =
                finding.collection.as_deref().and_then(|ns| ns.split_once('.')).map(|(database, _)| database);
            databases.entry(database).or_default().push(finding);
        }
        databases.retain(|_, findings| findings.len() > 1);
        if databases.is_empty() {
            return None;
        }
        let mut merged = Vec::new();
        for (database, findings) in &databases {
            let Some(first) = findings.first() else { continue };
            let names: Vec<&str> = findings.iter().filter_map(|finding| finding.collection.as_deref()).collect();
            let figures = serde_json::Map::from_iter([
                ("collections".to_owned(), names.len().into()),
                ("names".to_owned(), names.into()),
            ]);
            merged.push(Finding {
                collection: database.map(str::to_owned),
                message: fill(lang.sentences().no_validators, &figures, lang),
                ..(*first).clone()
            });
        }
        let stays = |finding: &&Finding| !databases.values().flatten().any(|other| std::ptr::eq(*other, *finding));
        merged.extend(self.findings.iter().filter(stays).cloned());
        Some(Report { findings: merged, ..self.clone() })
    }

    /// The file of a finding: its own, else the input that holds the documents of its collection, else any input that
    /// belongs to it.
    fn file_of<'a>(&'a self, finding: &'a Finding) -> Option<&'a str> {
        if let Some(location) = &finding.location {
            return Some(&location.file);
        }
        let mut inputs = self.inputs.iter().filter(|i| i.counts() && i.collection == finding.collection);
        finding.collection.as_ref()?;
        let first = inputs.next()?;
        let with_documents = std::iter::once(first).chain(inputs).find(|input| input.documents > 0);
        Some(&with_documents.unwrap_or(first).name)
    }

    /// The counts as one line: what was found in what was read.
    fn counts(&self, lang: Lang) -> String {
        let words = lang.sentences();
        let summary = self.summary;
        let found: Vec<String> = [
            (words.errors, summary.error),
            (words.warnings, summary.warning),
            (words.infos, summary.info),
            (words.problems, summary.problems),
        ]
        .into_iter()
        .filter(|(_, number)| *number > 0)
        .map(|(template, number)| lang.counted(template, number))
        .collect();
        let found = if found.is_empty() { words.nothing.to_owned() } else { found.join(", ") };
        let counted = || self.inputs.iter().filter(|input| input.counts());
        let documents = counted().map(|input| input.documents).sum();
        let inputs = lang.counted(words.inputs, counted().count() as u64);
        format!("{found} {} {inputs}, {}", words.read, lang.counted(words.documents, documents))
    }

    /// The recommendations as `text` or `markdown`; nothing for another format.
    pub fn render_advice(&self, format: &str, options: &RenderOptions) -> Option<String> {
        match format {
            "text" => Some(advice::text(self, options)),
            "markdown" => Some(advice::markdown(self, options)),
            _ => None,
        }
    }

    /// The remedies of all findings as one script for mongosh, which writes nothing until its reader says what may run.
    pub fn fix_script(&self, model: &Model, lang: Lang) -> String {
        fixes::render(&self.findings, model, lang)
    }
}

/// Where a recommendation stands: cards of patterns behind the decisions about the data that they are on.
fn place(recommendation: &Recommendation) -> (bool, &str, &str, &str) {
    let Recommendation { kind, subject, decision, .. } = recommendation;
    (kind == "pattern", kind, subject, decision)
}

/// The evidence that rules need and nobody gave, each kind with the rules that wait for it.
fn missing(available: &[Evidence]) -> Vec<Missing> {
    let mut waiting: BTreeMap<Evidence, Vec<String>> = BTreeMap::new();
    for rule in rules::RULES {
        for evidence in rule.needs.iter().filter(|evidence| !available.contains(evidence)) {
            waiting.entry(*evidence).or_default().push(rule.id.to_owned());
        }
    }
    let of = |(evidence, would_answer): (Evidence, _)| Missing { evidence: evidence.name().to_owned(), would_answer };
    waiting.into_iter().map(of).collect()
}

/// Name of a level.
fn level(words: &Sentences, severity: Severity) -> &'static str {
    match severity {
        Severity::Error => words.error,
        Severity::Warning => words.warning,
        Severity::Info => words.info,
    }
}

/// How careful one must be with a script.
fn safety(words: &Sentences, safety: Safety) -> &'static str {
    match safety {
        Safety::Safe => words.safe,
        Safety::Review => words.review,
        Safety::Manual => words.manual,
    }
}

/// What findings are grouped by: the collection, else the file.
fn group(finding: &Finding) -> &str {
    let file = finding.location.as_ref().map(|location| location.file.as_str());
    finding.collection.as_deref().or(file).unwrap_or_default()
}

/// Findings with the most important first: severity, measured cost, certainty; then their stable order.
fn by_importance(findings: &[Finding]) -> Vec<&Finding> {
    let mut sorted: Vec<&Finding> = findings.iter().collect();
    sorted.order_by(|a, b| {
        b.severity.cmp(&a.severity).then(cost(b).total_cmp(&cost(a))).then(b.certainty.cmp(&a.certainty))
    });
    sorted
}

/// What a finding costs as far as its figures tell: bytes before documents.
fn cost(finding: &Finding) -> f64 {
    let figures = ["bytes", "affected", "count", "documents", "max"];
    let figure = figures.iter().find_map(|name| finding.evidence.get(*name));
    figure.and_then(serde_json::Value::as_f64).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_database_without_validators_is_told_once_to_people() {
        let (mut report, sources) = samples::report();
        let missing = |ns| samples::finding(NO_VALIDATOR, Severity::Info, Some(ns), None);
        report.findings = ["shop.a", "shop.b", "blog.c", "shop.d"].map(missing).to_vec();
        report = report.sealed(&Evidence::ALL);
        let wide = RenderOptions { width: 120, ..RenderOptions::default() };
        let text = report.render(Format::Text, &sources, &wide);
        assert!(text.contains("3 collections have no validator: `shop.a`, `shop.b`, `shop.d`"), "{text}");
        assert_eq!(text.matches("validation/missing").count(), 2, "{text}");
        assert!(text.contains("4 infos"), "{text}");
        let concise = report.render(Format::Concise, &sources, &RenderOptions::default());
        assert_eq!(concise.lines().count(), 4);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// Whatever a document, a file or a script is called: no format breaks down, and nothing steers a terminal.
        #[test]
        fn no_name_breaks_a_format(name in any::<String>(), line in 0u32..4, column in 0u32..9, width in 0usize..200) {
            let (mut report, mut sources) = samples::report();
            report.recommendations = vec![samples::recommendation()];
            report.recommendations[0].subject.clone_from(&name);
            for finding in &mut report.findings {
                finding.collection = Some(name.clone());
                finding.path = Some(name.clone());
                finding.message = format!("`{name}` is {name}");
                if let Some(location) = &mut finding.location {
                    location.file.clone_from(&name);
                    location.start = Some(crate::finding::Position { line, column });
                }
            }
            sources.insert(name.clone(), name.clone());
            for (_, format) in Format::ALL {
                for color in [false, true] {
                    let options = RenderOptions { width, color, show_info: true, ..RenderOptions::default() };
                    let text = report.render(format, &sources, &options);
                    let codes = text.chars().filter(|c| c.is_control() && *c != '\n' && *c != '\u{1b}').count();
                    prop_assert_eq!(codes, 0);
                    let is_coloured = color && format == Format::Text;
                    prop_assert!(is_coloured || !text.contains(char::from(27)));
                }
            }
            let options = RenderOptions { width, ..RenderOptions::default() };
            for format in ["text", "markdown"] {
                prop_assert!(!report.render_advice(format, &options).unwrap_or_default().is_empty());
            }
        }
    }
}
