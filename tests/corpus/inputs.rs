//! Real files of other tools and people: dumps, exports, broken and odd ones.

use mongovet::catalogue::Namespace;
use mongovet::evidence::{Kind, Options, ProblemKind};
use mongovet::value::Value;

use super::recorder::{Recorder, named, read};
use super::{corpora, files};

fn read_file(folder: &std::path::Path, name: &str, options: Options) -> (Recorder, mongovet::evidence::Summary) {
    read(name, &std::fs::read(folder.join(name)).unwrap_or_else(|e| panic!("{name}: {e}")), options)
}

#[test]
fn bsondump_oddities() {
    let Some(folder) = corpora("bson-corpus/mongo-tools/bsondump/testdata") else { return };
    for (name, documents, problems) in [
        ("all_in_one_doc.bson", 1, 0),
        ("all_types.bson", 20, 0),
        // An element under a wrong index: only the order of elements counts, as the specification wants.
        ("broken_array.bson", 20, 0),
        ("deep_nested.bson", 1, 0),
        ("sample.bson", 4, 0),
    ] {
        let (told, summary) = read_file(&folder, name, Options::default());
        assert_eq!((told.documents.len(), summary.problems), (documents, problems), "{name}");
        assert!(summary.complete, "{name}");
    }
    for name in ["bad_cstring.bson", "bad_type.bson", "invalid_field_name.bson", "partial_file.bson"] {
        let (told, summary) = read_file(&folder, name, Options::default());
        assert!(!told.documents.is_empty(), "{name} gives the good ones");
        assert!(summary.problems > 0 && !summary.complete, "{name} has a problem");
        assert!(told.problems.iter().all(|p| p.offset.is_some()), "{name} has a place");
    }
    let (told, summary) = read_file(&folder, "random_bytes.bson", Options::default());
    assert!(told.documents.is_empty() && summary.problems > 0);
}

#[test]
fn mongoimport_and_compass_texts() {
    let Some(folder) = corpora("bson-corpus") else { return };
    for (name, documents, problems) in [
        ("mongo-tools/mongoimport/testdata/test_array.json", 27, 0),
        ("mongo-tools/mongoimport/testdata/test_bom.json", 2, 0),
        ("mongo-tools/mongoimport/testdata/test_plain.json", 3, 0),
        ("mongo-tools/mongoimport/testdata/test_plain2.json", 10, 0),
        ("compass-import-export/jsonl/extra-line.jsonl", 3, 0),
        ("compass-import-export/jsonl/good.jsonl", 3, 0),
        ("compass-import-export/docs/all-bson-types.exported.canonical.ejson", 1, 0),
        ("compass-import-export/docs/all-bson-types.exported.relaxed.ejson", 1, 0),
        ("compass-import-export/docs/all-bson-types.exported.default.ejson", 1, 0),
        ("compass-e2e/extended-json.json.gz", 1, 0),
        ("compass-e2e/three-documents.json.gz", 3, 0),
        ("compass-e2e/broken-json.json.gz", 1, 1),
    ] {
        let (told, summary) = read_file(&folder, name, named());
        let problems_but_types = told.problems.iter().filter(|p| p.kind != ProblemKind::TypesLost).count();
        assert_eq!((told.documents.len(), problems_but_types), (documents, problems), "{name}: {:?}", told.problems);
        assert!(summary.kind.is_documents(), "{name}");
    }
    let mut read = 0;
    for file in files(&folder.join("compass-import-export")) {
        let name = file.file_name().unwrap().to_str().unwrap();
        if name.ends_with("ejson") {
            let (_, summary) = read_file(&folder, file.strip_prefix(&folder).unwrap().to_str().unwrap(), named());
            assert_eq!(summary.problems, 0, "{name}");
            read += 1;
        }
    }
    assert!(read > 10);
}

#[test]
fn datasets_are_read_without_a_problem() {
    let Some(folder) = corpora("datasets") else { return };
    let mut documents = 0;
    for file in files(&folder) {
        let name = file.strip_prefix(&folder).unwrap().to_str().unwrap().to_owned();
        if !name.ends_with("json") {
            continue;
        }
        let (told, summary) = read_file(&folder, &name, named());
        let problems: Vec<_> = told.problems.iter().filter(|p| p.kind != ProblemKind::TypesLost).collect();
        assert!(problems.is_empty(), "{name}: {problems:?}");
        assert!(summary.kind.is_documents() || summary.kind == Kind::Validator, "{name}: {:?}", summary.kind);
        assert!(!told.documents.is_empty() || !told.values.is_empty(), "{name} is empty");
        documents += told.documents.len();
    }
    assert!(documents > 30_000, "{documents}");
}

