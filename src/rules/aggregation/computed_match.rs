//! Filters on values that are computed from a stored one. Words, reasons and examples: computed-match.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::pipelines;
use crate::model::Model;
use crate::rules::Findings;
use crate::workload::pipeline::{Change, Reads, Source};
use crate::workload::{Filter, Operator, Predicate, Term};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

/// Functions of one value that keep its order, or of which a value stands for a range of the stored one.
const INVERTIBLE: &[&str] = &[
    "$convert",
    "$dateFromString",
    "$dateToString",
    "$dateTrunc",
    "$toDate",
    "$toDecimal",
    "$toDouble",
    "$toInt",
    "$toLong",
    "$toLower",
    "$toObjectId",
    "$toString",
    "$toUpper",
    "$year",
];

/// Levels of expressions that are followed.
const DEEPEST: u32 = 20;

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for seen in pipelines(model) {
        let stages = seen.pipeline.certain();
        for (at, stage) in stages.iter().enumerate().filter(|(_, stage)| stage.is("$match")) {
            let filter = Filter::read(&stage.argument);
            // A range on the stored value beside it has chosen the documents already.
            let leading: Vec<String> = stages
                .iter()
                .take(at + 1)
                .filter(|stage| stage.is("$match"))
                .flat_map(|stage| {
                    Filter::read(&stage.argument)
                        .conjuncts()
                        .iter()
                        .map(|(path, _)| (*path).to_owned())
                        .collect::<Vec<_>>()
                })
                .collect();
            let found =
                computed_field(&seen, at, &filter).or_else(|| compared(&seen, stage.position, &filter, DEEPEST));
            let Some((function, stored)) = found else { continue };
            if leading.contains(&stored) {
                continue;
            }
            let draft = seen.certain(findings, stage.position).text("function", function).text("stored", stored);
            draft.stored(seen.stored());
        }
    }
}

/// A condition on a field that an earlier stage computed.
fn computed_field(seen: &super::Seen<'_>, at: usize, filter: &Filter) -> Option<(String, String)> {
    let stages = seen.pipeline.certain();
    filter.conjuncts().into_iter().find_map(|(path, test)| {
        let asks = test.operator == Operator::Eq || test.operator == Operator::In || test.operator.is_range();
        let maker = stages.iter().take(at).rev().find(|stage| match stage.change() {
            Change::Some { made, .. } | Change::Only(made) => made.iter().any(|made| made.path == path),
            Change::Unknown => true,
        });
        let maker = maker.filter(|stage| asks && stage.is_any(&["$set", "$addFields", "$project"]))?;
        let change = maker.change();
        let made = change.named().iter().find(|made| made.path == path)?;
        let Source::Computed(expression) = &made.source else { return None };
        let (function, stored) = invertible(expression)?;
        seen.pipeline.fields_before(maker.position).is_stored(&stored).then_some((function, stored))
    })
}

/// A comparison of a function of a stored field with a constant, in `$expr`.
fn compared(seen: &super::Seen<'_>, position: u32, filter: &Filter, depth: u32) -> Option<(String, String)> {
    let depth = depth.checked_sub(1)?;
    filter.all.iter().find_map(|predicate| match predicate {
        Predicate::Top { operator, argument, .. } if operator == "$expr" => comparison(seen, position, argument, depth),
        Predicate::And(parts, _) => parts.iter().find_map(|part| compared(seen, position, part, depth)),
        _ => None,
    })
}

fn comparison(seen: &super::Seen<'_>, position: u32, term: &Term, depth: u32) -> Option<(String, String)> {
    let depth = depth.checked_sub(1)?;
    let [only] = term.members()? else { return None };
    match only.name()? {
        "$and" => only.value.elements()?.iter().find_map(|part| comparison(seen, position, part, depth)),
        "$eq" | "$gt" | "$gte" | "$lt" | "$lte" => {
            let [one, other] = only.value.elements()? else { return None };
            [(one, other), (other, one)].into_iter().find_map(|(computed, constant)| {
                let fixed = Reads::of_expression(constant);
                let is_fixed = fixed.is_closed()
                    && fixed.paths.is_empty()
                    && constant.as_str().is_none_or(|text| !text.starts_with('$'));
                let (function, stored) = invertible(computed).filter(|_| is_fixed)?;
                seen.pipeline.fields_before(position).is_stored(&stored).then_some((function, stored))
            })
        }
        _ => None,
    }
}

/// The function and the stored field that an expression is a function of, where a range of the field says the same.
fn invertible(expression: &Term) -> Option<(String, String)> {
    let [only] = expression.members()? else { return None };
    let name = only.name().filter(|name| INVERTIBLE.contains(name))?;
    // A part of the time of day, or a day without its year, is no range.
    if let Some(format) = only.value.get("format") {
        let format = format.as_str()?;
        let starts = ["%Y", "%G"].iter().any(|year| format.starts_with(year));
        if name == "$dateToString" && !starts {
            return None;
        }
    }
    let reads = Reads::of_expression(&only.value);
    match reads.paths.as_slice() {
        [(path, _)] if reads.is_closed() => Some((name.to_owned(), path.clone())),
        _ => None,
    }
}
