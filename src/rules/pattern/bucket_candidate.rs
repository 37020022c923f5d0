//! Single readings that belong together: `pattern/bucket-candidate` and `timeseries/candidate`. Words, reasons and
//! examples: bucket-candidate.md and ../timeseries/candidate.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::forms;
use crate::facts::version::Version;
use crate::model::pattern::Readings;
use crate::model::{Collection, Model};
use crate::rules::{Draft, Findings, Place};
use crate::workload::Verb;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Documents stored from which on it pays.
    documents: u64,
    /// Bytes on average up to which a document is a small one.
    bytes: u64,
    /// Readings a day of all devices together from which on there are many.
    per_day: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options { documents: 500, bytes: 512, per_day: 20 }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for (collection, readings) in candidates(model, options) {
        let draft = findings.measured(Place::collection(&collection.ns), collection.documents());
        say(draft, collection, readings);
    }
}

pub(crate) fn time_series(model: &Model, options: &Options, findings: &mut Findings) {
    if model.server < TIME_SERIES {
        return;
    }
    for (collection, readings) in candidates(model, options).filter(|(collection, _)| may_be(model, collection)) {
        let draft = findings.measured(Place::collection(&collection.ns), collection.documents());
        say(draft, collection, readings);
    }
}

/// The version that brought time series collections (manual: core/timeseries-collections).
const TIME_SERIES: Version = Version::new(5, 0);

fn candidates<'m>(model: &'m Model, options: &'m Options) -> impl Iterator<Item = (&'m Collection, &'m Readings)> {
    forms(model).filter_map(|(collection, forms)| {
        let readings = forms.readings.as_ref()?;
        let many = options.documents <= collection.stored() && options.per_day <= readings.per_day;
        let capped = collection.options().is_some_and(|options| options.capped == Some(true));
        (many && readings.bytes <= options.bytes && !capped).then_some((collection, readings))
    })
}

/// Whether a time series collection could hold them: it knows no unique index, and updates of its labels alone.
fn may_be(model: &Model, collection: &Collection) -> bool {
    let unique = collection.indexes().iter().any(|index| index.unique && !index.is_id());
    let changes = [Verb::Update, Verb::Replace, Verb::FindAndUpdate, Verb::FindAndReplace];
    let changed = model.workload.of(&collection.ns).any(|operation| changes.contains(&operation.verb));
    !unique && !changed
}

fn say(draft: &mut Draft, collection: &Collection, readings: &Readings) {
    draft
        .number("stored", collection.stored())
        .number("series", readings.series)
        .number("perDay", readings.per_day)
        .number("bytes", readings.bytes)
        .text("time", &readings.time)
        .list("devices", &readings.devices)
        .list("measures", &readings.measures);
}
