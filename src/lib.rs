//! mongovet vets MongoDB document models.
pub mod advice;
pub mod catalogue;
pub mod config;
pub mod evidence;
pub mod facts;
pub mod finding;
pub mod locale;
pub mod model;
pub mod profile;
pub mod report;
pub mod rules;
mod schema;
pub mod selection;
pub mod value;
