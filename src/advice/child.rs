//! What the children of an embedded array are: their own key, whether parents share them, their time, and whether
//! they are snapshots, earlier versions of the parent, or timed readings.

use serde_json::{Map, Value};

use crate::facts::names::{is_snapshot, words};
use crate::model::{Array, Collection, Model};
use crate::profile::{Field, FieldId, FieldKind};
use crate::value::event::Type;

/// Children of which this share stands in three or more parents are shared.
const SHARED_SHARE: f64 = 0.1;
/// Parents that share a child.
const SHARING: u64 = 3;

/// Whose the children are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ownership {
    /// Each stands in one parent.
    Owned,
    /// Many stand in several parents.
    Shared,
    /// The evidence does not tell.
    Unknown,
}

/// What the fields of the children say about the past.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum History {
    /// They keep values as they were: `priceAtPurchase`.
    Snapshot,
    /// They are earlier versions of the parent.
    Versions,
    /// Nothing.
    Unknown,
}

/// The children of an array.
#[derive(Debug)]
pub(super) struct Child<'a> {
    /// Fields of the elements with their names.
    pub(super) fields: Vec<&'a Field>,
    /// How many elements were counted.
    pub(super) count: u64,
    /// The field that tells when a child came to be.
    pub(super) time: Option<&'a str>,
    /// The field with the child's own key.
    pub(super) key: Option<&'a str>,
    /// Whose the children are, with the figures.
    pub(super) ownership: (Ownership, Map<String, Value>),
    /// What they say about the past, with the figures.
    pub(super) history: (History, Map<String, Value>),
    /// Whether they are numbers with a time.
    pub(super) are_readings: bool,
    /// The field that ends a child's life by itself.
    pub(super) expiry: Option<&'a str>,
}

