//! `mongovet.json`: settings of the rules and the declared model. A mistake is an [`Error`] with its place and, where
//! a name is nearly right, the nearest one.

mod duration;
pub mod intent;
mod literal;
mod settings;
mod tree;

use std::collections::BTreeMap;

use bumpalo::Bump;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, de};

pub use duration::{Duration, Rebuild, Staleness};
pub use intent::Intent;
pub use literal::Literal;
pub use settings::{Day, Ignore, Override, RuleLevel, RuleSetting, Settings};

pub(crate) use settings::{glob, names};
pub(crate) use tree::{Fault, Node};

use crate::facts::Version;
use crate::locale::Lang;
use crate::locale::mistake::{self, Saying, Words};
use crate::value::event::Fidelity;
use crate::value::literal::{Now, decode};
use crate::value::location::Position;
use crate::value::{Document, Value};

/// A user's mistake.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Error {
    /// `configuration` or `option`.
    pub kind: &'static str,
    /// The file, where it is in one.
    pub file: Option<String>,
    /// The place in the file.
    pub place: Option<Position>,
    /// What is wrong: one sentence, lower-case, without a full stop.
    pub message: String,
    /// What was probably meant.
    pub hint: Option<String>,
    /// Message and hint before they had a language.
    #[serde(skip)]
    said: Box<(Saying, Option<Saying>)>,
}

impl Error {
    /// A mistake without a place, told in English.
    pub(crate) fn new(kind: &'static str, message: impl Into<Saying>, hint: Option<Saying>) -> Self {
        let said = Box::new((message.into(), hint));
        Error { kind, file: None, place: None, message: String::new(), hint: None, said }.told(Lang::En)
    }

    /// An option that is none of those that are known.
    #[cfg_attr(
        not(any(target_arch = "wasm32", test)),
        expect(dead_code, reason = "Rust's own types know their fields")
    )]
    pub(crate) fn unknown_option(name: &str, known: &[&str]) -> Self {
        let hint = crate::facts::spelling::nearest(name, known.iter().copied()).map(did_you_mean);
        Error::new("option", Saying::from(mistake::NO_OPTION).with("name", name), hint)
    }

    /// The mistake in a language.
    #[must_use]
    pub(crate) fn told(self, lang: Lang) -> Self {
        let message = self.said.0.told(lang);
        let hint = self.said.1.as_ref().map(|hint| hint.told(lang));
        Error { message, hint, ..self }
    }
}

/// A checked configuration.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Config {
    /// The server version to go by.
    pub server_version: Option<Version>,
    /// Language of the report.
    pub lang: Option<Lang>,
    /// The time that counts as now, in milliseconds since the Unix epoch.
    pub now: Option<i64>,
    /// What it says about rules.
    pub settings: Settings,
    /// Findings that are known and accepted.
    pub ignore: Vec<Ignore>,
    /// The declared model.
    pub intent: Intent,
    source: Option<Source>,
}

/// The text with its tree, for places of faults that are found later.
#[derive(Debug, Clone, PartialEq)]
struct Source {
    name: String,
    text: String,
    root: Node,
}

/// `mongovet.json` as it is written.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct File {
    /// Where an editor finds the schema of this file.
    #[serde(rename = "$schema")]
    _schema: Option<String>,
    /// Version of the server, such as `8.0`.
    server_version: Option<ServerVersion>,
    /// Language of the report.
    lang: Option<Lang>,
    /// The time that counts as now, a day or a time in ISO 8601.
    now: Option<Moment>,
    /// Levels and options of rules, by id or `group/*`.
    rules: BTreeMap<String, RuleSetting>,
    /// Other levels and options for some collections or files; of several that fit, the last one counts.
    overrides: Vec<Override>,
    /// Findings that are known and accepted.
    ignore: Vec<Ignore>,
    /// The declared model.
    model: Intent,
}

