//! Embed, reference, or a form in between: decided for each embedded array of objects.

use crate::finding::Recommendation;
use crate::locale::Lang;
use crate::model::{Collection, Model};

/// The kind of these recommendations.
pub(super) const KIND: &str = "relationship";

/// The decisions about the arrays of objects that one collection embeds.
pub(super) fn decide(_model: &Model, _collection: &Collection, _lang: Lang) -> Vec<Recommendation> {
    Vec::new()
}
