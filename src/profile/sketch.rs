//! Counters that are exact, mergeable and independent of order: histograms and distinct values.

use serde::{Deserialize, Serialize};

/// Lengths or sizes: exact bins below 1,024, 32 integer log buckets an octave above.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Histogram {
    bins: Vec<u64>,
    count: u64,
    sum: u64,
    min: u64,
    max: u64,
}

/// Below this every length has a bin of its own.
const EXACT: u64 = 1024;
const EXACT_BITS: u32 = EXACT.ilog2();
const BUCKETS_PER_OCTAVE: u64 = 32;

impl Histogram {
    /// Counts one length.
    pub fn add(&mut self, value: u64) {
        self.add_times(value, 1);
    }

    fn add_times(&mut self, value: u64, times: u64) {
        let bin = Self::bin(value);
        if self.bins.len() <= bin {
            self.bins.resize(bin + 1, 0);
        }
        if let Some(slot) = self.bins.get_mut(bin) {
            *slot += times;
        }
        self.min = if self.count == 0 { value } else { self.min.min(value) };
        self.max = self.max.max(value);
        self.count += times;
        self.sum = self.sum.saturating_add(value.saturating_mul(times));
    }

    /// Adds all that another histogram counted.
    pub fn merge(&mut self, other: &Histogram) {
        if other.count == 0 {
            return;
        }
        if self.bins.len() < other.bins.len() {
            self.bins.resize(other.bins.len(), 0);
        }
        for (mine, theirs) in self.bins.iter_mut().zip(&other.bins) {
            *mine += theirs;
        }
        self.min = if self.count == 0 { other.min } else { self.min.min(other.min) };
        self.max = self.max.max(other.max);
        self.count += other.count;
        self.sum = self.sum.saturating_add(other.sum);
    }

    /// How many lengths were counted.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The sum of all lengths.
    pub fn sum(&self) -> u64 {
        self.sum
    }

    /// The smallest length, 0 when there is none.
    pub fn min(&self) -> u64 {
        self.min
    }

    /// The largest length, exact at any size.
    pub fn max(&self) -> u64 {
        self.max
    }

    /// The mean, rounded down; 0 when there is none.
    pub fn mean(&self) -> u64 {
        self.sum.checked_div(self.count).unwrap_or(0)
    }

    /// The median.
    pub fn median(&self) -> u64 {
        self.quantile(50, 100)
    }

    /// The 99th percentile.
    pub fn p99(&self) -> u64 {
        self.quantile(99, 100)
    }

    /// The smallest counted length that at least `part` of `whole` lengths do not exceed; above 1,024 the lower
    /// edge of its bucket, never more than the maximum.
    pub fn quantile(&self, part: u64, whole: u64) -> u64 {
        if self.count == 0 {
            return 0;
        }
        let rank = (u128::from(self.count) * u128::from(part)).div_ceil(u128::from(whole.max(1))).max(1) as u64;
        let mut seen = 0;
        for (bin, times) in self.bins.iter().enumerate() {
            seen += times;
            if rank <= seen {
                return Self::lower_edge(bin).clamp(self.min, self.max);
            }
        }
        self.max
    }

    /// How many lengths are at least `value`; exact below 1,024, else by bucket.
    pub fn at_least(&self, value: u64) -> u64 {
        self.bins.iter().skip(Self::bin(value)).sum()
    }

    /// The length that most have, and how many have it; the smaller one of equals.
    pub fn mode(&self) -> (u64, u64) {
        let mut best = (0, 0);
        for (bin, times) in self.bins.iter().enumerate() {
            if best.1 < *times {
                best = (Self::lower_edge(bin), *times);
            }
        }
        best
    }

    /// The lower edge and the count of every bin that is not empty.
    pub fn filled(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.bins.iter().enumerate().filter(|(_, n)| 0 < **n).map(|(bin, n)| (Self::lower_edge(bin), *n))
    }

    fn bin(value: u64) -> usize {
        if value < EXACT {
            return value as usize;
        }
        let octave = value.ilog2();
        let within = (value >> (octave - BUCKETS_PER_OCTAVE.ilog2())) - BUCKETS_PER_OCTAVE;
        (EXACT + u64::from(octave - EXACT_BITS) * BUCKETS_PER_OCTAVE + within) as usize
    }

    fn lower_edge(bin: usize) -> u64 {
        let bin = bin as u64;
        if bin < EXACT {
            return bin;
        }
        let octave = u64::from(EXACT_BITS) + (bin - EXACT) / BUCKETS_PER_OCTAVE;
        let within = (bin - EXACT) % BUCKETS_PER_OCTAVE;
        (BUCKETS_PER_OCTAVE + within) << (octave - u64::from(BUCKETS_PER_OCTAVE.ilog2())).min(58)
    }
}

