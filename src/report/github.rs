//! Workflow commands of GitHub Actions: annotations at the line, or at the file that holds the documents.

use std::fmt::Write as _;

use super::{RenderOptions, Report, concise, escape};
use crate::finding::Severity;

/// One command a finding and a problem.
#[inline(never)]
pub(super) fn render(report: &Report, options: &RenderOptions) -> String {
    let mut out = String::new();
    let shown = report.findings.iter().filter(|finding| !options.quiet || finding.severity > Severity::Info);
    for finding in shown.take(options.lines()) {
        let level = match finding.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Info => "notice",
        };
        let mut properties = Vec::new();
        if let Some(file) = report.file_of(finding) {
            properties.push(format!("file={}", property(file)));
        }
        if let Some(location) = &finding.location {
            for (place, line, column) in [(location.start, "line", "col"), (location.end, "endLine", "endColumn")] {
                if let Some(place) = place {
                    properties.push(format!("{line}={},{column}={}", place.line, place.column));
                }
            }
        }
        properties.push(format!("title={}", property(&finding.rule)));
        let place = if finding.location.is_some() { String::new() } else { concise::place(finding) + ": " };
        let text = format!("{place}{}\n{}\n{}", finding.message, finding.why, finding.help);
        // Writing to a string succeeds.
        let _ = writeln!(out, "::{level} {}::{}", properties.join(","), data(&text));
    }
    if !options.quiet {
        for (input, problem) in report.problems() {
            let line = problem.line.map(|line| format!(",line={line}")).unwrap_or_default();
            let _ = writeln!(out, "::warning file={}{line}::{}", property(&input.name), data(&problem.message));
        }
    }
    out
}

fn data(text: &str) -> String {
    let lines: Vec<_> = text.split('\n').map(escape::line).collect();
    lines.join("\n").replace('%', "%25").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(&escape::line(text)).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    #[test]
    fn annotations_stand_at_their_place() {
        let (report, _) = samples::report();
        let text = render(&report, &RenderOptions::default());
        assert!(
            text.contains("::error file=q.js,line=2,col=16,endLine=2,endColumn=29,title=query/negation::`this` is not"),
            "{text}"
        );
        assert!(
            text.contains("::warning file=shop/orders.bson,title=document/large-array::shop.orders: items: `items`"),
            "{text}"
        );
        assert!(text.contains("::notice file=shop/orders.bson,title=document/rare-field::"), "{text}");
        assert!(text.contains("::warning file=shop/orders.bson::the last document is cut off\n"), "{text}");
    }

    #[test]
    fn hostile_names_start_no_command() {
        assert_eq!(property("a:b,c%\n::error::x"), "a%3Ab%2Cc%25\\n%3A%3Aerror%3A%3Ax");
        let (report, _) = samples::report();
        let text = render(&report, &RenderOptions::default());
        assert!(text.lines().all(|line| line.starts_with("::")), "{text}");
    }
}
