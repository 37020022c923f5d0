//! A `mongovet.json` to start from: what was measured and seen, as a declared model that a person goes through.
//!
//! What was only measured stands in comments, so that today's numbers do not become bounds that nobody chose; what
//! nobody can know from outside is a question.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::Value;

use crate::catalogue::Namespace;
use crate::finding::Recommendation;
use crate::locale::{InitialSentences, Lang, template};
use crate::model::{Access, Collection, Model, Relation, access::Purpose, copied};
use crate::order::Ordered;
use crate::profile::Histogram;
use crate::workload::Operator;

/// Access patterns that are written, most frequent first.
const MOST_PATTERNS: usize = 20;
/// A day in milliseconds.
const DAY: f64 = 86_400_000.0;
/// Milliseconds that a log must cover to tell how often something runs a day.
const LEAST: i64 = 3_600_000;

/// The text of the file; its comments are in `lang`.
pub(crate) fn initial(model: &Model, recommendations: &[Recommendation], lang: Lang) -> String {
    let sentences = &lang.sentences().initial;
    let mut out = Lines::default();
    out.comment(0, sentences.header);
    out.line(0, "{");
    out.line(1, "\"$schema\": \"./node_modules/mongovet/js/mongovet.schema.json\",");
    out.line(1, &format!("\"serverVersion\": {},", text(&model.server.to_string())));
    out.line(1, "\"model\": {");
    relationships(model, recommendations, sentences, lang, &mut out);
    derived(model, sentences, &mut out);
    patterns(recommendations, sentences, &mut out);
    access_patterns(model, sentences, &mut out);
    out.line(1, "}");
    out.line(0, "}");
    out.text
}

/// The text while it is made.
#[derive(Debug, Default)]
struct Lines {
    text: String,
}

