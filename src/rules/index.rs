//! Indexes: wrong, wasted, missing. One module a rule, or a family of ids.
