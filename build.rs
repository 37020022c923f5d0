//! Extracts the words of the rules from `src/rules/<group>/<rule>[.<lang>].md` into one sorted table, so that the
//! WASM carries only these and not the pages. A fault in a front block stops the build with its place.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// Languages in the order of `locale::Lang::ALL`; English files carry no tag.
const LANGUAGES: [&str; 2] = ["en", "es"];

type Templates = BTreeMap<String, String>;

fn main() {
    println!("cargo::rerun-if-changed=src/rules");
    println!("cargo::rerun-if-changed=build.rs");
    let root = Path::new("src/rules");
    let mut rules: BTreeMap<String, [Templates; LANGUAGES.len()]> = BTreeMap::new();
    for group in sorted(root).into_iter().filter(|path| path.is_dir()) {
        for page in sorted(&group).into_iter().filter(|path| path.extension().is_some_and(|e| e == "md")) {
            let stem = page.file_stem().and_then(|s| s.to_str()).expect("a rule page has a readable name");
            let (name, language) = stem.split_once('.').unwrap_or((stem, "en"));
            let language = LANGUAGES.iter().position(|l| *l == language);
            let language = language.unwrap_or_else(|| panic!("{}: unknown language", page.display()));
            let group = group.file_name().and_then(|s| s.to_str()).expect("a group has a readable name");
            rules.entry(format!("{group}/{name}")).or_default()[language] = templates(&page);
        }
    }
    let mut out = String::from("pub(crate) static WORDS: &[(&str, [Templates; 2])] = &[\n");
    for (id, languages) in &rules {
        write!(out, "    ({id:?}, [").expect("writing to a string succeeds");
        for templates in languages {
            write!(out, "&{:?}, ", templates.iter().collect::<Vec<_>>()).expect("writing to a string succeeds");
        }
        out.push_str("]),\n");
    }
    out.push_str("];\n");
    let target = Path::new(&env::var_os("OUT_DIR").expect("cargo sets OUT_DIR")).join("words.rs");
    fs::write(target, out).expect("OUT_DIR can be written");
}

fn sorted(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("a folder can be listed").path()).collect();
    paths.sort();
    paths
}

/// The front block: `name: template` lines between two `---`; a line that starts with a space goes on.
fn templates(page: &Path) -> Templates {
    let text = fs::read_to_string(page).unwrap_or_else(|e| panic!("{}: {e}", page.display()));
    let mut lines = text.lines().enumerate();
    assert!(lines.next().is_some_and(|(_, line)| line == "---"), "{}:1: a page opens with `---`", page.display());
    let mut templates = Templates::new();
    let mut last: Option<String> = None;
    for (at, line) in lines {
        let place = format!("{}:{}", page.display(), at + 1);
        if line == "---" {
            for needed in ["message", "why", "help"] {
                let some = templates.keys().any(|name| name.split('.').next() == Some(needed));
                assert!(some, "{place}: no `{needed}:`");
            }
            return templates;
        }
        if line.starts_with(' ') {
            let name = last.as_ref().unwrap_or_else(|| panic!("{place}: nothing to go on from"));
            let template = templates.get_mut(name).expect("the last name is in the map");
            template.push(' ');
            template.push_str(line.trim());
            continue;
        }
        let (name, template) = line.split_once(':').unwrap_or_else(|| panic!("{place}: `name: template` expected"));
        let kind = name.split('.').next().unwrap_or_default();
        assert!(["message", "why", "help"].contains(&kind), "{place}: unknown name `{name}`");
        let old = templates.insert(name.to_owned(), template.trim().to_owned());
        assert!(old.is_none(), "{place}: `{name}` is given twice");
        last = Some(name.to_owned());
    }
    panic!("{}: the front block is not closed by `---`", page.display());
}
