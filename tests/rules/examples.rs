//! The examples of the pages, run as a host runs them, with all rules on.

use std::collections::BTreeSet;
use std::fs;

use mongovet::finding::{Finding, RemedyKind, Severity};
use mongovet::report::Report;
use mongovet::rules::{RULES, Rule};
use mongovet::{InputOptions, Options, Vet};

use super::{figures, page, page_path, read_page, settle};

/// Checks inputs as a host does: both passes, all rules.
fn check(inputs: &[(String, Vec<u8>)], is_complete: bool) -> Result<Report, String> {
    let configuration = inputs.iter().find(|(name, _)| name.ends_with("mongovet.json"));
    let mut vet = Vet::new(Options {
        config: configuration.map(|(_, text)| String::from_utf8_lossy(text).into_owned()),
        config_name: configuration.map(|(name, _)| name.clone()),
        today: Some("2026-11-30".to_owned()),
        complete: is_complete,
        ..Options::default()
    })
    .map_err(|e| e.to_string())?;
    let read = |vet: &mut Vet, wanted: Option<&[String]>| {
        for (name, bytes) in inputs {
            let is_wanted = wanted.is_none_or(|names| names.contains(name));
            if is_wanted && !name.ends_with("mongovet.json") {
                vet.open(name, InputOptions::default());
                vet.write(bytes);
                vet.close();
            }
        }
    };
    read(&mut vet, None);
    let asked = vet.questions();
    read(&mut vet, Some(&asked));
    serde_json::from_str(&vet.finish()).map_err(|e| e.to_string())
}

/// Whether a finding is the expected one.
fn fits(expected: &page::Expected, finding: &Finding) -> bool {
    let level = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "info",
    };
    let location = finding.location.as_ref();
    expected.parts.iter().all(|(name, wanted)| {
        let found = match name.as_str() {
            "severity" => Some(level.to_owned()),
            "rule" => Some(finding.rule.clone()),
            "collection" => Some(finding.collection.clone().unwrap_or_else(|| "-".to_owned())),
            "path" => finding.path.clone(),
            "index" => finding.index.clone(),
            "stage" => finding.stage.map(|stage| stage.to_string()),
            "file" => location.map(|location| location.file.clone()),
            "line" => location.and_then(|location| location.start).map(|start| start.line.to_string()),
            _ => None,
        };
        found.as_ref() == Some(wanted)
    })
}

/// A finding as `expect` would have it.
fn line(finding: &Finding) -> String {
    let severity = format!("{:?}", finding.severity).to_lowercase();
    let mut parts = vec![severity, finding.rule.clone()];
    parts.push(finding.collection.clone().unwrap_or_else(|| "-".to_owned()));
    for (name, part) in [("path", &finding.path), ("index", &finding.index)] {
        parts.extend(part.as_ref().map(|part| format!("{name}={part}")));
    }
    parts.extend(finding.stage.map(|stage| format!("stage={stage}")));
    if let Some(location) = &finding.location {
        parts.push(format!("file={}", location.file));
        parts.extend(location.start.map(|start| format!("line={}", start.line)));
    }
    parts.join(" ")
}

/// The script that carries a finding's remedy out, where it is one that evidence can show: index commands and
/// validators. What changes documents is tested where it is written.
fn applicable(finding: &Finding) -> Option<String> {
    let remedy = finding.remedy.as_ref()?;
    let script = &remedy.script;
    match remedy.kind {
        RemedyKind::Validator => {
            let (database, collection) = finding.collection.as_deref()?.split_once('.')?;
            let target = format!("db.getSiblingDB({database:?})");
            Some(format!("{target}.runCommand({{collMod: {collection:?}, validator: {script}}})"))
        }
        RemedyKind::Mongosh => {
            let commands = ["createIndex", "dropIndex", "hideIndex", "unhideIndex", "collMod", "createCollection"];
            let writes = ["update", "bulkWrite", "insert", "delete", "forEach", "aggregate", "replace", "$merge"];
            let has = |words: &[&str]| words.iter().any(|word| script.contains(word));
            (has(&commands) && !has(&writes)).then(|| script.clone())
        }
        RemedyKind::Pipeline | RemedyKind::Text => None,
    }
}

/// The figures that need no place in the words: the framework's own, and tables.
fn is_plain(name: &str, value: &serde_json::Value) -> bool {
    let own = ["sampled", "heuristic", "documents", "needed", "noneOf", "upperBound"];
    !own.contains(&name) && !value.is_object()
}

/// What running a page has shown.
#[derive(Default)]
struct Shown {
    faults: Vec<String>,
    /// Whether some finding of the rule has a remedy that can be carried out.
    has_remedy: bool,
}

