//! Trees: documents that refer to others of their collection, by their parent, their children, all above them, or a
//! path of names.

use std::collections::BTreeSet;

use super::{Collection, Model};
use crate::catalogue::Namespace;
use crate::facts::names;
use crate::profile::FieldKind;
use crate::value::Type;
use crate::value::event::Item;
use crate::value::hash::hash_text;

/// A field that holds a tree together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tree {
    /// Its collection.
    pub ns: Namespace,
    /// Its path.
    pub path: String,
    /// What it holds.
    pub kind: TreeKind,
}

/// What the field of a tree holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum TreeKind {
    /// The key of the parent.
    Parent,
    /// The keys of the children.
    Children,
    /// The keys of all above.
    Ancestors,
    /// The names or keys of all above, in one text.
    Path,
}

impl TreeKind {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            TreeKind::Parent => "parent",
            TreeKind::Children => "children",
            TreeKind::Ancestors => "ancestors",
            TreeKind::Path => "path",
        }
    }
}

/// Documents of which a text must be the beginning of another one's, and share that must hold separators.
const MIN_NESTED: usize = 3;
/// What stands between the names of a path.
const SEPARATORS: &[char] = &['/', ',', '.', '#', '>', '|', ':'];

/// The fields that hold trees together, in the order of collections and paths.
pub(super) fn find(model: &Model) -> Vec<Tree> {
    let mut found = Vec::new();
    for relation in model.relations.iter().filter(|relation| relation.is_self()) {
        let words = names::words(relation.path.leaf());
        let has = |table: &str| words.iter().any(|word| table.split(' ').any(|listed| listed == word));
        let kind = match relation.many {
            false => TreeKind::Parent,
            true if has("child children childs hijo hijos subcategories descendant descendants") => TreeKind::Children,
            true if has("ancestor ancestors ancestro ancestros parent parents padre padres") => TreeKind::Ancestors,
            // Documents that are alike refer to each other and make no tree.
            true => continue,
        };
        found.push(Tree { ns: relation.from.clone(), path: relation.path.to_string(), kind });
    }
    for collection in &model.collections {
        let named = |at: &super::FieldRef<'_>| {
            at.field.kind == FieldKind::Named
                && 0 < at.field.count_of(Type::String)
                && !at.path.as_str().contains('.')
                && names::words(at.leaf()).last().is_some_and(|word| {
                    matches!(
                        word.as_str(),
                        "path" | "ruta" | "lineage" | "linaje" | "ancestry" | "breadcrumb" | "hierarchy"
                    )
                })
        };
        for at in collection.fields().filter(named) {
            if nests(collection, at.path.as_str()) {
                found.push(Tree { ns: collection.ns.clone(), path: at.path.to_string(), kind: TreeKind::Path });
            }
        }
    }
    found.sort_by(|a, b| (&a.ns, &a.path).cmp(&(&b.ns, &b.path)));
    found
}

/// Whether texts of a field are beginnings of others, cut at a separator.
fn nests(collection: &Collection, path: &str) -> bool {
    let mut texts: Vec<String> = Vec::new();
    collection.each_sampled(|document| {
        if let Some(Item::String(text)) = document.get(path) {
            texts.push(text.to_owned());
        }
    });
    let trimmed = |text: &str| text.trim_matches(SEPARATORS).to_owned();
    let whole: BTreeSet<u64> = texts.iter().map(|text| hash_text(&trimmed(text))).collect();
    let nested = texts.iter().filter(|text| {
        let text = trimmed(text);
        text.rfind(SEPARATORS).and_then(|end| text.get(..end)).is_some_and(|above| whole.contains(&hash_text(above)))
    });
    MIN_NESTED.max(texts.len() / 2) <= nested.count()
}