impl Lines {
    fn line(&mut self, level: usize, line: &str) {
        self.text.push_str(&"  ".repeat(level));
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// A comment; nothing in it can end it.
    fn comment(&mut self, level: usize, words: &str) {
        for line in words.lines() {
            self.line(level, &format!("// {}", line.replace(['\r', '\u{2028}', '\u{2029}'], " ")));
        }
    }
}

fn text(value: &str) -> String {
    Value::from(value).to_string()
}

fn name(ns: &Namespace) -> String {
    text(&ns.to_string())
}

/// `"typical": 3, "p99": 9` of what was counted.
fn numbers(counts: &Histogram) -> String {
    format!("\"typical\": {}, \"p99\": {}", counts.median(), counts.p99())
}

fn relationships(
    model: &Model,
    recommendations: &[Recommendation],
    sentences: &InitialSentences,
    lang: Lang,
    out: &mut Lines,
) {
    out.line(2, "\"relationships\": [");
    let mut entries: Vec<(Vec<String>, String)> = Vec::new();
    for collection in &model.collections {
        for array in collection.arrays() {
            let subject = format!("{}.{}", collection.ns, array.path);
            let decided = recommendations.iter().find(|r| r.kind == "relationship" && r.subject == subject);
            let Some(decided) = decided.filter(|r| ["embed", "outlier", "subset"].contains(&r.today.as_str())) else {
                continue;
            };
            let growth = decided.criteria.iter().find(|criterion| criterion.name == "growth");
            let growth = match growth.map(|criterion| criterion.answer.as_str()) {
                Some("unbounded") => ", \"growth\": \"unbounded\"",
                Some("bounded") => ", \"growth\": \"bounded\"",
                _ => "",
            };
            let entry = format!(
                "\"parent\": {}, \"path\": {}, \"cardinality\": {{ {}{growth} }}",
                name(&collection.ns),
                text(array.path.as_str()),
                numbers(&array.stats.lengths),
            );
            entries.push((vec![decided.why.clone()], entry));
        }
    }
    for relation in &model.relations {
        entries.push(reference(model, relation, sentences, lang));
    }
    if !entries.is_empty() {
        out.comment(3, sentences.ask_relationship);
    }
    let last = entries.len();
    for (at, (comments, entry)) in entries.into_iter().enumerate() {
        for comment in comments {
            out.comment(3, &comment);
        }
        let comma = if at + 1 == last { "" } else { "," };
        out.line(3, &format!("{{ {entry} }}{comma}"));
    }
    out.line(2, "],");
}

fn reference(model: &Model, relation: &Relation, sentences: &InitialSentences, lang: Lang) -> (Vec<String>, String) {
    let mut comments = Vec::new();
    if let Some((compared, found)) = relation.known_by.values {
        let figures = serde_json::Map::from_iter([
            ("compared".to_owned(), Value::from(compared)),
            ("found".to_owned(), Value::from(found)),
        ]);
        comments.push(template::fill(sentences.measured, &figures, lang));
    } else if relation.known_by.schema {
        comments.push(sentences.from_schema.to_owned());
    } else if relation.known_by.join {
        comments.push(sentences.from_join.to_owned());
    }
    let mut entry = format!(
        "\"parent\": {}, \"path\": {}, \"to\": {}",
        name(&relation.from),
        text(relation.path.as_str()),
        name(&relation.to)
    );
    if relation.many {
        if let Some(counts) = relation.per_document(model).filter(|counts| 0 < counts.count()) {
            let _ = write!(entry, ", \"cardinality\": {{ {} }}", numbers(&counts));
        }
    } else {
        entry += ", \"cardinality\": { \"typical\": 1, \"max\": 1, \"growth\": \"bounded\" }";
    }
    if let Some((counts, whole)) = relation.per_target(model).filter(|(counts, _)| 0 < counts.count()) {
        if !whole {
            comments.push(sentences.sampled.to_owned());
        }
        let _ = write!(entry, ", \"parentsPerChild\": {{ {} }}", numbers(&counts));
    }
    (comments, entry)
}

/// Copies, as suggestions: whether one is a snapshot or must stay current only the team knows.
fn derived(model: &Model, sentences: &InitialSentences, out: &mut Lines) {
    out.line(2, "\"derived\": [");
    for relation in &model.relations {
        let Some(pairs) = relation.pairs(model) else { continue };
        for copy in copied(&pairs) {
            out.comment(3, &format!("{} {}/{}", sentences.copy, copy.equal, copy.pairs));
            let field = text(&format!("{}.{}", relation.from, copy.path));
            let source = text(&format!("{}.{}", relation.to, copy.source));
            let keys = "\"kind\": \"snapshot\" | \"current-copy\", \"staleness\": …, \"propagation\": …, \"onSourceDelete\": …";
            out.comment(3, &format!("{{ \"field\": {field}, \"source\": {source}, {keys} }}"));
        }
    }
    out.line(2, "],");
}

/// A card for each pattern in use.
fn patterns(recommendations: &[Recommendation], sentences: &InitialSentences, out: &mut Lines) {
    out.line(2, "\"patterns\": [");
    let cards: Vec<&Recommendation> =
        recommendations.iter().filter(|r| r.kind == "pattern" && r.today == r.decision).collect();
    for (at, card) in cards.iter().enumerate() {
        out.comment(3, &card.why);
        let collection = card.collection.clone().unwrap_or_default();
        let path = card.subject.strip_prefix(&collection).and_then(|rest| rest.strip_prefix('.'));
        let path = path.map_or_else(String::new, |path| format!(", \"path\": {}", text(path)));
        let entry = format!("\"collection\": {}, \"pattern\": {}{path}", text(&collection), text(&card.today));
        out.line(3, &format!("{{ {entry}"));
        for ask in &card.asks {
            out.comment(4, ask);
        }
        out.comment(4, sentences.ask_card);
        out.line(3, if at + 1 == cards.len() { "}" } else { "}," });
    }
    out.line(2, "],");
}

/// The most frequent accesses of logs and profiler, with their runs a day.
fn access_patterns(model: &Model, sentences: &InitialSentences, out: &mut Lines) {
    out.line(2, "\"accessPatterns\": [");
    let mut seen: Vec<(f64, &Access, String)> = Vec::new();
    for access in model.accesses.iter().filter(|access| access.purpose == Purpose::Read && !access.open) {
        let Some(runs) = &access.runs else { continue };
        let span = runs.last.zip(runs.first).map_or(0, |(last, first)| last.saturating_sub(first));
        let (Some(operation), true) = (operation(model, access), LEAST <= span) else { continue };
        seen.push(((runs.count as f64 * DAY / span as f64).round(), access, operation));
    }
    // The sort is stable: equal ones stay in the order of their names.
    seen.order_by(|a, b| b.0.total_cmp(&a.0));
    seen.truncate(MOST_PATTERNS);
    if seen.is_empty() {
        out.comment(3, sentences.ask_access);
    }
    let last = seen.len();
    for (at, (per_day, access, operation)) in seen.into_iter().enumerate() {
        let label = text(&format!("{} {}", access.ns, access.shape));
        let comma = if at + 1 == last { "" } else { "," };
        out.line(
            3,
            &format!("{{ \"name\": {label}, \"operation\": {}, \"perDay\": {per_day} }}{comma}", text(&operation)),
        );
    }
    out.line(2, "]");
}

/// The access as a shell command whose values are holes.
fn operation(model: &Model, access: &Access) -> Option<String> {
    let [branch] = &access.branches[..] else { return None };
    model.collection(&access.ns).map(Collection::documents)?;
    let mut tests: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (path, test) in &branch.tests {
        let test = match &test.operator {
            Operator::In => "$in: [X]".to_owned(),
            operator if *operator == Operator::Eq || operator.is_range() => format!("{}: X", operator.name()),
            _ => return None,
        };
        let known = tests.entry(path).or_default();
        if !known.contains(&test) {
            known.push(test);
        }
    }
    let condition = |(path, tests): (&str, Vec<String>)| match &tests[..] {
        [one] if one == "$eq: X" => format!("{}: X", text(path)),
        tests => format!("{}: {{ {} }}", text(path), tests.join(", ")),
    };
    let conditions: Vec<String> = tests.into_iter().map(condition).collect();
    let sort = access.sort.iter().map(|key| format!("{}: {}", text(&key.path), if key.descending { -1 } else { 1 }));
    let sort: Vec<String> = sort.collect();
    let sort = if sort.is_empty() { String::new() } else { format!(".sort({{{}}})", sort.join(", ")) };
    let collection = crate::catalogue::index::script_string(&access.ns.collection);
    Some(format!("db.getCollection({collection}).find({{{}}}){sort}", conditions.join(", ")))
}
