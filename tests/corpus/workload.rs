//! Logs and plans: those of others, read in place, and the promise that parts of a log in any order are the whole.

use std::fmt::Write as _;

use mongovet::{InputOptions, Options, Span, Vet};
use proptest::prelude::*;
use serde_json::Value;

use super::{corpora, files};

/// Lines of a log: noise, and every so many lines a slow query of one of several shapes.
pub(crate) fn log(count: u64, every: u64) -> String {
    let mut out = String::from(
        "{\"t\":{\"$date\":\"2026-10-26T07:00:00.000+00:00\"},\"s\":\"I\",\"c\":\"CONTROL\",\"id\":23403,\"ctx\":\"initandlisten\",\"msg\":\"Build Info\",\"attr\":{\"buildInfo\":{\"version\":\"7.0.14\"}}}\n",
    );
    for i in 0..count {
        let time = format!("2026-10-26T07:{:02}:{:02}.{:03}+00:00", i / 600 % 60, i / 10 % 60, i % 10 * 100);
        let head = format!(
            "{{\"t\":{{\"$date\":\"{time}\"}},\"s\":\"I\",  \"c\":\"COMMAND\",  \"id\":51803,   \"ctx\":\"conn{}\"",
            i % 3
        );
        if i % every != 0 {
            let _ = writeln!(out, "{head},\"msg\":\"Connection ended\",\"attr\":{{\"connectionCount\":{i}}}}}");
            continue;
        }
        let (filter, plan) = match i / every % 4 {
            0 => (format!("{{\"_id\":{}}}", i % 5), "IDHACK"),
            1 => (format!("{{\"state\":\"s{i}\"}}"), "COLLSCAN"),
            2 => (format!("{{\"state\":\"s{i}\",\"at\":{{\"$gt\":{i}}}}}"), "IXSCAN { state: 1 }"),
            _ => (format!("{{\"tags\":{{\"$in\":[\"a\",\"b{i}\"]}}}}"), "IXSCAN { tags: 1 }"),
        };
        let _ = writeln!(
            out,
            "{head},\"msg\":\"Slow query\",\"attr\":{{\"type\":\"command\",\"ns\":\"shop.orders\",\"appName\":\"a{}\",\"command\":{{\"find\":\"orders\",\"filter\":{filter},\"$db\":\"shop\"}},\"planSummary\":\"{plan}\",\"keysExamined\":{i},\"docsExamined\":{},\"nreturned\":3,\"durationMillis\":{i}}}}}",
            i % 2,
            40 * i,
        );
    }
    out
}

fn report(mut vet: Vet) -> Value {
    serde_json::from_str(&vet.finish()).unwrap()
}

fn whole(name: &str, bytes: &[u8]) -> Value {
    let mut vet = Vet::new(Options::default()).unwrap();
    vet.open(name, InputOptions { named: true, ..InputOptions::default() });
    vet.write(bytes);
    vet.close();
    report(vet)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn parts_of_a_log_in_any_order_are_the_whole(
        every in 1_u64..9,
        cuts in prop::collection::vec(1_usize..20_000, 1..5),
        backwards: bool,
    ) {
        let text = log(120, every);
        let bytes = text.as_bytes();
        let mut bounds: Vec<usize> = cuts.into_iter().map(|cut| cut % bytes.len()).chain([0, bytes.len()]).collect();
        bounds.sort_unstable();
        bounds.dedup();
        let mut parts = Vec::new();
        for pair in bounds.windows(2) {
            let mut vet = Vet::new(Options::default()).unwrap();
            let range = Span { start: pair[0] as u64, end: pair[1] as u64, head: bytes[..bytes.len().min(65_536)].to_vec() };
            vet.open("mongod.log", InputOptions { named: true, range: Some(range), ..InputOptions::default() });
            vet.write(&bytes[pair[0]..]);
            prop_assert!(vet.close().is_some());
            parts.push(vet.partial());
        }
        if backwards {
            parts.reverse();
        }
        let mut vet = Vet::new(Options::default()).unwrap();
        for part in parts {
            vet.merge(&part).unwrap();
        }
        prop_assert_eq!(report(vet), whole("mongod.log", bytes));
    }
}

