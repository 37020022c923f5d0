//! Documents of one collection that become elements of those that they refer to, whole or as the key beside it.

use serde::Serialize;

use super::{Step, are_together, is_addressable, is_field, is_writable, script};
use crate::catalogue::Namespace;
use crate::finding::Script;
use crate::locale::Lang;

/// Children of another collection as an array in their parent, or as an object where each parent has one.
///
/// The children stay apart until the last step; so the way back finds the very same documents. After it they are made
/// from their parents: then a reference that is nested comes back as the last field of its object.
#[derive(Debug, Clone)]
pub struct Together {
    /// The order of the array: fields of a child and directions. `_id` decides among equals.
    pub sort: Vec<(String, i32)>,
    /// Whether a parent has one child, which becomes an object.
    pub one: bool,
    /// Fields that stand before the reference in a child, besides `_id`: the way back after the last step puts it there.
    pub before: Vec<String>,
    gathered: Gathered,
}

/// The links of an association as the list of keys in one of its sides.
///
/// The links stay until the last step, with their keys; after it, the way back gives them new ones.
#[derive(Debug, Clone)]
pub struct Listed {
    gathered: Gathered,
}

/// What the bodies ask for.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
struct Gathered {
    database: Option<String>,
    parents: String,
    target: String,
    path: String,
    children: String,
    parent_id: String,
    value: Option<String>,
    sort: Vec<(String, i32)>,
    one: bool,
    before: Vec<String>,
}

impl Together {
    /// The plan that puts `children` under `path` into the parents whose `target` their `parent_id` equals.
    ///
    /// There is none where the paths cannot be written, or the collections are not two of one database.
    pub fn new(
        parents: &Namespace,
        path: &str,
        target: &str,
        children: &Namespace,
        parent_id: &str,
    ) -> Option<Together> {
        let gathered = Gathered::new(parents, path, target, children, parent_id)?;
        Some(Together { sort: Vec::new(), one: false, before: Vec::new(), gathered })
    }

    /// One of its scripts, if it has it; `words` say what it does.
    pub fn script(&self, step: Step, words: &str) -> Option<Script> {
        let mut sort = self.sort.clone();
        if sort.iter().all(|(field, _)| field != "_id") {
            sort.push(("_id".to_owned(), 1));
        }
        sort.retain(|(field, _)| is_addressable(field));
        let before = self.before.iter().filter(|name| is_field(name) && **name != self.gathered.parent_id);
        let before = before.cloned().collect();
        Gathered { sort, one: self.one, before, ..self.gathered.clone() }.script(step, words)
    }

    /// What a step does, for its header.
    pub fn words(step: Step, lang: Lang) -> &'static str {
        let sentences = lang.sentences();
        match step {
            Step::Migrate => sentences.scripts.together_migrate,
            Step::Back => sentences.scripts.together_back,
            Step::Finish => sentences.scripts.together_finish,
            Step::Check => sentences.advice.script_check,
            Step::Propagate => sentences.advice.script_propagate,
            Step::Reconcile => sentences.advice.script_reconcile,
        }
    }
}

impl Listed {
    /// The plan that puts the second reference of each link into `array` of the document that the first one names.
    ///
    /// There is none where the paths cannot be written, or the collections are not two of one database. A link that
    /// says more than its two references is found by the script, which then changes nothing.
    pub fn new(owners: &Namespace, array: &str, links: &Namespace, [owner, other]: [&str; 2]) -> Option<Listed> {
        if owner == other || !is_field(owner) || !is_field(other) {
            return None;
        }
        let gathered = Gathered::new(owners, array, "_id", links, owner)?;
        Some(Listed { gathered: Gathered { value: Some(other.to_owned()), ..gathered } })
    }

    /// One of its scripts, if it has it; `words` say what it does.
    pub fn script(&self, step: Step, words: &str) -> Option<Script> {
        self.gathered.script(step, words)
    }

    /// What a step does, for its header.
    pub fn words(step: Step, lang: Lang) -> &'static str {
        let sentences = lang.sentences();
        match step {
            Step::Migrate => sentences.scripts.listed_migrate,
            Step::Back => sentences.scripts.listed_back,
            Step::Finish => sentences.scripts.listed_finish,
            Step::Check => sentences.advice.script_check,
            Step::Propagate => sentences.advice.script_propagate,
            Step::Reconcile => sentences.advice.script_reconcile,
        }
    }
}

impl Gathered {
    fn new(parents: &Namespace, path: &str, target: &str, children: &Namespace, parent_id: &str) -> Option<Gathered> {
        if !are_together(parents, children) {
            return None;
        }
        (is_writable(path) && is_addressable(target) && is_writable(parent_id)).then(|| Gathered {
            database: parents.database.clone(),
            parents: parents.collection.clone(),
            target: target.to_owned(),
            path: path.to_owned(),
            children: children.collection.clone(),
            parent_id: parent_id.to_owned(),
            value: None,
            sort: vec![("_id".to_owned(), 1)],
            one: false,
            before: Vec::new(),
        })
    }

    fn script(&self, step: Step, words: &str) -> Option<Script> {
        let body = match step {
            Step::Migrate => include_str!("gather-migrate.js"),
            Step::Check => include_str!("gather-check.js"),
            Step::Back => include_str!("gather-back.js"),
            Step::Finish => include_str!("gather-finish.js"),
            Step::Propagate | Step::Reconcile => return None,
        };
        Some(script(step, words, self, body))
    }
}
