//! Catalogue files: metadata of mongodump, `getIndexes()`, `getCollectionInfos()`, statistics, validators.

use crate::catalogue::{
    Action, Claim, CollectionKind, CollectionOptions, Index, IndexUse, Level, Namespace, Origin, Statement, Statistics,
    TimeSeries, Validator,
};
use crate::facts::{Version, schema};
use crate::value::location::Location;
use crate::value::{Value, time};

/// The kinds of catalogue documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// `*.metadata.json` of mongodump, or the metadata in the prelude of an archive.
    Metadata,
    /// `getIndexes()`: an array of indexes, or one index on its own.
    Indexes,
    /// `getCollectionInfos()` or `listCollections`.
    CollectionInfos,
    /// `$collStats` or `stats()`.
    Statistics,
    /// `$indexStats`.
    IndexStats,
    /// `$jsonSchema` alone or wrapped, with or without level and action.
    Validator,
    /// `prelude.json` of mongodump: versions, no collection.
    Prelude,
}

/// What the readers know of an input when they hand over a value.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    /// Name of the input.
    pub input: &'a str,
    /// The collection by option, layout or file name; it stands back where the content names one itself.
    pub namespace: Option<&'a Namespace>,
    /// Whether `namespace` was given as an option and goes before the content.
    pub forced: bool,
    /// Number of statements that this input has given so far.
    pub sequence: u32,
}

/// Which kind of catalogue document this is, by its content alone.
///
/// An array is of a kind when it is not empty and all its elements are of that kind.
pub fn recognise(value: &Value) -> Option<Kind> {
    if let Some(elements) = value.as_array() {
        let kind = recognise_object(elements.first()?)?;
        let listed = matches!(kind, Kind::Indexes | Kind::CollectionInfos | Kind::Statistics | Kind::IndexStats);
        return (listed && elements.iter().all(|e| recognise_object(e) == Some(kind))).then_some(kind);
    }
    recognise_object(value)
}

fn recognise_object(value: &Value) -> Option<Kind> {
    let fields = value.as_object()?;
    let has = |name: &str| fields.iter().any(|(key, _)| key == name);
    if let Some(elements) = first_batch(value) {
        return match recognise_object(elements.first()?)? {
            kind @ (Kind::Indexes | Kind::CollectionInfos | Kind::Statistics | Kind::IndexStats) => Some(kind),
            _ => None,
        };
    }
    if has("ServerVersion") && has("ToolVersion") {
        return Some(Kind::Prelude);
    }
    if has("accesses") && has("name") && has("key") {
        return Some(Kind::IndexStats);
    }
    let index_list =
        |name: &str| value.get(name).and_then(Value::as_array).is_some_and(|list| list.iter().all(is_index));
    if index_list("indexes") && fields.iter().all(|(key, _)| METADATA_FIELDS.contains(&key.as_str())) {
        return Some(Kind::Metadata);
    }
    // mongodump writes neither `options` nor `indexes` for some views.
    if has("collectionName") && has("type") && fields.iter().all(|(key, _)| METADATA_FIELDS.contains(&key.as_str())) {
        return Some(Kind::Metadata);
    }
    if is_index(value) && !has("_id") {
        return Some(Kind::Indexes);
    }
    if has("name")
        && value.get("options").is_some_and(|o| o.as_object().is_some())
        && matches!(value.get("type").and_then(Value::as_str), Some("collection" | "view" | "timeseries"))
    {
        return Some(Kind::CollectionInfos);
    }
    if has("storageStats") || (has("ns") && has("count") && (has("storageSize") || has("indexSizes")) && !has("_id")) {
        return Some(Kind::Statistics);
    }
    if !has("_id")
        && (has("$jsonSchema")
            || value.get("validator").is_some_and(|v| v.as_object().is_some())
            || is_bare_schema(value))
    {
        return Some(Kind::Validator);
    }
    None
}

/// The fields of `metadata.json` over all versions of the tools.
const METADATA_FIELDS: &[&str] =
    &["options", "indexes", "uuid", "collectionName", "type", "db", "collection", "size", "metadata"];

