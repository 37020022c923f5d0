//! Frames for people: grouped by collection, the most important first, wrapped to the terminal's width.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use serde_json::{Map, Value};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::{RenderOptions, Report, Sources, by_importance, concise, escape, group};
use crate::finding::{Finding, Location, Remedy, RemedyKind, Severity};
use crate::locale::Sentences;
use crate::order::Ordered;
use crate::rules::fill;

/// Places that the one line of an info names.
const PLACES: usize = 3;

/// Lines of a remedy that a frame shows.
const SCRIPT_LINES: usize = 3;

/// Problems that are listed; the rest is counted.
const PROBLEMS: usize = 20;

/// Ids of rules that a kind of missing evidence names.
const WAITING: usize = 3;

/// The whole report.
pub(super) fn render(report: &Report, sources: &Sources, options: &RenderOptions) -> String {
    let mut out = Painter::new(options);
    let findings = by_importance(&report.findings);
    let (framed, folded): (Vec<&Finding>, Vec<&Finding>) =
        findings.into_iter().partition(|finding| options.show_info || finding.severity > Severity::Info);
    let most = options.frames();
    let hidden = framed.len().saturating_sub(most);
    let framed = framed.get(..framed.len() - hidden).unwrap_or_default();

    let mut groups: Vec<(&str, Vec<&Finding>, Vec<&Finding>)> = Vec::new();
    let mut add = |finding, is_framed| {
        let name = group(finding);
        let at = groups.iter().position(|(known, ..)| *known == name).unwrap_or_else(|| {
            groups.push((name, Vec::new(), Vec::new()));
            groups.len() - 1
        });
        if let Some((_, frames, infos)) = groups.get_mut(at) {
            if is_framed { frames.push(finding) } else { infos.push(finding) }
        }
    };
    for finding in framed {
        add(finding, true);
    }
    if !options.quiet {
        for finding in &folded {
            add(finding, false);
        }
    }
    for (name, frames, infos) in groups {
        out.heading(name);
        for alike in by_advice(frames) {
            out.frames(&alike, sources);
        }
        out.infos(&infos);
    }
    if hidden > 0 {
        out.template(out.words.hidden, &[("hidden", hidden.into()), ("most", most.into())]);
        out.text.push('\n');
    }
    if options.statistics {
        out.inputs(report);
    }
    if !options.quiet {
        out.problems(report);
    }
    out.summary(report, options);
    out.text
}

/// Findings of one rule and level that need the same done, together at the place of the first.
fn by_advice(findings: Vec<&Finding>) -> Vec<Vec<&Finding>> {
    let mut out: Vec<Vec<&Finding>> = Vec::new();
    for finding in findings {
        let is_alike = |other: &&Finding| {
            other.rule == finding.rule && other.severity == finding.severity && other.help == finding.help
        };
        match out.iter_mut().find(|alike| alike.first().is_some_and(is_alike)) {
            Some(alike) => alike.push(finding),
            None => out.push(vec![finding]),
        }
    }
    out
}

/// The colours of a terminal, as the codes that switch them on.
mod colour {
    pub(super) const ERROR: &str = "\u{1b}[1;31m";
    pub(super) const WARNING: &str = "\u{1b}[1;33m";
    pub(super) const INFO: &str = "\u{1b}[1;36m";
    pub(super) const STRONG: &str = "\u{1b}[1m";
    pub(super) const FAINT: &str = "\u{1b}[2m";
    pub(super) const OFF: &str = "\u{1b}[0m";
}

/// The growing text with what every part of it needs.
pub(super) struct Painter {
    pub(super) text: String,
    pub(super) words: &'static Sentences,
    pub(super) options: RenderOptions,
}

impl Painter {
    pub(super) fn new(options: &RenderOptions) -> Self {
        let options = RenderOptions { width: options.width.clamp(40, 200), ..options.clone() };
        Painter { text: String::new(), words: options.lang.sentences(), options }
    }

    /// Text in a colour, where colours are wanted.
    fn paint(&mut self, code: &str, text: &str) {
        if self.options.color {
            self.text.push_str(code);
            self.text.push_str(text);
            self.text.push_str(colour::OFF);
        } else {
            self.text.push_str(text);
        }
    }

