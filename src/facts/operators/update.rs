//! Operators of updates (manual: reference/mql/update).

use super::Operator;

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
