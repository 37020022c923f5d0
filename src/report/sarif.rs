//! SARIF 2.1.0, which code scanning reads. Findings in data stand at the file that holds the documents and name the
//! collection and field as a logical location.

use serde_json::{Map, Value, json};

use super::{RenderOptions, Report, concise, escape};
use crate::finding::{Finding, Location, Severity};
use crate::order::Ordered;
use crate::rules;

/// The log as JSON.
#[inline(never)]
pub(super) fn render(report: &Report, options: &RenderOptions) -> String {
    let mut ids: Vec<&str> = report.findings.iter().map(|finding| finding.rule.as_str()).collect();
    ids.order();
    ids.dedup();
    let descriptor = |id: &&str| {
        let mut descriptor = json!({ "id": id });
        if let (Some(rule), Some(map)) = (rules::find(id), descriptor.as_object_mut()) {
            map.insert("defaultConfiguration".to_owned(), json!({ "level": level(rule.severity) }));
        }
        descriptor
    };
    let notifications: Vec<Value> = report
        .problems()
        .map(|(input, problem)| {
            let mut physical = json!({ "artifactLocation": { "uri": uri(&input.name) } });
            if let (Some(line), Some(map)) = (problem.line, physical.as_object_mut()) {
                map.insert(
                    "region".to_owned(),
                    json!({ "startLine": line, "startColumn": problem.column.unwrap_or(1) }),
                );
            }
            json!({
                "level": "warning",
                "descriptor": { "id": problem.kind },
                "message": { "text": problem.message },
                "locations": [{ "physicalLocation": physical }],
            })
        })
        .collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "mongovet",
                "version": report.version,
                "semanticVersion": report.version,
                "rules": ids.iter().map(descriptor).collect::<Vec<_>>(),
            } },
            "columnKind": "utf16CodeUnits",
            "invocations": [{ "executionSuccessful": true, "toolExecutionNotifications": notifications }],
            "results": report.findings.iter().map(|finding| result(report, finding, &ids, options)).collect::<Vec<_>>(),
        }],
    });
    escape::json(serde_json::to_string_pretty(&log).unwrap_or_default() + "\n")
}

fn result(report: &Report, finding: &Finding, ids: &[&str], options: &RenderOptions) -> Value {
    let mut location = Map::new();
    if let Some(file) = report.file_of(finding) {
        let mut physical = json!({ "artifactLocation": { "uri": uri(file) } });
        if let (Some(region), Some(map)) = (finding.location.as_ref().and_then(region), physical.as_object_mut()) {
            map.insert("region".to_owned(), region);
        }
        location.insert("physicalLocation".to_owned(), physical);
    }
    if let Some(collection) = &finding.collection {
        let (name, kind) = match (&finding.path, &finding.index) {
            (Some(path), _) => (format!("{collection}.{path}"), "member"),
            (None, Some(index)) => (format!("{collection}.{index}"), "object"),
            (None, None) => (collection.clone(), "type"),
        };
        location.insert("logicalLocations".to_owned(), json!([{ "fullyQualifiedName": name, "kind": kind }]));
    }
    let place = if finding.location.is_some() { String::new() } else { concise::place(finding) + ": " };
    let words = options.lang.sentences();
    let reasons = format!("{}: {}\n{}: {}", words.why, finding.why, words.help, finding.help);
    json!({
        "ruleId": finding.rule,
        "ruleIndex": ids.iter().position(|id| *id == finding.rule),
        "level": level(finding.severity),
        "message": { "text": format!("{place}{}\n{reasons}", finding.message) },
        "locations": if location.is_empty() { json!([]) } else { json!([location]) },
        "partialFingerprints": { "mongovet/v1": finding.fingerprint },
        "properties": { "certainty": finding.certainty, "evidence": finding.evidence },
    })
}

fn region(location: &Location) -> Option<Value> {
    let start = location.start?;
    let mut region = json!({ "startLine": start.line, "startColumn": start.column });
    if let (Some(end), Some(map)) = (location.end, region.as_object_mut()) {
        map.insert("endLine".to_owned(), end.line.into());
        map.insert("endColumn".to_owned(), end.column.into());
    }
    Some(region)
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}

/// A file name as a relative URI reference.
fn uri(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for byte in name.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' | b'@' | b'+' | b',' | b'=' => {
                out.push(char::from(byte));
            }
            _ => {
                // Writing to a string succeeds.
                let _ = std::fmt::Write::write_fmt(&mut out, format_args!("%{byte:02X}"));
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    #[test]
    fn results_point_to_files_fields_and_rules() {
        let (report, _) = samples::report();
        let log: Value = serde_json::from_str(&render(&report, &RenderOptions::default())).unwrap();
        let run = &log["runs"][0];
        let results = run["results"].as_array().unwrap();
        assert_eq!(results.len(), report.findings.len());
        for result in results {
            let rule = &run["tool"]["driver"]["rules"][result["ruleIndex"].as_u64().unwrap() as usize];
            assert_eq!(rule["id"], result["ruleId"]);
        }
        assert_eq!(
            results[0]["locations"][0]["physicalLocation"],
            json!({
                "artifactLocation": { "uri": "q.js" },
                "region": { "startLine": 2, "startColumn": 16, "endLine": 2, "endColumn": 29 }
            })
        );
        let large = results.iter().find(|result| result["ruleId"] == "document/large-array").unwrap();
        assert_eq!(large["locations"][0]["logicalLocations"][0]["fullyQualifiedName"], "shop.orders.items");
        assert_eq!(large["level"], "warning");
        assert_eq!(run["invocations"][0]["toolExecutionNotifications"][0]["descriptor"]["id"], "truncated");
        assert_eq!(uri("a b/ñ:%.js"), "a%20b/%C3%B1%3A%25.js");
    }
}