/// The smallest value hashes of a path with exact counts: an exact set while it is small, a fair sample beyond.
///
/// Every hash that is among the smallest of the whole was among the smallest of each part, so counts are exact
/// whatever the order and however the parts are merged.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Distinct {
    limit: u32,
    /// Hashes above this were dropped; `u64::MAX` while nothing was.
    bound: u64,
    /// Open addressing, a power of two; a count of 0 is a free slot.
    #[serde(with = "slots")]
    slots: Vec<(u64, u64)>,
    #[serde(skip)]
    used: usize,
}

/// Sketches are equal when they know the same; how their tables are laid out depends on the way there.
impl PartialEq for Distinct {
    fn eq(&self, other: &Distinct) -> bool {
        let filled = |sketch: &Distinct| {
            let mut filled: Vec<(u64, u64)> = sketch.slots.iter().copied().filter(|s| s.1 != 0).collect();
            filled.sort_unstable();
            filled
        };
        self.limit == other.limit && self.bound == other.bound && filled(self) == filled(other)
    }
}

impl Eq for Distinct {}

impl Distinct {
    /// A sketch that keeps the `limit` smallest hashes.
    pub fn new(limit: u32) -> Self {
        Distinct { limit, bound: u64::MAX, slots: Vec::new(), used: 0 }
    }

    /// The same numbers of the same many values, none of which can be told by its hash any more, nor found elsewhere.
    #[must_use]
    pub(crate) fn without_hashes(&self) -> Distinct {
        let mut counts: Vec<u64> = self.slots.iter().map(|slot| slot.1).filter(|times| *times != 0).collect();
        counts.sort_unstable();
        // Spread evenly below the bound, from which the number of distinct values is estimated.
        let step = self.bound / (counts.len() as u64 + 1);
        let mut out = Distinct::new(self.limit);
        for (at, times) in (1..).zip(counts) {
            out.add_times(step.saturating_mul(at), times);
        }
        out.bound = self.bound;
        out
    }

    /// Counts one value by its hash; true when the hash was not known.
    #[inline]
    pub fn add(&mut self, hash: u64) -> bool {
        hash <= self.bound && self.insert(hash, 1)
    }

    /// Counts one value several times.
    pub fn add_times(&mut self, hash: u64, times: u64) -> bool {
        0 < times && hash <= self.bound && self.insert(hash, times)
    }

    fn insert(&mut self, hash: u64, times: u64) -> bool {
        if self.slots.len() * 3 <= self.used * 4 + 4 {
            self.grow();
            if self.bound < hash {
                return false;
            }
        }
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        while let Some(slot) = self.slots.get_mut(at) {
            if slot.1 == 0 {
                *slot = (hash, times);
                self.used += 1;
                return true;
            }
            if slot.0 == hash {
                slot.1 += times;
                return false;
            }
            at = (at + 1) & mask;
        }
        false
    }

    /// Enlarges the table, or cuts it back to the limit once it holds a quarter more: a small table stays in the cache.
    fn grow(&mut self) {
        let mut kept: Vec<(u64, u64)> = self.slots.iter().copied().filter(|s| s.1 != 0).collect();
        let limit = self.limit as usize;
        if limit + limit / 4 <= kept.len() {
            self.bound = cut(&mut kept, limit);
        }
        let capacity = (kept.len() + kept.len() / 2 + 8).next_power_of_two();
        self.used = 0;
        self.slots = vec![(0, 0); capacity];
        let mask = capacity - 1;
        for (hash, times) in kept {
            let mut at = hash as usize & mask;
            while self.slots.get(at).is_some_and(|s| s.1 != 0) {
                at = (at + 1) & mask;
            }
            if let Some(slot) = self.slots.get_mut(at) {
                *slot = (hash, times);
                self.used += 1;
            }
        }
    }

    /// Adds all that another sketch counted.
    pub fn merge(&mut self, other: &Distinct) {
        self.limit = self.limit.max(other.limit);
        self.bound = self.bound.min(other.bound);
        for (hash, times) in other.slots.iter().filter(|s| s.1 != 0) {
            if *hash <= self.bound {
                self.insert(*hash, *times);
            }
        }
        let bound = self.bound;
        if self.slots.iter().any(|s| s.1 != 0 && bound < s.0) {
            for slot in &mut self.slots {
                if bound < slot.0 {
                    *slot = (0, 0);
                }
            }
            // Holes break probe chains: lay the table out anew.
            self.grow();
        }
    }

    /// Keeps no more hashes than `limit`; for paths that turn out to be no keys.
    pub fn shrink(&mut self, limit: u32) {
        self.limit = self.limit.min(limit);
    }

