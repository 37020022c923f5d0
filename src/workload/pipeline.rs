//! Pipelines, understood: stages with what each reads, makes, removes and does to number and order of documents.
//!
//! The analysis follows the server's own (dependencies and modified paths of a stage). What is not known stays open: a
//! stage that the text does not tell ends all certainty about fields behind it.

mod expression;
mod fields;

pub use expression::Reads;
pub(crate) use expression::{is_repeatable, plain_path};
pub use fields::{Change, Fields, Made, Source};

use super::filter::Filter;
use super::term::{Key, Member, Span, Term, What};

/// A pipeline.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Pipeline {
    /// Its stages in order.
    pub stages: Vec<Stage>,
    /// Whether stages may stand in it that the text does not tell.
    pub open: bool,
}

/// A stage.
#[derive(Debug, Clone, PartialEq)]
pub struct Stage {
    /// Its place, from 0.
    pub position: u32,
    /// Its name with the dollar sign; nothing where it is not known, or where the element is no stage.
    pub name: Option<String>,
    /// Its argument; the whole element where it has no name.
    pub argument: Term,
    /// Where it is written.
    pub span: Option<Span>,
    /// Whether the element is known and is no object of one field.
    pub is_malformed: bool,
}

/// What a stage does to the number of documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Count {
    /// One out for each one in.
    Same,
    /// Some are left out, none is added.
    Fewer,
    /// Anything.
    Any,
}

/// What a stage does to the order of documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// They leave as they come.
    Keeps,
    /// It gives an order.
    Sets,
    /// They leave in no order.
    Loses,
}

/// A pipeline within a stage.
#[derive(Debug, Clone, PartialEq)]
pub struct Nested<'p> {
    /// The stage that holds it.
    pub stage: &'p Stage,
    /// The collection that it reads; nothing where it reads the documents of the outer pipeline (`$facet`) or where it
    /// is not known.
    pub from: Option<String>,
    /// The pipeline.
    pub pipeline: Pipeline,
}

/// A join, as `$lookup` and `$graphLookup` say it.
#[derive(Debug, Clone, PartialEq)]
pub struct Lookup {
    /// Place of the stage in the outermost pipeline.
    pub position: u32,
    /// The joined collection.
    pub from: Option<String>,
    /// The database of the joined collection, where it is named.
    pub database: Option<String>,
    /// The field of the documents that come in; that of `startWith` in a `$graphLookup`.
    pub local: Option<String>,
    /// The field of the joined collection: `foreignField`, or `connectToField`.
    pub foreign: Option<String>,
    /// Fields of the joined collection that its own pipeline compares by `$expr` with a variable, and the local field
    /// that the variable stands for, where it is one.
    pub compared: Vec<(String, Option<String>)>,
    /// The field that takes what is found.
    pub into: Option<String>,
    /// The pipeline that runs over the joined collection.
    pub pipeline: Option<Pipeline>,
    /// The collection that is joined from, where that is not the one of the operation: the join stands in a pipeline
    /// over another collection.
    pub within: Option<String>,
    /// Where the stage is written.
    pub span: Option<Span>,
}

/// Pipelines within pipelines that are followed.
const DEEPEST: u32 = 20;

impl Pipeline {
    /// Reads a pipeline. What is no array is open: any stage may stand in it.
    pub fn read(term: &Term) -> Pipeline {
        let elements = match &term.what {
            What::Array(elements) => elements.as_slice(),
            // A single stage counts as a pipeline of one (mongosh takes `aggregate({$match: …})`).
            What::Object(_) => std::slice::from_ref(term),
            _ => return Pipeline { stages: Vec::new(), open: true },
        };
        let stages: Vec<Stage> =
            elements.iter().enumerate().map(|(position, element)| Stage::read(position as u32, element)).collect();
        let open = stages.iter().any(Stage::is_unknown);
        Pipeline { stages, open }
    }

    /// The stages before the first one that is not known.
    pub fn certain(&self) -> &[Stage] {
        let end = self.stages.iter().position(Stage::is_unknown).unwrap_or(self.stages.len());
        self.stages.get(..end).unwrap_or_default()
    }

    /// The filters that apply to stored documents before anything changes or counts them.
    pub fn leading_match(&self) -> Vec<Filter> {
        let mut filters = Vec::new();
        for stage in self.certain() {
            match stage.name.as_deref() {
                Some("$match") => filters.push(Filter::read(&stage.argument)),
                // The nearest come first, out of those that match.
                Some("$geoNear") if stage.position == 0 => {
                    filters.extend(stage.argument.get("query").map(Filter::read));
                }
                Some("$sort") => {}
                _ => break,
            }
        }
        filters
    }

    /// The sort of stored documents: a `$sort` that nothing but filters precede.
    pub fn leading_sort(&self) -> Option<&Term> {
        let stage = self.certain().iter().find(|stage| !stage.is("$match"))?;
        stage.is("$sort").then_some(&stage.argument)
    }

