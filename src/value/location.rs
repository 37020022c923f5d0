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
