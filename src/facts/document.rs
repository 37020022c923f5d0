//! What BSON and the server say about the names and types of fields.

use super::Version;
use crate::value::event::Type;

/// Since when the server stores names that start with a dollar sign or hold a dot, and `$getField` reaches them
/// (manual: core/dot-dollar-considerations).
pub const ANY_NAME: Version = Version::new(5, 0);

/// Since when `$convert` makes binary data of strings, UUIDs among them (manual: reference/operator/aggregation/toUUID).
pub const CONVERTS_UUIDS: Version = Version::new(8, 0);

/// The names that drivers give the parts of a DBRef (manual: reference/database-references).
pub const DBREF: &[&str] = &["$ref", "$id", "$db"];

/// The types that the BSON specification deprecates (bsonspec.org/spec.html).
pub const DEPRECATED_TYPES: &[Type] = &[Type::Undefined, Type::Symbol, Type::DbPointer, Type::JavascriptWithScope];

/// Since when `$tsSecond` reads a timestamp (manual: reference/operator/aggregation/tsSecond).
pub const TS_SECOND: Version = Version::new(5, 1);

/// Subtypes of binary data (bsonspec.org/spec.html).
pub mod subtype {
    /// Binary with a second length inside; deprecated.
    pub const OLD_BINARY: u8 = 2;
    /// UUID in the byte order of one driver or another; deprecated.
    pub const OLD_UUID: u8 = 3;
    /// UUID.
    pub const UUID: u8 = 4;
    /// Client-side encrypted value.
    pub const ENCRYPTED: u8 = 6;
    /// Vector of numbers.
    pub const VECTOR: u8 = 9;
}
