//! What a join shows of the documents that it brings.

use crate::order::Ordered;
use crate::workload::pipeline::{Change, Lookup, Pipeline, Reads, Source, is_within};
use crate::workload::{Operation, Term};

/// What is shown of joined documents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shown {
    /// All of them, or what the text does not tell.
    All,
    /// These paths and no others, sorted.
    Fields(Vec<String>),
    /// How many there are.
    Count,
}

impl Shown {
    /// What a find shows.
    pub(super) fn of_projection(operation: &Operation) -> Shown {
        let Some(members) = operation.projection.as_ref().filter(|p| p.is_closed()).and_then(Term::members) else {
            return Shown::All;
        };
        let mut fields = Vec::new();
        for member in members {
            let (Some(name), Some(value)) = (member.name(), member.value.as_scalar()) else { return Shown::All };
            let keeps = value.as_f64().map_or_else(|| member.value.as_bool() == Some(true), |number| number != 0.0);
            match (keeps, name) {
                (true, _) => fields.push(name.to_owned()),
                (false, "_id") => {}
                (false, _) => return Shown::All,
            }
        }
        Shown::fields(fields)
    }

    fn fields(mut fields: Vec<String>) -> Shown {
        fields.order();
        fields.dedup();
        Shown::Fields(fields)
    }
}

/// A path of the outer documents under which joined documents, or a part of them, are found.
#[derive(Debug, Clone)]
struct Alias {
    /// Path in the outer document.
    at: String,
    /// Path in the joined document; empty for the whole.
    of: String,
}

impl Alias {
    /// The path in the joined document that an outer path leads to.
    fn inner(&self, path: &str) -> Option<String> {
        let rest = path.strip_prefix(self.at.as_str())?;
        match rest.strip_prefix('.') {
            None if rest.is_empty() => Some(self.of.clone()),
            None => None,
            Some(rest) if self.of.is_empty() => Some(rest.to_owned()),
            Some(rest) => Some(format!("{}.{rest}", self.of)),
        }
    }
}

/// What the stages behind a join, and its own pipeline, leave of what it brings.
pub(super) fn shown(pipeline: &Pipeline, lookup: &Lookup) -> Shown {
    let Some(into) = &lookup.into else { return Shown::All };
    let own = match &lookup.pipeline {
        Some(own) if own.stages.iter().any(|stage| stage.is_any(&["$count", "$group"])) => return Shown::Count,
        Some(own) if !own.open => left_by(own),
        _ => None,
    };
    let mut aliases = vec![Alias { at: into.clone(), of: String::new() }];
    let (mut read, mut counted) = (Vec::new(), false);
    for stage in pipeline.stages.iter().filter(|stage| lookup.position < stage.position) {
        if stage.is_unknown() {
            return Shown::All;
        }
        let touched = |path: &str, aliases: &[Alias]| aliases.iter().find_map(|alias| alias.inner(path));
        if !stage.is_any(&["$set", "$addFields", "$project", "$unwind", "$unset"]) {
            let reads = stage.reads();
            if reads.whole || reads.open {
                return Shown::All;
            }
            for inner in reads.paths.iter().filter_map(|(path, _)| touched(path, &aliases)) {
                match inner.as_str() {
                    // Whether there is any is no field of it.
                    "" if stage.is("$match") => {}
                    "" => return own.map_or(Shown::All, Shown::fields),
                    _ => read.push(inner),
                }
            }
        }
        let change = stage.change();
        let mut kept = Vec::new();
        for made in change.named() {
            match &made.source {
                Source::Kept => {
                    let inner = touched(&made.path, &aliases);
                    kept.extend(inner.map(|of| Alias { at: made.path.clone(), of }));
                    // `publisher: 1` keeps what stands under it.
                    let under =
                        aliases.iter().filter(|alias| alias.at != made.path && is_within(&alias.at, &made.path));
                    kept.extend(under.cloned());
                }
                Source::Renamed(path) => {
                    kept.extend(touched(path, &aliases).map(|of| Alias { at: made.path.clone(), of }));
                }
                Source::Computed(term) => match element_of(term).and_then(|path| touched(path, &aliases)) {
                    Some(of) => kept.push(Alias { at: made.path.clone(), of }),
                    None if size_of(term).is_some_and(|path| touched(path, &aliases).is_some()) => counted = true,
                    None => {
                        let reads = Reads::of_expression(term);
                        if reads.whole || reads.open {
                            return Shown::All;
                        }
                        for inner in reads.paths.iter().filter_map(|(path, _)| touched(path, &aliases)) {
                            if inner.is_empty() {
                                return own.map_or(Shown::All, Shown::fields);
                            }
                            read.push(inner);
                        }
                    }
                },
                // Each joined document stays what it is.
                Source::Own if stage.is("$unwind") => {
                    kept.extend(touched(&made.path, &aliases).map(|of| Alias { at: made.path.clone(), of }));
                }
                Source::Own => {}
            }
        }
        match change {
            Change::Unknown => return Shown::All,
            Change::Only(_) => aliases = kept,
            Change::Some { made, removed } => {
                aliases.retain(|alias| {
                    let is_gone = removed.iter().any(|gone| is_within(&alias.at, gone));
                    let is_replaced = made.iter().any(|made| is_within(&alias.at, &made.path));
                    !is_gone && !is_replaced
                });
                aliases.extend(kept);
            }
        }
    }
    for alias in aliases {
        if alias.of.is_empty() {
            return own.map_or(Shown::All, Shown::fields);
        }
        read.push(alias.of);
    }
    if read.is_empty() && counted { Shown::Count } else { Shown::fields(read) }
}

