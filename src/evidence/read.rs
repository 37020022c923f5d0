//! One input from its bytes to its documents: unpack, look at the head, then read as what it is.

use super::archive::Archive;
use super::dump::Dump;
use super::export::Export;
use super::names::Name;
use super::server_log::ServerLog;
use super::sniff::{self, HEAD, Hints, Sniffed};
use super::tally::{Tally, Teller};
use super::unpack::Unpacker;
use super::window::{Part, Window};
use super::{Consumer, Kind, Problem, ProblemKind, Summary};
use crate::catalogue::Namespace;

/// The longest text that is kept whole: scripts and configuration.
pub const MAX_TEXT: usize = 8 << 20;

/// What the host knows of an input beyond its name and bytes.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The collection, given by hand; it goes before all that name and content say.
    pub collection: Option<Namespace>,
    /// Whether somebody named this input: on the command line, or by pasting it. Then JSON needs no sign of being
    /// documents.
    pub named: bool,
    /// Whether another input of the run is a catalogue of the collection that this one is named after.
    pub catalogued: bool,
    /// Milliseconds since the Unix epoch that `new Date()` stands for in literals.
    pub now: i64,
    /// The part of the input that is written, where several readers share it.
    pub range: Option<Range>,
}

/// A part of an input for one of several readers.
///
/// The bytes that are written begin at `start` and may go on behind `end` until [`Input::is_done`]. The reader
/// begins at the first document that it finds from `start` on and stops at the one that the reader of the next part
/// begins with. [`Summary::range`] tells both places: where each part ends at the byte at which the next one begins,
/// together they have read the whole; else it must be read by one reader.
#[derive(Debug, Clone, Default)]
pub struct Range {
    /// First byte of the part.
    pub start: u64,
    /// Byte behind the part.
    pub end: u64,
    /// The first [`HEAD`] bytes of the whole input, which tell what it is. Of no use where `start` is 0.
    pub head: Vec<u8>,
}

/// An input that is being read.
pub struct Input {
    name: Name,
    options: Options,
    unpacker: Unpacker,
    head: Vec<u8>,
    window: Window,
    stage: Stage,
    tally: Tally,
    sniffed: Option<Sniffed>,
    /// Bytes so far, unpacked.
    bytes: u64,
}

enum Stage {
    /// Not enough is there to tell what it is.
    Head,
    Dump(Dump),
    Archive(Archive),
    Export(Box<Export>),
    Log(Box<ServerLog>),
    /// A text that is kept whole.
    Text(Vec<u8>),
    /// Recognised, and of no use yet, or no evidence.
    Passed,
}

impl Input {
    /// An input of this name, with `/` between folders.
    pub fn new(name: &str, options: Options) -> Input {
        Input {
            name: Name::parse(name),
            options,
            unpacker: Unpacker::default(),
            head: Vec::new(),
            window: Window::default(),
            stage: Stage::Head,
            tally: Tally::default(),
            sniffed: None,
            bytes: 0,
        }
    }

    /// What the name says.
    pub fn name(&self) -> &Name {
        &self.name
    }

    /// Takes the next bytes; how they are cut into pieces changes nothing.
    pub fn write(&mut self, bytes: &[u8], consumer: &mut dyn Consumer) {
        if self.is_done() {
            return;
        }
        if self.is_later_part() && self.sniffed.is_none() {
            self.begin_later_part();
        }
        let mut unpacker = std::mem::take(&mut self.unpacker);
        let unpacked = unpacker.write(bytes, &mut |bytes| self.plain(bytes, consumer));
        self.unpacker = unpacker;
        if let Err(kind) = unpacked {
            self.damaged(kind, consumer);
        }
    }

    /// Whether the range that was asked for has been read, so that no more bytes are needed.
    pub fn is_done(&self) -> bool {
        match &self.stage {
            Stage::Dump(dump) => dump.is_done(),
            Stage::Export(export) => export.is_done(),
            Stage::Log(log) => log.is_done(),
            _ => false,
        }
    }