fn is_index(value: &Value) -> bool {
    let Some(key) = value.get("key").and_then(Value::as_object) else { return false };
    !key.is_empty()
        && value.get("name").is_some_and(|n| n.as_str().is_some())
        && (value.get("v").is_some() || key.iter().all(|(_, kind)| kind.as_str().is_some() || kind.as_f64().is_some()))
}

/// A schema that lost its wrapper: keywords only, with `bsonType` or `properties` among them.
fn is_bare_schema(value: &Value) -> bool {
    let Some(fields) = value.as_object() else { return false };
    let object = ["bsonType", "type"].iter().any(|name| value.get(name).and_then(Value::as_str) == Some("object"));
    let properties = value.get("properties").and_then(Value::as_object);
    object
        && properties.is_some_and(|p| p.iter().all(|(_, v)| v.as_object().is_some()))
        // A JSON Schema of another kind says so; only what speaks of BSON types is a validator for sure.
        && !fields.iter().any(|(name, _)| name == "$schema" || name == "$id")
        && mentions_bson_type(value, 0)
        && fields.iter().all(|(name, _)| schema::KEYWORDS.binary_search(&name.as_str()).is_ok() || !name.starts_with('$'))
}

fn mentions_bson_type(value: &Value, depth: u32) -> bool {
    if depth > 20 {
        return false;
    }
    match value {
        Value::Object(fields) => fields.iter().any(|(name, v)| {
            name == "bsonType" && (v.as_str().is_some() || v.as_array().is_some()) || mentions_bson_type(v, depth + 1)
        }),
        Value::Array(elements) => elements.iter().any(|v| mentions_bson_type(v, depth + 1)),
        _ => false,
    }
}

fn first_batch(value: &Value) -> Option<&[Value]> {
    value.get("cursor")?.get("firstBatch")?.as_array()
}

/// The statements of one catalogue document. `Err` tells why it says nothing.
pub fn read(kind: Kind, value: &Value, source: Source<'_>) -> Result<Vec<Statement>, &'static str> {
    let mut reader = Reader { source, statements: Vec::new() };
    let documents = match (value.as_array(), first_batch(value)) {
        (Some(elements), _) | (None, Some(elements)) => elements,
        (None, None) => std::slice::from_ref(value),
    };
    match kind {
        Kind::Prelude => return Ok(Vec::new()),
        Kind::Metadata => reader.metadata(value)?,
        Kind::Indexes => reader.indexes(documents, cursor_namespace(value).as_deref())?,
        Kind::IndexStats => reader.index_stats(documents)?,
        Kind::CollectionInfos => documents.iter().try_for_each(|info| reader.collection_info(info))?,
        Kind::Statistics => documents.iter().try_for_each(|stats| reader.statistics(stats))?,
        Kind::Validator => reader.validator(value)?,
    }
    Ok(reader.statements)
}

/// The server version that a prelude tells.
pub fn prelude_version(value: &Value) -> Option<Version> {
    Version::parse(value.get("ServerVersion")?.as_str()?)
}

/// `listIndexes` names the collection in its cursor.
fn cursor_namespace(value: &Value) -> Option<String> {
    let ns = value.get("cursor")?.get("ns")?.as_str()?;
    Some(ns.replacen("$cmd.listIndexes.", "", 1))
}

struct Reader<'a> {
    source: Source<'a>,
    statements: Vec<Statement>,
}

