//! Demands that are added to the validator that is there; nothing of that is lost.

use super::database;
use super::literal::pretty;
use crate::catalogue::index::script_string;
use crate::catalogue::{Action, Level, Namespace, Validator};
use crate::value::Value;

/// What a validator is to demand of one path.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Demand {
    /// The path in dot notation; it passes no array.
    pub(crate) path: String,
    /// Whether the field must be there.
    pub(crate) required: bool,
    /// The types that it may have, as `bsonType` names them; any where empty.
    pub(crate) types: Vec<&'static str>,
    /// Elements that an array may hold at most.
    pub(crate) max_items: Option<u64>,
}

/// The command that adds demands to the validator of a collection that exists.
pub(crate) fn change(ns: &Namespace, existing: Option<&Validator>, demands: &[Demand]) -> String {
    let word = |word: &str| Value::String(word.to_owned());
    let command = object([
        ("collMod", word(&ns.collection)),
        ("validator", with(existing, demands)),
        ("validationLevel", word(existing.map_or(Level::Strict, |v| v.level).word())),
        ("validationAction", word(existing.map_or(Action::Error, |v| v.action).word())),
    ]);
    format!("{}.runCommand({});\n", database(ns), pretty(&command))
}

/// The command that sets the validator of a collection, which is created where it is missing.
pub(crate) fn set(ns: &Namespace, demands: &[Demand]) -> String {
    format!(
        "if (!{0}.getCollectionNames().includes({1})) {0}.createCollection({1});\n{2}",
        database(ns),
        script_string(&ns.collection),
        change(ns, None, demands)
    )
}

/// The expression of a validator with the demands in its schema.
pub(crate) fn with(existing: Option<&Validator>, demands: &[Demand]) -> Value {
    let mut expression = existing.map_or_else(|| Value::Object(Vec::new()), |v| v.expression.clone());
    let schema = entry(&mut expression, "$jsonSchema", || object([("bsonType", Value::String("object".to_owned()))]));
    for demand in demands {
        add(schema, demand);
    }
    expression
}

fn add(schema: &mut Value, demand: &Demand) {
    let mut at = schema;
    let mut names = demand.path.split('.').peekable();
    while let Some(name) = names.next() {
        let is_last = names.peek().is_none();
        if demand.required {
            let required = entry(at, "required", || Value::Array(Vec::new()));
            if let Value::Array(list) = required
                && !list.iter().any(|known| known.as_str() == Some(name))
            {
                list.push(Value::String(name.to_owned()));
            }
        }
        let properties = entry(at, "properties", || Value::Object(Vec::new()));
        at = entry(properties, name, || {
            let kind = ("bsonType", Value::String("object".to_owned()));
            if is_last { Value::Object(Vec::new()) } else { object([kind]) }
        });
    }
    let text = |word: &&str| Value::String((*word).to_owned());
    match &demand.types[..] {
        [] => {}
        [one] => drop(entry(at, "bsonType", || text(one))),
        some => drop(entry(at, "bsonType", || Value::Array(some.iter().map(text).collect()))),
    }
    if let Some(most) = demand.max_items {
        *entry(at, "maxItems", || Value::Null) = i32::try_from(most).map_or(Value::Long(most as i64), Value::Int);
    }
}

/// The value of a field of an object, made where it is missing; a value that is no object is replaced by one.
fn entry<'v>(value: &'v mut Value, name: &str, otherwise: impl FnOnce() -> Value) -> &'v mut Value {
    if !matches!(value, Value::Object(_)) {
        *value = Value::Object(Vec::new());
    }
    let Value::Object(fields) = value else { return value };
    let at = fields.iter().position(|(key, _)| key == name).unwrap_or_else(|| {
        fields.push((name.to_owned(), otherwise()));
        fields.len() - 1
    });
    &mut fields[at].1
}

fn object<const N: usize>(fields: [(&str, Value); N]) -> Value {
    Value::Object(fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::Origin;

    fn bounded() -> Demand {
        Demand { path: "thread.comments".into(), required: true, types: vec!["array"], max_items: Some(10) }
    }

    #[test]
    fn demands_are_added_to_what_is_there() {
        let schema = object([
            ("required", Value::Array(vec![Value::String("title".into())])),
            ("properties", object([("title", object([("bsonType", Value::String("string".into()))]))])),
        ]);
        let existing = Validator {
            expression: object([("$jsonSchema", schema), ("state", Value::Int(1))]),
            level: Level::Moderate,
            action: Action::Warn,
            origin: Origin::Present,
            location: None,
        };
        let merged = crate::value::write::literal(&with(Some(&existing), &[bounded()]));
        assert_eq!(
            merged,
            "{ $jsonSchema: { required: ['title', 'thread'], properties: { title: { bsonType: 'string' }, thread: \
             { bsonType: 'object', required: ['comments'], properties: { comments: { bsonType: 'array', maxItems: 10 \
             } } } } }, state: 1 }"
        );
        let command = change(&Namespace::new("blog", "posts"), Some(&existing), &[bounded()]);
        assert!(command.contains("validationLevel: \"moderate\"") && command.contains("validationAction: \"warn\""));
    }

    #[test]
    fn a_new_validator_binds() {
        let command = change(&Namespace::bare("posts"), None, &[bounded()]);
        assert!(command.starts_with("db.runCommand({\n  collMod: \"posts\",\n  validator: {"), "{command}");
        assert!(command.contains("validationLevel: \"strict\""));
    }
}
