//! Archives of mongodump: a prelude with the metadata of all collections, then their documents, interleaved.
//!
//! Format: magic, a header document, one document for each collection, a terminator; then blocks of a header that
//! names the collection, documents, a terminator. A header with `EOF` ends its collection.

use super::dump::MAX_DOCUMENT;
use super::tally::{Scratch, Teller};
use super::window::Part;
use super::{Kind, Place, Problem, ProblemKind, names, sniff};
use crate::catalogue::Namespace;
use crate::value::event::{Fidelity, Item};
use crate::value::{Document, Value, bson, ejson};

/// Ends the prelude and every block.
const TERMINATOR: [u8; 4] = [0xFF; 4];

/// Reads an archive.
pub(super) struct Archive {
    scratch: Scratch,
    state: State,
    /// Collections of the prelude whose end has not been seen.
    open: Vec<Namespace>,
    /// Whether the prelude was read to its end.
    has_prelude: bool,
}

enum State {
    Magic,
    /// The first document, with the versions.
    Header,
    /// The documents that describe collections.
    Prelude,
    /// The header of a block.
    BlockHeader,
    /// Documents of a collection; none where they are the server's own.
    Block(Option<Namespace>),
    /// Nothing that follows can be read.
    Lost,
}

impl Default for Archive {
    fn default() -> Self {
        Archive { scratch: Scratch::default(), state: State::Magic, open: Vec::new(), has_prelude: false }
    }
}

impl Archive {
    /// Whether every collection came to its end.
    pub(super) fn is_complete(&self) -> bool {
        self.has_prelude && self.open.is_empty()
    }

    /// Takes one document and decides what comes next.
    fn take(&mut self, bytes: &[u8], offset: u64, teller: &mut Teller<'_>) -> Result<(), Problem> {
        let mut scratch = std::mem::take(&mut self.scratch);
        let result = scratch.with(bytes, |bytes, arena, entries| {
            if matches!(self.state, State::Block(_)) {
                teller.tally.number += 1;
            }
            let broken = |error: crate::value::event::DecodeError, teller: &Teller<'_>| Problem {
                kind: ProblemKind::Broken,
                document: matches!(self.state, State::Block(_)).then_some(teller.tally.number),
                offset: Some(offset + error.offset as u64),
                line: None,
                column: None,
                message: error.reason.to_owned(),
            };
            bson::decode(bytes, arena, entries).map_err(|error| broken(error, teller))?;
            let document = Document { entries, fidelity: Fidelity::Exact };
            self.told(&document, offset, teller);
            Ok(())
        });
        self.scratch = scratch;
        result
    }

    fn told(&mut self, document: &Document<'_>, offset: u64, teller: &mut Teller<'_>) {
        let text = |key| text_of(document, key);
        match &self.state {
            State::Header => {
                // The versions, under the names that `prelude.json` gives them.
                let version = Value::Object(vec![
                    ("ServerVersion".to_owned(), Value::String(text("server_version").to_owned())),
                    ("ToolVersion".to_owned(), Value::String(text("tool_version").to_owned())),
                ]);
                teller.consumer.value(Kind::Prelude, None, version, Place { offset, ..Place::default() });
                self.state = State::Prelude;
            }
            State::Prelude => {
                let ns = Namespace::new(text("db"), text("collection"));
                if names::is_internal(&ns) || text("collection").is_empty() {
                    return;
                }
                let metadata = text("metadata");
                let parsed = Scratch::default().with(metadata.as_bytes(), |metadata, arena, entries| {
                    ejson::decode(metadata, arena, entries).ok()?;
                    Some(Value::from_document(&Document { entries, fidelity: Fidelity::Exact }))
                });
                if let Some(value) = parsed {
                    teller.consumer.value(Kind::Metadata, Some(&ns), value, Place { offset, ..Place::default() });
                } else if !metadata.is_empty() {
                    teller.lost(Problem {
                        kind: ProblemKind::Broken,
                        document: None,
                        offset: Some(offset),
                        line: None,
                        column: None,
                        message: "the metadata of a collection is no Extended JSON".to_owned(),
                    });
                }
                teller.tally.collections.push((ns.clone(), 0));
                self.open.push(ns);
            }
            State::BlockHeader => {
                let ns = Namespace::new(text("db"), text("collection"));
                if matches!(document.get("EOF"), Some(Item::Bool(true))) {
                    // The prelude describes a time series, the blocks hold its buckets.
                    let described = ns.collection.strip_prefix("system.buckets.").unwrap_or(&ns.collection);
                    self.open.retain(|open| open.database != ns.database || open.collection != described);
                }
                let known = !names::is_internal(&ns) && ns.database.as_deref() != Some("") && ns.collection != "oplog";
                self.state = State::Block(if known { Some(ns) } else { None });
            }
            State::Block(Some(ns)) => {
                let place = Place { document: teller.tally.number, offset, line: None, cut: false };
                match teller.tally.collections.iter_mut().find(|(known, _)| known == ns) {
                    Some((_, count)) => *count += 1,
                    None => teller.tally.collections.push((ns.clone(), 1)),
                }
                teller.document(Some(ns), document, place);
            }
            State::Block(None) | State::Magic | State::Lost => {}
        }
    }
}

impl Part for Archive {
    fn process(&mut self, data: &[u8], base: u64, eof: bool, teller: &mut Teller<'_>) -> usize {
        let mut at = 0;
        loop {
            let rest = data.get(at..).unwrap_or_default();
            let offset = base + at as u64;
            if rest.is_empty() || matches!(self.state, State::Lost) {
                if eof && !matches!(self.state, State::Lost) && !self.is_complete() {
                    teller.lost(lost(ProblemKind::Truncated, offset, "the archive ends before its collections do"));
                }
                return data.len();
            }
            let Some(word) = rest.first_chunk::<4>() else {
                if eof {
                    teller.lost(lost(ProblemKind::Truncated, offset, "the archive ends inside a document"));
                    return data.len();
                }
                return at;
            };
            if matches!(self.state, State::Magic) {
                self.state = if *word == sniff::ARCHIVE_MAGIC { State::Header } else { State::Lost };
                at += 4;
                continue;
            }
            if *word == TERMINATOR {
                self.has_prelude |= matches!(self.state, State::Prelude);
                self.state = State::BlockHeader;
                at += 4;
                continue;
            }
            let size = match bson::stated_size(rest) {
                Ok(Some(size)) if size <= MAX_DOCUMENT => size,
                _ => {
                    let message = "what follows in the archive cannot be told apart, so it is not read";
                    teller.lost(lost(ProblemKind::Broken, offset, message));
                    self.state = State::Lost;
                    continue;
                }
            };
            let Some(document) = rest.get(..size) else {
                if eof {
                    teller.lost(lost(ProblemKind::Truncated, offset, "the archive ends inside a document"));
                    self.state = State::Lost;
                    return data.len();
                }
                return at;
            };
            if let Err(problem) = self.take(document, offset, teller) {
                teller.lost(problem);
                // Without its header nobody knows whose documents follow.
                if matches!(self.state, State::BlockHeader | State::Header) {
                    self.state = State::Lost;
                }
            }
            at += size;
        }
    }
}

fn text_of<'a>(document: &Document<'a>, key: &str) -> &'a str {
    if let Some(Item::String(text)) = document.get(key) { text } else { "" }
}

fn lost(kind: ProblemKind, offset: u64, message: &str) -> Problem {
    Problem { kind, document: None, offset: Some(offset), line: None, column: None, message: message.to_owned() }
}
