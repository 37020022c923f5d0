//! Shard keys: which filters a key lets go to few shards, and which key comes out of what is known.

use mongovet::{InputOptions, Options, Vet};
use proptest::prelude::*;
use serde_json::{Value, json};

fn report(config: &Value, inputs: &[(&str, String)]) -> Value {
    let options = Options { config: Some(config.to_string()), ..Options::default() };
    let mut vet = Vet::new(options).expect("the options are right");
    for (name, text) in inputs {
        vet.open(name, InputOptions::default());
        vet.write(text.as_bytes());
        vet.close();
    }
    serde_json::from_str(&vet.finish()).expect("the report is JSON")
}

fn advice(config: &Value, inputs: &[(&str, String)]) -> Option<Value> {
    let report = report(config, inputs);
    let all = report["recommendations"].as_array().expect("a list");
    all.iter().find(|one| one["kind"] == "shard-key").cloned()
}

fn decision(config: &Value, inputs: &[(&str, String)]) -> String {
    let advice = advice(config, inputs).expect("there is a reason to speak");
    advice["decision"].as_str().expect("a text").to_owned()
}

/// The share of operations that a key targets; nothing where it is not known.
fn targeted(key: &Value, operations: &[&str]) -> Option<f64> {
    let patterns: Vec<Value> =
        operations.iter().map(|operation| json!({ "name": operation, "operation": operation, "perDay": 10 })).collect();
    let config = json!({ "model": { "sharding": { "shop.t": { "key": key } }, "accessPatterns": patterns } });
    advice(&config, &[])?["alternatives"][0]["figures"]["targetedShare"].as_f64()
}

fn wanted(key: &Value) -> Value {
    json!({ "model": { "sharding": { "shop.t": { "key": key } } } })
}

/// Documents an hour apart: accounts of equal size, a number that rises, a random code, one of three states.
fn documents(count: u32) -> (&'static str, String) {
    let document = |n: u32| {
        let random = n.wrapping_mul(2_654_435_761) >> 4;
        format!(
            "{{_id: ObjectId('{:08x}{n:016x}'), account: 't{}', no: {n}, code: 'c{random:08x}', state: 's{}', at: ISODate('2026-01-01')}}",
            1_767_225_600 + n * 3600,
            random % 131,
            random % 3
        )
    };
    ("shop.t.json5", (0..count).map(document).collect::<Vec<_>>().join("\n"))
}

fn script(text: &str) -> (&'static str, String) {
    ("shop.t.mongodb.js", text.to_owned())
}

#[test]
fn the_first_field_of_the_key_targets() {
    let ranged = json!({ "a": 1, "b": 1 });
    let hashed = json!({ "a": "hashed", "b": 1 });
    for (filter, by_range, by_hash) in [
        ("{a: 1}", true, true),
        ("{a: {$eq: 1}, c: {$ne: 2}}", true, true),
        ("{a: {$in: [1, 2]}}", true, true),
        ("{a: null}", true, true),
        ("{a: {$gte: 1, $lt: 9}}", true, false),
        ("{a: /^x/}", true, false),
        ("{a: {$gt: 1}, b: 2}", true, false),
        ("{b: 1}", false, false),
        ("{_id: 1}", false, false),
        ("{a: {$ne: 1}}", false, false),
        ("{a: {$nin: [1]}}", false, false),
        ("{a: {$exists: true}}", false, false),
        ("{a: /x/}", false, false),
        ("{}", false, false),
        ("{$or: [{a: 1}, {a: 2, b: 1}]}", true, true),
        ("{$or: [{a: 1}, {b: 1}]}", false, false),
        ("{$and: [{b: 1}, {a: 1}]}", true, true),
        ("{$nor: [{a: 1}]}", false, false),
    ] {
        for (key, wanted) in [(&ranged, by_range), (&hashed, by_hash)] {
            for operation in [format!("db.t.find({filter})"), format!("db.t.aggregate([{{$match: {filter}}}])")] {
                let share = targeted(key, &[&operation]);
                assert_eq!(share, Some(f64::from(u8::from(wanted))), "{key} {operation}");
            }
        }
    }
}

