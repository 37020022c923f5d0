//! What stages do to the fields of documents, and which fields are left behind them.

use super::expression::plain_path;
use super::{Stage, is_within, overlap};
use crate::value::Value;
use crate::workload::term::{Span, Term, What};

/// What a stage does to fields.
#[derive(Debug, Clone, PartialEq)]
pub enum Change {
    /// All fields stay but those that are named.
    Some {
        /// Fields that it makes or gives another value.
        made: Vec<Made>,
        /// Fields that it removes.
        removed: Vec<String>,
    },
    /// Nothing stays but what is named.
    Only(Vec<Made>),
    /// Anything may have happened.
    Unknown,
}

/// A field that a stage gives.
#[derive(Debug, Clone, PartialEq)]
pub struct Made {
    /// Its path.
    pub path: String,
    /// What it is made from.
    pub source: Source,
    /// Where it is written.
    pub span: Option<Span>,
}

/// What a field is made from.
#[derive(Debug, Clone, PartialEq)]
pub enum Source {
    /// It stays as it was.
    Kept,
    /// It has the value of another field.
    Renamed(String),
    /// It is computed by an expression.
    Computed(Term),
    /// The stage makes it in its own way: joined documents, an element of an array, a count.
    Own,
}

/// The fields that documents have at a place in a pipeline.
#[derive(Debug, Clone, PartialEq)]
pub enum Fields {
    /// Those that are stored, and those that stages made, without those that stages removed.
    Stored {
        /// Made, or changed.
        made: Vec<String>,
        /// Removed, each with the place of the stage that did it.
        removed: Vec<(String, u32)>,
    },
    /// Nothing but these, since the stage at this place.
    Only {
        /// The paths.
        paths: Vec<String>,
        /// The stage that left the others out.
        since: u32,
    },
    /// Nothing is known.
    Unknown,
}

impl Change {
    fn made(paths: impl IntoIterator<Item = Made>) -> Change {
        Change::Some { made: paths.into_iter().collect(), removed: Vec::new() }
    }

    const NONE: Change = Change::Some { made: Vec::new(), removed: Vec::new() };

    /// The fields that are no longer what they were, unless all may be.
    pub fn touched(&self) -> Option<Vec<&str>> {
        match self {
            Change::Some { made, removed } => {
                Some(made.iter().map(|made| made.path.as_str()).chain(removed.iter().map(String::as_str)).collect())
            }
            Change::Only(_) | Change::Unknown => None,
        }
    }

    /// The fields that it names, with what each is made from.
    pub fn named(&self) -> &[Made] {
        match self {
            Change::Some { made, .. } | Change::Only(made) => made,
            Change::Unknown => &[],
        }
    }
}

impl Fields {
    /// Those of stored documents.
    pub fn stored() -> Fields {
        Fields::Stored { made: Vec::new(), removed: Vec::new() }
    }

    /// Those that are left behind a stage.
    #[must_use]
    pub fn after(self, stage: &Stage) -> Fields {
        match (self, stage.change()) {
            (_, Change::Unknown) | (Fields::Unknown, Change::Some { .. }) => Fields::Unknown,
            (_, Change::Only(left)) => {
                Fields::Only { paths: left.into_iter().map(|made| made.path).collect(), since: stage.position }
            }
            (Fields::Stored { mut made, removed: mut gone }, Change::Some { made: new, removed }) => {
                gone.retain(|(path, _)| !new.iter().any(|new| overlap(&new.path, path)));
                made.extend(new.into_iter().map(|made| made.path));
                gone.extend(removed.into_iter().map(|path| (path, stage.position)));
                Fields::Stored { made, removed: gone }
            }
            (Fields::Only { mut paths, since }, Change::Some { made, removed }) => {
                paths.retain(|path| !removed.iter().any(|gone| is_within(path, gone)));
                paths.extend(made.into_iter().map(|made| made.path));
                Fields::Only { paths, since }
            }
        }
    }

    /// The stage that took a path away or never made it, where that is certain.
    pub fn gone(&self, path: &str) -> Option<u32> {
        match self {
            Fields::Stored { removed, .. } => {
                removed.iter().find(|(gone, _)| is_within(path, gone)).map(|(_, stage)| *stage)
            }
            Fields::Only { paths, since } => (!paths.iter().any(|left| overlap(left, path))).then_some(*since),
            Fields::Unknown => None,
        }
    }

    /// Whether a path has the value that is stored, for certain.
    pub fn is_stored(&self, path: &str) -> bool {
        match self {
            Fields::Stored { made, removed } => {
                !made.iter().any(|made| super::top(made) == super::top(path))
                    && !removed.iter().any(|(gone, _)| super::top(gone) == super::top(path))
            }
            Fields::Only { .. } | Fields::Unknown => false,
        }
    }
}