/// The schema of the file; the options of rules are filled in by who knows them.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn file_schema() -> schemars::Schema {
    schemars::schema_for!(File)
}

impl Config {
    /// Reads the text of a configuration file. The names and options of rules are checked by
    /// [`crate::rules::check_settings`].
    pub fn parse(name: &str, text: &str) -> Result<Config, Error> {
        let read = || {
            let root = tree::parse(text)?;
            let file = File::deserialize(&root)?;
            Ok((root, file))
        };
        let (root, file) = read().map_err(|fault: Fault| fault.in_file(name, text))?;
        Ok(Config {
            server_version: file.server_version.map(|version| version.0),
            lang: file.lang,
            now: file.now.map(|moment| moment.0),
            settings: Settings::new(file.rules, file.overrides),
            ignore: file.ignore,
            intent: file.model,
            source: Some(Source { name: name.to_owned(), text: text.to_owned(), root }),
        })
    }

    /// The language that a text asks for, where it is good enough to tell.
    pub(crate) fn lang_of(text: &str) -> Option<Lang> {
        match &tree::parse(text).ok()?.get("lang")?.kind {
            tree::Kind::String(tag) => Lang::from_tag(tag),
            _ => None,
        }
    }

    /// The name of the file.
    pub fn name(&self) -> Option<&str> {
        self.source.as_ref().map(|source| source.name.as_str())
    }

    /// The place of the ignore of a number.
    pub(crate) fn ignore_place(&self, number: usize) -> Option<Position> {
        let source = self.source.as_ref()?;
        let node = source.root.get("ignore")?.at(number)?;
        Some(tree::position(&source.text, node.start))
    }

    /// Every rule pattern of the file with its node and, where there are some, its options.
    pub(crate) fn rule_nodes(&self) -> Vec<(&tree::Key, Option<&Node>)> {
        let Some(root) = self.source.as_ref().map(|source| &source.root) else { return Vec::new() };
        let overrides = root.get("overrides").map(|list| &list.kind);
        let overrides = if let Some(tree::Kind::Array(list)) = overrides { list.as_slice() } else { &[] };
        let mut out = Vec::new();
        for holder in std::iter::once(root).chain(overrides) {
            if let Some(tree::Kind::Object(rules)) = holder.get("rules").map(|rules| &rules.kind) {
                out.extend(rules.iter().map(|(key, setting)| (key, setting.at(1))));
            }
        }
        out
    }

    /// The rule patterns of the ignores with their offsets.
    pub(crate) fn ignored_rules(&self) -> Vec<(usize, &str)> {
        let Some(root) = self.source.as_ref().map(|source| &source.root) else { return Vec::new() };
        let place = |number| Some(root.get("ignore")?.at(number)?.get("rule")?.start);
        let ignores = self.ignore.iter().enumerate();
        ignores.map(|(number, ignore)| (place(number).unwrap_or_default(), ignore.rule.as_str())).collect()
    }

    /// A fault at a byte of the operation of an access pattern, or at the whole where the file writes it otherwise
    /// (with escapes).
    pub(crate) fn fault_in_operation(&self, number: usize, offset: usize, message: Words) -> Fault {
        let operation =
            |root: &Node| Some(root.get("model")?.get("accessPatterns")?.at(number)?.get("operation")?.start);
        let Some((source, start)) = self.source.as_ref().and_then(|source| Some((source, operation(&source.root)?)))
        else {
            return Fault::unplaced(message);
        };
        let written = self.intent.access_patterns.get(number).map(|pattern| pattern.operation.as_str());
        let inside = source.text.get(start + 1..).zip(written).is_some_and(|(text, written)| text.starts_with(written));
        Fault::at(if inside && 0 < offset { start + 1 + offset } else { start }, message)
    }