#[test]
fn writes_name_the_key_in_their_filters_and_inserts_are_left_out() {
    let key = json!({ "a": 1 });
    assert_eq!(targeted(&key, &["db.t.updateOne({a: 1}, {$set: {b: 2}})"]), Some(1.0));
    assert_eq!(targeted(&key, &["db.t.updateOne({_id: 1}, {$set: {b: 2}})"]), Some(0.0));
    assert_eq!(targeted(&key, &["db.t.deleteMany({b: 1})", "db.t.deleteMany({a: 1})"]), Some(0.5));
    assert_eq!(targeted(&key, &["db.t.insertOne({b: 1})"]), None);
    // What the text does not tell is not judged.
    assert_eq!(targeted(&key, &["db.t.find(filter)"]), None);
    assert_eq!(targeted(&key, &["db.t.find({...filter, a: 1})"]), Some(1.0));
    assert_eq!(targeted(&key, &["db.t.find({a: 'x'}).collation({locale: 'en', strength: 2})"]), None);
    // The server moves a `$match` forward where it can.
    let later = "db.t.aggregate([{$project: {a: 1, b: 1}}, {$match: {a: 1}}])";
    assert_eq!(targeted(&key, &[later]), None);
    assert_eq!(targeted(&key, &["db.t.aggregate([{$project: {a: 1, b: 1}}, {$match: {b: 1}}])"]), Some(0.0));
    assert_eq!(targeted(&key, &["db.t.aggregate([{$match: {a: 1}}, {$match: {b: 1}}])"]), Some(1.0));
    let near = "db.t.aggregate([{$geoNear: {near: [1, 2], distanceField: 'd', query: {a: 1}}}])";
    assert_eq!(targeted(&key, &[near]), None);
    assert_eq!(targeted(&key, &["db.t.find({$expr: {$eq: ['$a', 1]}})"]), None);
    // A whole embedded document may hold the field.
    assert_eq!(targeted(&json!({ "a.b": 1 }), &["db.t.find({a: {b: 1}})"]), None);
    assert_eq!(targeted(&json!({ "a.b": 1 }), &["db.t.find({'a.b': 1})"]), Some(1.0));
}

fn test() -> impl Strategy<Value = (&'static str, bool, bool)> {
    prop::sample::select(vec![
        ("7", true, true),
        ("{$in: [1, 2]}", true, true),
        ("{$gt: 3}", false, true),
        ("{$gte: 3, $lt: 5}", false, true),
        ("{$ne: 3}", false, false),
        ("{$exists: true}", false, false),
    ])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    /// Whatever else a filter tests, only what it says of the first field decides.
    #[test]
    fn other_fields_change_nothing(own in prop::option::of(test()), others in prop::collection::vec(test(), 0..3), hashed: bool) {
        let mut parts: Vec<String> = others.iter().zip(["b", "c", "_id"]).map(|(t, path)| format!("{path}: {}", t.0)).collect();
        parts.extend(own.map(|t| format!("a: {}", t.0)));
        let key = if hashed { json!({ "a": "hashed", "b": 1 }) } else { json!({ "a": 1, "b": "hashed" }) };
        let expected = own.is_some_and(|(_, point, bounded)| if hashed { point } else { bounded });
        let operation = format!("db.t.find({{{}}})", parts.join(", "));
        prop_assert_eq!(targeted(&key, &[&operation]), Some(f64::from(u8::from(expected))), "{}", operation);
    }
}

#[test]
fn nobody_asks_nothing_is_said() {
    let queries = script("db.t.find({account: 't1'})");
    assert!(advice(&json!({}), &[documents(200), queries]).is_none());
}

#[test]
fn a_key_that_rises_gives_way_to_one_that_filters_name() {
    let inputs =
        [documents(600), script("db.t.find({account: 't1', state: 's1'}); db.t.findOne({account: 't1', no: 5})")];
    let advice = advice(&wanted(&json!({ "no": 1 })), &inputs).expect("a key is wanted");
    assert_eq!(advice["decision"], "{ account: 1, no: \"hashed\" }");
    assert_eq!(advice["today"], "unsharded");
    assert!(advice["alternatives"][0]["out"].as_str().is_some_and(|out| out.contains("insertion")), "{advice:#}");
    let scripts: Vec<&str> =
        advice["scripts"].as_array().expect("a list").iter().filter_map(|s| s["script"].as_str()).collect();
    assert!(scripts[0].contains("createIndex({ account: 1, no: \"hashed\" })"), "{}", scripts[0]);
    assert!(scripts[0].contains("sh.shardCollection(\"shop.t\", { account: 1, no: \"hashed\" })"), "{}", scripts[0]);
}

#[test]
fn a_good_wish_is_confirmed() {
    let inputs = [documents(600), script("db.t.find({account: 't1'})")];
    let key = json!({ "account": 1, "code": "hashed" });
    assert_eq!(decision(&wanted(&key), &inputs), "{ account: 1, code: \"hashed\" }");
}

#[test]
fn small_data_stays_where_it_is() {
    let statistics = json!({ "ns": "shop.t", "count": 600, "size": 120_000, "storageSize": 50_000, "sharded": false });
    let inputs = [documents(600), ("shop.t.stats.json", statistics.to_string()), script("db.t.find({account: 't1'})")];
    let key = json!({ "account": 1, "code": 1 });
    let advice = advice(&wanted(&key), &inputs).expect("a key is wanted");
    assert_eq!((&advice["decision"], &advice["criteria"][0]["answer"]), (&json!("keep"), &json!("small")));
    assert!(advice["scripts"].as_array().is_some_and(Vec::is_empty), "{advice:#}");
}

