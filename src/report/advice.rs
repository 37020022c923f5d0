//! Recommendations, as a team discusses them: today's form, the proposal, why, the numbers of each form, the criteria,
//! what is not known, the scripts. For a terminal and as Markdown.

use std::fmt::Write as _;

use serde_json::{Map, Value};
use unicode_width::UnicodeWidthStr;

use super::text::Painter;
use super::{RenderOptions, Report, escape};
use crate::finding::{Alternative, Criterion, Recommendation, Script};
use crate::locale::template::fill;
use crate::locale::{Lang, Sentences};

/// Lines of a script that are shown in a terminal; longer ones are for a file.
const SCRIPT_LINES: usize = 15;

/// Columns that the names of criteria may take.
const CRITERION: usize = 28;

/// What nothing in the evidence tells.
const UNKNOWN: &str = "unknown";

/// The text for a terminal.
pub(super) fn text(report: &Report, options: &RenderOptions) -> String {
    let mut out = Painter::new(options);
    if report.recommendations.is_empty() {
        out.template(out.words.no_advice, &[]);
    }
    for recommendation in &report.recommendations {
        out.recommendation(recommendation);
    }
    out.text
}

/// The same as Markdown, with every script whole.
pub(super) fn markdown(report: &Report, options: &RenderOptions) -> String {
    let words = options.lang.sentences();
    let mut out = format!("# {}\n", words.recommendations);
    if report.recommendations.is_empty() {
        let _ = write!(out, "\n{}\n", escape::markdown(words.no_advice));
    }
    for recommendation in &report.recommendations {
        section(&mut out, recommendation, words, options.lang);
    }
    out
}

/// One recommendation as a section. Writing to a string succeeds.
fn section(out: &mut String, recommendation: &Recommendation, words: &Sentences, lang: Lang) {
    let Recommendation { subject, today, decision, why, asks, scripts, .. } = recommendation;
    let _ = write!(out, "\n## {}\n\n", escape::code(subject));
    let _ = writeln!(out, "- **{}**: {}", words.today, form(today));
    let _ = writeln!(out, "- **{}**: {}", words.proposal, form(decision));
    let _ = writeln!(out, "- **{}**: {}", words.why, escape::markdown(why));
    let table = Table::new(recommendation, lang);
    if !table.rows.is_empty() {
        let heads: Vec<String> = recommendation.alternatives.iter().map(|a| form(&a.decision)).collect();
        let _ = write!(out, "\n| | {} |\n|---|{}\n", heads.join(" | "), "---:|".repeat(heads.len()));
        for (name, cells) in &table.rows {
            let cells: Vec<String> = cells.iter().map(|cell| escape::markdown(cell)).collect();
            let _ = writeln!(out, "| {} | {} |", escape::markdown(name), cells.join(" | "));
        }
    }
    let outs = recommendation.alternatives.iter().filter_map(|a| Some((a, a.out.as_ref()?)));
    let outs: Vec<String> =
        outs.map(|(a, reason)| format!("- {}: {}\n", form(&a.decision), escape::markdown(reason))).collect();
    if !outs.is_empty() {
        let _ = write!(out, "\n{}", outs.concat());
    }
    let (answered, unknown) = by_answer(&recommendation.criteria);
    if !recommendation.criteria.is_empty() {
        let _ = write!(out, "\n### {}\n\n", words.criteria);
        for criterion in answered {
            let name = escape::markdown(&spaced(&criterion.name, lang));
            let _ = writeln!(out, "- **{name}**: {}", escape::markdown(&answer(criterion, lang)));
        }
        if !unknown.is_empty() {
            let _ = writeln!(out, "- **{}**: {}", spaced(UNKNOWN, lang), escape::markdown(&names(&unknown, lang)));
        }
    }
    if !asks.is_empty() {
        let _ = write!(out, "\n### {}\n\n", words.asks);
        for ask in asks {
            let _ = writeln!(out, "- {}", escape::markdown(ask));
        }
    }
    for Script { name, safety, script } in scripts {
        let safety = super::safety(words, *safety);
        let _ = write!(out, "\n### {} ({safety})\n\n", escape::markdown(&spaced(name, lang)));
        escape::fence(out, "", script);
    }
}

/// A form as Markdown: the words for one as words, the key of an index as code.
fn form(decision: &str) -> String {
    if is_word(decision) { escape::markdown(decision) } else { escape::code(decision) }
}

/// Criteria that are answered, and those that nothing tells.
fn by_answer(criteria: &[Criterion]) -> (Vec<&Criterion>, Vec<&Criterion>) {
    criteria.iter().partition(|criterion| criterion.answer != UNKNOWN || !criterion.evidence.is_empty())
}

fn names(criteria: &[&Criterion], lang: Lang) -> String {
    criteria.iter().map(|criterion| spaced(&criterion.name, lang)).collect::<Vec<_>>().join(", ")
}