impl Reader<'_> {
    fn say(&mut self, namespace: Namespace, claim: Claim) {
        self.statements.push(Statement {
            input: self.source.input.to_owned(),
            sequence: self.source.sequence + self.statements.len() as u32,
            namespace,
            origin: Origin::Present,
            location: Some(self.location()),
            claim,
        });
    }

    fn location(&self) -> Location {
        Location { file: self.source.input.to_owned(), start: None, end: None }
    }

    /// The collection that is spoken of: an option, what the content says, what the name of the input says.
    fn namespace(&self, content: Option<&str>) -> Result<Namespace, &'static str> {
        match (self.source.namespace, content) {
            (Some(named), _) if self.source.forced => Ok(named.clone()),
            (_, Some(ns)) => Ok(Namespace::parse(ns)),
            (Some(named), None) => Ok(named.clone()),
            (None, None) => Err("nothing tells which collection this is about"),
        }
    }

    fn place(&self, mut index: Index) -> Index {
        index.location = Some(self.location());
        index
    }

    fn metadata(&mut self, value: &Value) -> Result<(), &'static str> {
        let listed = value.get("indexes").and_then(Value::as_array).unwrap_or_default();
        let named = value.get("collectionName").and_then(Value::as_str);
        let namespace = match (self.source.namespace, named) {
            // The name inside is the true one where the file name was cut or encoded.
            (Some(layout), Some(name)) if !self.source.forced => {
                Namespace { database: layout.database.clone(), collection: name.to_owned() }
            }
            (Some(layout), _) => layout.clone(),
            (None, Some(name)) => Namespace::bare(name),
            (None, None) => {
                let ns = listed.iter().find_map(|index| index.get("ns")).and_then(Value::as_str);
                self.namespace(ns)?
            }
        };
        let namespace = base_of_buckets(namespace);
        let kind = match value.get("type").and_then(Value::as_str) {
            Some("view") => CollectionKind::View,
            Some("timeseries") => CollectionKind::TimeSeries,
            _ => CollectionKind::Collection,
        };
        let options = value.get("options").cloned().unwrap_or(Value::Object(Vec::new()));
        let options = collection_options(&options, kind, Origin::Present, &self.location());
        // Views have no indexes, so that an empty list would say nothing about them.
        let has_indexes = options.kind != CollectionKind::View && value.get("indexes").is_some();
        self.say(namespace.clone(), Claim::Options(options));
        if has_indexes {
            let indexes =
                listed.iter().filter_map(|spec| Index::parse(spec, Origin::Present)).map(|i| self.place(i)).collect();
            self.say(namespace, Claim::Indexes(indexes));
        }
        Ok(())
    }

    fn indexes(&mut self, documents: &[Value], ns: Option<&str>) -> Result<(), &'static str> {
        let ns = ns.or_else(|| documents.iter().find_map(|index| index.get("ns")).and_then(Value::as_str));
        let namespace = base_of_buckets(self.namespace(ns)?);
        let indexes =
            documents.iter().filter_map(|spec| Index::parse(spec, Origin::Present)).map(|i| self.place(i)).collect();
        self.say(namespace, Claim::Indexes(indexes));
        Ok(())
    }

    fn index_stats(&mut self, documents: &[Value]) -> Result<(), &'static str> {
        let namespace = base_of_buckets(self.namespace(None)?);
        let mut indexes: Vec<Index> = Vec::new();
        let mut uses = Vec::new();
        for row in documents {
            let spec = row.get("spec").filter(|spec| spec.get("key").is_some()).unwrap_or(row);
            let Some(mut index) = Index::parse(spec, Origin::Present) else { continue };
            index
                .other
                .retain(|(name, _)| !matches!(name.as_str(), "accesses" | "host" | "shard" | "building" | "spec"));
            let Some(accesses) = row.get("accesses") else { continue };
            uses.push(IndexUse {
                index: index.name.clone(),
                host: text(row, "host"),
                shard: text(row, "shard"),
                operations: count(accesses, "ops").unwrap_or(0),
                since: accesses.get("since").and_then(instant),
                building: row.get("building").and_then(Value::as_bool).unwrap_or(false),
            });
            if indexes.iter().all(|known| known.name != index.name) {
                indexes.push(self.place(index));
            }
        }
        // Only rows with their `spec` tell the options: without them `unique` would be lost.
        if documents.iter().all(|row| row.get("spec").is_some()) {
            self.say(namespace.clone(), Claim::Indexes(indexes));
        }
        for row in uses {
            self.say(namespace.clone(), Claim::IndexUse(row));
        }
        Ok(())
    }

    fn collection_info(&mut self, info: &Value) -> Result<(), &'static str> {
        let name = text(info, "name").ok_or("a collection without a name")?;
        let database = self.source.namespace.and_then(|n| n.database.clone());
        let kind = match info.get("type").and_then(Value::as_str) {
            Some("view") => CollectionKind::View,
            Some("timeseries") => CollectionKind::TimeSeries,
            _ => CollectionKind::Collection,
        };
        let none = Value::Object(Vec::new());
        let options = collection_options(info.get("options").unwrap_or(&none), kind, Origin::Present, &self.location());
        self.say(Namespace { database, collection: name }, Claim::Options(options));
        Ok(())
    }

    fn statistics(&mut self, stats: &Value) -> Result<(), &'static str> {
        let namespace = base_of_buckets(self.namespace(stats.get("ns").and_then(Value::as_str))?);
        let inner = stats.get("storageStats").unwrap_or(stats);
        // `stats()` takes a scale; the figures are bytes again once they are multiplied by it.
        let scale = count(inner, "scaleFactor").unwrap_or(1).max(1);
        let bytes = |name: &str| count(inner, name).map(|figure| figure.saturating_mul(scale));
        let sizes = inner.get("indexSizes").and_then(Value::as_object).unwrap_or_default();
        let statistics = Statistics {
            host: text(stats, "host"),
            shard: text(stats, "shard"),
            count: count(inner, "count"),
            size: bytes("size"),
            average: count(inner, "avgObjSize"),
            storage_size: bytes("storageSize"),
            index_sizes: sizes
                .iter()
                .filter_map(|(name, size)| Some((name.clone(), whole(size)?.saturating_mul(scale))))
                .collect(),
            capped: inner.get("capped").and_then(Value::as_bool),
            sharded: stats.get("sharded").or_else(|| inner.get("sharded")).and_then(Value::as_bool),
            timeseries: inner.get("timeseries").is_some(),
            local_time: stats.get("localTime").and_then(instant),
        };
        self.say(namespace, Claim::Statistics(statistics));
        Ok(())
    }

    fn validator(&mut self, value: &Value) -> Result<(), &'static str> {
        let command = ["collMod", "create"].iter().find_map(|name| value.get(name)).and_then(Value::as_str);
        let mut namespace = self.namespace(None);
        if let (Some(name), false) = (command, self.source.forced) {
            let database = self.source.namespace.and_then(|n| n.database.clone());
            namespace = Ok(Namespace { database, collection: name.to_owned() });
        }
        let options = if value.get("validator").is_some() {
            collection_options(value, CollectionKind::Collection, Origin::Present, &self.location())
        } else {
            let expression = match value.get("$jsonSchema") {
                Some(_) => value.clone(),
                None => Value::Object(vec![("$jsonSchema".to_owned(), value.clone())]),
            };
            let wrapped = Value::Object(vec![("validator".to_owned(), expression)]);
            collection_options(&wrapped, CollectionKind::Collection, Origin::Present, &self.location())
        };
        self.say(namespace?, Claim::ChangeOptions(options));
        Ok(())
    }
}

