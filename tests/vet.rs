//! The way through the house, from outside: whatever the order, the pieces and the parts, the report is the same.

use std::fs;
use std::path::Path;

use mongovet::{InputOptions, Options, RenderOptions, Span, Vet};
use serde_json::Value;

type Inputs = Vec<(String, Vec<u8>)>;

/// The files of the bundled example, which has dumps, metadata, indexes and a validator.
fn shop() -> Inputs {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/shop");
    let mut files = Vec::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("the example is there") {
            let path = entry.expect("it can be listed").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(&root).expect("below the root").to_string_lossy().replace('\\', "/");
                files.push((format!("shop/{name}"), fs::read(&path).expect("it can be read")));
            }
        }
    }
    files.sort();
    files
}

fn is_dump(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|extension| extension == "bson")
}

fn feed(vet: &mut Vet, name: &str, bytes: &[u8], piece: usize) {
    vet.open(name, InputOptions::default());
    for piece in bytes.chunks(piece.max(1)) {
        if !vet.write(piece) {
            break;
        }
    }
    vet.close();
}

/// A finished run over inputs in their order, in pieces of so many bytes.
fn vetted(inputs: &[(String, Vec<u8>)], piece: usize, options: Options) -> (Vet, String) {
    let mut vet = Vet::new(options).expect("the options are right");
    for (name, bytes) in inputs {
        feed(&mut vet, name, bytes, piece);
    }
    let again = vet.questions();
    for (name, bytes) in inputs.iter().filter(|(name, _)| again.contains(name)) {
        feed(&mut vet, name, bytes, piece);
    }
    let report = vet.finish();
    (vet, report)
}

fn findings(report: &str) -> Vec<Value> {
    let report: Value = serde_json::from_str(report).expect("the report is JSON");
    report["findings"].as_array().expect("a list").clone()
}

#[test]
fn neither_the_order_of_files_nor_their_pieces_matter() {
    let inputs = shop();
    let (_, expected) = vetted(&inputs, 1 << 18, Options::default());
    assert!(!findings(&expected).is_empty(), "the example has faults to find");
    let mut turned = inputs.clone();
    turned.reverse();
    assert_eq!(vetted(&turned, 1 << 18, Options::default()).1, expected);
    for piece in [977, 4096] {
        assert_eq!(vetted(&inputs, piece, Options::default()).1, expected, "in pieces of {piece} bytes");
    }
}

#[test]
fn parts_of_a_file_read_apart_give_the_report_of_the_whole() {
    let inputs = shop();
    let (_, expected) = vetted(&inputs, 1 << 18, Options::default());
    let mut main = Vet::new(Options::default()).expect("the options are right");
    let mut split = 0;
    for (name, bytes) in &inputs {
        if !is_dump(name) || bytes.len() < 10_000 {
            feed(&mut main, name, bytes, 1 << 18);
            continue;
        }
        let middle = bytes.len() / 2;
        let mut joints = Vec::new();
        for (start, end) in [(0, middle), (middle, bytes.len())] {
            let mut part = Vet::new(Options::default()).expect("the options are right");
            let head = bytes[..bytes.len().min(1 << 16)].to_vec();
            let range = Some(Span { start: start as u64, end: end as u64, head });
            part.open(name, InputOptions { range, ..InputOptions::default() });
            for piece in bytes[start..].chunks(5000) {
                if !part.write(piece) {
                    break;
                }
            }
            joints.push(part.close().expect("a dump can be read in parts"));
            main.merge(&part.partial()).expect("parts of one version merge");
        }
        assert_eq!(joints[0].1, joints[1].0, "{name}: the second part begins where the first one ends");
        split += 1;
    }
    assert!(0 < split, "a file was large enough to split");
    let again = main.questions();
    assert!(!again.is_empty(), "the evidence raises questions");
    // The second pass is shared, too: each input is read elsewhere for the same questions.
    let asked = main.asked();
    for (name, bytes) in inputs.iter().filter(|(name, _)| again.contains(name)) {
        let mut other = Vet::new(Options::default()).expect("the options are right");
        other.ask(&asked).expect("questions of one version are understood");
        feed(&mut other, name, bytes, 1 << 18);
        main.merge(&other.partial()).expect("answers of one version merge");
    }
    assert_eq!(main.finish(), expected);
}

