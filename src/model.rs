//! What rules and advice may see.

/// The model of one run; immutable.
#[derive(Debug, Default)]
pub struct Model {}
