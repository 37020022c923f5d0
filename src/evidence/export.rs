//! Documents in a text: lines, an array, or one after another, as Extended JSON or as shell literals.
//!
//! A text is a row of blocks: an array, or documents without an array around them. The first document of a block
//! tells what the block is, so that a pasted text may hold documents and then their indexes.

use super::sniff::{self, Dialect, Sniffed};
use super::tally::{Scratch, Teller};
use super::window::Part;
use super::{Kind, Place, Problem, ProblemKind};
use crate::catalogue::Namespace;
use crate::value::builder::Form;
use crate::value::event::DecodeError;
use crate::value::literal::{self, Now};
use crate::value::{Document, Value, ejson};

/// The largest document in a text, and the largest catalogue.
const MAX_DOCUMENT: usize = 128 << 20;
const MAX_CATALOGUE: u64 = 8 << 20;

/// Reads the documents of a text.
pub(super) struct Export {
    dialect: Dialect,
    /// What the name and the options say.
    ns: Option<Namespace>,
    /// Whether the collection was given by hand, so that nothing in the text goes before it.
    forced: bool,
    claimed: Option<Kind>,
    plain: bool,
    now: Now,
    scratch: Scratch,
    state: State,
    block: Block,
    /// What the first block was.
    kind: Option<Kind>,
    in_array: u32,
    line: Line,
    /// Whether an array was opened of which nothing has been read.
    opened: bool,
    /// Whether each document is sought on its own line, because one that never ends would take those behind it along.
    apart: bool,
    /// The last line with a fault: what else is wrong on it is the same fault.
    faulty: u64,
    /// Blanks before the first document of a line in this input.
    indent: Option<usize>,
    end: Option<u64>,
    /// Byte of the first document.
    pub(super) started: Option<u64>,
    /// Byte of the first document that was left to another part.
    pub(super) stopped: Option<u64>,
}

enum State {
    Between,
    /// Looking for the line from which a part of a larger text is read.
    Align,
    /// Looking for the end of a broken document.
    Resync(Resync),
    /// All that follows is passed over.
    Skip,
}

/// A row of documents that belong together.
enum Block {
    /// Nothing has been read of it.
    New {
        ns: Option<Namespace>,
    },
    Documents {
        ns: Option<Namespace>,
    },
    /// The values are collected and told when it ends.
    Catalogue {
        kind: Kind,
        ns: Option<Namespace>,
        values: Vec<Value>,
        array: bool,
        place: Place,
        bytes: u64,
    },
    /// Each document is told as it comes: an entry of the workload, or a plan.
    Entries {
        kind: Kind,
        ns: Option<Namespace>,
    },
    /// Of no use yet.
    Passed,
}

/// Where a byte of the text stands.
#[derive(Debug, Clone, Copy)]
struct Line {
    /// From 1.
    number: u64,
    /// Byte of the text at which it begins.
    start: u64,
    /// UTF-16 code units of the line that have been passed.
    column: u64,
    /// Blanks at its start, as long as nothing else has been passed but commas and brackets.
    indent: Option<usize>,
}

impl Line {
    fn pass(&mut self, bytes: &[u8], base: u64) {
        let breaks = sum(bytes, |b| u8::from(b == b'\n'));
        let mut last = bytes;
        if breaks > 0 {
            let at = bytes.iter().rposition(|b| *b == b'\n').unwrap_or_default() + 1;
            self.number += breaks;
            self.start = base + at as u64;
            self.column = 0;
            self.indent = Some(0);
            last = bytes.get(at..).unwrap_or_default();
        }
        self.column += utf16_length(last);
        for byte in last {
            match (byte, &mut self.indent) {
                (_, None) => break,
                (b' ' | b'\t', Some(indent)) => *indent += 1,
                (b',' | b'[' | b'\r', _) => {}
                (_, indent) => *indent = None,
            }
        }
    }

    /// The blanks before the document that a line begins with, and where it begins.
    fn opening(line: &[u8]) -> Option<(usize, usize)> {
        let at = line.iter().position(|b| !matches!(b, b' ' | b'\t' | b',' | b'['))?;
        let blanks = line.iter().take(at).filter(|b| matches!(b, b' ' | b'\t')).count();
        (line.get(at) == Some(&b'{')).then_some((blanks, at))
    }