#[test]
fn dumps_are_recognised() {
    let Some(folder) = corpora("dumps/mongo-tools") else { return };
    let kind = |name: &str| read_file(&folder, name, Options::default()).1.kind;
    let restore = "mongorestore/testdata/";
    for (name, expected) in [
        ("oplogdump/oplog.bson", Kind::Oplog),
        ("oplogs/bson/collMod.bson", Kind::Oplog),
        ("extra_oplog.bson", Kind::Oplog),
        ("dump_local_oplog/local/oplog.rs.bson", Kind::Oplog),
        ("oplogdump/admin/system.version.bson", Kind::Internal),
        ("oplogdump/db1/c1.bson", Kind::BsonDump),
        ("oplogdump/db1/c1.metadata.json", Kind::Metadata),
        ("prelude_test/prelude_gzip/prelude.json.gz", Kind::Prelude),
        ("prelude_test/prelude_gzip/test/foo.bson.gz", Kind::BsonDump),
        ("prelude_test/prelude_gzip/test/foo.metadata.json.gz", Kind::Metadata),
        ("timeseries_tests/ts_dump/timeseries_test/system.buckets.foo_ts.bson", Kind::TimeSeriesBuckets),
        ("timeseries_tests/ts_dump/timeseries_test/foo_ts.metadata.json", Kind::Metadata),
        ("testdirs/db1/c2.bson", Kind::BsonDump),
    ] {
        assert_eq!(kind(&format!("{restore}{name}")), expected, "{name}");
    }
    let mut read = 0;
    for file in files(&folder) {
        let name = file.strip_prefix(&folder).unwrap().to_str().unwrap().to_owned();
        let (told, summary) = read_file(&folder, &name, Options::default());
        if summary.kind.is_documents() && !name.contains("bad-format") {
            assert_eq!(summary.problems, 0, "{name}: {:?}", told.problems);
        }
        read += 1;
    }
    assert!(read > 130);
}

#[test]
fn archives() {
    let Some(folder) = corpora("dumps/mongo-tools/mongorestore/testdata") else { return };
    let (told, summary) = read_file(&folder, "test.bar.archive", Options::default());
    assert_eq!(summary.kind, Kind::Archive);
    assert!(summary.complete, "{:?}", told.problems);
    assert!(told.documents.iter().all(|(ns, ..)| *ns == Some(Namespace::new("test", "bar"))));
    assert!(!told.documents.is_empty());
    assert!(told.values.iter().any(|(kind, ..)| *kind == Kind::Metadata));
    let versions = told.values.iter().find(|(kind, ..)| *kind == Kind::Prelude).unwrap();
    assert!(versions.2.get("ServerVersion").and_then(Value::as_str).is_some_and(|v| !v.is_empty()));
    let (_, summary) = read_file(&folder, "timeseries_tests/dump.archive", Options::default());
    assert!(summary.complete);
    let (_, summary) = read_file(&folder, "bad-format.archive", Options::default());
    assert!(summary.problems > 0 && !summary.complete);
}

#[test]
fn explain_outputs_are_no_documents() {
    let Some(folder) = corpora("explain") else { return };
    let mut read = 0;
    for file in files(&folder) {
        let name = file.file_name().unwrap().to_str().unwrap();
        if file.extension().is_some_and(|extension| extension == "json") {
            let (told, summary) = read_file(&folder, name, named());
            assert_eq!((summary.kind, summary.problems), (Kind::Explain, 0), "{name}: {:?}", told.problems);
            read += 1;
        }
    }
    assert!(read > 20);
}

#[test]
fn logs_are_no_documents() {
    let Some(folder) = corpora("logs/hatchet") else { return };
    for file in files(&folder) {
        let name = file.file_name().unwrap().to_str().unwrap();
        if name.contains("log") {
            let (told, summary) = read_file(&folder, name, named());
            assert_eq!((summary.kind, told.documents.len(), summary.problems), (Kind::Log, 0, 0), "{name}");
        }
    }
}
