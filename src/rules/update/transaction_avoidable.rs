//! Transactions over what one document could hold. Words, reasons and examples: transaction-avoidable.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::transactions;
use crate::facts::{names, spelling};
use crate::model::Model;
use crate::rules::{Findings, Place};
use crate::workload::{Operation, Verb};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for operations in transactions(model).values() {
        let writes: Vec<&&Operation> = operations.iter().filter(|operation| operation.verb.is_write()).collect();
        // What one document holds is all that is written: else the transaction stays.
        let pair = writes.iter().find_map(|child| {
            let parent = writes.iter().find(|parent| is_part(child, parent))?;
            let others = writes.iter().filter(|write| write.ns != child.ns && write.ns != parent.ns);
            (others.count() == 0).then_some((*parent, *child))
        });
        let Some((parent, child)) = pair else { continue };
        let draft = findings.inferred(Place::operation(model, child, None), "names of a whole and its parts");
        let name = |operation: &Operation| operation.ns.as_ref().map(|ns| ns.collection.clone()).unwrap_or_default();
        draft.text("parent", name(parent)).text("child", name(child));
    }
}

/// Whether documents are inserted that are, by name, parts of one that is inserted beside them: `orderLines` of `orders`.
fn is_part(child: &Operation, parent: &Operation) -> bool {
    let (Some(part), Some(whole)) = (&child.ns, &parent.ns) else { return false };
    let inserts = child.verb == Verb::Insert && parent.verb == Verb::Insert;
    let (part_words, whole_words) = (names::words(&part.collection), names::words(&whole.collection));
    let (Some((last, front)), Some(start)) = (whole_words.split_last(), part_words.get(..whole_words.len())) else {
        return false;
    };
    let same = |a: &str, b: &str| a == b || spelling::is_plural(a, b) || spelling::is_plural(b, a);
    inserts
        && part.database == whole.database
        && whole_words.len() < part_words.len()
        && start.split_last().is_some_and(|(other, rest)| rest == front && same(other, last))
}