    /// A sentence of the locale, wrapped.
    pub(super) fn template(&mut self, template: &str, figures: &[(&str, Value)]) {
        let figures: Map<String, Value> = figures.iter().map(|(k, v)| ((*k).to_owned(), v.clone())).collect();
        let text = fill(template, &figures, self.options.lang);
        self.wrapped("", "", &text);
    }

    /// A line that stands out.
    pub(super) fn title(&mut self, text: &str) {
        self.paint(colour::STRONG, text);
        self.text.push('\n');
    }

    pub(super) fn heading(&mut self, name: &str) {
        let name = if name.is_empty() { self.words.whole_run.into() } else { escape::line(name) };
        self.paint(colour::STRONG, &name);
        self.text.push('\n');
        let rule = "─".repeat(name.width().min(self.options.width));
        self.paint(colour::FAINT, &rule);
        self.text.push('\n');
    }

    /// The first of findings that need the same done is told whole, the others by place and message.
    fn frames(&mut self, alike: &[&Finding], sources: &Sources) {
        for (number, finding) in alike.iter().enumerate() {
            let (code, level) = self.level(finding.severity);
            self.paint(code, &format!("{level}[{}]", finding.rule));
            self.text.push(' ');
            self.paint(colour::STRONG, &escape::line(&concise::place(finding)));
            let catalogue =
                finding.location.as_ref().filter(|place| place.start.is_none() && finding.collection.is_some());
            if let Some(location) = catalogue {
                self.paint(colour::FAINT, &format!(" ({})", escape::line(&location.file)));
            }
            self.text.push('\n');
            self.wrapped("  ", "  ", &finding.message);
            if let Some(location) = &finding.location {
                self.source(location, sources.get(&location.file).map(String::as_str), finding.severity);
            }
            if number == 0 {
                self.reasons(finding);
            }
        }
        self.text.push('\n');
    }

    fn reasons(&mut self, finding: &Finding) {
        let width = [self.words.why, self.words.help, self.words.remedy].iter().map(|w| w.width()).max().unwrap_or(0);
        self.labelled(self.words.why, width, &finding.why);
        self.labelled(self.words.help, width, &finding.help);
        if let Some(remedy) = &finding.remedy {
            self.remedy(remedy, width);
        }
    }

    /// `  label: text`, continued below the text.
    pub(super) fn labelled(&mut self, label: &str, width: usize, text: &str) {
        if text.is_empty() {
            return;
        }
        let gap = " ".repeat(width.saturating_sub(label.width()) + 1);
        self.text.push_str("  ");
        self.paint(colour::FAINT, &format!("{label}:"));
        let indent = " ".repeat(width + 4);
        self.wrapped(&gap, &indent, text);
    }

    /// The safety of the script, and the script itself where it is short.
    fn remedy(&mut self, remedy: &Remedy, width: usize) {
        let safety = super::safety(self.words, remedy.safety);
        let script = escape::lines(remedy.script.trim_end());
        let lines: Vec<&str> = script.lines().collect();
        let room = self.options.width.saturating_sub(width + 4);
        let short = lines.len() <= SCRIPT_LINES && lines.iter().all(|line| line.width() <= room);
        let kind = match remedy.kind {
            RemedyKind::Mongosh => self.words.mongosh,
            RemedyKind::Validator => self.words.validator,
            RemedyKind::Pipeline => self.words.pipeline,
            RemedyKind::Text => self.words.prose,
        };
        let mut hint = format!("{kind}, {safety}");
        if !short {
            let lines = self.options.lang.counted(self.words.lines, lines.len() as u64);
            hint = format!("{hint} ({lines}, {})", self.words.in_json);
        }
        self.labelled(self.words.remedy, width, &hint);
        if short {
            for line in lines {
                self.text.push_str(&" ".repeat(width + 4));
                self.text.push_str(line);
                self.text.push('\n');
            }
        }
    }

