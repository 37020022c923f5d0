//! Schemas that an application declares for its documents (Mongoose, NestJS, Typegoose): what it means to store.

use serde::{Deserialize, Serialize};

use super::Namespace;
use crate::value::location::Location;
use crate::value::{Type, Value};

/// A declared schema.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct DeclaredSchema {
    /// The fields in the order of the declaration; fields of embedded schemas by their whole path.
    pub fields: Vec<DeclaredField>,
    /// Whether more may be declared than is seen: a spread, a plugin, `strict: false`.
    pub open: bool,
    /// Where it is declared.
    pub location: Option<Location>,
}

/// A field of a declared schema.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct DeclaredField {
    /// The path in dot notation; array levels are not counted.
    pub path: String,
    /// The BSON types that it may have, those of the elements for an array. Empty where any is allowed or none is known.
    pub types: Vec<Type>,
    /// Whether it is an array.
    pub array: bool,
    /// Whether it is required, for certain.
    pub required: bool,
    /// Whether it has a default.
    pub default: bool,
    /// The collection that its values refer to.
    pub reference: Option<Namespace>,
    /// The values that are allowed; empty where all are.
    pub values: Vec<Value>,
}

impl DeclaredSchema {
    /// A field by its path.
    pub fn field(&self, path: &str) -> Option<&DeclaredField> {
        self.fields.iter().find(|field| field.path == path)
    }
}
