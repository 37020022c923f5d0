//! The way through the house: inputs are opened, written and closed; then conclusions are drawn once.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::de::Visitor;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Map;

use crate::catalogue::replica_set::ReplicaSets;
use crate::catalogue::{Namespace, Origin, ShardKey};
use crate::config::{Config, Error, Intent, did_you_mean, moment};
use crate::evidence::gathered::{Gathered, Keep, MARKED, ReadInput, ReadModule};
use crate::evidence::names::{self, Name};
use crate::evidence::pairs::{Asked, Reply};
use crate::evidence::{
    self, Consumer, Input, Kind, Place, Problem, ProblemKind, explain, metadata, profiler, query_stats, script,
    server_log,
};
use crate::facts::Version;
use crate::facts::spelling::nearest;
use crate::locale::mistake::{self, Saying};
use crate::locale::{Lang, template};
use crate::model::declared::is_named;
use crate::model::wanted::{Asks, Limits};
use crate::model::{Collection, Known, Model, Questions};
use crate::order::Ordered;
use crate::report::profile::ProfileReport;
use crate::report::{self, Format, RenderOptions, Report};
use crate::rules::Evidence;
use crate::selection::{self, Selection};
use crate::value::event::Document;
use crate::value::location::{Location, Position};
use crate::value::owned::Value;
use crate::value::time::format_time;
use crate::workload::{Demand, MOST_SHAPES, Operation, Site, Sources};

/// What the user set for a run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Options {
    /// Text of `mongovet.json`.
    pub config: Option<String>,
    /// Its name, for errors.
    pub config_name: Option<String>,
    /// Version of the server, such as `7.0`.
    pub server_version: Option<String>,
    /// The time that ages are measured against, an ISO date or date-time.
    pub now: Option<String>,
    /// Today's date, which decides when ignores expire and nothing else.
    pub today: Option<String>,
    /// Language of what is told: `en` or `es`.
    pub lang: Option<String>,
    /// Rules to run: ids, groups, globs; all when empty.
    pub select: Vec<String>,
    /// Rules to leave out; wins over `select`.
    pub ignore: Vec<String>,
    /// The collection of all documents whose input does not say so by an option of its own.
    pub collection: Option<String>,
    /// Whether the documents are all there are.
    pub complete: bool,
    /// Whether values of documents may appear.
    pub show_values: bool,
    /// Whether a saved profile holds the sampled documents.
    pub with_documents: bool,
    /// Whether a saved profile holds types and lengths alone; goes before `with_documents`.
    pub without_values: bool,
    /// Whether only what was counted is wanted, profiles and schemas: no rules, no advice, no second pass.
    pub counts_only: bool,
    /// The inputs that the user named, as against those that were found in a folder.
    pub named: Vec<String>,
    /// All inputs of the run: a catalogue among them vouches for the documents of its collection.
    pub names: Vec<String>,
}

/// What the host knows of one input.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct InputOptions {
    /// The collection of its documents; it goes before all that name and content say.
    pub collection: Option<String>,
    /// Whether somebody named this input, on the command line or by pasting it.
    pub named: bool,
    /// The part of the file that is written, where several threads share it.
    pub range: Option<Span>,
    /// The command whose reply this input is ([`Vet::wanted`]): its documents count for pairs and never for
    /// statistics.
    pub pairs: Option<Reply>,
}

/// A part of a file, in bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Span {
    /// First byte.
    pub start: u64,
    /// Byte behind the last.
    pub end: u64,
    /// The beginning of the whole file, which tells what it is; of no use where `start` is 0.
    #[serde(default, deserialize_with = "bytes")]
    pub head: Vec<u8>,
}

/// Bytes as one value: a list would be read number by number, each of them a call into JavaScript.
fn bytes<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
    struct Bytes;

    impl Visitor<'_> for Bytes {
        type Value = Vec<u8>;

        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("bytes")
        }

        fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Vec<u8>, E> {
            Ok(bytes.to_vec())
        }

        fn visit_byte_buf<E>(self, bytes: Vec<u8>) -> Result<Vec<u8>, E> {
            Ok(bytes)
        }
    }

    deserializer.deserialize_byte_buf(Bytes)
}

