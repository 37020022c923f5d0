//! What the configuration says about rules: levels, options, overrides by collection or file, ignores.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::de::{self, Deserialize, Deserializer, SeqAccess, Visitor};
use serde_json::Value;

use crate::finding::Severity;
use crate::locale::mistake::{DAY, RULE_OPTIONS, RULE_SETTING};

/// Whether a rule speaks, and how loud.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum RuleLevel {
    /// It is silent.
    Off,
    /// An opportunity.
    Info,
    /// Measured harm.
    Warning,
    /// A fact.
    Error,
}

/// The setting of a rule: a level, or a level and options.
#[derive(Debug, Clone, PartialEq)]
pub struct RuleSetting {
    /// The level, which replaces every default of the rule.
    pub level: RuleLevel,
    /// The rule's options, as given; the rule checks them.
    pub options: Option<Value>,
}

/// Settings for some collections or files.
#[derive(Debug, Clone, Default, PartialEq, serde::Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Override {
    /// Collections, `db.collection`; `*` stands for any text.
    pub collections: Vec<String>,
    /// Files; `*` stands for any text without `/`, `**` for any text.
    pub files: Vec<String>,
    /// Rules, as at the top.
    pub rules: BTreeMap<String, RuleSetting>,
}

/// A finding that the team knows and accepts.
#[derive(Debug, Clone, PartialEq, serde::Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Ignore {
    /// Rule id, or `group/*`.
    pub rule: String,
    /// Collection; `*` stands for any text.
    pub collection: Option<String>,
    /// Field path; `*` stands for any text.
    pub path: Option<String>,
    /// Index; `*` stands for any text.
    pub index: Option<String>,
    /// Stage of a pipeline, from 0.
    pub stage: Option<u32>,
    /// File; `*` stands for any text without `/`, `**` for any text.
    pub file: Option<String>,
    /// Why it is accepted.
    pub reason: String,
    /// Last day on which it counts.
    pub until: Option<Day>,
}

/// A day, `YYYY-MM-DD`; ordered by time.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Day(pub String);

/// The settings of the rules with their overrides.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Settings {
    rules: BTreeMap<String, RuleSetting>,
    overrides: Vec<Override>,
}

impl Settings {
    /// Settings from the top and from overrides, of which a later one wins.
    pub(super) fn new(rules: BTreeMap<String, RuleSetting>, overrides: Vec<Override>) -> Self {
        Settings { rules, overrides }
    }

    /// Every set of options of a rule: the general one, then one for each override that has its own.
    pub(crate) fn options(&self, rule: &str) -> Vec<Value> {
        let general = self.general(rule).unwrap_or_else(|| Value::Object(serde_json::Map::new()));
        let special = self.overrides.iter().filter_map(|own| find(&own.rules, rule)?.options.clone());
        std::iter::once(general).chain(special).collect()
    }

    /// Which of these sets counts at a place.
    pub(crate) fn options_for(&self, rule: &str, collection: Option<&str>, file: Option<&str>) -> usize {
        let (mut number, mut chosen) = (0, 0);
        for own in &self.overrides {
            if find(&own.rules, rule).is_some_and(|setting| setting.options.is_some()) {
                number += 1;
                if own.covers(collection, file) {
                    chosen = number;
                }
            }
        }
        chosen
    }

    /// The severity that replaces a rule's defaults at a place.
    pub(crate) fn severity(&self, rule: &str, collection: Option<&str>, file: Option<&str>) -> Option<Severity> {
        match self.level(rule, collection, file)? {
            RuleLevel::Off => None,
            RuleLevel::Info => Some(Severity::Info),
            RuleLevel::Warning => Some(Severity::Warning),
            RuleLevel::Error => Some(Severity::Error),
        }
    }

    /// Whether a rule is switched off at a place.
    pub(crate) fn is_off(&self, rule: &str, collection: Option<&str>, file: Option<&str>) -> bool {
        self.level(rule, collection, file) == Some(RuleLevel::Off)
    }

    /// Whether an override names this rule for this file: then what is told of it is the user's choice.
    pub(crate) fn is_set_for_file(&self, rule: &str, file: &str) -> bool {
        let own = |own: &&Override| !own.files.is_empty() && own.covers(None, Some(file));
        self.overrides.iter().filter(own).any(|own| find(&own.rules, rule).is_some())
    }

    fn level(&self, rule: &str, collection: Option<&str>, file: Option<&str>) -> Option<RuleLevel> {
        let mut special = self.overrides.iter().rev().filter(|own| own.covers(collection, file));
        special.find_map(|own| find(&own.rules, rule)).or_else(|| find(&self.rules, rule)).map(|setting| setting.level)
    }

    fn general(&self, rule: &str) -> Option<Value> {
        find(&self.rules, rule)?.options.clone()
    }
}

impl Override {
    /// Whether a place is meant. Where both collections and files are given, both must fit.
    fn covers(&self, collection: Option<&str>, file: Option<&str>) -> bool {
        let fits = |globs: &[String], name: Option<&str>, is_file| {
            globs.is_empty() || name.is_some_and(|name| globs.iter().any(|g| glob(g, name, is_file)))
        };
        let is_empty = self.collections.is_empty() && self.files.is_empty();
        !is_empty && fits(&self.collections, collection, false) && fits(&self.files, file, true)
    }
}

impl Ignore {
    /// Whether a finding is meant.
    pub(crate) fn covers(&self, finding: &crate::finding::Finding) -> bool {
        let fits = |pattern: &Option<String>, name: Option<&String>, is_file| match (pattern, name) {
            (None, _) => true,
            (Some(pattern), Some(name)) => glob(pattern, name, is_file),
            (Some(_), None) => false,
        };
        names(&self.rule, &finding.rule)
            && fits(&self.collection, finding.collection.as_ref(), false)
            && fits(&self.path, finding.path.as_ref(), false)
            && fits(&self.index, finding.index.as_ref(), false)
            && (self.stage.is_none() || self.stage == finding.stage)
            && fits(&self.file, finding.location.as_ref().map(|location| &location.file), true)
    }
}

