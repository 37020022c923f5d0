//! Joins between sharded collections. Words, reasons and examples: join-across.md.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::catalogue::Namespace;
use crate::facts::Version;
use crate::finding::Severity;
use crate::model::Model;
use crate::rules::{Findings, Place};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

/// A sharded collection may be joined.
const MAY_JOIN: Version = Version::new(5, 1);

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for (at, pipeline) in &model.pipelines {
        let Some(operation) = model.workload.get(*at) else { continue };
        let Some(ns) = &operation.ns else { continue };
        let key_of = |ns: &Namespace| model.collection(ns).and_then(|c| model.shard_keys(c).next());
        if key_of(ns).is_none() {
            continue;
        }
        for lookup in pipeline.lookups().into_iter().filter(|lookup| lookup.within.is_none()) {
            let Some(from) = &lookup.from else { continue };
            let database = lookup.database.clone().or_else(|| ns.database.clone());
            let joined = Namespace { database, collection: from.clone() };
            let Some(key) = key_of(&joined) else { continue };
            let place = Place::operation(model, operation, lookup.span).with_stage(lookup.position);
            let draft = findings.certain(place).text("from", &joined).text("key", key.script());
            let first = key.key.first().map(|(path, _)| path);
            if model.server < MAY_JOIN && operation.runs.is_none() {
                draft.severity(Severity::Error).variant("refused");
            } else if first.is_some() && first == lookup.foreign.as_ref() {
                draft.variant("targeted");
            }
        }
    }
}
