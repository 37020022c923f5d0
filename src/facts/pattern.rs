//! Regular expressions as the planner sees them: what bounds an index (manual: reference/operator/query/regex,
//! "Index Use").

/// The literal text that every match starts with, where the planner can seek to it: `^abc`, `\Aabc`.
///
/// A flag that ignores case, and an alternative anywhere, leave none.
pub fn prefix(pattern: &str, flags: &str) -> Option<String> {
    let (rest, in_lines) = match pattern.strip_prefix("\\A") {
        Some(rest) => (rest, true),
        None => (pattern.strip_prefix('^')?, false),
    };
    let usable = flags.chars().all(|flag| matches!(flag, 's' | 'x') || (flag == 'm' && in_lines));
    if !usable || has_alternative(rest) {
        return None;
    }
    let extended = flags.contains('x');
    let mut found = String::new();
    let mut letters = rest.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            // What these follow may be missing.
            '*' | '?' | '{' => {
                found.pop();
                break;
            }
            '\\' => match letters.next() {
                Some('Q') => quoted(&mut letters, &mut found),
                Some(escaped) if !escaped.is_ascii_alphanumeric() => found.push(escaped),
                _ => break,
            },
            '^' | '$' | '.' | '[' | '(' | ')' | '+' => break,
            '#' if extended => break,
            blank if extended && blank.is_ascii_whitespace() => {}
            plain => found.push(plain),
        }
    }
    (!found.is_empty()).then_some(found)
}

/// Whether a match can only be at the start.
pub fn is_anchored(pattern: &str) -> bool {
    let rest = pattern.strip_prefix('^').or_else(|| pattern.strip_prefix("\\A"));
    // `^.*abc` is as good as `abc`.
    rest.is_some_and(|rest| !rest.starts_with(".*") && !rest.starts_with(".+"))
}

fn quoted(letters: &mut std::iter::Peekable<std::str::Chars<'_>>, found: &mut String) {
    while let Some(letter) = letters.next() {
        if letter == '\\' && letters.next_if_eq(&'E').is_some() {
            return;
        }
        found.push(letter);
    }
}

fn has_alternative(pattern: &str) -> bool {
    let mut escaped = false;
    pattern.chars().any(|letter| {
        let bar = letter == '|' && !escaped;
        escaped = letter == '\\' && !escaped;
        bar
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes() {
        for (pattern, flags, expected) in [
            ("^abc", "", Some("abc")),
            ("\\Aabc", "m", Some("abc")),
            ("^ES-B", "s", Some("ES-B")),
            ("^a\\.b", "", Some("a.b")),
            ("^\\Qa.b\\Ec", "", Some("a.bc")),
            ("^ab*", "", Some("a")),
            ("^a+", "", Some("a")),
            ("^a b", "x", Some("ab")),
            ("^abc", "i", None),
            ("^abc", "m", None),
            ("^a|b", "", None),
            ("^a?b", "", None),
            ("^.*a", "", None),
            ("^[ab]", "", None),
            ("^\\d", "", None),
            ("abc", "", None),
            ("", "", None),
            ("^", "", None),
        ] {
            assert_eq!(prefix(pattern, flags).as_deref(), expected, "/{pattern}/{flags}");
        }
        assert!(is_anchored("^a") && is_anchored("\\Aa") && is_anchored("^[ab]"));
        assert!(!is_anchored("a") && !is_anchored("^.*a") && !is_anchored(".*"));
    }
}
