//! Conversions of one field to the type that it stands for: what does not convert stays as it is.

use super::{collection, mongosh};
use crate::catalogue::Namespace;
use crate::catalogue::index::script_string;
use crate::facts::Version;
use crate::facts::document::CONVERTS_UUIDS;
use crate::finding::{Remedy, Safety};

/// The type that strings are converted to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    /// The narrowest of int, long and double.
    Number,
    /// Decimal128.
    Decimal,
    /// Date.
    Date,
    /// Boolean, from `true` and `false` in any case.
    Bool,
    /// ObjectId.
    ObjectId,
    /// Binary UUID.
    Uuid,
}

/// Converts the strings of a field. None where an update with a pipeline cannot reach it by its path, or the server
/// does not know the conversion.
pub(crate) fn strings(ns: &Namespace, path: &str, to: Target, server: Version) -> Option<Remedy> {
    let is_plain = |name: &str| !name.is_empty() && !name.starts_with('$') && name != "<key>";
    if !path.split('.').all(is_plain) || (to == Target::Uuid && server < CONVERTS_UUIDS) {
        return None;
    }
    let value = script_string(&format!("${path}"));
    let one = |to: &str, otherwise: &str| format!("{{$convert: {{input: {value}, to: {to}, onError: {otherwise}}}}}");
    let expression = match to {
        Target::Number => one("\"int\"", &one("\"long\"", &one("\"double\"", &value))),
        Target::Decimal => one("\"decimal\"", &value),
        Target::Date => one("\"date\"", &value),
        Target::ObjectId => one("\"objectId\"", &value),
        Target::Uuid => format!(
            "{{$convert: {{input: {value}, to: {{type: \"binData\", subtype: 4}}, format: \"uuid\", onError: {value}}}}}"
        ),
        Target::Bool => format!(
            "{{$switch: {{branches: [\n    \
             {{case: {{$eq: [{{$toLower: {value}}}, \"true\"]}}, then: true}},\n    \
             {{case: {{$eq: [{{$toLower: {value}}}, \"false\"]}}, then: false}}\n  \
             ], default: {value}}}}}"
        ),
    };
    let field = script_string(path);
    let script = format!(
        "{}.updateMany(\n  {{{field}: {{$type: \"string\"}}}},\n  [{{$set: {{{field}: {expression}}}}}]\n);\n",
        collection(ns)
    );
    Some(mongosh(Safety::Review, script))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn script(path: &str, to: Target, server: Version) -> Option<String> {
        let ns = Namespace { database: Some("shop".to_owned()), collection: "orders".to_owned() };
        strings(&ns, path, to, server).map(|remedy| remedy.script)
    }

    #[test]
    fn strings_are_converted_in_place() {
        assert_eq!(
            script("placed.at", Target::Date, Version::DEFAULT).unwrap(),
            "db.getSiblingDB(\"shop\").getCollection(\"orders\").updateMany(\n  \
             {\"placed.at\": {$type: \"string\"}},\n  \
             [{$set: {\"placed.at\": {$convert: {input: \"$placed.at\", to: \"date\", onError: \"$placed.at\"}}}}]\n);\n"
        );
    }

    #[test]
    fn what_cannot_be_reached_or_converted_has_no_script() {
        assert_eq!(script("by.<key>", Target::Number, Version::DEFAULT), None);
        assert_eq!(script("$price", Target::Number, Version::DEFAULT), None);
        assert_eq!(script("", Target::Number, Version::DEFAULT), None);
        assert_eq!(script("session", Target::Uuid, Version::new(7, 0)), None);
        assert!(script("session", Target::Uuid, CONVERTS_UUIDS).is_some());
    }
}
