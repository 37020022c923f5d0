//! Operators of expressions that the server does not know. Words, reasons and examples: unknown-operator.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::pipelines;
use crate::facts::operators::{Operator, Standing, accumulator, expression, nearest, standing};
use crate::finding::Severity;
use crate::model::Model;
use crate::rules::Findings;
use crate::workload::pipeline::Stage;
use crate::workload::{Member, Term, What};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

/// Levels of expressions that are followed.
const DEEPEST: u32 = 100;

/// An operator that is not in the table of its place.
struct Unknown<'t> {
    name: &'t str,
    table: &'static [Operator],
}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for seen in pipelines(model).filter(|seen| seen.operation.runs.is_none()) {
        seen.each_stage(&mut |inner| {
            let mut found = Vec::new();
            stage(inner.stage, &mut |unknown| found.push((unknown.name.to_owned(), unknown.table)));
            found.dedup_by(|a, b| a.0 == b.0);
            for (name, table) in found {
                let standing = standing(table, &name, model.server);
                if standing == Standing::Known || name.starts_with("$_internal") {
                    continue;
                }
                let draft = seen.certain(findings, inner.position).text("name", &name);
                match (standing, nearest(table, &name, model.server)) {
                    (Standing::Later(since), _) => {
                        draft.variant("later").severity(Severity::Warning).text("since", since);
                    }
                    (_, Some(near)) => {
                        draft.variant("near").text("near", near);
                    }
                    _ => {}
                }
            }
        });
    }
}

fn stage<'t>(stage: &'t Stage, visit: &mut impl FnMut(Unknown<'t>)) {
    let argument = &stage.argument;
    match stage.name.as_deref() {
        Some("$addFields" | "$set" | "$project" | "$replaceRoot" | "$replaceWith" | "$redact" | "$sortByCount") => {
            walk(argument, visit, DEEPEST);
        }
        Some("$group") => {
            for member in argument.members().unwrap_or_default() {
                if member.name() == Some("_id") {
                    walk(&member.value, visit, DEEPEST);
                } else {
                    accumulator(member, accumulator::GROUP, visit);
                }
            }
        }
        Some("$bucket" | "$bucketAuto") => {
            if let Some(by) = argument.get("groupBy") {
                walk(by, visit, DEEPEST);
            }
            for member in argument.get("output").and_then(Term::members).unwrap_or_default() {
                accumulator(member, accumulator::GROUP, visit);
            }
        }
        Some("$setWindowFields") => {
            if let Some(by) = argument.get("partitionBy") {
                walk(by, visit, DEEPEST);
            }
            for member in argument.get("output").and_then(Term::members).unwrap_or_default() {
                let parts = member.value.members().unwrap_or_default();
                for part in parts.iter().filter(|part| part.name().is_some_and(|name| name.starts_with('$'))) {
                    visit(Unknown { name: part.name().unwrap_or_default(), table: accumulator::WINDOW });
                    walk(&part.value, visit, DEEPEST);
                }
            }
        }
        Some("$lookup") => {
            if let Some(variables) = argument.get("let") {
                walk(variables, visit, DEEPEST);
            }
        }
        // Names outside `$expr` are those of filters.
        Some("$match") => conditions(argument, visit, DEEPEST),
        _ => {}
    }
}

fn conditions<'t>(filter: &'t Term, visit: &mut impl FnMut(Unknown<'t>), depth: u32) {
    let Some(depth) = depth.checked_sub(1) else { return };
    for member in filter.members().unwrap_or_default() {
        match member.name() {
            Some("$expr") => walk(&member.value, visit, depth),
            Some("$and" | "$or" | "$nor") => {
                for part in member.value.elements().unwrap_or_default() {
                    conditions(part, visit, depth);
                }
            }
            _ => {}
        }
    }
}

/// An accumulator, and the expressions in its argument.
fn accumulator<'t>(member: &'t Member, table: &'static [Operator], visit: &mut impl FnMut(Unknown<'t>)) {
    let [only] = member.value.members().unwrap_or_default() else { return };
    let Some(name) = only.name().filter(|name| name.starts_with('$')) else { return };
    visit(Unknown { name, table });
    match name {
        // Its parts are functions.
        "$accumulator" => {}
        "$top" | "$topN" | "$bottom" | "$bottomN" => {
            if let Some(output) = only.value.get("output") {
                walk(output, visit, DEEPEST);
            }
        }
        _ => walk(&only.value, visit, DEEPEST),
    }
}

fn walk<'t>(term: &'t Term, visit: &mut impl FnMut(Unknown<'t>), depth: u32) {
    let Some(depth) = depth.checked_sub(1) else { return };
    match &term.what {
        What::Array(elements) => elements.iter().for_each(|element| walk(element, visit, depth)),
        What::Object(members) => {
            for member in members {
                match member.name() {
                    Some("$literal" | "$meta") => continue,
                    Some(name) if name.starts_with('$') => {
                        visit(Unknown { name, table: expression::OPERATORS });
                        if matches!(name, "$sortArray" | "$function") {
                            continue;
                        }
                    }
                    _ => {}
                }
                walk(&member.value, visit, depth);
            }
        }
        What::Value(_) | What::Hole(_) => {}
    }
}
