//! A query shape that no index serves. Words, reasons and examples: missing.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{demand, demands};
use crate::advice;
use crate::finding::Severity;
use crate::model::Model;
use crate::model::access::Purpose;
use crate::model::serving::Standing;
use crate::rules::Findings;

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    let recommendations = findings.recommendations();
    for (collection, access, standing) in demands(model) {
        // A join says it at its own stage.
        if access.purpose == Purpose::Join {
            continue;
        }
        let (variant, severity) = match standing {
            Standing::Missing => (None, None),
            // The index finds the documents; how many are sorted is not known from the text. A page of them reads all.
            Standing::Unsorted(_) if access.limited => (Some("unsorted"), None),
            Standing::Unsorted(_) => (Some("unsorted"), Some(Severity::Info)),
            _ => continue,
        };
        let Some(better) = advice::index_for(recommendations, &collection.ns, &access.shape) else { continue };
        let draft = demand(model, collection, access, findings);
        draft.text("key", better.key).remedy(better.remedy(collection, model.server));
        if let Standing::Unsorted(at) = standing
            && let Some(index) = collection.indexes().get(at)
        {
            draft.text("present", &index.name);
        }
        if let Some(severity) = severity {
            draft.severity(severity);
        }
        let measured = access.runs.as_ref().filter(|runs| runs.docs_examined.count > 0);
        match (measured, variant) {
            (Some(_), _) => draft.variant("measured"),
            (None, Some(variant)) => draft.variant(variant),
            (None, None) => draft,
        };
        if let Some(old) = better.replaces {
            draft.text("replaces", old).help("replace");
        }
    }
}
