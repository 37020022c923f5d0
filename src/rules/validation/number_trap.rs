//! Number types that writers do not send. Words, reasons and examples: number-trap.md.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::finding::Severity;
use crate::model::{Collection, Model};
use crate::rules::{Findings, Place};
use crate::value::event::Type;

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for collection in &model.collections {
        let Some(validator) = collection.validator() else { continue };
        for field in validator.fields() {
            let Some(wanted) = field.types.as_deref().and_then(wanted) else { continue };
            let mut place = Place::path(&collection.ns, &field.path);
            if let Some(location) = &validator.location {
                place = place.at(location.clone());
            }
            let names: Vec<&str> = wanted.iter().map(|kind| kind.alias()).collect();
            let documents = collection.documents();
            if documents == 0 {
                // Int32 is what clients send for a plain whole number: only the others are a trap by themselves.
                if !wanted.contains(&Type::Int) {
                    let draft = findings.certain(place);
                    draft.severity(Severity::Info).list("wanted", names).variant("unseen");
                }
                continue;
            }
            if !collection.number_types_are_kept() {
                continue;
            }
            let found = numbers(collection, &field.path);
            let all: u64 = found.iter().map(|(_, count)| count).sum();
            let others: Vec<(Type, u64)> = found.into_iter().filter(|(kind, _)| !wanted.contains(kind)).collect();
            let Some((other, _)) = others.iter().max_by_key(|(kind, count)| (*count, std::cmp::Reverse(*kind))) else {
                continue;
            };
            findings
                .measured(place, all)
                .list("wanted", names)
                .text("other", other.alias())
                .number("others", others.iter().map(|(_, count)| count).sum::<u64>());
        }
    }
}

/// The number types of a schema that takes some of them only; Decimal128 is chosen on purpose and is no trap.
fn wanted(types: &[Type]) -> Option<Vec<Type>> {
    let numbers: Vec<Type> = types.iter().copied().filter(|kind| kind.is_number()).collect();
    let binary = numbers.iter().any(|kind| matches!(kind, Type::Int | Type::Long | Type::Double));
    (binary && numbers.len() < 3).then_some(numbers)
}

/// The number types that documents hold at a path, with their counts.
fn numbers(collection: &Collection, path: &str) -> Vec<(Type, u64)> {
    let Some(profile) = &collection.profile else { return Vec::new() };
    let fields: Vec<_> = profile.resolve(path).into_iter().filter_map(|id| profile.field(id)).collect();
    [Type::Int, Type::Long, Type::Double, Type::Decimal]
        .into_iter()
        .map(|kind| (kind, fields.iter().map(|field| field.count_of(kind)).sum()))
        .filter(|(_, count)| 0 < *count)
        .collect()
}
