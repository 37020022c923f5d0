//! Decisions about embedded arrays, each with the evidence that calls for it and without.

use std::fmt::Write as _;

mod worked;

use mongovet::{InputOptions, Options, Vet};
use serde_json::{Value, json};

const DAY: i64 = 86_400_000;
const START: i64 = 1_704_067_200_000;

/// Hands over all inputs, and those again that a question is about.
fn read(vet: &mut Vet, inputs: &[(&str, String)]) {
    let feed = |vet: &mut Vet, name: &str, text: &str| {
        vet.open(name, InputOptions::default());
        vet.write(text.as_bytes());
        vet.close();
    };
    for (name, text) in inputs {
        feed(vet, name, text);
    }
    let asked = vet.questions();
    for (name, text) in inputs.iter().filter(|(name, _)| asked.iter().any(|one| one == name)) {
        feed(vet, name, text);
    }
}

/// The recommendations on some inputs; `model` is the declared model.
fn advise(inputs: &[(&str, String)], model: Option<Value>) -> Vec<Value> {
    let config = model.map(|model| json!({ "model": model }).to_string());
    let mut vet = Vet::new(Options { config, ..Options::default() }).expect("the options are right");
    read(&mut vet, inputs);
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
    let found = advise(&[("blog.posts.json5", posts), ("blog.comments.json5", comments)], None);
    let forms = found.iter().filter(|r| r["kind"] == "relationship");
    let forms: Vec<_> = forms.map(|r| (&r["subject"], &r["today"], &r["decision"])).collect();
    let comments = (&json!("blog.comments.postId"), &json!("parent-reference"), &json!("keep"));
    assert_eq!(forms, [comments, (&json!("blog.posts.recentComments"), &json!("subset"), &json!("keep"))]);
}

/// Members and their badges, up to `most` for each member, in two collections.
fn badges(most: usize) -> [(&'static str, String); 2] {
    let (mut members, mut badges) = (String::new(), String::new());
    for number in 0..60usize {
        let member = object_id(START + number as i64 * DAY, number);
        writeln!(members, "{{_id: {member}, name: 'member {number}', town: 'town {}'}}", number % 7).expect("a text");
        for place in 0..=number % most {
            let id = object_id(START + DAY, 1000 + number * 100 + place);
            writeln!(badges, "{{_id: {id}, member: {member}, title: 'badge {place}'}}").expect("a text");
        }
    }
    [("club.members.json5", members), ("club.badges.json5", badges)]
}

/// The names of a recommendation's scripts; `says` are lines that stand in the first of them.
fn scripts<'a>(recommendation: &'a Value, says: &[&str]) -> Vec<&'a str> {
    let scripts = recommendation["scripts"].as_array().expect("a list");
    let first = scripts.first().and_then(|script| script["script"].as_str()).unwrap_or_default();
    for line in says {
        assert!(first.lines().any(|one| one.trim() == *line), "{line} in {first}");
    }
    scripts.iter().map(|script| script["name"].as_str().expect("a name")).collect()
}

fn decision_about<'a>(found: &'a [Value], subject: &str) -> &'a Value {
    found.iter().find(|r| r["subject"] == subject).unwrap_or_else(|| panic!("{subject} in {found:#?}"))
}