/// One run: evidence in, conclusions out.
#[derive(Default)]
pub struct Vet {
    options: Options,
    lang: Lang,
    config: Config,
    version: Option<Version>,
    now: Option<i64>,
    selection: Selection,
    /// Collections that an input of the run is a catalogue of, by its name.
    catalogued: BTreeSet<String>,
    gathered: Gathered,
    reading: Option<Reading>,
    second: Option<Second>,
    lost: Vec<Lost>,
    /// The operations of the access patterns that intent declares.
    declared: Vec<Operation>,
    concluded: Option<Concluded>,
}

struct Reading {
    input: Input,
    intake: Intake,
    saved: Saved,
}

/// The bytes of an input that is a saved profile, which is understood as a whole.
enum Saved {
    /// The first bytes do not tell yet.
    Unknown(Vec<u8>),
    No,
    Yes(Vec<u8>),
}

impl Saved {
    fn write(&mut self, bytes: &[u8]) {
        match self {
            Saved::No => {}
            Saved::Yes(all) => all.extend_from_slice(bytes),
            Saved::Unknown(head) => {
                head.extend_from_slice(bytes);
                if MARKED <= head.len() {
                    self.decide();
                }
            }
        }
    }

    fn decide(&mut self) {
        if let Saved::Unknown(head) = self {
            *self = if Gathered::is_saved(head) { Saved::Yes(std::mem::take(head)) } else { Saved::No };
        }
    }

    fn close(mut self) -> Option<Vec<u8>> {
        self.decide();
        if let Saved::Yes(bytes) = self { Some(bytes) } else { None }
    }
}

/// The open input beside its reader.
struct Intake {
    name: String,
    forced: bool,
    found: Found,
    /// The values that were asked for, where the input is the reply to a command.
    asked: Option<Asked>,
    /// Whether this is the second pass over the input.
    again: bool,
    /// The byte at which the part of the input begins that is read.
    part: u64,
}

/// An input of which there is nothing.
#[derive(Debug)]
struct Lost {
    name: String,
    reason: String,
    detail: String,
}

/// What one input held.
#[derive(Debug, Default)]
struct Found {
    collections: BTreeMap<Namespace, u64>,
    problems: Vec<Problem>,
    statements: u32,
}

/// The second pass: what is known, and what is asked of the documents.
#[derive(Debug)]
struct Second {
    known: BTreeMap<Namespace, Known>,
    questions: Questions,
}

/// What was concluded, ready to be shown in any form.
#[derive(Debug)]
struct Concluded {
    model: Model,
    report: Report,
}

impl Vet {
    /// A run with its options. A mistake is told in the language that they ask for, else in that of the configuration.
    pub fn new(options: Options) -> Result<Vet, Error> {
        let asked = options.lang.as_deref().map(Lang::from_tag);
        let lang = asked.unwrap_or_else(|| Config::lang_of(options.config.as_deref()?)).unwrap_or_default();
        Vet::with(options).map_err(|error| error.told(lang))
    }

    fn with(options: Options) -> Result<Vet, Error> {
        let config = match &options.config {
            None => Config::default(),
            Some(text) => Config::parse(options.config_name.as_deref().unwrap_or("mongovet.json"), text)?,
        };
        crate::rules::check_settings(&config)?;
        let selection = Selection::new(options.select.clone(), options.ignore.clone())?;
        let declared = access_patterns(&config)?;
        let mut vet = Vet { options, config, selection, declared, ..Vet::default() };
        vet.lang = match &vet.options.lang {
            None => vet.config.lang.unwrap_or_default(),
            Some(tag) => {
                let hint = Saying::from(mistake::USE).with("names", Lang::ALL.map(Lang::tag).join(", "));
                let message = Saying::from(mistake::NO_LANGUAGE).with("name", tag.as_str());
                Lang::from_tag(tag).ok_or_else(|| Error::new("option", message, Some(hint)))?
            }
        };
        if let Some(text) = &vet.options.server_version {
            let version = Version::parse(text);
            vet.version = Some(version.ok_or_else(|| {
                let hint = Saying::from(mistake::WRITE_IT_AS).with("example", "8.0");
                let message = Saying::from(mistake::NO_VERSION).with("text", text.as_str());
                Error::new("option", message, Some(hint))
            })?);
        }
        if let Some(text) = &vet.options.now {
            vet.now = Some(moment(text).ok_or_else(|| {
                let hint = Saying::from(mistake::WRITE_IT_AS).with("example", "2026-11-30");
                let message = Saying::from(mistake::NO_MOMENT).with("text", text.as_str());
                Error::new("option", message, Some(hint))
            })?);
        }
        let names = vet.options.names.iter().map(|name| Name::parse(name));
        vet.catalogued = names
            .filter(|name| name.kind.is_some_and(|kind| kind.catalogue().is_some()))
            .filter_map(|name| Some(name.ns?.collection))
            .collect();
        Ok(vet)
    }

