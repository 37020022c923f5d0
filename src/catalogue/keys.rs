//! The keys that a document has in an index, as the server makes them: arrays give one for each element.

use super::Index;
use super::validator::{Filter, Verdict};
use crate::order::Ordered;
use crate::value::event::{Document, Item};
use crate::value::key::{self, FieldOrder};

/// Makes the keys of one index.
#[derive(Debug)]
pub struct KeyMaker {
    paths: Vec<Vec<String>>,
    filter: Option<Filter>,
    sparse: bool,
}

/// What an index has of one document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Keys {
    /// The document is left out: it fails the partial filter, or the index is sparse and it has none of the fields.
    Left,
    /// Whether it is left out cannot be judged here.
    Unknown,
    /// The server refuses the document: two of the fields are different arrays.
    ParallelArrays,
    /// Its keys, each once.
    Made(Vec<Key>),
}

/// One key.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    /// Equal bytes for keys that the server takes for equal (byte order of strings, no collation).
    pub bytes: Vec<u8>,
    /// Whether a part is there only because the field is missing or null.
    pub has_null: bool,
}

/// Keys of one document beyond which no more are made: more would only repeat the finding.
const MOST_KEYS: usize = 10_000;
/// Arrays within arrays that are followed.
const DEEPEST: u32 = 20;

#[derive(Clone, Copy)]
struct Slot<'k> {
    /// The value reached so far; none where the path ends in nothing.
    at: Option<usize>,
    rest: &'k [String],
    /// Whether a value of an array was taken whole already, so that it spreads no more.
    whole: bool,
}

impl KeyMaker {
    /// None where the keys are not plain values of named paths (text, geo, hashed, wildcard).
    pub fn new(index: &Index) -> Option<KeyMaker> {
        if !index.is_plain() {
            return None;
        }
        let paths = index.key.iter().map(|(path, _)| path.split('.').map(str::to_owned).collect()).collect();
        Some(KeyMaker { paths, filter: index.partial_filter.as_ref().map(Filter::new), sparse: index.sparse })
    }

    /// The keys of a document.
    pub fn keys(&self, document: &Document<'_>) -> Keys {
        match self.filter.as_ref().map(|filter| filter.matches(document)) {
            Some(Verdict::Fails) => return Keys::Left,
            Some(Verdict::Unknown) => return Keys::Unknown,
            Some(Verdict::Passes) | None => {}
        }
        let slots: Vec<Slot<'_>> =
            self.paths.iter().map(|path| Slot { at: Some(0), rest: path, whole: false }).collect();
        if self.sparse && slots.iter().all(|slot| !exists(document, 0, slot.rest, 0)) {
            return Keys::Left;
        }
        let mut made = Vec::new();
        if !spread(document, &slots, 0, &mut made) {
            return Keys::ParallelArrays;
        }
        made.order();
        made.dedup();
        Keys::Made(made)
    }
}

/// Whether a path reaches anything, through arrays too.
fn exists(document: &Document<'_>, at: usize, rest: &[String], depth: u32) -> bool {
    let Some((name, deeper)) = rest.split_first() else { return true };
    match document.entries.get(at).map(|e| e.item) {
        Some(Item::Object { .. }) => document
            .children(at)
            .find(|(_, e)| e.key == name)
            .is_some_and(|(position, _)| exists(document, position, deeper, depth)),
        Some(Item::Array { .. }) if depth < DEEPEST => document
            .children(at)
            .any(|(position, e)| matches!(e.item, Item::Object { .. }) && exists(document, position, rest, depth + 1)),
        _ => false,
    }
}

/// Walks all paths to their values or to an array, and spreads over the array. False where there are two arrays.
fn spread(document: &Document<'_>, slots: &[Slot<'_>], depth: u32, made: &mut Vec<Key>) -> bool {
    if made.len() >= MOST_KEYS {
        return true;
    }
    let slots: Vec<Slot<'_>> = slots.iter().map(|slot| walk(document, *slot)).collect();
    let is_array = |slot: &Slot<'_>| {
        let item = slot.at.and_then(|at| document.entries.get(at)).map(|e| e.item);
        !slot.whole && matches!(item, Some(Item::Array { .. }))
    };
    let mut arrays = slots.iter().filter(|slot| is_array(slot)).filter_map(|slot| slot.at);
    let Some(array) = arrays.next() else {
        made.push(key_of(document, &slots));
        return true;
    };
    if arrays.any(|other| other != array) {
        return false;
    }
    if depth >= DEEPEST {
        return true;
    }
    let mut elements = document.children(array).peekable();
    if elements.peek().is_none() {
        // An empty array has one key, which is none of its elements.
        let empty: Vec<Slot<'_>> = slots
            .iter()
            .map(|slot| if is_array(slot) { Slot { at: None, whole: slot.rest.is_empty(), ..*slot } } else { *slot })
            .collect();
        made.push(key_of(document, &empty));
        return true;
    }
    for (position, _) in elements {
        let inner: Vec<Slot<'_>> = slots
            .iter()
            .map(|slot| {
                if is_array(slot) {
                    Slot { at: Some(position), rest: slot.rest, whole: slot.rest.is_empty() }
                } else {
                    *slot
                }
            })
            .collect();
        if !spread(document, &inner, depth + 1, made) {
            return false;
        }
    }
    true
}