/// The answer of a criterion, what it favours, and its figures.
fn answer(criterion: &Criterion, lang: Lang) -> String {
    let mut text = spaced(&criterion.answer, lang);
    if let Some(favours) = &criterion.favours {
        let _ = write!(text, " → {}", spaced(favours, lang));
    }
    let figures = figures(&criterion.evidence, lang);
    if !figures.is_empty() {
        let _ = write!(text, " ({figures})");
    }
    text
}

/// The arithmetic: a row each figure, a cell each form.
struct Table {
    rows: Vec<(String, Vec<String>)>,
}

impl Table {
    fn new(recommendation: &Recommendation, lang: Lang) -> Table {
        let mut names: Vec<&str> = Vec::new();
        for name in recommendation.alternatives.iter().flat_map(|alternative| alternative.figures.keys()) {
            if !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
        let cell = |alternative: &Alternative, name: &str| {
            alternative.figures.get(name).map_or_else(|| "–".to_owned(), |value| figure(name, value, lang))
        };
        let row = |name: &str| {
            let cells = recommendation.alternatives.iter().map(|alternative| cell(alternative, name)).collect();
            (escape::line(&spaced(name, lang)).into_owned(), cells)
        };
        Table { rows: names.into_iter().map(row).collect() }
    }
}

impl Painter {
    fn recommendation(&mut self, recommendation: &Recommendation) {
        let lang = self.options.lang;
        self.heading(&recommendation.subject);
        let width =
            [self.words.today, self.words.proposal, self.words.why].iter().map(|w| w.width()).max().unwrap_or(0);
        self.labelled(self.words.today, width, &recommendation.today);
        self.labelled(self.words.proposal, width, &recommendation.decision);
        self.labelled(self.words.why, width, &recommendation.why);
        self.text.push('\n');
        self.alternatives(recommendation);
        if !recommendation.criteria.is_empty() {
            self.criteria(&recommendation.criteria);
        }
        if !recommendation.asks.is_empty() {
            self.title(self.words.asks);
            for ask in &recommendation.asks {
                self.wrapped("  - ", "    ", ask);
            }
            self.text.push('\n');
        }
        for script in &recommendation.scripts {
            let safety = super::safety(self.words, script.safety);
            let lines: Vec<&str> = script.script.trim_end().lines().collect();
            let mut title = format!("{} ({safety})", escape::line(&spaced(&script.name, lang)));
            if SCRIPT_LINES < lines.len() {
                let count = lang.counted(self.words.lines, lines.len() as u64);
                let _ = write!(title, ": {count}, {}", self.words.in_markdown);
                self.title(&title);
                self.text.push('\n');
                continue;
            }
            self.title(&title);
            for line in escape::lines(script.script.trim_end()).lines() {
                self.text.push_str(if line.is_empty() { "" } else { "  " });
                self.text.push_str(line);
                self.text.push('\n');
            }
            self.text.push('\n');
        }
    }

    /// Those that are answered a line each, what nothing tells on one line.
    fn criteria(&mut self, criteria: &[Criterion]) {
        let lang = self.options.lang;
        let (answered, unknown) = by_answer(criteria);
        let last = (!unknown.is_empty()).then(|| spaced(UNKNOWN, lang));
        let labels = answered.iter().map(|c| spaced(&c.name, lang)).chain(last);
        let label = labels.map(|name| name.width()).max().unwrap_or(0).min(CRITERION);
        self.title(self.words.criteria);
        for criterion in answered {
            self.labelled(&escape::line(&spaced(&criterion.name, lang)), label, &answer(criterion, lang));
        }
        if !unknown.is_empty() {
            self.labelled(&spaced(UNKNOWN, lang), label, &names(&unknown, lang));
        }
        self.text.push('\n');
    }