    /// A fault that was found later, with the file's name.
    pub(crate) fn error(&self, fault: Fault) -> Error {
        match &self.source {
            Some(source) => fault.in_file(&source.name, &source.text),
            None => fault.in_file("", ""),
        }
    }
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "{file}:")?;
            if let Some(place) = self.place {
                write!(f, "{}:{}:", place.line, place.column)?;
            }
            f.write_str(" ")?;
        }
        f.write_str(&self.message)?;
        if let Some(hint) = &self.hint {
            write!(f, "; {hint}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Error {}

/// The nearest name as a question.
pub(crate) fn did_you_mean(name: &str) -> Saying {
    Saying::from(mistake::DID_YOU_MEAN).with("name", name)
}

/// The tree of a text, for tests of what reads it.
#[cfg(test)]
pub(crate) fn node(text: &str) -> Node {
    tree::parse(text).unwrap()
}

/// A shell literal on its own.
fn literal(text: &str) -> Option<Value> {
    let document = format!("{{v: {text}}}");
    let (arena, mut entries) = (Bump::new(), Vec::new());
    let read = decode(document.as_bytes(), &arena, &mut entries, &mut Now::default()).ok()?;
    let document = Document { entries: &entries, fidelity: Fidelity::Exact };
    // One value and nothing behind it: else the text held more than a literal.
    let is_one = read.0 == text.len() + 5 && document.children(0).count() == 1;
    is_one.then(|| Value::from_entry(&document, 1))
}

#[derive(Debug)]
struct ServerVersion(Version);

impl<'de> Deserialize<'de> for ServerVersion {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let fault = || de::Error::invalid_value(de::Unexpected::Str(&text), &mistake::VERSION);
        Version::parse(&text).map(ServerVersion).ok_or_else(fault)
    }
}

impl JsonSchema for ServerVersion {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "ServerVersion".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "examples": ["8.0", "7.0", "6.0"] })
    }
}

/// A point of time in milliseconds since the Unix epoch.
#[derive(Debug)]
struct Moment(i64);

/// The time of a text: a day, which means its first moment in UTC, or a time with its offset.
pub fn moment(text: &str) -> Option<i64> {
    if let Ok(time) = text.parse::<jiff::Timestamp>() {
        return Some(time.as_millisecond());
    }
    text.parse::<jiff::civil::Date>().ok().filter(|_| text.len() == 10)?;
    Some(format!("{text}T00:00:00Z").parse::<jiff::Timestamp>().ok()?.as_millisecond())
}

impl<'de> Deserialize<'de> for Moment {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let fault = || de::Error::invalid_value(de::Unexpected::Str(&text), &mistake::MOMENT);
        moment(&text).map(Moment).ok_or_else(fault)
    }
}

impl JsonSchema for Moment {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Moment".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "examples": ["2026-11-30", "2026-11-30T12:00:00Z"] })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Severity;

    fn mistake(text: &str) -> String {
        Config::parse("mongovet.json", text).unwrap_err().to_string()
    }

