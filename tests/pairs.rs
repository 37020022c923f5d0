//! What belongs to a sample is fetched from a live server: bounded, the same each time, and seen in nothing but pairs.

use std::collections::{BTreeMap, BTreeSet};

use mongovet::evidence::pairs::Reply;
use mongovet::model::wanted::Limits;
use mongovet::{InputOptions, Options, Vet};
use proptest::prelude::*;
use serde_json::{Value, json};

/// A server as far as it answers `{path: {$in: […]}}`.
type Server = BTreeMap<&'static str, Vec<Value>>;

fn id(kind: u32, number: u32) -> Value {
    json!({ "$oid": format!("65f0{kind:04x}00000000{number:08x}") })
}

/// Orders of customers; the customers of each tenth order are gone. What `author` refers to its name does not tell.
fn shop() -> Server {
    let orders = (0..3_000).map(|n| {
        let customer = if n % 10 == 0 { id(9, n) } else { id(2, n * 7 % 3_000) };
        json!({ "_id": id(1, n), "customerId": customer, "author": id(3, n % 2_500), "status": "new" })
    });
    let customers = (0..3_000).map(|n| json!({ "_id": id(2, n), "name": format!("name {n}") }));
    let users = (0..3_000).map(|n| json!({ "_id": id(3, n), "name": format!("user {n}") }));
    BTreeMap::from([("customers", customers.collect()), ("orders", orders.collect()), ("users", users.collect())])
}

/// Every `step`-th document, beginning with another one in each collection.
fn sample(server: &Server, step: usize) -> Vec<(String, Vec<u8>)> {
    let lines = |documents: &[Value], first: usize| -> Vec<u8> {
        documents.iter().skip(first).step_by(step).flat_map(|d| format!("{d}\n").into_bytes()).collect()
    };
    let documents = server.iter().enumerate().map(|(at, (name, d))| (format!("shop.{name}.sample.json"), lines(d, at)));
    let counts = server.iter().map(|(name, d)| {
        let stats = json!({ "ns": format!("shop.{name}"), "count": d.len() * 100, "size": d.len() * 10_000, "ok": 1 });
        (format!("shop.{name}.stats.json"), stats.to_string().into_bytes())
    });
    let indexes = server.keys().map(|name| {
        let index = |key: &str, name: &str| json!({ "v": 2, "key": { key: 1 }, "name": name });
        let mut indexes = vec![index("_id", "_id_")];
        if *name == "orders" {
            indexes.push(index("customerId", "by customer"));
        }
        (format!("shop.{name}.indexes.json"), Value::from(indexes).to_string().into_bytes())
    });
    documents.chain(counts).chain(indexes).collect()
}

fn feed(vet: &mut Vet, name: &str, bytes: &[u8], options: InputOptions) {
    vet.open(name, options);
    vet.write(bytes);
    vet.close();
}

fn sampled(server: &Server, step: usize) -> Vet {
    let mut vet = Vet::new(Options::default()).expect("the options are right");
    for (name, bytes) in sample(server, step) {
        feed(&mut vet, &name, &bytes, of_its_collection(&name));
    }
    vet
}

/// A host knows the collection of what it reads.
fn of_its_collection(name: &str) -> InputOptions {
    let collection = name.split('.').take(2).collect::<Vec<_>>().join(".");
    InputOptions { collection: Some(collection), ..InputOptions::default() }
}

fn wanted(vet: &mut Vet, limits: Limits) -> Vec<Value> {
    serde_json::from_str(&vet.wanted(limits)).expect("a list")
}

/// The documents that answer a command.
fn answer<'s>(server: &'s Server, command: &Value) -> Vec<&'s Value> {
    let (path, condition) = command["filter"].as_object().and_then(|f| f.iter().next()).expect("one condition");
    let values: BTreeSet<String> = condition["$in"].as_array().expect("a list").iter().map(Value::to_string).collect();
    let limit = command["limit"].as_u64().expect("a number") as usize;
    let documents = &server[command["find"].as_str().expect("a name")];
    documents.iter().filter(|d| values.contains(&d[path].to_string())).take(limit).collect()
}

