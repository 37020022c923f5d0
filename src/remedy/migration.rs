//! Scripts that take data from one form to another and back, in batches, idempotent and resumable.
//!
//! Each is a body of JavaScript that never changes, beside a plan with the names: so no name becomes code. Values stay
//! on the server (`$merge`), because a shell that reads a Double 5 writes an Int32 back.

mod associated;
mod extended;
mod extracted;
mod gathered;
mod kept;
mod reversed;

use serde::Serialize;

pub use associated::Associated;
pub use extended::ExtendedReference;
pub use extracted::Extracted;
pub use gathered::{Listed, Together};
pub use kept::Kept;
pub use reversed::Reversed;

use super::comment;
use crate::catalogue::Namespace;
use crate::catalogue::index::script_string;
use crate::finding::{Safety, Script};

/// Parents that are taken together.
const BATCH: u32 = 500;

/// What bodies share, by the word that stands for it.
const SHARED: &[(&str, &str)] = &[
    ("HASH\n", include_str!("migration/hash.js")),
    ("BATCHES\n", include_str!("migration/batches.js")),
    ("GATHER\n", include_str!("migration/gather.js")),
    ("KEPT\n", include_str!("migration/kept.js")),
    ("COPIES\n", include_str!("migration/copies.js")),
    ("RENAME\n", include_str!("migration/rename.js")),
];

/// What a script does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
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

impl Step {
    /// All steps, in the order in which one takes them.
    pub const ALL: [Step; 6] = [Step::Migrate, Step::Check, Step::Back, Step::Finish, Step::Propagate, Step::Reconcile];

    /// The name of its script.
    pub fn name(self) -> &'static str {
        match self {
            Step::Migrate => "migrate",
            Step::Check => "check",
            Step::Back => "back",
            Step::Finish => "finish",
            Step::Propagate => "propagate",
            Step::Reconcile => "reconcile",
        }
    }

    /// How careful one must be with it: only reads, writes what can be taken back, or is code for the application.
    fn safety(self) -> Safety {
        match self {
            Step::Check | Step::Reconcile => Safety::Safe,
            Step::Migrate | Step::Back | Step::Finish => Safety::Review,
            Step::Propagate => Safety::Manual,
        }
    }
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
            Step::Migrate => script(Step::Migrate, words, self, include_str!("migration/apart-migrate.js")),
            Step::Check => script(Step::Check, words, self, include_str!("migration/apart-check.js")),
            Step::Back => script(Step::Back, words, self, include_str!("migration/apart-back.js")),
            Step::Finish => script(Step::Finish, words, self, include_str!("migration/apart-finish.js")),
            Step::Propagate => script(Step::Propagate, words, self, include_str!("migration/subset-propagate.js")),
            Step::Reconcile => script(Step::Reconcile, words, self, include_str!("migration/subset-reconcile.js")),
        }
    }
}

impl Outlier {
    /// One of its scripts, if it has it; `words` say what it does.
    pub(crate) fn script(&self, step: Step, words: &str) -> Option<Script> {
        Some(match step {
            Step::Migrate => script(Step::Migrate, words, self, include_str!("migration/outlier-migrate.js")),
            Step::Check => script(Step::Check, words, self, include_str!("migration/outlier-check.js")),
            Step::Back => script(Step::Back, words, self, include_str!("migration/outlier-back.js")),
            Step::Finish | Step::Propagate | Step::Reconcile => return None,
        })
    }
}

impl Shared {
    /// One of its scripts, if it has it; `words` say what it does.
    pub(crate) fn script(&self, step: Step, words: &str) -> Option<Script> {
        Some(match step {
            Step::Migrate => script(Step::Migrate, words, self, include_str!("migration/shared-migrate.js")),
            Step::Check => script(Step::Check, words, self, include_str!("migration/shared-check.js")),
            Step::Back => script(Step::Back, words, self, include_str!("migration/shared-back.js")),
            Step::Finish | Step::Propagate | Step::Reconcile => return None,
        })
    }
}

impl TimeSeries {
    /// The outline of a move into a time series.
    pub(crate) fn script(&self, words: &str) -> Script {
        let outline = script(Step::Migrate, words, self, include_str!("migration/time-series.js"));
        Script { safety: Safety::Manual, ..outline }
    }
}

/// Whether queries and updates can name every part of a path: no empty part, none that starts with `$`.
///
/// A name that holds a dot makes a path that leads elsewhere; the caller checks that the path finds what it means.
pub(crate) fn is_addressable(path: &str) -> bool {
    path.split('.').all(|part| !part.is_empty() && !part.starts_with('$') && !part.contains('\0'))
}

/// Whether a name is that of a field which can be written: one part, and not the key that never changes.
fn is_field(name: &str) -> bool {
    is_addressable(name) && !name.contains('.') && name != "_id"
}

/// Whether all of a path but the key that never changes can be written.
fn is_writable(path: &str) -> bool {
    is_addressable(path) && path.split('.').next() != Some("_id")
}

/// Whether two collections are of one database: only then can one be looked up and written from the other.
fn are_together(one: &Namespace, other: &Namespace) -> bool {
    one.database == other.database && one != other
}

