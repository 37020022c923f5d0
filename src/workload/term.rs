//! Values as far as they are known: what a text says, with typed holes where it does not say it.

use serde::{Deserialize, Serialize};

use crate::value::{Type, Value};

/// A range of bytes in the text of an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// Byte behind the last.
    pub end: u32,
}

/// A value as far as it is known, with its place.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Term {
    /// What is known.
    pub what: What,
    /// Where it is written; nothing where it comes from a log or a catalogue.
    pub span: Option<Span>,
}

/// What is known of a value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum What {
    /// A value that is no object and no array.
    Value(Value),
    /// An object, with its members in the order of the text, a key that comes twice included.
    Object(Vec<Member>),
    /// An array.
    Array(Vec<Term>),
    /// Not known.
    Hole(Hole),
}

/// A member of an object.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Member {
    /// Its key.
    pub key: Key,
    /// Its value; what is spread, where the key is [`Key::Spread`].
    pub value: Term,
    /// Where the member is written, key and value.
    pub span: Option<Span>,
    /// Whether it comes out of a spread object: then a later key replaces it on purpose.
    pub spread: bool,
}

/// The key of a member.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Key {
    /// A known name.
    Name(String),
    /// A computed name, as far as it is known: `items.?.qty`, or `?`.
    Computed(String),
    /// The members of an object that is not known stand here: any name may follow.
    Spread,
}

/// A value that is not known.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Hole {
    /// Its type, where at least that is known (`new Date()`, `` `a${b}` ``, a literal that must not be shown).
    pub kind: Option<Type>,
    /// Where its value comes from.
    pub origin: Origin,
}

/// Where a value that is not known comes from.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub enum Origin {
    /// Nothing tells it.
    #[default]
    Unknown,
    /// A request's input, unchecked: `req.body.x`, `ctx.query`, `event.queryStringParameters`. Beside a known type
    /// (`String(req.query.q)`, a route's parameter, a template) it is text or a pattern: that can be code in `$where` or
    /// the name of a field, but no operators.
    Request {
        /// Its own text, such as `req.body.name`.
        text: String,
    },
    /// The result of an earlier operation of the same file.
    Result {
        /// Position of the operation among those of its file.
        operation: u32,
        /// The path of it that is taken; empty for the whole document.
        path: String,
        /// Whether it was changed by arithmetic on the way.
        computed: bool,
    },
    /// A parameter of the function around the operation.
    Parameter {
        /// Its name.
        name: String,
    },
    /// A literal of a log, a profiler entry or query statistics: a value of somebody's documents, which is not kept.
    Hidden,
    /// The elements of an array that are not kept singly: so many.
    Many(u32),
}

impl Term {
    /// A term without a place.
    pub fn new(what: What) -> Term {
        Term { what, span: None }
    }

    /// A hole of which nothing is known.
    pub fn hole() -> Term {
        Term::new(What::Hole(Hole::default()))
    }

    /// A hole of a known type.
    pub fn typed(kind: Type) -> Term {
        Term::new(What::Hole(Hole { kind: Some(kind), origin: Origin::Unknown }))
    }

    /// The term at a place.
    #[must_use]
    pub fn at(mut self, span: Span) -> Term {
        self.span = Some(span);
        self
    }

    /// The value, where all of it is known. The last of equal keys counts, at the place of the first, as in JavaScript.
    pub fn value(&self) -> Option<Value> {
        match &self.what {
            What::Value(value) => Some(value.clone()),
            What::Array(elements) => elements.iter().map(Term::value).collect::<Option<_>>().map(Value::Array),
            What::Object(members) => {
                let mut fields: Vec<(String, Value)> = Vec::with_capacity(members.len());
                for member in members {
                    let (name, value) = (member.name()?, member.value.value()?);
                    match fields.iter_mut().find(|(known, _)| known == name) {
                        Some(known) => known.1 = value,
                        None => fields.push((name.to_owned(), value)),
                    }
                }
                Some(Value::Object(fields))
            }
            What::Hole(_) => None,
        }
    }

    /// The members of an object that are wholly known, as an object; nothing where it may be anything.
    pub fn known_parts(&self) -> Option<Value> {
        let known = |member: &Member| Some((member.name()?.to_owned(), member.value.value()?));
        Some(Value::Object(self.members()?.iter().filter_map(known).collect()))
    }

