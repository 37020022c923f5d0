//! Names for what a new form adds: collections and fields, in the style of those that are there, none of them taken.

use crate::catalogue::Namespace;
use crate::facts::names::{marks_more, words};
use crate::model::{Array, Collection, Model};
use crate::profile::FieldKind;
pub(super) use crate::remedy::migration::is_addressable;
use crate::value::event::Type;

/// The names of the parts of every form.
#[derive(Debug, Clone)]
pub(super) struct Names {
    /// The array's own name, the last of its path.
    pub(super) leaf: String,
    /// One child, as a word: `comment`.
    pub(super) child: String,
    /// The collection of the children.
    pub(super) children: Namespace,
    /// The collection of what passes the bound of an outlier form.
    pub(super) overflow: Namespace,
    /// The field with the parent's `_id` in a child.
    pub(super) parent_id: String,
    /// The field with the place that the child had in the array.
    pub(super) place: String,
    /// The field with the newest children in a parent.
    pub(super) newest: String,
    /// The field with the number of children in a parent.
    pub(super) count: String,
    /// Whether the parents lack that field today.
    pub(super) count_is_new: bool,
    /// The field that marks a parent with an overflow.
    pub(super) flag: String,
    /// The field with the keys of the children in a parent.
    pub(super) child_ids: String,
}

/// Names of arrays that say nothing of what they hold.
const GENERIC: &[&str] =
    &["items", "data", "list", "values", "elements", "entries", "children", "lines", "rows", "details"];

impl Names {
    pub(super) fn new(model: &Model, collection: &Collection, array: &Array) -> Names {
        let leaf = array.path.leaf().to_owned();
        let beside = beside(collection, array);
        let inside = inside(collection, array);
        let style = Style::of(beside.iter().chain(&inside));
        let child = or(singular(&leaf), "child");
        let parent = or(singular(collection.ns.collection.rsplit('.').next().unwrap_or_default()), "parent");
        let field = |parts: &[&str], taken: &[String]| free(&style.join(parts), |name| taken.iter().any(|t| t == name));
        let place_taken = |name: &str| model.collections.iter().any(|c| c.ns == named(&collection.ns, name));
        let plain = if GENERIC.contains(&leaf.as_str()) { style.join(&[&parent, &leaf]) } else { leaf.clone() };
        let children = if place_taken(&plain) { style.join(&[&parent, &leaf]) } else { plain };
        let count = style.join(&[&child, "count"]);
        let count_is_new = !beside.contains(&count);
        Names {
            children: named(&collection.ns, &free(&children, place_taken)),
            overflow: named(&collection.ns, &free(&style.join(&[&parent, &leaf, "overflow"]), place_taken)),
            parent_id: field(&[&parent, "id"], &inside),
            place: field(&["place"], &inside),
            newest: field(&["recent", &leaf], &beside),
            flag: field(&["has", "more", &leaf], &beside),
            child_ids: field(&[&child, "ids"], &beside),
            count,
            count_is_new,
            child,
            leaf,
        }
    }
}

/// Names for the forms of a relationship between documents of two collections.
#[derive(Debug, Clone)]
pub(super) struct RelationNames {
    /// One child, as a word: `comment`.
    pub(super) child: String,
    /// One parent, as a word: `post`.
    pub(super) parent: String,
    /// The field of a parent that holds its children whole.
    pub(super) list: String,
    /// Whether that is one document, not an array.
    pub(super) one: bool,
    /// The field of a child with the key of its parent; today's, where it has one.
    pub(super) parent_id: String,
    /// The field of a link with the key of its child.
    pub(super) child_id: String,
    /// The field of a parent with the keys of its children; today's, where it has one.
    pub(super) child_ids: String,
    /// The field of a parent with the newest children.
    pub(super) recent: String,
    /// The field of a parent with the number of its children.
    pub(super) count: String,
    /// A field of a child, or of a link, with its place in a list.
    pub(super) place: String,
    /// A collection with a document for each pair.
    pub(super) links: Namespace,
}