/// Follows a path through objects, up to its value, an array, or nothing.
fn walk<'k>(document: &Document<'_>, mut slot: Slot<'k>) -> Slot<'k> {
    while let (Some(at), Some((name, rest))) = (slot.at, slot.rest.split_first()) {
        match document.entries.get(at).map(|e| e.item) {
            Some(Item::Object { .. }) => {
                slot.at = document.children(at).find(|(_, e)| e.key == name).map(|(position, _)| position);
                slot.rest = rest;
            }
            Some(Item::Array { .. }) if !slot.whole => {
                // A number in a path may name the place of an element.
                let place = name.parse::<usize>().ok().and_then(|place| document.children(at).nth(place));
                let Some((position, _)) = place else { return slot };
                slot.at = Some(position);
                slot.rest = rest;
            }
            _ => slot.at = None,
        }
    }
    slot
}

fn key_of(document: &Document<'_>, slots: &[Slot<'_>]) -> Key {
    let mut key = Key { bytes: Vec::new(), has_null: false };
    for slot in slots {
        match slot.at {
            Some(at) => {
                let item = document.entries.get(at).map(|e| e.item);
                key.has_null |= matches!(item, Some(Item::Null | Item::Undefined));
                key::push(document, at, FieldOrder::Counts, &mut key.bytes);
            }
            // The key of an empty array is `undefined`, which is not null.
            None if slot.whole => key.bytes.push(u8::MAX),
            None => {
                key.has_null = true;
                key::push_scalar(&Item::Null, &mut key.bytes);
            }
        }
    }
    key
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::Origin;
    use crate::catalogue::validator::tests::with_document;
    use crate::value::Value;
    use crate::value::samples::json;

    fn index(key: &[&str]) -> Index {
        let pattern: Vec<(String, Value)> = key.iter().map(|path| ((*path).to_owned(), Value::Int(1))).collect();
        Index::of_key(&pattern, Origin::Wanted)
    }

    fn keys(index: &Index, text: &str) -> Keys {
        with_document(text, |document| KeyMaker::new(index).unwrap().keys(document))
    }

    fn count(key: &[&str], text: &str) -> usize {
        match keys(&index(key), text) {
            Keys::Made(keys) => keys.len(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn arrays_give_one_key_for_each_element() {
        assert_eq!(count(&["a"], r#"{"a":[1,2,{"$d":2},3]}"#), 3);
        assert_eq!(count(&["a"], r#"{"a":[]}"#), 1);
        assert_eq!(count(&["a.b"], r#"{"a":[{"b":[1,2]},{"b":3},{"c":1}]}"#), 4);
        assert_ne!(keys(&index(&["a"]), r#"{"a":[]}"#), keys(&index(&["a"]), "{}"));
        // Two fields of one element go together.
        assert_eq!(count(&["a.b", "a.c"], r#"{"a":[{"b":1,"c":1},{"b":2,"c":2}]}"#), 2);
        assert_eq!(count(&["a.b", "x"], r#"{"a":[{"b":1},{"b":2}],"x":5}"#), 2);
    }

    #[test]
    fn two_arrays_are_refused() {
        assert_eq!(keys(&index(&["a", "b"]), r#"{"a":[1],"b":[2]}"#), Keys::ParallelArrays);
        assert_eq!(keys(&index(&["a.b", "a.c"]), r#"{"a":[{"b":[1],"c":[2]}]}"#), Keys::ParallelArrays);
        assert_eq!(keys(&index(&["a.b", "c"]), r#"{"a":[{"b":1}],"c":[2]}"#), Keys::ParallelArrays);
        assert_eq!(count(&["a", "b"], r#"{"a":[1],"b":2}"#), 1);
    }

    #[test]
    fn what_is_missing_is_null() {
        let made = |text| match keys(&index(&["a", "b"]), text) {
            Keys::Made(keys) => keys,
            other => panic!("{other:?}"),
        };
        assert_eq!(made(r#"{"a":1}"#), made(r#"{"a":{"$d":1},"b":null}"#));
        assert!(made(r#"{"a":1}"#)[0].has_null);
        assert!(!made(r#"{"a":1,"b":2}"#)[0].has_null);
    }

    #[test]
    fn filters_and_sparse_leave_documents_out() {
        let mut partial = index(&["a"]);
        partial.partial_filter = Some(json(r#"{"active":true}"#));
        assert_eq!(keys(&partial, r#"{"a":1,"active":false}"#), Keys::Left);
        assert!(matches!(keys(&partial, r#"{"a":1,"active":true}"#), Keys::Made(_)));
        let mut sparse = index(&["a.b", "c"]);
        sparse.sparse = true;
        assert_eq!(keys(&sparse, r#"{"a":[{"x":1}]}"#), Keys::Left);
        assert!(matches!(keys(&sparse, r#"{"c":null}"#), Keys::Made(_)));
    }
}
