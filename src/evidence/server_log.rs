//! Structured logs of mongod and mongos, 4.4 and later: their slow queries, in one pass over the bytes.
//!
//! Only lines that say so are looked into; all else is searched for that and for line breaks, and never parsed.

use bumpalo::Bump;
use memchr::memmem::Finder;

use super::profiler::Run;
use super::tally::{Scratch, Teller};
use super::window::Part;
use super::{Place, Problem, ProblemKind};
use crate::facts::Version;
use crate::value::event::{Document, Fidelity};
use crate::value::{Value, ejson};
use crate::workload::Operation;

/// What a line says that tells of an operation.
const SLOW: &[u8] = b"\"Slow query\"";

/// What the line says that tells the version, once at each start.
const BUILD: &[u8] = b"\"Build Info\"";

/// What is said of lines that `getLog` has cut.
pub const CUT_REPLY: &str = "lines of the reply are cut, as getLog does after 1,024 characters: they are left out";

/// A line that has not ended after so many bytes is not kept.
const MAX_LINE: usize = 32 << 20;

/// Reads a log.
pub(super) struct ServerLog {
    slow: Finder<'static>,
    build: Finder<'static>,
    scratch: Scratch,
    /// Lines that were passed.
    lines: u64,
    /// Whether the line that comes is the rest of one that another part reads, or that was given up.
    inside: bool,
    /// Whether lines are of servers before 4.4.
    legacy: bool,
    end: Option<u64>,
    /// Byte of the first line.
    pub(super) started: Option<u64>,
    /// Byte of the first line that was left to another part.
    pub(super) stopped: Option<u64>,
}

impl ServerLog {
    /// A reader of a whole log, or of the part of one between two bytes.
    pub(super) fn new(legacy: bool, range: Option<(u64, u64)>) -> ServerLog {
        ServerLog {
            slow: Finder::new(SLOW),
            build: Finder::new(BUILD),
            scratch: Scratch::default(),
            lines: 0,
            inside: range.is_some_and(|range| range.0 > 0),
            legacy,
            end: range.map(|range| range.1),
            started: None,
            stopped: None,
        }
    }

    pub(super) fn is_done(&self) -> bool {
        self.stopped.is_some()
    }

    /// Line breaks that were passed.
    pub(super) fn lines(&self) -> u64 {
        self.lines
    }

    /// Reads whole lines that begin at byte `base` of the input.
    fn lines_of(&mut self, data: &[u8], base: u64, teller: &mut Teller<'_>) {
        let mut counted = 0;
        let mut line_before = self.lines;
        let next =
            |finder: &Finder<'_>, from: usize| finder.find(data.get(from..).unwrap_or_default()).map(|at| from + at);
        // Each is searched for once over all the bytes, however often the other one is met.
        let (mut slow, mut build) = (next(&self.slow, 0), next(&self.build, 0));
        while let Some(found) = [slow, build].into_iter().flatten().min() {
            let start = memchr::memrchr(b'\n', data.get(..found).unwrap_or_default()).map_or(0, |at| at + 1);
            let behind = data.get(found..).unwrap_or_default();
            let end = memchr::memchr(b'\n', behind).map_or(data.len(), |length| found + length);
            line_before += breaks(data.get(counted..start).unwrap_or_default());
            counted = start;
            let line = data.get(start..end).unwrap_or_default();
            let place = Place {
                document: teller.tally.number,
                offset: base + start as u64,
                line: Some(line_before + 1),
                cut: false,
            };
            self.line(line, place, teller);
            slow = slow.and_then(|at| if at < end { next(&self.slow, end) } else { Some(at) });
            build = build.and_then(|at| if at < end { next(&self.build, end) } else { Some(at) });
        }
        self.lines = line_before + breaks(data.get(counted..).unwrap_or_default());
    }

    /// Reads a line that may tell something.
    fn line(&mut self, line: &[u8], mut place: Place, teller: &mut Teller<'_>) {
        // Containers and shippers put words of their own before the line.
        let Some(start) = memchr::memmem::find(line, b"{\"t\":").or_else(|| memchr::memchr(b'{', line)) else { return };
        teller.tally.number += 1;
        place.document = teller.tally.number;
        let line = line.get(start..).unwrap_or_default();
        let mut scratch = std::mem::take(&mut self.scratch);
        let read = scratch.with(line, |line, arena, entries| {
            ejson::decode(line, arena, entries)?;
            Ok::<_, crate::value::event::DecodeError>(Value::from_document(&Document {
                entries,
                fidelity: Fidelity::Exact,
            }))
        });
        self.scratch = scratch;
        match read {
            Ok(value) => {
                for operation in self::read(&value) {
                    teller.operation(operation, place);
                }
                if let Some(version) = version(&value) {
                    teller.consumer.version(version);
                }
            }
            Err(error) => {
                let kind = if error.incomplete { ProblemKind::Truncated } else { ProblemKind::Broken };
                let message = if error.incomplete { "the line is cut" } else { error.reason };
                teller.lost(Problem {
                    kind,
                    document: None,
                    offset: Some(place.offset),
                    line: place.line,
                    column: None,
                    message: message.to_owned(),
                });
            }
        }
    }
}

fn breaks(bytes: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', bytes).count() as u64
}

