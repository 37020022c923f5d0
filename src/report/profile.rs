//! The profile as output: one form that JSON shows whole, and text and HTML show for people.
//!
//! Ranges of numbers and dates and frequent values are values of documents: they are only in it when asked for.

use std::fmt::Write as _;

use serde::Serialize;

use super::escape;
use crate::locale::Lang;
use crate::model::{Array, Collection, Model};
use crate::order::Ordered;
use crate::profile::field::Values;
use crate::profile::{CollectionProfile, Field, FieldId, FieldKind, Histogram, KeyShape, Shape};
use crate::value::event::Type;

/// The profiles of a run.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ProfileReport {
    /// Version of this form.
    pub schema: u32,
    /// Version of mongovet.
    pub version: &'static str,
    /// The collections, by name.
    pub collections: Vec<CollectionReport>,
}

/// The profile of one collection.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CollectionReport {
    /// Its namespace.
    pub collection: String,
    /// Documents read.
    pub documents: u64,
    /// Whether these are all.
    pub complete: bool,
    /// Sizes of documents as BSON, in bytes.
    pub sizes: Lengths,
    /// Deepest nesting; a flat document has one level.
    pub levels: u64,
    /// First and last day of creation by the ObjectIds of `_id`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created: Option<[String; 2]>,
    /// How the collection grows, where its `_id`s tell it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub growth: Option<CollectionGrowth>,
    /// Documents in the bounded sample.
    pub sampled: u64,
    /// The fields, parents before children.
    pub fields: Vec<FieldReport>,
}

/// Lengths or sizes.
#[derive(Debug, Clone, Serialize)]
pub struct Lengths {
    /// The shortest.
    pub min: u64,
    /// The median.
    pub median: u64,
    /// The 99th percentile.
    pub p99: u64,
    /// The longest.
    pub max: u64,
    /// The sum.
    pub total: u64,
}

/// The profile of one path.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FieldReport {
    /// The path in dot notation; names that are data read `<key>`.
    pub path: String,
    /// Whether these are the elements of the array at the path.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub elements: bool,
    /// How often it occurs.
    pub count: u64,
    /// In how many objects it could occur.
    pub of: u64,
    /// In how many documents it occurs.
    pub documents: u64,
    /// How often it holds each type.
    pub types: Vec<(&'static str, u64)>,
    /// Bytes of its values.
    pub bytes: u64,
    /// Distinct values: exact, or estimated from a sample of hashes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distinct: Option<Counted>,
    /// Occurrences of its most frequent value, where all values are counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub most_frequent: Option<u64>,
    /// What its strings look like.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shapes: Vec<(Shape, u64)>,
    /// Lengths of its strings, in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub string_lengths: Option<Lengths>,
    /// Lengths of its arrays.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub array_lengths: Option<Lengths>,
    /// Elements per 30 days where the array grows with age.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elements_per_month: Option<f64>,
    /// What its names look like, where they are data.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<(KeyShape, u64)>,
    /// Distinct names, where they are data.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distinct_names: Option<Counted>,
    /// Smallest and largest number; only when values are asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub numbers: Option<[f64; 2]>,
    /// Earliest and latest date; only when values are asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dates: Option<[String; 2]>,
    /// The distinct strings while they are few; only when values are asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub values: Option<Vec<String>>,
    #[serde(skip)]
    name: String,
    #[serde(skip)]
    level: usize,
    #[serde(skip)]
    histogram: Vec<(u64, u64)>,
}

/// A number that is exact or estimated.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Counted {
    /// The number.
    pub count: u64,
    /// Whether it is exact.
    pub exact: bool,
}

impl ProfileReport {
    /// The profiles of a model; `show_values` adds ranges and frequent values.
    pub fn new(model: &Model, show_values: bool) -> ProfileReport {
        let collections = model
            .with_documents()
            .map(|(collection, profile)| CollectionReport::new(collection, profile, show_values))
            .collect();
        ProfileReport { schema: 1, version: env!("CARGO_PKG_VERSION"), collections }
    }

    /// JSON, indented.
    pub fn json(&self) -> String {
        // Strings, numbers and lists of them serialise.
        escape::json(serde_json::to_string_pretty(self).unwrap_or_default()) + "\n"
    }

