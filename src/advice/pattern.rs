//! Patterns in use, each with its card as far as it is known, and patterns that would pay by a force that is measured;
//! each with a drill for a test database.

use serde_json::{Map, Value};

use super::names::is_addressable;
use super::relationship::{criterion, evidence};
use crate::config::intent::{Card, Derived, Pattern};
use crate::finding::{Alternative, Certainty, Criterion, Recommendation, Script};
use crate::locale::{Lang, PatternSentences, template};
use crate::model::declared::is_named;
use crate::model::in_use::{self, Need};
use crate::model::relation::Load;
use crate::model::{Collection, InUse, Model, reads};
use crate::profile::Histogram;
use crate::remedy::drill::{DATABASE, Drill};
use crate::workload::Verb;

/// The kind of these recommendations.
pub(super) const KIND: &str = "pattern";

/// Documents of single readings from which on a time series pays, and readings a day.
const READINGS: u64 = 1_000;
/// Elements at most that a drill fills a document with.
const DRILLED: u64 = 200;

/// The decisions about the patterns of one collection.
pub(super) fn decide(model: &Model, collection: &Collection, lang: Lang) -> Vec<Recommendation> {
    if collection.ns.is_internal() {
        return Vec::new();
    }
    let mut out: Vec<Recommendation> =
        model.in_use(&collection.ns).iter().map(|used| in_use(model, collection, used, lang)).collect();
    out.extend(candidates(model, collection, lang));
    out
}

fn subject(collection: &Collection, path: Option<&str>) -> String {
    match path {
        Some(path) => format!("{}.{path}", collection.ns),
        None => collection.ns.to_string(),
    }
}

/// A pattern in use: what is known of its card, and questions where it is silent.
fn in_use(model: &Model, collection: &Collection, used: &InUse, lang: Lang) -> Recommendation {
    let sentences = &lang.sentences().patterns;
    let card = used.card(model);
    let told = figures(collection, used);
    let fill = |sentence: &str| template::fill(sentence, &told, lang);
    let health = match (used.compared, used.broken) {
        (0, _) => "",
        (_, 0) => sentences.healthy,
        _ => sentences.broken,
    };
    let mut why =
        fill(if used.seen { in_words(used.pattern, used.source.is_some(), sentences) } else { sentences.declared });
    if used.seen && !health.is_empty() {
        why.push_str(&fill(health));
    }
    let loads = Loads::of(model, collection);
    let asks = asks(model, used, card, loads, sentences);
    Recommendation {
        kind: KIND.to_owned(),
        subject: subject(collection, used.path.as_deref()),
        collection: Some(collection.ns.to_string()),
        today: in_use::name(used.pattern).to_owned(),
        decision: in_use::name(used.pattern).to_owned(),
        certainty: if used.seen { Certainty::Measured } else { Certainty::Inferred },
        why,
        criteria: criteria(model, collection, used, card, loads),
        alternatives: Vec::new(),
        asks: asks.into_iter().map(fill).collect(),
        scripts: drill(collection, used, &fill(sentences.script_drill)).into_iter().collect(),
    }
}

/// The sentence that says how a pattern shows.
fn in_words(pattern: Pattern, apart: bool, sentences: &PatternSentences) -> &'static str {
    match pattern {
        Pattern::Attribute => sentences.attribute,
        Pattern::Bucket => sentences.bucket,
        Pattern::TimeSeries => sentences.time_series,
        Pattern::Computed if apart => sentences.computed_apart,
        Pattern::Computed => sentences.computed,
        Pattern::ExtendedReference => sentences.extended_reference,
        Pattern::Subset => sentences.subset,
        Pattern::Outlier => sentences.outlier,
        Pattern::Polymorphic => sentences.polymorphic,
        Pattern::SchemaVersion => sentences.schema_version,
        Pattern::Preallocation => sentences.preallocation,
        Pattern::DocumentVersion => sentences.document_version,
        Pattern::Tree => sentences.tree,
        Pattern::Approximation | Pattern::Archive | Pattern::Separate => sentences.declared,
    }
}

/// The figures that sentences may name.
fn figures(collection: &Collection, used: &InUse) -> Map<String, Value> {
    let mut out = evidence([
        ("collection", collection.ns.to_string().into()),
        ("path", used.path.clone().unwrap_or_default().into()),
        ("pattern", in_use::name(used.pattern).into()),
        ("fields", used.fields.clone().into()),
        ("source", used.source.clone().unwrap_or_default().into()),
        ("compared", used.compared.into()),
        ("broken", used.broken.into()),
        ("database", DATABASE.into()),
    ]);
    if let Some(lengths) = &used.lengths {
        out.insert("max".to_owned(), lengths.max().into());
    }
    for name in ["max", "limit"] {
        out.entry(name).or_insert(used.limit.unwrap_or_default().into());
    }
    out
}