/// The operations of a line of the log.
pub fn read(line: &Value) -> Vec<Operation> {
    if line.get("msg").and_then(Value::as_str) != Some("Slow query") {
        return Vec::new();
    }
    let Some(figures) = line.get("attr") else { return Vec::new() };
    let text = |value: &'_ Value, name: &str| value.get(name).and_then(Value::as_str).map(str::to_owned);
    let connection = text(line, "ctx").or_else(|| text(figures, "remote")).unwrap_or_default();
    let kind = text(figures, "type").unwrap_or_default();
    let time = line.get("t").and_then(super::profiler::date);
    let cut = line.get("truncated").is_some_and(|cut| {
        let cut = cut.get("attr").unwrap_or(cut);
        cut.get("command").is_some() || cut.get("originatingCommand").is_some()
    });
    // The server tells of the reads of a cursor as commands.
    let more = figures.get("command").is_some_and(|command| command.get("getMore").is_some());
    let kind = if more { "getmore" } else { kind.as_str() };
    Run { figures, kind, time, connection: &connection, cut }.operations()
}

/// The lines of a reply to `getLog`, which gives them as strings.
pub(super) fn reply(value: &Value) -> Option<&[Value]> {
    let lines = value.get("log")?.as_array()?;
    let starts = |line: &Value| line.as_str().is_some_and(|line| line.starts_with("{\"t\":"));
    (!lines.is_empty() && lines.iter().all(starts)).then_some(lines)
}

/// The entries that a document is or holds (a reply to `getLog`), and how many of them are cut: the server cuts what it
/// replies after 1,024 characters.
pub fn entries(value: Value) -> (Vec<Value>, u64) {
    let Some(lines) = reply(&value) else { return (vec![value], 0) };
    let mut cut = 0;
    let read = |line: &Value| {
        let (arena, mut entries) = (Bump::new(), Vec::new());
        let read = ejson::decode(line.as_str()?.as_bytes(), &arena, &mut entries).ok();
        cut += u64::from(read.is_none());
        read.map(|_| Value::from_document(&Document { entries: &entries, fidelity: Fidelity::Exact }))
    };
    (lines.iter().filter_map(read).collect(), cut)
}

/// The version of the server, where the line tells it.
pub fn version(line: &Value) -> Option<Version> {
    Version::parse(line.get("attr")?.get("buildInfo")?.get("version")?.as_str()?)
}

/// Whether a line was written by a server before 4.4: `2019-05-20T10:00:00.000+0000 I COMMAND  [conn12] …`.
pub(super) fn is_legacy_line(line: &[u8]) -> bool {
    let Ok(line) = std::str::from_utf8(line.get(..80.min(line.len())).unwrap_or_default()) else { return false };
    let mut words = line.split_ascii_whitespace();
    let (time, level, component, context) = (words.next(), words.next(), words.next(), words.next());
    time.is_some_and(|time| time.len() >= 24 && time.get(4..5) == Some("-") && time.get(10..11) == Some("T"))
        && level.is_some_and(|level| matches!(level, "F" | "E" | "W" | "I" | "D" | "D1" | "D2" | "D3" | "D4" | "D5"))
        && component.is_some_and(|word| word == "-" || word.bytes().all(|b| b.is_ascii_uppercase() || b == b'_'))
        && context.is_some_and(|word| word.starts_with('['))
}

impl Part for ServerLog {
    fn process(&mut self, data: &[u8], base: u64, eof: bool, teller: &mut Teller<'_>) -> usize {
        if std::mem::take(&mut self.legacy) {
            teller.lost(Problem {
                kind: ProblemKind::Unsupported,
                document: None,
                offset: Some(base),
                line: Some(1),
                column: None,
                message: "lines of servers before 4.4 are no JSON and are passed over".to_owned(),
            });
        }
        if self.is_done() {
            return data.len();
        }
        let mut at = 0;
        if self.inside {
            match memchr::memchr(b'\n', data) {
                Some(end) => {
                    at = end + 1;
                    self.inside = false;
                }
                None => return data.len(),
            }
        }
        // Lines that begin behind the end are another reader's.
        let limit = self.end.map(|end| usize::try_from(end.saturating_sub(base)).unwrap_or(usize::MAX));
        let whole = if eof { data.len() } else { memchr::memrchr(b'\n', data).map_or(0, |end| end + 1) };
        if whole < at || (whole == at && !eof) {
            let unread = data.len() - at;
            if unread > MAX_LINE {
                teller.lost(Problem {
                    kind: ProblemKind::TooLarge,
                    document: None,
                    offset: Some(base + at as u64),
                    line: Some(self.lines + 1),
                    column: None,
                    message: "the line is longer than what is read".to_owned(),
                });
                self.inside = true;
                return data.len();
            }
            return at;
        }
        // The first line that begins behind the limit.
        let mut stop = None;
        if let Some(limit) = limit {
            if at > limit {
                stop = Some(at);
            } else if whole > limit {
                let behind = data.get(limit..whole).unwrap_or_default();
                stop = memchr::memchr(b'\n', behind).map(|length| limit + length + 1);
            }
        }
        let until = stop.unwrap_or(whole).min(whole);
        if at < until {
            self.started.get_or_insert(base + at as u64);
            self.lines_of(data.get(at..until).unwrap_or_default(), base + at as u64, teller);
        }
        if let Some(stop) = stop {
            self.stopped = Some(base + stop as u64);
        }
        until
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::samples::literal;

    #[test]
    fn lines_of_a_reply() {
        let line = r#"{"t":{"$date":"2026-10-20T05:05:55Z"},"s":"I","c":"COMMAND","id":51803,"ctx":"conn1","msg":"Slow query","attr":{"type":"command","ns":"shop.orders","command":{"find":"orders","filter":{"a":1},"$db":"shop"},"durationMillis":120}}"#;
        let text = format!("{{totalLinesWritten: 3, log: ['{line}', '{}'], ok: 1}}", line.get(..90).unwrap());
        let (lines, cut) = entries(literal(&text));
        assert_eq!((lines.len(), cut), (1, 1));
        assert_eq!(read(&lines[0]).len(), 1);
        // A document that is called a log is one entry.
        assert_eq!(entries(literal("{log: ['text'], ok: 1}")).0.len(), 1);
    }
}
