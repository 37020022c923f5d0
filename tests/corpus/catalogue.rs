//! Catalogues of other tools and people: metadata of dumps, validators with their documents, scripts.

use mongovet::catalogue::{Catalogue, Claim, IndexKind, Namespace};
use mongovet::evidence::metadata::{self, Source};
use mongovet::evidence::script;
use mongovet::value::Value;
use mongovet::{InputOptions, Vet};

use super::recorder::{named, read};
use super::{corpora, files};

fn values(path: &std::path::Path) -> Vec<Value> {
    let (recorder, _) = read(&path.to_string_lossy(), &std::fs::read(path).unwrap(), named());
    recorder.values.into_iter().map(|(_, _, value)| value).collect()
}

#[test]
fn metadata_of_every_tool_version_tells_its_indexes() {
    let Some(folder) = corpora("dumps/mongo-tools") else { return };
    let mut indexes = 0;
    let mut odd = 0;
    for path in files(&folder).into_iter().filter(|path| path.to_string_lossy().ends_with(".metadata.json")) {
        for value in values(&path) {
            let kind = metadata::recognise(&value).unwrap_or_else(|| panic!("{}", path.display()));
            let layout = Namespace::new("db", "layout");
            let source = Source { input: "m", namespace: Some(&layout), forced: false, sequence: 0 };
            let statements = metadata::read(kind, &value, source).unwrap();
            assert!(!statements.is_empty(), "{}", path.display());
            for statement in &statements {
                let Claim::Indexes(list) = &statement.claim else { continue };
                let written = value.get("indexes").and_then(Value::as_array).unwrap_or_default();
                assert_eq!(list.len(), written.len(), "{}", path.display());
                indexes += list.len();
                odd += list.iter().flat_map(|i| &i.key).filter(|(_, kind)| matches!(kind, IndexKind::Other(_))).count();
            }
        }
    }
    assert!(50 < indexes, "{indexes}");
    assert_eq!(odd, 1, "only geoHaystack is a kind that no server knows any more");
}

#[test]
fn real_validators_are_taken_and_judge_their_documents() {
    let Some(folder) = corpora("datasets/ndc-mongodb/chinook") else { return };
    let Some(schemas) = corpora("meta/validators/ndc-mongodb/mongodb/chinook") else { return };
    let mut judged = 0;
    let inputs: Vec<_> = files(&schemas).into_iter().chain(files(&folder)).collect();
    let mut vet = Vet::new(mongovet::Options::default()).unwrap();
    let name = |path: &std::path::Path| path.file_name().unwrap().to_string_lossy().into_owned();
    let mut feed = |vet: &mut Vet, path: &std::path::Path| {
        vet.open(&name(path), InputOptions::default());
        vet.write(&std::fs::read(path).unwrap());
        vet.close();
        judged += 1;
    };
    let is_input = |path: &&std::path::PathBuf| path.extension().is_some_and(|end| end == "json");
    for path in inputs.iter().filter(is_input) {
        feed(&mut vet, path);
    }
    let again = vet.questions();
    for path in inputs.iter().filter(is_input).filter(|path| again.contains(&name(path))) {
        feed(&mut vet, path);
    }
    assert!(10 < judged);
    let report: serde_json::Value = serde_json::from_str(&vet.finish()).unwrap();
    let findings = report["findings"].as_array().unwrap();
    let refused: Vec<_> = findings.iter().filter(|f| f["rule"] == "validation/bad-keyword").collect();
    assert!(refused.is_empty(), "the server took them: {refused:?}");
    let failing: Vec<_> = findings.iter().filter(|f| f["rule"] == "validation/violations").collect();
    assert!(failing.is_empty(), "the documents came out of a server that enforced them: {failing:?}");
}

#[test]
fn scripts_of_all_dialects_parse() {
    let root = std::path::PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/cases");
    if !root.is_dir() {
        eprintln!("skipped: the labelled cases are not there");
        return;
    }
    let is_script = |path: &&std::path::PathBuf| {
        path.extension().is_some_and(|end| ["js", "mjs", "cjs", "ts"].iter().any(|known| end == *known))
    };
    let mut catalogue = Catalogue::default();
    let mut scripts = 0;
    for path in files(&root).iter().filter(is_script) {
        let text = std::fs::read_to_string(path).unwrap();
        let reading = script::read(&path.to_string_lossy(), &text, None);
        assert_eq!(reading.problems, [], "{}", path.display());
        catalogue.extend(reading.statements);
        scripts += 1;
    }
    assert!(100 < scripts, "{scripts}");
    let wanted: usize = catalogue.collections(None).values().map(|c| c.indexes.len()).sum();
    assert!(20 < wanted, "{wanted}");
}
