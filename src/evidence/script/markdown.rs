//! Code fences of Markdown: what stands outside them becomes blanks, so that offsets stay.

/// Languages of fences that are read; a fence without one is read too.
const LANGUAGES: &[&str] =
    &["js", "javascript", "mongodb", "mongosh", "mongo", "ts", "typescript", "jsx", "tsx", "mjs", "cjs", "shell", ""];

/// The text with blanks for all but its fences, where it is Markdown: by its name, or because it begins with a heading
/// or a fence and has fences. Nothing where it is not.
pub(super) fn fenced(input: &str, text: &str) -> Option<String> {
    let name = input.to_ascii_lowercase();
    let named = [".md", ".markdown", ".mdx"].iter().any(|end| name.ends_with(end));
    let first = text.lines().find(|line| !line.trim().is_empty())?.trim_start();
    if !(named || ["```", "# ", "## "].iter().any(|start| first.starts_with(start))) {
        return None;
    }
    let mut out = Vec::with_capacity(text.len());
    // The marks that close the open fence, and whether its text is read.
    let mut open: Option<(&str, bool)> = None;
    let mut found = false;
    for line in text.split_inclusive('\n') {
        let bare = line.trim();
        let marks = marks(bare);
        let keep = match (open, marks) {
            (Some((closing, read)), Some((marks, ""))) if marks.starts_with(closing) => {
                open = None;
                // A statement does not go on in the next fence.
                let at = out.len();
                blank(&mut out, line);
                if let Some(first) = out.get_mut(at).filter(|first| read && **first == b' ') {
                    *first = b';';
                }
                continue;
            }
            (Some((_, read)), _) => read,
            (None, Some((marks, language))) => {
                let language = language.split([' ', '{', ',']).next().unwrap_or_default().to_ascii_lowercase();
                let read = LANGUAGES.contains(&language.as_str());
                found |= read;
                open = Some((marks, read));
                false
            }
            (None, None) => false,
        };
        if keep {
            out.extend_from_slice(line.as_bytes());
        } else {
            blank(&mut out, line);
        }
    }
    if !(found || named) {
        return None;
    }
    String::from_utf8(out).ok()
}

/// The marks of a fence and what stands behind them.
fn marks(line: &str) -> Option<(&str, &str)> {
    let mark = line.bytes().next().filter(|mark| matches!(mark, b'`' | b'~'))?;
    let length = line.bytes().take_while(|byte| *byte == mark).count();
    let (marks, rest) = line.split_at_checked(length)?;
    (length >= 3 && !rest.contains('`')).then_some((marks, rest.trim()))
}

fn blank(out: &mut Vec<u8>, line: &str) {
    out.extend(line.bytes().map(|byte| if matches!(byte, b'\n' | b'\r') { byte } else { b' ' }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_fences_are_left() {
        let text = "# Títle\n\nSome `text`.\n\n```js\ndb.a.find()\n```\n```sh\nls\n```\n~~~\ndb.b.find()\n~~~\n";
        let out = fenced("notes.md", text).unwrap();
        assert_eq!(out.len(), text.len());
        assert_eq!(out.find("db.a"), text.find("db.a"));
        let lines: Vec<&str> = out.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        assert_eq!(lines, ["db.a.find()", ";", "db.b.find()", ";"]);
    }

    #[test]
    fn scripts_are_no_markdown() {
        assert_eq!(fenced("a.js", "const a = `\n```\n`;\n"), None);
        assert_eq!(fenced("a.js", "#!/usr/bin/env node\ndb.a.find()"), None);
    }
}