impl<'a> Child<'a> {
    pub(super) fn new(collection: &'a Collection, array: &Array, word: &str) -> Option<Child<'a>> {
        let profile = collection.profile.as_ref()?;
        let element = array.element?;
        let count = profile.field(element)?.count;
        let fields: Vec<&Field> =
            profile.children(element).map(|(_, f)| f).filter(|f| f.kind == FieldKind::Named).collect();
        let time = time(&fields, count);
        let key = own_key(&fields, count, word);
        let expiry = fields.iter().find(|f| names_expiry(&f.name) && 0 < f.count_of(Type::Date)).map(|f| &*f.name);
        Some(Child {
            ownership: ownership(&fields, count, key),
            history: history(collection, array, &fields),
            are_readings: are_readings(&fields, count, time),
            fields,
            count,
            time,
            key,
            expiry,
        })
    }

    /// Whether the children hold more than the key of something else and one more field.
    pub(super) fn has_content(&self) -> bool {
        2 < self.fields.len()
    }
}

/// Whether the elements are names with values: attributes, no things of their own.
pub(super) fn are_attributes(collection: &Collection, element: FieldId) -> bool {
    const NAMES: &[&str] = &["k", "key", "name", "attribute", "attr", "property", "clave", "nombre", "code", "label"];
    const VALUES: &[&str] = &["v", "value", "val", "valor", "values"];
    const EXTRAS: &[&str] = &["unit", "units", "u", "unidad", "type", "tipo", "lang", "locale"];
    let Some(profile) = &collection.profile else { return false };
    let names: Vec<&str> =
        profile.children(element).filter(|(_, f)| f.kind == FieldKind::Named).map(|(_, f)| &*f.name).collect();
    let has = |table: &[&str]| names.iter().any(|name| table.contains(name));
    let known = |name: &&str| [NAMES, VALUES, EXTRAS].iter().any(|table| table.contains(name));
    has(NAMES) && has(VALUES) && names.iter().all(known)
}

/// The collection whose documents the children are copies of, by their keys; at least nine of ten are found there.
pub(super) fn copied_from<'a>(model: &'a Model, collection: &Collection, child: &Child<'_>) -> Option<&'a Collection> {
    let field = child.fields.iter().find(|f| Some(&*f.name) == child.key)?;
    let keys = field.distinct.as_deref()?.smallest();
    model.collections.iter().filter(|other| other.ns != collection.ns).find(|other| {
        let Some(ids) = id_field(other).and_then(|f| f.distinct.as_deref()) else { return false };
        let known = ids.smallest();
        let bound = if ids.is_exact() { u64::MAX } else { known.last().map_or(0, |k| k.0) };
        let comparable: Vec<u64> = keys.iter().map(|k| k.0).filter(|hash| *hash <= bound).collect();
        let found = comparable.iter().filter(|hash| known.binary_search_by_key(*hash, |k| k.0).is_ok()).count();
        // Few keys may coincide by chance, as small numbers do.
        5 <= comparable.len() && comparable.len() * 9 <= found * 10 && field.number_count() == 0
    })
}

/// Whether documents of `children` name a parent: one of their fields holds keys of the parents.
pub(super) fn refers_to(children: &Collection, parents: &Collection) -> bool {
    let Some(ids) = id_field(parents).and_then(|f| f.distinct.as_deref()).map(|d| (d.is_exact(), d.smallest())) else {
        return false;
    };
    let (is_exact, known) = ids;
    let bound = if is_exact { u64::MAX } else { known.last().map_or(0, |k| k.0) };
    children.fields().filter(|f| f.path.as_str() != "_id" && f.field.number_count() == 0).any(|f| {
        let Some(distinct) = f.field.distinct.as_deref() else { return false };
        let comparable: Vec<u64> = distinct.smallest().into_iter().map(|k| k.0).filter(|h| *h <= bound).collect();
        let found = comparable.iter().filter(|hash| known.binary_search_by_key(*hash, |k| k.0).is_ok()).count();
        5 <= comparable.len() && comparable.len() * 9 <= found * 10
    })
}

fn id_field(collection: &Collection) -> Option<&Field> {
    let profile = collection.profile.as_ref()?;
    profile.children(FieldId::ROOT).map(|(_, f)| f).find(|f| &*f.name == "_id" && f.kind == FieldKind::Named)
}

/// The field that says when a child came to be: a date in nine of ten, by its name, else the only one.
fn time<'a>(fields: &[&'a Field], count: u64) -> Option<&'a str> {
    const NAMES: &[&str] = &[
        "at",
        "ts",
        "time",
        "timestamp",
        "date",
        "created",
        "posted",
        "added",
        "published",
        "sent",
        "recorded",
        "fecha",
        "hora",
        "creado",
        "creada",
        "publicado",
        "enviado",
        "changed",
    ];
    let dated: Vec<&'a Field> =
        fields.iter().copied().filter(|f| count * 9 <= f.count_of(Type::Date) * 10 && !names_expiry(&f.name)).collect();
    let named = |f: &&Field| words(&f.name).iter().any(|word| NAMES.contains(&word.as_str()));
    let edited =
        |f: &&Field| words(&f.name).iter().any(|word| ["updated", "modified", "edited"].contains(&word.as_str()));
    let by_name = dated.iter().copied().find(|f| named(f) && !edited(f));
    by_name.or_else(|| if let [only] = dated[..] { Some(only) } else { None }).map(|f| &*f.name)
}

fn names_expiry(name: &str) -> bool {
    const NAMES: &[&str] =
        &["expire", "expires", "expiry", "expiration", "until", "due", "deleted", "caduca", "vence", "purge"];
    words(name).iter().any(|word| NAMES.contains(&word.as_str()))
}

/// The field that tells one child from all others.
fn own_key<'a>(fields: &[&'a Field], count: u64, word: &str) -> Option<&'a str> {
    let own = [format!("{word}id"), "uuid".to_owned(), "guid".to_owned()];
    let is_own = |f: &&&Field| {
        let plain = f.name.to_lowercase().replace('_', "");
        own.contains(&plain)
    };
    let in_most = |f: &&&Field| count * 95 <= (f.count - f.nulls()) * 100;
    let named = |name: &str| fields.iter().filter(in_most).find(|f| &*f.name == name);
    named("_id").or_else(|| named("id")).or_else(|| fields.iter().filter(in_most).find(is_own)).map(|f| &*f.name)
}

