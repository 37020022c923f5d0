//! Versions that do not say what a document looks like. Words, reasons and examples: schema-version-mixed.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::forms;
use crate::finding::Severity;
use crate::model::pattern::version::Version;
use crate::model::pattern::{Forms, SchemaVersion};
use crate::model::{Collection, Model};
use crate::rules::{Findings, Place};
use crate::value::time::DAY;
use crate::workload::{Api, Member, Operation, Term, Update, Verb};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Share of the documents of a version, from 0 to 1, that must have another shape.
    share: f64,
    /// And how many of them there must be.
    documents: u64,
    /// Days since the last document of an old version was made from which on it was left behind.
    days: i64,
    /// Percent of the documents that name their version where a writer must name it.
    percent: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options { share: 0.02, documents: 3, days: 90, percent: 95 }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for (collection, forms) in forms(model) {
        let Some(version) = &forms.version else { continue };
        let place = || Place::path(&collection.ns, &version.path);
        if let Some((mixed, others)) = unlike(forms, version, options) {
            findings
                .measured(place(), version.documents)
                .number("others", others)
                .number("ofVersion", mixed.documents)
                .text("version", &mixed.label)
                .variant("shapes");
        } else if let Some((old, since)) = left_behind(model, collection, version, options) {
            findings
                .measured(place(), version.documents)
                .number("old", old)
                .date("since", since)
                .text("current", version.current().map_or("", |current| current.label.as_str()))
                .variant("left");
        } else if let Some((a, b)) = same(collection, version) {
            findings
                .measured(place(), a.documents + b.documents)
                .text("version", &a.label)
                .text("current", &b.label)
                .severity(Severity::Info)
                .variant("same");
        }
        writers(model, collection, version, options, findings);
    }
}

/// The version of which some documents have another shape than most, and how many.
fn unlike<'v>(forms: &Forms, version: &'v SchemaVersion, options: &Options) -> Option<(&'v Version, u64)> {
    let variants = forms.variants.as_ref()?;
    let explained = variants.discriminator.as_ref().is_some_and(|by| *by != version.path);
    // Variants side by side under one version lack a discriminator, not a version.
    if explained || (version.versions.len() < 2 && variants.follow != Some(true)) {
        return None;
    }
    let others = |version: &Version| {
        version.classes.values().sum::<u64>() - version.classes.values().max().copied().unwrap_or(0)
    };
    let mixed = version.versions.iter().map(|version| (version, others(version))).filter(|(version, others)| {
        options.documents <= *others && options.share * version.documents as f64 <= *others as f64
    });
    mixed.max_by_key(|(_, others)| *others)
}

/// How many documents of old versions there are, and when the last of them was made, where that is long ago.
fn left_behind(
    model: &Model,
    collection: &Collection,
    version: &SchemaVersion,
    options: &Options,
) -> Option<(u64, i64)> {
    let (_, old) = version.versions.split_last()?;
    // Documents without a version are of the first one, where most have a later one.
    let is_later = version.current().is_some_and(|current| !matches!(current.label.as_str(), "0" | "1" | "1.0"));
    let nameless = if is_later && version.without * 2 < version.documents { version.without } else { 0 };
    let nameless_newest = version.without_newest.filter(|_| 0 < nameless);
    let newest = old.iter().filter_map(|version| version.newest).chain(nameless_newest).max()?;
    let created = collection.profile.as_ref().and_then(|profile| profile.created.max);
    let now = model.now.or(created.map(|seconds| i64::from(seconds) * 1_000))?;
    let after = version.current().and_then(|current| current.newest).is_some_and(|time| newest < time);
    let long = newest.saturating_add(options.days.saturating_mul(DAY)) <= now;
    (after && long).then(|| (old.iter().map(|version| version.documents).sum::<u64>() + nameless, newest))
}

/// Documents of each version below which nothing is said of their shapes.
const ENOUGH: u64 = 20;
/// Points of a hundred that the share of a field may differ in two versions of one shape.
const ALIKE: u64 = 5;