/// The paths that a joined pipeline leaves, where it leaves out all others.
fn left_by(pipeline: &Pipeline) -> Option<Vec<String>> {
    match pipeline.fields_before(u32::MAX) {
        crate::workload::pipeline::Fields::Only { paths, .. } => Some(paths),
        _ => None,
    }
}

/// The path of an array of which an expression takes one element.
fn element_of(term: &Term) -> Option<&str> {
    let (operator, argument) = term.only_member()?;
    let array = match operator {
        "$first" | "$last" => argument.elements().and_then(<[Term]>::first).unwrap_or(argument),
        "$arrayElemAt" => argument.elements()?.first()?,
        _ => return None,
    };
    array.as_str()?.strip_prefix('$').filter(|path| !path.starts_with('$'))
}

/// The path of an array whose elements an expression counts.
fn size_of(term: &Term) -> Option<&str> {
    let (operator, argument) = term.only_member()?;
    let array = argument.elements().and_then(<[Term]>::first).unwrap_or(argument);
    array.as_str().filter(|_| operator == "$size")?.strip_prefix('$')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Value;

    fn term(json: &serde_json::Value) -> Value {
        match json {
            serde_json::Value::Number(n) => Value::Int(n.as_i64().unwrap_or_default() as i32),
            serde_json::Value::String(s) => Value::String(s.clone()),
            serde_json::Value::Array(a) => Value::Array(a.iter().map(term).collect()),
            serde_json::Value::Object(o) => Value::Object(o.iter().map(|(k, v)| (k.clone(), term(v))).collect()),
            serde_json::Value::Bool(b) => Value::Bool(*b),
            serde_json::Value::Null => Value::Null,
        }
    }

    fn of(rest: &str) -> Shown {
        let text =
            format!(r#"[{{"$lookup": {{"from": "p", "localField": "pid", "foreignField": "_id", "as": "p"}}}}{rest}]"#);
        let pipeline = Pipeline::read(&Term::from(term(&serde_json::from_str(&text).unwrap())));
        shown(&pipeline, &pipeline.lookups()[0])
    }

    fn fields(names: &[&str]) -> Shown {
        Shown::Fields(names.iter().map(|name| (*name).to_owned()).collect())
    }

    #[test]
    fn projections_tell_what_is_shown() {
        assert_eq!(of(""), Shown::All);
        assert_eq!(of(r#", {"$limit": 3}, {"$project": {"title": 1, "p": 1}}"#), Shown::All);
        assert_eq!(of(r#", {"$project": {"title": 1, "p.name": 1, "p.town": 1}}"#), fields(&["name", "town"]));
        let first = r#", {"$set": {"p": {"$first": "$p"}}}, {"$project": {"p.name": 1, "p.address.town": 1}}"#;
        assert_eq!(of(first), fields(&["address.town", "name"]));
        assert_eq!(of(r#", {"$unwind": "$p"}, {"$project": {"title": 1, "by": "$p.name"}}"#), fields(&["name"]));
        assert_eq!(of(r#", {"$unwind": "$p"}, {"$set": {"by": "$p.name"}}, {"$unset": "p"}"#), fields(&["name"]));
        assert_eq!(of(r#", {"$unwind": "$p"}, {"$set": {"by": "$p.name"}}"#), Shown::All);
    }

    #[test]
    fn what_is_counted_or_grouped() {
        assert_eq!(of(r#", {"$set": {"n": {"$size": "$p"}}}, {"$unset": "p"}"#), Shown::Count);
        assert_eq!(of(r#", {"$project": {"n": {"$size": "$p"}}}"#), Shown::Count);
        let group = r#", {"$unwind": "$p"}, {"$group": {"_id": "$p.country", "n": {"$sum": 1}}}"#;
        assert_eq!(of(group), fields(&["country"]));
        assert_eq!(of(r#", {"$group": {"_id": null, "all": {"$push": "$p"}}}"#), Shown::All);
        assert_eq!(of(r#", {"$match": {"p": {"$ne": []}}}, {"$project": {"title": 1}}"#), fields(&[]));
    }
}
