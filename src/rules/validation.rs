//! Validators against what is stored and what the server takes. One module a rule, or a family of ids.
