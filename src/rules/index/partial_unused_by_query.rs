//! A query that cannot use a partial index. Words, reasons and examples: partial-unused-by-query.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{demand, demands};
use crate::catalogue::Index;
use crate::model::Model;
use crate::model::access::{Access, Branch};
use crate::model::partial::implied;
use crate::model::serving::Standing;
use crate::rules::Findings;

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for (collection, access, standing) in demands(model) {
        let (at, variant) = match standing {
            Standing::Partial(at) => (Some(at), "implies"),
            Standing::Missing | Standing::Unjudged if !access.open => {
                (collection.indexes().iter().position(|index| only_repeats(index, access)), "leads")
            }
            _ => continue,
        };
        let Some(index) = at.and_then(|at| collection.indexes().get(at)) else { continue };
        let draft = demand(model, collection, access, findings);
        draft.text("present", &index.name).text("first", index.key.first().map_or("", |(path, _)| path.as_str()));
        draft.variant(variant);
    }
}

/// Whether a query repeats the filter of a partial index and does nothing with the field that leads its key.
fn only_repeats(index: &Index, access: &Access) -> bool {
    let (Some(filter), Some((first, _)), [branch]) =
        (&index.partial_filter, index.key.first(), access.branches.as_slice())
    else {
        return false;
    };
    !index.hidden
        && !access.hinted
        && implied(filter, &branch.tests) == Some(true)
        && !touches(branch, first)
        && !access.sort.iter().any(|key| key.path == *first)
}

fn touches(branch: &Branch, path: &str) -> bool {
    branch.points.iter().any(|point| point.path == path)
        || branch.ranges.iter().chain(&branch.weak).any(|known| known == path)
}