    /// The members of an object.
    pub fn members(&self) -> Option<&[Member]> {
        if let What::Object(members) = &self.what { Some(members) } else { None }
    }

    /// The elements of an array.
    pub fn elements(&self) -> Option<&[Term]> {
        if let What::Array(elements) = &self.what { Some(elements) } else { None }
    }

    /// A member by its name; the last one, as JavaScript has it.
    pub fn get(&self, name: &str) -> Option<&Term> {
        self.members()?.iter().rev().find(|member| member.name() == Some(name)).map(|member| &member.value)
    }

    /// The member of an object that has one only, such as a stage of a pipeline.
    pub fn only_member(&self) -> Option<(&str, &Term)> {
        match self.members()? {
            [only] => Some((only.name()?, &only.value)),
            _ => None,
        }
    }

    /// The hole, where nothing but perhaps the type is known.
    pub fn as_hole(&self) -> Option<&Hole> {
        if let What::Hole(hole) = &self.what { Some(hole) } else { None }
    }

    /// The scalar.
    pub fn as_scalar(&self) -> Option<&Value> {
        if let What::Value(value) = &self.what { Some(value) } else { None }
    }

    /// The text of a string.
    pub fn as_str(&self) -> Option<&str> {
        self.as_scalar()?.as_str()
    }

    /// A whole number.
    pub fn as_i64(&self) -> Option<i64> {
        self.as_scalar()?.as_i64()
    }

    /// A boolean.
    pub fn as_bool(&self) -> Option<bool> {
        self.as_scalar()?.as_bool()
    }

    /// The BSON type, where it is known.
    pub fn bson_type(&self) -> Option<Type> {
        match &self.what {
            What::Value(value) => Some(value.bson_type()),
            What::Object(_) => Some(Type::Object),
            What::Array(_) => Some(Type::Array),
            What::Hole(hole) => hole.kind,
        }
    }

    /// Whether an object is wholly known in its keys: no spread and no computed key.
    pub fn is_closed(&self) -> bool {
        self.members().is_some_and(|members| members.iter().all(|member| member.name().is_some()))
    }

    /// Whether it is an object whose keys are operators (`{$gt: 5}`), as against a value.
    pub fn is_operators(&self) -> bool {
        self.members().and_then(<[Member]>::first).and_then(Member::name).is_some_and(|name| name.starts_with('$'))
    }
}

/// Whether two terms stand for one value, as far as the text tells: two values of which nothing is known may be one.
pub fn may_be_same(a: &Term, b: &Term) -> bool {
    let mut open = vec![(a, b)];
    while let Some((a, b)) = open.pop() {
        match (&a.what, &b.what) {
            (What::Value(a), What::Value(b)) if a == b => {}
            (What::Hole(a), What::Hole(b)) if a.origin == b.origin => {}
            // What nothing tells of may come from anywhere.
            (What::Hole(hole), _) | (_, What::Hole(hole)) if hole.origin == Origin::Unknown && hole.kind.is_none() => {}
            (What::Array(a), What::Array(b)) if a.len() == b.len() => open.extend(a.iter().zip(b)),
            (What::Object(a), What::Object(b)) if a.len() == b.len() => {
                if a.iter().zip(b).any(|(a, b)| a.key != b.key) {
                    return false;
                }
                open.extend(a.iter().zip(b).map(|(a, b)| (&a.value, &b.value)));
            }
            _ => return false,
        }
    }
    true
}

impl From<Value> for Term {
    fn from(value: Value) -> Term {
        Term::new(match value {
            Value::Object(fields) => What::Object(
                fields
                    .into_iter()
                    .map(|(name, value)| Member {
                        key: Key::Name(name),
                        value: Term::from(value),
                        span: None,
                        spread: false,
                    })
                    .collect(),
            ),
            Value::Array(elements) => What::Array(elements.into_iter().map(Term::from).collect()),
            scalar => What::Value(scalar),
        })
    }
}

impl Member {
    /// The name, where it is known.
    pub fn name(&self) -> Option<&str> {
        if let Key::Name(name) = &self.key { Some(name) } else { None }
    }
}