    /// The line of the source with the span marked below it.
    fn source(&mut self, location: &Location, text: Option<&str>, severity: Severity) {
        let (Some(start), Some(text)) = (location.start, text) else { return };
        let Some(line) = usize::try_from(start.line).ok().and_then(|line| text.lines().nth(line.checked_sub(1)?))
        else {
            return;
        };
        let end = location.end.filter(|end| end.line == start.line).map(|end| end.column);
        let (line, span) = marked(line, start.column, end, self.options.width.saturating_sub(10));
        let level = match severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Info => Level::INFO,
        };
        let snippet =
            Snippet::source(line).line_start(start.line as usize).annotation(AnnotationKind::Primary.span(span));
        let renderer = if self.options.color { Renderer::styled() } else { Renderer::plain() };
        let drawn = renderer.render(&[Group::with_level(level).element(snippet)]);
        for line in drawn.lines() {
            self.text.push(' ');
            self.text.push_str(line.trim_end());
            self.text.push('\n');
        }
    }

    /// One line for each rule.
    fn infos(&mut self, infos: &[&Finding]) {
        if infos.is_empty() {
            return;
        }
        let mut rules: BTreeMap<&str, Vec<&Finding>> = BTreeMap::new();
        for finding in infos {
            rules.entry(&finding.rule).or_default().push(finding);
        }
        for (rule, findings) in rules {
            let mut places: Vec<String> = findings.iter().filter_map(|finding| inner_place(finding)).collect();
            places.order();
            places.dedup();
            let (code, level) = self.level(Severity::Info);
            self.paint(code, &format!("{level}[{rule}]"));
            let mut text = String::new();
            if findings.len() > 1 {
                let _ = write!(text, "{}: ", self.options.lang.counted(self.words.findings, findings.len() as u64));
            }
            match (&findings[..], places.is_empty()) {
                ([only], true) => text.push_str(&only.message),
                _ => text.push_str(&places.iter().take(PLACES).cloned().collect::<Vec<_>>().join(", ")),
            }
            if places.len() > PLACES {
                text.push_str(", …");
            }
            self.wrapped(" ", "    ", &text);
        }
        self.text.push('\n');
    }

    /// What was read as what.
    fn inputs(&mut self, report: &Report) {
        for input in &report.inputs {
            let mut line = format!("{}: {}", input.name, input.kind);
            if let Some(collection) = &input.collection {
                let _ = write!(line, ", {collection}");
            }
            if input.documents > 0 {
                let _ = write!(line, ", {}", self.options.lang.counted(self.words.documents, input.documents));
                if input.complete {
                    let _ = write!(line, " ({})", self.words.complete);
                }
            }
            let _ = write!(line, ", {}", self.options.lang.bytes(input.bytes as f64));
            self.wrapped("", "    ", &line);
        }
        if !report.inputs.is_empty() {
            self.text.push('\n');
        }
    }

    fn problems(&mut self, report: &Report) {
        let mut number = 0;
        for (input, problem) in report.problems() {
            number += 1;
            if number > PROBLEMS {
                continue;
            }
            let mut place = input.name.clone();
            if let Some(line) = problem.line {
                let _ = write!(place, ":{line}:{}", problem.column.unwrap_or(1));
            }
            let mut parts = Vec::new();
            if let Some(document) = problem.document {
                parts.push(format!("{} {document}", self.words.document));
            }
            if let Some(offset) = problem.offset {
                parts.push(format!("{} {offset}", self.words.byte));
            }
            if !parts.is_empty() {
                let _ = write!(place, " ({})", parts.join(", "));
            }
            self.paint(colour::WARNING, self.words.problem);
            self.wrapped(" ", "    ", &format!("{place}: {}", problem.message));
        }
        if number > PROBLEMS {
            let more = number - PROBLEMS;
            self.template(self.words.more_problems, &[("more", more.into())]);
        }
        if number > 0 {
            self.text.push('\n');
        }
    }

    fn summary(&mut self, report: &Report, options: &RenderOptions) {
        let summary = report.summary;
        let code = match (summary.error, summary.warning) {
            (0, 0) => colour::STRONG,
            (0, _) => colour::WARNING,
            _ => colour::ERROR,
        };
        let counts = report.counts(options.lang);
        let (found, read) = counts.split_once(&format!(" {} ", self.words.read)).unwrap_or((&counts, ""));
        self.paint(code, found);
        self.wrapped(" ", "", &format!("{} {read}", self.words.read));
        if options.quiet {
            return;
        }
        let from = self.words.origin(&report.server_version_from);
        let version = [("version", Value::from(report.server_version.clone())), ("from", from.into())];
        self.template(self.words.server, &version);
        if !report.missing.is_empty() {
            let of = |missing: &super::Missing| {
                let mut ids = missing.would_answer.iter().take(WAITING).cloned().collect::<Vec<_>>().join(", ");
                if missing.would_answer.len() > WAITING {
                    ids.push_str(", …");
                }
                format!("{} ({ids})", self.words.evidence(&missing.evidence))
            };
            let list = report.missing.iter().map(of).collect::<Vec<_>>().join("; ");
            self.wrapped("", "    ", &format!("{} {list}", self.words.not_given));
        }
    }

    fn level(&self, severity: Severity) -> (&'static str, &'static str) {
        let code = match severity {
            Severity::Error => colour::ERROR,
            Severity::Warning => colour::WARNING,
            Severity::Info => colour::INFO,
        };
        (code, super::level(self.words, severity))
    }

    /// Text behind `first`, wrapped at spaces to the width and continued behind `next`. A word that is longer than a
    /// line stands on its own line, whole, so that names can be copied.
    pub(super) fn wrapped(&mut self, first: &str, next: &str, text: &str) {
        let text = escape::line(text);
        let line_start = self.text.rfind('\n').map_or(0, |at| at + 1);
        let mut column = visible(self.text.get(line_start..).unwrap_or_default()) + first.width();
        self.text.push_str(first);
        let mut is_fresh = true;
        for word in text.split(' ') {
            let width = word.width();
            if !is_fresh && column + 1 + width > self.options.width {
                self.text.push('\n');
                self.text.push_str(next);
                column = next.width();
            } else if !is_fresh {
                self.text.push(' ');
                column += 1;
            }
            self.text.push_str(word);
            column += width;
            is_fresh = false;
        }
        self.text.push('\n');
    }
}

