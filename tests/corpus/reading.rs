//! Promises of the readers: any chunking gives the same, every cut and every fault has its place, ranges meet.

use mongovet::catalogue::Namespace;
use mongovet::evidence::{Input, Kind, Options, ProblemKind, Range, join_problems, sniff};
use mongovet::value::{Value, write};
use proptest::prelude::*;

use super::recorder::{Recorder, named, read, read_in};
use super::workload::log;

fn document(number: i32, text: &str) -> Value {
    Value::Object(vec![
        ("_id".into(), Value::Int(number)),
        ("text".into(), Value::String(text.into())),
        ("list".into(), Value::Array(vec![Value::Object(vec![("a".into(), Value::Long(7))]), Value::Null])),
    ])
}

fn dump(count: i32) -> Vec<u8> {
    (0..count).flat_map(|i| write::bson(&document(i, "some text")).unwrap()).collect()
}

fn lines(count: i32) -> String {
    (0..count).map(|i| write::canonical(&document(i, "some {text}")) + "\n").collect()
}

fn gz(bytes: &[u8]) -> Vec<u8> {
    use std::io::Write;
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

const PRETTY: &str = "\u{feff}[\r\n  {\r\n    \"_id\": 1,\r\n    \"n\": { \"$numberLong\": \"5\" }\r\n  }\r\n  ,\r\n  {\r\n    \"_id\": 2\r\n  }\r\n]\r\n";
const SESSION: &str = "shop> db.orders.find()\n[\n  { _id: ObjectId('5f0000000000000000000001'), a: [ 1, 2, ... 98 more items ], s: 'é' },\n  // a comment {\n  { _id: 2, b: [Object] }\n]\nType \"it\" for more\nshop> db.orders.getIndexes()\n[ { v: 2, key: { _id: 1 }, name: '_id_' } ]\nshop> ";
const BROKEN: &str = "{\"_id\": 1}\n{\"_id\": 2, \"a\": tru}\n{\"_id\": 3, \"s\": \"never ends}\n{\"_id\": 4}\n{\"_id\": 5, \"b\": {\"c\": 1}\n{\"_id\": 6}\n{\"_id\": \"\u{e9}\", x}\n{\"_id\": 8}\n";

/// Inputs of all kinds, good and bad.
fn inputs() -> Vec<(&'static str, Vec<u8>)> {
    let mut holed = dump(5);
    holed[70] ^= 0x55;
    let mut sized = dump(4);
    sized[1] = 0x7F;
    let mut invalid = dump(3);
    let at = invalid.windows(9).position(|w| w == b"some text").unwrap();
    invalid[at] = 0xFF;
    let mut damaged = gz(&dump(200));
    let middle = damaged.len() / 2;
    damaged[middle..middle + 8].fill(0xFF);
    vec![
        ("shop/orders.bson.gz", damaged),
        ("shop/orders.bson", dump(5)),
        ("shop/orders.bson", holed),
        ("shop/orders.bson", sized),
        ("shop/orders.bson", invalid),
        ("shop/orders.bson", dump(3)[..200].to_vec()),
        ("shop/orders.bson.gz", gz(&dump(5))),
        ("shop/orders.bson.gz", [gz(&dump(2)), gz(&dump(3))].concat()),
        ("shop/orders.bson.gz", gz(&dump(50))[..60].to_vec()),
        ("orders.ndjson", lines(4).into_bytes()),
        ("mongod.log", log(8, 3).into_bytes()),
        ("mongod.log.gz", gz(log(8, 3).as_bytes())),
        ("orders.json", PRETTY.as_bytes().to_vec()),
        ("orders.json", BROKEN.as_bytes().to_vec()),
        ("orders.json", BROKEN.as_bytes()[..60].to_vec()),
        ("orders.json", b"[{\"_id\": 1}, {\"_id\": 2}, 5, {\"_id\" 3}, {\"_id\": 4}".to_vec()),
        ("session.txt", SESSION.as_bytes().to_vec()),
        ("a.mongodb.js", b"use('shop');\ndb.orders.find({})".to_vec()),
        ("orders.indexes.json", b"[{\"v\": 2, \"key\": {\"_id\": 1}, \"name\": \"_id_\"}]".to_vec()),
        ("orders.json", b"{\"_id\": \"5f0000000000000000000001\"}\n{\"_id\": \"5f0000000000000000000002\"}".to_vec()),
        ("noise.bin", vec![0x1f, 0x8b]),
    ]
}

#[test]
fn byte_by_byte_is_the_same_as_at_once() {
    for (name, bytes) in inputs() {
        let whole = read(name, &bytes, named());
        assert!(!whole.0.lines.is_empty() || bytes.len() < 10, "{name} told nothing");
        let single = read_in(name, bytes.chunks(1), named());
        assert_eq!(whole, single, "{name}");
    }
}

proptest! {
    #[test]
    fn any_chunking_is_the_same(which in 0_usize..inputs().len(), cuts in prop::collection::vec(0_usize..2000, 0..6)) {
        let (name, bytes) = inputs().swap_remove(which);
        let whole = read(name, &bytes, named());
        let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut % (bytes.len() + 1)).collect();
        cuts.sort_unstable();
        let mut pieces = Vec::new();
        let mut from = 0;
        for cut in cuts {
            pieces.push(&bytes[from..cut]);
            from = cut;
        }
        pieces.push(&bytes[from..]);
        prop_assert_eq!(whole, read_in(name, pieces, named()));
    }
}

