//! Meta fields that hardly repeat. Words, reasons and examples: meta-cardinality.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{is_own, labels, repeats, series};
use crate::model::Model;
use crate::rules::{Findings, Place};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for (collection, options) in series(model) {
        let Some(meta) = &options.meta_field else { continue };
        let labels = labels(collection, meta);
        // In a sample the values of many series look like values of their own. A label that repeats beside tells that
        // the documents of one series were read.
        let beside = labels.iter().filter(|at| repeats(at.field)).max_by_key(|at| at.field.distinct_count());
        if beside.is_none() && !collection.complete {
            continue;
        }
        let own = labels.iter().filter(|at| is_own(at.field)).max_by_key(|at| at.field.distinct_count());
        let Some(own) = own else { continue };
        let place = Place::path(&collection.ns, meta);
        let draft = findings.measured(place, collection.documents()).text("label", own.path.as_str());
        draft.number("distinct", own.field.distinct_count());
        if let Some(beside) = beside {
            let series = beside.field.distinct_count();
            draft.text("stable", beside.path.as_str()).number("series", series).variant("beside");
        }
    }
}
