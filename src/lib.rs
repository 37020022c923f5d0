//! mongovet vets MongoDB document models.
pub mod catalogue;
pub mod evidence;
pub mod finding;
pub mod value;
