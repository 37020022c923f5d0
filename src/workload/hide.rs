//! Takes the literals out of operations that were seen running: they are values of somebody's documents. What an
//! analysis needs stays: paths, operators, types, lengths of lists, how a regular expression is anchored, directions.

use super::operation::Operation;
use super::term::{Hole, Member, Origin, Term, What};
use crate::order::Ordered;
use crate::value::{Type, Value};

/// Longer lists are kept as their length.
const LIST: usize = 8;

/// Strings in these arguments of expressions choose what an expression does.
const CHOICES: &[&str] = &["unit", "format", "to", "startOfWeek", "meta", "$meta", "field", "as", "index", "path"];

/// Options that hold no value of a document.
const PLAIN_OPTIONS: &[&str] = &[
    "upsert",
    "multi",
    "hint",
    "collation",
    "readConcern",
    "writeConcern",
    "readPreference",
    "maxTimeMS",
    "batchSize",
    "allowDiskUse",
    "ordered",
    "returnKey",
    "showRecordId",
    "new",
    "remove",
    "tailable",
    "awaitData",
    "noCursorTimeout",
    "allowPartialResults",
    "bypassDocumentValidation",
];

/// Takes the values out of an operation. Doing it again changes nothing.
pub(super) fn hide(operation: &mut Operation) {
    operation.filter.iter_mut().for_each(filter);
    operation.projection.iter_mut().for_each(projection);
    operation.update.iter_mut().for_each(update);
    operation.pipeline.iter_mut().for_each(pipeline);
    if let Some(documents) = &mut operation.documents {
        let known = |document: &Term| matches!(document.as_hole(), Some(Hole { origin: Origin::Many(_), .. }));
        if let Some(elements) = documents.elements().filter(|elements| !elements.iter().any(known)) {
            *documents = Term::new(What::Array(vec![many(Some(Type::Object), elements.len())]));
        }
    }
    for member in operation.options.iter_mut().flat_map(members_mut) {
        match member.name() {
            Some(name) if PLAIN_OPTIONS.contains(&name) => {}
            Some("arrayFilters") => elements_mut(&mut member.value).iter_mut().for_each(filter),
            _ => values(&mut member.value),
        }
    }
}

fn members_mut(term: &mut Term) -> &mut [Member] {
    if let What::Object(members) = &mut term.what { members } else { &mut [] }
}

fn elements_mut(term: &mut Term) -> &mut [Term] {
    if let What::Array(elements) = &mut term.what { elements } else { &mut [] }
}

fn many(kind: Option<Type>, count: usize) -> Term {
    let count = u32::try_from(count).unwrap_or(u32::MAX);
    Term::new(What::Hole(Hole { kind, origin: Origin::Many(count) }))
}

/// Hides every value; names of fields stay.
fn values(term: &mut Term) {
    match &mut term.what {
        What::Value(Value::Regex(pattern, _)) => *pattern = anchored(pattern),
        What::Value(Value::Bool(_) | Value::Null | Value::Undefined) | What::Hole(_) => {}
        What::Value(value) => {
            term.what = What::Hole(Hole { kind: Some(value.bson_type()), origin: Origin::Hidden });
        }
        What::Object(members) => members.iter_mut().for_each(|member| values(&mut member.value)),
        What::Array(_) => list(term),
    }
}

/// Hides the elements of a list; of a long one only the types and their numbers stay.
fn list(term: &mut Term) {
    let elements = elements_mut(term);
    elements.iter_mut().for_each(values);
    if elements.len() <= LIST || elements.iter().any(|element| matches!(element.what, What::Object(_) | What::Array(_)))
    {
        return;
    }
    let mut counts: Vec<(Option<Type>, usize)> = Vec::new();
    for element in elements.iter() {
        let kind = element.bson_type();
        match counts.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, count)) => *count += 1,
            None => counts.push((kind, 1)),
        }
    }
    counts.order();
    term.what = What::Array(counts.into_iter().map(|(kind, count)| many(kind, count)).collect());
}

/// A pattern with every word of it replaced: how it is anchored, and where anything may stand, is still to be seen.
fn anchored(pattern: &str) -> String {
    let mut out = String::new();
    let mut escaped = false;
    for c in pattern.chars() {
        let word = c.is_alphanumeric() || c == '_';
        if word && !(escaped && c.is_ascii_alphabetic()) {
            if !out.ends_with('x') || escaped {
                out.push('x');
            }
        } else {
            out.push(c);
        }
        escaped = c == '\\' && !escaped;
    }
    out
}