#[test]
fn cut_at_every_byte() {
    for (name, bytes) in inputs() {
        let whole = read(name, &bytes, named()).0;
        for length in 0..bytes.len() {
            let (cut, summary) = read(name, &bytes[..length], named());
            assert!(cut.documents.len() <= whole.documents.len() + 1, "{name} at {length}");
            assert!(!summary.complete || cut.problems.is_empty(), "{name} at {length} is complete");
        }
    }
    let bytes = dump(3);
    let size = bytes.len() / 3;
    for length in 0..bytes.len() {
        let (cut, summary) = read("d/c.bson", &bytes[..length], Options::default());
        assert_eq!(cut.documents.len(), length / size, "{length}");
        assert_eq!(cut.problems.len(), usize::from(length % size > 0), "{length} of {size}: {:?}", cut.problems);
        if let [problem] = &cut.problems[..] {
            assert_eq!(problem.kind, ProblemKind::Truncated);
            assert_eq!(problem.offset, Some((length / size * size) as u64));
            assert_eq!(problem.document, Some((length / size + 1) as u64));
        }
        assert_eq!(summary.complete, length % size == 0);
    }
}

#[test]
fn faults_of_a_text_have_their_place_and_lose_themselves_alone() {
    let (told, summary) = read("orders.json", BROKEN.as_bytes(), named());
    let ids: Vec<String> = told.documents.iter().map(|(_, v, _)| write::literal(v.get("_id").unwrap())).collect();
    assert_eq!(ids, ["1", "4", "6", "8"]);
    assert_eq!(summary.problems, 4);
    let places: Vec<_> = told.problems.iter().map(|p| (p.document, p.line, p.column)).collect();
    assert_eq!(
        places,
        [
            (Some(2), Some(2), Some(17)),
            (Some(3), Some(3), Some(29)),
            (Some(5), Some(5), Some(25)),
            (Some(7), Some(7), Some(14)),
        ]
    );
    assert_eq!(told.problems[0].offset, Some(27));
    assert_eq!(told.documents[1].2.document, 4);
    assert_eq!(told.documents[1].2.line, Some(4));
}

/// Lines that are broken in every way, each with the number of problems that it is.
const BROKEN_LINES: [&str; 24] = [
    r#"{"_id": 0, "s": "never ends}"#,
    r#"{"_id": 0, "s": "never ends"#,
    r#"{"_id": 0, "s": "ends in a backslash\\"#,
    r#"{"_id": 0, "b": {"c": 1}"#,
    r#"{"_id": 0, "b": "#,
    r#"{"_id": 0, "b": ["#,
    r#"{"_id": 0, "b": [1, "#,
    r#"{"_id": 0, "b": [{"c": [{"#,
    r#"{"_id": 0,"#,
    r#"{"_id""#,
    "{",
    r#"{"_id": 0, "b": tru}"#,
    r#"{"_id": 0, "b": }}"#,
    r#"{"_id": 0, b c} and more}, and [more"#,
    r#"{"_id": 0 "b": 1}"#,
    r#"{"_id": 0, "b": [1, 2}"#,
    r#"{"_id": 0, "b": {"c": 1]}"#,
    "{\"_id\": 0, \u{0}\"s\": 1}",
    "\u{0}\u{0}\u{0}",
    "noise",
    "more, noise] than, that",
    "[noise",
    "}",
    "\"a string\"",
];

