//! The profile: everything that is counted on documents, streaming, exactly mergeable, independent of order.

pub mod array;
pub mod collection;
pub mod fetched;
pub mod field;
pub mod growth;
pub mod sample;
pub mod shape;
pub mod sketch;

pub use array::ArrayStats;
pub use collection::CollectionProfile;
pub use fetched::Fetched;
pub use field::{Field, FieldId, FieldKind};
pub use growth::Growth;
pub use sample::{Kept, Sample};
pub use shape::{KeyShape, Shape};
pub use sketch::{Distinct, Histogram};
