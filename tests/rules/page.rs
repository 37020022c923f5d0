//! The pages of rules: their words, their summary, and their examples.

use std::collections::BTreeMap;
use std::path::Path;

use mongovet::value::event::{Document, Fidelity};
use mongovet::value::literal::{Now, decode};
use mongovet::value::{Type, Value};

use super::template::{Context, Series, fill};

/// A page.
#[derive(Debug)]
pub(super) struct Page {
    /// The templates of the front block.
    pub(super) words: Vec<(String, String)>,
    /// The first line below it.
    pub(super) summary: String,
    /// Titles of the `##` sections.
    pub(super) sections: Vec<String>,
    /// The examples of `## Bad`.
    pub(super) bad: Vec<Example>,
    /// The examples of `## Good`.
    pub(super) good: Vec<Example>,
}

/// Fences that run together.
#[derive(Debug, Default)]
pub(super) struct Example {
    /// Line of the first fence.
    pub(super) line: usize,
    /// The inputs.
    pub(super) files: Vec<File>,
    /// What must be found; nothing in a good example.
    pub(super) expected: Vec<Expected>,
    /// Whether the run is told that the documents are complete.
    pub(super) is_complete: bool,
}

/// One input.
#[derive(Debug)]
pub(super) struct File {
    /// Its name.
    pub(super) name: String,
    /// The text of the fence.
    pub(super) text: String,
    /// Repetitions.
    pub(super) repeat: i64,
    /// Its times.
    pub(super) series: Series,
}

/// A line of `expect`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Expected {
    /// The line itself.
    pub(super) text: String,
    /// Its parts by name: `severity`, `rule`, `collection`, and those that are given.
    pub(super) parts: BTreeMap<String, String>,
}

/// Reads a page; an error names its line.
pub(super) fn parse(text: &str) -> Result<Page, String> {
    let mut lines = text.lines().enumerate().skip(1);
    let mut words: Vec<(String, String)> = Vec::new();
    for (_, line) in lines.by_ref().take_while(|(_, line)| *line != "---") {
        if let Some(more) = line.strip_prefix(' ') {
            let last = words.last_mut().ok_or("the front block starts with a space")?;
            last.1 = format!("{} {}", last.1, more.trim());
        } else {
            let (name, template) = line.split_once(':').ok_or_else(|| format!("no template: {line}"))?;
            words.push((name.to_owned(), template.trim().to_owned()));
        }
    }
    let mut page = Page { words, summary: String::new(), sections: Vec::new(), bad: Vec::new(), good: Vec::new() };
    let mut example = Example::default();
    let mut fence: Option<(usize, String, String)> = None;
    let mut section = String::new();
    for (number, line) in lines {
        if let Some((start, info, body)) = &mut fence {
            if line == "```" {
                let (start, info, body) = (*start, std::mem::take(info), std::mem::take(body));
                example.add(start, &info, body).map_err(|e| format!("line {start}: {e}"))?;
                fence = None;
            } else {
                body.push_str(line);
                body.push('\n');
            }
        } else if let Some(info) = line.strip_prefix("```") {
            fence = Some((number + 1, info.to_owned(), String::new()));
        } else if let Some(title) = line.strip_prefix("## ") {
            page.take(&section, &mut example);
            title.clone_into(&mut section);
            page.sections.push(section.clone());
        } else if line.starts_with("### ") {
            page.take(&section, &mut example);
        } else if page.summary.is_empty() {
            line.clone_into(&mut page.summary);
        }
    }
    page.take(&section, &mut example);
    match fence {
        Some((start, ..)) => Err(format!("line {start}: the fence is not closed")),
        None => Ok(page),
    }
}

impl Page {
    fn take(&mut self, section: &str, example: &mut Example) {
        let example = std::mem::take(example);
        if example.files.is_empty() {
            return;
        }
        match section {
            "Bad" => self.bad.push(example),
            "Good" => self.good.push(example),
            _ => {}
        }
    }
}

