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

/// Text between the tags and in the attributes of HTML.
pub(super) fn html(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in line(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

/// The same for XML, which forbids some characters altogether.
pub(super) fn xml(text: &str) -> String {
    html(text).replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}")
}

/// Words of a finding in HTML: what stands between back quotes is code.
pub(super) fn html_words(text: &str) -> String {
    spans(text, |code| format!("<code>{}</code>", html(code)), html)
}

/// Words of a finding in Markdown: what stands between back quotes is code, all else means only itself.
pub(super) fn markdown(text: &str) -> String {
    spans(&line(text), code, |words| {
        let mut out = String::with_capacity(words.len());
        for c in words.chars() {
            match c {
                '&' => out.push_str("&amp;"),
                '<' => out.push_str("&lt;"),
                '>' => out.push_str("&gt;"),
                // Mentions and bare links work even behind a backslash.
                '@' => out.push_str("&#64;"),
                ':' => out.push_str("&#58;"),
                '\\' | '`' | '*' | '_' | '[' | ']' | '#' | '|' | '~' | '!' | '$' => {
                    out.push('\\');
                    out.push(c);
                }
                c => out.push(c),
            }
        }
        // A colon that starts no link reads better as it is.
        out.replace("&#58; ", ": ").replace("www.", "www&#46;")
    })
}

/// Text as a code span of Markdown.
pub(super) fn code(text: &str) -> String {
    let text = line(text);
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let quotes = "`".repeat(longest + 1);
    let needs_space = text.is_empty() || text.starts_with('`') || text.ends_with('`');
    let space = if needs_space { " " } else { "" };
    format!("{quotes}{space}{text}{space}{quotes}")
}

/// A script in a fence of Markdown that is longer than any run of its character in the script, each line behind `indent`.
pub(super) fn fence(out: &mut String, indent: &str, script: &str) {
    let longest = script.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(3.max(longest + 1));
    // Writing to a string succeeds.
    let _ = writeln!(out, "{indent}{fence}js");
    for line in lines(script.trim_end()).lines() {
        let _ = writeln!(out, "{indent}{line}");
    }
    let _ = writeln!(out, "{indent}{fence}");
}

/// Words with what stands between back quotes written by one function and the rest by the other. A back quote without
/// its second belongs to the words.
fn spans(text: &str, code: impl Fn(&str) -> String, words: impl Fn(&str) -> String) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    let mut rest = text;
    while let Some((before, tail)) = rest.split_once('`') {
        let Some((inside, after)) = tail.split_once('`') else { break };
        out.push_str(&words(before));
        if out.ends_with('`') {
            // Two spans that touch would read as one.
            out.push(' ');
        }
        out.push_str(&code(inside));
        rest = after;
    }
    out.push_str(&words(rest));
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

    #[test]
    fn markup_is_text() {
        assert_eq!(html("<a href=\"x\">&'"), "&lt;a href=&quot;x&quot;&gt;&amp;&#39;");
        assert_eq!(xml("a\u{ffff}\u{0}"), "a\u{fffd}\\u{0}");
        assert_eq!(html_words("`a<b` is `odd"), "<code>a&lt;b</code> is `odd");
        assert_eq!(markdown("`a*b` is *x*: http://y"), "`a*b` is \\*x\\*: http&#58;//y");
        assert_eq!(markdown("`a``b` `"), "`a` `b` \\`");
        assert_eq!((code("a`b"), code(""), code("`")), ("``a`b``".into(), "`  `".into(), "`` ` ``".into()));
    }
}
