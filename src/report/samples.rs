//! A report to render, for the tests of the formats.

use serde_json::json;

use super::{Input, Problem, Report, Sources};
use crate::finding::{
    Alternative, Certainty, Criterion, Finding, Location, Position, Recommendation, Remedy, RemedyKind, Safety, Script,
    Severity,
};

pub(super) fn finding(rule: &str, severity: Severity, collection: Option<&str>, path: Option<&str>) -> Finding {
    Finding {
        rule: rule.to_owned(),
        severity,
        certainty: Certainty::Measured,
        collection: collection.map(str::to_owned),
        path: path.map(str::to_owned),
        index: None,
        stage: None,
        location: None,
        message: format!("`{}` is not as it should be", path.unwrap_or("this")),
        why: "half of the documents hold 12 or fewer, so this one array decides how large a document gets and how \
              much every read of it costs"
            .to_owned(),
        help: "keep the newest in the document".to_owned(),
        evidence: json!({"sampled": 1000}).as_object().cloned().unwrap(),
        remedy: None,
        docs: rule.to_owned(),
        fingerprint: "00000000deadbeef".to_owned(),
    }
}

pub(super) fn report() -> (Report, Sources) {
    let mut report = Report::new("8.0".to_owned(), "default", Some("2026-11-30T00:00:00Z".to_owned()));
    report.inputs = vec![
        Input {
            name: "shop/orders.bson".to_owned(),
            kind: "bson-dump".to_owned(),
            collection: Some("shop.orders".to_owned()),
            documents: 1200,
            bytes: 812_345,
            complete: true,
            problems: vec![Problem {
                kind: "truncated".to_owned(),
                document: Some(1201),
                offset: Some(812_001),
                line: None,
                column: None,
                message: "the last document is cut off".to_owned(),
            }],
        },
        Input {
            name: "q.js".to_owned(),
            kind: "script".to_owned(),
            collection: None,
            documents: 0,
            bytes: 60,
            complete: false,
            problems: Vec::new(),
        },
    ];
    let mut large = finding("document/large-array", Severity::Warning, Some("shop.orders"), Some("items"));
    large.remedy = Some(Remedy {
        safety: Safety::Review,
        kind: RemedyKind::Mongosh,
        script: "db.getSiblingDB(\"shop\").orders.createIndex({\"a\": 1})\n".to_owned(),
    });
    let mut query = finding("query/negation", Severity::Error, None, None);
    query.location = Some(Location {
        file: "q.js".to_owned(),
        start: Some(Position { line: 2, column: 16 }),
        end: Some(Position { line: 2, column: 29 }),
    });
    let hostile =
        finding("document/illegal-name", Severity::Warning, Some("shop.orders"), Some("a\u{1b}[31m\nb\u{202e}"));
    let info = |path| finding("document/rare-field", Severity::Info, Some("shop.orders"), Some(path));
    report.findings = vec![large, query, hostile, info("a"), info("b"), info("c"), info("d")];
    let sources = Sources::from([("q.js".to_owned(), "use shop\ndb.orders.find({a: {$ne: 1}})\n".to_owned())]);
    (report.sealed(&crate::rules::Evidence::ALL), sources)
}

pub(super) fn recommendation() -> Recommendation {
    let figures = |read: u64, largest: u64| {
        json!({"bytesReadPerRun": read, "largestDocumentIn3Years": largest}).as_object().cloned().unwrap()
    };
    Recommendation {
        kind: "relationship".to_owned(),
        subject: "blog.posts.comments".to_owned(),
        collection: Some("blog.posts".to_owned()),
        today: "embed".to_owned(),
        decision: "subset".to_owned(),
        certainty: Certainty::Measured,
        why: "the array grows by 41 comments a month and the newest 20 are what is read".to_owned(),
        criteria: vec![Criterion {
            name: "growth".to_owned(),
            answer: "unbounded".to_owned(),
            favours: Some("referencing".to_owned()),
            weight: 3,
            evidence: json!({"perMonth": 41.2}).as_object().cloned().unwrap(),
        }],
        alternatives: vec![
            Alternative {
                decision: "embed".to_owned(),
                out: Some("passes 16 MiB in 2028".to_owned()),
                figures: figures(183_000, 20_000_000),
            },
            Alternative { decision: "subset".to_owned(), out: None, figures: figures(1830, 2110) },
        ],
        asks: vec!["how often is a comment read without its post?".to_owned()],
        scripts: vec![Script {
            name: "migrate".to_owned(),
            safety: Safety::Review,
            script: "db.posts.find()\n\n// done\n".to_owned(),
        }],
    }
}