/// What a stage does to fields.
pub(super) fn change(stage: &Stage) -> Change {
    let argument = &stage.argument;
    let own = |term: Option<&Term>| term.and_then(Term::as_str).map(|path| own(path, term.and_then(|t| t.span)));
    match stage.name.as_deref() {
        Some("$match" | "$sort" | "$limit" | "$skip" | "$sample" | "$redact" | "$search" | "$vectorSearch") => {
            Change::NONE
        }
        Some("$densify") => match own(argument.get("field")) {
            Some(field) => Change::made([field]),
            None => Change::Unknown,
        },
        Some("$addFields" | "$set") => match expressions(argument, "", DEEPEST) {
            Some(made) => Change::made(made),
            None => Change::Unknown,
        },
        Some("$unset") => {
            let names: Option<Vec<String>> = match &argument.what {
                What::Array(elements) => elements.iter().map(|e| e.as_str().map(str::to_owned)).collect(),
                _ => argument.as_str().map(|name| vec![name.to_owned()]),
            };
            names.map_or(Change::Unknown, |removed| Change::Some { made: Vec::new(), removed })
        }
        Some("$project") => projection(argument),
        Some("$unwind") => {
            let path = argument.get("path").unwrap_or(argument);
            let Some(text) = path.as_str().and_then(plain_path) else { return Change::Unknown };
            let mut made = vec![self::own(text, path.span)];
            if let Some(index) = argument.get("includeArrayIndex") {
                match index.as_str() {
                    Some(name) => made.push(self::own(name, index.span)),
                    None => return Change::Unknown,
                }
            }
            if argument.members().is_some() && !argument.is_closed() {
                return Change::Unknown;
            }
            Change::made(made)
        }
        Some("$lookup" | "$graphLookup") => match own(argument.get("as")) {
            Some(made) if argument.is_closed() => Change::made([made]),
            _ => Change::Unknown,
        },
        Some("$geoNear") => {
            let parts = ["distanceField", "includeLocs"].map(|name| argument.get(name));
            if parts.iter().flatten().any(|part| part.as_str().is_none()) || !argument.is_closed() {
                return Change::Unknown;
            }
            Change::made(parts.into_iter().filter_map(own))
        }
        Some("$setWindowFields" | "$fill") => match argument.get("output") {
            Some(output) if argument.is_closed() && output.is_closed() => {
                let members = output.members().unwrap_or_default();
                Change::made(members.iter().filter_map(|m| Some(self::own(m.name()?, m.span))))
            }
            _ => Change::Unknown,
        },
        Some("$group") => group(argument, &["_id"]),
        Some("$bucket" | "$bucketAuto") => {
            if !argument.is_closed() {
                return Change::Unknown;
            }
            match argument.get("output") {
                Some(output) => group(output, &[]).with_id(stage),
                None => Change::Only(vec![self::own("_id", None), self::own("count", None)]),
            }
        }
        Some("$sortByCount") => Change::Only(vec![self::own("_id", None), self::own("count", None)]),
        Some("$count") => match own(Some(argument)) {
            Some(made) => Change::Only(vec![made]),
            None => Change::Unknown,
        },
        Some("$facet") if argument.is_closed() => {
            let members = argument.members().unwrap_or_default();
            Change::Only(members.iter().filter_map(|m| Some(self::own(m.name()?, m.span))).collect())
        }
        Some("$replaceRoot") => argument.get("newRoot").map_or(Change::Unknown, root),
        Some("$replaceWith") => root(argument),
        _ => Change::Unknown,
    }
}

impl Change {
    fn with_id(self, stage: &Stage) -> Change {
        match self {
            Change::Only(mut made) => {
                made.insert(0, own("_id", stage.span));
                Change::Only(made)
            }
            other => other,
        }
    }
}

/// Levels of embedded fields that are followed.
const DEEPEST: u32 = 100;

fn own(path: &str, span: Option<Span>) -> Made {
    Made { path: path.to_owned(), source: Source::Own, span }
}

/// A field made from an expression.
fn from_expression(path: String, term: &Term, span: Option<Span>) -> Made {
    let source = match term.as_str().and_then(plain_path) {
        Some(other) => Source::Renamed(other.to_owned()),
        None => Source::Computed(term.clone()),
    };
    Made { path, source, span }
}

/// The fields of `$addFields`; nothing where not all of their names are known.
fn expressions(term: &Term, prefix: &str, depth: u32) -> Option<Vec<Made>> {
    let depth = depth.checked_sub(1)?;
    let mut made = Vec::new();
    for member in term.members()? {
        let path = join(prefix, member.name()?);
        match &member.value.what {
            What::Object(inner) if !member.value.is_operators() && !inner.is_empty() => {
                made.extend(expressions(&member.value, &path, depth)?);
            }
            _ => made.push(from_expression(path, &member.value, member.span)),
        }
    }
    Some(made)
}

fn join(prefix: &str, name: &str) -> String {
    if prefix.is_empty() { name.to_owned() } else { format!("{prefix}.{name}") }
}

/// The fields that a `$group` gives: each name is one, whatever stands behind it.
fn group(term: &Term, kept: &[&str]) -> Change {
    let Some(members) = term.members().filter(|_| term.is_closed()) else { return Change::Unknown };
    let made = members.iter().filter_map(|member| {
        let name = member.name()?;
        let source = if kept.contains(&name) {
            from_expression(name.to_owned(), &member.value, member.span).source
        } else {
            Source::Own
        };
        Some(Made { path: name.to_owned(), source, span: member.span })
    });
    Change::Only(made.collect())
}