    /// Ends the input and tells what is left of it.
    pub fn close(mut self, consumer: &mut dyn Consumer) -> Summary {
        let mut unpacker = std::mem::take(&mut self.unpacker);
        let unpacked = unpacker.finish(&mut |bytes| self.plain(bytes, consumer));
        if matches!(self.stage, Stage::Head) {
            self.begin(true, consumer);
        }
        if let Err(kind) = unpacked {
            self.damaged(kind, consumer);
        }
        let mut teller = Teller { consumer, tally: &mut self.tally };
        let mut kind = self.sniffed.as_ref().map_or(Kind::Other, |sniffed| sniffed.kind);
        // Topology is of no collection, whatever its name looks like, but for the analysis of a shard key.
        let of_cluster = matches!(kind, Kind::ReplicaSet | Kind::Sharding) && self.name.kind != Some(Kind::Sharding);
        let named = self.sniffed.as_ref().filter(|_| !of_cluster || self.options.collection.is_some());
        let ns = named.and_then(|sniffed| sniffed.ns.clone());
        let mut range = None;
        let mut lines = 0;
        let end = self.window.end();
        let mut complete = false;
        match &mut self.stage {
            Stage::Dump(dump) => {
                self.window.close(dump, &mut teller);
                complete = kind == Kind::BsonDump && !teller.tally.lossy && self.name.extension == "bson";
                let stopped = dump.stopped.unwrap_or(end);
                range = self.options.range.is_some().then(|| (dump.started.unwrap_or(stopped), stopped));
            }
            Stage::Archive(archive) => {
                self.window.close(archive, &mut teller);
                complete = archive.is_complete() && !teller.tally.lossy;
            }
            Stage::Export(export) => {
                self.window.close(export.as_mut(), &mut teller);
                kind = export.kind().unwrap_or(kind);
                lines = export.lines();
                let stopped = export.stopped.unwrap_or(end);
                range = self.options.range.is_some().then(|| (export.started.unwrap_or(stopped), stopped));
            }
            Stage::Log(log) => {
                self.window.close(log.as_mut(), &mut teller);
                lines = log.lines();
                let stopped = log.stopped.unwrap_or(end);
                range = self.options.range.is_some().then(|| (log.started.unwrap_or(stopped), stopped));
            }
            Stage::Text(text) => finish_text(kind, ns.as_ref(), text, &mut teller),
            Stage::Head | Stage::Passed => {}
        }
        if kind == Kind::Empty && self.options.named {
            teller.problem(whole(ProblemKind::Empty, "there is nothing in it"));
        }
        teller.finish();
        // The parts of an input add up to its size, what stands before its first document included.
        let bytes = match (range, &self.options.range) {
            (Some((from, to)), Some(asked)) => to - if asked.start == 0 { 0 } else { from },
            _ => self.bytes,
        };
        Summary {
            kind,
            ns,
            documents: self.tally.documents,
            numbered: self.tally.number,
            bytes,
            complete,
            cut: self.tally.cut,
            problems: self.tally.problems,
            collections: std::mem::take(&mut self.tally.collections),
            range,
            lines,
        }
    }

    fn is_later_part(&self) -> bool {
        self.options.range.as_ref().is_some_and(|range| range.start > 0)
    }

    /// Takes unpacked bytes.
    fn plain(&mut self, bytes: &[u8], consumer: &mut dyn Consumer) {
        self.bytes += bytes.len() as u64;
        let mut bytes = bytes;
        if matches!(self.stage, Stage::Head) {
            let (first, rest) = bytes.split_at(HEAD.saturating_sub(self.head.len()).min(bytes.len()));
            self.head.extend_from_slice(first);
            if self.head.len() < HEAD {
                return;
            }
            bytes = rest;
            // Whether something follows the head is not known when it ends where this piece does.
            self.begin(false, consumer);
        }
        self.feed(bytes, consumer);
    }

    fn feed(&mut self, bytes: &[u8], consumer: &mut dyn Consumer) {
        let mut teller = Teller { consumer, tally: &mut self.tally };
        let part: &mut dyn Part = match &mut self.stage {
            Stage::Dump(dump) => dump,
            Stage::Archive(archive) => archive,
            Stage::Export(export) => export.as_mut(),
            Stage::Log(log) => log.as_mut(),
            Stage::Text(text) => {
                let room = (MAX_TEXT + 1).saturating_sub(text.len());
                text.extend_from_slice(bytes.get(..room).unwrap_or(bytes));
                return;
            }
            Stage::Head | Stage::Passed => return,
        };
        self.window.write(bytes, part, &mut teller);
    }

