//! Places in the texts that were read.

use serde::{Deserialize, Serialize};

/// A place in a text, 1-based.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Position {
    /// Line, from 1.
    pub line: u32,
    /// Column in UTF-16 code units, from 1.
    pub column: u32,
}

/// A span of a file; `start` and `end` are absent for files that are no text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Location {
    /// Name of the input.
    pub file: String,
    /// First position.
    pub start: Option<Position>,
    /// Position behind the last.
    pub end: Option<Position>,
}

/// Line and column of byte offsets in a text.
#[derive(Debug, Clone)]
pub struct Lines {
    text: String,
    starts: Vec<usize>,
    /// Whether bytes are columns: then no line needs to be walked.
    ascii: bool,
}

impl Lines {
    /// Finds the lines of a text.
    pub fn new(text: &str) -> Self {
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Lines { text: text.to_owned(), starts, ascii: text.is_ascii() }
    }

    /// The place of a byte offset.
    pub fn position(&self, offset: usize) -> Position {
        let line = self.starts.partition_point(|start| *start <= offset).max(1);
        let start = self.starts.get(line - 1).copied().unwrap_or(0);
        let end = offset.min(self.text.len());
        let column = match self.text.get(start..end) {
            _ if self.ascii => end.saturating_sub(start),
            before => before.unwrap_or_default().encode_utf16().count(),
        };
        Position { line: line as u32, column: column as u32 + 1 }
    }

    /// The place of a range of bytes.
    pub fn location(&self, file: &str, start: usize, end: usize) -> Location {
        Location { file: file.to_owned(), start: Some(self.position(start)), end: Some(self.position(end)) }
    }
}
