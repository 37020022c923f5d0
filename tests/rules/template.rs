//! The placeholders of examples: a rule about a thousand documents needs a line, not a thousand. What each does stands
//! in src/rules/README.md.

use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The times of one file's documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Series {
    /// Milliseconds of document 0.
    pub(super) from: i64,
    /// Milliseconds between two documents.
    pub(super) step: i64,
}

/// What a placeholder can refer to.
#[derive(Debug)]
pub(super) struct Context<'a> {
    /// The file whose text is filled.
    pub(super) name: &'a str,
    /// All files of the example.
    pub(super) series: &'a BTreeMap<String, Series>,
    /// Repetitions.
    pub(super) count: i64,
}

/// The text of a fence with its placeholders replaced, once for each repetition.
pub(super) fn fill(text: &str, cx: &Context<'_>) -> Result<String, String> {
    let mut out = String::new();
    for number in 0..cx.count {
        let mut filler = Filler { cx, loops: Vec::new(), number };
        filler.text(text, &mut out)?;
        if !out.ends_with('\n') {
            out.push('\n');
        }
    }
    Ok(out)
}

struct Filler<'a> {
    cx: &'a Context<'a>,
    number: i64,
    loops: Vec<i64>,
}

impl Filler<'_> {
    fn text(&mut self, text: &str, out: &mut String) -> Result<(), String> {
        let mut rest = text;
        while let Some(at) = rest.find("{{") {
            let (before, tail) = rest.split_at(at);
            out.push_str(before);
            // Of three braces the first is the text's own.
            if tail.starts_with("{{{") {
                out.push('{');
                rest = &tail[1..];
                continue;
            }
            let end = closing(tail).ok_or_else(|| format!("not closed: {tail}"))?;
            self.placeholder(tail[2..end].trim(), out).map_err(|e| format!("{}: {e}", &tail[..end + 2]))?;
            rest = &tail[end + 2..];
        }
        out.push_str(rest);
        Ok(())
    }

    fn placeholder(&mut self, inner: &str, out: &mut String) -> Result<(), String> {
        let (word, rest) = inner.split_once(' ').unwrap_or((inner, ""));
        let rest = rest.trim();
        let own = |filler: &Self| if rest.is_empty() { Ok(filler.number) } else { filler.number(rest) };
        match word {
            "times" => {
                let (count, body) = rest.split_once(':').ok_or("`times` needs a colon")?;
                for number in 0..self.number(count)? {
                    if number > 0 {
                        out.push_str(", ");
                    }
                    self.loops.push(number);
                    self.text(body.trim(), out)?;
                    self.loops.pop();
                }
            }
            "if" => {
                let (condition, body) = rest.split_once(':').ok_or("`if` needs a colon")?;
                let (then, other) = split_else(body);
                let chosen = if self.condition(condition)? { Some(then) } else { other };
                if let Some(chosen) = chosen {
                    self.text(chosen.trim(), out)?;
                }
            }
            "oid" => {
                let (number, name) = match rest.rsplit_once(' ') {
                    Some((number, name)) if is_collection(name) => (self.number(number)?, name),
                    _ => (own(self)?, self.cx.name),
                };
                let time = self.time(number, name)?.div_euclid(1000) as u32;
                // FNV-1a, so that each file has a source of its own.
                let source = name.bytes().fold(0x811c_9dc5_u32, |h, b| (h ^ u32::from(b)).wrapping_mul(0x0100_0193));
                write!(out, "{time:08x}{source:08x}00{:06x}", number & 0xff_ffff).unwrap();
            }
            "date" | "day" => {
                let time = jiff::Timestamp::from_millisecond(self.time(own(self)?, self.cx.name)?);
                let time = time.map_err(|e| e.to_string())?.strftime("%Y-%m-%dT%H:%M:%S.000Z").to_string();
                out.push_str(if word == "day" { &time[..10] } else { &time });
            }
            "hash" => {
                let number = own(self)?;
                write!(out, "{:08x}{:08x}", scattered(number), scattered(number + 0x5bd1)).unwrap();
            }
            "rand" => {
                let (below, number) = rest.split_once(' ').unwrap_or((rest, ""));
                let number = if number.is_empty() { self.number } else { self.number(number)? };
                let below = self.number(below)?.max(1);
                write!(out, "{}", i64::from(scattered(number)) % below).unwrap();
            }
            "pad" => {
                let (width, number) = rest.split_once(' ').ok_or("`pad` needs a width and a number")?;
                let width = self.number(width)? as usize;
                write!(out, "{:0width$}", self.number(number)?).unwrap();
            }
            "text" => {
                let length = self.number(rest)? as usize;
                out.extend("lorem ipsum dolor sit amet ".chars().cycle().take(length));
            }
            "base64" => {
                let length = self.number(rest)? as usize;
                let digits: Vec<char> = ('A'..='Z').chain('a'..='z').chain('0'..='9').collect();
                out.extend((0..length).map(|at| digits[(scattered(at as i64) % 62) as usize]));
            }
            _ => write!(out, "{}", self.number(inner)?).unwrap(),
        }
        Ok(())
    }

    fn time(&self, number: i64, name: &str) -> Result<i64, String> {
        // A collection that is not in the example keeps the time of the file that refers to it.
        let series = self.cx.series.get(name).or_else(|| self.cx.series.get(self.cx.name));
        let series = series.ok_or_else(|| format!("no file `{name}`"))?;
        Ok(series.from + series.step * number)
    }

    fn condition(&self, text: &str) -> Result<bool, String> {
        for (operator, holds) in [
            ("==", (|a, b| a == b) as fn(i64, i64) -> bool),
            ("!=", |a, b| a != b),
            ("<=", |a, b| a <= b),
            (">=", |a, b| a >= b),
            ("<", |a, b| a < b),
            (">", |a, b| a > b),
        ] {
            if let Some((left, right)) = text.split_once(operator) {
                return Ok(holds(self.number(left)?, self.number(right)?));
            }
        }
        Err(format!("no comparison: {text}"))
    }

    fn number(&self, text: &str) -> Result<i64, String> {
        let tokens: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
        let mut at = 0;
        let value = self.sum(&tokens, &mut at)?;
        if at < tokens.len() { Err(format!("no number: {text}")) } else { Ok(value) }
    }

    fn sum(&self, tokens: &[char], at: &mut usize) -> Result<i64, String> {
        let mut value = self.product(tokens, at)?;
        while let Some(operator @ ('+' | '-')) = tokens.get(*at) {
            *at += 1;
            let right = self.product(tokens, at)?;
            value = if *operator == '+' { value + right } else { value - right };
        }
        Ok(value)
    }

    fn product(&self, tokens: &[char], at: &mut usize) -> Result<i64, String> {
        let mut value = self.atom(tokens, at)?;
        while let Some(operator @ ('*' | '/' | '%')) = tokens.get(*at) {
            *at += 1;
            let right = self.atom(tokens, at)?;
            value = match operator {
                '*' => value * right,
                '/' => value.checked_div(right).ok_or("divided by 0")?,
                _ => value.checked_rem(right).ok_or("divided by 0")?,
            };
        }
        Ok(value)
    }

    fn atom(&self, tokens: &[char], at: &mut usize) -> Result<i64, String> {
        let start = *at;
        *at += 1;
        let looped = |depth: usize| self.loops.get(depth).copied().ok_or_else(|| "outside of `times`".to_owned());
        match tokens.get(start) {
            Some('(') => {
                let value = self.sum(tokens, at)?;
                *at += 1;
                if tokens.get(*at - 1) == Some(&')') { Ok(value) } else { Err("`)` is missing".to_owned()) }
            }
            Some('i') => Ok(self.number),
            Some('n') => Ok(self.cx.count),
            Some('j') => looped(0),
            Some('k') => looped(1),
            Some('l') => looped(2),
            Some(c) if c.is_ascii_digit() => {
                while tokens.get(*at).is_some_and(char::is_ascii_digit) {
                    *at += 1;
                }
                tokens[start..*at].iter().collect::<String>().parse().map_err(|e| format!("{e}"))
            }
            other => Err(format!("unknown: {other:?}")),
        }
    }
}