    /// Decides what the input is and reads what has been kept of it.
    fn begin(&mut self, whole_input: bool, consumer: &mut dyn Consumer) {
        let head = std::mem::take(&mut self.head);
        let sniffed = self.sniff(&head, whole_input);
        if let Some(message) = sniffed.refused {
            Teller { consumer, tally: &mut self.tally }.lost(whole(ProblemKind::Encoding, message));
        }
        let range = self.options.range.as_ref().map(|range| (0, range.end));
        self.window = Window::at(0);
        self.stage = self.stage_of(&sniffed, range);
        self.sniffed = Some(sniffed);
        self.feed(&head, consumer);
    }

    /// A later part begins somewhere inside; only the head of the whole tells what it is.
    fn begin_later_part(&mut self) {
        let Some(Range { start, end, head }) = self.options.range.take() else { return };
        let sniffed = self.sniff(head.get(..HEAD).unwrap_or(&head), false);
        self.window = Window::at(start);
        let documents = matches!(sniffed.kind, Kind::BsonDump | Kind::ExtendedJson | Kind::Literals);
        self.stage = if documents || sniffed.kind.is_entries() {
            self.stage_of(&sniffed, Some((start, end)))
        } else {
            Stage::Passed
        };
        self.unpacker = Unpacker::Plain;
        self.sniffed = Some(sniffed);
        self.options.range = Some(Range { start, end, head: Vec::new() });
    }

    fn sniff(&self, head: &[u8], whole_input: bool) -> Sniffed {
        let hints = Hints {
            name: &self.name,
            collection: self.options.collection.as_ref(),
            named: self.options.named,
            catalogued: self.options.catalogued,
        };
        sniff::sniff(head, whole_input, hints)
    }

    fn stage_of(&self, sniffed: &Sniffed, range: Option<(u64, u64)>) -> Stage {
        match sniffed.kind {
            Kind::BsonDump | Kind::Profiler if sniffed.binary => {
                Stage::Dump(Dump::new(sniffed, range.is_some_and(|range| range.0 > 0), range.map(|range| range.1)))
            }
            Kind::Archive => Stage::Archive(Archive::default()),
            Kind::Script | Kind::Config => Stage::Text(Vec::new()),
            Kind::ReplicaSet | Kind::Sharding if sniffed.prose => Stage::Text(Vec::new()),
            Kind::Log if sniffed.lines => {
                let legacy = sniffed.prose && range.is_none_or(|range| range.0 == 0);
                Stage::Log(Box::new(ServerLog::new(legacy, range)))
            }
            Kind::Oplog | Kind::Internal | Kind::TimeSeriesBuckets | Kind::SavedProfile | Kind::Other | Kind::Empty => {
                Stage::Passed
            }
            _ => {
                let forced = self.options.collection.is_some();
                Stage::Export(Box::new(Export::new(sniffed, self.name.kind, forced, self.options.now, range)))
            }
        }
    }

    /// Tells that no more can be unpacked.
    fn damaged(&mut self, kind: ProblemKind, consumer: &mut dyn Consumer) {
        let message = match kind {
            ProblemKind::Truncated => "the gz data is cut",
            _ => "the rest of the gz data is damaged",
        };
        let problem = Problem { offset: Some(self.bytes), ..whole(kind, message) };
        Teller { consumer, tally: &mut self.tally }.lost(problem);
    }
}

/// Hands over a text that was kept whole.
fn finish_text(kind: Kind, ns: Option<&Namespace>, text: &[u8], teller: &mut Teller<'_>) {
    if text.len() > MAX_TEXT {
        let message = format!("texts beyond {} MiB are not read", MAX_TEXT >> 20);
        teller.lost(whole(ProblemKind::TooLarge, &message));
        return;
    }
    let text = text.strip_prefix(&[0xEF, 0xBB, 0xBF]).unwrap_or(text);
    match std::str::from_utf8(text) {
        Ok(text) => teller.consumer.text(kind, ns, text),
        Err(error) => {
            let message = "the text is no UTF-8";
            let offset = Some(error.valid_up_to() as u64);
            teller.lost(Problem { offset, ..whole(ProblemKind::Encoding, message) });
            // Code in an old encoding is code all the same: engines replace what they cannot decode.
            if kind == Kind::Script {
                teller.consumer.text(kind, ns, &String::from_utf8_lossy(text));
            }
        }
    }
}

/// A problem of the whole input.
fn whole(kind: ProblemKind, message: &str) -> Problem {
    Problem { kind, document: None, offset: None, line: None, column: None, message: message.to_owned() }
}
