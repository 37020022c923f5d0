//! Names in documents and files are hostile text: nothing in them may steer a terminal or reorder a line.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Whether a character is shown as its number: controls, and what is invisible or turns the direction of writing.
fn is_hostile(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// Text for one line of a terminal: hostile characters appear as `\n`, `\t` or `\u{1b}`.
pub(super) fn line(text: &str) -> Cow<'_, str> {
    if !text.contains(is_hostile) {
        return text.into();
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if is_hostile(c) => {
                // Writing to a string succeeds.
                let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.into()
}

/// A script for a terminal: lines stay lines, all else that is hostile is escaped.
pub(super) fn lines(text: &str) -> String {
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

/// JSON text in which hostile characters, which can only stand inside its strings, are `\u` escapes.
pub(crate) fn json(text: String) -> String {
    let stays = |c: char| c == '\n' || !is_hostile(c);
    if text.chars().all(stays) {
        return text;
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if stays(c) {
            out.push(c);
            continue;
        }
        for unit in c.encode_utf16(&mut [0; 2]) {
            // Writing to a string succeeds.
            let _ = write!(out, "\\u{unit:04x}");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminals_get_no_control_or_direction_characters() {
        assert_eq!(line("a\u{1b}[31mb\nc\u{202e}d\u{9b}"), "a\\u{1b}[31mb\\nc\\u{202e}d\\u{9b}");
        assert!(matches!(line("plain ñ 漢字 👍"), Cow::Borrowed(_)));
        assert_eq!(lines("a\n\tb\u{7}"), "a\n\\tb\\u{7}");
    }

    #[test]
    fn json_stays_json() {
        let text = serde_json::to_string(&"a\u{202e}\u{9b}\u{e0001}b\u{7f}\n").unwrap();
        let escaped = json(text);
        assert_eq!(escaped, r#""a\u202e\u009b\udb40\udc01b\u007f\n""#);
        assert_eq!(serde_json::from_str::<String>(&escaped).unwrap(), "a\u{202e}\u{9b}\u{e0001}b\u{7f}\n");
    }
}