fn ids(told: &Recorder) -> Vec<i64> {
    told.documents.iter().map(|(_, value, _)| value.get("_id").unwrap().as_i64().unwrap()).collect()
}

#[test]
fn a_broken_line_loses_itself_alone_and_is_one_problem() {
    for broken in BROKEN_LINES {
        for at in 0..4 {
            let mut lines: Vec<String> = (1..=4).map(|id| format!("{{\"_id\": {id}, \"s\": \"text\"}}")).collect();
            lines.insert(at, broken.to_owned());
            if at == 0 && broken.starts_with('\0') {
                // Nothing before it says that this is a text.
                continue;
            }
            let text = lines.join("\n") + "\n";
            let (told, summary) = read("orders.ndjson", text.as_bytes(), named());
            assert_eq!(ids(&told), [1, 2, 3, 4], "{broken} at {at}: {:?}", told.problems);
            let places: Vec<_> = told.problems.iter().map(|p| p.line).collect();
            assert_eq!(places, [Some(at as u64 + 1)], "{broken} at {at}: {:?}", told.problems);
            assert!(!summary.complete, "{broken}");
            assert_eq!((told, summary), read_in("orders.ndjson", text.as_bytes().chunks(1), named()), "{broken}");
        }
    }
}

#[test]
fn all_broken_lines_together_and_half_a_line_at_the_end() {
    let mut text = String::new();
    let mut faulty = Vec::new();
    for (number, broken) in BROKEN_LINES.iter().enumerate() {
        text.extend([format!("{{\"_id\": {number}}}"), broken.to_string(), broken.to_string()].map(|line| line + "\n"));
        faulty.extend([3 * number as u64 + 2, 3 * number as u64 + 3].map(Some));
    }
    let half = text.clone() + "{\"_id\": 99, \"b\": [\"ha";
    faulty.push(Some(3 * BROKEN_LINES.len() as u64 + 1));
    for piece in [1, 7, 1 << 16] {
        let (told, summary) = read_in("orders.ndjson", half.as_bytes().chunks(piece), named());
        assert_eq!(ids(&told), (0..BROKEN_LINES.len() as i64).collect::<Vec<_>>());
        assert_eq!(summary.problems, faulty.len() as u64);
        let places: Vec<_> = told.problems.iter().map(|p| p.line).collect();
        assert_eq!(places[..20], faulty[..20]);
    }
    // What is cut and not broken stays one document that is cut, however its lines begin.
    let inner = "[\n{\"_id\": 1, \"b\": [\n{\"c\": 1},\n{\"c\": 2";
    assert_eq!(read("orders.json", inner.as_bytes(), named()).0.documents.len(), 0);
    let cut = "{\"_id\": 1}\n{\"_id\": 2, \"b\": [\n{\"c\": 1,\n\"d\": 2},\n{\"c\": 2";
    let (told, _) = read("orders.json", cut.as_bytes(), named());
    assert_eq!(ids(&told), [1]);
    assert_eq!(told.problems.iter().map(|p| p.kind).collect::<Vec<_>>(), [ProblemKind::Truncated]);
}

#[test]
fn lines_of_an_array_come_back_behind_a_broken_one() {
    for broken in [r#"{"_id": 0, "b": ["#, r#"{"_id": 0, "b": {"c": 1"#, r#"{"_id": 0, "s": "x"#] {
        let text = format!("[\n{{\"_id\": 1}},\n{broken},\n{{\"_id\": 2}},\n{{\"_id\": 3}}\n]\n");
        let (told, _) = read("orders.json", text.as_bytes(), named());
        assert_eq!(ids(&told), [1, 2, 3], "{broken}: {:?}", told.problems);
        let places: Vec<_> = told.problems.iter().map(|p| p.line).collect();
        assert_eq!(places, [Some(3)], "{broken}: {:?}", told.problems);
    }
}