#[test]
fn few_that_are_always_read_together_and_never_alone_are_embedded() {
    let [members, badges] = badges(3);
    let page = "db.getSiblingDB('club').members.aggregate([{$match: {town: 'town 3'}}, {$lookup: {from: 'badges', \
        localField: '_id', foreignField: 'member', as: 'badges'}}]);";
    let alone = "db.getSiblingDB('club').badges.find({title: 'badge 1'});";
    let with = |script: String| advise(&[members.clone(), badges.clone(), ("page.mongodb.js", script)], None);
    let found = with(page.to_owned());
    let together = decision_about(&found, "club.badges.member");
    assert_eq!((&together["today"], &together["decision"]), (&json!("parent-reference"), &json!("embed")));
    assert_eq!((answer(together, "read together"), answer(together, "read alone")), ("nearly always", "never"));
    let says = [r#"children: "badges","#, r#"parentId: "member","#, r#"path: "badges","#, "before: [],", "one: false,"];
    assert_eq!(scripts(together, &says), ["migrate", "check", "back", "finish", "validator"]);
    let found = with(format!("{page}\n{alone}"));
    let apart = decision_about(&found, "club.badges.member");
    assert_eq!((&apart["decision"], answer(apart, "read alone")), (&json!("keep"), "often"));
    // What the team declares counts as a workload does.
    let model = json!({ "relationships": [{ "parent": "club.members", "path": "badges", "to": "club.badges",
        "readTogether": "always", "childReadAlone": false, "ownership": "owned" }] });
    let found = advise(&[members.clone(), badges.clone()], Some(model));
    assert_eq!(decision_about(&found, "club.badges.member")["decision"], "embed");
    // Without a workload nothing shows that both are read together.
    let found = advise(&[members.clone(), badges.clone()], None);
    let silent = decision_about(&found, "club.badges.member");
    assert_eq!((&silent["decision"], answer(silent, "read together")), (&json!("keep"), "unknown"));
    assert!(silent["asks"].as_array().is_some_and(|asks| !asks.is_empty()));
}

#[test]
fn many_children_stay_apart_however_they_are_read() {
    let [members, badges] = badges(40);
    let page = "db.getSiblingDB('club').members.aggregate([{$lookup: {from: 'badges', localField: '_id', \
        foreignField: 'member', as: 'badges'}}]);";
    let found = advise(&[members, badges, ("page.mongodb.js", page.to_owned())], None);
    let many = decision_about(&found, "club.badges.member");
    assert_eq!(many["decision"], "keep");
    let forms = many["alternatives"].as_array().expect("a list");
    let embed = forms.iter().find(|form| form["decision"] == "embed").expect("it is considered");
    assert!(embed["out"].as_str().is_some_and(|out| out.starts_with("out: up to 40")), "{embed}");
}

#[test]
fn the_figures_of_a_form_are_those_of_its_documents() {
    let [members, badges] = badges(3);
    let found = advise(&[members, badges], None);
    let forms = decision_about(&found, "club.badges.member")["alternatives"].as_array().expect("a list");
    let figure = |form: usize, name: &str| forms[form]["figures"][name].as_f64().expect("a number");
    // A member: `_id` 4+1+4+12, `name` and `town` as they are; by hand: 5 + 17 + (1+5+4+9+…): read from the figures of
    // both forms instead, which differ by what a badge costs apart and inside.
    let children: f64 = 120.0 / 60.0;
    let reference = 1.0 + "member".len() as f64 + 1.0 + 12.0;
    let list = 1.0 + "badges".len() as f64 + 1.0 + 5.0;
    let place = 3.0;
    let apart = figure(0, "bytesReadToShowBoth") - children * reference;
    assert_eq!(forms[1]["decision"], "embed");
    assert!((figure(1, "bytesReadToShowBoth") - (apart + list + children * place)).abs() <= 1.5, "{forms:#?}");
    assert!((figure(0, "documentsReadToShowBoth") - (1.0 + children)).abs() < 0.06);
}

#[test]
fn links_of_few_become_lists_and_links_that_tell_more_stay() {
    let mut books = String::new();
    let mut authors = String::new();
    let (mut bare, mut telling) = (String::new(), String::new());
    for number in 0..60usize {
        let (book, author) = (object_id(START, number), object_id(START, 5000 + number));
        writeln!(books, "{{_id: {book}, title: 'b {number}'}}").expect("a text");
        writeln!(authors, "{{_id: {author}, name: 'a {number}'}}").expect("a text");
        for place in 0..=number % 2 {
            let other = object_id(START, 5000 + (number + place * 7) % 60);
            let id = object_id(START, 9000 + number * 10 + place);
            writeln!(bare, "{{_id: {id}, bookId: {book}, authorId: {other}}}").expect("a text");
            writeln!(telling, "{{_id: {id}, bookId: {book}, authorId: {other}, role: 'editor'}}").expect("a text");
        }
    }
    let with = |links: String| {
        advise(
            &[("lib.books.json5", books.clone()), ("lib.authors.json5", authors.clone()), ("lib.writes.json5", links)],
            None,
        )
    };
    let found = with(bare);
    let links = decision_about(&found, "lib.writes.authorId");
    assert_eq!((&links["today"], &links["decision"]), (&json!("association"), &json!("child-references")));
    assert_eq!(links["collection"], "lib.writes");
    let says = [r#"parents: "authors","#, r#"children: "writes","#, r#"parentId: "authorId","#, r#"value: "bookId","#];
    assert_eq!(scripts(links, &says), ["migrate", "check", "back", "finish", "validator", "indexes"]);
    let found = with(telling);
    let links = decision_about(&found, "lib.writes.authorId");
    assert_eq!((&links["today"], &links["decision"]), (&json!("association"), &json!("keep")));
}

#[test]
fn a_join_for_few_fields_that_never_change_is_an_extended_reference() {
    let (mut books, mut publishers) = (String::new(), String::new());
    for number in 0..30usize {
        let publisher = object_id(START, number);
        let text = "history ".repeat(60);
        writeln!(publishers, "{{_id: {publisher}, name: 'p {number}', town: 't {number}', about: '{text}'}}")
            .expect("a text");
        for place in 0..4 {
            let book = object_id(START, 1000 + number * 10 + place);
            writeln!(books, "{{_id: {book}, publisherId: {publisher}, title: 'title {number} {place}'}}")
                .expect("a text");
        }
    }
    let page = "db.getSiblingDB('lib').books.aggregate([{$match: {title: 'x'}}, {$lookup: {from: 'publishers', \
        localField: 'publisherId', foreignField: '_id', as: 'publisher'}}, {$project: {title: 1, 'publisher.name': 1}}]);";
    let rename = "db.getSiblingDB('lib').publishers.updateOne({_id: 1}, {$set: {name: 'y'}});";
    let about = "db.getSiblingDB('lib').publishers.updateOne({_id: 1}, {$set: {about: 'y'}});";
    for (script, decision) in [
        (page.to_owned(), "extended-reference"),
        (format!("{page}{about}"), "extended-reference"),
        (format!("{page}{rename}"), "keep"),
    ] {
        let inputs = [
            ("lib.books.json5", books.clone()),
            ("lib.publishers.json5", publishers.clone()),
            ("page.mongodb.js", script),
        ];
        let found = advise(&inputs, None);
        let books = decision_about(&found, "lib.books.publisherId");
        assert_eq!(books["decision"], decision);
        if decision == "extended-reference" {
            let says = [
                r#"reference: "publisherId","#,
                r#"sources: "publishers","#,
                r#"fields: [["name", "publisherName"]],"#,
            ];
            let names = ["migrate", "check", "back", "propagate", "reconcile", "indexes"];
            assert_eq!(scripts(books, &says), names);
        } else {
            assert_eq!(books["scripts"], json!([]));
        }
    }
}

#[test]
fn lists_of_keys_that_grow_are_turned_round() {
    let lists = |parents: usize, shared: bool| {
        let (mut posts, mut tags) = (String::new(), String::new());
        for number in 0..1500usize {
            writeln!(tags, "{{_id: {}, name: 'tag {number}'}}", object_id(START, 5000 + number)).expect("a text");
        }
        for number in 0..parents {
            let keys: Vec<String> = (0..1400 / if shared { 1 } else { parents })
                .map(|place| object_id(START, 5000 + if shared { place } else { number * (1400 / parents) + place }))
                .collect();
            writeln!(posts, "{{_id: {}, tagIds: [{}]}}", object_id(START, number), keys.join(", ")).expect("a text");
        }
        [("blog.posts.json5", posts), ("blog.tags.json5", tags)]
    };
    let declared = |parents: u64| {
        json!({ "relationships": [{ "parent": "blog.posts", "path": "tagIds", "to": "blog.tags",
            "cardinality": { "typical": 100, "growth": "unbounded" }, "parentsPerChild": { "typical": parents } }] })
    };
    let found = advise(&lists(20, false), Some(declared(1)));
    let own = decision_about(&found, "blog.posts.tagIds");
    assert_eq!((&own["today"], &own["decision"]), (&json!("child-references"), &json!("parent-reference")));
    let says = [
        r#"parents: "posts","#,
        r#"path: "tagIds","#,
        r#"children: "tags","#,
        r#"parentId: "postId","#,
        r#"place: "place","#,
    ];
    assert_eq!(scripts(own, &says), ["migrate", "check", "back", "finish", "validator", "indexes"]);
    let found = advise(&lists(3, true), Some(declared(3)));
    let shared = decision_about(&found, "blog.posts.tagIds");
    assert_eq!(shared["decision"], "association");
    let says = [r#"owners: "posts","#, r#"path: "tagIds","#, r#"ownerRef: "postId","#, r#"otherRef: "tagId","#];
    assert_eq!(scripts(shared, &says), ["migrate", "check", "back", "finish", "validator", "indexes"]);
}

#[test]
fn an_example_and_declared_numbers_make_a_design() {
    let example = "{_id: 1, title: 'x', comments: [{author: 'ana', text: 'a comment of some words'}]}";
    let declared = |numbers: Value| relationship("cardinality", numbers);
    let built = one(
        &[("blog.posts.json5", example.to_owned())],
        Some(declared(json!({ "typical": 40, "p99": 3000, "max": 200_000, "growth": "unbounded" }))),
    );
    assert_eq!(built["decision"], "parent-reference");
    assert!(built["why"].as_str().is_some_and(|why| why.contains("Built from 1 example document")), "{built}");
    let growth = &built["criteria"][1]["evidence"];
    let bytes = |name: &str| growth[name].as_u64().expect("a number");
    assert!(
        bytes("designTypicalBytes") < bytes("designP99Bytes") && bytes("designP99Bytes") < bytes("designLargestBytes")
    );
    // Elements are all alike: 2,960 more of them, each with its place in decimal digits.
    let more = bytes("designP99Bytes") - bytes("designTypicalBytes");
    let element = 2 + 5 + (1 + 7 + 4 + 4) + (1 + 5 + 4 + 24);
    let places: u64 = (40..3000u64).map(|place| place.to_string().len() as u64).sum();
    assert_eq!(more, 2960 * element + places);
    let few = one(
        &[("blog.posts.json5", example.to_owned())],
        Some(declared(json!({ "typical": 2, "p99": 5, "max": 5, "growth": "bounded" }))),
    );
    assert_eq!(few["decision"], "keep");
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
        assert!(found.iter().all(|r| r["kind"] != "relationship"), "{name}: {found:#?}");
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

#[test]
fn the_first_configuration_is_accepted_and_declares_no_bound() {
    let hostile = "x\\u2028*/ // \\n\"; db.dropDatabase()";
    let [members, badges] = badges(3);
    let names = format!("{{_id: 1, \"{hostile}\": [{{a: 1, b: 2}}, {{a: 2, b: 3}}]}}\n").repeat(30);
    let inputs = [members, badges, ("club.odd.json5", names)];
    let run = |config: Option<String>| {
        let mut vet = Vet::new(Options { config, ..Options::default() }).expect("the configuration is right");
        read(&mut vet, &inputs);
        let report: Value = serde_json::from_str(&vet.finish()).expect("the report is JSON");
        (vet.initial().expect("it is concluded"), report)
    };
    let (written, before) = run(None);
    assert!(
        written.contains("\"parent\": \"club.badges\", \"path\": \"member\", \"to\": \"club.members\""),
        "{written}"
    );
    // Each line that is no comment is JSON: nothing of a name ends a string or a comment.
    let plain: String = written.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    let json: Value = serde_json::from_str(&plain).unwrap_or_else(|fault| panic!("{fault} in {written}"));
    assert!(json["model"]["relationships"].as_array().is_some_and(|all| !all.is_empty()));
    let (_, after) = run(Some(written));
    assert_eq!(before["findings"], after["findings"], "what was only measured changes no finding");
}

#[test]
fn a_shared_object_is_kept_once_unless_events_hold_it() {
    let products = |date: &str| -> String {
        let one = |number: usize| {
            let supplier = object_id(START, number % 12);
            let name = format!("supplier {}", number % 12);
            format!(
                "{{_id: {}, sku: 'p{number}', {date}supplier: {{_id: {supplier}, name: '{name}', town: 't{name}', days: {}}}}}\n",
                object_id(START + DAY, 100 + number),
                number % 12 + 3
            )
        };
        (0..120).map(one).collect()
    };
    let found = advise(&[("shop.products.json5", products(""))], None);
    let shared = decision_about(&found, "shop.products.supplier");
    assert_eq!((&shared["today"], &shared["decision"]), (&json!("embed"), &json!("parent-reference")));
    let says = [r#"path: "supplier","#, r#"children: "suppliers","#, r#"key: "_id","#, r#"reference: "supplierId","#];
    assert_eq!(scripts(shared, &says), ["migrate", "check", "back", "indexes"]);
    let list = "db.getSiblingDB('shop').products.find({sku: 'p1'}, {sku: 1, 'supplier.name': 1});";
    let found = advise(&[("shop.products.json5", products("")), ("list.mongodb.js", list.to_owned())], None);
    let extended = decision_about(&found, "shop.products.supplier");
    assert_eq!(extended["decision"], "extended-reference");
    let says = [r#"fields: [["name", "supplierName"]],"#];
    assert_eq!(scripts(extended, &says), ["migrate", "check", "back", "propagate", "reconcile", "indexes"]);
    let dated = products("deliveredAt: new Date(1704067200000), ");
    let found = advise(&[("shop.deliveries.json5", dated)], None);
    assert_eq!(decision_about(&found, "shop.deliveries.supplier")["decision"], "keep");
}

/// Hotels with their newest reviews and a count, of which some are wrong.
fn hotels() -> [(&'static str, String); 2] {
    let (mut hotels, mut reviews) = (String::new(), String::new());
    for number in 0..40usize {
        let hotel = object_id(START, number);
        let review = |place: usize| {
            let at = START + (number * 10 + place) as i64 * DAY;
            format!("_id: {}, stars: {}, at: new Date({at})", object_id(at, number * 100 + place), place % 5)
        };
        for place in 0..8 {
            writeln!(reviews, "{{{}, hotelId: {hotel}}}", review(place)).expect("it is a text");
        }
        let newest: Vec<String> = (5..8).rev().map(|place| format!("{{{}}}", review(place))).collect();
        let name = number % 10;
        writeln!(hotels, "{{_id: {hotel}, name: 'h{name}', latestReviews: [{}]}}", newest.join(", ")).expect("a text");
    }
    [("travel.hotels.json5", hotels), ("travel.reviews.json5", reviews)]
}

#[test]
fn a_pattern_in_use_gets_its_card_and_a_drill() {
    let inputs = hotels();
    let found = advise(&inputs, None);
    let card = |found: &[Value]| {
        let of = |r: &&Value| r["kind"] == "pattern" && r["subject"] == "travel.hotels.latestReviews";
        found.iter().find(of).cloned().unwrap_or_else(|| panic!("{found:#?}"))
    };
    let bare = card(&found);
    assert_eq!((&bare["today"], &bare["decision"]), (&json!("subset"), &json!("subset")));
    let criterion = |card: &Value, name: &str| {
        let criteria = card["criteria"].as_array().expect("a list").clone();
        criteria.into_iter().find(|criterion| criterion["name"] == name).unwrap_or(Value::Null)
    };
    assert_eq!(criterion(&bare, "source of truth")["evidence"]["source"], "travel.reviews");
    assert_eq!(criterion(&bare, "failure modes")["evidence"]["compared"], 40);
    assert_eq!(criterion(&bare, "failure modes")["answer"], "none");
    assert!(4 <= bare["asks"].as_array().map_or(0, Vec::len), "{bare:#?}");
    assert_eq!(bare["scripts"][0]["name"], "drill");
    let script = bare["scripts"][0]["script"].as_str().expect("a text");
    assert!(script.contains("path: \"latestReviews\",") && script.contains("dropDatabase"), "{script}");

    // What the card says is no question any more.
    let declared = json!({ "patterns": [{
        "collection": "travel.hotels", "pattern": "subset", "path": "latestReviews", "limit": 3, "reads": 20_000,
        "accessPattern": "show hotel", "sourceOfTruth": "travel.reviews", "consistency": "one transaction",
        "repair": "nightly job", "migration": { "in": "in.js", "out": "out.js" }, "observability": "stale hotels"
    }] });
    let told = card(&advise(&inputs, Some(declared)));
    assert_eq!(told["asks"], json!([]));
    assert_eq!(criterion(&told, "cardinality")["answer"], "bounded");
    assert_eq!(criterion(&told, "migration")["evidence"]["wayOut"], "out.js");
}
