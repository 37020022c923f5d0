//! Arguments of operators that the server refuses. Words, reasons and examples: operator-shape.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{DEEPEST, filters, joined};
use crate::model::Model;
use crate::rules::{Findings, Place};
use crate::value::{Type, Value};
use crate::workload::{Api, Filter, Operation, Operator, Predicate, Term, Test, What};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

/// An argument that is refused.
struct Fault {
    path: String,
    operator: String,
    /// The variant of the words: what the operator takes.
    takes: &'static str,
    /// What it is given.
    given: Option<&'static str>,
}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for asked in filters(model).filter(|asked| asked.is_written() && asked.operation.ns.is_some()) {
        let mut faults = Vec::new();
        below(asked.filter, "", asked.operation.api, DEEPEST, &mut faults);
        for fault in faults {
            let draft = findings.certain(asked.place(model).with_path(&fault.path));
            draft.text("operator", &fault.operator).variant(fault.takes);
            if let Some(given) = fault.given {
                draft.text("given", given);
            }
        }
    }
    for operation in model.workload.iter().filter(|operation| operation.runs.is_none() && operation.ns.is_some()) {
        if let Some((path, given)) = bad_direction(operation) {
            let draft = findings.certain(Place::operation(model, operation, None).with_path(path));
            draft.text("operator", "sort").number("direction", given).variant("sort");
        }
    }
}

fn below(filter: &Filter, prefix: &str, api: Api, depth: u32, faults: &mut Vec<Fault>) {
    let Some(depth) = depth.checked_sub(1) else { return };
    for predicate in &filter.all {
        match predicate {
            Predicate::Path { path, tests, .. } => {
                let path = joined(prefix, path);
                for test in tests {
                    of_test(&path, test, api, depth, faults);
                }
            }
            Predicate::And(parts, _) | Predicate::Or(parts, _) | Predicate::Nor(parts, _) => {
                if parts.is_empty() {
                    let operator = joins(predicate).to_owned();
                    faults.push(Fault { path: prefix.to_owned(), operator, takes: "empty", given: None });
                }
                for part in parts {
                    below(part, prefix, api, depth, faults);
                }
            }
            Predicate::Top { operator, argument, .. } => {
                let takes = match operator.as_str() {
                    "$and" | "$or" | "$nor" if argument.elements().is_none() => "conditions",
                    "$text" | "$jsonSchema" if argument.members().is_none() => "object",
                    "$text" if argument.is_closed() && argument.get("$search").is_none() => "search",
                    _ => continue,
                };
                if let Some(given) = argument.bson_type() {
                    let given = Some(given.alias());
                    faults.push(Fault { path: prefix.to_owned(), operator: operator.clone(), takes, given });
                }
            }
        }
    }
}

fn joins(predicate: &Predicate) -> &'static str {
    match predicate {
        Predicate::And(..) => "$and",
        Predicate::Nor(..) => "$nor",
        _ => "$or",
    }
}

fn of_test(path: &str, test: &Test, api: Api, depth: u32, faults: &mut Vec<Fault>) {
    let Some(depth) = depth.checked_sub(1) else { return };
    if let Some(takes) = refused(test, api) {
        let given = test.argument.bson_type().map(Type::alias);
        faults.push(Fault { path: path.to_owned(), operator: test.operator.name().to_owned(), takes, given });
        return;
    }
    match test.element_filter() {
        Some(inner) => below(&inner, path, api, depth, faults),
        None => test.inner_tests().iter().for_each(|inner| of_test(path, inner, api, depth, faults)),
    }
}

/// What the operator takes, where the argument is certain to be refused.
fn refused(test: &Test, api: Api) -> Option<&'static str> {
    let argument = &test.argument;
    // A value that is not known may be right; one whose type is known may be judged by it.
    let kind = argument.bson_type()?;
    let casts = api == Api::Mongoose;
    match &test.operator {
        Operator::In | Operator::Nin | Operator::All if kind != Type::Array => (!casts).then_some("array"),
        Operator::In | Operator::Nin => {
            let nested = |element: &Term| element.is_operators() && !is_reference(element);
            argument.elements()?.iter().any(nested).then_some("nested")
        }
        Operator::Size if !casts => match argument.as_scalar() {
            Some(value) => match value.as_f64() {
                Some(number) if number >= 0.0 && number.fract() == 0.0 => None,
                _ => Some("size"),
            },
            None => (!kind.is_number()).then_some("size"),
        },
        Operator::Mod if !casts => match argument.elements() {
            None => Some("mod"),
            Some(pair) => {
                let is_number = |term: &Term| term.bson_type().is_none_or(Type::is_number);
                (pair.len() != 2 || !pair.iter().all(is_number)).then_some("mod")
            }
        },
        Operator::ElemMatch if kind != Type::Object => Some("object"),
        Operator::Not => match &argument.what {
            What::Object(members) if members.is_empty() => Some("not"),
            What::Object(_) => (argument.is_closed() && !argument.is_operators()).then_some("not"),
            What::Value(Value::Regex(..)) | What::Hole(_) => None,
            _ => Some("not"),
        },
        Operator::Regex if !matches!(kind, Type::String | Type::Regex | Type::Object) => Some("regex"),
        Operator::Ne | Operator::Gt | Operator::Gte | Operator::Lt | Operator::Lte if kind == Type::Regex => {
            Some("nopattern")
        }
        Operator::Type => {
            let unknown = |term: &Term| match term.as_scalar() {
                Some(Value::String(alias)) => alias != "number" && Type::from_alias(alias).is_none(),
                _ => false,
            };
            let refused = unknown(argument) || argument.elements().unwrap_or_default().iter().any(unknown);
            refused.then_some("type")
        }
        _ => None,
    }
}

fn is_reference(term: &Term) -> bool {
    term.get("$ref").is_some() || term.get("$id").is_some()
}

/// A number that is no direction. Words are what some clients take.
fn bad_direction(operation: &Operation) -> Option<(&str, f64)> {
    operation.sort.as_ref()?.members()?.iter().find_map(|member| {
        let number = member.value.as_scalar()?.as_f64()?;
        (number != 1.0 && number != -1.0).then_some((member.name()?, number))
    })
}