    /// The line and the column of a byte that lies so far ahead.
    fn ahead(&self, bytes: &[u8]) -> (u64, u64) {
        let mut there = *self;
        there.pass(bytes, 0);
        (there.number, there.column + 1)
    }
}

/// UTF-16 code units of UTF-8: one for each first byte, two for those of four bytes.
fn utf16_length(bytes: &[u8]) -> u64 {
    sum(bytes, |b| u8::from(b & 0xC0 != 0x80) + u8::from(b >= 0xF0))
}

/// The sum of what each byte counts for, at most two. Blocks whose sum fits a byte are added up many bytes at once.
fn sum(bytes: &[u8], count: impl Fn(u8) -> u8) -> u64 {
    bytes.chunks(127).map(|block| u64::from(block.iter().fold(0u8, |sum, b| sum.wrapping_add(count(*b))))).sum()
}

impl Export {
    /// A reader of a whole text, or of the part from byte `from` on of one whose first line the head has told.
    pub(super) fn new(
        sniffed: &Sniffed,
        claimed: Option<Kind>,
        forced: bool,
        now: i64,
        range: Option<(u64, u64)>,
    ) -> Export {
        let from = range.map_or(0, |range| range.0);
        let ns = sniffed.ns.clone();
        let block = match sniffed.kind {
            _ if from == 0 => Block::New { ns: None },
            kind if kind.is_entries() => Block::Entries { kind, ns: ns.clone() },
            _ => Block::Documents { ns: ns.clone() },
        };
        Export {
            dialect: sniffed.dialect,
            ns,
            forced,
            claimed,
            plain: sniffed.plain,
            now: Now { milliseconds: now, made: 0 },
            scratch: Scratch::default(),
            state: if from == 0 { State::Between } else { State::Align },
            block,
            kind: None,
            in_array: u32::from(from > 0 && sniffed.in_array),
            line: Line { number: 1, start: from, column: 0, indent: if from == 0 { Some(0) } else { None } },
            opened: false,
            apart: false,
            faulty: 0,
            indent: sniffed.indent,
            end: range.map(|range| range.1),
            started: None,
            stopped: None,
        }
    }

    /// What the text is by its first block, once it is known.
    pub(super) fn kind(&self) -> Option<Kind> {
        self.kind
    }

    pub(super) fn is_done(&self) -> bool {
        self.stopped.is_some()
    }

    /// Line breaks that were passed.
    pub(super) fn lines(&self) -> u64 {
        self.line.number - 1
    }

    /// Passes over what stands between documents and returns where the next one begins. Nothing where the data ends
    /// before that.
    fn next_document(&mut self, data: &[u8], at: &mut usize, base: u64, eof: bool, teller: &mut Teller<'_>) -> bool {
        loop {
            let rest = data.get(*at..).unwrap_or_default();
            let Some(byte) = rest.first() else { return false };
            let length = match byte {
                b'{' => return true,
                b' ' | b'\t' | b'\n' | b'\r' | b',' => {
                    rest.iter().take_while(|b| matches!(b, b' ' | b'\t' | b'\n' | b'\r' | b',')).count()
                }
                b'[' => {
                    if self.in_array == 0 {
                        self.end_block(teller);
                    }
                    self.in_array += 1;
                    self.opened = true;
                    1
                }
                b']' => {
                    // An array within an array that holds none of the documents.
                    if self.opened && 1 < self.in_array {
                        self.stands_between(base + *at as u64, teller);
                    }
                    self.opened = false;
                    self.in_array = self.in_array.saturating_sub(1);
                    if self.in_array == 0 {
                        self.end_block(teller);
                    }
                    1
                }
                0xEF if rest.starts_with(&[0xEF, 0xBB, 0xBF]) => 3,
                0xEF if rest.len() < 3 && !eof => return false,
                b'/' if self.dialect == Dialect::Literal && rest.get(1) == Some(&b'*') => {
                    match rest.windows(2).skip(2).position(|pair| pair == b"*/") {
                        Some(length) => length + 4,
                        None if eof => rest.len(),
                        None => return false,
                    }
                }
                _ => match self.foreign(rest, base + *at as u64, eof, teller) {
                    Some(length) => length,
                    None => return false,
                },
            };
            let passed = rest.get(..length).unwrap_or_default();
            self.line.pass(passed, base + *at as u64);
            *at += length.max(1);
        }
    }

