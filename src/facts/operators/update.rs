//! Operators of updates (manual: reference/mql/update).

use super::Operator;
use crate::facts::Version;

/// Operators that stand at the top of an update, sorted.
pub const OPERATORS: &[Operator] = &[
    Operator::always("$addToSet"),
    Operator::always("$bit"),
    Operator::always("$currentDate"),
    Operator::always("$inc"),
    Operator::always("$max"),
    Operator::always("$min"),
    Operator::always("$mul"),
    Operator::always("$pop"),
    Operator::always("$pull"),
    Operator::always("$pullAll"),
    Operator::always("$push"),
    Operator::until("$pushAll", 3, 6),
    Operator::always("$rename"),
    Operator::always("$set"),
    Operator::always("$setOnInsert"),
    Operator::always("$unset"),
];

/// Stages that a pipeline of an update may hold, sorted.
pub const STAGES: &[Operator] = &[
    Operator::always("$addFields"),
    Operator::always("$project"),
    Operator::always("$replaceRoot"),
    Operator::always("$replaceWith"),
    Operator::always("$set"),
    Operator::always("$unset"),
];

/// What may stand beside the `$each` of a `$push`.
pub const PUSH_MODIFIERS: &[&str] = &["$each", "$position", "$slice", "$sort"];

/// What `$bit` can do.
pub const BITWISE: &[&str] = &["and", "or", "xor"];

/// The types of `$currentDate`.
pub const DATE_TYPES: &[&str] = &["date", "timestamp"];

/// From this version on an operator without paths (`{$set: {}}`) changes nothing; before, it is refused.
pub const EMPTY_OPERATORS: Version = Version::new(5, 0);

/// From this version on a name with a dollar sign is stored below the top of a document; before, it is refused.
pub const NESTED_DOLLARS: Version = Version::new(5, 0);
