//! Scripts that would cure a finding, as text to read. mongovet never runs one.

pub(crate) mod computed;
pub(crate) mod convert;
pub(crate) mod demand;
pub(crate) mod drill;
pub(crate) mod field;
pub mod index;
pub mod literal;
pub mod migration;
pub mod validator;

use crate::catalogue::Namespace;
use crate::catalogue::index::script_string;
use crate::finding::{Remedy, RemedyKind, Safety};

/// A script for mongosh.
pub(crate) fn mongosh(safety: Safety, script: String) -> Remedy {
    Remedy { safety, kind: RemedyKind::Mongosh, script }
}

/// The expression that gives a collection in mongosh, whatever its name and the current database.
pub(crate) fn collection(ns: &Namespace) -> String {
    format!("{}.getCollection({})", database(ns), script_string(&ns.collection))
}

/// The expression that gives a collection's database.
pub(crate) fn database(ns: &Namespace) -> String {
    match &ns.database {
        Some(name) => format!("db.getSiblingDB({})", script_string(name)),
        None => "db".to_owned(),
    }
}

/// A comment: the text behind `//`, wrapped at spaces. Nothing in it ends a line or changes how text looks.
pub(crate) fn comment(words: &str) -> String {
    const WIDTH: usize = 85;
    let is_shown = |letter: &char| letter.is_ascii_graphic() || letter.is_alphanumeric() || "¿¡…–".contains(*letter);
    let mut out = String::new();
    let mut column = 0;
    for word in words.split_whitespace() {
        let width = word.chars().count();
        if column == 0 || WIDTH < column + 1 + width {
            out.push_str(if column == 0 { "//" } else { "\n//" });
            column = 2;
        }
        out.push(' ');
        out.extend(word.chars().filter(is_shown));
        column += 1 + width;
    }
    out.push('\n');
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_comment_ends_where_it_should() {
        assert_eq!(super::comment("one\ntwo\u{2028}three\u{202e}"), "// one two three\n");
        assert_eq!(super::comment(&"word ".repeat(30)).lines().count(), 2);
    }
}