#[test]
fn what_lies_too_deep_to_be_counted_makes_a_number_of_fields_a_lower_bound() {
    let fields = (0..230).map(|field| format!("f{field}: 1, ")).collect::<Vec<_>>().concat();
    let message = |levels: usize| {
        let deep = "{a: ".repeat(levels) + "1" + &"}".repeat(levels);
        let text = (0..30).map(|id| format!("{{_id: {id}, {fields}deep: {deep}}}\n")).collect::<Vec<_>>().concat();
        let (_, report) = vetted(&[("lab.samples.json5".to_owned(), text.into_bytes())], 1 << 16, Options::default());
        let found = findings(&report).into_iter().find(|finding| finding["rule"] == "document/too-many-fields");
        found.expect("it is found")["message"].as_str().expect("a text").to_owned()
    };
    assert_eq!(message(100), "a document of `lab.samples` uses 332 field paths");
    assert!(message(300).starts_with("a document of `lab.samples` uses at least 4"), "{}", message(300));
}

#[test]
fn a_saved_profile_is_evidence_again() {
    let inputs = shop();
    let options = Options { with_documents: true, ..Options::default() };
    let (mut vet, first) = vetted(&inputs, 1 << 18, options.clone());
    let saved = vet.save();
    let (_, second) = vetted(&[("shop.mvprofile".to_owned(), saved)], 1 << 18, options);
    // What a second reading counts exactly the sample answers here; all else is known as before.
    let measured = |report: &str| {
        let exact = |f: &&Value| !f["rule"].as_str().unwrap_or_default().starts_with("validation/violations");
        let told = |f: &Value| (f["rule"].clone(), f["collection"].clone(), f["path"].clone(), f["severity"].clone());
        findings(report).iter().filter(exact).map(told).collect::<Vec<_>>()
    };
    assert_eq!(measured(&second), measured(&first));

    let mut both = inputs.clone();
    both.push(("shop.mvprofile".to_owned(), vetted(&inputs, 1 << 18, Options::default()).0.save()));
    let report = vetted(&both, 1 << 18, Options::default()).1;
    assert!(report.contains("its documents count twice"), "a profile beside its own files is told");

    let (mut vet, _) = vetted(&inputs, 1 << 18, Options::default());
    let without = vet.save();
    let mut reader = Vet::new(Options::default()).expect("the options are right");
    reader.merge(&without).expect("it can be read back");
    assert!(without.len() < vet.partial().len(), "documents are only in it when asked for");
    assert!(Vet::new(Options::default()).expect("right").merge(b"something else").is_err());
}

#[test]
fn every_document_passes_the_schema_that_was_made_of_it() {
    let inputs: Inputs = shop().into_iter().filter(|(name, _)| is_dump(name)).collect();
    let (vet, _) = vetted(&inputs, 1 << 18, Options::default());
    let schemas: Value = serde_json::from_str(&vet.schema("json-schema").expect("a format")).expect("JSON");
    let mut with_schemas = inputs;
    for (ns, schema) in schemas.as_object().expect("by namespace") {
        let validator = serde_json::json!({ "validator": schema }).to_string();
        with_schemas.push((format!("{ns}.validator.json"), validator.into_bytes()));
    }
    let (_, report) = vetted(&with_schemas, 1 << 18, Options::default());
    let against: Vec<Value> = findings(&report)
        .into_iter()
        .filter(|f| {
            ["validation/violations", "validation/bad-keyword", "validation/contradiction", "validation/drift"]
                .contains(&f["rule"].as_str().unwrap_or_default())
        })
        .collect();
    assert!(against.is_empty(), "{against:#?}");
}

