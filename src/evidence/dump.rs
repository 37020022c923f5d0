//! BSON dumps: documents one after another, nothing between them.
//!
//! A broken document whose size leads to another document is skipped alone; else the next place is searched from
//! which documents follow one another.

use super::sniff::Sniffed;
use super::tally::{Scratch, Teller};
use super::window::Part;
use super::{Kind, Place, Problem, ProblemKind};
use crate::catalogue::Namespace;
use crate::value::event::{DecodeError, Fidelity};
use crate::value::{Document, Value, bson};

/// The largest document that is read: the server stores 16 MiB, the oplog a little more.
pub(super) const MAX_DOCUMENT: usize = 64 << 20;

/// The largest document that a search takes for one, so that noise does not claim all that follows.
const MAX_FOUND: usize = 17 << 20;

/// Reads a dump.
pub(super) struct Dump {
    ns: Option<Namespace>,
    /// Entries of this kind, where it does not hold documents of a collection.
    entries: Option<Kind>,
    scratch: Scratch,
    state: State,
    /// Stop at the first document at or behind this byte.
    end: Option<u64>,
    /// Byte of the first document.
    pub(super) started: Option<u64>,
    /// Byte of the first document that was left to another part.
    pub(super) stopped: Option<u64>,
}

enum State {
    Documents,
    /// Searching for documents, of which nothing is known at this place.
    Search,
    /// All that follows is passed over.
    Skip,
}

impl Dump {
    pub(super) fn new(sniffed: &Sniffed, search: bool, end: Option<u64>) -> Dump {
        let state = match sniffed.kind {
            Kind::BsonDump | Kind::Profiler if search => State::Search,
            Kind::BsonDump | Kind::Profiler => State::Documents,
            _ => State::Skip,
        };
        let entries = Some(sniffed.kind).filter(|kind| kind.is_entries());
        Dump { ns: sniffed.ns.clone(), entries, scratch: Scratch::default(), state, end, started: None, stopped: None }
    }

    pub(super) fn is_done(&self) -> bool {
        self.stopped.is_some()
    }

    fn read(&mut self, bytes: &[u8], offset: u64, teller: &mut Teller<'_>) -> Result<usize, DecodeError> {
        let (ns, kind) = (self.ns.as_ref(), self.entries);
        self.scratch.with(bytes, |bytes, arena, entries| {
            let size = bson::decode(bytes, arena, entries)?;
            teller.tally.number += 1;
            let place = Place { document: teller.tally.number, offset, line: None, cut: false };
            let document = Document { entries, fidelity: Fidelity::Exact };
            match kind {
                Some(kind) => teller.consumer.value(kind, ns, Value::from_document(&document), place),
                None => teller.document(ns, &document, place),
            }
            Ok(size)
        })
    }

    /// The next place from `from` on at which documents begin, which is the end of the data where there is none.
    /// The error is a place that more bytes are needed to judge. `alone` lets the last document of the data be one.
    fn search(&mut self, data: &[u8], from: usize, eof: bool, alone: bool) -> Result<usize, usize> {
        for at in from..data.len() {
            match self.begins(data.get(at..).unwrap_or_default(), eof, alone) {
                Some(true) => return Ok(at),
                Some(false) => {}
                None => return Err(at),
            }
        }
        Ok(data.len())
    }

    /// Whether a document begins here and another one, or the end, follows it.
    fn begins(&mut self, rest: &[u8], eof: bool, alone: bool) -> Option<bool> {
        let size = match bson::stated_size(rest) {
            Ok(Some(size)) if size <= MAX_FOUND => size,
            Ok(None) if !eof => return None,
            _ => return Some(false),
        };
        match rest.get(4) {
            Some(tag) if !is_first_tag(*tag, size) => return Some(false),
            None if !eof => return None,
            None => return Some(false),
            _ => {}
        }
        // Enough of the document and of what follows it to be sure.
        if rest.len() < size + MIN_HEADER && !eof {
            return None;
        }
        if rest.len() < size {
            return Some(false);
        }
        let decoded = self.scratch.with(rest, |rest, arena, entries| bson::decode(rest, arena, entries).is_ok());
        let behind = rest.get(size..).unwrap_or_default();
        Some(decoded && follows(behind) && (alone || !behind.is_empty()))
    }
}