    /// Opens an input; one that is still open is closed first.
    pub fn open(&mut self, name: &str, options: InputOptions) {
        self.close();
        let named = options.named || self.options.named.iter().any(|n| n == name);
        let collection = options.collection.as_ref().or(self.options.collection.as_ref());
        let settings = evidence::Options {
            collection: collection.map(|ns| Namespace::parse(ns.as_str())),
            named,
            catalogued: Name::parse(name).ns.is_some_and(|ns| self.catalogued.contains(&ns.collection)),
            now: self.now.or(self.config.now).unwrap_or(0),
            range: options.range.map(|span| evidence::Range { start: span.start, end: span.end, head: span.head }),
        };
        let part = settings.range.as_ref().map_or(0, |range| range.start);
        self.reading = Some(Reading {
            input: Input::new(name, settings),
            intake: Intake {
                part,
                name: name.to_owned(),
                forced: collection.is_some(),
                found: Found::default(),
                asked: options.pairs.as_ref().map(Asked::new),
                again: self.second.is_some(),
            },
            saved: match Name::parse(name).kind {
                Some(Kind::SavedProfile) => Saved::Yes(Vec::new()),
                _ if part == 0 => Saved::Unknown(Vec::new()),
                _ => Saved::No,
            },
        });
    }

    /// Takes the next bytes of the open input; false when the rest need not be sent.
    pub fn write(&mut self, bytes: &[u8]) -> bool {
        let Some(reading) = &mut self.reading else { return false };
        reading.saved.write(bytes);
        reading.input.write(bytes, &mut reading.intake.taker(&mut self.gathered, self.second.as_mut()));
        !reading.input.is_done()
    }

    /// Ends the open input. Of a part it tells where its first document begins and where the first behind it does:
    /// parts that do not join must be read again as one.
    pub fn close(&mut self) -> Option<(u64, u64)> {
        let Reading { input, mut intake, saved } = self.reading.take()?;
        let mut summary = input.close(&mut intake.taker(&mut self.gathered, self.second.as_mut()));
        let range = summary.range;
        if intake.again {
            return range;
        }
        let Found { collections, mut problems, .. } = intake.found;
        if let Some(asked) = intake.asked {
            (summary.kind, summary.complete) = (Kind::Pairs, false);
            let (path, answers) = asked.answers(problems.is_empty());
            let ns = summary.ns.clone().unwrap_or_else(|| Namespace::bare(UNNAMED));
            self.gathered.fetched.entry(ns).or_default().answer(&path, answers);
        }
        match saved.close().map(|bytes| Gathered::load(&bytes)) {
            Some(Ok(other)) => self.gathered.merge(other),
            Some(Err(message)) => problems.push(Problem {
                kind: ProblemKind::Broken,
                document: None,
                offset: None,
                line: None,
                column: None,
                message: message.to_owned(),
            }),
            None => {}
        }
        self.gathered.bound_samples();
        self.gathered.inputs.push(ReadInput { name: intake.name, summary, collections, problems });
        range
    }

    /// Says that there is nothing of an input, and why: `trap` (the core broke down on it), `unrepeatable` (it did so
    /// on another, and this one cannot be read again), `refused` (by a server, which said `detail`), `unserved` (no index
    /// serves the fields `detail`) or another word, of which `detail` is the sentence.
    pub fn lose(&mut self, name: &str, reason: &str, detail: &str) {
        let [name, reason, detail] = [name, reason, detail].map(str::to_owned);
        self.lost.push(Lost { name, reason, detail });
    }

    /// Everything learned so far, mergeable elsewhere: in the second pass, what was counted for its questions.
    pub fn partial(&mut self) -> Vec<u8> {
        self.close();
        match &self.second {
            Some(second) => second.questions.save(),
            None => self.gathered.save(Keep::Documents),
        }
    }

    /// Everything learned so far, to be kept: without documents unless the options ask for them.
    pub fn save(&mut self) -> Vec<u8> {
        self.gathered.save(match (self.options.without_values, self.options.with_documents) {
            (true, _) => Keep::Types,
            (false, false) => Keep::Values,
            (false, true) => Keep::Documents,
        })
    }

    /// What [`Vet::save`] gives, as one line of text that any host reads where it is pasted.
    pub fn bundle(&mut self) -> String {
        Gathered::as_text(&self.save())
    }

