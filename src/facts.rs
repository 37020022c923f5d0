//! Facts about the server, by version, each with the page of the manual that states it. Each stands here once.

pub mod document;
pub mod forms;
pub mod geometry;
pub mod identifier;
pub mod index;
pub mod limits;
pub mod names;
pub mod operators;
pub mod optimiser;
pub mod pattern;
pub mod schema;
pub mod spelling;
pub mod version;

pub use version::Version;
