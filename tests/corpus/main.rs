//! Corpora made by others, read in place, and the promises of the readers: any chunking gives the same, broken parts
//! lose themselves alone.

#![expect(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]
#![expect(clippy::print_stderr, reason = "a skipped corpus is told by name")]

mod bson_corpus;
mod catalogue;
mod inputs;
mod mutation;
mod reading;
mod recorder;
mod workload;

use std::path::PathBuf;

/// A folder of the corpora, which lie beside the project; nothing, and a line that says so, where they are absent.
fn corpora(folder: &str) -> Option<PathBuf> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/corpora").join(folder);
    if path.is_dir() {
        return Some(path);
    }
    eprintln!("skipped: the corpus {folder} is not there");
    None
}

/// All files below a folder, in the order of their names.
fn files(folder: &std::path::Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let path = entry.path();
            if path.is_dir() { open.push(path) } else { found.push(path) }
        }
    }
    found.sort();
    found
}
