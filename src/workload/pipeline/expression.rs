//! What expressions, filters and stages read of a document.

use super::Stage;
use crate::value::Value;
use crate::workload::filter::{Filter, Predicate};
use crate::workload::term::{Member, Span, Term, What};

/// What is read of a document.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Reads {
    /// The paths, in the order of the text, with their places.
    pub paths: Vec<(String, Option<Span>)>,
    /// Whether the whole document is read (`$$ROOT`).
    pub whole: bool,
    /// Whether more may be read than the text tells.
    pub open: bool,
}

/// Levels of expressions that are followed.
const DEEPEST: u32 = 200;

impl Reads {
    /// What an expression reads.
    pub fn of_expression(term: &Term) -> Reads {
        let mut reads = Reads::default();
        reads.expression(term, DEEPEST);
        reads
    }

    /// What a filter reads.
    pub fn of_filter(filter: &Filter) -> Reads {
        let mut reads = Reads::default();
        reads.filter(filter, DEEPEST);
        reads
    }

    /// What one predicate of a filter reads.
    pub fn of_predicate(predicate: &Predicate) -> Reads {
        let mut reads = Reads::default();
        reads.predicate(predicate, DEEPEST);
        reads
    }

    /// Whether nothing but these paths is read.
    pub fn is_closed(&self) -> bool {
        !self.whole && !self.open
    }

    /// Whether a path, or a part of it, is read, or may be.
    pub fn may_touch(&self, path: &str) -> bool {
        self.whole || self.open || self.paths.iter().any(|(read, _)| super::overlap(read, path))
    }

    fn path(&mut self, path: &str, span: Option<Span>) {
        self.paths.push((path.to_owned(), span));
    }

    fn expression(&mut self, term: &Term, depth: u32) {
        let Some(depth) = depth.checked_sub(1) else {
            self.open = true;
            return;
        };
        match &term.what {
            What::Value(Value::String(text)) => self.reference(text, term.span),
            What::Value(_) => {}
            // A value that was taken out of a log is a literal. Any other may be an expression, unless its type tells.
            What::Hole(hole) => {
                let literal = hole.kind.is_some_and(|kind| {
                    use crate::value::Type::{Array, Object, String};
                    !matches!(kind, String | Object | Array)
                });
                self.open |= !literal && hole.origin != crate::workload::Origin::Hidden;
            }
            What::Array(elements) => elements.iter().for_each(|element| self.expression(element, depth)),
            What::Object(members) => members.iter().for_each(|member| self.member(member, depth)),
        }
    }

    fn member(&mut self, member: &Member, depth: u32) {
        let Some(name) = member.name() else {
            self.open = true;
            return;
        };
        let value = &member.value;
        match name {
            "$literal" | "$meta" | "$rand" => {}
            // Its names are keys of a sort.
            "$sortArray" => {
                if let Some(input) = value.get("input") {
                    self.expression(input, depth);
                }
            }
            "$getField" => {
                let (field, input) = match value.members() {
                    Some(_) if value.get("field").is_some() => (value.get("field"), value.get("input")),
                    _ => (Some(value), None),
                };
                match (input, field.and_then(Term::as_str)) {
                    (Some(input), _) => self.expression(input, depth),
                    (None, Some(field)) if !field.starts_with('$') => self.path(field, value.span),
                    _ => self.open = true,
                }
            }
            // A default of `$$CURRENT` where no input is named.
            "$setField" | "$unsetField" if value.get("input").is_none() => self.open = true,
            _ => self.expression(value, depth),
        }
    }

    fn reference(&mut self, text: &str, span: Option<Span>) {
        if let Some(variable) = text.strip_prefix("$$") {
            let (name, rest) = variable.split_once('.').unwrap_or((variable, ""));
            match (name, rest) {
                ("ROOT" | "CURRENT", "") => self.whole = true,
                ("ROOT" | "CURRENT", path) => self.path(path, span),
                _ => {}
            }
        } else if let Some(path) = plain_path(text) {
            self.path(path, span);
        }
    }

    fn filter(&mut self, filter: &Filter, depth: u32) {
        let Some(depth) = depth.checked_sub(1) else {
            self.open = true;
            return;
        };
        self.open |= filter.open;
        for predicate in &filter.all {
            self.predicate(predicate, depth);
        }
    }

    fn predicate(&mut self, predicate: &Predicate, depth: u32) {
        match predicate {
            Predicate::Path { path, certain: true, span, .. } => self.path(path, *span),
            Predicate::Path { .. } => self.open = true,
            Predicate::And(parts, _) | Predicate::Or(parts, _) | Predicate::Nor(parts, _) => {
                for part in parts {
                    self.filter(part, depth);
                }
            }
            Predicate::Top { operator, argument, .. } => match operator.as_str() {
                "$expr" => self.expression(argument, depth),
                "$comment" | "$sampleRate" | "$alwaysTrue" | "$alwaysFalse" => {}
                _ => self.open = true,
            },
        }
    }
}

