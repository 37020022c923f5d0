//! Index commands.

use super::{collection, literal::literal, mongosh};
use crate::catalogue::index::script_string;
use crate::catalogue::{Index, Namespace, Origin};
use crate::facts::{self, Version};
use crate::finding::{Remedy, Safety};
use crate::value::Value;

/// Takes an index out of use in a way that can be undone at once, where the server can hide indexes; else drops it.
pub(crate) fn retire(ns: &Namespace, index: &Index, server: Version) -> Remedy {
    if server < facts::index::HIDDEN {
        return drop(ns, index);
    }
    mongosh(Safety::Safe, format!("{}.hideIndex({})", collection(ns), script_string(&index.name)))
}

/// Drops an index.
pub(crate) fn drop(ns: &Namespace, index: &Index) -> Remedy {
    mongosh(Safety::Review, format!("{}.dropIndex({})", collection(ns), script_string(&index.name)))
}

/// Creates an index.
pub(crate) fn create(ns: &Namespace, index: &Index) -> Remedy {
    mongosh(Safety::Review, create_script(ns, index))
}

/// Puts another index in the place of one: the new one first, so that queries are served all the time.
///
/// One that keeps name or identity must be dropped first, else the server refuses the new one.
pub(crate) fn replace(ns: &Namespace, old: &Index, new: &Index, server: Version) -> Remedy {
    let mut drop = format!("{}.dropIndex({})", collection(ns), script_string(&old.name));
    if old.origin == Origin::Wanted {
        drop = format!("// Leave the next line out where the index was never built.\n{drop}");
    }
    let create = create_script(ns, new);
    let in_the_way = old.name == new.name || old.same_identity(new, server);
    mongosh(Safety::Review, if in_the_way { format!("{drop}\n{create}") } else { format!("{create}\n{drop}") })
}

fn create_script(ns: &Namespace, index: &Index) -> String {
    let (key, options) = arguments(index);
    let options = options.map_or_else(String::new, |options| format!(", {options}"));
    format!("{}.createIndex({key}{options})", collection(ns))
}

/// Key and options as literals; no options where it has none.
pub(crate) fn arguments(index: &Index) -> (String, Option<String>) {
    let mut options: Vec<(String, Value)> = Vec::new();
    let mut put = |name: &str, value: Value| options.push((name.to_owned(), value));
    let pattern: Vec<(String, Value)> =
        index.key.iter().map(|(path, kind)| (path.clone(), Value::String(kind.text().to_owned()))).collect();
    if index.name != crate::catalogue::index::default_name(&pattern) {
        put("name", Value::String(index.name.clone()));
    }
    for (name, set) in [("unique", index.unique), ("sparse", index.sparse), ("hidden", index.hidden)] {
        if set {
            put(name, Value::Bool(true));
        }
    }
    for (name, value) in [
        ("partialFilterExpression", &index.partial_filter),
        ("expireAfterSeconds", &index.expire_after_seconds),
        ("collation", &index.collation),
        ("wildcardProjection", &index.wildcard_projection),
    ] {
        if let Some(value) = value {
            put(name, value.clone());
        }
    }
    if !index.weights.is_empty() {
        let weights = index.weights.iter().map(|(path, weight)| (path.clone(), Value::Int(*weight as i32))).collect();
        put("weights", Value::Object(weights));
    }
    (index.key_script(), (!options.is_empty()).then(|| literal(&Value::Object(options))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::IndexKind;

    fn index(path: &str) -> Index {
        Index::of_key(&[(path.to_owned(), Value::Int(1))], Origin::Wanted)
    }

    #[test]
    fn scripts_can_be_read_back() {
        let ns = Namespace::new("shop", "my-orders");
        let mut new = index("at");
        new.unique = true;
        new.key.push(("b".into(), IndexKind::Text));
        new.partial_filter = Some(Value::Object(vec![("x".into(), Value::Bool(true))]));
        let remedy = replace(&ns, &index("at"), &new, Version::DEFAULT);
        let reading = crate::evidence::script::read("r.js", &remedy.script, None);
        assert_eq!(reading.problems, []);
        assert_eq!(reading.statements.len(), 2, "{}", remedy.script);
        assert!(reading.statements.iter().all(|s| s.namespace == ns));
    }

    #[test]
    fn what_is_in_the_way_is_dropped_first() {
        let ns = Namespace::bare("c");
        let mut ttl = index("a");
        ttl.expire_after_seconds = Some(Value::Int(60));
        let present = Index { origin: Origin::Present, ..index("a") };
        let script = |new: &Index| replace(&ns, &present, new, Version::DEFAULT).script;
        assert!(script(&ttl).starts_with("db.getCollection(\"c\").dropIndex"));
        assert!(script(&index("b")).starts_with("db.getCollection(\"c\").createIndex"));
    }

    #[test]
    fn old_servers_cannot_hide() {
        let ns = Namespace::bare("c");
        assert!(retire(&ns, &index("a"), Version::new(4, 2)).script.contains("dropIndex"));
        assert!(retire(&ns, &index("a"), Version::DEFAULT).script.contains("hideIndex"));
    }
}