    /// The length of something between documents that is no document: a line of a shell session, or a fault.
    fn foreign(&mut self, rest: &[u8], offset: u64, eof: bool, teller: &mut Teller<'_>) -> Option<usize> {
        let end = |b: &u8| *b == b'\n' || *b == b'{' || *b == b']' || *b == b',';
        let literal = self.dialect == Dialect::Literal;
        let whole_line = literal && self.in_array == 0;
        let length = match rest.iter().position(|b| if whole_line { *b == b'\n' } else { end(b) }) {
            Some(length) => length,
            // An endless line is no reason to keep it all.
            None if eof || rest.len() > MAX_LINE => rest.len(),
            None => return None,
        };
        let line = rest.get(..length.min(MAX_LINE)).unwrap_or_default();
        if whole_line {
            let line = line.trim_ascii();
            self.in_array = 0;
            if line.starts_with(b"Type \"it\" for more") {
                teller.tally.cut = true;
            }
            let command = line.strip_prefix(b"//").unwrap_or(line);
            self.session_line(command, teller);
            return Some(length);
        }
        if literal && line.starts_with(b"... ") && line.trim_ascii_end().ends_with(b"more items") {
            teller.tally.cut = true;
            return Some(length);
        }
        if literal && line.starts_with(b"//") {
            let comment = rest.iter().position(|b| *b == b'\n');
            return if comment.is_none() && !eof && rest.len() <= MAX_LINE {
                None
            } else {
                Some(comment.unwrap_or(rest.len()))
            };
        }
        if self.opened {
            // A bracket before noise opens no array.
            self.in_array = self.in_array.saturating_sub(1);
            self.opened = false;
        }
        self.stands_between(offset, teller);
        Some(length)
    }

    /// Tells of something between documents that is none.
    fn stands_between(&mut self, offset: u64, teller: &mut Teller<'_>) {
        let problem = Problem {
            kind: ProblemKind::Broken,
            document: None,
            offset: Some(offset),
            line: Some(self.line.number),
            column: Some(self.line.column + 1),
            message: "something that is no document stands between documents".to_owned(),
        };
        self.lost(problem, self.line.number, teller);
    }

    /// A line that a shell printed or was given. A command tells whose documents follow.
    fn session_line(&mut self, line: &[u8], teller: &mut Teller<'_>) {
        let Some((database, command)) = sniff::prompt(line) else { return };
        self.end_block(teller);
        let ns = sniff::command_collection(command).map(|collection| match database {
            "" => Namespace::bare(collection),
            database => Namespace::new(database, collection),
        });
        self.block = Block::New { ns };
    }

    /// Decodes the document at the start of `data` and tells it.
    fn document(&mut self, data: &[u8], offset: u64, teller: &mut Teller<'_>) -> Result<usize, DecodeError> {
        let mut scratch = std::mem::take(&mut self.scratch);
        let result = scratch.with(data, |data, arena, entries| {
            let (length, form) = match self.dialect {
                Dialect::Json => ejson::decode(data, arena, entries)?,
                Dialect::Literal => literal::decode(data, arena, entries, &mut self.now)?,
            };
            let document = Document { entries, fidelity: form.fidelity(self.plain) };
            self.tell(&document, form, length, offset, teller);
            Ok(length)
        });
        self.scratch = scratch;
        result
    }