fn filter(term: &mut Term) {
    for member in members_mut(term) {
        match member.name() {
            Some("$and" | "$or" | "$nor") => elements_mut(&mut member.value).iter_mut().for_each(filter),
            Some("$expr") => expression(&mut member.value),
            Some(name) if name.starts_with('$') => values(&mut member.value),
            _ => predicate(&mut member.value),
        }
    }
}

/// What is asked of one path.
fn predicate(term: &mut Term) {
    if !term.is_operators() {
        values(term);
        return;
    }
    for member in members_mut(term) {
        match member.name() {
            Some("$exists" | "$type" | "$size" | "$options") => {}
            Some("$regex") => {
                if let What::Value(Value::String(pattern) | Value::Regex(pattern, _)) = &mut member.value.what {
                    *pattern = anchored(pattern);
                }
            }
            Some("$not") => predicate(&mut member.value),
            Some("$elemMatch") if member.value.is_operators() => predicate(&mut member.value),
            Some("$elemMatch") => filter(&mut member.value),
            _ => values(&mut member.value),
        }
    }
}

/// An expression of the aggregation: references to fields stay, and what chooses a behaviour.
fn expression(term: &mut Term) {
    match &mut term.what {
        What::Value(Value::String(text)) if text.starts_with('$') => {}
        What::Value(value) if value.as_i64().is_some_and(|number| number.abs() <= 1) => {}
        What::Object(members) => {
            for member in members {
                match member.name() {
                    Some("$literal") => values(&mut member.value),
                    Some(name) if CHOICES.contains(&name) && member.value.as_str().is_some() => {}
                    Some("sortBy" | "range") => {}
                    _ => expression(&mut member.value),
                }
            }
        }
        What::Array(elements) if elements.len() <= LIST || !elements.iter().all(is_scalar) => {
            elements.iter_mut().for_each(expression);
        }
        _ => values(term),
    }
}

fn is_scalar(term: &Term) -> bool {
    matches!(term.what, What::Value(_) | What::Hole(_))
}

fn projection(term: &mut Term) {
    for member in members_mut(term) {
        let value = &mut member.value;
        let scalar = value.as_scalar();
        if scalar.is_some_and(|value| value.as_f64().is_some() || value.as_bool().is_some())
            || value.get("$slice").is_some()
        {
            continue;
        }
        match value.members() {
            Some([only]) if only.name() == Some("$elemMatch") => {
                for inner in members_mut(value) {
                    filter(&mut inner.value);
                }
            }
            Some(_) if !value.is_operators() => projection(value),
            _ => expression(value),
        }
    }
}

fn pipeline(term: &mut Term) {
    for stage in elements_mut(term) {
        for member in members_mut(stage) {
            let (name, value) = (member.key.clone(), &mut member.value);
            let super::term::Key::Name(name) = name else { continue };
            match name.as_str() {
                "$match" => filter(value),
                "$project" => projection(value),
                "$sort" | "$limit" | "$skip" | "$sample" | "$count" | "$unwind" | "$unset" | "$out" | "$collStats"
                | "$indexStats" => {}
                "$changeStream" => values(value),
                "$facet" => members_mut(value).iter_mut().for_each(|facet| pipeline(&mut facet.value)),
                "$lookup" | "$graphLookup" | "$unionWith" | "$merge" | "$geoNear" => arguments(value),
                _ => expression(value),
            }
        }
    }
}

/// Stages whose arguments are names of collections and fields, and parts of other kinds.
fn arguments(term: &mut Term) {
    for member in members_mut(term) {
        match member.name() {
            Some("pipeline") => pipeline(&mut member.value),
            Some("whenMatched") if member.value.elements().is_some() => pipeline(&mut member.value),
            Some("query" | "restrictSearchWithMatch") => filter(&mut member.value),
            Some("let" | "startWith") => expression(&mut member.value),
            Some("near" | "minDistance" | "maxDistance") => values(&mut member.value),
            _ => {}
        }
    }
}