    /// The pipelines within its stages.
    pub fn nested(&self) -> Vec<Nested<'_>> {
        self.stages.iter().flat_map(Stage::nested).collect()
    }

    /// Its joins, those in pipelines within it included.
    pub fn lookups(&self) -> Vec<Lookup> {
        let mut found = Vec::new();
        self.collect_lookups(None, None, DEEPEST, &mut found);
        found
    }

    fn collect_lookups(&self, outer: Option<u32>, within: Option<&str>, depth: u32, found: &mut Vec<Lookup>) {
        let Some(depth) = depth.checked_sub(1) else { return };
        for stage in &self.stages {
            let position = outer.unwrap_or(stage.position);
            if let Some(lookup) = stage.lookup() {
                found.push(Lookup { position, within: within.map(str::to_owned), ..lookup });
            }
            for nested in stage.nested() {
                let within = if stage.is("$facet") { within } else { Some(nested.from.as_deref().unwrap_or_default()) };
                nested.pipeline.collect_lookups(Some(position), within, depth, found);
            }
        }
    }

    /// The fields that documents have when they reach a stage.
    pub fn fields_before(&self, position: u32) -> Fields {
        let stages = self.stages.iter().take_while(|stage| stage.position < position);
        stages.fold(Fields::stored(), Fields::after)
    }
}

impl Stage {
    fn read(position: u32, element: &Term) -> Stage {
        let unnamed =
            |is_malformed| Stage { position, name: None, argument: element.clone(), span: element.span, is_malformed };
        match &element.what {
            What::Object(members) => match members.as_slice() {
                [Member { key: Key::Name(name), value, .. }] => Stage {
                    position,
                    name: Some(name.clone()),
                    argument: value.clone(),
                    span: element.span,
                    is_malformed: false,
                },
                members => unnamed(members.iter().all(|member| member.name().is_some() && !member.spread)),
            },
            What::Hole(_) => unnamed(false),
            _ => unnamed(true),
        }
    }

    /// Whether it has this name.
    pub fn is(&self, name: &str) -> bool {
        self.name.as_deref() == Some(name)
    }

    /// Whether it has one of these names.
    pub fn is_any(&self, names: &[&str]) -> bool {
        self.name.as_deref().is_some_and(|name| names.contains(&name))
    }

    /// Whether the text does not tell which stage it is.
    pub fn is_unknown(&self) -> bool {
        self.name.is_none()
    }

    /// What it does to the number of documents.
    pub fn count(&self) -> Count {
        match self.name.as_deref() {
            Some(
                "$addFields" | "$set" | "$project" | "$unset" | "$lookup" | "$graphLookup" | "$sort" | "$replaceRoot"
                | "$replaceWith" | "$setWindowFields" | "$fill",
            ) => Count::Same,
            Some("$match" | "$limit" | "$skip" | "$sample" | "$redact" | "$geoNear") => Count::Fewer,
            _ => Count::Any,
        }
    }

    /// What it does to their order.
    pub fn order(&self) -> Order {
        match self.name.as_deref() {
            Some("$sort" | "$geoNear" | "$search" | "$vectorSearch" | "$sortByCount" | "$bucketAuto" | "$bucket") => {
                Order::Sets
            }
            Some("$rankFusion" | "$scoreFusion") => Order::Sets,
            // It sorts by partition and `sortBy`.
            Some("$setWindowFields" | "$fill" | "$densify") if self.argument.get("sortBy").is_some() => Order::Sets,
            Some(
                "$match" | "$addFields" | "$set" | "$project" | "$unset" | "$lookup" | "$graphLookup" | "$replaceRoot"
                | "$replaceWith" | "$limit" | "$skip" | "$unwind" | "$redact",
            ) => Order::Keeps,
            _ => Order::Loses,
        }
    }

    /// Whether it must see all documents before it gives the first.
    pub fn is_blocking(&self) -> bool {
        self.is_any(&[
            "$sort",
            "$group",
            "$bucket",
            "$bucketAuto",
            "$sortByCount",
            "$count",
            "$setWindowFields",
            "$facet",
        ])
    }

    /// What it reads of the documents that come in.
    pub fn reads(&self) -> Reads {
        expression::stage_reads(self)
    }

    /// What it does to their fields.
    pub fn change(&self) -> Change {
        fields::change(self)
    }

