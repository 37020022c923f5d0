//! The scripts of a decision. mongovet never runs them.

use super::relationship::{Case, Decision};
use crate::finding::Script;
use crate::locale::Lang;

pub(super) fn of(_case: &Case<'_>, _decision: Decision, _lang: Lang) -> Vec<Script> {
    Vec::new()
}
