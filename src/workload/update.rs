//! Updates, understood: which operator changes which path with which argument, as pipeline, or as a whole document.

use super::operation::{Api, Operation, Verb};
use super::term::{Key, Member, Span, Term, What};

/// An update.
#[derive(Debug, Clone, PartialEq)]
pub struct Update<'t> {
    /// What kind of update it is.
    pub form: Form<'t>,
    /// The operators with their whole arguments, in the order of the text; a pipeline and a replacement have none.
    pub operators: Vec<Applied<'t>>,
    /// What the operators change, path by path.
    pub changes: Vec<Change<'t>>,
    /// Whether it may hold more than the text tells: a spread, a computed key, a variable.
    pub open: bool,
}

/// Kinds of updates.
#[derive(Debug, Clone, PartialEq)]
pub enum Form<'t> {
    /// Operators change parts.
    Operators {
        /// Members without a dollar sign, which the server refuses beside operators.
        strays: Vec<&'t Member>,
    },
    /// The stages of a pipeline compute the new document.
    Pipeline(&'t [Term]),
    /// A whole document takes the place of the stored one.
    Replacement(&'t [Member]),
    /// The text does not tell.
    Unknown,
}

/// An operator with its whole argument.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Applied<'t> {
    /// Its name with the dollar sign.
    pub name: &'t str,
    /// Its argument, an object of paths.
    pub argument: &'t Term,
    /// Where it is written, name and argument.
    pub span: Option<Span>,
}

/// The change of one path.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Change<'t> {
    /// The operator with the dollar sign. In a pipeline the stage, `$addFields` being `$set`.
    pub operator: &'t str,
    /// The path as it is written, positions included (`items.$[line].quantity`); parts that are not known are `?`.
    pub path: &'t str,
    /// Whether the path is wholly known.
    pub certain: bool,
    /// The argument.
    pub argument: &'t Term,
    /// Where it is written, path and argument.
    pub span: Option<Span>,
}

/// A part of a path in an update.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Segment<'p> {
    /// A name, or the number of an element.
    Name(&'p str),
    /// `$`: the element that the filter found.
    First,
    /// `$[]`: every element.
    All,
    /// `$[line]`: the elements that the array filter of this name selects.
    Filtered(&'p str),
}

impl<'t> Update<'t> {
    /// The update of an operation, as the server gets it: Mongoose puts what has no operator into `$set`.
    pub fn of(operation: &'t Operation) -> Option<Update<'t>> {
        let term = operation.update.as_ref()?;
        let replaces = matches!(operation.verb, Verb::Replace | Verb::FindAndReplace);
        let wraps = operation.api == Api::Mongoose && !replaces && operation.option("overwrite").is_none();
        Some(Update::read(term, replaces, wraps))
    }

    /// Reads an update. `replaces` says that the method takes a whole document, `wraps` that members without an operator
    /// are put into `$set` on the way.
    pub fn read(term: &'t Term, replaces: bool, wraps: bool) -> Update<'t> {
        let mut update = Update { form: Form::Unknown, operators: Vec::new(), changes: Vec::new(), open: true };
        match &term.what {
            What::Array(stages) if !replaces => {
                update.form = Form::Pipeline(stages);
                update.open = stages.iter().any(|stage| !stage.is_closed());
            }
            What::Object(members) if replaces => {
                update.form = Form::Replacement(members);
                update.open = !term.is_closed();
            }
            What::Object(members) => {
                update.open = !term.is_closed();
                update.read_members(members, wraps);
            }
            What::Array(_) | What::Value(_) | What::Hole(_) => {}
        }
        update
    }

    fn read_members(&mut self, members: &'t [Member], wraps: bool) {
        let mut strays = Vec::new();
        let mut operators = false;
        for member in effective(members) {
            match &member.key {
                Key::Name(name) if name.starts_with('$') => {
                    operators = true;
                    self.operators.push(Applied { name, argument: &member.value, span: member.span });
                    self.add_changes(name, &member.value);
                }
                Key::Name(name) if wraps => self.add_change("$set", name, true, member),
                Key::Computed(like) if wraps => self.add_change("$set", like, false, member),
                Key::Name(_) => strays.push(member),
                Key::Computed(_) | Key::Spread => {}
            }
        }
        self.form = if operators || wraps {
            Form::Operators { strays }
        } else if strays.is_empty() && !members.is_empty() {
            Form::Unknown
        } else {
            Form::Replacement(members)
        };
    }

    fn add_changes(&mut self, operator: &'t str, argument: &'t Term) {
        let Some(members) = argument.members() else {
            self.open |= argument.as_hole().is_some();
            return;
        };
        for member in effective(members) {
            match &member.key {
                Key::Name(path) => self.add_change(operator, path, true, member),
                Key::Computed(like) => self.add_change(operator, like, false, member),
                Key::Spread => self.open = true,
            }
        }
    }

    fn add_change(&mut self, operator: &'t str, path: &'t str, certain: bool, member: &'t Member) {
        self.open |= !certain;
        self.changes.push(Change { operator, path, certain, argument: &member.value, span: member.span });
    }

    /// The stages, where it is a pipeline.
    pub fn stages(&self) -> Option<&'t [Term]> {
        if let Form::Pipeline(stages) = self.form { Some(stages) } else { None }
    }

    /// The members of the document that takes the place of the stored one.
    pub fn replacement(&self) -> Option<&'t [Member]> {
        if let Form::Replacement(members) = self.form { Some(members) } else { None }
    }

    /// What the stages of a pipeline set, path by path, with the expressions.
    pub fn computed(&self) -> Vec<Change<'t>> {
        let mut found = Vec::new();
        for stage in self.stages().unwrap_or_default() {
            for operator in ["$set", "$addFields"] {
                for member in stage.get(operator).and_then(Term::members).unwrap_or_default() {
                    let (path, certain) = match &member.key {
                        Key::Name(path) => (path, true),
                        Key::Computed(like) => (like, false),
                        Key::Spread => continue,
                    };
                    found.push(Change { operator: "$set", path, certain, argument: &member.value, span: member.span });
                }
            }
        }
        found
    }
}