fn root(term: &Term) -> Change {
    if term.is_operators() || !term.is_closed() {
        return Change::Unknown;
    }
    match expressions(term, "", DEEPEST) {
        Some(made) => Change::Only(made),
        None => Change::Unknown,
    }
}

/// What stands behind a name in a projection.
enum Wish {
    Keep,
    Drop,
    Make(Made),
}

fn projection(term: &Term) -> Change {
    let mut wishes = Vec::new();
    if collect(term, "", DEEPEST, &mut wishes).is_none() {
        return Change::Unknown;
    }
    let is_id = |path: &str| path == "_id";
    let includes = wishes.iter().any(|(path, wish)| match wish {
        Wish::Keep => !is_id(path) || wishes.len() == 1,
        Wish::Make(_) => true,
        Wish::Drop => false,
    });
    if !includes && wishes.iter().all(|(path, wish)| matches!(wish, Wish::Drop) || is_id(path)) {
        let drops = wishes.into_iter().filter(|(_, wish)| matches!(wish, Wish::Drop));
        return Change::Some { made: Vec::new(), removed: drops.map(|(path, _)| path).collect() };
    }
    let mut left = Vec::new();
    if !wishes.iter().any(|(path, _)| is_id(path)) {
        left.push(Made { path: "_id".to_owned(), source: Source::Kept, span: None });
    }
    for (path, wish) in wishes {
        match wish {
            Wish::Keep => left.push(Made { path, source: Source::Kept, span: None }),
            Wish::Make(made) => left.push(made),
            Wish::Drop => {}
        }
    }
    Change::Only(left)
}

fn collect(term: &Term, prefix: &str, depth: u32, wishes: &mut Vec<(String, Wish)>) -> Option<()> {
    let depth = depth.checked_sub(1)?;
    for member in term.members()? {
        let path = join(prefix, member.name()?);
        let wish = match &member.value.what {
            What::Value(Value::Bool(keep)) => {
                if *keep {
                    Wish::Keep
                } else {
                    Wish::Drop
                }
            }
            What::Value(value) if value.as_f64().is_some() => {
                if value.as_f64() == Some(0.0) {
                    Wish::Drop
                } else {
                    Wish::Keep
                }
            }
            What::Object(inner) if !member.value.is_operators() && !inner.is_empty() => {
                collect(&member.value, &path, depth, wishes)?;
                continue;
            }
            What::Hole(_) => return None,
            _ => Wish::Make(from_expression(path.clone(), &member.value, member.span)),
        };
        wishes.push((path, wish));
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::super::tests::pipeline;
    use super::*;

    fn left(json: &str) -> Fields {
        pipeline(json).fields_before(u32::MAX)
    }

    #[test]
    fn fields_that_are_left() {
        let only = left(r#"[{"$project": {"a": 1, "b.c": 1, "d": "$e"}}, {"$set": {"f": 1}}, {"$unset": "a"}]"#);
        assert_eq!(only.gone("a"), Some(0));
        for there in ["_id", "b", "b.c.x", "d", "f"] {
            assert_eq!(only.gone(there), None, "{there}");
        }
        assert_eq!(only.gone("e"), Some(0));
        assert_eq!(only.gone("b.x"), Some(0));
        let open = left(r#"[{"$project": {"a": 0}}, {"$unset": ["b", "c"]}, {"$addFields": {"c.d": 1}}]"#);
        assert_eq!((open.gone("a.x"), open.gone("b"), open.gone("c"), open.gone("z")), (Some(0), Some(1), None, None));
        assert!(open.is_stored("z") && !open.is_stored("c.e") && !open.is_stored("a"));
        let group = left(r#"[{"$group": {"_id": "$x", "n": {"$sum": 1}}}]"#);
        assert_eq!((group.gone("n"), group.gone("_id.y"), group.gone("x")), (None, None, Some(0)));
        assert_eq!(left(r#"[{"$replaceRoot": {"newRoot": "$a"}}]"#), Fields::Unknown);
        assert_eq!(left(r#"[{"$project": {"_id": 0}}]"#).gone("a"), None);
        assert_eq!(left(r#"[{"$project": {"_id": 1}}]"#).gone("a"), Some(0));
    }

    #[test]
    fn renames_are_told_from_computed_fields() {
        let read = pipeline(r#"[{"$project": {"a": "$b", "c": {"$toLower": "$d"}}}]"#);
        let change = read.stages[0].change();
        let sources: Vec<_> = change.named().iter().map(|made| (made.path.as_str(), &made.source)).collect();
        assert!(matches!(sources[0], ("_id", Source::Kept)));
        assert!(matches!(sources[1], ("a", Source::Renamed(from)) if from == "b"));
        assert!(matches!(sources[2], ("c", Source::Computed(_))));
    }
}