    /// Adds what was learned elsewhere, in the same pass.
    pub fn merge(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let refused = |reason: &str| Error::new("option", Saying::text(reason), None);
        match &mut self.second {
            Some(second) => second.questions.merge(Questions::load(bytes).map_err(refused)?),
            None => self.gathered.merge(Gathered::load(bytes).map_err(refused)?),
        }
        Ok(())
    }

    /// The questions of the second pass, for other runs to take part in it; nothing before it has begun.
    pub fn asked(&self) -> Vec<u8> {
        self.second.as_ref().map(|second| second.questions.save()).unwrap_or_default()
    }

    /// Takes part in the second pass of another run, which asks these questions. What is read from here on is counted
    /// for them alone.
    pub fn ask(&mut self, asked: &[u8]) -> Result<(), Error> {
        let questions = Questions::load(asked).map_err(|reason| Error::new("option", Saying::text(reason), None))?;
        self.close();
        self.gathered = Gathered::default();
        self.second = Some(Second { known: BTreeMap::new(), questions });
        Ok(())
    }

    /// What to ask a live server for, once its samples are read: the targets of sampled references and the children of
    /// sampled parents, as a JSON list of commands. Each reply is fed as an input with the option `pairs`. Fields by
    /// which no index serves are told in the report.
    pub fn wanted(&mut self, limits: Limits) -> String {
        self.close();
        if self.second.is_some() {
            return "[]".to_owned();
        }
        let known = self.gathered.known(self.options.complete);
        let model = Model::new(known, BTreeMap::new(), Version::DEFAULT, None, Intent::default());
        let Asks { wanted, unserved } = model.wanted(limits);
        for (ns, paths) in unserved {
            let detail = paths.iter().map(|path| format!("`{path}`")).collect::<Vec<_>>().join(", ");
            self.lose(&format!("{ns}.pairs"), "unserved", &detail);
        }
        // Strings, numbers and lists of them: this cannot fail.
        serde_json::to_string(&wanted).unwrap_or_default()
    }

    /// Ends the first pass and names the inputs that must be read again, in any order; none where nothing is asked.
    pub fn questions(&mut self) -> Vec<String> {
        self.close();
        self.gathered.declared_database = declared_database(&self.config);
        self.gathered.link();
        let mut known = self.gathered.known(self.options.complete);
        declare_shard_keys(&mut known, &self.config);
        let questions = if self.options.counts_only {
            Questions::default()
        } else {
            Questions::ask(&known, self.gathered.only_database())
        };
        let names = self.gathered.asked(&questions);
        self.second = Some(Second { known, questions });
        names
    }

    /// Draws the conclusions; the report as JSON text.
    pub fn finish(&mut self) -> String {
        self.close();
        if self.second.is_none() {
            self.questions();
        }
        let Some(Second { known, questions, .. }) = self.second.take() else { return String::new() };
        let answers = questions.answers(&known);
        let now = self.now.or(self.config.now).or_else(|| self.gathered.newest());
        let (version, from) = [
            (self.version, "option"),
            (self.config.server_version, "configuration"),
            (self.gathered.version, "evidence"),
        ]
        .into_iter()
        .find_map(|(version, from)| Some((version?, from)))
        .unwrap_or((Version::DEFAULT, "default"));
        let mut workload = self.gathered.placed_workload();
        workload.extend(self.declared.iter().cloned());
        let workload = workload.resolve(self.gathered.only_database().as_deref());
        let sources = Sources::new(&self.gathered.sources);
        let model = Model::new(known, answers, version, now, self.config.intent.clone())
            .with_workload(workload, sources)
            .with_plans(self.gathered.placed_plans())
            .with_cluster(self.gathered.cluster.clone())
            .with_replica_sets(self.gathered.replica_sets.clone());
        let mut report = Report::new(version.to_string(), from, now.and_then(format_time));
        report.inputs = self.report_inputs();
        let available = available(&model, &self.config);
        if !self.options.counts_only {
            self.judge(&model, &available, &mut report);
        }
        let report = report.sealed(&available);
        let json = report.render(Format::Json, &self.gathered.sources, &RenderOptions::default());
        self.concluded = Some(Concluded { model, report });
        json
    }