    /// The pipelines within it.
    pub fn nested(&self) -> Vec<Nested<'_>> {
        let nested = |from: Option<String>, term: &Term| Nested { stage: self, from, pipeline: Pipeline::read(term) };
        let text = |name: &str| self.argument.get(name).and_then(Term::as_str).map(str::to_owned);
        match self.name.as_deref() {
            Some("$lookup") => {
                self.argument.get("pipeline").map(|term| nested(self.joined().1, term)).into_iter().collect()
            }
            Some("$unionWith") => {
                self.argument.get("pipeline").map(|term| nested(text("coll"), term)).into_iter().collect()
            }
            Some("$facet") => {
                let members = self.argument.members().unwrap_or_default();
                members.iter().filter(|m| m.name().is_some()).map(|member| nested(None, &member.value)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Database and name of the collection that a join reads.
    fn joined(&self) -> (Option<String>, Option<String>) {
        let Some(from) = self.argument.get("from") else { return (None, None) };
        let part = |name: &str| from.get(name).and_then(Term::as_str).map(str::to_owned);
        match from.as_str() {
            Some(name) => (None, Some(name.to_owned())),
            None => (part("db"), part("coll")),
        }
    }

    /// The join that it is.
    pub fn lookup(&self) -> Option<Lookup> {
        let text = |name: &str| self.argument.get(name).and_then(Term::as_str).map(str::to_owned);
        let (local, foreign) = match self.name.as_deref()? {
            "$lookup" => (text("localField"), text("foreignField")),
            "$graphLookup" => (
                text("startWith").and_then(|path| expression::plain_path(&path).map(str::to_owned)),
                text("connectToField"),
            ),
            _ => return None,
        };
        let (database, from) = self.joined();
        let pipeline = self.argument.get("pipeline").map(Pipeline::read);
        let mut compared = Vec::new();
        if let Some(pipeline) = &pipeline {
            let variables = self.argument.get("let");
            for filter in pipeline.leading_match() {
                expression::compared(&filter, variables, &mut compared);
            }
        }
        let into = text("as");
        Some(Lookup {
            position: self.position,
            from,
            database,
            local,
            foreign,
            compared,
            into,
            pipeline,
            within: None,
            span: self.span,
        })
    }
}

/// The first name of a path: what two paths must not share to be independent, whatever is an array.
pub fn top(path: &str) -> &str {
    path.split('.').next().unwrap_or(path)
}

/// Whether one path is the other, or lies in it.
pub fn overlap(a: &str, b: &str) -> bool {
    is_within(a, b) || is_within(b, a)
}

/// Whether a path is another one, or lies in it.
pub fn is_within(path: &str, outer: &str) -> bool {
    path.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Value;

    pub(super) fn term(json: &str) -> Term {
        fn of(value: &serde_json::Value) -> Value {
            match value {
                serde_json::Value::Null => Value::Null,
                serde_json::Value::Bool(b) => Value::Bool(*b),
                serde_json::Value::Number(n) => Value::Int(n.as_i64().unwrap() as i32),
                serde_json::Value::String(s) => Value::String(s.clone()),
                serde_json::Value::Array(a) => Value::Array(a.iter().map(of).collect()),
                serde_json::Value::Object(o) => Value::Object(o.iter().map(|(k, v)| (k.clone(), of(v))).collect()),
            }
        }
        Term::from(of(&serde_json::from_str(json).unwrap()))
    }

    pub(super) fn pipeline(json: &str) -> Pipeline {
        Pipeline::read(&term(json))
    }

    #[test]
    fn what_comes_first() {
        let read = pipeline(
            r#"[{"$match": {"a": 1}}, {"$match": {"b": 2}}, {"$sort": {"c": 1}}, {"$match": {"d": 1}},
            {"$limit": 5}, {"$match": {"e": 1}}]"#,
        );
        let paths: Vec<String> = read.leading_match().iter().flat_map(Filter::paths).collect();
        assert_eq!(paths, ["a", "b", "d"]);
        assert!(read.leading_sort().unwrap().get("c").is_some());
        assert!(pipeline(r#"[{"$unwind": "$a"}, {"$sort": {"c": 1}}]"#).leading_sort().is_none());
        assert!(Pipeline::read(&Term::hole()).open);
    }

    #[test]
    fn joins_with_what_they_compare() {
        let read = pipeline(
            r#"[{"$lookup": {"from": "a", "localField": "x", "foreignField": "y", "as": "z"}},
                {"$facet": {"one": [{"$lookup": {"from": "b", "let": {"v": "$k"}, "as": "w", "pipeline": [
                    {"$match": {"$expr": {"$and": [{"$eq": ["$f", "$$v"]}, {"$gt": ["$g", 1]}]}}},
                    {"$graphLookup": {"from": "c", "startWith": "$s", "connectFromField": "s", "connectToField": "t",
                        "as": "u"}}]}}]}}]"#,
        );
        let found = read.lookups();
        assert_eq!(found.len(), 3);
        assert_eq!((found[0].position, found[0].foreign.as_deref(), &found[0].within), (0, Some("y"), &None));
        assert_eq!(found[1].compared, [("f".to_owned(), Some("k".to_owned()))]);
        assert_eq!((found[1].position, &found[1].within), (1, &None));
        assert_eq!((found[2].foreign.as_deref(), found[2].within.as_deref()), (Some("t"), Some("b")));
    }

    #[test]
    fn an_unknown_stage_ends_certainty() {
        let mut read = term(r#"[{"$match": {"a": 1}}, {"$limit": 3}]"#);
        if let What::Array(elements) = &mut read.what {
            elements.insert(0, Term::hole());
        }
        let read = Pipeline::read(&read);
        assert!(read.open && read.certain().is_empty() && read.leading_match().is_empty());
        assert_eq!(read.fields_before(2), Fields::Unknown);
    }
}