#[test]
fn faults_in_an_array_on_one_line() {
    let text = "[{\"_id\": 1}, {\"_id\": 2, \"a\": [1, {\"x\": \"}\"}, oops]}, {\"_id\": 3}, 5, {\"_id\": 4}";
    let (told, _) = read("orders.json", text.as_bytes(), named());
    assert_eq!(told.documents.len(), 3);
    let kinds: Vec<_> = told.problems.iter().map(|p| p.kind).collect();
    assert_eq!(kinds, [ProblemKind::Broken, ProblemKind::Broken, ProblemKind::Truncated]);
}

#[test]
fn a_broken_document_of_a_dump_is_skipped_alone() {
    let size = dump(1).len();
    // A type that does not exist: the size still leads to the next document.
    let mut bytes = dump(5);
    bytes[2 * size + 4] = 0x66;
    let (told, summary) = read("d/c.bson", &bytes, Options::default());
    assert_eq!(told.documents.len(), 4);
    assert_eq!(told.problems[0].document, Some(3));
    assert_eq!(told.problems[0].offset, Some((2 * size + 4) as u64));
    assert!(!summary.complete);
    // A size that leads nowhere: the next documents are found, and not those inside the broken one.
    for wrong in [0_u32, 3, 50, 0x7FFF_FFFF, 0x0010_0000, size as u32 + 1, size as u32 - 1] {
        let mut bytes = dump(5);
        bytes[2 * size..2 * size + 4].copy_from_slice(&wrong.to_le_bytes());
        let (told, _) = read("d/c.bson", &bytes, Options::default());
        let ids: Vec<_> = told.documents.iter().map(|(_, v, _)| v.get("_id").unwrap().as_i64().unwrap()).collect();
        assert_eq!(ids, [0, 1, 3, 4], "size {wrong}");
        assert_eq!(told.problems.len(), 1, "size {wrong}");
    }
    let bytes = [&[0xAB; 100][..], &dump(2)].concat();
    assert_eq!(read("d/c.bson", &bytes, Options::default()).0.documents.len(), 2);
}

#[test]
fn packed_inputs() {
    let members = [gz(&dump(2)), gz(&dump(3))].concat();
    let (told, summary) = read("d/c.bson.gz", &members, Options::default());
    assert_eq!((told.documents.len(), summary.problems, summary.complete), (5, 0, true));
    assert_eq!(summary.bytes, dump(5).len() as u64, "bytes count unpacked");
    let whole = gz(&dump(500));
    let (told, summary) = read("d/c.bson.gz", &whole[..whole.len() - 20], Options::default());
    assert!(told.documents.len() < 500 && !summary.complete);
    assert!(told.problems.iter().any(|p| p.kind == ProblemKind::Truncated));
    let mut damaged = gz(&dump(500));
    let middle = damaged.len() / 2;
    damaged[middle..middle + 8].fill(0xFF);
    let (_, summary) = read("d/c.bson.gz", &damaged, Options::default());
    assert!(summary.problems > 0 && !summary.complete);
    // The name does not matter, the content does.
    assert_eq!(read("c.json", &gz(lines(3).as_bytes()), named()).0.documents.len(), 3);
}

#[test]
fn problems_are_told_singly_up_to_a_limit() {
    let text = "{\"_id\": 1}\n".to_owned() + &"{\"a\": }\n".repeat(100);
    let (told, summary) = read("orders.json", text.as_bytes(), named());
    assert_eq!(summary.problems, 100);
    assert_eq!(told.problems.len(), 21);
    assert_eq!(told.problems[20].kind, ProblemKind::More);
}