#[test]
fn names_that_mean_harm_stay_names() {
    let text = r#"{"_id": 1, "a b": 1, "*/ alert(1) /*": {"x\"y": [true]}, "\u001b[31m": "<script>", "7": null, "$dollar": 1, "": 2, "a.b": 3}"#;
    let inputs = vec![("shop.odd.json".to_owned(), text.as_bytes().to_vec())];
    let (vet, report) = vetted(&inputs, 1 << 18, Options::default());
    let typescript = vet.schema("typescript").expect("a format");
    assert!(typescript.contains(r#""a b": number"#), "{typescript}");
    let outputs = [
        report,
        typescript,
        vet.schema("mermaid").expect("a format"),
        vet.profile("text", 80).expect("a format"),
        vet.profile("html", 80).expect("a format"),
        vet.render("text", RenderOptions::default()).expect("a format"),
    ];
    for output in outputs {
        assert!(!output.contains('\u{1b}'), "no output steers a terminal: {output:?}");
        assert!(!output.contains("<script"), "no output is markup: {output}");
    }
    let headline_fits = |line: &str| line.chars().count() <= 80;
    assert!(vet.profile("text", 80).expect("a format").lines().all(headline_fits));
    let schema = vet.schema("json-schema").expect("a format");
    assert!(schema.contains("a b") && !schema.contains("$dollar"), "{schema}");
    let mermaid = vet.schema("mermaid").expect("a format");
    assert!(mermaid.lines().skip(1).all(|line| line.starts_with("  ")), "{mermaid}");
}

#[test]
fn names_without_a_database_mean_the_only_one() {
    let documents = "{\"_id\": 1}\n".repeat(30);
    let inputs = vec![
        ("orders.indexes.json".to_owned(), br#"[{"v": 2, "key": {"_id": 1}, "name": "_id_"}]"#.to_vec()),
        ("shop.orders.ndjson".to_owned(), documents.into_bytes()),
    ];
    let (_, report) = vetted(&inputs, 1 << 18, Options::default());
    let report: Value = serde_json::from_str(&report).expect("the report is JSON");
    let collections: Vec<&Value> =
        report["inputs"].as_array().expect("a list").iter().map(|i| &i["collection"]).collect();
    assert_eq!(collections, ["shop.orders", "shop.orders"]);
}

#[test]
fn mistakes_in_options_name_what_would_be_right() {
    let mistake = |options: Options| Vet::new(options).err().expect("a mistake").to_string();
    let spanish = |options: Options| mistake(Options { lang: Some("es".to_owned()), ..options });
    let ignore = || vec!["document/large-aray".to_owned()];
    assert_eq!(
        spanish(Options { ignore: ignore(), ..Options::default() }),
        "--ignore: regla desconocida `document/large-aray`; ¿querías decir `document/large-array`?"
    );
    let config = Some(r#"{"lang": "es", "rules": {"document/large-aray": "off"}}"#.to_owned());
    assert!(mistake(Options { config, ..Options::default() }).contains("regla desconocida `document/large-aray`"));
    let now = Some("mañana".to_owned());
    assert_eq!(
        spanish(Options { now, ..Options::default() }),
        "`mañana` no es un día ni una hora ISO; escríbelo como `2026-11-30`"
    );
    assert!(mistake(Options { lang: Some("fr".to_owned()), ..Options::default() }).contains("en, es"));
    assert!(mistake(Options { now: Some("soon".to_owned()), ..Options::default() }).contains("soon"));
    assert!(mistake(Options { server_version: Some("x".to_owned()), ..Options::default() }).contains("8.0"));
    let select = vec!["document/larg-array".to_owned()];
    assert!(mistake(Options { select, ..Options::default() }).contains("document/large-array"));
    let (vet, _) = vetted(&[], 1, Options::default());
    assert!(vet.render("jsn", RenderOptions::default()).expect_err("a mistake").to_string().contains("json"));
}

#[test]
fn profiles_are_the_same_without_rules_and_questions() {
    let inputs = shop();
    let (whole, _) = vetted(&inputs, 1 << 18, Options::default());
    let (mut counted, report) = vetted(&inputs, 1 << 18, Options { counts_only: true, ..Options::default() });
    assert!(findings(&report).is_empty(), "no rule was asked");
    assert!(counted.questions().is_empty(), "nothing is read twice");
    let drawn = |vet: &Vet| [vet.profile("json", 80).expect("a format"), vet.schema("typescript").expect("a format")];
    assert_eq!(drawn(&counted), drawn(&whole));
}
