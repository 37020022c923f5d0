//! Pipelines that join many collections. Words, reasons and examples: lookup-chain.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::pipelines;
use crate::model::Model;
use crate::rules::Findings;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// From how many joins on a pipeline is told.
    joins: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options { joins: 3 }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for seen in pipelines(model) {
        // A union is a pipeline of its own: only what one document is joined to counts.
        let joined: Vec<String> = seen
            .pipeline
            .lookups()
            .into_iter()
            .filter(|lookup| {
                seen.pipeline.stages.get(lookup.position as usize).is_some_and(|stage| stage.is("$lookup"))
            })
            .map(|lookup| lookup.from.unwrap_or_else(|| "?".to_owned()))
            .collect();
        if options.joins <= joined.len() {
            findings.certain(seen.whole()).number("joins", joined.len()).list("collections", joined);
        }
    }
}