/// How often the documents of a collection are read and written.
#[derive(Debug, Clone, Copy)]
struct Loads {
    reads: Load,
    writes: Load,
}

impl Loads {
    fn of(model: &Model, collection: &Collection) -> Loads {
        let own = model.workload.iter().filter(|operation| operation.ns.as_ref() == Some(&collection.ns));
        let read = own.filter(|operation| !operation.verb.is_write() && operation.verb != Verb::Watch);
        let reads = read.fold(Load::default(), |sum, operation| sum.and(Load::of(operation)));
        Loads { reads, writes: reads::writes(model, &collection.ns) }
    }
}

const DECLARED: &str = "declared";
const MEASURED: &str = "measured";

/// What is known of the card, one criterion each; what nobody knows is asked for instead.
fn criteria(model: &Model, collection: &Collection, used: &InUse, card: Option<&Card>, loads: Loads) -> Vec<Criterion> {
    let mut out = Vec::new();
    let mut add = |name: &str, answer: &'static str, weight: u8, figures: Map<String, Value>| {
        out.push(criterion(name, (answer, None), weight, figures));
    };
    let text = |text: &Option<String>| text.as_ref().map(|text| evidence([("text", text.clone().into())]));
    if let Some(figures) = card.and_then(|card| text(&card.access_pattern)) {
        add("access pattern", DECLARED, 3, figures);
    } else if !loads.reads.is_none() {
        add("access pattern", MEASURED, 3, evidence([("readOperations", loads.reads.operations.into())]));
    }
    let mut lengths = Map::new();
    if let Some(measured) = &used.lengths {
        lengths.extend(evidence([
            ("median", measured.median().into()),
            ("p99", measured.p99().into()),
            ("max", measured.max().into()),
        ]));
    }
    if let Some(limit) = used.limit {
        lengths.insert("limit".to_owned(), limit.into());
    }
    if !lengths.is_empty() {
        add("cardinality", if used.limit.is_some() { "bounded" } else { "unknown" }, 3, lengths);
    }
    let declared_loads = card.and_then(|card| {
        let mut figures = Map::new();
        for (name, number) in [("readsPerDay", card.reads), ("writesPerDay", card.writes)] {
            figures.extend(number.map(|number| (name.to_owned(), number.into())));
        }
        (!figures.is_empty()).then_some(figures)
    });
    match declared_loads {
        Some(figures) => add("reads and writes", DECLARED, 2, figures),
        None if 0.0 < loads.reads.per_day || 0.0 < loads.writes.per_day => {
            let figures = [("readsPerDay", loads.reads.per_day.into()), ("writesPerDay", loads.writes.per_day.into())];
            add("reads and writes", DECLARED, 2, evidence(figures));
        }
        None if 0 < loads.reads.runs || 0 < loads.writes.runs => {
            let figures = [("readsSeen", loads.reads.runs.into()), ("writesSeen", loads.writes.runs.into())];
            add("reads and writes", MEASURED, 2, evidence(figures));
        }
        None => {}
    }
    if let Some(figures) = card.and_then(|card| text(&card.source_of_truth)) {
        add("source of truth", DECLARED, 3, figures);
    } else if let Some(source) = used.source.as_ref().filter(|_| used.duplicates) {
        add("source of truth", MEASURED, 3, evidence([("source", source.clone().into())]));
    }
    let registered = registry(model, collection, used);
    let staleness = registered.and_then(|derived| derived.staleness.as_ref()).is_some();
    if let Some(figures) = card.and_then(|card| text(&card.consistency)) {
        add("consistency", DECLARED, 2, figures);
    } else if staleness {
        add("consistency", DECLARED, 2, Map::new());
    }
    if let Some(path) = used.path.as_deref().filter(|_| collection.knows_indexes()) {
        let within = |key: &str| key == path || key.strip_prefix(path).is_some_and(|rest| rest.starts_with('.'));
        let leading = collection.indexes().iter().filter(|index| index.key.iter().any(|(key, _)| within(key)));
        let names: Vec<String> = leading.map(|index| index.name.clone()).collect();
        let answer = if names.is_empty() { "none" } else { MEASURED };
        add("indexes", answer, 1, evidence([("indexNames", names.into())]));
    }
    let mut failures = evidence([("watchedBy", watched_by(used.pattern).to_vec().into())]);
    if 0 < used.compared {
        failures.extend(evidence([("compared", used.compared.into()), ("broken", used.broken.into())]));
    }
    if let Some(card) = card.filter(|card| !card.failure_modes.is_empty()) {
        failures.insert("declaredFailures".to_owned(), card.failure_modes.clone().into());
    }
    let seen = match (used.compared, used.broken) {
        (0, _) => "unknown",
        (_, 0) => "none",
        _ => "seen",
    };
    add("failure modes", seen, 3, failures);
    if let Some(figures) = card.and_then(|card| text(&card.repair)) {
        add("repair", DECLARED, 2, figures);
    } else if used.is_repaired(model) {
        add("repair", DECLARED, 2, Map::new());
    }
    if let Some(way) = card.and_then(|card| card.migration.as_ref()) {
        let mut figures = Map::new();
        for (name, script) in [("wayIn", &way.into), ("wayOut", &way.out)] {
            figures.extend(script.as_ref().map(|script| (name.to_owned(), script.clone().into())));
        }
        add("migration", DECLARED, 1, figures);
    }
    if let Some(figures) = card.and_then(|card| text(&card.observability)) {
        add("observability", DECLARED, 1, figures);
    }
    match card.and_then(|card| text(&card.alternative)) {
        Some(figures) => add("simpler alternative", DECLARED, 1, figures),
        None => {
            if let Some(word) = alternative(used.pattern) {
                add("simpler alternative", word, 1, Map::new());
            }
        }
    }
    out
}