/// The options of a collection as `createCollection`, `collMod`, metadata and `listCollections` write them.
pub fn collection_options(
    value: &Value,
    kind: CollectionKind,
    origin: Origin,
    location: &Location,
) -> CollectionOptions {
    let mut options = CollectionOptions { kind, ..CollectionOptions::default() };
    for (name, option) in value.as_object().unwrap_or_default() {
        match name.as_str() {
            "capped" => options.capped = option.as_bool(),
            "size" => options.size = option.as_i64(),
            "max" => options.max = option.as_i64(),
            "validationLevel" => options.level = option.as_str().and_then(level),
            "validationAction" => options.action = option.as_str().and_then(action),
            "collation" => options.collation = Some(option.clone()),
            "expireAfterSeconds" => options.expire_after_seconds = Some(option.clone()),
            "clusteredIndex" => options.clustered_index = Some(option.clone()),
            "viewOn" => {
                options.view_on = option.as_str().map(str::to_owned);
                options.kind = CollectionKind::View;
            }
            "pipeline" => options.pipeline = Some(option.clone()),
            "encryptedFields" => options.encrypted_fields = Some(option.clone()),
            "timeseries" => {
                options.kind = CollectionKind::TimeSeries;
                options.timeseries = Some(TimeSeries {
                    time_field: text(option, "timeField").unwrap_or_default(),
                    meta_field: text(option, "metaField"),
                    granularity: text(option, "granularity"),
                    bucket_max_span_seconds: option.get("bucketMaxSpanSeconds").and_then(Value::as_i64),
                    bucket_rounding_seconds: option.get("bucketRoundingSeconds").and_then(Value::as_i64),
                });
            }
            "validator" | "collMod" | "create" | "uuid" | "autoIndexId" | "flags" => {}
            other => options.other.push(other.to_owned()),
        }
    }
    if let Some(expression) = value.get("validator").filter(|v| v.as_object().is_some()) {
        options.validator = Some(Validator {
            expression: expression.clone(),
            level: options.level.unwrap_or_default(),
            action: options.action.unwrap_or_default(),
            origin,
            location: Some(location.clone()),
        });
    }
    options
}