#[test]
fn what_is_cut_foreign_or_old_is_told_once_and_loses_nothing_else() {
    let text = log(9, 3);
    let lines: Vec<&str> = text.lines().collect();
    let version = whole("mongod.log", text.as_bytes());
    assert_eq!((&version["serverVersion"], &version["serverVersionFrom"]), (&"7.0".into(), &"evidence".into()));
    assert_eq!(version["now"], "2026-10-26T07:00:00.600Z");
    // A slow query that ends in its middle.
    let cut = format!("{}\n{}\n{}\n", lines[1], &lines[4][..300], lines[7]);
    let told = whole("mongod.log", cut.as_bytes());
    let problems = told["inputs"][0]["problems"].as_array().unwrap();
    assert_eq!(problems.len(), 1, "{problems:?}");
    assert_eq!((&problems[0]["kind"], &problems[0]["line"]), (&"truncated".into(), &2.into()));
    // The prefix of a container.
    let prefixed = lines.iter().map(|line| format!("db-1  | {line}")).collect::<Vec<_>>().join("\n");
    assert_eq!(whole("mongod.log", prefixed.as_bytes())["findings"], version["findings"]);
    let old =
        "2019-05-20T10:00:00.000+0000 I COMMAND  [conn12] command shop.orders command: find { find: \"orders\" }\n";
    let told = whole("mongod.log", old.repeat(3).as_bytes());
    let input = &told["inputs"][0];
    assert_eq!((&input["kind"], &input["problems"][0]["kind"]), (&"log".into(), &"unsupported".into()));
    assert_eq!(input["problems"].as_array().unwrap().len(), 1);
}

#[test]
fn values_of_logs_are_never_told() {
    let text = log(200, 1).replace("\"s1", "\"Secret1");
    let mut vet = Vet::new(Options::default()).unwrap();
    vet.open("mongod.log", InputOptions { named: true, ..InputOptions::default() });
    vet.write(text.as_bytes());
    vet.close();
    let saved = vet.save();
    assert!(!saved.windows(6).any(|bytes| bytes == b"Secret"));
    assert!(!vet.finish().contains("Secret"));
}

#[test]
fn logs_of_others() {
    let Some(folder) = corpora("logs") else { return };
    for path in files(&folder) {
        let name = path.file_name().unwrap().to_string_lossy();
        let report = whole(&name, &std::fs::read(&path).unwrap());
        assert_eq!(report["inputs"][0]["problems"], serde_json::json!([]), "{name}");
        // Nearly thirty thousand slow queries, all by good plans.
        assert_eq!(report["findings"], serde_json::json!([]), "{name}");
        let missing: Vec<&Value> = report["missing"].as_array().unwrap().iter().map(|m| &m["evidence"]).collect();
        assert!(!missing.contains(&&"workload".into()) && !missing.contains(&&"plans".into()), "{missing:?}");
    }
}

/// What the plans of others deserve, as a person judged them.
const JUDGED: [(&str, &str); 9] = [
    ("aggregate_stages_with_no_time.json", "explain/in-memory-sort"),
    ("multi-shard-aggregate-without-stages.json", "explain/shard-skew"),
    ("out2.json", "explain/collection-scan"),
    ("sharded-aggregate-with-stages.sbe.in.json", "explain/collection-scan"),
    ("sharded-aggregate-without-stages.sbe.in.json", "explain/collection-scan"),
    ("sharded_geo_query_3.2.json", "explain/low-yield"),
    ("sharded_geo_query_3.2.json", "explain/unstable-plan"),
    ("single-shard-aggregate-without-stages.json", "explain/collection-scan"),
    ("unsharded-aggregate.sbe.in.json", "explain/collection-scan"),
];

#[test]
fn plans_of_others() {
    let Some(folder) = corpora("explain") else { return };
    let mut told = Vec::new();
    for path in files(&folder) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let report = whole(&name, &std::fs::read(&path).unwrap());
        let input = &report["inputs"][0];
        assert_eq!((&input["kind"], &input["problems"]), (&"explain".into(), &serde_json::json!([])), "{name}");
        for finding in report["findings"].as_array().unwrap() {
            let rule = finding["rule"].as_str().unwrap();
            if rule.starts_with("explain/") {
                told.push((name.clone(), rule.to_owned()));
            }
        }
    }
    told.sort();
    let judged: Vec<_> = JUDGED.iter().map(|(n, r)| ((*n).to_owned(), (*r).to_owned())).collect();
    assert_eq!(told, judged);
}
