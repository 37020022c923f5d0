//! Scripts that take data from one form to another and back, in batches, idempotent and resumable.
//!
//! Each is a body of JavaScript that never changes, beside a plan with the names: so no name becomes code. Values stay
//! on the server (`$merge`), because a shell that reads a Double 5 writes an Int32 back.

use serde::Serialize;

use super::comment;
use crate::catalogue::index::script_string;
use crate::finding::{Safety, Script};

/// Parents that are taken together.
const BATCH: u32 = 500;

/// What a script does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// Into the new form.
    Migrate,
    /// Counts and checksums of both forms.
    Check,
    /// Out of the new form.
    Back,
    /// What only the way back needs goes.
    Finish,
    /// The writes that keep copies.
    Propagate,
    /// What differs between copies and their source.
    Reconcile,
}

/// Children in documents of their own, with their parent's `_id`; where `subset` is given the newest stay as copies.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Apart {
    /// The database, if known.
    pub(crate) database: Option<String>,
    /// Collection of the parents.
    pub(crate) parents: String,
    /// Path of the array.
    pub(crate) path: String,
    /// Collection of the children.
    pub(crate) children: String,
    /// Field of a child with its parent's `_id`.
    pub(crate) parent_id: String,
    /// Field of a child with its place in the array.
    pub(crate) place: String,
    /// Whether the place is not needed once nobody wants to go back.
    pub(crate) place_is_temporary: bool,
    /// Whether each child has an `_id` of its own already, unlike all others.
    pub(crate) own_id: bool,
    /// Fields that a child has only in the new form.
    pub(crate) added: Vec<String>,
    /// Key patterns of the indexes that the children need: fields and directions.
    pub(crate) indexes: Vec<Vec<(String, i32)>>,
    /// The copies in the parents.
    pub(crate) subset: Option<Subset>,
}

/// The newest children as copies in their parent.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Subset {
    /// Path of the copies.
    pub(crate) field: String,
    /// Path of the number of children, where the migration adds it.
    pub(crate) count: Option<String>,
    /// Path of the number of children.
    pub(crate) count_field: String,
    /// How many copies.
    pub(crate) newest: u64,
    /// The order that puts the newest first.
    pub(crate) sort: Vec<(String, i32)>,
}

/// The first children in the document, the rest in pages.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Outlier {
    /// The database, if known.
    pub(crate) database: Option<String>,
    /// Collection of the parents.
    pub(crate) parents: String,
    /// Path of the array.
    pub(crate) path: String,
    /// The array's own name, which it has in a page too.
    pub(crate) leaf: String,
    /// Collection of the pages.
    pub(crate) overflow: String,
    /// Field of a page with its parent's `_id`.
    pub(crate) parent_id: String,
    /// Path of the mark in the parent.
    pub(crate) flag: String,
    /// Elements that stay.
    pub(crate) cap: u64,
    /// Elements of a page.
    pub(crate) page: u64,
}

/// Children that parents share, each once in a document of its own, their keys in the parents.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Shared {
    /// The database, if known.
    pub(crate) database: Option<String>,
    /// Collection of the parents.
    pub(crate) parents: String,
    /// Path of the array.
    pub(crate) path: String,
    /// Collection of the children.
    pub(crate) children: String,
    /// The child's own key.
    pub(crate) key: String,
    /// Path of the keys in a parent.
    pub(crate) child_ids: String,
}

/// Readings in a time series collection.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TimeSeries {
    /// The database, if known.
    pub(crate) database: Option<String>,
    /// Collection of the parents.
    pub(crate) parents: String,
    /// Path of the array.
    pub(crate) path: String,
    /// The new collection.
    pub(crate) children: String,
    /// Field of a reading with its parent's `_id`.
    pub(crate) parent_id: String,
    /// Field of a reading with its time.
    pub(crate) time: String,
}