impl Example {
    fn add(&mut self, line: usize, info: &str, body: String) -> Result<(), String> {
        let mut attributes = info.split_whitespace();
        if attributes.next() == Some("expect") {
            for line in body.lines().filter(|line| !line.trim().is_empty()) {
                self.expected.push(Expected::parse(line)?);
            }
            return Ok(());
        }
        // 2026-01-01, one hour apart.
        let mut file = File {
            name: String::new(),
            text: body,
            repeat: 1,
            series: Series { from: 1_767_225_600_000, step: 3_600_000 },
        };
        for attribute in attributes {
            match attribute.split_once('=') {
                Some(("file", name)) => name.clone_into(&mut file.name),
                Some(("repeat", count)) => file.repeat = count.parse().map_err(|e| format!("repeat: {e}"))?,
                Some(("from", day)) => file.series.from = mongovet::config::moment(day).ok_or("from: no day")?,
                Some(("step", step)) => file.series.step = duration(step).ok_or("step: no duration")?,
                None if attribute == "complete" => self.is_complete = true,
                _ => return Err(format!("unknown attribute `{attribute}`")),
            }
        }
        if file.name.is_empty() {
            return Ok(());
        }
        let is_layout = is_dump(&file.name) || file.name.ends_with(".metadata.json");
        if let Some((database, collection)) =
            file.name.split_once('/').filter(|(_, name)| !is_layout && name.contains(".json"))
        {
            return Err(format!("only a dump has its database as a folder: name the file {database}.{collection}"));
        }
        if self.files.is_empty() {
            self.line = line;
        }
        self.files.push(file);
        Ok(())
    }

    /// The inputs with their bytes.
    pub(super) fn inputs(&self) -> Result<Vec<(String, Vec<u8>)>, String> {
        let series: BTreeMap<String, Series> =
            self.files.iter().map(|file| (collection(&file.name), file.series)).collect();
        let input = |file: &File| {
            let cx = Context { name: &collection(&file.name), series: &series, count: file.repeat };
            let text = fill(&file.text, &cx).map_err(|e| format!("{}: {e}", file.name))?;
            let bytes = if is_dump(&file.name) { bson(&text)? } else { text.into_bytes() };
            Ok((file.name.clone(), bytes))
        };
        self.files.iter().map(input).collect()
    }
}

impl Expected {
    fn parse(line: &str) -> Result<Self, String> {
        let mut words = line.split_whitespace();
        let mut parts = BTreeMap::new();
        for name in ["severity", "rule", "collection"] {
            let word = words.next().ok_or_else(|| format!("`{line}`: no {name}"))?;
            parts.insert(name.to_owned(), word.to_owned());
        }
        if !["error", "warning", "info"].contains(&parts["severity"].as_str()) {
            return Err(format!("`{line}`: unknown severity"));
        }
        for word in words {
            let (name, value) = word.split_once('=').ok_or_else(|| format!("`{line}`: `{word}` has no `=`"))?;
            if !["path", "index", "stage", "file", "line"].contains(&name) {
                return Err(format!("`{line}`: unknown part `{name}`"));
            }
            parts.insert(name.to_owned(), value.to_owned());
        }
        Ok(Expected { text: line.trim().to_owned(), parts })
    }
}

/// Whether a file is a mongodump of documents.
fn is_dump(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|extension| extension == "bson")
}

/// The collection of a file name, as ids refer to it.
fn collection(name: &str) -> String {
    let base = name.rsplit('/').next().unwrap_or(name);
    let base = base.rsplit_once('.').map_or(base, |(stem, _)| stem);
    base.rsplit('.').next().unwrap_or(base).to_owned()
}

fn duration(text: &str) -> Option<i64> {
    let (number, unit) = text.split_at(text.find(|c: char| !c.is_ascii_digit())?);
    let unit = match unit {
        "s" => 1_000,
        "m" => 60_000,
        "h" => 3_600_000,
        "d" => 86_400_000,
        _ => return None,
    };
    Some(number.parse::<i64>().ok()? * unit)
}

/// Shell literals, one after another, as BSON.
fn bson(text: &str) -> Result<Vec<u8>, String> {
    let (mut out, mut rest) = (Vec::new(), text.as_bytes());
    while rest.iter().any(|b| !b.is_ascii_whitespace()) {
        let (arena, mut entries) = (bumpalo::Bump::new(), Vec::new());
        let (read, _) = decode(rest, &arena, &mut entries, &mut Now::default()).map_err(|e| e.reason.to_owned())?;
        let value = Value::from_document(&Document { entries: &entries, fidelity: Fidelity::Exact });
        encode(&value, &mut out)?;
        rest = &rest[read..];
    }
    Ok(out)
}

