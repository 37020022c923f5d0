//! Kinds of documents that nobody declares. Words, reasons and examples: polymorphic-unknown-type.md.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use super::forms;
use crate::facts::{forms as known_names, names};
use crate::model::{Collection, FieldRef, Model};
use crate::profile::FieldKind;
use crate::profile::field::Values;
use crate::rules::{Findings, Place};
use crate::value::{Type, Value};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Percent of the documents from which on an unknown kind is named in the finding.
    percent: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options { percent: 1 }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for (collection, forms) in forms(model) {
        let declared = declared(collection);
        let discriminator = forms.variants.as_ref().and_then(|variants| variants.discriminator.as_ref());
        for (path, allowed) in &declared {
            for at in collection.fields().filter(|at| at.path.as_str() == path && at.field.kind == FieldKind::Named) {
                let tells_kinds = known_names::is_kind(at.leaf()) || discriminator == Some(&at.path);
                let unknown = unknown(&at, allowed);
                let documents: u64 = unknown.iter().map(|(_, count)| count).sum();
                if !tells_kinds || documents == 0 {
                    continue;
                }
                let told = unknown.iter().filter(|(_, count)| at.field.count * options.percent <= count * 100);
                let named: Vec<&str> =
                    told.filter(|_| !names::is_personal(at.leaf())).filter_map(|(value, _)| value.as_str()).collect();
                findings
                    .measured(Place::path(&collection.ns, &at.path), at.field.count)
                    .number("documents", documents)
                    .number("kinds", unknown.len())
                    .number("allowed", allowed.len())
                    .variant(if named.is_empty() { "unnamed" } else { "named" })
                    .list("names", named);
            }
        }
    }
}

/// The values of a field that are not among the allowed ones, with their counts.
fn unknown<'f>(at: &FieldRef<'f>, allowed: &[Value]) -> Vec<(&'f Value, u64)> {
    let Values::All(values) = &at.field.values else { return Vec::new() };
    let sketches = [&at.field.distinct, &at.field.distinct_other];
    let counts: BTreeMap<u64, u64> = sketches.into_iter().flatten().flat_map(|sketch| sketch.smallest()).collect();
    let is_text = |value: &Value| value.bson_type() == Type::String;
    let others = values.iter().filter(|(_, value)| is_text(value) && !allowed.contains(value));
    others.map(|(hash, value)| (value, counts.get(hash).copied().unwrap_or(1))).collect()
}

/// The texts that the validator or the schema of the application allows, by path. What several branches list is allowed
/// in any.
fn declared(collection: &Collection) -> BTreeMap<String, Vec<Value>> {
    let mut found: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    if let Some(validator) = collection.validator().filter(|validator| validator.refusals().is_empty()) {
        if let Some(schema) = validator.schema() {
            listed(schema, "", 0, &mut found);
        }
        for (path, condition) in validator.expression.as_object().unwrap_or_default() {
            if let Some(values) = condition.get("$in").and_then(Value::as_array) {
                found.entry(path.clone()).or_default().extend(values.iter().cloned());
            }
        }
    }
    for field in collection.catalogue.schema.iter().flat_map(|schema| &schema.fields) {
        found.entry(field.path.clone()).or_default().extend(field.values.iter().cloned());
    }
    found.retain(|_, values| values.iter().any(|value| value.bson_type() == Type::String));
    found
}

/// Levels of a schema that are followed.
const DEEPEST: usize = 20;

fn listed(schema: &Value, path: &str, depth: usize, found: &mut BTreeMap<String, Vec<Value>>) {
    if DEEPEST < depth {
        return;
    }
    if let Some(values) = schema.get("enum").and_then(Value::as_array).filter(|_| !path.is_empty()) {
        found.entry(path.to_owned()).or_default().extend(values.iter().cloned());
    }
    for (name, below) in schema.get("properties").and_then(Value::as_object).unwrap_or_default() {
        let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
        listed(below, &path, depth + 1, found);
    }
    for keyword in ["oneOf", "anyOf", "allOf"] {
        for branch in schema.get(keyword).and_then(Value::as_array).unwrap_or_default() {
            listed(branch, path, depth + 1, found);
        }
    }
}
