//! Searches and hints without the index that they need. Words, reasons and examples: special-index-missing.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{DEEPEST, each_test, filters};
use crate::catalogue::index::same_key;
use crate::catalogue::{CollectionKind, Index, IndexKind, Origin};
use crate::finding::Severity;
use crate::model::{Collection, Model};
use crate::order::Ordered;
use crate::rules::{Findings, Place};
use crate::value::Value;
use crate::workload::{Filter, Operation, Operator, Predicate, Term, Test};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for asked in filters(model).filter(|asked| asked.stored) {
        let paths = searched(asked.filter, DEEPEST);
        if paths.len() > 1 {
            let draft = findings.certain(asked.place(model)).list("paths", &paths).variant("search");
            draft.severity(Severity::Info);
            for path in paths {
                draft.cause(path);
            }
        }
        let Some(collection) = asked.collection(model).filter(|c| is_judged(c) && asked.is_written()) else { continue };
        if asks_for_words(asked.filter, DEEPEST) && !collection.indexes().iter().any(|i| i.is_text() && !i.hidden) {
            findings.certain(asked.place(model)).variant("text");
        }
        each_test(asked.filter, &mut |path, test, _| {
            if is_near(test) && !is_geo(collection, Some(path)) {
                findings.certain(asked.place(model).with_path(path)).variant("near");
            }
        });
    }
    for operation in model.workload.iter().filter(|operation| operation.runs.is_none()) {
        let Some(collection) = operation.ns.as_ref().and_then(|ns| model.collection(ns)).filter(|c| is_judged(c))
        else {
            continue;
        };
        let place = Place::operation(model, operation, None);
        if let Some(argument) = nearest_first(operation).filter(|argument| argument.is_closed()) {
            let key = argument.get("key");
            let path = key.and_then(Term::as_str);
            if (key.is_none() || path.is_some()) && !is_geo(collection, path) {
                findings.certain(place.clone().with_stage(0).with_path(path.unwrap_or_default())).variant("geonear");
            }
        }
        if let Some((hint, found)) = operation.option("hint").and_then(|hint| hinted(hint, collection)) {
            match found {
                None => {
                    findings.certain(place).text("hint", hint).variant("hint");
                }
                Some(index) if index.hidden => {
                    findings.certain(place).text("hint", hint).variant("hidden");
                }
                Some(_) => {}
            }
        }
    }
}

/// Whether what is not in the list of indexes is missing.
fn is_judged(collection: &Collection) -> bool {
    let options = collection.options();
    let plain = options.is_none_or(|o| o.kind == CollectionKind::Collection && o.clustered_index.is_none());
    collection.knows_indexes() && plain
}

/// Whether a text search stands in it.
fn asks_for_words(filter: &Filter, depth: u32) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return false };
    filter.all.iter().any(|predicate| match predicate {
        Predicate::Top { operator, .. } => operator == "$text",
        Predicate::And(parts, _) | Predicate::Or(parts, _) => parts.iter().any(|part| asks_for_words(part, depth)),
        _ => false,
    })
}

fn is_near(test: &Test) -> bool {
    matches!(&test.operator, Operator::Other(name) if matches!(name.as_str(), "$near" | "$nearSphere"))
}

/// Whether a geospatial index lies over a path, or over any.
fn is_geo(collection: &Collection, path: Option<&str>) -> bool {
    collection.indexes().iter().filter(|index| !index.hidden).any(|index| {
        index.key.iter().any(|(held, kind)| {
            matches!(kind, IndexKind::Geo2d | IndexKind::Geo2dsphere) && path.is_none_or(|path| held == path)
        })
    })
}

/// The argument of a `$geoNear` at the head of a pipeline.
fn nearest_first(operation: &Operation) -> Option<&Term> {
    match operation.pipeline.as_ref()?.elements()?.first()?.only_member()? {
        ("$geoNear", argument) => Some(argument),
        _ => None,
    }
}

/// The hint as text and its index; nothing where it is not known, or is the natural order.
fn hinted<'c>(hint: &Term, collection: &'c Collection) -> Option<(String, Option<&'c Index>)> {
    match hint.value()? {
        Value::String(name) => {
            let found = collection.indexes().iter().find(|index| index.name == name);
            Some((name, found))
        }
        Value::Object(fields) if fields.iter().all(|(path, _)| path != "$natural") => {
            let key: Vec<(String, IndexKind)> =
                fields.iter().map(|(path, kind)| (path.clone(), IndexKind::parse(kind, Origin::Present))).collect();
            let found = collection.indexes().iter().find(|index| same_key(&index.key, &key));
            Some((Index::of_key(&fields, Origin::Present).key_script(), found))
        }
        _ => None,
    }
}

/// The paths of an `$or` that tries patterns on several fields: words are looked for.
fn searched(filter: &Filter, depth: u32) -> Vec<String> {
    let Some(depth) = depth.checked_sub(1) else { return Vec::new() };
    for predicate in &filter.all {
        match predicate {
            Predicate::Or(parts, _) => {
                let mut paths: Vec<String> = Vec::new();
                for part in parts {
                    let tests = part.conjuncts();
                    let patterns = tests.iter().filter(|(_, test)| may_match_anywhere(test));
                    paths.extend(patterns.map(|(path, _)| (*path).to_owned()));
                }
                paths.order();
                paths.dedup();
                if paths.len() > 1 {
                    return paths;
                }
            }
            Predicate::And(parts, _) => {
                if let Some(paths) = parts.iter().map(|part| searched(part, depth)).find(|paths| !paths.is_empty()) {
                    return paths;
                }
            }
            _ => {}
        }
    }
    Vec::new()
}

fn may_match_anywhere(test: &Test) -> bool {
    let anchored = test.pattern().is_some_and(|(pattern, _)| crate::facts::pattern::is_anchored(pattern));
    test.operator == Operator::Regex && !anchored
}
