//! Server versions.

use serde::{Deserialize, Serialize};

/// A release of the server, such as 8.0; patch levels change no fact that is used here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Version {
    /// The major number.
    pub major: u16,
    /// The minor number.
    pub minor: u16,
}

impl Version {
    /// What is assumed where nothing tells the version.
    pub const DEFAULT: Version = Version::new(8, 0);

    /// A version from its numbers.
    pub const fn new(major: u16, minor: u16) -> Self {
        Version { major, minor }
    }

    /// The version of a text such as `8.0`, `7`, `6.0.14`, `v5.0.3-rc1` or `4.4.29-ent`.
    pub fn parse(text: &str) -> Option<Version> {
        let text = text.trim();
        let mut parts = text.strip_prefix(['v', 'V']).unwrap_or(text).split('.');
        let major: u16 = parts.next()?.parse().ok()?;
        let minor = match parts.next() {
            None => 0,
            Some(minor) => minor.split('-').next()?.parse().ok()?,
        };
        (2..100).contains(&major).then_some(Version { major, minor })
    }
}

impl std::fmt::Display for Version {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_name_a_version() {
        assert_eq!(Version::parse("8.0"), Some(Version::new(8, 0)));
        assert_eq!(Version::parse("7"), Some(Version::new(7, 0)));
        assert_eq!(Version::parse("v6.0.14"), Some(Version::new(6, 0)));
        assert_eq!(Version::parse("8.1-rc0"), Some(Version::new(8, 1)));
        assert_eq!(Version::parse("unknown"), None);
        assert_eq!(Version::parse(""), None);
        assert_eq!(Version::parse("1.0"), None);
    }
}