    /// A table a collection, for a terminal of `width` columns.
    pub fn text(&self, lang: Lang, width: usize) -> String {
        let mut out = String::new();
        for (at, collection) in self.collections.iter().enumerate() {
            if 0 < at {
                out.push('\n');
            }
            collection.text(lang, width.max(40), &mut out);
        }
        if self.collections.is_empty() {
            out.push_str(lang.sentences().profile.nothing);
            out.push('\n');
        }
        out
    }

    /// One self-contained page without scripts.
    pub fn html(&self, lang: Lang) -> String {
        let words = &lang.sentences().profile;
        let mut out = format!(
            "<!doctype html>\n<html lang=\"{}\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
             content=\"width=device-width\">\n<title>mongovet profile</title>\n<style>{STYLE}</style>\n",
            lang.tag()
        );
        for collection in &self.collections {
            // Writing to a string succeeds, here and below.
            let _ = writeln!(out, "<section>\n<h1>{}</h1>", escape::html(&collection.collection));
            let _ = writeln!(out, "<p>{}</p>", escape::html(&collection.headline(lang)));
            let _ = writeln!(
                out,
                "<table>\n<thead><tr><th>{}<th>{}<th>{}<th>{}<th>{}</tr></thead>\n<tbody>",
                words.field, words.present, words.types, words.distinct, words.notes
            );
            for field in &collection.fields {
                let _ = writeln!(
                    out,
                    "<tr><th scope=\"row\" style=\"padding-left:{}em\"><code>{}</code><td>{}<td>{}<td>{}<td>{}{}</tr>",
                    field.level,
                    escape::html(&field.label()),
                    escape::html(&field.presence(lang)),
                    escape::html(&field.type_names(lang)),
                    escape::html(&field.distinct_text("{n|count}", lang)),
                    escape::html(&field.notes(lang)),
                    bars(&field.histogram)
                );
            }
            out.push_str("</tbody>\n</table>\n</section>\n");
        }
        out.push_str("</html>\n");
        out
    }
}

/// How a collection grows.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CollectionGrowth {
    /// Documents made in 30 days: the mean of the last three whole periods.
    pub per_month: u64,
    /// The most that were made in one period of 30 days.
    pub most_per_month: u64,
    /// In so many years, at that pace: documents and bytes.
    pub years: [(u32, u64, u64); 3],
}

impl CollectionGrowth {
    /// Periods that must have passed, and part of the documents that must tell when they were made.
    const PERIODS: usize = 3;

    fn of(collection: &Collection, profile: &CollectionProfile) -> Option<CollectionGrowth> {
        let periods = &profile.created.periods;
        let told: u64 = periods.values().sum();
        let (first, last) = (*periods.keys().next()?, *periods.keys().next_back()?);
        if told * 10 < profile.documents * 9 || ((last - first) as usize) < Self::PERIODS {
            return None;
        }
        // The last period may not have ended.
        let made = |back: u32| last.checked_sub(back).and_then(|period| periods.get(&period)).copied().unwrap_or(0);
        let recent: u64 = (1..=Self::PERIODS as u32).map(made).sum();
        let stored = collection.stored();
        let scaled = |count: u64| (u128::from(count) * u128::from(stored) / u128::from(told.max(1))) as u64;
        let per_month = scaled(recent) / Self::PERIODS as u64;
        let mean = profile.sizes.mean();
        let years = [1u32, 3, 5].map(|years| {
            let more = u128::from(per_month) * u128::from(years) * 36_525 / 3_000;
            let documents = stored.saturating_add(u64::try_from(more).unwrap_or(u64::MAX));
            (years, documents, documents.saturating_mul(mean))
        });
        Some(CollectionGrowth { per_month, most_per_month: scaled(periods.values().copied().max()?), years })
    }
}

