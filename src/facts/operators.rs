//! Operators and stages by server version: one table a place where they may stand.

pub mod query;
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
    #[expect(dead_code, reason = "for the tables of expressions and stages")]
    pub(super) const fn since(name: &'static str, major: u16, minor: u16) -> Operator {
        Operator { name, since: Some(Version::new(major, minor)), until: None }
    }

    /// An operator that a version took away.
    pub(super) const fn until(name: &'static str, major: u16, minor: u16) -> Operator {
        Operator { name, since: None, until: Some(Version::new(major, minor)) }
    }
}

/// What a version of the server says to a name of a sorted table.
pub fn standing(table: &[Operator], name: &str, version: Version) -> Standing {
    let Ok(at) = table.binary_search_by(|operator| operator.name.cmp(name)) else { return Standing::Unknown };
    match table.get(at) {
        Some(Operator { since: Some(since), .. }) if version < *since => Standing::Later(*since),
        Some(Operator { until: Some(until), .. }) if version >= *until => Standing::Gone(*until),
        Some(_) => Standing::Known,
        None => Standing::Unknown,
    }
}

/// The name of a table that a misspelt one is nearest to, among those that the version has.
pub fn nearest(table: &'static [Operator], name: &str, version: Version) -> Option<&'static str> {
    let known = table.iter().map(|operator| operator.name);
    spelling::nearest(name, known.filter(|known| standing(table, known, version) == Standing::Known))
}