impl Apart {
    /// One of its scripts; `words` say what it does.
    pub(crate) fn script(&self, step: Step, words: &str) -> Script {
        match step {
            Step::Migrate => script("migrate", Safety::Review, words, self, include_str!("migration/apart-migrate.js")),
            Step::Check => script("check", Safety::Safe, words, self, include_str!("migration/apart-check.js")),
            Step::Back => script("back", Safety::Review, words, self, include_str!("migration/apart-back.js")),
            Step::Finish => script("finish", Safety::Review, words, self, include_str!("migration/apart-finish.js")),
            Step::Propagate => {
                script("propagate", Safety::Manual, words, self, include_str!("migration/subset-propagate.js"))
            }
            Step::Reconcile => {
                script("reconcile", Safety::Safe, words, self, include_str!("migration/subset-reconcile.js"))
            }
        }
    }
}

impl Outlier {
    /// One of its scripts, if it has it; `words` say what it does.
    pub(crate) fn script(&self, step: Step, words: &str) -> Option<Script> {
        Some(match step {
            Step::Migrate => {
                script("migrate", Safety::Review, words, self, include_str!("migration/outlier-migrate.js"))
            }
            Step::Check => script("check", Safety::Safe, words, self, include_str!("migration/outlier-check.js")),
            Step::Back => script("back", Safety::Review, words, self, include_str!("migration/outlier-back.js")),
            Step::Finish | Step::Propagate | Step::Reconcile => return None,
        })
    }
}

impl Shared {
    /// One of its scripts, if it has it; `words` say what it does.
    pub(crate) fn script(&self, step: Step, words: &str) -> Option<Script> {
        Some(match step {
            Step::Migrate => {
                script("migrate", Safety::Review, words, self, include_str!("migration/shared-migrate.js"))
            }
            Step::Check => script("check", Safety::Safe, words, self, include_str!("migration/shared-check.js")),
            Step::Back => script("back", Safety::Review, words, self, include_str!("migration/shared-back.js")),
            Step::Finish | Step::Propagate | Step::Reconcile => return None,
        })
    }
}

impl TimeSeries {
    /// The outline of a move into a time series.
    pub(crate) fn script(&self, words: &str) -> Script {
        script("migrate", Safety::Manual, words, self, include_str!("migration/time-series.js"))
    }
}

fn script(name: &str, safety: Safety, words: &str, plan: &impl Serialize, body: &str) -> Script {
    let plan = serde_json::to_value(plan).map_or_else(|_| "null".to_owned(), |plan| literal(&with_batch(plan), 1));
    let body = body.replacen("HASH\n", include_str!("migration/hash.js"), 1).replacen("PLAN", &plan, 1);
    Script { name: name.to_owned(), safety, script: comment(words) + &body }
}

fn with_batch(mut plan: serde_json::Value) -> serde_json::Value {
    if let Some(fields) = plan.as_object_mut() {
        fields.insert("batch".to_owned(), BATCH.into());
    }
    plan
}

/// A plan as a literal, a line each name. Its own names are plain words; those of the user are values in it.
fn literal(plan: &serde_json::Value, level: usize) -> String {
    match plan {
        serde_json::Value::Object(fields) => {
            let indent = "  ".repeat(level);
            let line = |(name, value): (&String, _)| format!("{indent}  {name}: {},\n", literal(value, level + 1));
            format!("{{\n{}{indent}}}", fields.iter().map(line).collect::<String>())
        }
        serde_json::Value::Array(elements) => {
            format!("[{}]", elements.iter().map(|e| literal(e, level + 1)).collect::<Vec<_>>().join(", "))
        }
        serde_json::Value::String(value) => script_string(value),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_values_of_the_plan() {
        let plan = Outlier {
            database: None,
            parents: "a\"b".into(),
            path: "x`${y}`".into(),
            leaf: "x".into(),
            overflow: "PLAN".into(),
            parent_id: "__proto__".into(),
            flag: "\u{2028}".into(),
            cap: 20,
            page: 200,
        };
        let script = plan.script(Step::Migrate, "Moves\nall").expect("it has one");
        assert!(script.script.starts_with("// Moves all\n{\n  const plan = {\n    batch: 500,\n    cap: 20,\n"));
        for line in
            ["    database: null,", r#"    parents: "a\"b","#, r#"    path: "x`${y}`","#, r#"    flag: "\u2028","#]
        {
            assert!(script.script.contains(line), "{line} in {}", script.script);
        }
        assert!(plan.script(Step::Finish, "").is_none());
    }
}