impl CollectionReport {
    fn new(collection: &Collection, profile: &CollectionProfile, show_values: bool) -> CollectionReport {
        let day = |seconds: u32| date(i64::from(seconds) * 1000);
        // Depth first, so that a part stands below its whole.
        let mut fields = Vec::new();
        let mut work: Vec<(FieldId, usize)> = vec![(FieldId::ROOT, 0)];
        while let Some((id, level)) = work.pop() {
            let below: Vec<(FieldId, usize)> =
                profile.children(id).map(|(c, f)| (c, level + usize::from(f.kind != FieldKind::Element))).collect();
            work.extend(below.into_iter().rev());
            if let Some(field) = profile.field(id).filter(|f| f.kind != FieldKind::Root) {
                let array = collection.arrays().iter().find(|a| a.id == id);
                fields.push(FieldReport::new(profile, id, field, array, level, show_values));
            }
        }
        CollectionReport {
            collection: collection.ns.to_string(),
            documents: profile.documents,
            complete: collection.complete,
            sizes: Lengths::new(&profile.sizes),
            levels: profile.levels.max(),
            created: profile.created.min.zip(profile.created.max).map(|(a, b)| [day(a), day(b)]),
            growth: CollectionGrowth::of(collection, profile),
            sampled: profile.sample.len() as u64,
            fields,
        }
    }

    fn headline(&self, lang: Lang) -> String {
        let words = &lang.sentences().profile;
        let mut parts = vec![
            lang.counted(lang.sentences().documents, self.documents),
            if self.complete { words.complete.to_owned() } else { words.sample.to_owned() },
            format!(
                "{} {} / p99 {} / max {}",
                words.size,
                lang.bytes(self.sizes.median as f64),
                lang.bytes(self.sizes.p99 as f64),
                lang.bytes(self.sizes.max as f64)
            ),
        ];
        if let Some([from, to]) = &self.created {
            parts.push(format!("{} {from} – {to}", words.created));
        }
        if let Some(growth) = &self.growth {
            let [_, (_, documents, bytes), _] = growth.years;
            let figures = serde_json::Map::from_iter([
                ("perMonth".to_owned(), growth.per_month.into()),
                ("documents".to_owned(), documents.into()),
                ("bytes".to_owned(), bytes.into()),
            ]);
            parts.push(crate::locale::template::fill(words.growth, &figures, lang));
        }
        parts.join(" · ")
    }

    fn text(&self, lang: Lang, width: usize, out: &mut String) {
        let words = &lang.sentences().profile;
        let _ = writeln!(out, "{}", escape::line(&self.collection));
        for line in wrapped(&self.headline(lang), width.saturating_sub(2)) {
            let _ = writeln!(out, "  {line}");
        }
        let rows: Vec<[String; 4]> = self
            .fields
            .iter()
            .map(|f| {
                let name = format!("{}{}", "  ".repeat(f.level.saturating_sub(1)), escape::line(&f.label()));
                [name, f.presence(lang), f.type_names(lang), f.tail(lang)]
            })
            .collect();
        let head = [words.field, words.present, words.types, words.notes].map(str::to_owned);
        let wide = |column: usize, most: usize| {
            let cells = std::iter::once(&head).chain(&rows).filter_map(|r| r.get(column));
            cells.map(|c| c.chars().count()).max().unwrap_or(0).min(most)
        };
        let widths = [wide(0, width / 3), wide(1, 8), wide(2, width / 3)];
        for [name, present, types, tail] in std::iter::once(&head).chain(&rows) {
            let mut line = String::from("  ");
            for (cell, width) in [name, present, types].into_iter().zip(widths) {
                line.push_str(&fit(cell, width));
                line.push_str("  ");
            }
            line.push_str(tail);
            let _ = writeln!(out, "{}", fit(&line, width).trim_end());
        }
    }
}