fn ownership(fields: &[&Field], count: u64, key: Option<&str>) -> (Ownership, Map<String, Value>) {
    let mut evidence = Map::new();
    let mut put = |name: &str, value: Value| {
        evidence.insert(name.to_owned(), value);
    };
    put("children", count.into());
    let sketch = |f: &Field| f.distinct.as_deref().map(|d| (d.is_exact(), d.estimate(), d.smallest()));
    let Some((field, (is_exact, distinct, counts))) =
        key.and_then(|key| fields.iter().find(|f| &*f.name == key)).and_then(|field| Some((field, sketch(field)?)))
    else {
        // A child without a key of its own cannot be meant from elsewhere, unless it has one of another name: one
        // that is told apart in all parents proves that it is not shared.
        let named = fields.iter().filter(|f| crate::facts::names::is_code(&f.name));
        let unique = named.clone().find_map(|f| {
            let (is_exact, distinct, _) = sketch(f)?;
            (is_exact && distinct == count && f.count == count).then_some(&f.name)
        });
        if let Some(name) = unique {
            put("key", Value::from(&**name));
            put("distinct", count.into());
            return (Ownership::Owned, evidence);
        }
        return (Ownership::Unknown, evidence);
    };
    put("key", Value::from(&*field.name));
    put("distinct", distinct.into());
    let kept = counts.len() as u64;
    let repeated = counts.iter().filter(|(_, times)| 1 < *times).count() as u64;
    let sharing = counts.iter().filter(|(_, times)| SHARING <= *times).count() as u64;
    put("inSeveralParents", repeated.into());
    if !is_exact {
        put("keysCompared", kept.into());
    }
    let share = sharing as f64 / kept.max(1) as f64;
    if repeated == 0 && 0 < kept {
        return (Ownership::Owned, evidence);
    }
    put("inThreeOrMore", super::simulate::tenths(share * 100.0));
    (if SHARED_SHARE <= share { Ownership::Shared } else { Ownership::Unknown }, evidence)
}

fn history(collection: &Collection, array: &Array, fields: &[&Field]) -> (History, Map<String, Value>) {
    let list = |name: &str, names: Vec<&str>| {
        Map::from_iter([(name.to_owned(), Value::from(names.into_iter().map(Value::from).collect::<Vec<_>>()))])
    };
    let snapshots: Vec<&str> = fields.iter().map(|f| &*f.name).filter(|name| is_snapshot(name)).collect();
    if !snapshots.is_empty() {
        return (History::Snapshot, list("fields", snapshots));
    }
    let Some(profile) = &collection.profile else { return (History::Unknown, Map::new()) };
    let parent = profile.field(array.id).map_or(FieldId::ROOT, |f| f.parent);
    // What the parent says of itself, its key and its other arrays aside.
    let own: Vec<&str> = profile
        .children(parent)
        .filter(|(id, f)| *id != array.id && f.kind == FieldKind::Named && !is_key(&f.name))
        .map(|(_, f)| &*f.name)
        .collect();
    let both: Vec<&str> = fields.iter().map(|f| &*f.name).filter(|name| !is_key(name) && own.contains(name)).collect();
    let is_most = own.len() * 6 <= both.len() * 10 && fields.len() * 6 <= both.len() * 10;
    if 3 <= both.len() && is_most && (names_versions(array.path.leaf()) || both.iter().any(|name| names_version(name)))
    {
        return (History::Versions, list("fields", both));
    }
    (History::Unknown, Map::new())
}

fn is_key(name: &str) -> bool {
    matches!(name, "_id" | "id")
}

fn names_versions(name: &str) -> bool {
    const NAMES: &[&str] = &["revision", "version", "histor", "previous", "anterior", "changes", "cambios", "audit"];
    words(name).iter().any(|word| NAMES.iter().any(|name| word.starts_with(name)))
}

fn names_version(name: &str) -> bool {
    words(name).iter().any(|word| ["version", "revision", "rev"].contains(&word.as_str()))
}

/// Whether the children are measured values with a time: numbers and few labels, no texts, no keys.
fn are_readings(fields: &[&Field], count: u64, time: Option<&str>) -> bool {
    // More labels than this are no labels.
    const LABELS: u64 = 20;
    let Some(time) = time else { return false };
    let others: Vec<&&Field> = fields.iter().filter(|f| *f.name != *time).collect();
    let is_number = |f: &&&Field| f.number_count() + f.nulls() == f.count && 0 < f.number_count();
    let is_label = |f: &Field| {
        f.types_found().into_iter().all(|(t, _)| matches!(t, Type::String | Type::Bool | Type::Null))
            && f.distinct_count() <= LABELS
    };
    let is_part = |f: &&&Field| !is_key(&f.name) && (is_number(f) || is_label(f));
    let measured = |f: &&&Field| is_number(f) && count * 9 <= f.count * 10 && 2 < f.distinct_count();
    others.iter().all(is_part) && others.iter().any(measured)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_of_the_past() {
        assert!(names_versions("revisions") && names_versions("historial") && !names_versions("comments"));
        assert!(names_expiry("expiresAt") && !names_expiry("createdAt"));
    }
}
