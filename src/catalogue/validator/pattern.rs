//! Regular expressions as the server's engine reads them, where a small engine without look-around suffices.

/// A compiled pattern.
#[derive(Debug)]
pub(super) struct Pattern {
    engine: regex_lite::Regex,
    /// PCRE's `$` also matches before a line break at the very end.
    ends_with_anchor: bool,
}

impl Pattern {
    /// None where the engine cannot run the pattern: then nothing is said about it.
    pub(super) fn new(pattern: &str, options: &str) -> Option<Pattern> {
        let mut builder = regex_lite::RegexBuilder::new(pattern);
        for option in options.chars() {
            match option {
                'i' => builder.case_insensitive(true),
                'm' => builder.multi_line(true),
                's' => builder.dot_matches_new_line(true),
                'x' => builder.ignore_whitespace(true),
                'u' => &mut builder,
                _ => return None,
            };
        }
        // The two engines fold letters beyond ASCII differently.
        if (options.contains('i') || pattern.contains("(?i")) && !pattern.is_ascii() {
            return None;
        }
        Some(Pattern { engine: builder.build().ok()?, ends_with_anchor: pattern.contains('$') })
    }

    /// Whether the pattern is found anywhere in the text.
    pub(super) fn is_match(&self, text: &str) -> bool {
        self.engine.is_match(text)
            || (self.ends_with_anchor && text.strip_suffix('\n').is_some_and(|text| self.engine.is_match(text)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_pcre_reads_them() {
        assert!(Pattern::new("^[A-Z]{2}-[0-9]{4}$", "").unwrap().is_match("BK-1042\n"));
        assert!(!Pattern::new("^[A-Z]{2}$", "").unwrap().is_match("BK\n\n"));
        assert!(Pattern::new("b", "").unwrap().is_match("abc"));
        assert!(Pattern::new("^B", "i").unwrap().is_match("bc"));
        assert!(Pattern::new(r"^[\w.+-]+@\w+\.\w+$", "").unwrap().is_match("a.b@c.de"));
        assert!(Pattern::new("(?=x)", "").is_none());
        assert!(Pattern::new(r"(a)\1", "").is_none());
        assert!(Pattern::new("é", "i").is_none());
    }
}
