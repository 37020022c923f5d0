//! One line a finding: `file:line:column` or the place in the data, then level, rule and message.

use std::fmt::Write as _;

use super::{RenderOptions, Report, escape};
use crate::finding::{Finding, Severity};

/// The lines, in the stable order of the report.
#[inline(never)]
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

/// Where a finding stands, in one word: the place in a text, else the index, path or collection, else the file.
pub(super) fn place(finding: &Finding) -> String {
    let location = finding.location.as_ref();
    if let Some((location, start)) = location.and_then(|location| location.start.map(|start| (location, start))) {
        return format!("{}:{}:{}", location.file, start.line, start.column);
    }
    let Some(collection) = &finding.collection else {
        return location.map_or_else(|| "-".to_owned(), |location| location.file.clone());
    };
    match finding.index.as_ref().or(finding.path.as_ref()) {
        Some(inner) => format!("{collection}: {inner}"),
        None => collection.clone(),
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
        let mut finding = report.findings[0].clone();
        let location = finding.location.as_mut().unwrap();
        location.start = None;
        assert_eq!(place(&finding), "q.js");
        finding.collection = Some("shop.orders".to_owned());
        finding.path = Some("a".to_owned());
        assert_eq!(place(&finding), "shop.orders: a");
        finding.index = Some("a_1".to_owned());
        assert_eq!(place(&finding), "shop.orders: a_1");
        assert!(text.contains("shop.orders: a: info[document/rare-field]"), "{text}");
        let quiet = render(&report, &RenderOptions { quiet: true, max_findings: Some(2), ..RenderOptions::default() });
        assert_eq!(quiet.lines().count(), 2);
        assert!(!quiet.contains("rare-field"), "{quiet}");
    }
}