/// The setting of the most specific pattern that names a rule: its id, else the longest glob.
fn find<'a>(rules: &'a BTreeMap<String, RuleSetting>, rule: &str) -> Option<&'a RuleSetting> {
    let exact = rules.get(rule);
    exact.or_else(|| {
        let fitting = rules.iter().filter(|(pattern, _)| names(pattern, rule));
        fitting.max_by_key(|(pattern, _)| pattern.len()).map(|(_, setting)| setting)
    })
}

/// Whether a rule id, a group or a pattern names a rule.
pub(crate) fn names(pattern: &str, id: &str) -> bool {
    glob(pattern, id, false) || id.strip_prefix(pattern).is_some_and(|rest| rest.starts_with('/'))
}

/// Whether a name fits a pattern. `*` stands for any text, in files for any text without `/`; `**` for any text.
pub(crate) fn glob(pattern: &str, name: &str, is_file: bool) -> bool {
    // One way back suffices for one kind of star; two kinds need the way back of each.
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    let mut reached = vec![false; name.len() + 1];
    if let Some(first) = reached.first_mut() {
        *first = true;
    }
    let mut at = 0;
    while let Some(c) = pattern.get(at) {
        let mut next = vec![false; name.len() + 1];
        if *c == '*' {
            let deep = pattern.get(at + 1) == Some(&'*');
            at += usize::from(deep);
            // `**/` also stands for no folder at all.
            let skips_slash = deep && pattern.get(at + 1) == Some(&'/');
            let mut open = false;
            for (place, slot) in next.iter_mut().enumerate() {
                if let Some(before) = place.checked_sub(1).and_then(|before| name.get(before)) {
                    open &= deep || !is_file || *before != '/';
                }
                open |= reached.get(place).copied().unwrap_or_default();
                *slot = open;
            }
            if skips_slash {
                at += 1;
                let mut behind = reached.clone();
                for (place, slot) in behind.iter_mut().enumerate().skip(1) {
                    let is_slash = name.get(place - 1) == Some(&'/');
                    *slot |= is_slash && next.get(place - 1).copied().unwrap_or_default();
                }
                next = behind;
            }
        } else {
            for (place, slot) in next.iter_mut().enumerate().skip(1) {
                let fits = name.get(place - 1) == Some(c);
                *slot = fits && reached.get(place - 1).copied().unwrap_or_default();
            }
        }
        reached = next;
        at += 1;
    }
    reached.last().copied().unwrap_or_default()
}

impl<'de> Deserialize<'de> for RuleSetting {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;

        impl<'de> Visitor<'de> for Reader {
            type Value = RuleSetting;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(RULE_SETTING)
            }

            fn visit_str<E: de::Error>(self, level: &str) -> Result<RuleSetting, E> {
                let level = RuleLevel::deserialize(de::value::StrDeserializer::new(level))?;
                Ok(RuleSetting { level, options: None })
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<RuleSetting, A::Error> {
                let level = list.next_element()?.ok_or_else(|| de::Error::invalid_length(0, &self))?;
                let options = list.next_element::<Value>()?;
                if options.as_ref().is_some_and(|options| !options.is_object()) {
                    return Err(de::Error::invalid_value(de::Unexpected::Other(RULE_SETTING), &RULE_OPTIONS));
                }
                if list.next_element::<de::IgnoredAny>()?.is_some() {
                    return Err(de::Error::invalid_length(3, &self));
                }
                Ok(RuleSetting { level, options })
            }
        }
        deserializer.deserialize_any(Reader)
    }
}

impl JsonSchema for RuleSetting {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "RuleSetting".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let level = generator.subschema_for::<RuleLevel>();
        schemars::json_schema!({
            "anyOf": [level, {
                "type": "array", "prefixItems": [level, { "type": "object" }], "minItems": 1, "maxItems": 2
            }]
        })
    }
}

impl<'de> Deserialize<'de> for Day {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        match text.parse::<jiff::civil::Date>() {
            Ok(day) if text.len() == 10 => Ok(Day(day.to_string())),
            _ => Err(de::Error::invalid_value(de::Unexpected::Str(&text), &DAY)),
        }
    }
}

impl JsonSchema for Day {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Day".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "format": "date" })
    }
}

#[cfg(test)]
mod tests {
    use super::glob;

    #[test]
    fn globs() {
        for (pattern, name, is_file) in [
            ("shop.audit*", "shop.audit_2024.old", false),
            ("*", "anything/at all", false),
            ("pattern/*", "pattern/tree-unindexed", false),
            ("test/*.js", "test/a.js", true),
            ("**/seeds/**", "db/seeds/a/b.js", true),
            ("**/seeds/**", "seeds/b.js", true),
            ("src/**/*.js", "src/a.js", true),
            ("src/**/*.js", "src/x/y/a.js", true),
            ("**.js", "x/y/a.js", true),
            ("", "", false),
        ] {
            assert!(glob(pattern, name, is_file), "{pattern} {name}");
        }
        for (pattern, name, is_file) in [
            ("shop.audit", "shop.audit2", false),
            ("test/*.js", "test/x/a.js", true),
            ("src/**/*.js", "srcs/a.js", true),
            ("a*b*c", "acb", false),
            ("", "x", false),
        ] {
            assert!(!glob(pattern, name, is_file), "{pattern} {name}");
        }
        // Time is bounded by the product of the lengths.
        assert!(!glob(&"*a".repeat(200), &"a".repeat(199), false));
    }
}