fn level(word: &str) -> Option<Level> {
    Some(match word {
        "off" => Level::Off,
        "moderate" => Level::Moderate,
        "strict" => Level::Strict,
        _ => return None,
    })
}

fn action(word: &str) -> Option<Action> {
    Some(match word {
        "warn" => Action::Warn,
        "error" => Action::Error,
        "errorAndLog" => Action::ErrorAndLog,
        _ => return None,
    })
}

/// A time series keeps its data under `system.buckets.X`; what is said of that is said of X.
fn base_of_buckets(mut namespace: Namespace) -> Namespace {
    if let Some(base) = namespace.collection.strip_prefix("system.buckets.") {
        namespace.collection = base.to_owned();
    }
    namespace
}

fn text(value: &Value, name: &str) -> Option<String> {
    value.get(name).and_then(Value::as_str).map(str::to_owned)
}

fn count(value: &Value, name: &str) -> Option<u64> {
    value.get(name).and_then(whole)
}

/// A count in any of its forms: a number, or the `{low, high, unsigned}` of a dump by Node.
fn whole(value: &Value) -> Option<u64> {
    if let (Some(low), Some(high)) =
        (value.get("low").and_then(Value::as_i64), value.get("high").and_then(Value::as_i64))
    {
        return u64::try_from((high << 32) | (low & 0xffff_ffff)).ok();
    }
    match value.as_i64() {
        Some(number) => u64::try_from(number).ok(),
        None => value.as_f64().filter(|number| *number >= 0.0 && *number < 1.0e19).map(|number| number as u64),
    }
}