impl<'t> Change<'t> {
    /// The parts of its path.
    pub fn segments(&self) -> impl Iterator<Item = Segment<'t>> + use<'t> {
        segments(self.path)
    }

    /// The path as the fields of documents have it, without the positions in arrays.
    pub fn field(&self) -> String {
        let names = self.segments().filter_map(|segment| match segment {
            Segment::Name(name) if !is_position(name) => Some(name),
            _ => None,
        });
        names.collect::<Vec<_>>().join(".")
    }

    /// The values that `$push` and `$addToSet` add: those of `$each`, or the argument itself. Nothing where `$each` is
    /// not known.
    pub fn added(&self) -> Option<Vec<&'t Term>> {
        match self.argument.get("$each") {
            Some(each) => Some(each.elements()?.iter().collect()),
            None => Some(vec![self.argument]),
        }
    }

    /// Whether the change takes place when an upsert inserts, and only then.
    pub fn is_on_insert(&self) -> bool {
        self.operator == "$setOnInsert"
    }
}

/// The parts of a path as updates write it.
pub fn segments(path: &str) -> impl Iterator<Item = Segment<'_>> {
    path.split('.').map(|part| match part {
        "$" => Segment::First,
        "$[]" => Segment::All,
        _ => match part.strip_prefix("$[").and_then(|rest| rest.strip_suffix(']')) {
            Some(identifier) => Segment::Filtered(identifier),
            None => Segment::Name(part),
        },
    })
}

/// Whether a part of a path is the number of an element, or one that is not known.
fn is_position(name: &str) -> bool {
    name == "?" || (!name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Whether one of two paths is the other or lies within it.
pub fn overlap(a: &str, b: &str) -> bool {
    is_within(a, b) || is_within(b, a)
}

/// Whether a path is another one or lies within it.
pub fn is_within(path: &str, whole: &str) -> bool {
    path.strip_prefix(whole).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// The members that count: of equal names the last one, at its own place.
pub(super) fn effective(members: &[Member]) -> impl Iterator<Item = &Member> {
    members.iter().enumerate().filter_map(move |(at, member)| {
        let later = members.get(at + 1..).unwrap_or_default();
        let replaced = member.name().is_some_and(|name| later.iter().any(|other| other.name() == Some(name)));
        (!replaced).then_some(member)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Value;

    fn object(members: Vec<(&str, Term)>) -> Term {
        let member = |(name, value): (&str, Term)| Member {
            key: match name {
                "..." => Key::Spread,
                name if name.contains('?') => Key::Computed(name.to_owned()),
                name => Key::Name(name.to_owned()),
            },
            value,
            span: None,
            spread: name == "...",
        };
        Term::new(What::Object(members.into_iter().map(member).collect()))
    }

    fn one() -> Term {
        Term::from(Value::Int(1))
    }

    #[test]
    fn operators_paths_and_what_is_open() {
        let term = object(vec![
            ("$set", object(vec![("a.$[line].b", one()), ("c.?.d", one())])),
            ("$inc", Term::hole()),
            ("name", one()),
        ]);
        let update = Update::read(&term, false, false);
        let Form::Operators { strays } = &update.form else { panic!("{:?}", update.form) };
        assert_eq!(strays.len(), 1);
        assert_eq!(update.operators.iter().map(|applied| applied.name).collect::<Vec<_>>(), ["$set", "$inc"]);
        assert!(update.open);
        let fields: Vec<(String, bool)> = update.changes.iter().map(|c| (c.field(), c.certain)).collect();
        assert_eq!(fields, [("a.b".to_owned(), true), ("c.d".to_owned(), false)]);
        let segments: Vec<Segment> = update.changes[0].segments().collect();
        assert_eq!(segments, [Segment::Name("a"), Segment::Filtered("line"), Segment::Name("b")]);
    }

    #[test]
    fn forms() {
        let replacement = object(vec![("a", one())]);
        assert!(Update::read(&replacement, false, false).replacement().is_some());
        let wrapped = Update::read(&replacement, false, true);
        assert_eq!(wrapped.changes.len(), 1);
        assert_eq!(wrapped.form, Form::Operators { strays: Vec::new() });
        let spread = object(vec![("...", Term::hole())]);
        assert_eq!(Update::read(&spread, false, false).form, Form::Unknown);
        assert_eq!(Update::read(&Term::hole(), false, false).form, Form::Unknown);
        let stages = Term::new(What::Array(vec![object(vec![("$set", object(vec![("a", one())]))])]));
        let pipeline = Update::read(&stages, false, false);
        assert_eq!(pipeline.computed()[0].path, "a");
        assert!(!pipeline.open && pipeline.changes.is_empty());
    }

    #[test]
    fn paths_within_paths() {
        assert!(overlap("a.b", "a") && overlap("a", "a.b") && overlap("a", "a"));
        assert!(!overlap("ab", "a") && !is_within("a", "a.b"));
    }
}
