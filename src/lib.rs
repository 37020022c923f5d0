//! mongovet vets MongoDB document models.
pub mod finding;
pub mod value;