/// A time in any of its forms: a date, milliseconds, an ISO text, an `$date` that was left in place.
fn instant(value: &Value) -> Option<i64> {
    match value {
        Value::Date(milliseconds) => Some(*milliseconds),
        Value::String(text) => time::parse_iso(text),
        Value::Object(_) => {
            let inner = value.get("$date")?;
            instant(inner).or_else(|| inner.get("$numberLong")?.as_str()?.parse().ok())
        }
        other => other.as_i64(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::IndexKind;
    use crate::value::samples::json;

    fn statements(text: &str, named: Option<&Namespace>) -> Vec<Statement> {
        let value = json(text);
        let kind = recognise(&value).expect("a kind");
        read(kind, &value, Source { input: "x.json", namespace: named, forced: false, sequence: 0 }).unwrap()
    }

    fn indexes(statements: &[Statement]) -> &[Index] {
        statements
            .iter()
            .find_map(|s| if let Claim::Indexes(list) = &s.claim { Some(list.as_slice()) } else { None })
            .unwrap()
    }

    #[test]
    fn metadata_of_all_tool_versions() {
        let old = r#"{"options":{},"indexes":[{"v":1,"key":{"_id":1},"name":"_id_","ns":"db1.c1"}]}"#;
        assert_eq!(statements(old, None)[0].namespace, Namespace::new("db1", "c1"));
        let canonical = r#"{"indexes":[{"v":{"$numberInt":"2"},"key":{"_id":{"$numberInt":"1"}},"name":"_id_"},{"v":{"$numberInt":"2"},"key":{"f":{"$numberDouble":"1.0"}},"name":"f_1","expireAfterSeconds":1000}],"uuid":"0679","collectionName":"foo"}"#;
        let layout = Namespace::new("test", "f%24oo");
        let read = statements(canonical, Some(&layout));
        assert_eq!(read[1].namespace, Namespace::new("test", "foo"));
        assert_eq!(indexes(&read)[1].key, [("f".to_owned(), IndexKind::Ascending)]);
        assert!(indexes(&read)[1].is_ttl());
        let series = r#"{"options":{"timeseries":{"timeField":"ts","metaField":"meta","granularity":"seconds","bucketMaxSpanSeconds":{"$numberInt":"3600"}}},"indexes":[],"collectionName":"foo_ts","type":"timeseries"}"#;
        let Claim::Options(options) = &statements(series, Some(&Namespace::new("t", "foo_ts")))[0].claim else {
            panic!()
        };
        assert_eq!(options.kind, CollectionKind::TimeSeries);
        assert_eq!(options.timeseries.as_ref().unwrap().bucket_max_span_seconds, Some(3600));
        assert_eq!(recognise(&json(r#"{"ServerVersion":"7.0.16","ToolVersion":""}"#)), Some(Kind::Prelude));
        assert_eq!(prelude_version(&json(r#"{"ServerVersion":"unknown","ToolVersion":""}"#)), None);
    }

    #[test]
    fn one_row_of_index_statistics_for_each_host() {
        let rows = r#"[
            {"name":"a_1","key":{"a":1},"host":"h1","accesses":{"ops":{"$numberLong":"5"},"since":"2026-09-18T02:14:09.120Z"},"spec":{"v":2,"key":{"a":1},"name":"a_1","unique":true}},
            {"name":"a_1","key":{"a":1},"host":"h2","accesses":{"ops":{"low":7,"high":0,"unsigned":false},"since":{"$date":"2026-09-18T02:14:09.120Z"}},"spec":{"v":2,"key":{"a":1},"name":"a_1","unique":true}}]"#;
        let read = statements(rows, Some(&Namespace::bare("x")));
        assert_eq!(indexes(&read).len(), 1);
        assert!(indexes(&read)[0].unique);
        let uses: Vec<&IndexUse> =
            read.iter().filter_map(|s| if let Claim::IndexUse(u) = &s.claim { Some(u) } else { None }).collect();
        assert_eq!(
            uses.iter().map(|u| (u.host.as_deref(), u.operations)).collect::<Vec<_>>(),
            [(Some("h1"), 5), (Some("h2"), 7)]
        );
        assert_eq!(uses[0].since, Some(1_789_697_649_120));
        assert_eq!(uses[0].since, uses[1].since);
    }

    #[test]
    fn statistics_are_bytes() {
        let read = statements(
            r#"{"ns":"a.b","count":3,"size":10,"scaleFactor":1024,"storageSize":2,"avgObjSize":7,"indexSizes":{"_id_":4},"capped":false}"#,
            None,
        );
        let Claim::Statistics(s) = &read[0].claim else { panic!() };
        assert_eq!((s.count, s.size, s.average, s.index_sizes[0].1), (Some(3), Some(10240), Some(7), 4096));
        assert_eq!(read[0].namespace, Namespace::new("a", "b"));
    }

    #[test]
    fn validators_alone_and_wrapped() {
        let named = Namespace::new("s", "c");
        for text in [
            r#"{"$jsonSchema":{"bsonType":"object","required":["a"]}}"#,
            r#"{"validator":{"$jsonSchema":{"bsonType":"object","required":["a"]}},"validationLevel":"moderate","validationAction":"warn"}"#,
            r#"{"bsonType":"object","required":["a"],"properties":{"a":{"bsonType":"int"}}}"#,
        ] {
            let read = statements(text, Some(&named));
            let Claim::ChangeOptions(options) = &read[0].claim else { panic!() };
            let validator = options.validator.as_ref().unwrap();
            assert!(validator.expression.get("$jsonSchema").is_some(), "{text}");
            assert_eq!(validator.level == Level::Moderate, text.contains("moderate"));
        }
    }

    #[test]
    fn documents_are_no_catalogue() {
        for text in [
            r#"{"_id":1,"name":"a","key":{"a":1},"v":2}"#,
            r#"{"name":"x","version":"1.0.0","type":"module","dependencies":{}}"#,
            r#"{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"a":{"type":"string"}}}"#,
            r#"{"name":"a","options":{"b":1}}"#,
            r"[]",
            r#"[{"ns":"a.b","op":"i","o":{}}]"#,
            r#"{"compilerOptions":{},"include":[]}"#,
        ] {
            assert_eq!(recognise(&json(text)), None, "{text}");
        }
    }
}