/// The path of a reference such as `$a.b`; nothing for variables and other texts.
pub(crate) fn plain_path(text: &str) -> Option<&str> {
    text.strip_prefix('$').filter(|path| !path.is_empty() && !path.starts_with('$'))
}

/// What a stage reads.
pub(super) fn stage_reads(stage: &Stage) -> Reads {
    let mut reads = Reads::default();
    let argument = &stage.argument;
    let keys = |reads: &mut Reads, term: &Term| match term.members() {
        Some(members) => {
            for member in members {
                match member.name() {
                    Some(name) if member.value.get("$meta").is_none() => reads.path(name, member.span),
                    Some(_) => {}
                    None => reads.open = true,
                }
            }
        }
        None => reads.open = true,
    };
    let field = |reads: &mut Reads, name: &str| {
        if let Some(term) = argument.get(name) {
            match term.as_str() {
                Some(path) => reads.path(path.trim_start_matches('$'), term.span),
                None => reads.open = true,
            }
        }
    };
    match stage.name.as_deref() {
        Some("$match") => reads.filter(&Filter::read(argument), DEEPEST),
        Some("$sort") => keys(&mut reads, argument),
        Some("$limit" | "$skip" | "$sample" | "$count" | "$unset" | "$documents" | "$unionWith") => {}
        Some("$unwind") => {
            let path = argument.get("path").unwrap_or(argument);
            match path.as_str() {
                Some(text) => reads.path(text.trim_start_matches('$'), path.span),
                None => reads.open = true,
            }
        }
        Some("$project") => projection_reads(&mut reads, argument, "", DEEPEST),
        Some("$lookup") => {
            field(&mut reads, "localField");
            if let Some(variables) = argument.get("let") {
                reads.expression(variables, DEEPEST);
            }
            reads.open |= !argument.is_closed();
        }
        Some("$graphLookup") => {
            if let Some(start) = argument.get("startWith") {
                reads.expression(start, DEEPEST);
            }
            reads.open |= !argument.is_closed();
        }
        Some("$bucket" | "$bucketAuto") => {
            for name in ["groupBy", "output"] {
                if let Some(part) = argument.get(name) {
                    reads.expression(part, DEEPEST);
                }
            }
            reads.open |= !argument.is_closed();
        }
        Some("$setWindowFields" | "$fill") => {
            for name in ["partitionBy", "output"] {
                if let Some(part) = argument.get(name) {
                    window_reads(&mut reads, part);
                }
            }
            if let Some(sort) = argument.get("sortBy") {
                keys(&mut reads, sort);
            }
            if let Some(fields) = argument.get("partitionByFields").and_then(Term::elements) {
                for path in fields {
                    match path.as_str() {
                        Some(text) => reads.path(text, path.span),
                        None => reads.open = true,
                    }
                }
            }
            reads.open |= !argument.is_closed();
        }
        Some("$group" | "$addFields" | "$set" | "$replaceRoot" | "$replaceWith" | "$sortByCount" | "$redact") => {
            reads.expression(argument, DEEPEST);
        }
        Some("$facet") => {
            for nested in stage.nested() {
                // What the first stages read, up to the one that makes documents of its own.
                for inner in &nested.pipeline.stages {
                    let own = inner.reads();
                    reads.paths.extend(own.paths);
                    reads.whole |= own.whole;
                    reads.open |= own.open;
                    if !matches!(inner.change(), super::Change::Some { .. }) {
                        break;
                    }
                }
                reads.whole |= nested.pipeline.stages.iter().all(|s| matches!(s.change(), super::Change::Some { .. }));
            }
            reads.open |= !argument.is_closed();
        }
        Some("$merge" | "$out") => reads.whole = true,
        _ => reads.open = true,
    }
    reads
}

/// Windows and methods are no expressions; what stands beside them is.
fn window_reads(reads: &mut Reads, term: &Term) {
    match term.members() {
        Some(members) if !term.is_operators() => {
            for member in members {
                match member.value.members() {
                    Some(parts) => {
                        for part in parts.iter().filter(|part| part.name() != Some("window")) {
                            match part.name() {
                                Some("method") => {}
                                Some("value") => reads.expression(&part.value, DEEPEST),
                                _ => reads.member(part, DEEPEST),
                            }
                        }
                    }
                    None => reads.expression(&member.value, DEEPEST),
                }
                reads.open |= member.name().is_none();
            }
        }
        _ => reads.expression(term, DEEPEST),
    }
}

