//! Lengths of time as `mongovet.json` writes them: `30s`, `15m`, `2h`, `1d`, `1w`, `1mo`, `1y`.

use serde::{Deserialize, Deserializer, de};

use crate::locale::mistake::{DURATION, REBUILD};

/// A length of time in milliseconds; a month counts 30 days and a year 365.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Duration(pub i64);

/// How old a copy or computed value may be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Staleness {
    /// At most this.
    Within(Duration),
    /// It is read at the source.
    Direct,
    /// Right before its period closes.
    BeforeClose,
    /// Something that nobody can check, such as `eventual`; a rule tells of it.
    Vague(String),
}

/// How a derived value can be made anew.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rebuild {
    /// By a job that takes this long.
    Takes(Duration),
    /// By hand.
    Manual,
}

const SECOND: i64 = 1_000;
const DAY: i64 = 86_400 * SECOND;
const UNITS: [(&str, i64); 8] = [
    ("ms", 1),
    ("s", SECOND),
    ("m", 60 * SECOND),
    ("h", 3_600 * SECOND),
    ("d", DAY),
    ("w", 7 * DAY),
    ("mo", 30 * DAY),
    ("y", 365 * DAY),
];

impl Duration {
    /// The length that a text names.
    pub fn parse(text: &str) -> Option<Duration> {
        let digits = text.find(|c: char| !c.is_ascii_digit())?;
        let (number, unit) = text.split_at(digits);
        let factor = UNITS.iter().find(|(name, _)| *name == unit.trim_start()).map(|(_, factor)| *factor)?;
        number.parse::<i64>().ok()?.checked_mul(factor).map(Duration)
    }
}

impl<'de> Deserialize<'de> for Duration {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Duration::parse(&text).ok_or_else(|| de::Error::invalid_value(de::Unexpected::Str(&text), &DURATION))
    }
}

impl<'de> Deserialize<'de> for Staleness {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Ok(match text.as_str() {
            "direct" => Staleness::Direct,
            "before-close" => Staleness::BeforeClose,
            _ => Duration::parse(&text).map_or(Staleness::Vague(text), Staleness::Within),
        })
    }
}

impl<'de> Deserialize<'de> for Rebuild {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        match (text.as_str(), Duration::parse(&text)) {
            ("manual", _) => Ok(Rebuild::Manual),
            (_, Some(duration)) => Ok(Rebuild::Takes(duration)),
            _ => Err(de::Error::invalid_value(de::Unexpected::Str(&text), &REBUILD)),
        }
    }
}

/// The three are strings for an editor.
macro_rules! string_schema {
    ($type:ident, $text:literal) => {
        impl schemars::JsonSchema for $type {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($type).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({ "type": "string", "description": $text })
            }
        }
    };
}
string_schema!(Duration, "A duration: `30s`, `15m`, `2h`, `1d`, `1w`, `1mo`, `1y`.");
string_schema!(Staleness, "A duration such as `30s` or `1d`, or `direct`, or `before-close`.");
string_schema!(Rebuild, "A duration such as `2h`, or `manual`.");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_of_time() {
        let parsed: Vec<_> = ["30s", "15m", "1d", "1mo", "250ms", "2 h"].map(Duration::parse).to_vec();
        let expected = [30_000, 900_000, DAY, 30 * DAY, 250, 7_200_000].map(|ms| Some(Duration(ms)));
        assert_eq!(parsed, expected);
        for text in
            ["", "5", "s", "-1s", "1.5h", "99999999999999999999d", "9223372036854775807y", "1 fortnight", "soon"]
        {
            assert_eq!(Duration::parse(text), None, "{text}");
        }
    }
}
