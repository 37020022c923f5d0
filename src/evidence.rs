//! Evidence: what an input is, and its documents, catalogue entries and texts one after another.
//!
//! An [`Input`] takes the bytes of a file in any pieces and tells a [`Consumer`] what is in them.
//! Broken parts become problems with their place; all that is good around them is read.

mod archive;
mod dump;
pub mod explain;
mod export;
pub mod gathered;
pub mod kind;
pub mod metadata;
pub mod names;
pub mod pairs;
pub mod profiler;
pub mod query_stats;
pub mod read;
pub mod replica_set;
pub mod script;
pub mod server_log;
pub mod sharding;
pub mod sniff;
mod tally;
mod unpack;
mod window;

use serde::{Deserialize, Serialize};

use crate::catalogue::Namespace;
use crate::facts::Version;
use crate::value::{Document, Value};
use crate::workload::Operation;

pub use kind::Kind;
pub use read::{Input, Options, Range};

/// Where a document stands in its input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Place {
    /// Number of the document in its input, from 1.
    pub document: u64,
    /// Byte offset of its first byte in the unpacked input.
    pub offset: u64,
    /// Line of its first byte, from 1; nothing in binary inputs.
    pub line: Option<u64>,
    /// Whether the shell had cut something out of it: lengths are right, contents are missing.
    pub cut: bool,
}

/// Takes what an input holds, in the order of the input.
pub trait Consumer {
    /// A document of a collection. `ns` is what content and name of the input say; it is absent where neither names
    /// a collection.
    fn document(&mut self, ns: Option<&Namespace>, document: &Document<'_>, place: Place);

    /// The whole content of a catalogue input, or of one block of a pasted text: an object, or an array where the
    /// input was one or held several objects. Entries of workload and plans come one by one.
    fn value(&mut self, kind: Kind, ns: Option<&Namespace>, value: Value, place: Place);

    /// An operation that was seen running, without the values of its literals.
    fn operation(&mut self, _operation: Operation, _place: Place) {}

    /// The version of the server that wrote the input.
    fn version(&mut self, _version: Version) {}

    /// The whole text of a script or of another input that is read as text.
    fn text(&mut self, kind: Kind, ns: Option<&Namespace>, text: &str);

    /// Something that could not be read. After the first [`MAX_PROBLEMS`] of an input only their number is kept.
    fn problem(&mut self, problem: Problem);
}

/// How many problems of one input are told singly.
pub const MAX_PROBLEMS: u64 = 20;

/// Why a part of an input could not be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProblemKind {
    /// The input ends in the middle of something.
    Truncated,
    /// A document that is no BSON, JSON or literal.
    Broken,
    /// Text that is not UTF-8.
    Encoding,
    /// A document or text beyond what is kept in memory.
    TooLarge,
    /// A form that is known and not read.
    Unsupported,
    /// Dates and ids have become strings on the way.
    TypesLost,
    /// There is nothing in it.
    Empty,
    /// More problems than are told singly.
    More,
}

impl ProblemKind {
    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            ProblemKind::Truncated => "truncated",
            ProblemKind::Broken => "broken",
            ProblemKind::Encoding => "encoding",
            ProblemKind::TooLarge => "too-large",
            ProblemKind::Unsupported => "unsupported",
            ProblemKind::TypesLost => "types-lost",
            ProblemKind::Empty => "empty",
            ProblemKind::More => "more",
        }
    }
}

/// A part of an input that could not be read.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Problem {
    /// Why.
    pub kind: ProblemKind,
    /// Number of the document, from 1, where it is one.
    pub document: Option<u64>,
    /// Byte offset in the unpacked input.
    pub offset: Option<u64>,
    /// Line, from 1, in texts.
    pub line: Option<u64>,
    /// Column in UTF-16 code units, from 1, in texts.
    pub column: Option<u64>,
    /// What is wrong, without a value of the input.
    pub message: String,
}

impl Problem {
    /// Tells how many of so many problems are not told singly.
    fn more(total: u64) -> Option<Problem> {
        let more = total.checked_sub(MAX_PROBLEMS).filter(|more| *more > 0)?;
        Some(Problem {
            kind: ProblemKind::More,
            document: None,
            offset: None,
            line: None,
            column: None,
            message: format!("{more} more problems of this input are not told singly"),
        })
    }

    /// The problem as seen from the whole input, where it was found in a part behind so many documents and lines.
    #[must_use]
    pub fn rebased(mut self, documents: u64, lines: u64) -> Problem {
        self.document = self.document.map(|number| number + documents);
        self.line = self.line.map(|line| line + lines);
        self
    }
}

/// The problems of an input that was read in parts, as one reader would have told them: the parts in order, each with
/// what was told of it.
pub fn join_problems<'a>(parts: impl IntoIterator<Item = (&'a Summary, &'a [Problem])>) -> Vec<Problem> {
    let (mut joined, mut total) = (Vec::new(), 0);
    let (mut documents, mut lines) = (0, 0);
    for (summary, problems) in parts {
        let told = problems.iter().filter(|problem| problem.kind != ProblemKind::More);
        joined.extend(told.map(|problem| problem.clone().rebased(documents, lines)));
        total += summary.problems;
        documents += summary.numbered;
        lines += summary.lines;
    }
    joined.truncate(MAX_PROBLEMS as usize);
    joined.extend(Problem::more(total));
    joined
}

/// What an input turned out to be, once it has been read to its end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    /// What it is.
    pub kind: Kind,
    /// The collection that it belongs to, where it is one.
    pub ns: Option<Namespace>,
    /// Documents that were read.
    pub documents: u64,
    /// Documents that were met, broken ones included: the number of the last one.
    pub numbered: u64,
    /// Bytes, unpacked.
    pub bytes: u64,
    /// Whether the input says itself that it is all of the collection: a dump that was read to its end.
    pub complete: bool,
    /// Whether the shell had cut it (`Type "it" for more`, `... 12 more items`).
    pub cut: bool,
    /// Problems, those that were only counted included.
    pub problems: u64,
    /// Documents that were read, by collection, where an archive holds several, in the order of the archive.
    pub collections: Vec<(Namespace, u64)>,
    /// Byte of the first document that was read and of the first that was not, where a range was asked for.
    pub range: Option<(u64, u64)>,
    /// Line breaks of the part that was read, to rebase the lines of later parts.
    pub lines: u64,
}