fn encode(value: &Value, out: &mut Vec<u8>) -> Result<(), String> {
    let text = |out: &mut Vec<u8>, text: &str| {
        out.extend((text.len() as i32 + 1).to_le_bytes());
        out.extend(text.as_bytes());
        out.push(0);
    };
    match value {
        Value::Object(_) | Value::Array(_) => {
            let start = out.len();
            out.extend([0; 4]);
            let numbered;
            let fields: Vec<(&str, &Value)> = match value {
                Value::Array(elements) => {
                    numbered = (0..elements.len()).map(|n| n.to_string()).collect::<Vec<_>>();
                    numbered.iter().map(String::as_str).zip(elements).collect()
                }
                _ => value.as_object().into_iter().flatten().map(|(key, value)| (key.as_str(), value)).collect(),
            };
            for (key, value) in fields {
                out.push(number(value.bson_type()));
                out.extend(key.as_bytes());
                out.push(0);
                encode(value, out)?;
            }
            out.push(0);
            let length = ((out.len() - start) as i32).to_le_bytes();
            out[start..start + 4].copy_from_slice(&length);
        }
        Value::Double(v) => out.extend(v.to_le_bytes()),
        Value::String(v) | Value::Symbol(v) | Value::Javascript(v) => text(out, v),
        Value::BinData(subtype, data) => {
            out.extend((data.len() as i32).to_le_bytes());
            out.push(*subtype);
            out.extend(data);
        }
        Value::ObjectId(v) => out.extend(v),
        Value::Bool(v) => out.push(u8::from(*v)),
        Value::Date(v) | Value::Long(v) => out.extend(v.to_le_bytes()),
        Value::Int(v) => out.extend(v.to_le_bytes()),
        Value::Timestamp(seconds, ordinal) => {
            out.extend(ordinal.to_le_bytes());
            out.extend(seconds.to_le_bytes());
        }
        Value::Decimal(v) => out.extend(v),
        Value::Regex(pattern, options) => {
            for part in [pattern, options] {
                out.extend(part.as_bytes());
                out.push(0);
            }
        }
        Value::DbPointer(ns, id) => {
            text(out, ns);
            out.extend(id);
        }
        Value::Null | Value::Undefined | Value::MinKey | Value::MaxKey => {}
        Value::JavascriptWithScope(..) => return Err("code with scope has no literal".to_owned()),
    }
    Ok(())
}

/// The type number of the BSON specification.
fn number(kind: Type) -> u8 {
    match kind {
        Type::Double => 1,
        Type::String => 2,
        Type::Object => 3,
        Type::Array => 4,
        Type::BinData => 5,
        Type::Undefined => 6,
        Type::ObjectId => 7,
        Type::Bool => 8,
        Type::Date => 9,
        Type::Null => 10,
        Type::Regex => 11,
        Type::DbPointer => 12,
        Type::Javascript => 13,
        Type::Symbol => 14,
        Type::JavascriptWithScope => 15,
        Type::Int => 16,
        Type::Timestamp => 17,
        Type::Long => 18,
        Type::Decimal => 19,
        Type::MinKey => 0xff,
        Type::MaxKey => 0x7f,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_has_words_examples_and_expectations() {
        let text = "---\nmessage: a\n  b\nwhy: c\nhelp: d\n---\nSummary.\n\nProse.\n\n## Bad\n\n\
                    ```json5 file=shop.orders.json5 repeat=2 step=2d complete\n{_id: {{i}}}\n```\n\
                    ```expect\nwarning document/x shop.orders path=a.b\n```\n### More\n```js file=q.js\nx\n```\n\
                    ## Good\n```text\nnot an input\n```\n";
        let page = parse(text).unwrap();
        assert_eq!(page.words[0], ("message".to_owned(), "a b".to_owned()));
        assert_eq!((page.summary.as_str(), page.bad.len(), page.good.len()), ("Summary.", 2, 0));
        let example = &page.bad[0];
        assert_eq!((example.line, example.is_complete, example.files[0].series.step), (13, true, 172_800_000));
        assert_eq!(example.expected[0].parts["path"], "a.b");
        assert_eq!(example.inputs().unwrap(), [("shop.orders.json5".to_owned(), b"{_id: 0}\n{_id: 1}\n".to_vec())]);
        for bad in [
            "```json5 fil=x",
            "```expect\nwarning x",
            "```expect\nwarn a b",
            "```expect\ninfo a b where=c",
            "```js file=q.js repeat=x",
        ] {
            assert!(parse(&format!("---\n---\nS.\n{bad}\n```\n")).is_err(), "{bad}");
        }
        assert!(parse("---\n---\n```js file=a\n").is_err());
    }

    #[test]
    fn literals_become_a_dump() {
        let bytes = bson("{a: 1, b: [ObjectId(\"507f1f77bcf86cd799439011\")], a: 'x'}\n{}").unwrap();
        assert_eq!(bytes.len(), 49);
        assert_eq!(&bytes[44..], [5, 0, 0, 0, 0]);
        assert!(bson("{a: 1").is_err());
    }
}
