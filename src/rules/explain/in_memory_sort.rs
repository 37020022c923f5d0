//! Plans that sort in memory what an index could give in order. Words, reasons and examples: in-memory-sort.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{certain, logged, stored_sort};
use crate::catalogue::plan::Stage;
use crate::model::Model;
use crate::rules::Findings;

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for plan in &model.plans {
        let stages = plan.stages();
        let sorts: Vec<&Stage> = stages.into_iter().filter(|stage| sorts_stored_fields(stage)).collect();
        let Some(first) = sorts.first() else { continue };
        let sorted = sorts.iter().flat_map(|sort| &sort.inputs).map(|input| input.returned).sum::<Option<u64>>();
        let draft = certain(model, plan, findings);
        draft.list("fields", &first.sort);
        match sorted.filter(|_| plan.ran()) {
            Some(sorted) => draft.number("sorted", sorted).documents(sorted),
            None => draft.variant("planned"),
        };
        if let Some(bytes) = sorts.iter().filter_map(|sort| sort.bytes).max() {
            draft.number("bytes", bytes).help("bytes");
        }
    }
    for seen in logged(model) {
        let runs = seen.runs;
        if runs.sorted == 0 {
            continue;
        }
        let Some(fields) = stored_sort(seen.operation) else { continue };
        let examined = runs.docs_examined.mean().unwrap_or_default();
        let draft = seen.tell(model, findings, runs.docs_examined.sum);
        draft.list("fields", fields).number("sorts", runs.sorted).number("examined", examined);
        draft.documents(runs.docs_examined.max).variant("logged");
    }
}

fn sorts_stored_fields(stage: &Stage) -> bool {
    matches!(stage.name.as_str(), "SORT" | "$sort")
        && !stage.sort.is_empty()
        && !stage.sort.iter().any(|key| key.starts_with('$'))
        && !stage.inputs.is_empty()
        && stage.has_stored_input()
}