/// The entry of the registry about a field of the pattern.
fn registry<'m>(model: &'m Model, collection: &Collection, used: &InUse) -> Option<&'m Derived> {
    let of = |field: &String| {
        model.intent.derived.iter().find(|derived| {
            let name = derived.field.strip_suffix(field.as_str()).and_then(|rest| rest.strip_suffix('.'));
            name.is_some_and(|name| is_named(&collection.ns, name))
        })
    };
    used.fields.iter().chain(&used.path).find_map(of)
}

/// The rules that tell when a pattern breaks.
fn watched_by(pattern: Pattern) -> &'static [&'static str] {
    match pattern {
        Pattern::Attribute => {
            &["pattern/attribute-duplicate-key", "pattern/attribute-mixed-values", "pattern/attribute-overuse"]
        }
        Pattern::Bucket => &[
            "pattern/bucket-overflow",
            "pattern/bucket-count-drift",
            "pattern/bucket-late-event",
            "pattern/bucket-duplicate",
        ],
        Pattern::TimeSeries => &["timeseries/granularity", "timeseries/meta-cardinality"],
        Pattern::Computed => &["pattern/computed-drift", "derived/negative-counter"],
        Pattern::ExtendedReference => &["derived/stale-copy", "derived/synced-snapshot", "relationship/orphan"],
        Pattern::Subset => &["pattern/subset-stale"],
        Pattern::Outlier => &["pattern/outlier-flag-drift"],
        Pattern::Polymorphic => &["pattern/polymorphic-unknown-type", "pattern/polymorphic-index-waste"],
        Pattern::SchemaVersion => &["pattern/schema-version-mixed"],
        Pattern::Approximation => &["derived/no-reconciliation"],
        Pattern::Preallocation => &["pattern/preallocated"],
        Pattern::DocumentVersion => &["pattern/revision-drift", "pattern/embedded-revisions"],
        Pattern::Tree => &["pattern/tree-unindexed", "relationship/orphan"],
        Pattern::Archive | Pattern::Separate => &[],
    }
}

/// The simpler form that a pattern takes the place of.
fn alternative(pattern: Pattern) -> Option<&'static str> {
    Some(match pattern {
        Pattern::Attribute => "plain fields",
        Pattern::Bucket => "time series",
        Pattern::Computed => "computed at read",
        Pattern::ExtendedReference => "reference and join",
        Pattern::Subset | Pattern::Outlier => "reference to the parent",
        Pattern::Polymorphic => "collections apart",
        Pattern::SchemaVersion => "one migration at once",
        Pattern::Approximation => "exact count",
        Pattern::Preallocation => "growth as needed",
        Pattern::DocumentVersion => "current state alone",
        Pattern::TimeSeries | Pattern::Tree | Pattern::Archive | Pattern::Separate => return None,
    })
}