    /// Puts the recommendations and the findings into the report.
    fn judge(&self, model: &Model, available: &[Evidence], report: &mut Report) {
        let recommendations = crate::advice::decide(model, self.lang);
        let directives: Vec<_> =
            self.gathered.sources.iter().flat_map(|(name, text)| selection::directives(name, text)).collect();
        let terms = selection::Terms {
            selection: &self.selection,
            config: &self.config,
            directives: &directives,
            today: self.options.today.as_deref(),
            available,
            collections: &model.collections.iter().map(|c| c.ns.to_string()).collect::<Vec<_>>(),
            files: &report.inputs.iter().map(|i| i.name.clone()).collect::<Vec<_>>(),
            lang: self.lang,
        };
        let findings = crate::rules::run(model, available, &recommendations, &self.config.settings, self.lang);
        report.findings = selection::apply(findings, &terms);
        report.recommendations = recommendations;
    }

    /// The finished report in a format: `text`, `concise`, `json` and so on.
    pub fn render(&self, format: &str, mut options: RenderOptions) -> Result<String, Error> {
        let concluded = self.concluded()?;
        options.lang = self.lang;
        let format = Format::from_name(format)
            .ok_or_else(|| unknown_format(format, Format::ALL.map(|(n, _)| n)).told(self.lang))?;
        Ok(concluded.report.render(format, &self.gathered.sources, &options))
    }

    /// The recommendations in a format: `text` or `markdown`.
    pub fn advice(&self, format: &str, mut options: RenderOptions) -> Result<String, Error> {
        options.lang = self.lang;
        let advice = self.concluded()?.report.render_advice(format, &options);
        advice.ok_or_else(|| unknown_format(format, ["text", "markdown"]).told(self.lang))
    }

    /// The remedies of all findings as one script for mongosh.
    pub fn fix_script(&self) -> Result<String, Error> {
        let Concluded { model, report } = self.concluded()?;
        Ok(report.fix_script(model, self.lang))
    }

    /// The profiles in a format: `text`, `json` or `html`.
    pub fn profile(&self, format: &str, width: usize) -> Result<String, Error> {
        let report = ProfileReport::new(&self.concluded()?.model, self.options.show_values);
        match format {
            "text" => Ok(report.text(self.lang, width)),
            "json" => Ok(report.json()),
            "html" => Ok(report.html(self.lang)),
            other => Err(unknown_format(other, ["text", "json", "html"]).told(self.lang)),
        }
    }

    /// The schemas in a format: `json-schema`, `typescript` or `mermaid`.
    pub fn schema(&self, format: &str) -> Result<String, Error> {
        let model = &self.concluded()?.model;
        match format {
            "json" | "json-schema" => Ok(crate::schema::json_schema(model, self.lang)),
            "typescript" => Ok(crate::schema::typescript(model, self.lang)),
            "mermaid" => Ok(crate::schema::mermaid(model)),
            other => Err(unknown_format(other, ["json-schema", "typescript", "mermaid"]).told(self.lang)),
        }
    }

    /// A `mongovet.json` with what was inferred, for a person to go through.
    pub fn initial(&self) -> Result<String, Error> {
        let Concluded { model, report } = self.concluded()?;
        Ok(crate::schema::initial(model, &report.recommendations, self.lang))
    }

