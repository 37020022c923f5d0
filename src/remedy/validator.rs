//! Validator commands, and schemas without what the server refuses.

use super::{database, literal::pretty, mongosh};
use crate::catalogue::{Namespace, Validator};
use crate::facts::schema::KEYWORDS;
use crate::finding::{Remedy, Safety};
use crate::value::{Type, Value};

/// Sets a validator. Documents that are there already are not touched, writes that fail it are.
pub(crate) fn set(ns: &Namespace, expression: Value) -> Remedy {
    command(ns, vec![("validator".to_owned(), expression)])
}

/// Makes a validator refuse what fails it.
pub(crate) fn enforce(ns: &Namespace) -> Remedy {
    let word = |name: &str, word: &str| (name.to_owned(), Value::String(word.to_owned()));
    command(ns, vec![word("validationLevel", "strict"), word("validationAction", "error")])
}

fn command(ns: &Namespace, change: Vec<(String, Value)>) -> Remedy {
    let mut fields = vec![("collMod".to_owned(), Value::String(ns.collection.clone()))];
    fields.extend(change);
    mongosh(Safety::Review, format!("{}.runCommand({})", database(ns), pretty(&Value::Object(fields))))
}

/// The validator's expression with what the server refuses put right where that is clear: keywords that it does not
/// know are left out, misnamed types get the name that was meant. None where something else is refused.
pub(crate) fn mended(validator: &Validator) -> Option<Value> {
    let mut expression = validator.expression.clone();
    if let Value::Object(fields) = &mut expression {
        for (name, schema) in fields {
            if name == "$jsonSchema" {
                mend(schema, 0);
            }
        }
    }
    let mended = Validator { expression, ..validator.clone() };
    mended.refusals().is_empty().then_some(mended.expression)
}

fn mend(schema: &mut Value, depth: usize) {
    if depth > 100 {
        return;
    }
    let Value::Object(fields) = schema else { return };
    fields.retain(|(keyword, _)| KEYWORDS.binary_search(&keyword.as_str()).is_ok());
    let two = fields.iter().any(|(keyword, _)| keyword == "bsonType");
    fields.retain(|(keyword, _)| !(two && keyword == "type"));
    for (keyword, value) in fields.iter_mut() {
        match keyword.as_str() {
            "type" | "bsonType" => mend_type(keyword, value),
            "properties" | "patternProperties" | "dependencies" => {
                if let Value::Object(inner) = value {
                    for (_, schema) in inner {
                        mend(schema, depth + 1);
                    }
                }
            }
            "items" | "allOf" | "anyOf" | "oneOf" | "not" | "additionalItems" | "additionalProperties" => match value {
                Value::Array(list) => list.iter_mut().for_each(|schema| mend(schema, depth + 1)),
                one => mend(one, depth + 1),
            },
            _ => {}
        }
    }
}

fn mend_type(keyword: &mut String, value: &mut Value) {
    let alias = |name: &str| match name {
        "boolean" => Some("bool"),
        "number" => Some("number"),
        name => {
            Type::from_alias(name).map(Type::alias).or_else(|| crate::catalogue::validator::check::meant_type(name))
        }
    };
    let names: Vec<String> = match &*value {
        Value::String(name) => vec![name.clone()],
        Value::Array(names) => names.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        _ => return,
    };
    let known = names.iter().map(|name| alias(name)).collect::<Option<Vec<_>>>();
    if let Some(known) = known.filter(|known| known.iter().zip(&names).any(|(new, old)| new != old)) {
        "bsonType".clone_into(keyword);
        *value = match known.as_slice() {
            [one] => Value::String((*one).to_owned()),
            many => Value::Array(many.iter().map(|name| Value::String((*name).to_owned())).collect()),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::{Action, Level, Origin};
    use crate::value::samples::json;

    fn validator(schema: &str) -> Validator {
        Validator {
            expression: Value::Object(vec![("$jsonSchema".to_owned(), json(schema))]),
            level: Level::Strict,
            action: Action::Error,
            origin: Origin::Wanted,
            location: None,
        }
    }

    #[test]
    fn refused_parts_are_put_right() {
        let broken = validator(
            r#"{"properties":{"a":{"type":"integer","default":1},"b":{"items":{"bsonType":["ObjectId","null"],"format":"x"}}}}"#,
        );
        let good = mended(&broken).unwrap();
        let expected =
            json(r#"{"properties":{"a":{"bsonType":"int"},"b":{"items":{"bsonType":["objectId","null"]}}}}"#);
        assert_eq!(good.get("$jsonSchema"), Some(&expected));
        assert_eq!(mended(&validator(r#"{"required":[]}"#)), None);
    }
}
