//! GitLab's code quality report, a subset of Code Climate's: every entry has a file, a line and its own fingerprint.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{Report, concise, escape};
use crate::finding::Severity;

/// The report as JSON.
#[inline(never)]
pub(super) fn render(report: &Report) -> String {
    // GitLab drops entries whose fingerprint it has seen, and ours leave out the line.
    let mut seen: BTreeMap<&str, u32> = BTreeMap::new();
    let entries: Vec<Value> = report
        .findings
        .iter()
        .map(|finding| {
            let number = seen.entry(&finding.fingerprint).or_default();
            *number += 1;
            let fingerprint = match *number {
                1 => finding.fingerprint.clone(),
                number => format!("{}-{number}", finding.fingerprint),
            };
            let start = finding.location.as_ref().and_then(|location| location.start);
            json!({
                "description": format!("{}: {}", concise::place(finding), finding.message),
                "check_name": finding.rule,
                "fingerprint": fingerprint,
                "severity": match finding.severity {
                    Severity::Error => "critical",
                    Severity::Warning => "major",
                    Severity::Info => "info",
                },
                "location": {
                    "path": report.file_of(finding).unwrap_or("mongovet.json"),
                    "lines": { "begin": start.map_or(1, |start| start.line) },
                },
            })
        })
        .collect();
    escape::json(serde_json::to_string_pretty(&entries).unwrap_or_default() + "\n")
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    #[test]
    fn every_entry_has_what_gitlab_needs() {
        let (mut report, _) = samples::report();
        report.findings.push(report.findings[0].clone());
        let entries: Vec<Value> = serde_json::from_str(&render(&report)).unwrap();
        assert_eq!(entries.len(), report.findings.len());
        let mut fingerprints: Vec<&str> = entries.iter().map(|entry| entry["fingerprint"].as_str().unwrap()).collect();
        fingerprints.sort_unstable();
        fingerprints.dedup();
        assert_eq!(fingerprints.len(), entries.len());
        assert_eq!(entries[0]["location"], json!({"path": "q.js", "lines": {"begin": 2}}));
        assert_eq!(entries[1]["location"]["path"], "shop/orders.bson");
    }
}
