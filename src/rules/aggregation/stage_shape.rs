//! Arguments of stages that the server refuses. Words, reasons and examples: stage-shape.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::pipelines;
use crate::facts::operators::{Standing, accumulator, standing};
use crate::model::Model;
use crate::rules::Findings;
use crate::value::{Type, Value};
use crate::workload::pipeline::Stage;
use crate::workload::{Member, Term, What};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for seen in pipelines(model).filter(|seen| seen.operation.runs.is_none()) {
        seen.each_stage(&mut |inner| {
            let Some((variant, name)) = fault(inner.stage) else { return };
            let stage = inner.stage.name.clone().unwrap_or_default();
            seen.certain(findings, inner.position).variant(variant).text("name", stage).text("part", name);
        });
    }
}

type Fault = Option<(&'static str, String)>;

/// What is wrong with the argument of a stage: the variant of the words, and the name of the part.
fn fault(stage: &Stage) -> Fault {
    let argument = &stage.argument;
    if stage.is_malformed {
        return Some(("fields", String::new()));
    }
    match stage.name.as_deref()? {
        "$match" => wants(argument, Type::Object, "$match"),
        "$limit" => number(argument, 1),
        "$skip" => number(argument, 0),
        "$sample" => missing(argument, &["size"]).or_else(|| number(argument.get("size")?, 0)),
        "$sort" => sort(argument),
        "$count" => count(argument),
        // Inclusion beside exclusion is told by query/projection-mix.
        "$project" | "$addFields" | "$set" => empty(argument),
        "$unset" => unset(argument),
        "$group" => group(argument),
        "$bucket" => missing(argument, &["groupBy", "boundaries"])
            .or_else(|| few(argument.get("boundaries")?, 2))
            .or_else(|| outputs(argument)),
        "$bucketAuto" => missing(argument, &["groupBy", "buckets"])
            .or_else(|| number(argument.get("buckets")?, 1))
            .or_else(|| outputs(argument)),
        "$unwind" => unwind(argument),
        "$lookup" => lookup(argument),
        "$graphLookup" => missing(argument, &["from", "startWith", "connectFromField", "connectToField", "as"]),
        "$replaceRoot" => missing(argument, &["newRoot"]),
        "$facet" => facet(argument),
        "$merge" => merge(argument),
        "$out" => match argument.bson_type()? {
            Type::String | Type::Object => None,
            _ => Some(("type", "$out".to_owned())),
        },
        "$setWindowFields" | "$fill" => missing(argument, &["output"]),
        "$densify" => missing(argument, &["field", "range"]),
        _ => None,
    }
}

fn wants(term: &Term, kind: Type, part: &str) -> Fault {
    match term.bson_type() {
        Some(found) if found != kind => Some(("type", part.to_owned())),
        _ => None,
    }
}

/// The first of these that is not there, where all members are known.
fn missing(argument: &Term, names: &[&str]) -> Fault {
    if let Some(kind) = argument.bson_type()
        && kind != Type::Object
    {
        return Some(("type", String::new()));
    }
    let lacking = |name: &&&str| argument.get(name).is_none();
    let name = names.iter().find(lacking).filter(|_| argument.is_closed())?;
    Some(("missing", (*name).to_owned()))
}

fn number(term: &Term, least: i64) -> Fault {
    if let Some(kind) = term.bson_type()
        && !matches!(kind, Type::Int | Type::Long | Type::Double | Type::Decimal)
    {
        return Some(("number", String::new()));
    }
    let value = term.as_scalar()?.as_f64()?;
    (value < least as f64 || value.fract() != 0.0).then(|| ("number", String::new()))
}

fn few(term: &Term, least: usize) -> Fault {
    let elements = term.elements()?;
    let open = elements.iter().any(|element| element.as_hole().is_some_and(|hole| hole.kind.is_none()));
    (elements.len() < least && !open).then(|| ("few", "boundaries".to_owned()))
}

fn empty(argument: &Term) -> Fault {
    wants(argument, Type::Object, "")
        .or_else(|| argument.members().is_some_and(<[Member]>::is_empty).then(|| ("empty", String::new())))
}

fn sort(argument: &Term) -> Fault {
    if let fault @ Some(_) = empty(argument) {
        return fault;
    }
    argument.members()?.iter().find_map(|member| {
        let name = member.name()?;
        let is_direction = match &member.value.what {
            What::Value(value) => matches!(value.as_f64(), Some(number) if number == 1.0 || number == -1.0),
            What::Object(_) => member.value.get("$meta").is_some() || !member.value.is_closed(),
            What::Array(_) => false,
            What::Hole(_) => true,
        };
        (!is_direction).then(|| ("direction", name.to_owned()))
    })
}

fn count(argument: &Term) -> Fault {
    wants(argument, Type::String, "").or_else(|| {
        let name = argument.as_str()?;
        (name.is_empty() || name.starts_with('$') || name.contains('.')).then(|| ("count", name.to_owned()))
    })
}

fn unset(argument: &Term) -> Fault {
    match &argument.what {
        What::Array(elements) if elements.is_empty() => Some(("empty", String::new())),
        What::Value(Value::String(name)) if name.is_empty() => Some(("empty", String::new())),
        What::Value(Value::String(_)) | What::Array(_) | What::Hole(_) => None,
        What::Object(_) | What::Value(_) => Some(("type", String::new())),
    }
}

fn group(argument: &Term) -> Fault {
    if let fault @ Some(_) = wants(argument, Type::Object, "").or_else(|| missing(argument, &["_id"])) {
        return fault;
    }
    accumulated(argument.members()?)
}

fn outputs(argument: &Term) -> Fault {
    accumulated(argument.get("output")?.members()?)
}

/// A field of a group that no accumulator makes.
fn accumulated(members: &[Member]) -> Fault {
    members.iter().filter(|member| member.name() != Some("_id")).find_map(|member| {
        let name = member.name()?;
        let is_accumulator = match &member.value.what {
            What::Object(parts) => match parts.as_slice() {
                [only] => only.name().is_none_or(|operator| {
                    operator.starts_with('$')
                        && (standing(accumulator::GROUP, operator, crate::facts::Version::DEFAULT) != Standing::Unknown
                            || !is_expression(operator))
                }),
                parts => parts.iter().any(|part| part.name().is_none()),
            },
            What::Hole(_) => true,
            What::Value(_) | What::Array(_) => false,
        };
        (!is_accumulator).then(|| ("accumulator", name.to_owned()))
    })
}

/// Whether a name is that of an operator of expressions, which is no accumulator; a name that nobody knows is
/// another rule's.
fn is_expression(name: &str) -> bool {
    use crate::facts::operators::expression;
    standing(expression::OPERATORS, name, crate::facts::Version::DEFAULT) != Standing::Unknown
}

fn unwind(argument: &Term) -> Fault {
    const KNOWN: &[&str] = &["path", "includeArrayIndex", "preserveNullAndEmptyArrays"];
    match &argument.what {
        What::Object(_) => missing(argument, &["path"]).or_else(|| unknown(argument, KNOWN)),
        What::Value(Value::String(_)) | What::Hole(_) => None,
        What::Value(_) | What::Array(_) => Some(("type", String::new())),
    }
}

fn unknown(argument: &Term, known: &[&str]) -> Fault {
    let name = argument.members()?.iter().filter_map(Member::name).find(|name| !known.contains(name))?;
    Some(("unknown", name.to_owned()))
}

fn lookup(argument: &Term) -> Fault {
    const KNOWN: &[&str] = &["from", "localField", "foreignField", "let", "pipeline", "as"];
    if let fault @ Some(_) = missing(argument, &["as"]).or_else(|| unknown(argument, KNOWN)) {
        return fault;
    }
    let has = |name: &str| argument.get(name).is_some();
    if !argument.is_closed() {
        return None;
    }
    // A pipeline that begins with its own documents reads no collection.
    if !has("pipeline") && !has("from") {
        return Some(("missing", "from".to_owned()));
    }
    for (one, other) in [("localField", "foreignField"), ("foreignField", "localField")] {
        if has(one) && !has(other) {
            return Some(("missing", other.to_owned()));
        }
    }
    if !has("localField") && !has("pipeline") {
        return Some(("missing", "localField".to_owned()));
    }
    ["localField", "foreignField", "as"].into_iter().find_map(|name| {
        let text = argument.get(name)?.as_str()?;
        text.starts_with('$').then(|| ("dollar", name.to_owned()))
    })
}

fn facet(argument: &Term) -> Fault {
    if let fault @ Some(_) = empty(argument) {
        return fault;
    }
    argument.members()?.iter().find_map(|member| {
        let kind = member.value.bson_type()?;
        (kind != Type::Array).then(|| ("branch", member.name().unwrap_or_default().to_owned()))
    })
}

fn merge(argument: &Term) -> Fault {
    const KNOWN: &[&str] = &["into", "on", "let", "whenMatched", "whenNotMatched", "targetCollectionVersion"];
    match &argument.what {
        What::Object(_) => missing(argument, &["into"]).or_else(|| unknown(argument, KNOWN)),
        What::Value(Value::String(_)) | What::Hole(_) => None,
        What::Value(_) | What::Array(_) => Some(("type", String::new())),
    }
}