/// Width of a line without its colour codes.
fn visible(line: &str) -> usize {
    let mut width = 0;
    let mut inside = false;
    for c in line.chars() {
        match (inside, c) {
            (false, '\u{1b}') => inside = true,
            (false, c) => width += c.width().unwrap_or(0),
            (true, 'm') => inside = false,
            (true, _) => {}
        }
    }
    width
}

/// The place of a finding within its collection or file.
fn inner_place(finding: &Finding) -> Option<String> {
    if let Some(start) = finding.location.as_ref().and_then(|location| location.start) {
        let file = finding.location.as_ref().filter(|_| finding.collection.is_some());
        let file = file.map(|location| format!("{}:", location.file)).unwrap_or_default();
        return Some(format!("{file}{}:{}", start.line, start.column));
    }
    finding.path.clone().or_else(|| finding.index.clone())
}

/// A source line made harmless, and where the span from `start` to `end` (UTF-16 columns, 1-based, `end` behind the
/// last) lies in it. Of a line that is too long the part around the span is kept.
fn marked(line: &str, start: u32, end: Option<u32>, width: usize) -> (String, std::ops::Range<usize>) {
    let (start, end) = (start.max(1), end.unwrap_or(u32::MAX));
    let mut cells: Vec<(String, bool)> = Vec::new();
    let mut column = 1u32;
    for c in line.trim_end().chars() {
        let shown = if c == '\t' { "    ".to_owned() } else { escape::line(c.encode_utf8(&mut [0; 4])).into_owned() };
        cells.push((shown, column >= start && column < end));
        column = column.saturating_add(c.len_utf16() as u32);
    }
    let total: usize = cells.iter().map(|(shown, _)| shown.width()).sum();
    let first = cells.iter().position(|(_, inside)| *inside).unwrap_or(cells.len());
    let mut from = 0;
    if total > width {
        // A third of the room goes to what stands before the span.
        let mut room = width / 3;
        from = first;
        while let Some((shown, _)) = from.checked_sub(1).and_then(|at| cells.get(at)) {
            let Some(left) = room.checked_sub(shown.width()) else { break };
            room = left;
            from -= 1;
        }
    }
    let mut text = String::from(if from > 0 { "…" } else { "" });
    let (mut low, mut high, mut used) = (None, 0, text.width());
    for (shown, inside) in cells.iter().skip(from) {
        used += shown.width();
        if used > width {
            text.push('…');
            break;
        }
        if *inside {
            low.get_or_insert(text.len());
        }
        text.push_str(shown);
        if *inside {
            high = text.len();
        }
    }
    let low = low.unwrap_or(text.len());
    let high = high.max(low);
    (text, low..high)
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::super::samples;
    use super::*;
    use crate::locale::Lang;

    #[test]
    fn a_report_reads_in_eighty_columns() {
        let (report, sources) = samples::report();
        let text = render(&report, &sources, &RenderOptions::default());
        assert!(text.lines().all(|line| line.width() <= 80), "{text}");
        assert_snapshot!(text, @r#"
        q.js
        ────
        error[query/negation] q.js:2:16
          `this` is not as it should be
           |
         2 | db.orders.find({a: {$ne: 1}})
           |                ^^^^^^^^^^^^^
          why:    half of the documents hold 12 or fewer, so this one array decides how
                  large a document gets and how much every read of it costs
          help:   keep the newest in the document

        shop.orders
        ───────────
        warning[document/illegal-name] shop.orders: a\u{1b}[31m\nb\u{202e}
          `a\u{1b}[31m\nb\u{202e}` is not as it should be
          why:    half of the documents hold 12 or fewer, so this one array decides how
                  large a document gets and how much every read of it costs
          help:   keep the newest in the document

        warning[document/large-array] shop.orders: items
          `items` is not as it should be
          why:    half of the documents hold 12 or fewer, so this one array decides how
                  large a document gets and how much every read of it costs
          help:   keep the newest in the document
          remedy: mongosh script, to review first
                  db.getSiblingDB("shop").orders.createIndex({"a": 1})

        info[document/rare-field] 4 findings: a, b, c, …

        problem: shop/orders.bson (document 1201, byte 812001): the last document is cut
            off

        1 error, 2 warnings, 4 infos, 1 problem in 2 inputs, 1,200 documents
        The server version is taken as 8.0 (the default).
        "#);
    }

    #[test]
    fn the_frames_speak_spanish() {
        let (report, sources) = samples::report();
        let options = RenderOptions { lang: Lang::Es, max_findings: Some(1), ..RenderOptions::default() };
        assert_snapshot!(render(&report, &sources, &options), @r#"
        q.js
        ────
        error[query/negation] q.js:2:16
          `this` is not as it should be
           |
         2 | db.orders.find({a: {$ne: 1}})
           |                ^^^^^^^^^^^^^
          por qué: half of the documents hold 12 or fewer, so this one array decides how
                   large a document gets and how much every read of it costs
          ayuda:   keep the newest in the document

        shop.orders
        ───────────
        info[document/rare-field] 4 hallazgos: a, b, c, …

        No se muestran 2 más (límite: 1).

        problema: shop/orders.bson (documento 1201, byte 812001): the last document is
            cut off

        1 error, 2 avisos, 4 infos, 1 problema en 2 entradas, 1200 documentos
        Se toma la versión 8.0 del servidor (valor por defecto).
        "#);
    }

    #[test]
    fn colours_come_only_when_asked() {
        let (report, sources) = samples::report();
        let plain = render(&report, &sources, &RenderOptions::default());
        assert!(!plain.contains('\u{1b}'));
        let coloured = render(&report, &sources, &RenderOptions { color: true, ..RenderOptions::default() });
        assert!(coloured.contains("\u{1b}[1;31merror[query/negation]\u{1b}[0m"));
        // Not one line breaks elsewhere because of the codes.
        assert_eq!(coloured.lines().map(visible).collect::<Vec<_>>(), plain.lines().map(visible).collect::<Vec<_>>());
    }

    #[test]
    fn what_needs_the_same_done_is_told_once() {
        let (mut report, sources) = samples::report();
        report.findings = ["a", "b", "c"]
            .map(|path| samples::finding("document/date-as-string", Severity::Warning, Some("shop.orders"), Some(path)))
            .to_vec();
        report.findings[1].help = "another thing".to_owned();
        let file = "shop/orders.metadata.json".to_owned();
        report.findings[1].location = Some(Location { file, start: None, end: None });
        let text = render(&report, &sources, &RenderOptions { quiet: true, ..RenderOptions::default() });
        assert_snapshot!(text, @r#"
        shop.orders
        ───────────
        warning[document/date-as-string] shop.orders: a
          `a` is not as it should be
          why:    half of the documents hold 12 or fewer, so this one array decides how
                  large a document gets and how much every read of it costs
          help:   keep the newest in the document
        warning[document/date-as-string] shop.orders: c
          `c` is not as it should be

        warning[document/date-as-string] shop.orders: b (shop/orders.metadata.json)
          `b` is not as it should be
          why:    half of the documents hold 12 or fewer, so this one array decides how
                  large a document gets and how much every read of it costs
          help:   another thing

        1 error, 2 warnings, 4 infos, 1 problem in 2 inputs, 1,200 documents
        "#);
    }

    #[test]
    fn a_long_script_is_named_and_a_short_one_shown() {
        let (mut report, sources) = samples::report();
        let remedy = report.findings.iter_mut().find_map(|finding| finding.remedy.as_mut()).unwrap();
        remedy.script = "a();\n".repeat(4);
        let text = render(&report, &sources, &RenderOptions::default());
        assert!(text.contains("  remedy: mongosh script, to review first (4 lines, in the JSON report)\n"), "{text}");
        assert!(!text.contains("a();"), "{text}");
    }

    #[test]
    fn quiet_says_only_what_is_wrong() {
        let (report, sources) = samples::report();
        let text = render(&report, &sources, &RenderOptions { quiet: true, ..RenderOptions::default() });
        assert!(
            text.contains("query/negation") && !text.contains("rare-field") && !text.contains("problem:"),
            "{text}"
        );
    }

    #[test]
    fn statistics_list_the_inputs() {
        let (report, sources) = samples::report();
        let text = render(&report, &sources, &RenderOptions { statistics: true, ..RenderOptions::default() });
        let line = "shop/orders.bson: bson-dump, shop.orders, 1,200 documents (complete), 793\u{a0}KiB\n";
        assert!(text.contains(line), "{text}");
    }

    #[test]
    fn a_span_is_marked_wherever_it_lies() {
        let text = |line: &str, start, end, width| {
            let (text, span) = marked(line, start, end, width);
            format!("{}|{}", text, text.get(span).unwrap())
        };
        assert_eq!(text("db.a.find()", 4, Some(5), 80), "db.a.find()|a");
        assert_eq!(text("\tx👍y", 5, Some(6), 80), "    x👍y|y");
        assert_eq!(text("abc", 9, Some(12), 80), "abc|");
        assert_eq!(text("abc", 0, None, 80), "abc|abc");
        assert_eq!(text("", 1, None, 80), "|");
        assert_eq!(text(&("x".repeat(100) + "yz" + &"x".repeat(100)), 101, Some(103), 12), "…xxxxyzxxxxx…|yz");
        assert_eq!(text("a\u{1b}b", 2, Some(3), 80), "a\\u{1b}b|\\u{1b}");
    }

    #[test]
    fn any_place_in_any_source_renders() {
        let (report, _) = samples::report();
        let lines = ["", "漢字漢字", "\u{301}\u{301}", "a\u{0}b", "\t\t", &"👩‍👩‍👧".repeat(60)];
        for line in lines {
            for column in [0, 1, 2, 7, 200, u32::MAX] {
                for color in [false, true] {
                    let mut report = report.clone();
                    for location in report.findings.iter_mut().filter_map(|finding| finding.location.as_mut()) {
                        location.start = Some(crate::finding::Position { line: 1, column });
                        location.end = Some(crate::finding::Position { line: 1, column: column.saturating_add(3) });
                    }
                    let sources = Sources::from([("q.js".to_owned(), line.to_owned())]);
                    assert!(
                        !render(&report, &sources, &RenderOptions { color, ..RenderOptions::default() }).is_empty()
                    );
                }
            }
        }
    }
}