impl FieldReport {
    fn new(
        profile: &CollectionProfile,
        id: FieldId,
        field: &Field,
        array: Option<&Array>,
        level: usize,
        show_values: bool,
    ) -> FieldReport {
        let strings = field.strings.as_deref();
        let elements = field.kind == FieldKind::Element;
        let distinct = field.distinct.as_deref();
        let other = field.distinct_other.as_deref();
        let exact = [distinct, other].into_iter().flatten().all(crate::profile::Distinct::is_exact);
        let known = distinct.is_some() || other.is_some();
        let found = |counts: &[u64], at: usize| counts.get(at).copied().filter(|n| 0 < *n);
        FieldReport {
            path: profile.path(id).to_string(),
            elements,
            count: field.count,
            of: match field.kind {
                FieldKind::Named => profile.parent_objects(id),
                _ => field.count,
            },
            documents: field.documents,
            types: field.types_found().into_iter().map(|(t, n)| (t.alias(), n)).collect(),
            bytes: field.bytes,
            distinct: known.then(|| Counted { count: field.distinct_count(), exact }),
            most_frequent: (known && exact).then(|| {
                [distinct, other].into_iter().flatten().map(crate::profile::Distinct::largest_count).max().unwrap_or(0)
            }),
            shapes: Shape::ALL
                .into_iter()
                .filter(|s| *s != Shape::Text)
                .filter_map(|s| found(&strings?.shapes, s as usize).map(|n| (s, n)))
                .collect(),
            string_lengths: strings.map(|s| Lengths::new(&s.lengths)),
            array_lengths: field.arrays.as_deref().map(|a| Lengths::new(&a.lengths)),
            elements_per_month: array.map(Array::per_month).filter(|n| 0 < *n).map(|n| n as f64 / 1000.0),
            names: KeyShape::ALL
                .into_iter()
                .filter_map(|s| found(&field.keys.as_deref()?.shapes, s as usize).map(|n| (s, n)))
                .collect(),
            distinct_names: field
                .keys
                .as_deref()
                .map(|k| Counted { count: k.distinct.estimate(), exact: k.distinct.is_exact() }),
            numbers: field.numbers.min.zip(field.numbers.max).filter(|_| show_values).map(|(a, b)| [a, b]),
            dates: field.dates.min.zip(field.dates.max).filter(|_| show_values).map(|(a, b)| [date(a), date(b)]),
            values: show_values.then(|| few_strings(field)).flatten(),
            name: match field.kind {
                FieldKind::Element => profile.path(id).leaf().to_owned(),
                FieldKind::Folded => "<key>".to_owned(),
                // A name without a letter would be no row at all.
                _ if field.name.is_empty() => "\"\"".to_owned(),
                _ => field.name.to_string(),
            },
            level,
            histogram: field.arrays.as_deref().map(|a| a.lengths.filled().collect()).unwrap_or_default(),
        }
    }

    fn label(&self) -> String {
        if self.elements { format!("{}[]", self.name) } else { self.name.clone() }
    }

    fn presence(&self, lang: Lang) -> String {
        if self.of == 0 { String::new() } else { lang.percent(self.count as f64 / self.of as f64) }
    }

    fn type_names(&self, lang: Lang) -> String {
        let share = |n: u64| lang.percent(n as f64 / self.count.max(1) as f64);
        match self.types.as_slice() {
            [(one, _)] => (*one).to_owned(),
            many => many.iter().map(|(t, n)| format!("{t} {}", share(*n))).collect::<Vec<_>>().join(", "),
        }
    }

    /// The number of distinct values in a template, `≈` before it where it is an estimate.
    fn distinct_text(&self, template: &str, lang: Lang) -> String {
        self.distinct.map_or_else(String::new, |d| {
            format!("{}{}", if d.exact { "" } else { "≈\u{a0}" }, lang.counted(template, d.count))
        })
    }

    fn notes(&self, lang: Lang) -> String {
        let words = &lang.sentences().profile;
        let mut notes = Vec::new();
        if let Some(lengths) = &self.array_lengths {
            notes.push(format!(
                "{} {} / p99 {} / max {}",
                words.length,
                lang.count(lengths.median as f64),
                lang.count(lengths.p99 as f64),
                lang.count(lengths.max as f64)
            ));
        }
        if let Some(rate) = self.elements_per_month {
            notes.push(format!("+{} {}", lang.count(rate), words.per_month));
        }
        if let Some(names) = self.distinct_names {
            notes.push(lang.counted(words.names, names.count));
        }
        let strings = self.types.iter().find(|(t, _)| *t == Type::String.alias()).map_or(0, |(_, n)| *n);
        for (shape, count) in &self.shapes {
            if strings <= count * 2
                && let Ok(serde_json::Value::String(name)) = serde_json::to_value(shape)
            {
                notes.push(format!("{} {name}", lang.percent(*count as f64 / strings.max(1) as f64)));
            }
        }
        if let Some([min, max]) = self.numbers {
            notes.push(format!("{} … {}", lang.number(min), lang.number(max)));
        }
        if let Some([min, max]) = &self.dates {
            notes.push(format!("{min} … {max}"));
        }
        if let Some(values) = &self.values {
            let shown: Vec<_> = values.iter().take(5).map(|v| escape::line(v).into_owned()).collect();
            notes.push(shown.join(", "));
        }
        notes.join("; ")
    }