#[test]
fn a_session_holds_documents_and_indexes() {
    let (told, summary) = read("paste.txt", SESSION.as_bytes(), named());
    assert_eq!(summary.kind, Kind::Literals);
    assert!(summary.cut);
    let shop = Some(Namespace::new("shop", "orders"));
    assert_eq!(told.documents.len(), 2);
    assert!(told.documents.iter().all(|(ns, ..)| *ns == shop));
    assert!(told.documents[0].2.cut && told.documents[1].2.cut);
    assert_eq!(told.values.len(), 1);
    assert_eq!((told.values[0].0, &told.values[0].1), (Kind::Indexes, &shop));
    assert!(told.problems.is_empty());
    let forced = Options { collection: Some(Namespace::bare("mine")), ..named() };
    let (told, _) = read("paste.txt", SESSION.as_bytes(), forced);
    assert!(told.documents.iter().all(|(ns, ..)| *ns == Some(Namespace::bare("mine"))));
}

#[test]
fn types_that_were_lost_are_told_once() {
    let plain =
        "[{\"_id\": \"5f0000000000000000000001\", \"at\": \"2024-01-01\"}, {\"_id\": \"5f0000000000000000000002\"}]";
    let (told, _) = read("orders.json", plain.as_bytes(), named());
    assert_eq!(told.problems.iter().map(|p| p.kind).collect::<Vec<_>>(), [ProblemKind::TypesLost]);
    assert!(told.lines.iter().filter(|line| line.contains("TypesLost 2")).count() <= 2);
    let typed = plain.replace("\"2024-01-01\"", "{\"$date\": \"2024-01-01T00:00:00Z\"}");
    assert!(read("orders.json", typed.as_bytes(), named()).0.problems.is_empty());
}

#[test]
fn ten_thousand_levels_and_a_large_document() {
    let deep = 10_000;
    let mut bson = vec![5, 0, 0, 0, 0];
    for _ in 0..deep {
        let mut outer = ((bson.len() + 8) as u32).to_le_bytes().to_vec();
        outer.extend([0x03, b'a', 0]);
        outer.extend(&bson);
        outer.push(0);
        bson = outer;
    }
    let json = format!("{{\"_id\": 1, \"a\": {}1{}}}", "[".repeat(deep), "]".repeat(deep));
    let literal = format!("{{ _id: 1, a: {}1{} }}", "{b:[".repeat(deep), "]}".repeat(deep));
    let call = format!("{{ _id: 1, a: {}1{} }}", "Double(".repeat(deep), ")".repeat(deep));
    for (name, bytes) in [
        ("d/c.bson", bson),
        ("c.json", json.into_bytes()),
        ("c.json5", literal.into_bytes()),
        ("c.json5", call.into_bytes()),
    ] {
        let (told, summary) = read(name, &bytes, named());
        assert_eq!(told.documents.len(), 1, "{name}");
        assert_eq!(summary.problems, 0, "{name}");
    }
    let large = write::bson(&document(1, &"x".repeat(20 << 20))).unwrap();
    let (told, _) = read_in("d/c.bson", large.chunks(64 * 1024), Options::default());
    assert_eq!(told.documents[0].1.get("text").unwrap().as_str().unwrap().len(), 20 << 20);
    let (told, _) = read_in("c.json", write::canonical(&told.documents[0].1).as_bytes().chunks(64 * 1024), named());
    assert_eq!(told.documents.len(), 1);
}

/// Reads the parts as several workers would; nothing where they do not meet.
fn in_parts(name: &str, bytes: &[u8], cuts: &[usize]) -> Option<Recorder> {
    let mut merged = Recorder::default();
    let (mut documents, mut lines) = (0, 0);
    let mut last = 0;
    let mut parts = Vec::new();
    let bounds: Vec<usize> = [&[0], cuts, &[bytes.len()]].concat();
    for pair in bounds.windows(2) {
        let head = bytes[..bytes.len().min(sniff::HEAD)].to_vec();
        let range = Range { start: pair[0] as u64, end: pair[1] as u64, head };
        let mut told = Recorder::default();
        let mut input = Input::new(name, Options { range: Some(range), ..named() });
        for piece in bytes[pair[0]..].chunks(777) {
            if input.is_done() {
                break;
            }
            input.write(piece, &mut told);
        }
        let summary = input.close(&mut told);
        let (from, to) = summary.range.unwrap();
        if last != from && pair[0] > 0 {
            return None;
        }
        last = to;
        for (ns, value, mut place) in told.documents {
            place.document += documents;
            place.line = place.line.map(|line| line + lines);
            merged.documents.push((ns, value, place));
        }
        documents += summary.numbered;
        lines += summary.lines;
        parts.push((summary, told.problems));
    }
    assert_eq!(parts.iter().map(|(summary, _)| summary.bytes).sum::<u64>(), bytes.len() as u64);
    merged.problems = join_problems(parts.iter().map(|(summary, problems)| (summary, &problems[..])));
    Some(merged)
}

