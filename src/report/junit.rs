//! JUnit XML: a suite for each collection or file, a case for each finding; infos pass.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::{Report, concise, escape};
use crate::finding::{Finding, Severity};

/// The XML text.
#[inline(never)]
pub(super) fn render(report: &Report) -> String {
    let mut suites: BTreeMap<&str, Vec<&Finding>> = BTreeMap::new();
    for finding in &report.findings {
        let file = finding.location.as_ref().map(|location| location.file.as_str());
        suites.entry(finding.collection.as_deref().or(file).unwrap_or("mongovet")).or_default().push(finding);
    }
    // A run without findings is one case that passes, so that it is seen to have run.
    if suites.is_empty() {
        suites.insert("mongovet", Vec::new());
    }
    let failed = |findings: &[&Finding]| findings.iter().filter(|f| f.severity > Severity::Info).count();
    let cases: usize = suites.values().map(|findings| findings.len().max(1)).sum();
    let failures: usize = suites.values().map(|findings| failed(findings)).sum();
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    // Writing to a string succeeds.
    let _ = writeln!(out, "<testsuites name=\"mongovet\" tests=\"{cases}\" failures=\"{failures}\" errors=\"0\">");
    for (name, findings) in suites {
        let (cases, failures) = (findings.len().max(1), failed(&findings));
        let name = escape::xml(name);
        let _ = writeln!(out, "  <testsuite name=\"{name}\" tests=\"{cases}\" failures=\"{failures}\" errors=\"0\">");
        if findings.is_empty() {
            out.push_str("    <testcase name=\"no findings\" classname=\"mongovet\"/>\n");
        }
        for finding in findings {
            let place = escape::xml(&concise::place(finding));
            let rule = escape::xml(&finding.rule);
            let _ = write!(out, "    <testcase name=\"{rule} {place}\" classname=\"{name}\"");
            if let Some(location) = &finding.location {
                let _ = write!(out, " file=\"{}\"", escape::xml(&location.file));
                if let Some(start) = location.start {
                    let _ = write!(out, " line=\"{}\"", start.line);
                }
            }
            let text = format!("{}\n{}", escape::xml(&finding.why), escape::xml(&finding.help));
            let message = escape::xml(&finding.message);
            let kind = match finding.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Info => {
                    let _ = writeln!(out, ">\n      <system-out>{message}\n{text}</system-out>\n    </testcase>");
                    continue;
                }
            };
            let _ = writeln!(out, ">");
            let _ = writeln!(out, "      <failure message=\"{message}\" type=\"{kind}\">{text}</failure>");
            out.push_str("    </testcase>\n");
        }
        out.push_str("  </testsuite>\n");
    }
    out.push_str("</testsuites>\n");
    out
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    #[test]
    fn findings_are_cases_and_only_harm_fails() {
        let (report, _) = samples::report();
        let text = render(&report);
        assert!(text.contains("<testsuites name=\"mongovet\" tests=\"7\" failures=\"3\" errors=\"0\">"), "{text}");
        assert!(
            text.contains("<testcase name=\"query/negation q.js:2:16\" classname=\"q.js\" file=\"q.js\" line=\"2\">"),
            "{text}"
        );
        assert_eq!(text.matches("<system-out>").count(), 4);
        assert!(!text.contains(['\u{1b}', '\u{202e}']));
        let empty = render(&Report::new("8.0".into(), "default", None));
        assert!(empty.contains("tests=\"1\" failures=\"0\"") && empty.contains("no findings"), "{empty}");
    }
}