fn status(key: &Value) -> (&'static str, String) {
    let one =
        json!({ "_id": "shop.t", "lastmodEpoch": { "$oid": "6981b910c3fc4fe6ef00142c" }, "key": key, "unique": false });
    ("sharding.json", json!([one]).to_string())
}

#[test]
fn a_key_of_few_values_gets_a_suffix() {
    let inputs = [
        documents(600),
        status(&json!({ "state": 1 })),
        script("db.t.find({state: 's1'}); db.t.findOne({state: 's1', code: 'c1'})"),
    ];
    let advice = advice(&json!({}), &inputs).expect("there is a key");
    assert_eq!((&advice["today"], &advice["decision"]), (&json!("{ state: 1 }"), &json!("{ state: 1, code: 1 }")));
    let script = advice["scripts"][0]["script"].as_str().expect("a script");
    assert!(script.contains("refineCollectionShardKey: \"shop.t\", key: { state: 1, code: 1 }"), "{script}");
}

#[test]
fn a_key_that_most_operations_do_not_name_is_changed() {
    let inputs = [
        documents(600),
        status(&json!({ "code": 1 })),
        script("db.t.find({account: 't1'}); db.t.find({account: 't2', state: 's1'})"),
    ];
    let advice = advice(&json!({}), &inputs).expect("there is a key");
    let decision = advice["decision"].as_str().expect("a text");
    assert!(decision.starts_with("{ account: 1, "), "{decision}");
    let script = &advice["scripts"][0];
    assert_eq!((&script["name"], &script["safety"]), (&json!("reshard"), &json!("review")));
    let old = [documents(600), status(&json!({ "code": 1 })), script_of_accounts()];
    let advice = advice_of(&json!({ "serverVersion": "4.4" }), &old);
    assert_eq!(advice["scripts"][0]["safety"], "manual", "before 5.0 no command changes a key");
}

#[test]
fn a_wish_goes_before_what_is_as_good() {
    let inputs = [documents(600), status(&json!({ "no": 1 })), script_of_accounts()];
    assert_eq!(decision(&json!({}), &inputs), "{ account: 1, _id: \"hashed\" }");
    assert_eq!(decision(&wanted(&json!({ "account": 1, "code": 1 })), &inputs), "{ account: 1, code: 1 }");
}

fn script_of_accounts() -> (&'static str, String) {
    script("db.t.find({account: 't1'}); db.t.find({account: 't2', state: 's1'})")
}

fn advice_of(config: &Value, inputs: &[(&str, String)]) -> Value {
    advice(config, inputs).expect("there is a reason to speak")
}

#[test]
fn a_key_that_serves_stays() {
    let inputs = [documents(600), status(&json!({ "account": 1, "code": 1 })), script_of_accounts()];
    assert_eq!(decision(&json!({}), &inputs), "keep");
}

#[test]
fn what_the_server_measured_goes_before_documents() {
    let analysis = json!({
        "keyCharacteristics": {
            "numDocsTotal": 900_000_000, "avgDocSizeBytes": 900, "numDocsSampled": 900_000_000, "isUnique": false,
            "numDistinctValues": 4, "mostCommonValues": [{ "value": { "code": "secret" }, "frequency": 500_000_000 }],
            "monotonicity": { "recordIdCorrelationCoefficient": 0.1, "type": "not monotonic" }
        },
        "ok": 1
    });
    let inputs = [documents(600), ("shop.t.analyzeShardKey.json", analysis.to_string()), script_of_accounts()];
    let advice = advice_of(&wanted(&json!({ "code": 1 })), &inputs);
    assert_eq!(advice["alternatives"][0]["figures"]["distinctValues"], 4);
    assert!(advice["decision"].as_str().is_some_and(|decision| decision.starts_with("{ account: 1")), "{advice:#}");
    assert!(!advice.to_string().contains("secret"), "values are told nowhere");
}

#[test]
fn unique_indexes_decide_what_may_be_a_key() {
    let indexes = json!([
        { "v": 2, "key": { "_id": 1 }, "name": "_id_" },
        { "v": 2, "key": { "account": 1, "no": 1 }, "name": "account_1_no_1", "unique": true }
    ]);
    let inputs = [documents(600), ("shop.t.indexes.json", indexes.to_string()), script_of_accounts()];
    let advice = advice_of(&wanted(&json!({ "code": "hashed" })), &inputs);
    assert!(
        advice["alternatives"][0]["out"].as_str().is_some_and(|out| out.contains("account: 1, no: 1")),
        "{advice:#}"
    );
    assert_eq!(advice["decision"], "{ account: 1, no: 1 }", "its index is there already");
}