    /// The inputs as the report lists them: parts of one file are put together, names completed.
    fn report_inputs(&self) -> Vec<report::Input> {
        let database = self.gathered.only_database();
        let mut parts: Vec<&ReadInput> = self.gathered.inputs.iter().collect();
        parts.order_by(|a, b| (&a.name, a.summary.range).cmp(&(&b.name, b.summary.range)));
        let mut out: Vec<report::Input> = Vec::new();
        // The parts of the last input, as far as they have been put together.
        let mut joined: Vec<(&evidence::Summary, &[Problem])> = Vec::new();
        for part in parts {
            let summary = &part.summary;
            let known = out.last_mut().filter(|i| i.name == part.name && summary.range.is_some());
            if let Some(input) = known {
                joined.push((summary, &part.problems));
                let problems = evidence::join_problems(joined.iter().copied());
                input.problems = problems.into_iter().map(report::Problem::from).collect();
                input.documents += summary.documents;
                input.bytes += summary.bytes;
                input.complete &= summary.complete;
            } else {
                let repeated = out.last().is_some_and(|i| i.name == part.name && 0 < summary.documents);
                joined = vec![(summary, &part.problems)];
                let ns = summary
                    .ns
                    .as_ref()
                    .or_else(|| part.collections.keys().next().filter(|_| part.collections.len() == 1));
                out.push(report::Input {
                    name: part.name.clone(),
                    kind: summary.kind.name().to_owned(),
                    collection: ns.map(|ns| ns.within(database.as_deref()).to_string()),
                    documents: summary.documents,
                    bytes: summary.bytes,
                    complete: summary.complete,
                    problems: part.problems.iter().cloned().map(report::Problem::from).collect(),
                });
                if let Some(input) = out.last_mut().filter(|_| repeated) {
                    input.problems.push(report::Problem {
                        kind: "repeated".to_owned(),
                        document: None,
                        offset: None,
                        line: None,
                        column: None,
                        message: self.lang.sentences().repeated.to_owned(),
                    });
                }
            }
        }
        for Lost { name, reason, detail } in &self.lost {
            let sentences = self.lang.sentences();
            let message = match reason.as_str() {
                "trap" => sentences.trap.to_owned(),
                "unrepeatable" => sentences.unrepeatable.to_owned(),
                "refused" => sentences.refused.replace("{detail}", detail),
                "unserved" => sentences.unserved.replace("{detail}", detail),
                _ => detail.clone(),
            };
            let lost = report::Problem {
                kind: reason.clone(),
                document: None,
                offset: None,
                line: None,
                column: None,
                message,
            };
            match out.iter_mut().find(|i| i.name == *name) {
                Some(input) => input.problems.push(lost),
                None => out.push(report::Input {
                    name: name.clone(),
                    kind: Kind::Other.name().to_owned(),
                    collection: None,
                    documents: 0,
                    bytes: 0,
                    complete: false,
                    problems: vec![lost],
                }),
            }
        }
        for (ns, runs, file) in self.gathered.workload.left_out() {
            let figures = Map::from_iter([
                ("collection".to_owned(), ns.within(database.as_deref()).to_string().into()),
                ("runs".to_owned(), runs.into()),
                ("shapes".to_owned(), MOST_SHAPES.into()),
            ]);
            if let Some(input) = out.iter_mut().find(|input| Some(input.name.as_str()) == file) {
                input.problems.push(report::Problem {
                    kind: "left-out".to_owned(),
                    document: None,
                    offset: None,
                    line: None,
                    column: None,
                    message: template::fill(self.lang.sentences().left_out, &figures, self.lang),
                });
            }
        }
        out.order_by(|a, b| a.name.cmp(&b.name));
        out
    }

    fn concluded(&self) -> Result<&Concluded, Error> {
        self.concluded.as_ref().ok_or_else(|| Error::new("option", mistake::NOT_CONCLUDED, None).told(self.lang))
    }
}

/// The operations that intent declares as access patterns, which stand in the configuration. A text that is none is a
/// mistake: what it was meant to weigh would go without.
fn access_patterns(config: &Config) -> Result<Vec<Operation>, Error> {
    let mut operations = Vec::new();
    let file = config.name().unwrap_or("mongovet.json");
    for (number, pattern) in config.intent.access_patterns.iter().enumerate() {
        let demand = Demand { name: pattern.name.clone(), per_day: pattern.per_day, hot: pattern.hot };
        let reading = script::read(file, &pattern.operation, None);
        let mistake = |offset, message| {
            let hint = Saying::from(mistake::WRITE_IT_AS).with("example", "db.orders.findOne({_id: X})");
            config.error(config.fault_in_operation(number, offset, message).hinted(Some(hint)))
        };
        if let Some(problem) = reading.problems.first() {
            return Err(mistake(problem.offset, mistake::OPERATION_UNREAD));
        }
        let first = operations.len();
        for mut operation in reading.operations.into_iter().filter(|operation| operation.ns.is_some()) {
            operation.site = Some(Site::Entry { file: file.to_owned(), part: 0, place: None });
            operation.context.number = number as u32;
            operation.demand = Some(demand.clone());
            operations.push(operation);
        }
        if operations.len() == first {
            return Err(mistake(0, mistake::NO_OPERATION));
        }
    }
    Ok(operations)
}

/// The one database of the collections for which intent declares shard keys.
fn declared_database(config: &Config) -> Option<String> {
    let mut databases: Vec<String> =
        config.intent.sharding.keys().filter_map(|name| Namespace::parse(name).database).collect();
    databases.dedup();
    databases.pop().filter(|_| databases.is_empty())
}

