//! Decisions about embedded arrays, each with the evidence that calls for it and without.

use std::fmt::Write as _;

use mongovet::{InputOptions, Options, Vet};
use serde_json::{Value, json};

const DAY: i64 = 86_400_000;
const START: i64 = 1_704_067_200_000;

/// The recommendations on some inputs; `model` is the declared model.
fn advise(inputs: &[(&str, String)], model: Option<Value>) -> Vec<Value> {
    let config = model.map(|model| json!({ "model": model }).to_string());
    let mut vet = Vet::new(Options { config, ..Options::default() }).expect("the options are right");
    for _ in 0..2 {
        for (name, text) in inputs {
            vet.open(name, InputOptions::default());
            vet.write(text.as_bytes());
            vet.close();
        }
        if vet.questions().is_empty() {
            break;
        }
    }
    let report: Value = serde_json::from_str(&vet.finish()).expect("the report is JSON");
    report["recommendations"].as_array().expect("a list").clone()
}

fn one(inputs: &[(&str, String)], model: Option<Value>) -> Value {
    let found = advise(inputs, model);
    assert_eq!(found.len(), 1, "{found:#?}");
    found[0].clone()
}

fn object_id(time: i64, number: usize) -> String {
    format!("ObjectId('{:08x}{number:016x}')", time / 1000)
}

/// Shell literals of parents, ten days apart, each with the text that `children` gives for it.
fn parents(count: usize, array: &str, children: impl Fn(usize, i64) -> String) -> String {
    let mut out = String::new();
    for number in 0..count {
        let created = START + number as i64 * 10 * DAY;
        let id = object_id(created, number);
        let children = children(number, created);
        writeln!(out, "{{_id: {id}, title: 'number {number}', '{array}': [{children}]}}").expect("it is a text");
    }
    out
}

/// Comments that came every ten days since their post, `least` of them at once.
fn growing(least: usize) -> impl Fn(usize, i64) -> String {
    move |number, created| {
        let count = least + 80usize.saturating_sub(number);
        let comment = |place: usize| {
            let at = created + place as i64 * 10 * DAY;
            let id = object_id(at, number * 1000 + place);
            format!("{{_id: {id}, text: 'text {place}', at: new Date({at})}}")
        };
        (0..count).map(comment).collect::<Vec<_>>().join(", ")
    }
}

fn few(number: usize, _: i64) -> String {
    (0..=number % 5)
        .map(|place| format!("{{street: 'street {place}', town: 't{number}'}}"))
        .collect::<Vec<_>>()
        .join(",")
}

fn posts(least: usize) -> (&'static str, String) {
    ("blog.posts.json5", parents(80, "comments", growing(least)))
}

#[expect(clippy::needless_pass_by_value, reason = "calls read better with `json!` alone")]
fn relationship(key: &str, value: Value) -> Value {
    json!({ "relationships": [{ "parent": "blog.posts", "path": "comments", key: value }] })
}

fn answer<'a>(recommendation: &'a Value, name: &str) -> &'a str {
    let criteria = recommendation["criteria"].as_array().expect("a list");
    let found = criteria.iter().find(|criterion| criterion["name"] == name);
    found.and_then(|criterion| criterion["answer"].as_str()).expect("it is answered")
}

#[test]
fn growth_without_a_bound_moves_the_children_and_asks_what_it_does_not_know() {
    let posts = one(&[posts(0)], None);
    assert_eq!((&posts["today"], &posts["decision"]), (&json!("embed"), &json!("parent-reference")));
    assert_eq!(posts["certainty"], "measured");
    assert_eq!(posts["criteria"].as_array().map(Vec::len), Some(13));
    assert_eq!((answer(&posts, "ownership"), answer(&posts, "growth")), ("owned", "unbounded"));
    for name in ["read together", "read alone", "updated together", "sharding", "analytics", "staleness"] {
        assert_eq!(answer(&posts, name), "unknown", "{name}");
    }
    let forms: Vec<&Value> =
        posts["alternatives"].as_array().expect("a list").iter().map(|form| &form["decision"]).collect();
    assert_eq!(forms, ["embed", "parent-reference", "subset"]);
    assert!(posts["asks"].as_array().is_some_and(|asks| 3 <= asks.len()));
}