fn projection_reads(reads: &mut Reads, term: &Term, prefix: &str, depth: u32) {
    let (Some(members), Some(depth)) = (term.members(), depth.checked_sub(1)) else {
        reads.open = true;
        return;
    };
    for member in members {
        let Some(name) = member.name() else {
            reads.open = true;
            continue;
        };
        let path = if prefix.is_empty() { name.to_owned() } else { format!("{prefix}.{name}") };
        match &member.value.what {
            What::Value(Value::Bool(keep)) => {
                if *keep {
                    reads.path(&path, member.span);
                }
            }
            What::Value(value) if value.as_f64().is_some() => {
                if value.as_f64() != Some(0.0) {
                    reads.path(&path, member.span);
                }
            }
            What::Object(_) if !member.value.is_operators() => projection_reads(reads, &member.value, &path, depth),
            What::Hole(_) => reads.open = true,
            _ => reads.expression(&member.value, DEEPEST),
        }
    }
}

/// Adds what the `$expr` of a filter compares by equality: a field with a variable, and what the variable stands for.
pub(super) fn compared(filter: &Filter, variables: Option<&Term>, found: &mut Vec<(String, Option<String>)>) {
    for predicate in &filter.all {
        match predicate {
            Predicate::Top { operator, argument, .. } if operator == "$expr" => {
                compared_in(argument, variables, found, DEEPEST);
            }
            Predicate::And(parts, _) => parts.iter().for_each(|part| compared(part, variables, found)),
            _ => {}
        }
    }
}

fn compared_in(term: &Term, variables: Option<&Term>, found: &mut Vec<(String, Option<String>)>, depth: u32) {
    let Some(depth) = depth.checked_sub(1) else { return };
    if let Some(parts) = term.get("$and").and_then(Term::elements) {
        for part in parts {
            compared_in(part, variables, found, depth);
        }
    }
    let Some([one, other]) = term.get("$eq").and_then(Term::elements) else { return };
    for (field, variable) in [(one, other), (other, one)] {
        let path = field.as_str().and_then(plain_path);
        let name = variable.as_str().and_then(|text| text.strip_prefix("$$"));
        if let (Some(path), Some(name)) = (path, name) {
            let (variable, rest) = name.split_once('.').unwrap_or((name, ""));
            let local = variables.and_then(|variables| variables.get(variable)).and_then(Term::as_str);
            let local = local.and_then(plain_path).map(|local| match rest {
                "" => local.to_owned(),
                rest => format!("{local}.{rest}"),
            });
            found.push((path.to_owned(), local));
        }
    }
}

/// Whether an expression gives the same each time it is asked about one document.
pub(crate) fn is_repeatable(term: &Term, depth: u32) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return false };
    match &term.what {
        What::Object(members) => members.iter().all(|member| {
            !matches!(member.name(), None | Some("$rand" | "$function" | "$sampleRate" | "$where" | "$createObjectId"))
                && is_repeatable(&member.value, depth)
        }),
        What::Array(elements) => elements.iter().all(|element| is_repeatable(element, depth)),
        What::Value(_) | What::Hole(_) => true,
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{pipeline, term};
    use super::*;

    fn paths(reads: &Reads) -> Vec<&str> {
        let mut paths: Vec<&str> = reads.paths.iter().map(|(path, _)| path.as_str()).collect();
        paths.sort_unstable();
        paths
    }

    #[test]
    fn expressions_read_paths_and_not_variables() {
        let reads = Reads::of_expression(&term(
            r#"{"$sum": {"$map": {"input": "$items", "as": "i", "in": {"$multiply": ["$$i.q", "$$ROOT.rate", "$b.c"]}}}}"#,
        ));
        assert_eq!(paths(&reads), ["b.c", "items", "rate"]);
        assert!(reads.is_closed());
        assert!(Reads::of_expression(&term(r#"{"$mergeObjects": ["$$ROOT", {"a": {"$literal": "$x"}}]}"#)).whole);
        assert!(Reads::of_expression(&Term::hole()).open);
        assert_eq!(paths(&Reads::of_expression(&term(r#"{"$getField": "a.b"}"#))), ["a.b"]);
    }

    #[test]
    fn stages_read_what_the_server_needs() {
        let read = pipeline(
            r#"[{"$project": {"a": 1, "b": {"c": true, "d": "$e"}, "f": 0, "g": {"$add": ["$h", 1]}}},
                {"$lookup": {"from": "x", "localField": "l", "foreignField": "y", "let": {"v": "$m"}, "as": "z",
                    "pipeline": [{"$match": {"n": 1}}]}},
                {"$setWindowFields": {"partitionBy": "$p", "sortBy": {"t": 1},
                    "output": {"s": {"$sum": "$q", "window": {"documents": ["unbounded", "current"]}}}}},
                {"$match": {"$or": [{"r": 1}, {"$expr": {"$gt": ["$u", "$v"]}}]}}]"#,
        );
        let of = |at: usize| read.stages[at].reads();
        assert_eq!(paths(&of(0)), ["a", "b.c", "e", "h"]);
        assert_eq!(paths(&of(1)), ["l", "m"]);
        assert_eq!(paths(&of(2)), ["p", "q", "t"]);
        assert_eq!(paths(&of(3)), ["r", "u", "v"]);
    }
}