impl RelationNames {
    /// Names for children and parents; `today` is the path of the reference and whether children hold it.
    pub(super) fn new(
        model: &Model,
        parents: &Namespace,
        children: &Namespace,
        today: (&str, bool),
        one: bool,
    ) -> RelationNames {
        let top = |ns: &Namespace| -> Vec<String> {
            let profile = model.collection(ns).and_then(|c| c.profile.as_ref());
            let named = |(_, field): &(_, &crate::profile::Field)| field.kind == FieldKind::Named;
            let fields = profile.iter().flat_map(|p| p.children(crate::profile::FieldId::ROOT));
            fields.filter(named).map(|(_, field)| field.name.to_string()).collect()
        };
        let (in_parents, in_children) = (top(parents), top(children));
        let style = Style::of(in_parents.iter().chain(&in_children));
        let last = |ns: &Namespace| ns.collection.rsplit('.').next().unwrap_or_default().to_owned();
        let child = or(singular(&last(children)), "child");
        let parent = or(singular(&last(parents)), "parent");
        let field = |parts: &[&str], taken: &[String]| free(&style.join(parts), |name| taken.iter().any(|t| t == name));
        let list = if one {
            child.clone()
        } else {
            or(Some(last(children)).filter(|n| is_word(n)).unwrap_or_default(), "children")
        };
        let (path, in_child) = today;
        let place_taken = |name: &str| model.collections.iter().any(|c| c.ns == named(parents, name));
        RelationNames {
            list: field(&[&list], &in_parents),
            one,
            parent_id: if in_child { path.to_owned() } else { field(&[&parent, "id"], &in_children) },
            child_id: style.join(&[&child, "id"]),
            child_ids: if in_child { field(&[&child, "ids"], &in_parents) } else { path.to_owned() },
            recent: field(&["recent", &list], &in_parents),
            count: field(&[&child, "count"], &in_parents),
            place: field(&["place"], &in_children),
            links: named(parents, &free(&style.join(&[&parent, &last(children)]), place_taken)),
            child,
            parent,
        }
    }
}

/// Names for an embedded object that becomes a document of its own.
#[derive(Debug, Clone)]
pub(super) struct ObjectNames {
    /// One of them, as a word.
    pub(super) child: String,
    /// One parent, as a word.
    pub(super) parent: String,
    /// Their collection.
    pub(super) children: Namespace,
    /// The field beside the object that takes its key.
    pub(super) reference: String,
    /// The copies beside it, for each field of the object that is shown.
    pub(super) copies: Vec<(String, String)>,
}

impl ObjectNames {
    pub(super) fn new(model: &Model, collection: &Collection, path: &str, shown: &[String]) -> ObjectNames {
        let leaf = path.rsplit('.').next().unwrap_or(path);
        let holder = path.rsplit_once('.').map_or("", |(holder, _)| holder);
        let beside = collection.fields().filter(|f| f.path.as_str().rsplit_once('.').map_or("", |(h, _)| h) == holder);
        let mut taken: Vec<String> = beside.map(|f| f.leaf().to_owned()).collect();
        let style = Style::of(taken.iter());
        let child = or(Some(leaf.to_owned()).filter(|leaf| is_word(leaf)).unwrap_or_default(), "child");
        let place_taken = |name: &str| model.collections.iter().any(|c| c.ns == named(&collection.ns, name));
        let reference = free(&style.join(&[&child, "id"]), |name| taken.iter().any(|t| t == name));
        taken.push(reference.clone());
        let mut copies = Vec::new();
        for source in shown {
            let field = source.rsplit('.').next().unwrap_or(source);
            let copy = free(&style.join(&[&child, field]), |name| taken.iter().any(|t| t == name));
            taken.push(copy.clone());
            copies.push((source.clone(), copy));
        }
        ObjectNames {
            parent: or(singular(collection.ns.collection.rsplit('.').next().unwrap_or_default()), "parent"),
            children: named(&collection.ns, &free(&plural(&child), place_taken)),
            child,
            reference,
            copies,
        }
    }
}