    #[test]
    fn settings_are_read() {
        let text = r#"{
            // comments, trailing commas, shell quotes
            serverVersion: '7.0', "lang": "es", "now": "2026-11-30",
            "rules": { "document/large-array": ["warning", { "length": 500 }], "pattern/*": "off" },
            "overrides": [{ "collections": ["shop.audit*"], "rules": { "document/large-array": ["info", {"length": 9}] } }],
            "ignore": [{ "rule": "index/unused", "index": "legacy_1", "reason": "yearly", "until": "2027-01-31" }],
        }"#;
        let config = Config::parse("mongovet.json", text).unwrap();
        assert_eq!(config.server_version, Some(Version::new(7, 0)));
        assert_eq!((config.lang, config.now), (Some(Lang::Es), Some(1_795_996_800_000)));
        let settings = &config.settings;
        let options = settings.options("document/large-array");
        let at = |ns| settings.options_for("document/large-array", Some(ns), None);
        assert_eq!(
            (options[at("shop.orders")]["length"].as_u64(), options[at("shop.audit2")]["length"].as_u64()),
            (Some(500), Some(9))
        );
        assert!(settings.is_off("pattern/tree-unindexed", None, None) && !settings.is_off("index/unused", None, None));
        let severity = |ns| settings.severity("document/large-array", Some(ns), None);
        assert_eq!((severity("shop.orders"), severity("shop.audit")), (Some(Severity::Warning), Some(Severity::Info)));
        assert_eq!(config.ignore[0].until, Some(Day("2027-01-31".into())));
        assert_eq!(config.ignore_place(0), Some(Position { line: 6, column: 24 }));
    }

    #[test]
    fn an_unknown_option_is_told_with_the_nearest() {
        let told = |name: &str| Error::unknown_option(name, &["showValues", "select"]).to_string();
        assert_eq!(told("showValue"), "there is no option `showValue`; did you mean `showValues`?");
        assert_eq!(told("zebra"), "there is no option `zebra`");
    }

    #[test]
    fn mistakes_are_told_in_spanish() {
        let mistake = |text: &str| Config::parse("m", text).unwrap_err().told(Lang::Es).to_string();
        for (text, told) in [
            (r#"{"rulez": {}}"#, "m:1:2: clave desconocida `rulez`; ¿querías decir `rules`?"),
            (
                r#"{"rules": {"a/b": "warn"}}"#,
                "m:1:19: palabra desconocida `warn`: es una de `off`, `info`, `warning`, `error`",
            ),
            (r#"{"rules": {"a/b": ["info", 5]}}"#, ""),
            (r#"{"now": "soon"}"#, "m:1:9: `soon` está donde se espera un día como `2026-11-30` o una hora ISO"),
            (r#"{"serverVersion": 8}"#, "m:1:19: `8` está donde se espera una cadena"),
            (r#"{"ignore": [{"rule": "x/y"}]}"#, "m:1:13: falta la clave `reason`"),
            (r#"{"model": []}"#, "m:1:11: una lista está donde se espera un objeto"),
            ("{a: 1, a: 2}", "m:1:8: la clave `a` está dos veces"),
            ("{", "m:1:2: el texto termina demasiado pronto"),
            ("{\"a\" 1}", "m:1:6: aquí se espera `:`"),
        ] {
            let spanish = mistake(text);
            assert!(told.is_empty() || spanish == told, "{text}: {spanish}");
            // No word of English is left.
            for word in ["is", "the", "expected", "stands", "key", "list"] {
                assert!(spanish.split([' ', ':']).all(|w| w != word), "{text}: {spanish}");
            }
        }
    }

    #[test]
    fn mistakes_have_their_place_and_the_nearest_name() {
        assert_eq!(mistake("{\n  \"rulez\": {}\n}"), "mongovet.json:2:3: unknown key `rulez`; did you mean `rules`?");
        assert_eq!(
            mistake("{ \"rules\": { \"a/b\": \"warn\" } }"),
            "mongovet.json:1:21: unknown word `warn`: it is one of `off`, `info`, `warning`, `error`"
        );
        assert_eq!(mistake("{ \"rules\": { \"a/b\": 3 } }").get(..18), Some("mongovet.json:1:21"));
        assert_eq!(mistake("{ \"now\": \"soon\" }").get(..18), Some("mongovet.json:1:10"));
        assert_eq!(mistake("{\"ignore\": [{\"rule\": \"x/y\"}]}"), "mongovet.json:1:13: the key `reason` is missing");
        assert_eq!(
            mistake("{\"ignore\": [{\"rule\": \"x\", \"reason\": \"\", \"until\": \"2027-02-30\"}]}").get(..18),
            Some("mongovet.json:1:50")
        );
        assert_eq!(mistake("{a: 1, a: 2}"), "mongovet.json:1:8: the key `a` is given twice");
        assert_eq!(mistake("{"), "mongovet.json:1:2: the text ends too early");
        assert_eq!(mistake(""), "mongovet.json:1:1: the text ends too early");
        assert_eq!(mistake("[]"), "mongovet.json:1:1: a list stands where an object is expected");
        assert_eq!(mistake("{} x"), "mongovet.json:1:4: nothing more is expected here");
        assert_eq!(mistake("{\"lang\": null}"), "mongovet.json:1:10: null says nothing here: leave the key out");
        assert!(mistake(&"[".repeat(100_000)).ends_with("nested too deeply"));
        for text in [
            "{a",
            "{a:",
            "{\"a",
            "{'\\u12",
            "{a: /*",
            "{a: -}",
            "{a: 1e999}",
            "{a: NaN}",
            "\"\\",
            "{a: x(",
            "\u{feff}{,}",
        ] {
            assert!(Config::parse("m", text).is_err(), "{text}");
        }
    }

    #[test]
    fn values_may_be_extended_json_or_shell_literals() {
        let text = r#"{ model: { derived: [{ field: "a.b.c", kind: "computed", where: {
            id: ObjectId("507f1f77bcf86cd799439011"), at: { $gt: ISODate("2026-01-01") }, name: /^a,b}/i,
            n: {"$numberLong": "5"}, m: NumberInt(3), plain: 4, list: [1.5, null, true, "x"] } }] } }"#;
        let config = Config::parse("mongovet.json", text).unwrap();
        let value = &config.intent.derived[0].restriction.as_ref().unwrap().0;
        assert!(matches!(value.get("id"), Some(Value::ObjectId(_))));
        assert!(matches!(value.get("at").unwrap().get("$gt"), Some(Value::Date(1_767_225_600_000))));
        assert_eq!(value.get("name"), Some(&Value::Regex("^a,b}".into(), "i".into())));
        assert_eq!(
            (value.get("n"), value.get("m"), value.get("plain")),
            (Some(&Value::Long(5)), Some(&Value::Int(3)), Some(&Value::Int(4)))
        );
        assert_eq!(value.get("list").unwrap().as_array().unwrap().len(), 4);
    }

    #[test]
    fn the_declared_model_is_read_whole() {
        let text = r#"{ "model": {
            "relationships": [{ "parent": "events.workshops", "path": "venue", "to": "events.venues",
              "cardinality": { "typical": 1, "max": 1, "growth": "bounded" },
              "parentsPerChild": { "typical": 30, "p99": 400, "growth": "unbounded" },
              "ownership": "shared", "semantics": "current-copy", "staleness": "1d", "lifecycle": "different",
              "permissions": "shared", "retention": "different", "analytics": "rare", "childWrittenAlone": true,
              "readTogether": "always", "childReadAlone": false, "updatedTogether": true,
              "parentReadsPerDay": 20000, "childUpdatesPerDay": 10.5 }],
            "derived": [{ "field": "events.dailySales.total", "kind": "computed", "source": "events.tickets.price",
              "on": { "soldOn": "day" }, "where": { "state": "open" }, "formula": "sum(price)", "formulaVersion": 2,
              "period": { "field": "day", "length": "1d", "closes": "2d" }, "late": "correct",
              "staleness": "before-close", "propagation": "change-stream", "rebuild": "2h", "consumerGap": "12h",
              "idempotencyKey": "eventId", "versionField": "sourceVersion", "reconciliation": { "every": "1d" },
              "onSourceDelete": "recompute", "personalData": false, "precision": "approximate", "every": "1h",
              "asOf": "countedAt" }, { "field": "a.b.c", "kind": "snapshot", "staleness": "eventual" }],
            "patterns": [{ "collection": "events.workshops", "pattern": "outlier", "path": "attendees", "limit": 20,
              "flag": "hasMore", "overflow": "events.moreAttendees", "accessPattern": "show workshop",
              "cardinality": { "typical": 8, "p99": 15, "max": 1000 }, "reads": 20000, "writes": 300,
              "sourceOfTruth": "events.workshops.attendees", "consistency": "one transaction",
              "indexes": [{ "workshopId": 1 }], "failureModes": ["flag set, nothing in the overflow"],
              "repair": "nightly job", "migration": { "in": "split.js", "out": "join.js" },
              "observability": "number of flagged workshops", "alternative": "parent-reference" },
              { "collection": "iot.readings", "pattern": "bucket", "limit": 360, "close": "hourly", "late": "reopen" }],
            "accessPatterns": [{ "name": "show order", "operation": "db.orders.findOne({_id: X})", "perDay": 20000, "hot": true }],
            "sharding": { "shop.orders": { "key": { "tenantId": 1, "orderId": "hashed" } } }
        } }"#;
        let intent = Config::parse("mongovet.json", text).unwrap().intent;
        assert_eq!(intent.relationships[0].parents_per_child.as_ref().unwrap().growth, Some(intent::Bound::Unbounded));
        assert_eq!(intent.derived[0].consumer_gap, Duration::parse("12h"));
        assert_eq!(intent.derived[0].staleness, Some(Staleness::BeforeClose));
        assert_eq!(intent.derived[1].staleness, Some(Staleness::Vague("eventual".into())));
        assert_eq!(intent.patterns[0].migration.as_ref().unwrap().into.as_deref(), Some("split.js"));
        assert_eq!(intent.sharding["shop.orders"].key.0.get("orderId").unwrap().as_str(), Some("hashed"));
        assert_eq!(
            mistake("{model: {derived: [{field: 'a.b.c', kind: 'computed', propogation: 'job'}]}}"),
            "mongovet.json:1:55: unknown key `propogation`; did you mean `propagation`?"
        );
        assert!(
            mistake("{model: {derived: [{field: 'a.b.c', kind: 'computed', every: 'soon'}]}}")
                .contains("a duration such as")
        );
    }

    #[test]
    fn access_patterns_that_say_nothing_are_mistakes_with_their_place() {
        let told = |operation: &str, lang: Lang| {
            let config = format!("{{\n model: {{ accessPatterns: [{{ name: 'a', operation: {operation} }}] }} }}");
            let options =
                crate::vet::Options { config: Some(config), lang: Some(lang.tag().into()), ..Default::default() };
            crate::Vet::new(options).err().map(|error| error.to_string())
        };
        assert_eq!(told("'db.orders.findOne({_id: X})'", Lang::En), None);
        assert_eq!(told("'db.orders.find({state: s}).sort({at: -1})'", Lang::En), None);
        let unread = told("'db.orders.find({a: )'", Lang::En).unwrap();
        assert_eq!(
            unread,
            "mongovet.json:2:72: this operation does not parse as mongosh does; \
             write it as `db.orders.findOne({_id: X})`"
        );
        assert_eq!(
            told("'orders that are open'", Lang::Es).unwrap(),
            "mongovet.json:2:59: esta operación no se puede leer como la lee mongosh; \
             escríbelo como `db.orders.findOne({_id: X})`"
        );
        for nothing in ["''", "'orders'", "'print(1)'", "'db.orders'", "'find({a: 1})'"] {
            let told = told(nothing, Lang::En).unwrap();
            let expected = "mongovet.json:2:52: no operation on a collection stands in this text";
            assert!(told.starts_with(expected), "{nothing}: {told}");
        }
    }

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig::with_cases(512))]

        /// Broken configurations are mistakes with a place, never a breakdown.
        #[test]
        fn any_text_is_read_or_refused(text in "[\\[\\]{}:,'\"/*\\\\ \n$a-cru0-9.+-]{0,40}|\\PC{0,40}") {
            if let Err(error) = Config::parse("mongovet.json", &text) {
                proptest::prop_assert!(!error.message.is_empty());
            }
        }
    }
}
