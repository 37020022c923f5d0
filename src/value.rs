//! Values as MongoDB stores them: three decoders (BSON, Extended JSON, mongosh literals), one event form.

pub mod bson;
pub mod event;
pub mod hash;
pub mod key;
pub mod location;
pub mod number;
pub mod owned;
pub mod path;

pub use event::{Document, Entry, Item, Type};
pub use owned::Value;
pub use path::FieldPath;
