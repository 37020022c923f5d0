//! Rules on personal data and secrets. They look at values and never tell one.

pub(super) mod personal_data;
pub(super) mod secret;
pub(super) mod unbounded_retention;