    fn tell(&mut self, document: &Document<'_>, form: Form, length: usize, offset: u64, teller: &mut Teller<'_>) {
        if let Block::New { ns } = &mut self.block {
            let told = ns.take();
            let ns = if self.forced { self.ns.clone() } else { told.or_else(|| self.ns.clone()) };
            let first = Value::from_document(document);
            let documents = if self.dialect == Dialect::Json { Kind::ExtendedJson } else { Kind::Literals };
            let kind = sniff::block_kind(&first, self.claimed).unwrap_or(documents);
            let place = Place { document: 1, offset, line: Some(self.line.number), cut: false };
            let is_first = self.kind.is_none();
            self.kind.get_or_insert(kind);
            self.block = match kind {
                Kind::ExtendedJson | Kind::Literals => Block::Documents { ns },
                kind if kind.is_entries() => Block::Entries { kind, ns },
                Kind::Oplog | Kind::TimeSeriesBuckets | Kind::Internal => {
                    if is_first && self.dialect == Dialect::Json {
                        self.state = State::Skip;
                    }
                    Block::Passed
                }
                kind => Block::Catalogue { kind, ns, values: Vec::new(), array: self.in_array > 0, place, bytes: 0 },
            };
            if kind == Kind::ExtendedJson && self.plain {
                teller.problem(Problem {
                    kind: ProblemKind::TypesLost,
                    document: None,
                    offset: None,
                    line: None,
                    column: None,
                    message: "plain JSON: dates and ids have become strings, so nothing is said about their types"
                        .to_owned(),
                });
            }
        }
        match &mut self.block {
            Block::Documents { ns } => {
                teller.tally.number += 1;
                let place =
                    Place { document: teller.tally.number, offset, line: Some(self.line.number), cut: form.cut };
                teller.document(ns.as_ref(), document, place);
            }
            Block::Catalogue { values, bytes, .. } => {
                *bytes += length as u64;
                if *bytes <= MAX_CATALOGUE {
                    values.push(Value::from_document(document));
                }
            }
            Block::Entries { kind, ns } => {
                teller.tally.number += 1;
                let document_number = teller.tally.number;
                let place = Place { document: document_number, offset, line: Some(self.line.number), cut: form.cut };
                teller.consumer.value(*kind, ns.as_ref(), Value::from_document(document), place);
            }
            Block::New { .. } | Block::Passed => {}
        }
    }

    /// Tells what was collected of the block that ends here.
    fn end_block(&mut self, teller: &mut Teller<'_>) {
        // A block of which nothing has been read goes on with what a prompt has said about it.
        if matches!(self.block, Block::New { .. }) {
            return;
        }
        let block = std::mem::replace(&mut self.block, Block::New { ns: None });
        let Block::Catalogue { kind, ns, mut values, array, place, bytes } = block else { return };
        if bytes > MAX_CATALOGUE {
            teller.lost(Problem {
                kind: ProblemKind::TooLarge,
                document: None,
                offset: Some(place.offset),
                line: place.line,
                column: None,
                message: format!("more than {} MiB of {} are not read", MAX_CATALOGUE >> 20, kind.name()),
            });
        }
        let value = match (array, values.len()) {
            (false, 1) => values.swap_remove(0),
            _ => Value::Array(values),
        };
        teller.consumer.value(kind, ns.as_ref(), value, place);
    }

    /// Tells a fault, unless it is the rest of one that was told of the same line.
    fn lost(&mut self, problem: Problem, line: u64, teller: &mut Teller<'_>) {
        if self.in_array > 0 || self.faulty != line {
            teller.lost(problem);
        }
        self.faulty = line;
    }

    /// The length of the line on which a broken document begins, where it is known to end there: the fault lies behind
    /// the line and the next one begins a document as this one did.
    fn broken_line(&self, rest: &[u8], error: &DecodeError) -> Option<usize> {
        let indent = self.line.indent?;
        let length = rest.iter().take(error.offset).position(|b| *b == b'\n')?;
        let next = Line::opening(rest.get(length + 1..)?)?;
        if next.0 != indent {
            return None;
        }
        // What never ends may as well be one document that is cut, unless a line behind it is one by itself.
        let key = rest.iter().take(length).position(|b| *b == b':').and_then(|end| rest.get(..end)).unwrap_or(b"{");
        (!error.incomplete || self.has_whole_line(rest.get(length + 1..)?, indent, key)).then_some(length)
    }