/// Adds the shard keys that intent declares to what is known of their collections.
fn declare_shard_keys(known: &mut BTreeMap<Namespace, Known>, config: &Config) {
    for (name, declared) in &config.intent.sharding {
        let Some(mut key) = ShardKey::of_pattern(&declared.key.0, Origin::Wanted) else { continue };
        let file = config.name().unwrap_or("mongovet.json").to_owned();
        key.location = Some(Location { file, start: None, end: None });
        let ns = known.keys().find(|ns| is_named(ns, name)).cloned().unwrap_or_else(|| Namespace::parse(name));
        known.entry(ns).or_default().catalogue.want_shard_key(key);
    }
}

fn unknown_format<const N: usize>(given: &str, known: [&str; N]) -> Error {
    let hint =
        nearest(given, known).map_or_else(|| Saying::from(mistake::USE).with("names", known.join(", ")), did_you_mean);
    Error::new("option", Saying::from(mistake::NO_FORMAT).with("name", given), Some(hint))
}

/// Where the readers of an input put what they find.
struct Taker<'a> {
    input: &'a str,
    forced: bool,
    gathered: &'a mut Gathered,
    second: Option<&'a mut Second>,
    found: &'a mut Found,
    /// The values that were asked for, where the input is the reply to a command.
    asked: Option<&'a mut Asked>,
    /// The byte at which the part of the input begins that is read.
    part: u64,
}

impl Intake {
    fn taker<'a>(&'a mut self, gathered: &'a mut Gathered, second: Option<&'a mut Second>) -> Taker<'a> {
        let Intake { name, forced, found, asked, again, part } = self;
        Taker {
            input: name,
            forced: *forced,
            gathered,
            second: second.filter(|_| *again),
            found,
            asked: asked.as_mut(),
            part: *part,
        }
    }
}

/// The collection of documents whose input does not tell it: standard input, a paste.
const UNNAMED: &str = "documents";

impl Consumer for Taker<'_> {
    fn document(&mut self, ns: Option<&Namespace>, document: &Document<'_>, _place: Place) {
        let unnamed;
        let ns = if let Some(ns) = ns {
            ns
        } else {
            unnamed = Namespace::bare(UNNAMED);
            &unnamed
        };
        if let Some(asked) = &mut self.asked {
            if self.second.is_none() {
                asked.count(document);
                self.gathered.fetched.entry(ns.clone()).or_default().add(document);
            }
            return;
        }
        if let Some(second) = &mut self.second {
            second.questions.read(ns, document);
            return;
        }
        match self.found.collections.get_mut(ns) {
            Some(count) => *count += 1,
            None => {
                self.found.collections.insert(ns.clone(), 1);
            }
        }
        match self.gathered.profiles.get_mut(ns) {
            Some(profile) => Arc::make_mut(profile).add(document),
            None => Arc::make_mut(self.gathered.profiles.entry(ns.clone()).or_default()).add(document),
        }
    }

    fn value(&mut self, kind: Kind, ns: Option<&Namespace>, value: Value, place: Place) {
        if self.second.is_some() || self.asked.is_some() {
            return;
        }
        if kind.is_entries() {
            self.entry(kind, ns, value, place);
            return;
        }
        if kind == Kind::Sharding {
            self.sharding(evidence::sharding::read(&value, self.input, ns, self.found.statements));
            return;
        }
        if kind == Kind::ReplicaSet {
            self.gathered.replica_sets.merge(evidence::replica_set::read(&value, self.input));
            return;
        }
        let Some(kind) = kind.catalogue().or_else(|| metadata::recognise(&value)) else { return };
        self.gathered.version = self.gathered.version.max(metadata::prelude_version(&value));
        let source =
            metadata::Source { input: self.input, namespace: ns, forced: self.forced, sequence: self.found.statements };
        match metadata::read(kind, &value, source) {
            Ok(statements) => {
                self.found.statements += statements.len() as u32;
                self.gathered.catalogue.extend(statements);
            }
            Err(reason) => self.problem(Problem {
                kind: ProblemKind::Broken,
                document: None,
                offset: Some(place.offset),
                line: place.line,
                column: None,
                message: reason.to_owned(),
            }),
        }
    }

    fn operation(&mut self, mut operation: Operation, place: Place) {
        if self.second.is_some() || self.asked.is_some() {
            return;
        }
        operation.site = Some(self.site(place));
        self.gathered.workload.log(operation);
    }

    fn version(&mut self, version: Version) {
        if self.asked.is_some() {
            return;
        }
        self.gathered.version = self.gathered.version.max(Some(version));
    }

    fn text(&mut self, kind: Kind, ns: Option<&Namespace>, text: &str) {
        if self.second.is_some() || self.asked.is_some() {
            return;
        }
        if kind == Kind::Sharding {
            self.sharding(evidence::sharding::read_status(text, self.input));
        }
        if kind == Kind::ReplicaSet {
            self.gathered.replica_sets.merge(evidence::replica_set::read_printed(text, self.input));
        }
        if kind != Kind::Script {
            return;
        }
        let ns = ns.filter(|_| self.forced || !names::is_application_source(self.input));
        let read = script::read(self.input, text, ns);
        self.gathered.catalogue.extend(read.statements);
        self.gathered.workload.extend(read.operations);
        let write_concerns = read.write_concerns;
        self.gathered.replica_sets.merge(ReplicaSets { write_concerns, ..ReplicaSets::default() });
        for problem in read.problems {
            self.problem(Problem {
                kind: ProblemKind::Broken,
                document: None,
                offset: Some(problem.offset as u64),
                line: Some(problem.position.line.into()),
                column: Some(problem.position.column.into()),
                message: problem.message,
            });
        }
        self.gathered.sources.insert(self.input.to_owned(), text.to_owned());
        let read = ReadModule { module: read.module, namespace: ns.cloned(), linked: false };
        self.gathered.modules.insert(self.input.to_owned(), read);
    }

    fn problem(&mut self, problem: Problem) {
        if self.second.is_none() {
            self.found.problems.push(problem);
        }
    }
}

