//! Texts where a field was meant. Words, reasons and examples: missing-dollar.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Seen, pipelines};
use crate::model::Model;
use crate::rules::Findings;
use crate::workload::pipeline::Stage;
use crate::workload::{Term, What};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

/// Accumulators to which a constant text is of no use.
const OF_VALUES: &[&str] =
    &["$sum", "$avg", "$min", "$max", "$first", "$last", "$push", "$addToSet", "$stdDevPop", "$stdDevSamp"];

/// Functions that fail, or give nothing, for a constant text.
const OF_NUMBERS_AND_DATES: &[&str] = &[
    "$add",
    "$subtract",
    "$multiply",
    "$divide",
    "$mod",
    "$abs",
    "$ceil",
    "$floor",
    "$round",
    "$sqrt",
    "$year",
    "$month",
    "$dayOfMonth",
    "$dayOfWeek",
    "$dayOfYear",
    "$hour",
    "$minute",
    "$second",
    "$week",
    "$isoWeek",
];

/// Names that people give to a group of everything.
const EVERYTHING: &[&str] = &[
    "all",
    "total",
    "sum",
    "count",
    "everything",
    "overall",
    "global",
    "result",
    "results",
    "stats",
    "summary",
    "null",
    "none",
    "todo",
    "todos",
    "suma",
    "resumen",
    "group",
];

/// Levels of expressions that are followed.
const DEEPEST: u32 = 60;

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for seen in pipelines(model).filter(|seen| seen.operation.runs.is_none()) {
        seen.each_stage(&mut |inner| {
            let own = inner.within.is_empty();
            if let Some((name, place)) = mistaken(&seen, inner.stage, own) {
                seen.certain(findings, inner.position).text("name", name).text("in", place);
            }
        });
    }
}

/// A text of a stage that should be a field: the text, and what it stands in.
fn mistaken(seen: &Seen<'_>, stage: &Stage, own: bool) -> Option<(String, String)> {
    let argument = &stage.argument;
    let text = |term: Option<&Term>| term.and_then(Term::as_str).filter(|text| is_name(text)).map(str::to_owned);
    match stage.name.as_deref()? {
        "$unwind" => text(Some(argument.get("path").unwrap_or(argument))).map(|name| (name, "$unwind".to_owned())),
        "$sortByCount" => text(Some(argument)).map(|name| (name, "$sortByCount".to_owned())),
        "$replaceRoot" => text(argument.get("newRoot")).map(|name| (name, "newRoot".to_owned())),
        "$replaceWith" => text(Some(argument)).map(|name| (name, "$replaceWith".to_owned())),
        "$bucket" | "$bucketAuto" => text(argument.get("groupBy")).map(|name| (name, "groupBy".to_owned())),
        "$graphLookup" => text(argument.get("startWith")).map(|name| (name, "startWith".to_owned())),
        "$group" => {
            if let Some(id) = argument.get("_id") {
                let parts: Vec<&Term> = match &id.what {
                    What::Object(members) if !id.is_operators() => members.iter().map(|member| &member.value).collect(),
                    _ => vec![id],
                };
                let single = parts.len() == 1;
                let meant = parts.into_iter().find_map(|part| {
                    let name = text(Some(part))?;
                    (is_field(seen, &name, own) || (single && is_like_a_field(&name))).then_some(name)
                });
                if let Some(name) = meant {
                    return Some((name, "_id".to_owned()));
                }
            }
            super::accumulators(stage).into_iter().find_map(|(_, operator, argument)| {
                if !OF_VALUES.contains(&operator) {
                    return None;
                }
                let nested = || within(argument, DEEPEST);
                text(Some(argument)).map(|name| (name, operator.to_owned())).or_else(nested)
            })
        }
        "$project" | "$addFields" | "$set" => argument.members()?.iter().find_map(|member| {
            if member.value.as_str().is_some() {
                return None;
            }
            within(&member.value, DEEPEST)
        }),
        _ => None,
    }
}

/// A constant text that a function of numbers or dates is given.
fn within(term: &Term, depth: u32) -> Option<(String, String)> {
    let depth = depth.checked_sub(1)?;
    match &term.what {
        What::Array(elements) => elements.iter().find_map(|element| within(element, depth)),
        What::Object(members) => members.iter().find_map(|member| {
            let name = member.name()?;
            if name == "$literal" {
                return None;
            }
            if OF_NUMBERS_AND_DATES.contains(&name) {
                let parts = member.value.elements().unwrap_or(std::slice::from_ref(&member.value));
                if let Some(text) = parts.iter().find_map(|part| part.as_str().filter(|text| is_name(text))) {
                    return Some((text.to_owned(), name.to_owned()));
                }
            }
            within(&member.value, depth)
        }),
        What::Value(_) | What::Hole(_) => None,
    }
}

/// Whether a text can be the name or path of a field.
fn is_name(text: &str) -> bool {
    let part = |part: &str| {
        part.bytes().next().is_some_and(|b| b.is_ascii_alphabetic() || b == b'_')
            && part.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
    };
    text.split('.').all(part)
}

/// Whether documents, or other stages of the statement, have a field of this name.
fn is_field(seen: &Seen<'_>, name: &str, own: bool) -> bool {
    let stored =
        own && seen.collection().is_some_and(|collection| collection.fields().any(|field| field.path.as_str() == name));
    stored || seen.pipeline.stages.iter().any(|stage| stage.reads().paths.iter().any(|(path, _)| path == name))
}

/// Whether a name is that of a field rather than of a group of everything: several words, or a path.
fn is_like_a_field(name: &str) -> bool {
    let mut words = Vec::new();
    let mut word = String::new();
    for letter in name.chars() {
        if (letter == '_' || letter == '.' || letter.is_ascii_uppercase()) && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if letter.is_ascii_alphanumeric() {
            word.push(letter.to_ascii_lowercase());
        }
    }
    words.push(word);
    let words: Vec<&str> = words.iter().map(String::as_str).filter(|word| !word.is_empty()).collect();
    2 <= words.len() && !words.iter().any(|word| EVERYTHING.contains(word))
}
