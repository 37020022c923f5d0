//! Null tests that make an index fetch documents. Words, reasons and examples: null-not-covered.md.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::catalogue::Index;
use crate::facts::index::NULL_COVERED;
use crate::model::{Model, serving};
use crate::rules::{Findings, Place};
use crate::value::Value;
use crate::workload::{Operation, Operator, Predicate, Term, Test, Verb};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for operation in model.workload.iter() {
        let Some(collection) = operation.ns.as_ref().and_then(|ns| model.collection(ns)) else { continue };
        let filter = operation.conditions();
        let Some(returned) = returned(operation).filter(|_| !filter.open) else { continue };
        let mut tested: Vec<&str> = Vec::new();
        let mut null = None;
        let simple = filter.all.iter().all(|predicate| match predicate {
            Predicate::Path { path, certain: true, tests, .. } => {
                tested.push(path);
                if tests.iter().any(asks_for_null) {
                    null = Some(path.as_str());
                }
                true
            }
            _ => false,
        });
        let Some(null) = null.filter(|_| simple) else { continue };
        let alone = returned.iter().all(|path| *path == "_id");
        let covering = collection.indexes().iter().find(|index| covers(index, &tested, &returned));
        let Some(index) = covering else { continue };
        let multikey = index.key.iter().any(|(path, _)| serving::is_array(collection, path));
        if alone && !multikey && model.server >= NULL_COVERED {
            continue;
        }
        let mut place = Place::index(&collection.ns, &index.name).with_path(null);
        if let Some(location) = model.locate(operation, None) {
            place = place.at(location);
        }
        let draft = findings.certain(place);
        if alone && !multikey {
            draft.variant("version");
        }
        if collection.stored() > 0 {
            draft.documents(collection.stored());
        }
    }
}

/// The paths that are returned, where they are listed; none for a count.
fn returned(operation: &Operation) -> Option<Vec<&str>> {
    match operation.verb {
        Verb::Count => Some(Vec::new()),
        Verb::Find | Verb::FindOne => {
            let members = operation.projection.as_ref()?.members()?;
            let mut paths = vec!["_id"];
            for member in members {
                let (name, kept) = (member.name()?, is_kept(&member.value)?);
                match (name, kept) {
                    ("_id", false) => paths.retain(|path| *path != "_id"),
                    ("_id", true) => {}
                    (_, true) => paths.push(name),
                    (_, false) => return None,
                }
            }
            (!paths.is_empty()).then_some(paths)
        }
        _ => None,
    }
}

fn is_kept(value: &Term) -> Option<bool> {
    let value = value.as_scalar()?;
    value.as_bool().or_else(|| value.as_f64().map(|number| number != 0.0))
}

/// Whether every path that is tested or returned stands in the key.
fn covers(index: &Index, tested: &[&str], returned: &[&str]) -> bool {
    let holds = |path: &&str| index.key.iter().any(|(held, _)| held == path);
    let leads = index.key.first().is_some_and(|(first, _)| tested.contains(&first.as_str()));
    let whole = !index.sparse && index.partial_filter.is_none() && !index.hidden && index.is_plain();
    whole && leads && tested.iter().all(holds) && returned.iter().all(holds)
}

fn asks_for_null(test: &Test) -> bool {
    let is_null = |term: &Term| term.as_scalar() == Some(&Value::Null);
    match test.operator {
        Operator::Eq => is_null(&test.argument),
        Operator::In => test.argument.elements().unwrap_or_default().iter().any(is_null),
        Operator::Exists => test.argument.as_bool() == Some(false),
        _ => false,
    }
}