fn script(step: Step, words: &str, plan: &impl Serialize, body: &str) -> Script {
    let plan = serde_json::to_value(plan).map_or_else(|_| "null".to_owned(), |plan| literal(&with_batch(plan), 1));
    let mut body = body.to_owned();
    for (word, part) in SHARED {
        body = body.replacen(word, part, 1);
    }
    // The plan comes last: what it names stands for nothing.
    Script {
        name: step.name().to_owned(),
        safety: step.safety(),
        script: comment(words) + &body.replacen("PLAN", &plan, 1),
    }
}

/// A script of a plan that has no batches, to run on a test database.
pub(crate) fn planned(name: &str, words: &str, plan: &impl Serialize, body: &str) -> Script {
    let plan = serde_json::to_value(plan).map_or_else(|_| "null".to_owned(), |plan| literal(&plan, 1));
    let script = comment(words) + &body.replacen("PLAN", &plan, 1);
    Script { name: name.to_owned(), safety: Safety::Review, script }
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

    fn ns(collection: &str) -> Namespace {
        Namespace { database: Some("PLAN".into()), collection: collection.to_owned() }
    }

    /// A script of each plan and step.
    fn scripts() -> Vec<Script> {
        let (a, b) = (ns("GATHER\n"), ns("HASH\n"));
        let together = Together::new(&a, "of.\"list\"", "_id", &b, "`${parent}`").expect("it can be written");
        let listed = Listed::new(&a, "list", &b, ["owner", "other"]).expect("it can be written");
        let fields = [("name".to_owned(), "copied name".to_owned())];
        let extended = ExtendedReference::new(&a, Some("items"), "product.id", &b, "_id", &fields);
        let extended = extended.expect("it can be written");
        let reversed = Reversed::new(&a, "of.ids", &b, "parentId", "place").expect("it can be written");
        let associated = Associated::new(&a, "of.ids", &b, ["owner", "other"], "place").expect("it can be written");
        let extracted = Extracted::new(&a, "of.venue", &b, "code", "venueId", &fields).expect("it can be written");
        let of = |step| {
            let words = "Says what it does";
            [
                together.script(step, words),
                listed.script(step, words),
                extended.script(step, words),
                reversed.script(step, words),
                associated.script(step, words),
                extracted.script(step, words),
            ]
        };
        Step::ALL.into_iter().flat_map(of).flatten().collect()
    }

    #[test]
    fn a_body_asks_its_plan_for_nothing_that_it_lacks() {
        let scripts = scripts();
        assert_eq!(scripts.len(), 4 + 4 + 5 + 4 + 4 + 3);
        for Script { name, script, .. } in scripts {
            let (plan, body) = script.split_once("\n  };\n").expect("the plan ends");
            let names: Vec<&str> = plan
                .lines()
                .filter_map(|line| line.strip_prefix("    ")?.split_once(": "))
                .map(|(name, _)| name)
                .collect();
            let asked = body.split("plan.").skip(1).map(|rest| {
                rest.split(|letter: char| !letter.is_ascii_alphanumeric()).next().expect("a split has a first part")
            });
            for asked in asked {
                assert!(names.contains(&asked), "{name} asks for {asked} of {names:?}");
            }
            for word in ["HASH", "BATCHES", "GATHER", "COPIES", "RENAME", "PLAN"] {
                assert!(!body.contains(word), "{name} still says {word}");
            }
        }
    }

    #[test]
    fn how_careful_one_must_be_follows_from_the_step() {
        for Script { name, safety, .. } in scripts() {
            let expected = match name.as_str() {
                "check" | "reconcile" => Safety::Safe,
                "propagate" => Safety::Manual,
                _ => Safety::Review,
            };
            assert_eq!(safety, expected, "{name}");
        }
    }

    #[test]
    fn what_cannot_be_written_has_no_plan() {
        let (a, b) = (ns("a"), ns("b"));
        assert!(Together::new(&a, "$list", "_id", &b, "parentId").is_none());
        assert!(Together::new(&a, "list", "_id", &b, "_id").is_none());
        assert!(Together::new(&a, "list", "_id", &a, "parentId").is_none());
        let elsewhere = Namespace { database: None, ..ns("b") };
        assert!(Together::new(&a, "list", "_id", &elsewhere, "parentId").is_none());
        assert!(Listed::new(&a, "list", &b, ["owner.id", "other"]).is_none());
        assert!(Listed::new(&a, "list", &b, ["owner", "owner"]).is_none());
        let fields = |copy: &str| [("name".to_owned(), copy.to_owned())];
        assert!(ExtendedReference::new(&a, None, "b", &b, "_id", &fields("c.d")).is_none());
        assert!(ExtendedReference::new(&a, None, "b", &b, "_id", &fields("b")).is_none());
        assert!(ExtendedReference::new(&a, None, "b", &b, "_id", &[]).is_none());
        assert!(Reversed::new(&a, "ids", &b, "parentId", "parentId").is_none());
        assert!(Extracted::new(&a, "venue", &b, "_id", "venue", &[]).is_none());
        assert!(Extracted::new(&a, "venue", &b, "_id", "venueId", &fields("venueId")).is_none());
        assert!(Extracted::new(&a, "venue", &b, "_id", "venueId", &[]).is_some_and(|plan| plan.copies().is_none()));
    }
}
