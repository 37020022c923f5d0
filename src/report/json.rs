//! The report itself, indented by two spaces.

use super::{Report, escape};

/// The JSON text, with a line end.
#[inline(never)]
pub(super) fn render(report: &Report) -> String {
    // A report holds only strings, finite numbers and lists of them, so this cannot fail.
    let mut text = serde_json::to_string_pretty(report).unwrap_or_default();
    text.push('\n');
    escape::json(text)
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::super::samples;
    use super::*;

    #[test]
    fn the_form_is_schema_one() {
        let (mut report, _) = samples::report();
        report.findings.truncate(1);
        report.inputs.truncate(2);
        assert_snapshot!(render(&report), @r#"
        {
          "schema": 1,
          "version": "0.1.0",
          "serverVersion": "8.0",
          "serverVersionFrom": "default",
          "now": "2026-11-30T00:00:00Z",
          "inputs": [
            {
              "name": "q.js",
              "kind": "script",
              "collection": null,
              "documents": 0,
              "bytes": 60,
              "complete": false,
              "problems": []
            },
            {
              "name": "shop/orders.bson",
              "kind": "bson-dump",
              "collection": "shop.orders",
              "documents": 1200,
              "bytes": 812345,
              "complete": true,
              "problems": [
                {
                  "kind": "truncated",
                  "document": 1201,
                  "offset": 812001,
                  "line": null,
                  "column": null,
                  "message": "the last document is cut off"
                }
              ]
            }
          ],
          "findings": [
            {
              "rule": "query/negation",
              "severity": "error",
              "certainty": "measured",
              "collection": null,
              "path": null,
              "index": null,
              "stage": null,
              "location": {
                "file": "q.js",
                "start": {
                  "line": 2,
                  "column": 16
                },
                "end": {
                  "line": 2,
                  "column": 29
                }
              },
              "message": "`this` is not as it should be",
              "why": "half of the documents hold 12 or fewer, so this one array decides how large a document gets and how much every read of it costs",
              "help": "keep the newest in the document",
              "evidence": {
                "sampled": 1000
              },
              "remedy": null,
              "docs": "query/negation",
              "fingerprint": "00000000deadbeef"
            }
          ],
          "recommendations": [],
          "missing": [],
          "summary": {
            "error": 1,
            "warning": 2,
            "info": 4,
            "problems": 1
          }
        }
        "#);
    }

    #[test]
    fn a_report_survives_the_way_out_and_back() {
        let (mut report, _) = samples::report();
        report.recommendations = vec![samples::recommendation()];
        assert_eq!(serde_json::from_str::<Report>(&render(&report)).unwrap(), report);
        assert!(!render(&report).contains(['\u{1b}', '\u{202e}']));
    }
}