/// Two versions that follow each other and have one shape.
fn same<'v>(collection: &Collection, version: &'v SchemaVersion) -> Option<(&'v Version, &'v Version)> {
    // What lies deeper than the shapes are known by may be the difference.
    let deep = collection.fields().any(|at| 1 < at.path.as_str().matches('.').count());
    let mut pairs = version.versions.windows(2).filter_map(|pair| if let [a, b] = pair { Some((a, b)) } else { None });
    let found = pairs.find(|(a, b)| ENOUGH <= a.documents.min(b.documents) && is_one_shape(a, b));
    found.filter(|_| !deep)
}

fn is_one_shape(a: &Version, b: &Version) -> bool {
    let names = a.features.keys().chain(b.features.keys());
    names.into_iter().all(|feature| {
        let count = |version: &Version| version.features.get(feature).copied().unwrap_or(0);
        let (of_a, of_b) = (count(a) * b.documents, count(b) * a.documents);
        of_a.abs_diff(of_b) * 100 <= ALIKE * a.documents * b.documents
    })
}

/// Writers whose documents name no version, or an old one, where the stored ones name theirs.
fn writers(
    model: &Model,
    collection: &Collection,
    version: &SchemaVersion,
    options: &Options,
    findings: &mut Findings,
) {
    let named = version.documents - version.without;
    let Some(current) = version.current().filter(|_| version.documents * options.percent <= named * 100) else {
        return;
    };
    // What was seen running is in the documents.
    for operation in model.workload.of(&collection.ns).filter(|operation| operation.runs.is_none()) {
        if operation.api == Api::Mongoose && may_fill_in(collection, version.path.as_str()) {
            continue;
        }
        let made = made(operation);
        // Of a replacement that lacks a field `update/replacement` tells.
        let replaces = matches!(operation.verb, Verb::Replace | Verb::FindAndReplace);
        let lacks = |fields: &Fields<'_>| !replaces && fields.closed && fields.get(version.path.as_str()).is_none();
        let is_old = |fields: &Fields<'_>| {
            let number = fields.get(version.path.as_str()).and_then(Term::as_i64);
            number.zip(current.label.parse::<i64>().ok()).is_some_and(|(written, current)| written < current)
        };
        let variant = if made.iter().any(lacks) {
            "writer"
        } else if made.iter().any(is_old) {
            "writer-old"
        } else {
            continue;
        };
        findings
            .measured(Place::operation(model, operation, None), version.documents)
            .text("field", &version.path)
            .text("current", &current.label)
            .number("named", named)
            .variant(variant);
    }
}

/// Whether the schema of the application, or what is not seen of it, may put a version into each document.
fn may_fill_in(collection: &Collection, path: &str) -> bool {
    let schema = collection.catalogue.schema.as_ref();
    schema.is_none_or(|schema| schema.open || schema.field(path).is_some_and(|field| field.default))
}

/// The fields of a document that an operation makes.
struct Fields<'t> {
    members: Vec<&'t Member>,
    /// Whether these are all of them.
    closed: bool,
}

impl<'t> Fields<'t> {
    fn of(term: &'t Term) -> Self {
        Fields { members: term.members().unwrap_or_default().iter().collect(), closed: term.is_closed() }
    }

    fn get(&self, path: &str) -> Option<&'t Term> {
        self.members.iter().rev().find(|member| member.name() == Some(path)).map(|member| &member.value)
    }
}

/// The documents that an operation makes: inserts, replacements, and what an upsert puts where it finds nothing.
fn made(operation: &Operation) -> Vec<Fields<'_>> {
    match operation.verb {
        Verb::Insert => {
            let documents = operation.documents.as_ref().and_then(Term::elements).unwrap_or_default();
            documents.iter().map(Fields::of).collect()
        }
        Verb::Replace | Verb::FindAndReplace if operation.method != "save" => {
            operation.update.iter().map(Fields::of).collect()
        }
        Verb::Update | Verb::FindAndUpdate if operation.is_upsert() => {
            let Some(update) = Update::of(operation) else { return Vec::new() };
            let sets = update.operators.iter().filter(|applied| matches!(applied.name, "$set" | "$setOnInsert"));
            let arguments: Vec<&Term> = sets.map(|applied| applied.argument).chain(operation.filter.as_ref()).collect();
            let closed = !update.open && !update.operators.is_empty() && arguments.iter().all(|term| term.is_closed());
            let members = arguments.iter().flat_map(|term| term.members().unwrap_or_default()).collect();
            vec![Fields { members, closed }]
        }
        _ => Vec::new(),
    }
}