/// Many of what a word names, as far as the look of the word tells.
fn plural(word: &str) -> String {
    let lower = word.to_lowercase();
    if lower.ends_with('s') {
        word.to_owned()
    } else if lower.ends_with('y') && !["ay", "ey", "oy", "uy"].iter().any(|end| lower.ends_with(end)) {
        format!("{}ies", word.get(..word.len() - 1).unwrap_or(word))
    } else if ["x", "ch", "sh"].iter().any(|end| lower.ends_with(end)) {
        format!("{word}es")
    } else {
        format!("{word}s")
    }
}

/// A field of `owners` with the keys of `others`: `authorIds`.
pub(super) fn keys_of(model: &Model, owners: &Namespace, others: &Namespace) -> String {
    let names = RelationNames::new(model, owners, others, ("", true), false);
    names.child_ids
}

/// The name of a copy beside a reference: `publisherId` and `name` make `publisherName`; a path keeps its last name.
pub(super) fn copy_beside(reference: &str, source: &str, taken: &[String]) -> String {
    let name = reference.rsplit('.').next().unwrap_or(reference);
    let style = Style::of([name.to_owned()].iter());
    let stem = ["_id", "Id", "ID", "_ids", "Ids"].iter().find_map(|ending| name.strip_suffix(ending));
    let stem = stem.filter(|stem| !stem.is_empty()).unwrap_or(name);
    let leaf = source.rsplit('.').next().unwrap_or(source);
    let style = if name.contains('_') { Style::Snake } else { style };
    path_beside(reference, &free(&style.join(&[stem, leaf]), |name| taken.iter().any(|t| t == name)))
}

/// A path beside an array: in the object that holds it.
pub(super) fn path_beside(array: &str, name: &str) -> String {
    match array.rsplit_once('.') {
        Some((object, _)) => format!("{object}.{name}"),
        None => name.to_owned(),
    }
}

/// Whether a boolean beside an array says that there is more elsewhere: `hasOverflow`, `hasMoreComments`.
pub(super) fn has_overflow_mark(collection: &Collection, array: &Array) -> bool {
    let Some(profile) = &collection.profile else { return false };
    let Some(parent) = profile.field(array.id).map(|f| f.parent) else { return false };
    profile
        .children(parent)
        .any(|(_, f)| f.kind == FieldKind::Named && 0 < f.count_of(Type::Bool) && marks_more(&f.name))
}

fn named(ns: &Namespace, collection: &str) -> Namespace {
    Namespace { database: ns.database.clone(), collection: collection.to_owned() }
}

/// The names in the object that holds the array.
fn beside(collection: &Collection, array: &Array) -> Vec<String> {
    let Some(profile) = &collection.profile else { return Vec::new() };
    let parent = profile.field(array.id).map(|f| f.parent);
    parent.map_or_else(Vec::new, |id| children(collection, id))
}

/// The names in the elements of the array.
pub(super) fn inside(collection: &Collection, array: &Array) -> Vec<String> {
    array.element.map_or_else(Vec::new, |id| children(collection, id))
}

fn children(collection: &Collection, id: crate::profile::FieldId) -> Vec<String> {
    let fields = collection.profile.iter().flat_map(|p| p.children(id));
    fields.filter(|(_, f)| f.kind == FieldKind::Named).map(|(_, f)| f.name.to_string()).collect()
}

/// How the names of a collection join their words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Style {
    Camel,
    Snake,
}