/// Bytes that show whether a document can begin: its size and its first type.
const MIN_HEADER: usize = 5;

/// Whether the bytes behind a document can be the next one, or the end.
fn follows(behind: &[u8]) -> bool {
    if behind.is_empty() {
        return true;
    }
    match (bson::stated_size(behind), behind.get(4)) {
        (Ok(Some(size)), Some(tag)) => size <= MAX_FOUND && is_first_tag(*tag, size),
        _ => false,
    }
}

/// Whether a document of this size can begin with this byte.
fn is_first_tag(tag: u8, size: usize) -> bool {
    matches!(tag, 0x01..=0x13 | 0x7F | 0xFF) || (tag == 0 && size == bson::MIN_SIZE)
}

impl Part for Dump {
    fn process(&mut self, data: &[u8], base: u64, eof: bool, teller: &mut Teller<'_>) -> usize {
        let mut at = 0;
        loop {
            match self.state {
                State::Skip => return data.len(),
                State::Search => match self.search(data, at, eof, true) {
                    Ok(found) => {
                        at = found;
                        if found < data.len() {
                            self.state = State::Documents;
                        }
                    }
                    // What has been refused needs no second look; only the candidate is kept.
                    Err(candidate) => return candidate,
                },
                State::Documents => {}
            }
            let rest = data.get(at..).unwrap_or_default();
            let offset = base + at as u64;
            if rest.is_empty() {
                return at;
            }
            if self.end.is_some_and(|end| end <= offset) {
                self.stopped = Some(offset);
                return at;
            }
            let size = match bson::stated_size(rest) {
                Ok(Some(size)) if size <= MAX_DOCUMENT => size,
                Ok(None) if !eof => return at,
                Ok(None) => {
                    teller.tally.number += 1;
                    teller.lost(problem(ProblemKind::Truncated, teller, offset, "the dump ends inside a document"));
                    return data.len();
                }
                _ => {
                    teller.tally.number += 1;
                    let message = "the size of the document is impossible";
                    teller.lost(problem(ProblemKind::Broken, teller, offset, message));
                    self.started.get_or_insert(offset);
                    self.state = State::Search;
                    at += 1;
                    continue;
                }
            };
            self.started.get_or_insert(offset);
            if rest.len() < size {
                if !eof {
                    return at;
                }
                teller.tally.number += 1;
                // A wrong size may claim documents that are whole. One alone may be a part of this one.
                if let Some(found) = self.search(data, at + 1, true, false).ok().filter(|found| *found < data.len()) {
                    let message = "the document reaches beyond the end of the dump";
                    teller.lost(problem(ProblemKind::Broken, teller, offset, message));
                    at = found;
                    continue;
                }
                teller.lost(problem(ProblemKind::Truncated, teller, offset, "the dump ends inside a document"));
                return data.len();
            }
            match self.read(rest, offset, teller) {
                Ok(size) => at += size,
                Err(error) => {
                    let behind = rest.get(size..).unwrap_or_default();
                    if behind.len() < MIN_HEADER && !eof {
                        return at;
                    }
                    teller.tally.number += 1;
                    let kind = if error.reason.contains("UTF-8") { ProblemKind::Encoding } else { ProblemKind::Broken };
                    teller.lost(problem(kind, teller, offset + error.offset as u64, error.reason));
                    let framed = rest.get(size - 1) == Some(&0) && follows(behind);
                    if framed {
                        at += size;
                    } else {
                        self.state = State::Search;
                        at += 1;
                    }
                }
            }
        }
    }
}

fn problem(kind: ProblemKind, teller: &Teller<'_>, offset: u64, message: &str) -> Problem {
    Problem {
        kind,
        document: Some(teller.tally.number),
        offset: Some(offset),
        line: None,
        column: None,
        message: message.to_owned(),
    }
}