    /// The alternatives as a table: a line each figure, a column each form, as many as fit; the rest below.
    fn alternatives(&mut self, recommendation: &Recommendation) {
        let table = Table::new(recommendation, self.options.lang);
        if table.rows.is_empty() {
            return;
        }
        let alternatives = &recommendation.alternatives;
        let label = table.rows.iter().map(|(name, _)| name.width()).max().unwrap_or(0);
        let head = |at: usize| alternatives.get(at).map(|a| escape::line(&a.decision)).unwrap_or_default();
        let column = |at: usize| {
            let cells = table.rows.iter().filter_map(|(_, cells)| cells.get(at)).map(|cell| cell.width());
            cells.chain([head(at).width()]).max().unwrap_or(0) + 2
        };
        let mut from = 0;
        while from < alternatives.len() {
            let mut used = label + 2;
            let fits = |at: &usize| {
                used += column(*at);
                *at == from || used <= self.options.width
            };
            let columns: Vec<usize> = (from..alternatives.len()).take_while(fits).collect();
            let heads: String = columns.iter().map(|at| right(&head(*at), column(*at))).collect();
            self.title(&format!("{}{heads}", " ".repeat(label + 2)));
            for (name, cells) in &table.rows {
                self.text.push_str("  ");
                self.text.push_str(&left(name, label));
                for at in &columns {
                    self.text.push_str(&right(cells.get(*at).map_or("", String::as_str), column(*at)));
                }
                self.text.push('\n');
            }
            self.text.push('\n');
            from += columns.len();
        }
        let mut is_told = false;
        for alternative in alternatives {
            if let Some(out) = &alternative.out {
                self.wrapped("  ", "    ", &format!("{}: {out}", alternative.decision));
                is_told = true;
            }
        }
        if is_told {
            self.text.push('\n');
        }
    }
}

/// The figures of a criterion in words, on one line.
fn figures(evidence: &Map<String, Value>, lang: Lang) -> String {
    let worded = |(name, value): (&String, &Value)| match (lang.sentences().figure(name), value) {
        (Some(words), Value::Number(_)) if words.contains('{') => {
            fill(words, &Map::from_iter([("n".to_owned(), value.clone())]), lang)
        }
        // What holds needs no yes.
        (Some(words), Value::Bool(true)) => words.to_owned(),
        (Some(words), _) => format!("{words} {}", figure(name, value, lang)),
        (None, _) => format!("{} {}", spaced(name, lang), figure(name, value, lang)),
    };
    evidence.iter().map(worded).collect::<Vec<_>>().join(", ")
}

/// A figure in the format that its name asks for: names that speak of bytes or documents' sizes, shares, the rest.
fn figure(name: &str, value: &Value, lang: Lang) -> String {
    let lower = name.to_ascii_lowercase();
    let format = if ["share", "ratio"].iter().any(|word| lower.contains(word)) {
        "percent"
    } else if ["bytes", "size", "largest", "storage"].iter().any(|word| lower.contains(word)) {
        "bytes"
    } else if value.is_string() {
        "date"
    } else {
        "count"
    };
    match value {
        Value::Bool(true) => return lang.sentences().yes.to_owned(),
        Value::Bool(false) => return lang.sentences().no.to_owned(),
        Value::Null => return "–".to_owned(),
        Value::Array(entries) if entries.is_empty() => return "–".to_owned(),
        Value::String(word) => {
            if let Some(words) = lang.sentences().label(word) {
                return words.to_owned();
            }
        }
        _ => {}
    }
    let figures = Map::from_iter([("f".to_owned(), value.clone())]);
    escape::line(&fill(&format!("{{f|{format}}}"), &figures, lang)).into_owned()
}

/// Whether a text is one word of ours, such as `parent-reference` or `bytesReadPerRun`, and no key or name of the user.
fn is_word(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
}

/// `bytesReadPerRun` as words, in the language where it has some; anything else as it is.
fn spaced(name: &str, lang: Lang) -> String {
    if let Some(words) = lang.sentences().label(name) {
        return words.to_owned();
    }
    if !is_word(name) {
        return name.to_owned();
    }
    let mut out = String::with_capacity(name.len() + 8);
    let mut letters = 0;
    for c in name.chars() {
        // A percentile is one word: `p99`.
        if c.is_ascii_uppercase() || (c.is_ascii_digit() && letters > 1) {
            out.push(' ');
            letters = 0;
        }
        letters = if c.is_ascii_digit() { 0 } else { letters + 1 };
        out.push(c.to_ascii_lowercase());
    }
    out
}

fn left(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(text.width())))
}

