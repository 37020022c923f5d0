//! What tells of shards and their keys: `sh.status()` as text and as an object, documents of the `config` database,
//! output of `analyzeShardKey`.

use bumpalo::Bump;

use crate::catalogue::{Claim, Cluster, KeyAnalysis, Namespace, Origin, ShardKey, Statement};
use crate::value::event::Fidelity;
use crate::value::literal;
use crate::value::location::Location;
use crate::value::{Document, Value};

/// What one input says.
#[derive(Debug, Default)]
pub struct Reading {
    /// Keys and measures of collections.
    pub statements: Vec<Statement>,
    /// The cluster as a whole.
    pub cluster: Cluster,
}

/// Reads documents. `ns` is the collection that the name of the input says, `sequence` the number of statements that
/// the input has given so far.
pub fn read(value: &Value, input: &str, ns: Option<&Namespace>, sequence: u32) -> Reading {
    let mut reader = Reader { input, sequence, reading: Reading::default() };
    let documents = value.as_array().unwrap_or(std::slice::from_ref(value));
    for document in documents {
        reader.document(document, ns);
    }
    reader.reading
}

/// Whether a text is what the shell prints for `sh.status()`.
pub(super) fn is_status(text: &str) -> bool {
    text.lines().take(20).any(|line| {
        let line = line.trim();
        line == "shardingVersion" || line.starts_with("--- Sharding Status") || line == "sharding version: {"
    })
}

/// Reads what the shell prints for `sh.status()`: mongosh, and the old shell.
pub fn read_status(text: &str, input: &str) -> Reading {
    let mut reader = Reader { input, sequence: 0, reading: Reading::default() };
    reader.reading.cluster.listed = true;
    for (at, mark) in text.match_indices("shardKey:").chain(text.match_indices("shard key:")) {
        let before = text.get(..at).unwrap_or_default();
        let Some((key, rest)) = text.get(at + mark.len()..).and_then(first_object) else { continue };
        let name = if mark == "shardKey:" { quoted_before(before) } else { line_before(before) };
        let unique = rest.trim_start_matches([',', ' ', '\n', '\r', '\t']).starts_with("unique: true");
        if let Some(name) = name {
            reader.key(name, &key, unique);
        }
    }
    let mut rest = text.split_once("shards").map_or("", |(_, rest)| rest);
    while let Some((shard, behind)) = first_object(rest).filter(|(shard, _)| shard.get("host").is_some()) {
        reader.shard(&shard, "_id");
        rest = behind;
    }
    reader.reading
}

struct Reader<'a> {
    input: &'a str,
    sequence: u32,
    reading: Reading,
}

impl Reader<'_> {
    fn document(&mut self, document: &Value, ns: Option<&Namespace>) {
        let name = document.get("_id").and_then(Value::as_str);
        if ["keyCharacteristics", "readDistribution", "writeDistribution"].iter().any(|n| document.get(n).is_some()) {
            if let Some(ns) = ns {
                let analysis = KeyAnalysis { location: Some(self.location()), ..KeyAnalysis::parse(document) };
                self.say(ns.clone(), Claim::KeyAnalysis(analysis));
            }
        } else if let Some(databases) = document.get("databases").and_then(Value::as_array) {
            self.status(document, databases);
        } else if let (Some(name), Some(key)) = (name, document.get("key")) {
            // Since 8.0 collections that are not sharded are listed, too; before 5.0 those that were dropped.
            let set = |flag: &str| document.get(flag).and_then(Value::as_bool) == Some(true);
            if !set("unsplittable") && !set("dropped") {
                self.key(name, key, set("unique"));
            }
        } else if document.get("host").is_some() {
            self.shard(document, "_id");
        } else {
            self.shard(document, "primary");
            self.shard(document, "shard");
        }
    }

    /// What `sh.status()` returns.
    fn status(&mut self, document: &Value, databases: &[Value]) {
        self.reading.cluster.listed = true;
        for shard in document.get("shards").and_then(Value::as_array).unwrap_or_default() {
            self.shard(shard, "_id");
        }
        for collections in databases.iter().filter_map(|database| database.get("collections")?.as_object()) {
            for (name, collection) in collections {
                let unique = collection.get("unique").and_then(Value::as_bool) == Some(true);
                if let Some(key) = collection.get("shardKey") {
                    self.key(name, key, unique);
                }
            }
        }
    }

    fn key(&mut self, name: &str, key: &Value, unique: bool) {
        let mut ns = Namespace::parse(name);
        if let Some(base) = ns.collection.strip_prefix("system.buckets.").map(str::to_owned) {
            ns.collection = base;
        }
        let Some(key) = ShardKey::of_pattern(key, Origin::Present).filter(|_| !ns.is_internal()) else { return };
        let location = Some(self.location());
        self.say(ns, Claim::ShardKey(ShardKey { unique, location, ..key }));
    }

    fn shard(&mut self, document: &Value, field: &str) {
        let name = document.get(field).and_then(Value::as_str).filter(|name| *name != "config");
        let shards = name.map(|name| vec![name.to_owned()]).unwrap_or_default();
        self.reading.cluster.merge(Cluster { shards, listed: false });
    }

    fn location(&self) -> Location {
        Location { file: self.input.to_owned(), start: None, end: None }
    }

    fn say(&mut self, namespace: Namespace, claim: Claim) {
        let location = Some(self.location());
        let (input, sequence) = (self.input.to_owned(), self.sequence);
        self.sequence = sequence.saturating_add(1);
        self.reading.statements.push(Statement {
            input,
            sequence,
            namespace,
            origin: Origin::Present,
            location,
            claim,
        });
    }
}