impl Taker<'_> {
    /// Takes what tells of shards and their keys.
    fn sharding(&mut self, read: evidence::sharding::Reading) {
        self.found.statements += read.statements.len() as u32;
        self.gathered.catalogue.extend(read.statements);
        self.gathered.cluster.merge(read.cluster);
    }

    fn site(&self, place: Place) -> Site {
        let line = place.line.and_then(|line| u32::try_from(line).ok());
        Site::Entry {
            file: self.input.to_owned(),
            part: self.part,
            place: line.map(|line| Position { line, column: 1 }),
        }
    }

    /// Takes an entry of the workload, or a plan.
    fn entry(&mut self, kind: Kind, ns: Option<&Namespace>, value: Value, place: Place) {
        let operations = match kind {
            Kind::Explain => {
                self.gathered.version = self.gathered.version.max(explain::version(&value));
                let Some(mut plan) = explain::read(&value, self.site(place)) else { return };
                plan.ns = plan.ns.or_else(|| ns.cloned());
                self.gathered.workload.log_all(plan.operation.clone());
                self.gathered.plans.push(plan);
                return;
            }
            Kind::Profiler => profiler::read(&value),
            Kind::Log => {
                let (lines, cut) = server_log::entries(value);
                if 0 < cut {
                    self.problem(Problem {
                        kind: ProblemKind::Truncated,
                        document: None,
                        offset: Some(place.offset),
                        line: place.line,
                        column: None,
                        message: server_log::CUT_REPLY.to_owned(),
                    });
                }
                lines.iter().filter_map(server_log::version).for_each(|version| self.version(version));
                lines.iter().flat_map(server_log::read).collect()
            }
            _ => query_stats::read(&value).into_iter().collect(),
        };
        for operation in operations {
            self.operation(operation, place);
        }
    }
}

/// The kinds of evidence that the model has.
fn available(model: &Model, config: &Config) -> Vec<Evidence> {
    let any = |has: fn(&crate::model::Collection) -> bool| model.collections.iter().any(has);
    [
        (Evidence::Documents, any(|c| c.profile.is_some())),
        (Evidence::Indexes, any(|c| c.catalogue.indexes_known || !c.indexes().is_empty())),
        (Evidence::Validator, any(|c| c.catalogue.options_known || c.validator().is_some())),
        (Evidence::Statistics, any(|c| !c.catalogue.statistics.is_empty())),
        (Evidence::IndexStatistics, any(|c| !c.catalogue.index_use.is_empty())),
        (Evidence::Workload, !model.workload.is_empty()),
        (Evidence::Plans, !model.plans.is_empty() || model.workload.iter().any(|operation| operation.runs.is_some())),
        (
            Evidence::Topology,
            model.cluster.listed || !model.replica_sets.is_empty() || any(Collection::tells_of_shards),
        ),
        (Evidence::Intent, config.intent != Intent::default()),
    ]
    .into_iter()
    .filter_map(|(evidence, there)| there.then_some(evidence))
    .collect()
}