/// Whether a word is the name of a collection, as against a variable or a number.
fn is_collection(word: &str) -> bool {
    word.len() > 1
        && word.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
        && word.as_bytes()[0].is_ascii_alphabetic()
}

/// Where the `}}` of a `{{` at the start stands: braces of the body and nested placeholders are passed over.
fn closing(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut open = vec![true];
    let mut at = 2;
    while at < bytes.len() {
        let is_double = |brace: u8| bytes[at] == brace && bytes.get(at + 1) == Some(&brace);
        if is_double(b'{') && bytes.get(at + 2) != Some(&b'{') {
            open.push(true);
            at += 2;
        } else if bytes[at] == b'{' {
            open.push(false);
            at += 1;
        } else if bytes[at] == b'}' {
            match open.pop()? {
                true if !is_double(b'}') => return None,
                true if open.is_empty() => return Some(at),
                true => at += 2,
                false => at += 1,
            }
        } else {
            at += 1;
        }
    }
    None
}

/// The parts before and behind an `else:` that belongs to this `if`, not to one inside.
fn split_else(body: &str) -> (&str, Option<&str>) {
    let mut from = 0;
    while let Some(at) = body[from..].find("else:") {
        let at = from + at;
        if body[..at].matches("{{").count() == body[..at].matches("}}").count() {
            return (&body[..at], Some(&body[at + 5..]));
        }
        from = at + 5;
    }
    (body, None)
}

