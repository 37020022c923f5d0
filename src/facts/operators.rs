//! Operators and stages by server version: one table a place where they may stand.

pub mod accumulator;
pub mod expression;
pub mod query;
pub mod stage;
pub mod update;

use super::Version;
use super::spelling;

/// An operator or stage that the server knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Operator {
    /// Its name with the dollar sign.
    pub name: &'static str,
    /// The version that brought it; `None` where all versions that mongovet speaks of (4.4 and later) have it.
    pub since: Option<Version>,
    /// The version that took it away.
    pub until: Option<Version>,
}

/// What a version says to a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// The server knows it.
    Known,
    /// It comes with a later version.
    Later(Version),
    /// It went with an earlier version.
    Gone(Version),
    /// No version has it.
    Unknown,
}

impl Operator {
    /// An operator that all versions have.
    pub(super) const fn always(name: &'static str) -> Operator {
        Operator { name, since: None, until: None }
    }

    /// An operator that came with a version.
    pub(super) const fn since(name: &'static str, major: u16, minor: u16) -> Operator {
        Operator { name, since: Some(Version::new(major, minor)), until: None }
    }

    /// An operator that a version took away.
    pub(super) const fn until(name: &'static str, major: u16, minor: u16) -> Operator {
        Operator { name, since: None, until: Some(Version::new(major, minor)) }
    }

    /// What a version says to it.
    pub fn standing(&self, version: Version) -> Standing {
        match (self.since, self.until) {
            (Some(since), _) if version < since => Standing::Later(since),
            (_, Some(until)) if version >= until => Standing::Gone(until),
            _ => Standing::Known,
        }
    }
}

/// What a version of the server says to a name of a sorted table.
pub fn standing(table: &[Operator], name: &str, version: Version) -> Standing {
    let Ok(at) = table.binary_search_by(|operator| operator.name.cmp(name)) else { return Standing::Unknown };
    table.get(at).map_or(Standing::Unknown, |operator| operator.standing(version))
}

/// The name of a table that a misspelt one is nearest to, among those that the version has.
pub fn nearest(table: &'static [Operator], name: &str, version: Version) -> Option<&'static str> {
    let known = table.iter().map(|operator| operator.name);
    spelling::nearest(name, known.filter(|known| standing(table, known, version) == Standing::Known))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted_and_tell_versions() {
        let tables = [expression::OPERATORS, accumulator::GROUP, accumulator::WINDOW, query::TOP, query::FIELD];
        for table in tables.into_iter().chain([update::OPERATORS]) {
            assert!(table.windows(2).all(|pair| pair[0].name < pair[1].name), "{:?}", table.first());
        }
        assert!(stage::STAGES.windows(2).all(|pair| pair[0].operator.name < pair[1].operator.name));
        let eight = Version::new(8, 0);
        assert_eq!(
            standing(expression::OPERATORS, "$dateTrunc", Version::new(4, 4)),
            Standing::Later(Version::new(5, 0))
        );
        assert_eq!(nearest(expression::OPERATORS, "$dateToStr", eight), Some("$dateToString"));
        assert_eq!(stage::nearest("$mach", eight), Some("$match"));
        assert_eq!(stage::standing("$fill", eight), Standing::Known);
    }
}
