//! Whether something grows with time: Kendall's tau and the median slope, in integers.

use serde::{Deserialize, Serialize};

use crate::value::time::DAY;

/// Pairs are quadratic: more points than this add nothing to the answer.
const MAX_POINTS: usize = 400;

/// How a length depends on age.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Growth {
    /// Points that were compared.
    pub points: u64,
    /// Days between the earliest and the latest point.
    pub days: u64,
    /// Kendall's tau-a in thousandths, positive where older is longer.
    pub tau: i64,
    /// Median slope in thousandths of an element per 30 days of age.
    pub per_month: i64,
}

impl Growth {
    /// Measures `(time in ms, length)` points; the points must come in an order that is independent of both.
    /// None with fewer than three.
    pub fn measure(points: &[(i64, u64)]) -> Option<Growth> {
        let points = points.get(..points.len().min(MAX_POINTS))?;
        if points.len() < 3 {
            return None;
        }
        let mut score = 0i64;
        let mut slopes: Vec<i64> = Vec::new();
        for (at, (time, length)) in points.iter().enumerate() {
            for (other_time, other_length) in points.iter().skip(at + 1) {
                // Age is what counts: an earlier document has had longer to grow.
                let older = other_time.saturating_sub(*time);
                let longer = *length as i64 - *other_length as i64;
                score += older.signum() * longer.signum();
                if older != 0 {
                    slopes.push((i128::from(longer) * 1000 * MONTH / i128::from(older)).clamp(MIN, MAX) as i64);
                }
            }
        }
        slopes.sort_unstable();
        let pairs = (points.len() * (points.len() - 1) / 2) as i64;
        let earliest = points.iter().map(|p| p.0).min()?;
        let latest = points.iter().map(|p| p.0).max()?;
        Some(Growth {
            points: points.len() as u64,
            days: (latest.saturating_sub(earliest) / DAY) as u64,
            tau: score * 1000 / pairs,
            per_month: slopes.get(slopes.len() / 2).copied().unwrap_or(0),
        })
    }

    /// Whether the growth is real by rules.md's measure: tau of at least 0.3 on 50 points over 30 days.
    pub fn is_steady(&self) -> bool {
        300 <= self.tau && self.is_telling() && 0 < self.per_month
    }

    /// Whether there are enough points over enough time to see growth if there is any.
    pub fn is_telling(&self) -> bool {
        50 <= self.points && 30 <= self.days
    }
}

const MONTH: i128 = 30 * DAY as i128;
const MIN: i128 = i64::MIN as i128;
const MAX: i128 = i64::MAX as i128;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_length_that_follows_age_grows() {
        // Created daily, one element more for every three days of age.
        let points: Vec<(i64, u64)> = (0..100).map(|n| (n * DAY, (100 - n as u64) / 3)).collect();
        let growth = Growth::measure(&points).expect("enough points");
        assert!(growth.is_steady());
        assert!((9_000..11_000).contains(&growth.per_month), "{growth:?}");
    }

    #[test]
    fn a_length_without_a_trend_does_not() {
        let points: Vec<(i64, u64)> = (0..100).map(|n| (n * DAY, (n as u64 * 7919) % 13)).collect();
        assert!(!Growth::measure(&points).expect("enough points").is_steady());
    }
}
