//! Several changes of one document, put together: what each of them changes, and nothing of what both leave alone.

use crate::value::Value;

/// The document with both changes. `None` where they contradict each other.
///
/// `base` is what both started from; lists count as sets where they hold nothing but text (`required`, `bsonType`).
pub(super) fn merge(base: Option<&Value>, ours: &Value, theirs: &Value) -> Option<Value> {
    if ours == theirs || base == Some(theirs) {
        return Some(ours.clone());
    }
    if base == Some(ours) {
        return Some(theirs.clone());
    }
    match (ours, theirs) {
        (Value::Object(ours), Value::Object(theirs)) => fields(base, ours, theirs).map(Value::Object),
        (Value::Array(ours), Value::Array(theirs)) => words(base, ours, theirs).map(Value::Array),
        _ => None,
    }
}

type Fields = Vec<(String, Value)>;

fn fields(base: Option<&Value>, ours: &Fields, theirs: &Fields) -> Option<Fields> {
    let mut merged = Fields::new();
    for (name, value) in ours {
        let before = base.and_then(|base| base.get(name));
        match theirs.iter().find(|(other, _)| other == name) {
            Some((_, other)) => merged.push((name.clone(), merge(before, value, other)?)),
            // One takes the field away, so the other must have left it as it was.
            None if before == Some(value) => {}
            None if before.is_some() => return None,
            None => merged.push((name.clone(), value.clone())),
        }
    }
    for (name, value) in theirs.iter().filter(|(name, _)| !ours.iter().any(|(other, _)| other == name)) {
        match base.and_then(|base| base.get(name)) {
            None => merged.push((name.clone(), value.clone())),
            Some(before) if before == value => {}
            Some(_) => return None,
        }
    }
    Some(merged)
}

fn words(base: Option<&Value>, ours: &[Value], theirs: &[Value]) -> Option<Vec<Value>> {
    let before: &[Value] = match base {
        Some(Value::Array(list)) => list,
        _ => &[],
    };
    if [ours, theirs, before].into_iter().flatten().any(|value| value.as_str().is_none()) {
        return None;
    }
    let stays = |value: &&Value| (ours.contains(value) && theirs.contains(value)) || !before.contains(value);
    let added = theirs.iter().filter(|value| !ours.contains(value));
    Some(ours.iter().chain(added).filter(stays).cloned().collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::samples::json as value;

    fn merged(base: &str, ours: &str, theirs: &str) -> Option<Value> {
        merge(Some(&value(base)), &value(ours), &value(theirs))
    }

    #[test]
    fn both_changes_are_kept() {
        let base = r#"{"a": {"required": ["x"], "p": {"x": {"t": "int"}}}, "old": 1, "stays": true}"#;
        let ours = r#"{"a": {"required": ["x", "y"], "p": {"x": {"t": "int"}, "y": {}}}, "old": 1, "stays": true}"#;
        let theirs = r#"{"a": {"required": ["x", "z"], "p": {"x": {"t": "number"}}}, "stays": true}"#;
        let both = r#"{"a": {"required": ["x", "y", "z"], "p": {"x": {"t": "number"}, "y": {}}}, "stays": true}"#;
        assert_eq!(merged(base, ours, theirs), Some(value(both)));
        assert_eq!(merged(base, theirs, base), Some(value(theirs)));
        assert_eq!(merged(base, base, theirs), Some(value(theirs)));
    }

    #[test]
    fn a_word_that_one_takes_away_is_gone() {
        assert_eq!(
            merged(r#"{"r": ["a", "b"]}"#, r#"{"r": ["b"]}"#, r#"{"r": ["a", "b", "c"]}"#),
            Some(value(r#"{"r": ["b", "c"]}"#))
        );
    }

    #[test]
    fn contradictions_are_told() {
        assert_eq!(merged(r#"{"a": 1}"#, r#"{"a": 2}"#, r#"{"a": 3}"#), None);
        assert_eq!(merged(r#"{"a": 1}"#, "{}", r#"{"a": 3}"#), None);
        assert_eq!(merged(r#"{"a": 1}"#, r#"{"a": 3}"#, "{}"), None);
        assert_eq!(merged(r#"{"a": [1]}"#, r#"{"a": [1, 2]}"#, r#"{"a": [1, 3]}"#), None);
    }
}