/// The first object of a text, and what follows it.
fn first_object(text: &str) -> Option<(Value, &str)> {
    let text = text.get(text.find('{')?..)?;
    let arena = Bump::new();
    let mut entries = Vec::new();
    let (length, _) = literal::decode(text.as_bytes(), &arena, &mut entries, &mut literal::Now::default()).ok()?;
    let value = Value::from_document(&Document { entries: &entries, fidelity: Fidelity::Exact });
    Some((value, text.get(length..)?))
}

/// The name before the last brace that mongosh opens: `'shop.orders': {`.
fn quoted_before(text: &str) -> Option<&str> {
    let text = text.trim_end().strip_suffix('{')?.trim_end().strip_suffix(':')?.trim_end();
    let quote = text.chars().next_back().filter(|quote| matches!(quote, '\'' | '"'))?;
    text.strip_suffix(quote)?.rsplit(quote).next()
}

/// The name on the last line before this one, as the old shell prints it.
fn line_before(text: &str) -> Option<&str> {
    let mut lines = text.lines().rev().skip(1).map(str::trim);
    lines.find(|line| !line.is_empty()).filter(|line| line.contains('.') && !line.contains(['{', '"']))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(reading: &Reading) -> Vec<String> {
        let key = |statement: &Statement| match &statement.claim {
            Claim::ShardKey(key) => format!("{} {} {}", statement.namespace, key.script(), key.unique),
            _ => String::new(),
        };
        reading.statements.iter().map(key).collect()
    }

    #[test]
    fn the_status_of_both_shells() {
        let mongosh = "[direct: mongos] test> sh.status()\nshardingVersion\n{ _id: 1, clusterId: ObjectId('635f0000000000000000000a') }\n---\nshards\n[\n  {\n    _id: 'rs-a',\n    host: 'rs-a/a.example.com:27018',\n    state: 1\n  },\n  { _id: 'rs-b', host: 'rs-b/b.example.com:27018', state: 1 }\n]\n---\nactive mongoses\n[ { '7.0.2': 1 } ]\n---\ndatabases\n[\n  {\n    database: { _id: 'shop', primary: 'rs-a', version: { lastMod: 1 } },\n    collections: {\n      'shop.orders': {\n        shardKey: { tenantId: 1, orderId: 'hashed' },\n        unique: false,\n        balancing: true\n      },\n      'shop.users': { shardKey: { _id: 1 }, unique: true, balancing: true }\n    }\n  }\n]\n";
        assert!(is_status(mongosh));
        let reading = read_status(mongosh, "sh.status.txt");
        assert_eq!(
            told(&reading),
            ["shop.orders { tenantId: 1, orderId: \"hashed\" } false", "shop.users { _id: 1 } true"]
        );
        assert_eq!((reading.cluster.shards, reading.cluster.listed), (vec!["rs-a".into(), "rs-b".into()], true));
        let old = "--- Sharding Status --- \n  sharding version: {\n  \t\"_id\" : 1,\n  \t\"clusterId\" : ObjectId(\"635f0000000000000000000a\")\n  }\n  shards:\n        {  \"_id\" : \"s1\",  \"host\" : \"s1/a:1\",  \"state\" : 1 }\n        {  \"_id\" : \"s2\",  \"host\" : \"s2/b:1\",  \"state\" : 1 }\n  active mongoses:\n        \"4.4.0\" : 1\n  databases:\n        {  \"_id\" : \"shop\",  \"primary\" : \"s1\",  \"partitioned\" : true }\n                shop.orders\n                        shard key: { \"day\" : 1 }\n                        unique: false\n                        balancing: true\n                        chunks:\n                                s1\t2\n";
        let reading = read_status(old, "status.txt");
        assert_eq!(told(&reading), ["shop.orders { day: 1 } false"]);
        assert_eq!(reading.cluster.shards, ["s1", "s2"]);
    }

    #[test]
    fn documents_of_the_config_database() {
        let object = |text: &str| first_object(text).expect("an object").0;
        let list = Value::Array(vec![
            object("{_id: 'shop.orders', lastmodEpoch: 1, key: {a: 1}, unique: true}"),
            object("{_id: 'shop.small', lastmodEpoch: 1, key: {_id: 1}, unsplittable: true}"),
            object("{_id: 'config.system.sessions', lastmodEpoch: 1, key: {_id: 1}, unique: false}"),
            object("{_id: 'rs-b', host: 'rs-b/b:1', state: 1}"),
            object("{_id: 'shop', primary: 'rs-a', partitioned: true}"),
        ]);
        let reading = read(&list, "sharding.json", None, 0);
        assert_eq!(told(&reading), ["shop.orders { a: 1 } true"]);
        assert_eq!((reading.cluster.shards, reading.cluster.listed), (vec!["rs-a".into(), "rs-b".into()], false));
        let status = object(
            "{shardingVersion: {_id: 1}, shards: [{_id: 's1', host: 'h', state: 1}], databases: [{database: {_id: 'shop'}, collections: {'shop.orders': {shardKey: {b: 'hashed'}, unique: false}}}]}",
        );
        let reading = read(&status, "status.json", None, 0);
        assert_eq!(told(&reading), ["shop.orders { b: \"hashed\" } false"]);
        assert!(reading.cluster.listed);
    }
}
