//! The index set: the index of well-known discussions comes out, and every set serves what it says it serves.

use mongovet::{InputOptions, Options, Vet};
use proptest::prelude::*;
use serde_json::{Value, json};

const ID: &str = r#"{"v": 2, "key": {"_id": 1}, "name": "_id_"}"#;

fn report(script: &str, indexes: &[Value], documents: Option<&str>) -> Value {
    let mut vet = Vet::new(Options::default()).expect("the options are right");
    let mut list = vec![serde_json::from_str::<Value>(ID).expect("it is JSON")];
    list.extend(indexes.iter().cloned());
    let mut inputs =
        vec![("shop.t.mongodb.js", script.to_owned()), ("shop.t.indexes.json", Value::Array(list).to_string())];
    if let Some(documents) = documents {
        inputs.push(("shop.t.json5", documents.to_owned()));
    }
    for (name, text) in &inputs {
        vet.open(name, InputOptions::default());
        vet.write(text.as_bytes());
        vet.close();
    }
    serde_json::from_str(&vet.finish()).expect("the report is JSON")
}

fn set(script: &str, indexes: &[Value], documents: Option<&str>) -> Value {
    let report = report(script, indexes, documents);
    let all = report["recommendations"].as_array().expect("a list");
    let found: Vec<&Value> = all.iter().filter(|r| r["kind"] == "index-set").collect();
    assert_eq!(found.len(), 1, "{report:#}");
    found[0].clone()
}

fn decision(script: &str, indexes: &[Value], documents: Option<&str>) -> String {
    set(script, indexes, documents)["decision"].as_str().expect("a text").to_owned()
}

fn index(key: &Value, name: &str) -> Value {
    json!({ "v": 2, "key": key, "name": name })
}

#[test]
fn equality_sort_range() {
    let script = "db.t.find({ manufacturer: 'Ford', cost: { $gt: 15000 } }).sort({ model: 1 });";
    assert_eq!(decision(script, &[], None), "{ manufacturer: 1, model: 1, cost: 1 }");
    let script = "db.t.find({ status: 'A', qty: { $lt: 30 } });";
    assert_eq!(decision(script, &[], None), "{ status: 1, qty: 1 }");
    // A range and a sort on the same field are one.
    let script = "db.t.find({ user: 1, at: { $gte: ISODate('2026-01-01') } }).sort({ at: -1 }).limit(10);";
    assert_eq!(decision(script, &[], None), "{ user: 1, at: -1 }");
    let script = "db.t.find({}).sort({ at: -1 }).limit(10);";
    assert_eq!(decision(script, &[], None), "{ at: -1 }");
}

#[test]
fn covered_queries_are_told() {
    let documents = (0..40).map(|n| format!("{{_id: {n}, a: {}, b: {n}, total: {n}, tags: ['a', 'b']}}\n", n % 9));
    let documents: String = documents.collect();
    let present = [index(&json!({ "a": 1, "b": 1 }), "a_1_b_1"), index(&json!({ "tags": 1 }), "tags_1")];
    let covers = |script: &str| {
        let set = set(script, &present, Some(&documents));
        let criteria = set["criteria"].as_array().expect("a list").clone();
        criteria.iter().filter_map(|one| one["evidence"]["covers"].as_array()).map(Vec::len).sum::<usize>()
    };
    assert_eq!(covers("db.t.find({ a: 1 }, { _id: 0, b: 1 });"), 1);
    assert_eq!(covers("db.t.countDocuments({ a: 1 });"), 1);
    assert_eq!(covers("db.t.aggregate([{ $match: { a: 1 } }, { $group: { _id: '$a', n: { $sum: '$b' } } }]);"), 1);
    // `_id` comes with it unless it is left out; null is not in the key; an array is never covered.
    for script in [
        "db.t.find({ a: 1 }, { b: 1 });",
        "db.t.find({ a: 1 });",
        "db.t.find({ a: null }, { _id: 0, b: 1 });",
        "db.t.find({ a: 1 }, { _id: 0, total: 1 });",
        "db.t.find({ tags: 'a' }, { _id: 0, tags: 1 });",
    ] {
        assert_eq!(covers(script), 0, "{script}");
    }
}

#[test]
fn lists_count_as_equality_while_their_scans_can_be_merged() {
    let script = "db.t.find({ state: { $in: ['a', 'b'] }, user: 1 }).sort({ at: -1 }).limit(10);";
    assert_eq!(decision(script, &[], None), "{ user: 1, state: 1, at: -1 }");
    let list = (0..150).map(|n| n.to_string()).collect::<Vec<_>>().join(", ");
    let script = format!("db.t.find({{ a: {{ $in: [{list}] }}, b: {{ $in: [1, 2] }} }}).sort({{ at: -1 }}).limit(10);");
    assert_eq!(decision(&script, &[], None), "{ b: 1, at: -1, a: 1 }");
}

#[test]
fn prefixes_are_shared() {
    let script = "db.t.find({ b: 1, a: 2 }).sort({ at: -1 }).limit(9);
        db.t.find({ a: 2 });
        db.t.find({ a: 5, b: 7 });";
    assert_eq!(decision(script, &[], None), "{ a: 1, b: 1, at: -1 }");
    let set = set("db.t.find({ a: 1 }).sort({ at: -1 }).limit(5);", &[index(&json!({ "a": 1 }), "a_1")], None);
    assert_eq!(set["criteria"][0]["name"], "replace");
    assert_eq!(set["criteria"][0]["evidence"]["replaces"], "a_1");
    assert_eq!(set["scripts"][1]["script"], "db.getSiblingDB(\"shop\").getCollection(\"t\").hideIndex(\"a_1\")");
}