#[test]
fn parts_of_one_input_are_the_whole() {
    let mut pretty = "[\n".to_owned();
    for i in 0..2000 {
        let comma = if i > 0 { ",\n" } else { "" };
        pretty += comma;
        pretty += &"  {\n    \"_id\": N,\n    \"a\": [\n      { \"b\": 1 }\n    ]\n  }".replace('N', &i.to_string());
    }
    pretty += "\n]\n";
    let mut faulty = String::new();
    for (number, line) in lines(2000).lines().enumerate() {
        faulty += if number % 37 == 5 { &line[..line.len() / 2] } else { line };
        faulty.push('\n');
    }
    let inputs = [
        ("d/c.bson", dump(2000)),
        ("c.ndjson", lines(2000).into_bytes()),
        ("c.ndjson", faulty.into_bytes()),
        ("c.json", pretty.into_bytes()),
    ];
    for (name, bytes) in inputs {
        let (whole, _) = read(name, &bytes, named());
        for cuts in [
            vec![bytes.len() / 2],
            vec![bytes.len() / 3, bytes.len() / 2 + 1],
            vec![bytes.len() - 3],
            vec![70_000, 70_001],
        ] {
            let merged =
                in_parts(name, &bytes, &cuts).unwrap_or_else(|| panic!("{name} {cuts:?}: the parts do not meet"));
            assert_eq!(merged.documents, whole.documents, "{name} {cuts:?}");
            assert_eq!(merged.problems, whole.problems, "{name} {cuts:?}");
        }
    }
}

#[test]
fn values_come_back_from_literals_and_extended_json() {
    let value = Value::Object(vec![
        ("_id".into(), Value::ObjectId([7; 12])),
        ("a b".into(), Value::Double(5.0)),
        ("__proto__".into(), Value::Double(0.1)),
        ("quote'\"\\".into(), Value::String("it's \u{1b}[31m \u{2028} \"x\" \\ \n é 😀".into())),
        ("date".into(), Value::Date(-1)),
        ("far".into(), Value::Date(8_640_000_000_000_000)),
        ("regex".into(), Value::Regex("a/b'".into(), "im".into())),
        ("binary".into(), Value::BinData(4, vec![1; 16])),
        ("other".into(), Value::BinData(0, vec![1, 2])),
        (
            "numbers".into(),
            Value::Array(vec![
                Value::Int(-1),
                Value::Long(i64::MIN),
                Value::Double(f64::NEG_INFINITY),
                Value::Double(1e300),
                Value::Decimal(mongovet::value::decimal::Decimal::parse("-1E-6176").unwrap().to_bytes()),
            ]),
        ),
        (
            "rest".into(),
            Value::Array(vec![
                Value::Undefined,
                Value::Null,
                Value::MinKey,
                Value::MaxKey,
                Value::Timestamp(u32::MAX, 1),
                Value::Javascript("f('x')".into()),
                Value::Symbol("s".into()),
                Value::Bool(true),
                Value::DbPointer("a.b".into(), [1; 12]),
                Value::Object(vec![]),
                Value::Array(vec![]),
            ]),
        ),
    ]);
    for text in [write::literal(&value), write::canonical(&value)] {
        assert!(!text.chars().any(char::is_control), "{text}");
        let (told, _) = read("c.json5", text.as_bytes(), named());
        assert_eq!(told.documents.len(), 1, "{text} {:?}", told.problems);
        assert_eq!(told.documents[0].1, value, "{text}");
    }
    let (told, _) = read("d/c.bson", &write::bson(&value).unwrap(), Options::default());
    assert_eq!(told.documents[0].1, value);
}