impl Style {
    fn of<'a>(names: impl Iterator<Item = &'a String>) -> Style {
        let (mut snake, mut camel) = (0, 0);
        for name in names {
            let inner = name.trim_start_matches('_');
            snake += u32::from(inner.contains('_'));
            camel += u32::from(!inner.contains('_') && inner.chars().skip(1).any(char::is_uppercase));
        }
        if camel < snake { Style::Snake } else { Style::Camel }
    }

    fn join(self, parts: &[&str]) -> String {
        let mut out = String::new();
        for part in parts.iter().filter(|part| !part.is_empty()) {
            let mut letters = part.chars();
            match self {
                Style::Snake if !out.is_empty() => {
                    out.push('_');
                    out.push_str(part);
                }
                Style::Camel if !out.is_empty() => {
                    out.extend(letters.next().into_iter().flat_map(char::to_uppercase));
                    out.push_str(letters.as_str());
                }
                _ => out.push_str(part),
            }
        }
        out
    }
}

/// The name, numbered where it is taken.
fn free(name: &str, taken: impl Fn(&str) -> bool) -> String {
    if !taken(name) {
        return name.to_owned();
    }
    // Names are finite: one of these is free.
    (2..u32::MAX).map(|n| format!("{name}{n}")).find(|name| !taken(name)).unwrap_or_default()
}

/// One of what a plural names, as far as the look of the word tells in English and Spanish; other names as they are.
fn singular(plural: &str) -> String {
    let lower = plural.to_lowercase();
    let cut = |ending: usize| plural.get(..plural.len() - ending).unwrap_or(plural).to_owned();
    if !plural.is_ascii() || words(plural).is_empty() || plural.contains(['.', '$', ' ']) {
        return if is_word(plural) { plural.to_owned() } else { String::new() };
    }
    if lower.ends_with("movies") || lower.ends_with("cookies") || lower.ends_with("ties") && lower.len() <= 4 {
        cut(1)
    } else if lower.ends_with("ies") && 4 < lower.len() && !lower.ends_with("series") {
        cut(3) + "y"
    } else if ["buses", "cuses", "nuses", "puses", "ruses", "tuses"].iter().any(|e| lower.ends_with(e))
        || ["sses", "shes", "ches", "xes", "ciones", "siones", "dores", "tores"].iter().any(|e| lower.ends_with(e))
    {
        cut(2)
    } else if lower.ends_with('s')
        && 3 < lower.len()
        && !["ss", "us", "is", "series"].iter().any(|e| lower.ends_with(e))
    {
        cut(1)
    } else {
        plural.to_owned()
    }
}

fn or(word: String, otherwise: &str) -> String {
    if word.is_empty() { otherwise.to_owned() } else { word }
}

/// Whether a text can be part of a new name.
fn is_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(char::is_alphanumeric)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_of_many() {
        for (many, one) in [
            ("comments", "comment"),
            ("policies", "policy"),
            ("addresses", "address"),
            ("boxes", "box"),
            ("movies", "movie"),
            ("status", "status"),
            ("statuses", "status"),
            ("houses", "house"),
            ("series", "series"),
            ("autores", "autor"),
            ("notificaciones", "notificacion"),
            ("bus", "bus"),
            ("comment", "comment"),
        ] {
            assert_eq!(singular(many), one);
        }
        assert_eq!(singular("a.b$"), "");
    }

    #[test]
    fn names_follow_the_style() {
        let snake = ["user_id".to_owned(), "_id".to_owned()];
        let camel = ["userId".to_owned(), "_id".to_owned()];
        assert_eq!(Style::of(snake.iter()).join(&["post", "id"]), "post_id");
        assert_eq!(Style::of(camel.iter()).join(&["has", "more", "comments"]), "hasMoreComments");
        assert_eq!(free("place", |n| n == "place"), "place2");
        assert!(marks_more("hasOverflow") && marks_more("has_more_comments") && !marks_more("moreInfo"));
        assert_eq!(path_beside("thread.comments", "count"), "thread.count");
    }
}