/// Executes what is wanted as a host does.
fn fetch(vet: &mut Vet, server: &Server, limits: Limits) -> Vec<Value> {
    let wanted = wanted(vet, limits);
    for one in &wanted {
        let command = &one["command"];
        let reply: Vec<u8> = answer(server, command).into_iter().flat_map(|d| format!("{d}\n").into_bytes()).collect();
        let limit = command["limit"].as_u64().expect("a number");
        let pairs = Some(Reply { filter: command["filter"].clone(), limit, whole: true });
        let collection = one["namespace"].as_str().map(str::to_owned);
        let options = InputOptions { collection, pairs, ..InputOptions::default() };
        feed(vet, one["name"].as_str().expect("a name"), &reply, options);
    }
    wanted
}

/// The report without its list of inputs and what was said of them.
fn without_inputs(report: &str) -> Value {
    let mut report: Value = serde_json::from_str(report).expect("the report is JSON");
    report["inputs"] = Value::Null;
    report["summary"]["problems"] = Value::Null;
    report
}

fn edges(vet: &Vet) -> Vec<String> {
    let diagram = vet.schema("mermaid").expect("a format");
    diagram.lines().filter(|line| line.contains("}o--")).map(|line| line.trim().to_owned()).collect()
}

#[test]
fn a_sampled_database_shows_its_references() {
    let server = shop();
    let mut alone = sampled(&server, 10);
    alone.finish();
    assert_eq!(edges(&alone), Vec::<String>::new(), "two samples share too little");
    let mut vet = sampled(&server, 10);
    fetch(&mut vet, &server, Limits::default());
    vet.finish();
    assert_eq!(edges(&vet), ["Orders }o--|| Users : \"author\"", "Orders }o--|| Customers : \"customerId\""]);
}

#[test]
fn a_name_without_the_values_is_no_reference() {
    let mut server = shop();
    for (at, order) in server.get_mut("orders").expect("there").iter_mut().enumerate() {
        order["author"] = Value::Null;
        order["customerId"] = id(8, at as u32);
    }
    let mut vet = sampled(&server, 10);
    fetch(&mut vet, &server, Limits::default());
    vet.finish();
    assert_eq!(edges(&vet), Vec::<String>::new());
}

#[test]
fn nothing_but_pairs_sees_what_was_fetched() {
    let server = shop();
    let mut alone = sampled(&server, 10);
    let expected = alone.finish();
    let mut vet = sampled(&server, 10);
    assert!(!fetch(&mut vet, &server, Limits::default()).is_empty());
    let report = vet.finish();
    // What is decided about a reference rests on its pairs; everything else must not see them.
    let statistics = |report: &str| {
        let mut report = without_inputs(report);
        report["recommendations"] = Value::Null;
        report
    };
    assert_eq!(statistics(&report), statistics(&expected));
    for format in ["json", "text"] {
        let profile = |vet: &Vet| vet.profile(format, 80).expect("a format");
        assert_eq!(profile(&vet), profile(&alone), "{format}");
    }
    let inputs = serde_json::from_str::<Value>(&report).expect("JSON")["inputs"].clone();
    let pairs = inputs.as_array().expect("a list").iter().filter(|input| input["kind"] == "pairs");
    assert!(0 < pairs.map(|input| input["documents"].as_u64().unwrap_or(0)).sum::<u64>());
}

#[test]
fn commands_are_bounded_and_the_same_in_any_order() {
    let server = shop();
    let limits = Limits { keys: 40, keys_of_reference: 100, commands: 6, ..Limits::default() };
    let mut vet = sampled(&server, 10);
    let commands = wanted(&mut vet, limits);
    assert_eq!(commands.len(), 6);
    for one in &commands {
        let condition = one["command"]["filter"].as_object().and_then(|f| f.values().next()).expect("one condition");
        let values = condition["$in"].as_array().expect("a list").len();
        assert!(0 < values && values <= 40, "{values}");
        assert!(one["command"]["limit"].as_u64().is_some_and(|limit| limit <= 2_000));
    }
    let all = wanted(&mut sampled(&server, 10), Limits { commands: 1_000, ..limits });
    assert_eq!(all[..6], commands, "the most useful ones come first");
    let mut turned = Vet::new(Options::default()).expect("the options are right");
    for (name, bytes) in sample(&server, 10).into_iter().rev() {
        feed(&mut turned, &name, &bytes, of_its_collection(&name));
    }
    assert_eq!(wanted(&mut turned, limits), commands);
    let values = |find: &str, path: &str| -> usize {
        let of = all.iter().filter(|one| one["command"]["find"] == find);
        of.filter_map(|one| Some(one["command"]["filter"][path]["$in"].as_array()?.len())).sum()
    };
    // The authors may be customers by their type alone, which a few values tell.
    assert_eq!(values("customers", "_id"), 100 + 25, "targets of the sampled references, up to the bound");
    assert_eq!(values("orders", "customerId"), 100, "children of the sampled parents, up to the bound");
    assert!(values("users", "_id") <= 25, "what only a type suggests is tried with a few values");
}

