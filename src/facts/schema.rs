//! The keywords of `$jsonSchema` (manual: reference/operator/query/jsonSchema, "Available Keywords" and "Omissions").

/// The keywords that the server evaluates or takes, sorted.
pub const KEYWORDS: &[&str] = &[
    "additionalItems",
    "additionalProperties",
    "allOf",
    "anyOf",
    "bsonType",
    "dependencies",
    "description",
    "encrypt",
    "encryptMetadata",
    "enum",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "items",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "not",
    "oneOf",
    "pattern",
    "patternProperties",
    "properties",
    "required",
    "title",
    "type",
    "uniqueItems",
];

/// The types that `type` takes; `bsonType` takes the aliases of `$type` instead.
pub const JSON_TYPES: &[&str] = &["array", "boolean", "null", "number", "object", "string"];

/// What people write for a type, and the alias that the server knows.
pub const MISNAMED_TYPES: &[(&str, &str)] = &[
    ("integer", "int"),
    ("Integer", "int"),
    ("float", "double"),
    ("boolean", "bool"),
    ("Boolean", "bool"),
    ("datetime", "date"),
    ("ISODate", "date"),
    ("Date", "date"),
    ("String", "string"),
    ("Number", "number"),
    ("Array", "array"),
    ("Object", "object"),
    ("ObjectId", "objectId"),
    ("ObjectID", "objectId"),
    ("objectid", "objectId"),
    ("decimal128", "decimal"),
    ("Decimal128", "decimal"),
    ("int32", "int"),
    ("int64", "long"),
    ("binary", "binData"),
];
