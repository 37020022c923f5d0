//! The rules as a whole: the table against the files, the words against each other, and every example of every page
//! run and compared. How pages and examples are written: src/rules/README.md.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "this is a test, with its helpers in modules")]

#[path = "rules/examples.rs"]
mod examples;
#[path = "rules/page.rs"]
mod page;
#[path = "rules/template.rs"]
mod template;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use mongovet::rules::RULES;

/// Everything that lies in the folders of the groups: group, name without extensions, extensions.
fn files() -> Vec<(String, String, String)> {
    let mut out = Vec::new();
    for group in list(Path::new("src/rules")).into_iter().filter(|path| path.is_dir()) {
        for file in list(&group) {
            let text = |part: &std::ffi::OsStr| part.to_str().unwrap().to_owned();
            let name = text(file.file_name().unwrap());
            let (stem, extensions) = name.split_once('.').unwrap();
            out.push((text(group.file_name().unwrap()), stem.to_owned(), extensions.to_owned()));
        }
    }
    out
}

fn list(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

fn page_path(id: &str, language: &str) -> String {
    format!("src/rules/{id}{language}.md")
}

fn read_page(id: &str, language: &str) -> Result<page::Page, String> {
    let path = page_path(id, language);
    let text = fs::read_to_string(&path).map_err(|e| format!("{path}: {e}"))?;
    page::parse(&text).map_err(|e| format!("{path}: {e}"))
}

/// Fails with all faults at once, one a line.
fn settle(faults: &[String]) {
    assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
}

#[test]
fn the_table_is_in_order_and_names_what_exists() {
    let mut faults = Vec::new();
    for pair in RULES.windows(2) {
        if pair[0].id >= pair[1].id {
            faults.push(format!("{} stands before {}", pair[0].id, pair[1].id));
        }
    }
    let is_kebab = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_lowercase() || b == b'-');
    for rule in RULES {
        if !rule.id.split_once('/').is_some_and(|(group, name)| is_kebab(group) && is_kebab(name)) {
            faults.push(format!("{}: an id is `group/name` in lower case", rule.id));
        }
        // A rule may yield to one that is still to come, but not to a slip of the keyboard.
        for name in rule.yields_to.iter().filter(|name| !name.ends_with("/*") && mongovet::rules::find(name).is_none())
        {
            if let Some(near) = RULES.iter().find(|other| strsim::damerau_levenshtein(other.id, name) <= 2) {
                faults.push(format!("{}: yields to {name}: is {} meant?", rule.id, near.id));
            }
        }
    }
    settle(&faults);
}

#[test]
fn every_rule_has_its_files_and_every_file_its_rule() {
    let mut faults = Vec::new();
    for rule in RULES {
        for language in ["", ".es"] {
            let path = page_path(rule.id, language);
            if !Path::new(&path).exists() {
                faults.push(format!("{path} is missing"));
            }
        }
    }
    let table = fs::read_to_string("src/rules.rs").unwrap();
    for (group, stem, extensions) in files() {
        let path = format!("src/rules/{group}/{stem}.{extensions}");
        let is_used = match extensions.as_str() {
            "rs" => {
                let modules = fs::read_to_string(format!("src/rules/{group}.rs")).unwrap();
                let in_table =
                    table.contains(&format!("{group}::{stem})")) || table.contains(&format!("{group}::{stem}::"));
                // A module that is no rule serves several of its group.
                let shared = modules.contains(&format!("mod {stem};")) && modules.contains(&format!("{stem}::"));
                modules.contains(&format!("mod {stem};")) && (in_table || shared || is_helper(&group, &stem))
            }
            "md" | "es.md" => RULES.iter().any(|rule| rule.id == format!("{group}/{stem}")),
            _ => false,
        };
        if !is_used {
            faults.push(format!("{path} belongs to no rule"));
        }
    }
    settle(&faults);
}

/// Whether another module of the group uses this one.
fn is_helper(group: &str, stem: &str) -> bool {
    let uses = |path: &PathBuf| fs::read_to_string(path).is_ok_and(|text| text.contains(&format!("super::{stem}")));
    list(&Path::new("src/rules").join(group))
        .iter()
        .filter(|path| path.extension().is_some_and(|e| e == "rs"))
        .any(uses)
}

/// The names that a template shows.
fn figures(template: &str) -> BTreeSet<String> {
    let plain = template.replace("{{", "").replace("}}", "");
    let parts = plain.split('{').skip(1).filter_map(|part| part.split_once('}'));
    parts.map(|(inner, _)| inner.split('|').next().unwrap().to_owned()).collect()
}

#[test]
fn words_keep_to_the_house_style_in_both_languages() {
    let mut faults = Vec::new();
    for rule in RULES {
        let (english, spanish) = match (read_page(rule.id, ""), read_page(rule.id, ".es")) {
            (Ok(english), Ok(spanish)) => (english, spanish),
            (english, spanish) => {
                faults.extend(english.err().into_iter().chain(spanish.err()));
                continue;
            }
        };
        let names = |page: &page::Page| page.words.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
        if names(&english) != names(&spanish) {
            faults.push(format!("{}: the Spanish words are not those of the English page, in their order", rule.id));
        }
        for ((name, template), (_, other)) in english.words.iter().zip(&spanish.words) {
            if figures(template) != figures(other) {
                faults.push(format!("{} {name}: the languages show different figures", rule.id));
            }
        }
        for (language, page) in [("en", &english), ("es", &spanish)] {
            for (name, template) in &page.words {
                let fault = |what: &str| format!("{} ({language}) {name}: {what}: {template}", rule.id);
                if template.is_empty() {
                    faults.push(fault("nothing"));
                }
                if template.to_lowercase().contains("try this") {
                    faults.push(fault("`try this` says nothing"));
                }
                if template.ends_with('.') {
                    faults.push(fault("a full stop at the end"));
                }
                if template.chars().next().is_some_and(char::is_uppercase) && !is_name(template) {
                    faults.push(fault("starts with a capital"));
                }
                if name.starts_with("message") && figures(template).is_empty() {
                    faults.push(fault("quotes no place and no figure"));
                }
            }
            if !page.summary.ends_with('.') || page.summary.len() < 20 {
                faults.push(format!("{} ({language}): the summary is one sentence on the first line", rule.id));
            }
        }
        for section in ["Bad", "Good", "When to ignore it"] {
            if !english.sections.iter().any(|title| title == section) {
                faults.push(format!("{}: no `## {section}`", rule.id));
            }
        }
        if !spanish.sections.iter().any(|title| title == "Cuándo ignorarla") {
            faults.push(format!("{}: no `## Cuándo ignorarla`", rule.id));
        }
    }
    settle(&faults);
}

/// Whether a sentence starts with a name that is always written so.
fn is_name(template: &str) -> bool {
    let word = template.split(' ').next().unwrap_or_default();
    [
        "MongoDB",
        "GridFS",
        "Decimal128",
        "ObjectId",
        "ObjectIds",
        "GeoJSON",
        "BSON",
        "Int32",
        "UUID",
        "DBRef",
        "TTL",
        "Timestamp",
    ]
    .iter()
    .any(|name| word.starts_with(name))
}
#[test]
fn the_published_schema_of_the_configuration_is_current() {
    let path = "js/mongovet.schema.json";
    let schema = serde_json::to_string_pretty(&mongovet::rules::configuration_schema()).unwrap() + "\n";
    if fs::read_to_string(path).ok().as_ref() != Some(&schema) {
        fs::write(path, schema).unwrap();
        panic!("{path} was stale and is written anew: commit it");
    }
}