#[test]
fn no_collection_is_scanned() {
    let server = shop();
    let find_orders = |wanted: &[Value]| -> Vec<Value> {
        let commands = wanted.iter().map(|one| &one["command"]).filter(|command| command["find"] == "orders");
        commands.filter(|command| command["filter"]["customerId"].is_object()).cloned().collect()
    };
    let with_index = wanted(&mut sampled(&server, 10), Limits::default());
    let children = find_orders(&with_index);
    assert!(!children.is_empty() && children.iter().all(|command| command["hint"] == "by customer"), "{children:?}");

    let without = |limits: Limits| {
        let mut vet = Vet::new(Options::default()).expect("the options are right");
        for (name, bytes) in sample(&server, 10) {
            let bytes = if name == "shop.orders.indexes.json" {
                br#"[{"v": 2, "key": {"_id": 1}, "name": "_id_"}]"#.to_vec()
            } else {
                bytes
            };
            feed(&mut vet, &name, &bytes, of_its_collection(&name));
        }
        let wanted = wanted(&mut vet, limits);
        let report: Value = serde_json::from_str(&vet.finish()).expect("JSON");
        let inputs = report["inputs"].as_array().expect("a list").clone();
        let told = inputs.iter().filter(|input| input["problems"][0]["kind"] == "unserved").cloned().collect();
        (find_orders(&wanted), told)
    };
    let (commands, told): (_, Vec<Value>) = without(Limits::default());
    assert_eq!(commands, Vec::<Value>::new());
    assert_eq!(told.len(), 1);
    assert_eq!(told[0]["name"], "shop.orders.pairs");
    assert!(told[0]["problems"][0]["message"].as_str().is_some_and(|text| text.contains("`customerId`")), "{told:?}");
    let (commands, told) = without(Limits { scanned: 1_000_000, ..Limits::default() });
    assert!(!commands.is_empty() && commands.iter().all(|command| command["hint"].is_null()), "a small one may be");
    assert_eq!(told, Vec::<Value>::new());
}

#[test]
fn pairs_travel_with_what_was_learned_elsewhere() {
    let server = shop();
    let mut whole = sampled(&server, 10);
    fetch(&mut whole, &server, Limits::default());
    let partial = whole.partial();
    let expected = (whole.finish(), edges(&whole));
    let mut merged = Vet::new(Options::default()).expect("the options are right");
    merged.merge(&partial).expect("it can be read back");
    assert_eq!((merged.finish(), edges(&merged)), expected);

    let mut kept = sampled(&server, 10);
    fetch(&mut kept, &server, Limits::default());
    let saved = kept.save();
    assert!(saved.len() < partial.len(), "documents are only in it when asked for");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Whatever comes back, and whatever is said to have been asked: statistics and findings stay as they are.
    #[test]
    fn no_reply_changes_a_statistic(
        documents in prop::collection::vec(("_id|customerId|x", 0u32..3_000, 0u32..4), 0..40),
        path in "_id|customerId|a\\.b|\\$in|",
        whole in any::<bool>(),
        collection in "customers|orders|elsewhere",
    ) {
        let server = shop();
        let mut alone = sampled(&server, 100);
        let expected = without_inputs(&alone.finish());
        let reply: Vec<u8> = documents
            .iter()
            .flat_map(|(name, number, kind)| format!("{}\n", json!({ "_id": id(7, *number), name.as_str(): id(*kind, *number), "new": *number })).into_bytes())
            .collect();
        let values: Vec<Value> = documents.iter().map(|(_, number, kind)| id(*kind, *number)).collect();
        let mut vet = sampled(&server, 100);
        let pairs = Some(Reply { filter: json!({ path: { "$in": values } }), limit: 50, whole });
        let options = InputOptions { collection: Some(format!("shop.{collection}")), pairs, ..InputOptions::default() };
        feed(&mut vet, "shop.pairs.001", &reply, options);
        prop_assert_eq!(without_inputs(&vet.finish()), expected);
        prop_assert_eq!(vet.profile("json", 80).expect("a format"), alone.profile("json", 80).expect("a format"));
    }
}