fn right(text: &str, width: usize) -> String {
    format!("{}{text}", " ".repeat(width.saturating_sub(text.width())))
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::super::samples;
    use super::*;

    #[test]
    fn a_decision_shows_its_arithmetic() {
        let (mut report, _) = samples::report();
        report.recommendations = vec![samples::recommendation()];
        let spanish = text(&report, &RenderOptions { lang: Lang::Es, ..RenderOptions::default() });
        assert!(spanish.contains("documento más grande en 3 años"), "{spanish}");
        let growth = "crecimiento: sin límite → referenciar (41,2 al mes en la mediana)";
        assert!(spanish.contains(growth), "{spanish}");
        assert_snapshot!(text(&report, &RenderOptions::default()), @r#"
        blog.posts.comments
        ───────────────────
          today:    embed
          proposal: subset
          why:      the array grows by 41 comments a month and the newest 20 are what is
                    read

                                          embed   subset
          bytes read per run            179 KiB  1.8 KiB
          largest document in 3 years  19.1 MiB  2.1 KiB

          embed: passes 16 MiB in 2028

        Criteria
          growth: unbounded → referencing (41.2 a month at the median)

        What would make it surer
          - how often is a comment read without its post?

        migrate (to review first)
          db.posts.find()

          // done
        "#);
    }

    #[test]
    fn markdown_holds_every_script_and_no_markup_of_names() {
        let (mut report, _) = samples::report();
        let mut recommendation = samples::recommendation();
        recommendation.subject = "a`b.<img>|x".to_owned();
        recommendation.decision = "{ \"x|y\": 1 }".to_owned();
        let script = format!("{}db.posts.find('```')", "step();\n".repeat(40));
        recommendation.scripts = vec![Script { script, ..recommendation.scripts[0].clone() }];
        report.recommendations = vec![recommendation];
        let shown = markdown(&report, &RenderOptions::default());
        assert!(shown.contains("## ``a`b.<img>|x``") && shown.contains("`{ \"x|y\": 1 }`"), "{shown}");
        assert!(shown.contains("````js\nstep();") && shown.matches("step();").count() == 40, "{shown}");
        let short = text(&report, &RenderOptions::default());
        assert!(short.contains("41 lines") && !short.contains("step();"), "{short}");
    }

    /// The recommendations on posts whose comments grow, on what a model declares, and on children that are shared.
    fn recommendations() -> Vec<Recommendation> {
        let posts: Vec<String> = (0..80u64)
            .map(|number| {
                let created = 1_704_067_200 + number * 864_000;
                let comments: Vec<String> = (0..12 + 80 - number)
                    .map(|place| {
                        let (at, id) = (created + place * 864_000, number * 1000 + place);
                        format!("{{_id: ObjectId('{at:08x}{id:016x}'), sku: 's{}', at: new Date({at}000)}}", id % 7)
                    })
                    .collect();
                format!("{{_id: ObjectId('{created:08x}{number:016x}'), comments: [{}]}}", comments.join(", "))
            })
            .collect();
        let lists: Vec<String> = (0..80)
            .map(|number| {
                let items: Vec<String> =
                    (0..12).map(|place| format!("{{sku: 's{}', text: 'x'}}", (number + place) % 15)).collect();
                format!("{{_id: {number}, items: [{}]}}", items.join(", "))
            })
            .collect();
        let indexes = r#"[{"v": 2, "key": {"_id": 1}, "name": "_id_"},
            {"v": 2, "key": {"comments.sku": 1}, "name": "sku"},
            {"v": 2, "key": {"at": 1}, "name": "ttl", "expireAfterSeconds": 60}]"#;
        let told = serde_json::json!({"model": {"relationships": [{
            "parent": "blog.posts", "path": "comments", "readTogether": "always", "childReadAlone": true,
            "ownership": "owned", "updatedTogether": true, "semantics": "snapshot", "staleness": "direct",
            "lifecycle": "shared", "analytics": "rare", "cardinality": {"growth": "bounded", "max": 500}
        }], "sharding": {"blog.posts": {"key": {"_id": 1}}, "blog.lists": {"key": {"kind": 1}}}}});
        let mut all = Vec::new();
        for config in [None, Some(told.to_string())] {
            let mut vet = crate::Vet::new(crate::Options { config, ..crate::Options::default() }).unwrap();
            for _ in 0..2 {
                for (name, text) in [
                    ("blog.posts.json5", posts.join("\n").as_str()),
                    ("blog.posts.indexes.json", indexes),
                    ("blog.lists.json5", lists.join("\n").as_str()),
                ] {
                    vet.open(name, crate::InputOptions::default());
                    vet.write(text.as_bytes());
                    vet.close();
                }
                if vet.questions().is_empty() {
                    break;
                }
            }
            let report: Report = serde_json::from_str(&vet.finish()).unwrap();
            all.extend(report.recommendations);
        }
        all
    }

    #[test]
    fn criteria_are_worded_for_a_reader() {
        let found = recommendations();
        assert!(3 <= found.len(), "{found:?}");
        let mut unworded = std::collections::BTreeSet::new();
        for criterion in found.iter().flat_map(|recommendation| &recommendation.criteria) {
            for words in Lang::ALL.map(Lang::sentences) {
                unworded.extend(criterion.evidence.keys().filter(|key| words.figure(key).is_none()).cloned());
            }
            let spanish = Lang::Es.sentences();
            // A key is written in one way in every language.
            let favours = criterion.favours.as_ref().filter(|favours| !favours.starts_with('{'));
            let answers = [Some(&criterion.name), Some(&criterion.answer), favours];
            unworded.extend(answers.into_iter().flatten().filter(|key| spanish.label(key).is_none()).cloned());
        }
        assert_eq!(unworded, std::collections::BTreeSet::new());
        for lang in Lang::ALL {
            for name in lang.sentences().figures {
                assert!(name.1.matches('{').count() == name.1.matches('}').count(), "{name:?}");
            }
        }
    }
}