    /// Whether one of the lines that begin as documents do here, first key included, is a document by itself and
    /// nothing else.
    fn has_whole_line(&self, rest: &[u8], indent: usize, key: &[u8]) -> bool {
        let mut now = self.now;
        let arena = bumpalo::Bump::new();
        let mut entries = Vec::new();
        rest.split(|b| *b == b'\n').map_while(|line| Some((line, Line::opening(line)?))).any(|(line, (blanks, at))| {
            entries.clear();
            let document = line.get(at..).unwrap_or_default();
            let decoded = match self.dialect {
                Dialect::Json => ejson::decode(document, &arena, &mut entries),
                Dialect::Literal => literal::decode(document, &arena, &mut entries, &mut now),
            };
            let between = |b: &u8| b.is_ascii_whitespace() || (self.in_array > 0 && matches!(b, b',' | b']'));
            blanks == indent
                && document.starts_with(key)
                && decoded.is_ok_and(|(length, _)| document.get(length..).unwrap_or_default().iter().all(between))
        })
    }

    fn fault(&self, kind: ProblemKind, data: &[u8], offset: u64, error: usize, reason: &str, number: u64) -> Problem {
        let (line, column) = self.line.ahead(data.get(..error).unwrap_or(data));
        Problem {
            kind,
            document: Some(number),
            offset: Some(offset + error as u64),
            line: Some(line),
            column: Some(column),
            message: reason.to_owned(),
        }
    }
}

/// The longest line that is kept to see what it says.
const MAX_LINE: usize = 64 * 1024;

impl Part for Export {
    fn process(&mut self, data: &[u8], base: u64, eof: bool, teller: &mut Teller<'_>) -> usize {
        let mut at = 0;
        loop {
            match &mut self.state {
                State::Skip => return data.len(),
                State::Align => {
                    let Some(found) = self.align(data, at) else {
                        // Only the line that has begun matters.
                        let line = data.iter().rposition(|b| *b == b'\n').unwrap_or(data.len()).max(at);
                        at = if eof { data.len() } else { line };
                        break;
                    };
                    self.line = Line { number: 1, start: base + found as u64, column: 0, indent: Some(0) };
                    at = found;
                    self.state = State::Between;
                }
                State::Resync(resync) => {
                    let rest = data.get(at..).unwrap_or_default();
                    let found = resync.feed(rest, base + at as u64);
                    let passed = found.unwrap_or(rest.len());
                    self.line.pass(rest.get(..passed).unwrap_or_default(), base + at as u64);
                    at += passed;
                    if found.is_none() {
                        break;
                    }
                    self.state = State::Between;
                }
                State::Between => {}
            }
            if !self.next_document(data, &mut at, base, eof, teller) {
                break;
            }
            let offset = base + at as u64;
            if self.end.is_some_and(|end| self.line.start > end)
                && self.indent.is_some()
                && self.line.indent == self.indent
            {
                self.stopped = Some(offset);
                return at;
            }
            let rest = data.get(at..).unwrap_or_default();
            self.started.get_or_insert(offset);
            self.opened = false;
            let own = if self.apart { rest.iter().position(|b| *b == b'\n') } else { None };
            let error = match self.document(rest.get(..own.unwrap_or(rest.len())).unwrap_or(rest), offset, teller) {
                Ok(length) => {
                    self.line.pass(rest.get(..length).unwrap_or_default(), offset);
                    at += length;
                    continue;
                }
                Err(error) => error,
            };
            if error.incomplete && !eof && rest.len() <= MAX_DOCUMENT {
                break;
            }
            let broken_line = own.filter(|_| error.incomplete).or_else(|| self.broken_line(rest, &error));
            if let Some(length) = broken_line {
                self.apart |= error.incomplete;
                if !matches!(self.block, Block::Passed) {
                    teller.tally.number += 1;
                    let number = teller.tally.number;
                    let reason = "the line ends inside the document";
                    let problem = self.fault(ProblemKind::Broken, rest, offset, length, reason, number);
                    self.lost(problem, self.line.number, teller);
                }
                self.line.pass(rest.get(..length).unwrap_or_default(), offset);
                at += length;
                continue;
            }
            if !matches!(self.block, Block::Passed) {
                teller.tally.number += 1;
                let number = teller.tally.number;
                let (kind, reason) = match error.reason {
                    _ if error.incomplete && eof => (ProblemKind::Truncated, "the text ends inside a document"),
                    _ if error.incomplete => (ProblemKind::TooLarge, "the document is larger than what is read"),
                    reason if reason.contains("UTF-8") => (ProblemKind::Encoding, reason),
                    reason => (ProblemKind::Broken, reason),
                };
                let problem = self.fault(kind, rest, offset, error.offset, reason, number);
                self.lost(problem, self.line.number, teller);
            }
            if error.incomplete && eof {
                // One problem is enough: the array around it is not closed either.
                self.in_array = 0;
                at = data.len();
                break;
            }
            self.state = State::Resync(Resync::new(self.line.indent, offset + error.offset as u64, self.dialect));
        }
        if eof && self.stopped.is_none() {
            let begun = !matches!(self.state, State::Align);
            if self.in_array > 0 && begun && !teller.tally.cut && !matches!(self.block, Block::Passed) {
                teller.lost(Problem {
                    kind: ProblemKind::Truncated,
                    document: None,
                    offset: Some(base + data.len() as u64),
                    line: Some(self.line.number),
                    column: Some(self.line.column + 1),
                    message: "the array of documents is not closed".to_owned(),
                });
            }
            self.end_block(teller);
        }
        at
    }
}

