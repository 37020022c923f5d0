//! Scripts that would cure a finding, as text to read. mongovet never runs one.

pub mod index;
pub mod literal;
pub mod validator;

use crate::catalogue::Namespace;
use crate::catalogue::index::script_string;
use crate::finding::{Remedy, RemedyKind, Safety};

/// A script for mongosh.
pub(crate) fn mongosh(safety: Safety, script: String) -> Remedy {
    Remedy { safety, kind: RemedyKind::Mongosh, script }
}

/// The expression that gives a collection in mongosh, whatever its name and the current database.
pub(crate) fn collection(ns: &Namespace) -> String {
    format!("{}.getCollection({})", database(ns), script_string(&ns.collection))
}

/// The expression that gives a collection's database.
pub(crate) fn database(ns: &Namespace) -> String {
    match &ns.database {
        Some(name) => format!("db.getSiblingDB({})", script_string(name)),
        None => "db".to_owned(),
    }
}