/// A number that shows nothing of the order of its argument: the finish of MurmurHash3.
fn scattered(number: i64) -> u32 {
    let mut hash = (number as u32).wrapping_add(0x9e37_79b9);
    hash = (hash ^ (hash >> 16)).wrapping_mul(0x85eb_ca6b);
    hash = (hash ^ (hash >> 13)).wrapping_mul(0xc2b2_ae35);
    hash ^ (hash >> 16)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(text: &str, count: i64) -> Result<String, String> {
        let series = Series { from: 1_767_225_600_000, step: 86_400_000 };
        let series = BTreeMap::from(["orders", "customers"].map(|name| (name.to_owned(), series)));
        fill(text, &Context { name: "orders", series: &series, count })
    }

    /// js/pages.mjs fills the same placeholders, for readers; the same cases hold it to the same text.
    #[test]
    fn the_shared_cases_hold() {
        let cases: Vec<(String, i64, Option<String>)> = serde_json::from_str(include_str!("template.json")).unwrap();
        assert!(cases.len() > 20);
        for (text, count, expected) in cases {
            assert_eq!(filled(&text, count).ok(), expected, "{text}");
        }
    }

    #[test]
    fn ids_carry_their_time() {
        let text = filled("{{oid}} {{date}} {{day i+1}} {{oid i/2 customers}}", 3).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[1].contains("2026-01-02T00:00:00.000Z 2026-01-03 "), "{text}");
        let id = |line: &str, at: usize| line.split(' ').nth(at).unwrap().to_owned();
        assert_eq!(id(lines[0], 0).len(), 24);
        assert_eq!(i64::from_str_radix(&id(lines[1], 0)[..8], 16).unwrap(), 1_767_225_600 + 86_400);
        assert_eq!(id(lines[0], 3), id(lines[1], 3));
        assert_ne!(id(lines[1], 3), id(lines[2], 3));
        assert_ne!(id(lines[0], 0), id(lines[0], 3));
    }
}
