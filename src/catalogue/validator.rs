//! Validators: a compiled form that says which clause a document fails.

use serde::{Deserialize, Serialize};

use super::Origin;
use crate::value::Value;
use crate::value::location::Location;

/// When the server validates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub enum Level {
    /// Never.
    Off,
    /// Not on updates of documents that fail already.
    Moderate,
    /// On every insert and update.
    #[default]
    Strict,
}

/// What the server does with a document that fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub enum Action {
    /// Writes it and logs.
    Warn,
    /// Refuses it.
    #[default]
    Error,
    /// Refuses it and logs (8.1 and later).
    ErrorAndLog,
}

/// A validator with what the server does with it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Validator {
    /// The query expression, as given; usually `{$jsonSchema: …}`.
    pub expression: Value,
    /// When the server validates.
    pub level: Level,
    /// What happens to documents that fail.
    pub action: Action,
    /// Whether it is in force or only wanted.
    pub origin: Origin,
    /// Where it stands.
    pub location: Option<Location>,
}