/// What the card does not say and the evidence does not show.
fn asks(
    model: &Model,
    used: &InUse,
    card: Option<&Card>,
    loads: Loads,
    sentences: &PatternSentences,
) -> Vec<&'static str> {
    let lacks = used.lacks(model);
    let lacks = |need: Need| lacks.contains(&need);
    let says = |part: fn(&Card) -> bool| card.is_some_and(part);
    let late = matches!(used.pattern, Pattern::Bucket | Pattern::TimeSeries);
    let questions = [
        (loads.reads.is_none() && !says(|card| card.access_pattern.is_some()), sentences.ask_access),
        (lacks(Need::Limit), sentences.ask_limit),
        (lacks(Need::SourceOfTruth) && used.source.is_none(), sentences.ask_source),
        (lacks(Need::Repair), sentences.ask_repair),
        (
            used.duplicates && !used.is_repaired(model) && !says(|card| card.consistency.is_some()),
            sentences.ask_staleness,
        ),
        (late && !says(|card| card.late.is_some()), sentences.ask_late),
        (lacks(Need::Exit), sentences.ask_exit),
        (!says(|card| card.observability.is_some()) && used.duplicates, sentences.ask_observability),
    ];
    questions.into_iter().filter(|(open, _)| *open).map(|(_, ask)| ask).collect()
}

/// The drill of a pattern in use, with the names of its collection.
fn drill(collection: &Collection, used: &InUse, words: &str) -> Option<Script> {
    let limit = used.limit.or_else(|| used.lengths.as_ref().map(Histogram::max)).unwrap_or(0);
    let limit = limit.clamp(2, DRILLED);
    let typical = used.lengths.as_ref().map_or(1, Histogram::median).clamp(1, limit - 1);
    let first = used.fields.first().cloned();
    let path = used.path.clone().or_else(|| first.clone())?;
    let field = |used_by: Pattern, otherwise: &str| {
        first.clone().filter(|_| used.pattern == used_by).unwrap_or_else(|| otherwise.to_owned())
    };
    let is_subset = used.pattern == Pattern::Subset;
    let plan = Drill {
        database: DATABASE,
        pattern: in_use::name(used.pattern),
        collection: collection.ns.collection.clone(),
        other: format!("{}_drill", collection.ns.collection),
        owner: free("owner", &path),
        count: field(Pattern::Bucket, &free("count", &path)),
        flag: field(Pattern::Outlier, &free("hasMore", &path)),
        order: field(Pattern::Subset, "at"),
        descending: true,
        reference: if is_subset { free("parent", &path) } else { String::new() },
        copy: field(Pattern::ExtendedReference, &free("copy", &path)),
        key: field(Pattern::Attribute, "k"),
        value: used
            .fields
            .get(1)
            .cloned()
            .filter(|_| used.pattern == Pattern::Attribute)
            .unwrap_or_else(|| "v".to_owned()),
        kind: field(Pattern::Tree, ""),
        limit,
        typical,
        path,
    };
    let named = [&plan.path, &plan.count, &plan.flag, &plan.copy, &plan.key, &plan.value];
    let is_name = |name: &String| !name.contains('.') && is_addressable(name);
    let apart = |a: &str, b: &str| a != b && !is_within(a, b) && !is_within(b, a);
    let distinct = [&plan.count, &plan.flag, &plan.copy].into_iter().all(|other| apart(other, &plan.path));
    let names = is_name(&plan.order) && is_name(&plan.key) && is_name(&plan.value) && plan.key != plan.value;
    // A drill writes documents of its own: a key of the server's is no field to write.
    let writable = plan.path != "_id" && !plan.path.starts_with("_id.") && !plan.path.split('.').any(is_number);
    if !named.into_iter().all(|path| is_addressable(path)) || !distinct || !names || !writable || plan.order == "_id" {
        return None;
    }
    plan.script(used.pattern, words)
}

fn is_within(path: &str, outer: &str) -> bool {
    path.strip_prefix(outer).is_some_and(|rest| rest.starts_with('.'))
}

fn is_number(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit()) || name == crate::value::path::ANY_NAME
}

/// A name that does not stand at the beginning of a path.
fn free(name: &str, path: &str) -> String {
    if path.split('.').next() == Some(name) { format!("{name}2") } else { name.to_owned() }
}

