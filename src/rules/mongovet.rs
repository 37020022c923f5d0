//! mongovet's own directives: ignores in the configuration and in comments. `selection` tells these findings.

use schemars::JsonSchema;
use serde::Deserialize;

/// There is nothing to set.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}