#[test]
fn growth_is_told_in_dates_and_the_outlier_has_its_own() {
    let posts = one(&[posts(0)], None);
    let growth = &posts["criteria"][1]["evidence"];
    let number = |name: &str| growth[name].as_f64().unwrap_or_else(|| panic!("{name} in {growth}"));
    // Three comments in thirty days, whatever the age.
    assert!((2.5..=3.5).contains(&number("perMonth")), "{growth}");
    let ahead = number("p99In3Years") - number("p99");
    assert!((100.0..=120.0).contains(&ahead), "{growth}");
    assert!(number("p99") <= number("max") && number("p99In3Years") <= number("p99In5Years"));
    let day = |name: &str| growth[name].as_str().unwrap_or_else(|| panic!("{name} in {growth}")).to_owned();
    assert!(day("longestReaches1000") <= day("p99Reaches1000"));
    assert!(day("p99Reaches100") < day("p99Reaches1000"));
}

#[test]
fn a_subset_is_proposed_where_the_children_are_shown_with_their_parent() {
    let told = one(&[posts(0)], Some(relationship("readTogether", json!("always"))));
    assert_eq!((&told["decision"], answer(&told, "read together")), (&json!("subset"), "always"));
    let rarely = one(&[posts(0)], Some(relationship("readTogether", json!("rarely"))));
    assert_eq!(rarely["decision"], "parent-reference");
}

#[test]
fn what_is_bounded_stays() {
    let validator = "db.createCollection('posts', {validator: {$jsonSchema: {bsonType: 'object', \
        properties: {comments: {bsonType: 'array', maxItems: 120}}}}});";
    let held = one(&[posts(0), ("blog.posts.mongodb.js", validator.to_owned())], None);
    assert_eq!((&held["decision"], answer(&held, "growth")), (&json!("keep"), "bounded"));
    let declared = one(&[posts(0)], Some(relationship("cardinality", json!({ "growth": "bounded" }))));
    assert_eq!((&declared["decision"], answer(&declared, "growth")), (&json!("keep"), "bounded"));
}

#[test]
fn what_is_long_goes_whatever_else_holds() {
    let model = relationship("cardinality", json!({ "growth": "bounded" }));
    let long = one(&[posts(1000)], Some(model));
    assert_eq!(long["decision"], "parent-reference");
    assert!(long["alternatives"][0]["out"].as_str().is_some_and(|out| out.starts_with("out: ")), "{long}");
    // The same with nothing that tells of growth.
    let silent = |number: usize, _| {
        (0..1100 + number).map(|place| format!("{{a: {place}, b: 'x'}}")).collect::<Vec<_>>().join(",")
    };
    let long = one(&[("blog.posts.json5", parents(30, "comments", silent))], None);
    assert_eq!((&long["decision"], answer(&long, "growth")), (&json!("parent-reference"), "unknown"));
}

#[test]
fn children_with_a_life_of_their_own_are_not_embedded() {
    let text = parents(60, "comments", few);
    let input = [("blog.posts.json5", text)];
    assert_eq!(one(&input, None)["decision"], "keep");
    for (key, value) in [("childReadAlone", json!(true)), ("retention", json!("different"))] {
        let told = one(&input, Some(relationship(key, value)));
        assert_eq!(told["decision"], "parent-reference", "{key}");
    }
    assert_eq!(one(&input, Some(relationship("childReadAlone", json!(false))))["decision"], "keep");
}

#[test]
fn readings_go_to_a_time_series() {
    let readings = |number: usize, created: i64| {
        let reading =
            |place: usize| format!("{{at: new Date({}), value: {}.5}}", created + place as i64 * DAY, place % 37);
        (0..10 * (80 - number)).map(reading).collect::<Vec<_>>().join(",")
    };
    let sensors = one(&[("iot.sensors.json5", parents(80, "readings", readings))], None);
    assert_eq!((&sensors["decision"], &sensors["certainty"]), (&json!("time-series"), &json!("inferred")));
}

