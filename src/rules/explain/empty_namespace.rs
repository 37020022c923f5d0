//! Plans that end before they begin. Words, reasons and examples: empty-namespace.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::certain;
use crate::facts::Version;
use crate::facts::spelling::nearest;
use crate::finding::Severity;
use crate::model::{Collection, Model};
use crate::rules::Findings;

/// The first version whose plan says why it is empty.
const TOLD_SINCE: Version = Version::new(8, 1);

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for plan in &model.plans {
        // A shard may lack a collection of which others hold documents.
        let empty = !plan.parts.is_empty() && plan.parts.iter().all(|part| part.source().name == "EOF");
        let Some(ns) = plan.ns.as_ref().filter(|_| empty) else { continue };
        let reason = plan.stages().into_iter().find_map(|stage| stage.reason.as_deref());
        let exists = |collection: &Collection| collection.documents() > 0 || collection.catalogue.indexes_known;
        let known = model.collection(ns).is_some_and(exists);
        let told = plan.version.unwrap_or(model.server) >= TOLD_SINCE;
        let draft = certain(model, plan, findings);
        match reason {
            Some("nonExistentNamespace") => {}
            Some("predicateEvalsToFalse") => drop(draft.severity(Severity::Warning).variant("false")),
            _ if known => drop(draft.severity(Severity::Warning).variant("false")),
            _ if told => drop(draft.severity(Severity::Warning).variant("empty")),
            _ => drop(draft.severity(Severity::Warning).variant("either")),
        }
        let others = model.collections.iter().filter(|other| other.ns.database == ns.database && other.ns != *ns);
        let names = others.filter(|other| exists(other)).map(|other| other.ns.collection.as_str());
        if let Some(name) = nearest(&ns.collection, names)
            && !known
            && reason != Some("predicateEvalsToFalse")
        {
            draft.text("nearest", name).help("nearest");
        }
    }
}