/// Runs the examples of one page.
fn run_page(rule: &Rule, is_loud: bool) -> Shown {
    let mut shown = Shown::default();
    let page = match read_page(rule.id, "") {
        Ok(page) => page,
        Err(fault) => {
            shown.faults.push(fault);
            return shown;
        }
    };
    for (what, examples) in [("bad", &page.bad), ("good", &page.good)] {
        if examples.is_empty() {
            shown.faults.push(format!("{}: no {what} example", page_path(rule.id, "")));
        }
        for example in examples {
            let place = format!("{}:{}", page_path(rule.id, ""), example.line);
            match run_example(rule, &page, example, what == "bad", is_loud.then_some(&place)) {
                Ok(has_remedy) => shown.has_remedy |= has_remedy,
                Err(faults) => shown.faults.extend(faults.into_iter().map(|fault| format!("{place}: {fault}"))),
            }
        }
    }
    shown
}

fn run_example(
    rule: &Rule,
    page: &page::Page,
    example: &page::Example,
    is_bad: bool,
    loud: Option<&String>,
) -> Result<bool, Vec<String>> {
    let inputs = example.inputs().map_err(|fault| vec![fault])?;
    let report = check(&inputs, example.is_complete).map_err(|fault| vec![fault])?;
    let mut faults: Vec<String> = Vec::new();
    if let Some(place) = loud {
        println!("{place}");
        for finding in &report.findings {
            println!("  {}\n    {}\n    {}\n    {}", line(finding), finding.message, finding.why, finding.help);
            println!("    {}", serde_json::to_string(&finding.evidence).unwrap());
        }
    }
    for (input, problem) in report.problems() {
        faults.push(format!("problem in {}: {}", input.name, problem.message));
    }
    let expects_own = example.expected.iter().any(|expected| expected.parts["rule"] == rule.id);
    if is_bad && !expects_own {
        faults.push(format!("a bad example expects {}", rule.id));
    }
    if !is_bad && !example.expected.is_empty() {
        faults.push("a good example expects nothing".to_owned());
    }
    for expected in &example.expected {
        if !report.findings.iter().any(|finding| fits(expected, finding)) {
            faults.push(format!("not found: {}", expected.text));
        }
    }
    for finding in &report.findings {
        let is_listed = example.expected.iter().any(|expected| fits(expected, finding));
        if !is_listed && (finding.severity > Severity::Info || finding.rule == rule.id) {
            faults.push(format!("not expected: {}", line(finding)));
        }
    }
    let mut has_remedy = false;
    for finding in report.findings.iter().filter(|finding| finding.rule == rule.id) {
        faults.extend(wording_faults(finding, page));
        let Some(script) = applicable(finding) else { continue };
        has_remedy = true;
        let mut with_remedy = inputs.clone();
        with_remedy.push(("~remedy.mongodb.js".to_owned(), script.into_bytes()));
        let after = check(&with_remedy, example.is_complete).map_err(|fault| vec![fault])?;
        if after.findings.iter().any(|other| other.fingerprint == finding.fingerprint) {
            faults.push(format!("the remedy does not cure it: {}", line(finding)));
        }
        faults.extend(after.problems().map(|(_, problem)| format!("problem in the remedy: {}", problem.message)));
    }
    if faults.is_empty() { Ok(has_remedy) } else { Err(faults) }
}

/// Names without figures, figures without words, a place that is not named.
fn wording_faults(finding: &Finding, page: &page::Page) -> Vec<String> {
    let mut faults = Vec::new();
    for text in [&finding.message, &finding.why, &finding.help] {
        let named: Vec<String> = figures(text).into_iter().filter(|name| is_placeholder(name)).collect();
        if !named.is_empty() {
            faults.push(format!("no figure for {}: {text}", named.join(", ")));
        }
    }
    let used: BTreeSet<String> = page.words.iter().flat_map(|(_, template)| figures(template)).collect();
    for (name, value) in &finding.evidence {
        if is_plain(name, value) && !used.contains(name) {
            faults.push(format!("`{name}` is in the evidence and nowhere in the words"));
        }
    }
    faults
}

/// Whether braces hold what a template's name looks like, as against a piece of code.
fn is_placeholder(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'.')
}

/// Rules whose remedies are index commands or validators in every case, so that an example must apply one.
fn remedies_are_applicable(id: &str) -> bool {
    let mut modules = fs::read_to_string("src/rules.rs").unwrap();
    modules.retain(|c| !c.is_whitespace());
    let (group, _) = id.split_once('/').unwrap();
    let Some((_, rest)) = modules.split_once(&format!("rule!({id:?},")) else { return false };
    let module = rest.split_once(&format!("{group}::")).map(|(_, rest)| rest.split([')', ':']).next().unwrap());
    let code = module.and_then(|module| fs::read_to_string(format!("src/rules/{group}/{module}.rs")).ok());
    code.is_some_and(|code| code.contains("remedy::index::") || code.contains("remedy::validator::"))
}

#[test]
fn every_example_holds() {
    let only = std::env::var("RULE").ok();
    let mut faults = Vec::new();
    for rule in RULES.iter().filter(|rule| only.as_ref().is_none_or(|only| rule.id == only)) {
        let shown = run_page(rule, only.is_some());
        if !shown.has_remedy && remedies_are_applicable(rule.id) {
            faults.push(format!("{}: no example applies its remedy", rule.id));
        }
        faults.extend(shown.faults);
    }
    settle(&faults);
}
