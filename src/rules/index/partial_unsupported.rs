//! Partial filters that the server refuses. Words, reasons and examples: partial-unsupported.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::place;
use crate::catalogue::Origin;
use crate::facts::Version;
use crate::facts::index::{PARTIAL_NESTED_AND, PARTIAL_OPERATORS, PARTIAL_OPERATORS_SINCE};
use crate::model::Model;
use crate::rules::Findings;
use crate::value::Value;

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for collection in &model.collections {
        for index in collection.indexes().iter().filter(|index| index.origin == Origin::Wanted) {
            let Some(refused) = index.partial_filter.as_ref().and_then(|filter| refused(filter, model.server, 0))
            else {
                continue;
            };
            let draft = findings.certain(place(collection, index));
            draft.text("operator", &refused.operator);
            match refused.since {
                Some(since) => draft.text("since", since).text("server", model.server).variant("version"),
                None if refused.operator == "$exists" => draft.variant("exists"),
                None => draft,
            };
        }
    }
}

/// An operator that the server refuses, and since when it takes it.
struct Refused {
    operator: String,
    since: Option<Version>,
}

/// Levels of a filter that are looked at.
const DEEPEST: usize = 50;

fn refused(filter: &Value, server: Version, depth: usize) -> Option<Refused> {
    if depth > DEEPEST {
        return None;
    }
    filter.as_object().unwrap_or_default().iter().find_map(|(name, value)| match name.as_str() {
        "$and" | "$or" => {
            let nested = name == "$and" && 0 < depth && server < PARTIAL_NESTED_AND;
            let own = if nested {
                Some(Refused { operator: name.clone(), since: Some(PARTIAL_NESTED_AND) })
            } else {
                judged(name, server)
            };
            own.or_else(|| value.as_array().unwrap_or_default().iter().find_map(|one| refused(one, server, depth + 1)))
        }
        "$comment" => None,
        operator if operator.starts_with('$') => Some(Refused { operator: name.clone(), since: None }),
        _ => in_field(value, server),
    })
}

/// The operators that stand beside a field; a plain value is an equality, with null too.
fn in_field(value: &Value, server: Version) -> Option<Refused> {
    if let Value::Regex(..) = value {
        return Some(Refused { operator: "$regex".to_owned(), since: None });
    }
    let operators = value.as_object().filter(|fields| fields.first().is_some_and(|(name, _)| name.starts_with('$')))?;
    operators.iter().find_map(|(operator, operand)| {
        let no = matches!(operand, Value::Bool(false)) || operand.as_f64() == Some(0.0);
        match operator.as_str() {
            "$exists" if no => Some(Refused { operator: operator.clone(), since: None }),
            "$options" => None,
            operator => judged(operator, server),
        }
    })
}

fn judged(operator: &str, server: Version) -> Option<Refused> {
    if PARTIAL_OPERATORS.contains(&operator) {
        return None;
    }
    let since = PARTIAL_OPERATORS_SINCE.iter().find(|(known, _)| *known == operator).map(|(_, since)| *since);
    match since {
        Some(since) if since <= server => None,
        since => Some(Refused { operator: operator.to_owned(), since }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::samples::json;

    fn operator(filter: &str, server: Version) -> Option<String> {
        refused(&json(filter), server, 0).map(|refused| refused.operator)
    }

    #[test]
    fn what_each_version_takes() {
        let new = Version::DEFAULT;
        let old = Version::new(5, 0);
        for filter in [
            r#"{"a":null,"b":{"$exists":true},"c":{"$gt":1,"$lte":5},"d":{"$type":"string"}}"#,
            r#"{"$and":[{"a":1},{"b":{"x":1}}]}"#,
        ] {
            assert_eq!(operator(filter, new), None, "{filter}");
            assert_eq!(operator(filter, old), None, "{filter}");
        }
        for filter in [r#"{"a":{"$in":[1,2]}}"#, r#"{"$or":[{"a":1},{"b":2}]}"#, r#"{"$and":[{"$and":[{"a":1}]}]}"#] {
            assert_eq!(operator(filter, new), None, "{filter}");
            assert!(operator(filter, old).is_some(), "{filter}");
        }
        for filter in [
            r#"{"a":{"$exists":false}}"#,
            r#"{"a":{"$ne":null}}"#,
            r#"{"a":{"$nin":[1]}}"#,
            r#"{"a":{"$not":{"$gt":1}}}"#,
            r#"{"a":{"$regex":"x"}}"#,
            r#"{"$nor":[{"a":1}]}"#,
            r#"{"$expr":{"$gt":["$a","$b"]}}"#,
            r#"{"$or":[{"a":{"$size":1}}]}"#,
        ] {
            assert!(operator(filter, new).is_some(), "{filter}");
        }
    }
}
