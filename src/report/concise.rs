//! One line a finding: `file:line:column` or the place in the data, then level, rule and message.

use std::fmt::Write as _;

use super::{RenderOptions, Report, escape};
use crate::finding::{Finding, Severity};

/// The lines, in the stable order of the report.
pub(super) fn render(report: &Report, options: &RenderOptions) -> String {
    let mut out = String::new();
    let shown = report.findings.iter().filter(|finding| !options.quiet || finding.severity > Severity::Info);
    for finding in shown.take(options.lines()) {
        let level = match finding.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Info => "info",
        };
        // Writing to a string succeeds.
        let _ = writeln!(
            out,
            "{}: {level}[{}] {}",
            escape::line(&place(finding)),
            finding.rule,
            escape::line(&finding.message)
        );
    }
    out
}

/// Where a finding stands, in one word: the source place, else collection, path or index.
pub(super) fn place(finding: &Finding) -> String {
    if let Some(location) = &finding.location {
        return match location.start {
            Some(start) => format!("{}:{}:{}", location.file, start.line, start.column),
            None => location.file.clone(),
        };
    }
    let collection = finding.collection.as_deref().unwrap_or("-");
    match (&finding.path, &finding.index) {
        (Some(path), _) => format!("{collection}: {path}"),
        (None, Some(index)) => format!("{collection}: {index}"),
        (None, None) => collection.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    #[test]
    fn every_finding_is_one_line() {
        let (report, _) = samples::report();
        let text = render(&report, &RenderOptions::default());
        assert_eq!(text.lines().count(), report.findings.len());
        assert!(text.contains("q.js:2:16: error[query/negation] `this` is not as it should be\n"), "{text}");
        assert!(text.contains("shop.orders: a: info[document/rare-field]"), "{text}");
        let quiet = render(&report, &RenderOptions { quiet: true, max_findings: Some(2), ..RenderOptions::default() });
        assert_eq!(quiet.lines().count(), 2);
        assert!(!quiet.contains("rare-field"), "{quiet}");
    }
}