fn update(term: &mut Term) {
    if term.elements().is_some() {
        pipeline(term);
        return;
    }
    if !term.is_operators() {
        values(term);
        return;
    }
    for member in members_mut(term) {
        match member.name() {
            Some("$unset" | "$rename" | "$currentDate") => {}
            Some("$inc" | "$mul") => {
                for step in members_mut(&mut member.value) {
                    expression(&mut step.value);
                }
            }
            Some("$push" | "$addToSet") => members_mut(&mut member.value).iter_mut().for_each(pushed),
            Some("$pull") => filter(&mut member.value),
            _ => values(&mut member.value),
        }
    }
}

fn pushed(member: &mut Member) {
    if !member.value.is_operators() {
        values(&mut member.value);
        return;
    }
    for modifier in members_mut(&mut member.value) {
        if !matches!(modifier.name(), Some("$slice" | "$sort" | "$position")) {
            values(&mut modifier.value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workload::command;
    use crate::workload::shape;

    fn read(text: &str) -> Operation {
        command::read(&Term::from(crate::value::samples::literal(text)), Some("shop")).remove(0)
    }

    fn hidden(text: &str) -> Operation {
        let mut operation = read(text);
        hide(&mut operation);
        operation
    }

    const COMMANDS: [&str; 8] = [
        "{find: 'a', filter: {name: 'Secret', tags: {$in: ['Secret', 'b']}, at: {$gt: 71234}}, sort: {at: -1}}",
        "{find: 'a', filter: {$or: [{x: /^Secret/i}, {y: {$regex: 'Secret.*71234$', $options: 'i'}}], z: '$Secret'}}",
        "{find: 'a', filter: {$expr: {$gt: ['$x', 71234]}, l: {$elemMatch: {k: 'Secret'}}, $comment: 'Secret'}}",
        "{aggregate: 'a', pipeline: [{$match: {s: 'Secret'}}, {$group: {_id: '$s', n: {$sum: 1}, m: {$sum: 71234}}},
            {$lookup: {from: 'b', let: {v: 'Secret'}, pipeline: [{$match: {w: 71234}}], as: 'j'}}, {$sort: {n: -1}}]}",
        "{aggregate: 'a', pipeline: [{$project: {a: 1, b: 'Secret', c: {$concat: ['$d', 'Secret']}}},
            {$set: {e: {$literal: '$Secret'}}}, {$facet: {f: [{$match: {g: 'Secret'}}]}}]}",
        "{update: 'a', updates: [{q: {_id: 'Secret'}, u: {$set: {s: {t: 'Secret'}}, $push: {l: {$each: [71234], $slice: -5}}},
            arrayFilters: [{'e.x': 'Secret'}]}]}",
        "{insert: 'a', documents: [{s: 'Secret'}, {s: 71234}]}",
        "{findAndModify: 'a', query: {s: 'Secret'}, update: {s: 'Secret', n: [71234]}, comment: 'Secret'}",
    ];

    #[test]
    fn nothing_of_a_document_stays() {
        for text in COMMANDS {
            let told = format!("{:?}", hidden(text));
            assert!(!told.contains("Secret") && !told.contains("71234"), "{text}: {told}");
        }
    }

    #[test]
    fn the_shape_stays() {
        for text in COMMANDS {
            let once = hidden(text);
            let mut twice = once.clone();
            hide(&mut twice);
            assert_eq!(once, twice, "{text}");
            let with_reference = text.contains("z: '$Secret'") || text.contains("$literal");
            assert!(with_reference || shape::key(&read(text)) == shape::key(&once), "{text}");
        }
        let list = |count: usize| format!("{{find: 'a', filter: {{x: {{$in: [{}]}}}}}}", "7,".repeat(count));
        assert_eq!(shape::key(&hidden(&list(3))), shape::key(&hidden(&list(3_000))));
        let told = hidden(&list(3_000)).filter.unwrap();
        let elements = told.get("x").unwrap().get("$in").unwrap().elements().unwrap();
        assert_eq!(elements[0].as_hole().unwrap().origin, Origin::Many(3_000));
    }

    #[test]
    fn anchors_are_to_be_seen() {
        assert_eq!(anchored("^Secret"), "^x");
        assert_eq!(anchored("^.*Secret\\d+$"), "^.*x\\d+$");
        assert_eq!(anchored("a-b"), "x-x");
    }
}
