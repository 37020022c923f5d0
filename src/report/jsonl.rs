//! One JSON object a line, each with its `type`: the inputs, the findings, the recommendations, what is missing, and at
//! last the run with its summary.

use serde::Serialize;
use serde_json::json;

use super::{Report, escape};

/// The lines.
#[inline(never)]
pub(super) fn render(report: &Report) -> String {
    let mut out = String::new();
    report.inputs.iter().for_each(|input| line(&mut out, "input", input));
    report.findings.iter().for_each(|finding| line(&mut out, "finding", finding));
    report.recommendations.iter().for_each(|recommendation| line(&mut out, "recommendation", recommendation));
    report.missing.iter().for_each(|missing| line(&mut out, "missing", missing));
    let run = json!({
        "schema": report.schema,
        "version": report.version,
        "serverVersion": report.server_version,
        "serverVersionFrom": report.server_version_from,
        "now": report.now,
        "summary": report.summary,
    });
    line(&mut out, "run", &run);
    escape::json(out)
}

fn line(out: &mut String, kind: &'static str, value: &impl Serialize) {
    #[derive(Serialize)]
    struct Line<'a, T> {
        r#type: &'static str,
        #[serde(flatten)]
        value: &'a T,
    }
    // What a report holds serialises always: strings, finite numbers, and objects of them.
    out.push_str(&serde_json::to_string(&Line { r#type: kind, value }).unwrap_or_default());
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::super::samples;
    use super::*;

    #[test]
    fn every_line_is_an_object_with_its_type() {
        let (mut report, _) = samples::report();
        report.recommendations = vec![samples::recommendation()];
        let text = render(&report);
        let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let kinds: Vec<&str> = lines.iter().map(|line| line["type"].as_str().unwrap()).collect();
        assert_eq!(kinds[..3], ["input", "input", "finding"]);
        assert_eq!(kinds[kinds.len() - 2..], ["recommendation", "run"]);
        assert_eq!(lines.last().unwrap()["summary"]["error"], 1);
        assert!(!text.contains(['\u{1b}', '\u{202e}']));
    }
}
