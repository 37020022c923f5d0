//! Ignores in comments: `// mongovet-ignore-next-line query/negation -- reason` and `mongovet-ignore-file`.

use crate::config;
use crate::finding::{Finding, Location, Position};

/// An ignore in a comment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Directive {
    /// Where it stands.
    pub location: Location,
    /// What it covers.
    pub reach: Reach,
    /// Rules, groups or patterns.
    pub rules: Vec<String>,
    /// Why; one without a reason covers nothing.
    pub reason: Option<String>,
}

/// What a comment covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// Findings that start on this line.
    Line(u32),
    /// The whole file.
    File,
}

const MARK: &str = "mongovet-ignore-";

impl Directive {
    /// Whether a finding is meant.
    pub(super) fn covers(&self, finding: &Finding) -> bool {
        let Some(location) = &finding.location else { return false };
        let is_reached = match self.reach {
            Reach::File => true,
            Reach::Line(line) => location.start.is_some_and(|start| start.line == line),
        };
        self.reason.is_some()
            && is_reached
            && location.file == self.location.file
            && self.rules.iter().any(|rule| config::names(rule, &finding.rule))
    }
}

/// The ignores in the comments of a text.
pub fn directives(file: &str, text: &str) -> Vec<Directive> {
    let mut out = Vec::new();
    if !text.contains(MARK) {
        return out;
    }
    let lines: Vec<&str> = text.lines().collect();
    for (number, line) in lines.iter().enumerate() {
        let Some(at) = line.find(MARK) else { continue };
        let (before, directive) = line.split_at(at);
        // What stands in a string or in prose is no directive.
        let Some(opening) = before.trim_end().strip_suffix("//").or_else(|| before.trim_end().strip_suffix("/*"))
        else {
            continue;
        };
        let directive = directive.get(MARK.len()..).unwrap_or_default();
        let reach = if directive.starts_with("file") {
            Reach::File
        } else if directive.starts_with("next-line") {
            // Comments and empty lines between the directive and its line do not count.
            let is_code = |line: &&&str| !line.trim().is_empty() && !line.trim_start().starts_with("//");
            let next = lines.iter().skip(number + 1).position(|line| is_code(&line));
            Reach::Line((number + 1 + next.unwrap_or_default()) as u32 + 1)
        } else {
            continue;
        };
        let body = directive.trim_start_matches("file").trim_start_matches("next-line");
        let body = body.split("*/").next().unwrap_or_default();
        let (rules, reason) = match body.split_once("--") {
            Some((rules, reason)) => (rules, Some(reason.trim().to_owned()).filter(|reason| !reason.is_empty())),
            None => (body, None),
        };
        let rules = rules.split([' ', ',', '\t']).filter(|rule| !rule.is_empty()).map(str::to_owned).collect();
        let column = |text: &str| text.encode_utf16().count() as u32 + 1;
        let at_column = |column| Position { line: number as u32 + 1, column };
        out.push(Directive {
            location: Location {
                file: file.to_owned(),
                start: Some(at_column(column(opening))),
                end: Some(at_column(column(line.trim_end()))),
            },
            reach,
            rules,
            reason,
        });
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_name_rules_and_a_reason() {
        let text = "use shop\n  // mongovet-ignore-next-line query/negation, index/* -- few documents\n\n// more\n\
                    db.a.find()\n/* mongovet-ignore-file update/* */\nlet s = \"mongovet-ignore-file x -- y\"\n";
        let found = directives("q.js", text);
        assert_eq!(found.len(), 2);
        assert_eq!(
            (found[0].reach, found[0].rules.clone()),
            (Reach::Line(5), vec!["query/negation".into(), "index/*".into()])
        );
        assert_eq!(found[0].reason.as_deref(), Some("few documents"));
        assert_eq!(found[0].location.start, Some(Position { line: 2, column: 3 }));
        assert_eq!((found[1].reach, found[1].reason.as_deref()), (Reach::File, None));
        assert_eq!(found[1].rules, ["update/*"]);
        assert_eq!(
            directives("q.js", "// mongovet-ignore-next-line"),
            [Directive {
                location: Location {
                    file: "q.js".into(),
                    start: Some(Position { line: 1, column: 1 }),
                    end: Some(Position { line: 1, column: 29 })
                },
                reach: Reach::Line(2),
                rules: vec![],
                reason: None,
            }]
        );
    }
}
