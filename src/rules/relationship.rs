//! Documents of two or more collections. One module a rule, or a family of ids.