#[test]
fn what_enforces_something_stays() {
    let unique = json!({ "v": 2, "key": { "a": 1 }, "name": "a_1", "unique": true });
    let set = set("db.t.find({ a: { $gt: 1 }, b: 2 }).sort({ c: 1 }).limit(5);", &[unique], None);
    assert_eq!(set["criteria"][0]["name"], "add");
    assert_eq!(set["criteria"][1]["name"], "keep");
}

#[test]
fn two_arrays_are_never_in_one_key() {
    let documents: String = (0..30)
        .map(|n| format!("{{_id: {n}, tags: ['a', 'b'], sizes: [1, 2], kind: 'k{}'}}", n % 9))
        .collect::<Vec<_>>()
        .join("\n");
    let script = "db.t.find({ tags: 'a', sizes: 2, kind: 'k1' });";
    assert_eq!(decision(script, &[], Some(&documents)), "{ kind: 1, tags: 1 }");
}

#[test]
fn every_branch_has_its_index() {
    let script = "db.t.find({ $or: [{ a: 1 }, { b: 2 }] });";
    assert_eq!(decision(script, &[index(&json!({ "a": 1 }), "a_1")], None), "{ b: 1 }");
}

#[test]
fn the_foreign_side_of_a_join_counts() {
    let script = "db.u.aggregate([{ $lookup: { from: 't', localField: '_id', foreignField: 'userId', as: 'all' } }]);";
    assert_eq!(decision(script, &[], None), "{ userId: 1 }");
}

#[test]
fn writes_are_found_by_an_index_too() {
    assert_eq!(decision("db.t.updateOne({ code: 'x' }, { $inc: { n: 1 } });", &[], None), "{ code: 1 }");
    assert_eq!(decision("db.t.deleteMany({ endedAt: { $lt: new Date() } });", &[], None), "{ endedAt: 1 }");
}

#[test]
fn what_is_served_is_kept() {
    let unique = json!({ "v": 2, "key": { "code": 1 }, "name": "code_1", "unique": true });
    let set = set("db.t.find({ _id: 5 }); db.t.findOne({ code: 'x' });", &[unique], None);
    assert_eq!(set["decision"], "keep");
    assert_eq!(set["alternatives"][0]["figures"]["shapesServed"], 2);
}

/// Filters and sorts over a few fields, as scripts write them.
fn operation() -> impl Strategy<Value = String> {
    let field = prop::sample::select(vec!["a", "b", "c", "d"]);
    let test = prop::sample::select(vec!["1", "{ $gt: 1 }", "{ $in: [1, 2] }", "{ $ne: 1 }"]);
    let filter = prop::collection::btree_map(field.clone(), test, 0..4);
    let sort = prop::collection::vec((field, prop::bool::ANY), 0..3);
    (filter, sort).prop_map(|(filter, sort)| {
        let filter: Vec<String> = filter.iter().map(|(name, test)| format!("{name}: {test}")).collect();
        let mut keys: Vec<(&str, bool)> = Vec::new();
        for (name, down) in sort {
            if keys.iter().all(|(known, _)| *known != name) {
                keys.push((name, down));
            }
        }
        let sort: Vec<String> =
            keys.iter().map(|(name, down)| format!("{name}: {}", if *down { -1 } else { 1 })).collect();
        let sort = if sort.is_empty() { String::new() } else { format!(".sort({{ {} }})", sort.join(", ")) };
        format!("db.t.find({{ {} }}){sort}.limit(10);\n", filter.join(", "))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    /// With the indexes that the set adds, nothing is missing any more, and a second decision keeps them.
    #[test]
    fn the_set_serves_every_shape(operations in prop::collection::vec(operation(), 1..6)) {
        let script = operations.concat();
        let first = report(&script, &[], None);
        let Some(set) = first["recommendations"].as_array().unwrap().iter().find(|r| r["kind"] == "index-set") else {
            return Ok(());
        };
        let commands: Vec<&str> = set["scripts"].as_array().unwrap().iter().map(|s| s["script"].as_str().unwrap()).collect();
        let again = report(&format!("{}\n{script}", commands.join("\n")), &[], None);
        let rest: Vec<&Value> = again["findings"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|f| ["index/missing", "index/order", "index/sort-direction"].iter().any(|id| f["rule"] == *id))
            .collect();
        prop_assert!(rest.is_empty(), "{script}\n{set:#}\n{rest:#?}");
        // The order of the text decides nothing.
        let mut turned = operations;
        turned.reverse();
        let other = report(&turned.concat(), &[], None);
        let keys = |report: &Value| {
            let set = report["recommendations"].as_array().unwrap().iter().find(|r| r["kind"] == "index-set").unwrap();
            let mut keys: Vec<String> = set["criteria"].as_array().unwrap().iter().map(|c| c["answer"].to_string()).collect();
            keys.sort();
            keys
        };
        prop_assert_eq!(keys(&first), keys(&other));
    }
}