    fn tail(&self, lang: Lang) -> String {
        let distinct = self.distinct_text(lang.sentences().profile.distinct_values, lang);
        let notes = self.notes(lang);
        match (distinct.is_empty(), notes.is_empty()) {
            (true, _) => notes,
            (false, true) => distinct,
            (false, false) => format!("{distinct}; {notes}"),
        }
    }
}

impl Lengths {
    fn new(lengths: &Histogram) -> Lengths {
        Lengths {
            min: lengths.min(),
            median: lengths.median(),
            p99: lengths.p99(),
            max: lengths.max(),
            total: lengths.sum(),
        }
    }
}

/// The distinct strings of a field, most frequent first, while they are few.
fn few_strings(field: &Field) -> Option<Vec<String>> {
    let Values::All(values) = &field.values else { return None };
    let counts = field.distinct.as_deref()?.smallest();
    let mut strings: Vec<(u64, &str)> = values
        .iter()
        .filter_map(|(hash, value)| {
            let count = counts.binary_search_by_key(hash, |(h, _)| *h).ok().and_then(|at| counts.get(at))?.1;
            Some((count, value.as_str()?))
        })
        .collect();
    if strings.is_empty() || 50 < strings.len() {
        return None;
    }
    strings.order_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(b.1)));
    Some(strings.into_iter().map(|(_, s)| s.to_owned()).collect())
}

fn date(milliseconds: i64) -> String {
    crate::value::time::format_day(milliseconds).unwrap_or_else(|| milliseconds.to_string())
}

/// The parts of a headline in lines of at most `width` characters, broken between parts only.
fn wrapped(headline: &str, width: usize) -> Vec<String> {
    const BETWEEN: &str = " · ";
    let mut lines: Vec<String> = Vec::new();
    for part in headline.split(BETWEEN) {
        match lines.last_mut() {
            Some(line) if line.chars().count() + BETWEEN.chars().count() + part.chars().count() <= width => {
                line.push_str(BETWEEN);
                line.push_str(part);
            }
            _ => lines.push(part.to_owned()),
        }
    }
    lines
}

/// Text of exactly `width` characters: padded, or cut with an ellipsis.
fn fit(text: &str, width: usize) -> String {
    let length = text.chars().count();
    if length <= width {
        return text.to_owned() + &" ".repeat(width - length);
    }
    text.chars().take(width.saturating_sub(1)).chain(['…']).collect()
}

/// Bars of an array's lengths in at most 24 steps.
fn bars(histogram: &[(u64, u64)]) -> String {
    const STEPS: u64 = 24;
    const HEIGHT: u64 = 20;
    let Some(longest) = histogram.iter().map(|(length, _)| *length).max().filter(|l| 0 < *l) else {
        return String::new();
    };
    let mut steps = vec![0u64; STEPS as usize];
    for (length, count) in histogram {
        if let Some(step) = steps.get_mut((length * (STEPS - 1) / longest) as usize) {
            *step += count;
        }
    }
    let most = steps.iter().copied().max().unwrap_or(1).max(1);
    let mut out = format!(
        "<svg viewBox=\"0 0 {} {HEIGHT}\" width=\"{}\" height=\"{HEIGHT}\" aria-hidden=\"true\">",
        STEPS * 4,
        STEPS * 4
    );
    for (at, count) in steps.into_iter().enumerate().filter(|(_, n)| 0 < *n) {
        let height = (count * HEIGHT / most).max(1);
        let _ = write!(out, "<rect x=\"{}\" y=\"{}\" width=\"3\" height=\"{height}\"/>", at * 4, HEIGHT - height);
    }
    out + "</svg>"
}

const STYLE: &str = "body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:70rem;padding:0 1rem;color:#1c1e21;\
background:#fff}h1{font-size:1.2rem}table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.25rem .75rem \
.25rem 0;border-bottom:1px solid #e3e5e8;vertical-align:top;font-weight:400}thead th{color:#5c636b}svg{display:block;\
fill:#4a7dbd}@media(prefers-color-scheme:dark){body{background:#16181b;color:#e4e6e9}th,td{border-color:#33373c}}";