#[test]
fn earlier_versions_go_to_a_collection_of_their_own() {
    let mut text = String::new();
    for number in 0..60 {
        let version = |n: usize| format!("{{revision: {n}, premium: {n}, cover: 'c{n}', terms: 't{n}'}}");
        let old = (0..=number % 7).map(version).collect::<Vec<_>>().join(",");
        writeln!(text, "{{_id: {number}, revision: 9, premium: 9, cover: 'c', terms: 't', revisions: [{old}]}}")
            .expect("it is a text");
    }
    let policies = one(&[("insurance.policies.json5", text)], None);
    assert_eq!((&policies["decision"], answer(&policies, "history")), (&json!("parent-reference"), "versions"));
    assert_eq!(policies["certainty"], "inferred");
}

#[test]
fn snapshots_are_no_shared_children() {
    let shared = |at_purchase: &str| {
        parents(100, "items", |number, _| {
            let item = |place: usize| {
                let product = (number * 3 + place * 7) % 20;
                format!(
                    "{{_id: {}, name{at_purchase}: 'p{product}', price{at_purchase}: {product}.5}}",
                    object_id(START, product)
                )
            };
            (0..=number % 4).map(item).collect::<Vec<_>>().join(",")
        })
    };
    let copies = one(&[("shop.orders.json5", shared(""))], None);
    assert_eq!((&copies["decision"], answer(&copies, "ownership")), (&json!("child-references"), "shared"));
    let snapshots = one(&[("shop.orders.json5", shared("AtPurchase"))], None);
    assert_eq!((&snapshots["decision"], answer(&snapshots, "history")), (&json!("keep"), "snapshot"));
}

#[test]
fn a_subset_in_use_stays() {
    let mut posts = String::new();
    let mut comments = String::new();
    for number in 0..40usize {
        let post = object_id(START, number);
        let ids: Vec<String> = (0..9).map(|place| object_id(START + DAY, number * 100 + place)).collect();
        for (place, id) in ids.iter().enumerate() {
            writeln!(comments, "{{_id: {id}, postId: {post}, text: 't{place}'}}").expect("it is a text");
        }
        let newest = ids.iter().take(3).map(|id| format!("{{_id: {id}, text: 't'}}")).collect::<Vec<_>>().join(",");
        writeln!(posts, "{{_id: {post}, commentCount: 9, recentComments: [{newest}]}}").expect("it is a text");
    }
    let found = one(&[("blog.posts.json5", posts), ("blog.comments.json5", comments)], None);
    assert_eq!((&found["today"], &found["decision"]), (&json!("subset"), &json!("keep")));
}

#[test]
fn what_is_no_relationship_is_left_alone() {
    for (name, element) in [
        ("attributes", "{k: 'colour', v: 'red'}, {k: 'size', v: 4}"),
        ("pair", "{x: 1, y: 2}, {x: 3, y: 4}"),
        ("links", "{url: 'a'}, {url: 'b'}, {url: 'c'}, {url: 'd'}"),
        ("mixed", "{a: 1, b: 2}, 'text', {a: 1, b: 3}, 4"),
        ("vector", "1, 2, 3, 4, 5, 6"),
    ] {
        let text = parents(60, name, |_, _| element.to_owned());
        let found = advise(&[("shop.things.json5", text)], None);
        assert!(found.is_empty(), "{name}: {found:#?}");
    }
}

#[test]
fn names_that_nothing_can_address_get_no_script() {
    let posts = one(&[("blog.posts.json5", parents(80, "$comments", growing(0)))], None);
    assert_eq!((&posts["decision"], &posts["scripts"]), (&json!("parent-reference"), &json!([])));
    assert!(posts["asks"][0].as_str().is_some_and(|ask| ask.contains("`$comments`")), "{posts}");
}

#[test]
fn equal_evidence_gives_equal_bytes_in_any_order() {
    let (name, text) = posts(0);
    let mut lines: Vec<&str> = text.lines().collect();
    let forwards = advise(&[(name, lines.join("\n"))], None);
    lines.reverse();
    assert_eq!(forwards, advise(&[(name, lines.join("\n"))], None));
}
