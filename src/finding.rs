//! What is said, without words or formats: findings, remedies, recommendations.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

pub use crate::value::location::{Location, Position};

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// An opportunity.
    Info,
    /// Measured harm.
    Warning,
    /// A fact: the server refuses it, a limit is passed, the result is wrong.
    Error,
}

/// What a finding rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Certainty {
    /// A heuristic; the finding says which.
    Inferred,
    /// Counted on the data, with the sample size.
    Measured,
    /// Follows from the syntax or the server's rules.
    Certain,
}

/// How careful one must be with a script.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Safety {
    /// Changes no data and can be undone at once.
    Safe,
    /// Changes data or behaviour: read it first.
    Review,
    /// Outlines work that a person must do.
    Manual,
}

/// What a remedy's script is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RemedyKind {
    /// A mongosh script.
    Mongosh,
    /// A validator document.
    Validator,
    /// An aggregation pipeline.
    Pipeline,
    /// Prose.
    Text,
}

/// A script that would cure a finding. mongovet never runs it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Remedy {
    /// How careful one must be.
    pub safety: Safety,
    /// What the script is.
    pub kind: RemedyKind,
    /// The script itself.
    pub script: String,
}

/// One thing that is wrong or risky, as it stands in the report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// Rule id, such as `document/large-array`.
    pub rule: String,
    /// How bad.
    pub severity: Severity,
    /// What it rests on.
    pub certainty: Certainty,
    /// Namespace, where one applies.
    pub collection: Option<String>,
    /// Field path in dot notation, where one applies.
    pub path: Option<String>,
    /// Index name, where one applies.
    pub index: Option<String>,
    /// 0-based stage of a pipeline, where one applies.
    pub stage: Option<u32>,
    /// Source place, where one applies.
    pub location: Option<Location>,
    /// What is wrong.
    pub message: String,
    /// Why it hurts.
    pub why: String,
    /// What to do.
    pub help: String,
    /// The named figures that the words use.
    pub evidence: Map<String, Value>,
    /// A script, where one exists.
    pub remedy: Option<Remedy>,
    /// The rule page.
    pub docs: String,
    /// Stable identity of the finding across runs (16 hex digits).
    pub fingerprint: String,
}

/// One criterion of a decision, answered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Criterion {
    /// Name of the criterion, such as `growth`.
    pub name: String,
    /// `yes`, `no`, `unknown`, or the measured word such as `unbounded`.
    pub answer: String,
    /// `embedding`, `referencing`, or nothing where the answer favours neither.
    pub favours: Option<String>,
    /// Weight, which only orders the display.
    pub weight: u8,
    /// The named figures.
    pub evidence: Map<String, Value>,
}

/// One alternative of a decision, with its arithmetic.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Alternative {
    /// The form, in the words of `decision`.
    pub decision: String,
    /// Why this form is out, where it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub out: Option<String>,
    /// The named figures.
    pub figures: Map<String, Value>,
}

/// A named script of a recommendation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Script {
    /// What it does, such as `migrate`.
    pub name: String,
    /// How careful one must be.
    pub safety: Safety,
    /// The script itself.
    pub script: String,
}

/// The answer to a design question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Recommendation {
    /// `relationship`, `pattern`, `index-set`, `shard-key` or `derived`.
    pub kind: String,
    /// What it is about, such as `blog.posts.comments`.
    pub subject: String,
    /// Namespace.
    pub collection: Option<String>,
    /// The present form, in the words of `decision`.
    pub today: String,
    /// The decision.
    pub decision: String,
    /// What it rests on.
    pub certainty: Certainty,
    /// The reason in one sentence.
    pub why: String,
    /// The criteria, answered one by one.
    pub criteria: Vec<Criterion>,
    /// The alternatives with their arithmetic, today's form first.
    pub alternatives: Vec<Alternative>,
    /// What is unknown and would change the answer.
    pub asks: Vec<String>,
    /// The scripts.
    pub scripts: Vec<Script>,
}