/// Patterns that are not in use and that a measured force speaks for.
fn candidates(model: &Model, collection: &Collection, lang: Lang) -> Vec<Recommendation> {
    let sentences = &lang.sentences().patterns;
    let mut out = Vec::new();
    let propose = |path: Option<&str>, today: &str, decision: Pattern, why: &str, told: &Map<String, Value>| {
        let fill = |sentence: &str| template::fill(sentence, told, lang);
        let used = InUse::proposed(decision, path);
        let shown: Map<String, Value> = told
            .iter()
            .filter(|(name, _)| SHOWN.contains(&name.as_str()))
            .map(|(n, v)| (n.clone(), v.clone()))
            .collect();
        let mut criteria = vec![criterion("force", (MEASURED, None), 3, shown.clone())];
        let failures = evidence([("watchedBy", watched_by(decision).to_vec().into())]);
        criteria.push(criterion("failure modes", ("unknown", None), 2, failures));
        if let Some(word) = alternative(decision) {
            criteria.push(criterion("simpler alternative", (word, None), 1, Map::new()));
        }
        Recommendation {
            kind: KIND.to_owned(),
            subject: subject(collection, path),
            collection: Some(collection.ns.to_string()),
            today: today.to_owned(),
            decision: in_use::name(decision).to_owned(),
            certainty: Certainty::Measured,
            why: fill(why),
            criteria,
            alternatives: vec![Alternative { decision: today.to_owned(), out: None, figures: shown }],
            asks: [sentences.ask_staleness, sentences.ask_repair, sentences.ask_exit].into_iter().map(fill).collect(),
            scripts: drill(collection, &used, &fill(sentences.script_drill)).into_iter().collect(),
        }
    };
    let named = |path: &str, decision: Pattern| {
        evidence([
            ("path", path.into()),
            ("pattern", in_use::name(decision).into()),
            ("collection", collection.ns.to_string().into()),
            ("database", DATABASE.into()),
        ])
    };
    for raised in reads::increments(model).into_iter().filter(|raised| *raised.ns == collection.ns) {
        let many = !raised.seen || reads::MIN_INCREMENTS <= raised.hits;
        if raised.per_second < reads::MIN_PER_SECOND || !many {
            continue;
        }
        let mut told = named(&raised.path, Pattern::Approximation);
        told.extend(evidence([("perSecond", ((raised.per_second * 10.0).round() / 10.0).into())]));
        if raised.seen {
            let conflicts = raised.runs.write_conflicts.sum;
            told.extend(evidence([("incrementsSeen", raised.hits.into()), ("conflicts", conflicts.into())]));
        }
        out.push(propose(Some(&raised.path), "computed", Pattern::Approximation, sentences.approximation_pays, &told));
    }
    for repeated in reads::repeated(model).into_iter().filter(|repeated| *repeated.source == collection.ns) {
        let (often, writes) = (repeated.reads, repeated.writes);
        if often < reads::MIN_REPEATED as f64 || often < writes.max(1.0) * reads::MIN_RATIO as f64 {
            continue;
        }
        let mut told = named("", Pattern::Computed);
        let (read, written) =
            if repeated.declared { ("readsPerDay", "writesPerDay") } else { ("readsSeen", "writesSeen") };
        let figures = [("reads", often.round().into()), ("writes", writes.round().into())];
        told.extend(evidence(figures));
        told.extend(evidence([(read, often.round().into()), (written, writes.round().into())]));
        if out.iter().all(|known: &Recommendation| known.decision != "computed") {
            out.push(propose(None, "none", Pattern::Computed, sentences.computed_pays, &told));
        }
    }
    let readings = model.patterns().of(&collection.ns).and_then(|forms| forms.readings.as_ref());
    if let Some(readings) = readings.filter(|r| READINGS <= collection.stored() || READINGS <= r.per_day) {
        let mut told = named(readings.time.as_str(), Pattern::TimeSeries);
        told.extend(evidence([
            ("documents", collection.stored().into()),
            ("series", readings.series.into()),
            ("readingsPerDay", readings.per_day.into()),
            ("documentBytes", readings.bytes.into()),
        ]));
        out.push(propose(None, "none", Pattern::TimeSeries, sentences.readings_pay, &told));
    }
    out
}

/// The figures of a proposal that are shown with it.
const SHOWN: &[&str] = &[
    "perSecond",
    "incrementsSeen",
    "conflicts",
    "readsPerDay",
    "writesPerDay",
    "readsSeen",
    "writesSeen",
    "documents",
    "series",
    "readingsPerDay",
    "documentBytes",
];