impl Export {
    /// The first line behind a line break that begins a document as all lines of this text do.
    fn align(&self, data: &[u8], from: usize) -> Option<usize> {
        let indent = self.indent?;
        let mut at = from;
        loop {
            at += data.get(at..)?.iter().position(|b| *b == b'\n')? + 1;
            let line = data.get(at..)?;
            let mut blanks = 0;
            let first = line.iter().find(|b| {
                blanks += usize::from(matches!(b, b' ' | b'\t'));
                !matches!(b, b' ' | b'\t' | b',' | b'[')
            });
            match first {
                Some(b'{') if blanks == indent => return Some(at),
                _ => {}
            }
        }
    }
}

/// Looks for the end of a broken document: the brace that closes it, or the next line that begins as its own did.
struct Resync {
    /// Blanks before the document, where it began a line.
    indent: Option<usize>,
    /// The document was good up to here.
    fault: u64,
    dialect: Dialect,
    depth: u64,
    quote: Option<u8>,
    escaped: bool,
    /// Blanks of the present line, as long as it has nothing else.
    blanks: Option<usize>,
    begun: bool,
}

impl Resync {
    fn new(indent: Option<usize>, fault: u64, dialect: Dialect) -> Resync {
        Resync { indent, fault, dialect, depth: 0, quote: None, escaped: false, blanks: None, begun: false }
    }

    /// The place behind the document, if it lies in these bytes.
    fn feed(&mut self, bytes: &[u8], base: u64) -> Option<usize> {
        for (at, byte) in bytes.iter().enumerate() {
            match (byte, &mut self.blanks) {
                (b' ' | b'\t', Some(blanks)) => *blanks += 1,
                (b',' | b'[' | b'\r', Some(_)) => {}
                (b'{', Some(blanks)) if Some(*blanks) == self.indent && self.begun => return Some(at),
                (_, blanks) => *blanks = None,
            }
            self.begun = true;
            match (byte, self.quote) {
                (b'\n', quote) => {
                    self.blanks = Some(0);
                    self.escaped = false;
                    // Only templates go on behind a line.
                    self.quote = quote.filter(|quote| *quote == b'`');
                }
                _ if self.escaped => self.escaped = false,
                (b'\\', Some(_)) => self.escaped = true,
                (byte, Some(quote)) if *byte == quote => self.quote = None,
                (b'"', None) => self.quote = Some(b'"'),
                (b'\'' | b'`', None) if self.dialect == Dialect::Literal => self.quote = Some(*byte),
                (b'{' | b'[', None) => self.depth += 1,
                (b'}' | b']', None) => {
                    self.depth = self.depth.saturating_sub(1);
                    if self.depth == 0 && base + at as u64 >= self.fault {
                        return Some(at + 1);
                    }
                }
                _ => {}
            }
        }
        None
    }
}
