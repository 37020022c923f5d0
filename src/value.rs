//! Values as MongoDB stores them: three decoders (BSON, Extended JSON, mongosh literals), one event form.

pub mod bson;
pub mod builder;
pub mod decimal;
pub mod ejson;
pub mod event;
pub mod hash;
pub mod key;
pub mod literal;
pub mod location;
pub mod number;
pub mod owned;
pub mod path;
#[cfg(test)]
pub(crate) mod samples;
pub mod time;
pub mod write;

pub use event::{Document, Entry, Item, Type};
pub use owned::Value;
pub use path::FieldPath;
