//! What the arrays of a path are like: lengths, number vectors, sizes.

use serde::{Deserialize, Serialize};

use super::sketch::Histogram;

/// What the arrays of one path are like; one entry an array, nested ones included.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArrayStats {
    /// Lengths, true ones where pasted output was cut.
    pub lengths: Histogram,
    /// Lengths of the arrays that hold nothing but numbers, at least one.
    pub number_lengths: Histogram,
    /// Bytes of the arrays as BSON.
    pub sizes: Histogram,
}

impl ArrayStats {
    /// Whether every array that is not empty holds nothing but numbers.
    pub fn is_numeric(&self) -> bool {
        let empty = self.lengths.count() - self.lengths.at_least(1);
        0 < self.number_lengths.count() && self.number_lengths.count() + empty == self.lengths.count()
    }

    /// Whether every array that is not empty has one length.
    pub fn is_constant(&self) -> bool {
        let filled = self.lengths.at_least(1);
        let (mode, times) = self.lengths.filled().last().unwrap_or_default();
        0 < mode && times == filled && mode == self.lengths.max()
    }

    pub(super) fn merge(&mut self, other: &ArrayStats) {
        self.lengths.merge(&other.lengths);
        self.number_lengths.merge(&other.number_lengths);
        self.sizes.merge(&other.sizes);
    }
}