    /// The kept hashes with their counts, ascending: at most `limit`, all of them below the returned bound.
    pub fn smallest(&self) -> Vec<(u64, u64)> {
        let mut kept: Vec<(u64, u64)> = self.slots.iter().copied().filter(|s| s.1 != 0).collect();
        if (self.limit as usize) < kept.len() {
            cut(&mut kept, self.limit as usize);
        }
        kept.sort_unstable();
        kept
    }

    /// Whether a hash is kept.
    pub fn contains(&self, hash: u64) -> bool {
        let Some(mask) = self.slots.len().checked_sub(1) else { return false };
        let mut at = hash as usize & mask;
        while let Some(slot) = self.slots.get(at).filter(|slot| slot.1 != 0) {
            if slot.0 == hash {
                return true;
            }
            at = (at + 1) & mask;
        }
        false
    }

    /// Every hash up to this one is kept, if it occurred.
    pub fn kept_below(&self) -> u64 {
        if self.is_exact() {
            return u64::MAX;
        }
        self.smallest().last().map_or(0, |(hash, _)| *hash)
    }

    /// Whether every value is in the sketch.
    pub fn is_exact(&self) -> bool {
        self.bound == u64::MAX && self.used <= self.limit as usize
    }

    /// How many distinct values there are: exact while they fit, else estimated from the density of the hashes.
    pub fn estimate(&self) -> u64 {
        if self.is_exact() {
            return self.used as u64;
        }
        let kept = self.smallest();
        let Some((last, _)) = kept.last() else { return 0 };
        ((kept.len() as u128 - 1) * (1u128 << 64) / (u128::from(*last) + 1)) as u64
    }

    /// The largest count of a kept value: the most frequent one where the sketch is exact.
    pub fn largest_count(&self) -> u64 {
        self.smallest().into_iter().map(|(_, n)| n).max().unwrap_or(0)
    }
}

/// Keeps the smallest hashes, in no order, and returns the largest of them.
fn cut(kept: &mut Vec<(u64, u64)>, limit: usize) -> u64 {
    if limit < kept.len() {
        kept.select_nth_unstable(limit);
        kept.truncate(limit);
    }
    kept.iter().map(|s| s.0).max().unwrap_or(0)
}

/// Only the filled slots are saved, cut and in order, so that equal knowledge is equal bytes.
mod slots {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(slots: &[(u64, u64)], serializer: S) -> Result<S::Ok, S::Error> {
        let mut kept: Vec<(u64, u64)> = slots.iter().copied().filter(|s| s.1 != 0).collect();
        kept.sort_unstable();
        kept.serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<(u64, u64)>, D::Error> {
        Vec::<(u64, u64)>::deserialize(deserializer)
    }
}

impl Distinct {
    /// Lays the table out after reading it back from a saved profile, where it is a plain list.
    pub(crate) fn restore(&mut self) {
        let listed = std::mem::take(&mut self.slots);
        self.used = 0;
        for (hash, times) in listed {
            if 0 < times && hash <= self.bound {
                self.insert(hash, times);
            }
        }
    }

    /// Brings the sketch into the one form that its knowledge has: cut to its limit.
    pub(crate) fn settle(&mut self) {
        if (self.limit as usize) < self.used {
            let mut kept: Vec<(u64, u64)> = self.slots.iter().copied().filter(|s| s.1 != 0).collect();
            self.bound = cut(&mut kept, self.limit as usize);
            self.slots = kept;
            self.restore();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_and_edges_agree() {
        for value in (0..5000).chain([65_535, 65_536, 1 << 20, (1 << 24) + 12345, u64::MAX >> 8]) {
            let edge = Histogram::lower_edge(Histogram::bin(value));
            assert!(edge <= value && value - edge <= value / 32, "{value} is in the bin of {edge}");
        }
    }

    #[test]
    fn quantiles_of_known_lengths() {
        let mut lengths = Histogram::default();
        for value in 1..=100 {
            lengths.add(value);
        }
        assert_eq!((lengths.median(), lengths.p99(), lengths.max(), lengths.at_least(91)), (50, 99, 100, 10));
    }

    #[test]
    fn distinct_counts_are_exact_and_mergeable() {
        let hash = |n: u64| xxhash_rust::xxh3::xxh3_64(&n.to_le_bytes());
        let values: Vec<u64> = (0..60_000).map(|n| hash(n % 20_000)).collect();
        let mut whole = Distinct::new(256);
        let mut parts = [Distinct::new(256), Distinct::new(256), Distinct::new(256)];
        for (at, value) in values.iter().enumerate() {
            whole.add(*value);
            parts[at % 3].add(*value);
        }
        let [mut merged, b, c] = parts;
        merged.merge(&c);
        merged.merge(&b);
        assert_eq!(merged.smallest(), whole.smallest());
        assert!(whole.smallest().iter().all(|(_, n)| *n == 3), "counts are exact");
        let estimate = whole.estimate();
        assert!((16_000..24_000).contains(&estimate), "{estimate} is near 20,000");
    }
}
