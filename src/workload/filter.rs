//! Filters, understood: a tree of predicates over paths, with what is not known left open.

use super::term::{Key, Member, Span, Term, What};
use super::update::effective;

/// A filter: all of its predicates must hold.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Filter {
    /// The predicates.
    pub all: Vec<Predicate>,
    /// Whether more predicates may stand in it than the text tells: a spread, a computed key, a variable.
    pub open: bool,
}

/// One predicate of a filter.
#[derive(Debug, Clone, PartialEq)]
pub enum Predicate {
    /// Tests of one path. `{a: {$gt: 1, $lt: 5}}` is one predicate with two tests.
    Path {
        /// The path in dot notation; parts that are not known are `?`.
        path: String,
        /// Whether the path is wholly known.
        certain: bool,
        /// The tests, all of which must hold.
        tests: Vec<Test>,
        /// Where it is written.
        span: Option<Span>,
    },
    /// `$and`.
    And(Vec<Filter>, Option<Span>),
    /// `$or`.
    Or(Vec<Filter>, Option<Span>),
    /// `$nor`.
    Nor(Vec<Filter>, Option<Span>),
    /// Any other operator at the top level: `$expr`, `$text`, `$where`, `$jsonSchema`, `$comment`, or one that does not
    /// exist.
    Top {
        /// Its name, with the dollar sign.
        operator: String,
        /// Its argument.
        argument: Term,
        /// Where it is written.
        span: Option<Span>,
    },
}

/// A test of a path.
#[derive(Debug, Clone, PartialEq)]
pub struct Test {
    /// The operator.
    pub operator: Operator,
    /// Its argument.
    pub argument: Term,
    /// The `$options` beside a `$regex`.
    pub options: Option<Term>,
    /// Where it is written: operator and argument.
    pub span: Option<Span>,
}

/// An operator of a test.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Operator {
    /// Equality, written with `$eq` or as the bare value. A value that is not known may hold operators too.
    Eq,
    /// `$ne`.
    Ne,
    /// `$gt`.
    Gt,
    /// `$gte`.
    Gte,
    /// `$lt`.
    Lt,
    /// `$lte`.
    Lte,
    /// `$in`.
    In,
    /// `$nin`.
    Nin,
    /// `$exists`.
    Exists,
    /// `$type`.
    Type,
    /// `$regex`, or a bare regular expression.
    Regex,
    /// `$not`, with its tests as the argument's members.
    Not,
    /// `$all`.
    All,
    /// `$elemMatch`.
    ElemMatch,
    /// `$size`.
    Size,
    /// `$mod`.
    Mod,
    /// Another one, with its dollar sign: geometry, bits, or one that does not exist.
    Other(String),
}

/// Filters within filters that are followed.
const DEEPEST: u32 = 100;

impl Filter {
    /// Reads a filter. What is no object is open: anything may stand in it.
    pub fn read(term: &Term) -> Filter {
        Filter::at_depth(term, DEEPEST)
    }

    fn at_depth(term: &Term, depth: u32) -> Filter {
        let (Some(members), Some(depth)) = (term.members(), depth.checked_sub(1)) else {
            return Filter { all: Vec::new(), open: true };
        };
        let mut filter = Filter::default();
        for member in effective(members) {
            match &member.key {
                Key::Spread => filter.open = true,
                Key::Name(name) if name.starts_with('$') => filter.all.push(top(name, member, depth)),
                Key::Name(name) => filter.all.push(predicate(name, true, member)),
                Key::Computed(like) => {
                    filter.open |= like == "?";
                    filter.all.push(predicate(like, false, member));
                }
            }
        }
        filter
    }

    /// Whether it is certain to match every document.
    pub fn matches_all(&self) -> bool {
        self.all.is_empty() && !self.open
    }

    /// Whether every path in it is wholly known.
    pub fn is_certain(&self) -> bool {
        self.all.iter().all(|predicate| match predicate {
            Predicate::Path { certain, .. } => *certain,
            Predicate::And(parts, _) | Predicate::Or(parts, _) | Predicate::Nor(parts, _) => {
                parts.iter().all(|part| !part.open && part.is_certain())
            }
            Predicate::Top { .. } => true,
        })
    }

    /// The tests of paths that hold for every match: those at the top and within `$and`, not within `$or` or `$nor`.
    pub fn conjuncts(&self) -> Vec<(&str, &Test)> {
        let mut found = Vec::new();
        self.collect(&mut found);
        found
    }

    fn collect<'f>(&'f self, found: &mut Vec<(&'f str, &'f Test)>) {
        for predicate in &self.all {
            match predicate {
                Predicate::Path { path, certain: true, tests, .. } => {
                    found.extend(tests.iter().map(|test| (path.as_str(), test)));
                }
                Predicate::And(parts, _) => parts.iter().for_each(|part| part.collect(found)),
                _ => {}
            }
        }
    }

    /// Every path that is tested anywhere in it, `$or` and `$nor` included, in the order of the text; those within
    /// `$elemMatch` excluded.
    pub fn paths(&self) -> Vec<String> {
        let mut paths = Vec::new();
        self.visit("", &mut |path, _| {
            if !paths.iter().any(|known| known == path) {
                paths.push(path.to_owned());
            }
        });
        paths
    }

    /// Calls `visit` for every test of a path that is known, with the whole path.
    pub fn visit<'f>(&'f self, prefix: &str, visit: &mut impl FnMut(&str, &'f Test)) {
        for predicate in &self.all {
            match predicate {
                Predicate::Path { path, certain: true, tests, .. } => {
                    let path = if prefix.is_empty() { path.clone() } else { format!("{prefix}.{path}") };
                    for test in tests {
                        visit(&path, test);
                    }
                }
                Predicate::And(parts, _) | Predicate::Or(parts, _) | Predicate::Nor(parts, _) => {
                    for part in parts {
                        part.visit(prefix, visit);
                    }
                }
                Predicate::Path { .. } | Predicate::Top { .. } => {}
            }
        }
    }
}

impl Predicate {
    /// Where it is written.
    pub fn span(&self) -> Option<Span> {
        match self {
            Predicate::Path { span, .. }
            | Predicate::And(_, span)
            | Predicate::Or(_, span)
            | Predicate::Nor(_, span)
            | Predicate::Top { span, .. } => *span,
        }
    }
}

impl Test {
    /// A test that stands nowhere.
    pub fn new(operator: Operator, argument: Term) -> Test {
        Test { operator, argument, options: None, span: None }
    }

    /// The pattern and the flags of a `$regex`, where both are known.
    pub fn pattern(&self) -> Option<(&str, &str)> {
        use crate::value::Value;
        let flags = match &self.options {
            Some(options) => Some(options.as_str()?),
            None => None,
        };
        match (self.argument.as_scalar()?, flags) {
            (Value::Regex(pattern, own), None) => Some((pattern, own)),
            (Value::Regex(pattern, _) | Value::String(pattern), flags) => Some((pattern, flags.unwrap_or_default())),
            _ => None,
        }
    }

    /// Whether the test is what it seems: a bare value that is not known may be an object of operators.
    pub fn is_certain(&self) -> bool {
        match self.argument.as_hole() {
            Some(hole) => hole.kind.is_some() || self.operator != Operator::Eq,
            None => true,
        }
    }

    /// The filter of an `$elemMatch` over objects; nothing where it tests the elements themselves
    /// (`{$elemMatch: {$gt: 5}}`) or is not known.
    pub fn element_filter(&self) -> Option<Filter> {
        let objects = self.operator == Operator::ElemMatch && !self.tests_elements();
        (objects && self.argument.members().is_some()).then(|| Filter::read(&self.argument))
    }

    /// Whether an `$elemMatch` tests the elements themselves. `$and`, `$or`, `$nor` and `$where` in front make a filter.
    fn tests_elements(&self) -> bool {
        let first = self.argument.members().and_then(<[Member]>::first).and_then(Member::name);
        self.argument.is_operators() && !matches!(first, Some("$and" | "$or" | "$nor" | "$where"))
    }

    /// The tests within `$not`, or of an `$elemMatch` over the elements themselves.
    pub fn inner_tests(&self) -> Vec<Test> {
        match self.operator {
            Operator::Not => tests(&self.argument),
            Operator::ElemMatch if self.tests_elements() => tests(&self.argument),
            _ => Vec::new(),
        }
    }
}

impl Operator {
    /// The operator of a name with its dollar sign.
    pub fn parse(name: &str) -> Operator {
        match name {
            "$eq" => Operator::Eq,
            "$ne" => Operator::Ne,
            "$gt" => Operator::Gt,
            "$gte" => Operator::Gte,
            "$lt" => Operator::Lt,
            "$lte" => Operator::Lte,
            "$in" => Operator::In,
            "$nin" => Operator::Nin,
            "$exists" => Operator::Exists,
            "$type" => Operator::Type,
            "$regex" => Operator::Regex,
            "$not" => Operator::Not,
            "$all" => Operator::All,
            "$elemMatch" => Operator::ElemMatch,
            "$size" => Operator::Size,
            "$mod" => Operator::Mod,
            other => Operator::Other(other.to_owned()),
        }
    }

    /// Its name with the dollar sign.
    pub fn name(&self) -> &str {
        match self {
            Operator::Eq => "$eq",
            Operator::Ne => "$ne",
            Operator::Gt => "$gt",
            Operator::Gte => "$gte",
            Operator::Lt => "$lt",
            Operator::Lte => "$lte",
            Operator::In => "$in",
            Operator::Nin => "$nin",
            Operator::Exists => "$exists",
            Operator::Type => "$type",
            Operator::Regex => "$regex",
            Operator::Not => "$not",
            Operator::All => "$all",
            Operator::ElemMatch => "$elemMatch",
            Operator::Size => "$size",
            Operator::Mod => "$mod",
            Operator::Other(name) => name,
        }
    }

    /// Whether it is one of the four comparisons that bound a range.
    pub fn is_range(&self) -> bool {
        matches!(self, Operator::Gt | Operator::Gte | Operator::Lt | Operator::Lte)
    }
}

fn top(name: &str, member: &Member, depth: u32) -> Predicate {
    let parts = || match &member.value.what {
        What::Array(elements) => Some(elements.iter().map(|element| Filter::at_depth(element, depth)).collect()),
        What::Hole(_) => Some(vec![Filter { all: Vec::new(), open: true }]),
        _ => None,
    };
    let wrap = match name {
        "$and" => Predicate::And,
        "$or" => Predicate::Or,
        "$nor" => Predicate::Nor,
        _ => return Predicate::Top { operator: name.to_owned(), argument: member.value.clone(), span: member.span },
    };
    match parts() {
        Some(parts) => wrap(parts, member.span),
        None => Predicate::Top { operator: name.to_owned(), argument: member.value.clone(), span: member.span },
    }
}

fn predicate(path: &str, certain: bool, member: &Member) -> Predicate {
    Predicate::Path { path: path.to_owned(), certain, tests: tests(&member.value), span: member.span }
}

/// The tests that a value stands for: those of its operators, or equality.
fn tests(value: &Term) -> Vec<Test> {
    use crate::value::Value;
    if value.is_operators() {
        let members = value.members().unwrap_or_default();
        let test = |member: &Member| {
            // `$options` belongs to the `$regex` beside it.
            let name = member.name().filter(|name| *name != "$options")?;
            let operator = Operator::parse(name);
            let options = if operator == Operator::Regex { value.get("$options").cloned() } else { None };
            Some(Test { operator, argument: member.value.clone(), options, span: member.span })
        };
        return effective(members).filter_map(test).collect();
    }
    let operator = match &value.what {
        What::Value(Value::Regex(..)) => Operator::Regex,
        What::Hole(hole) if hole.kind == Some(crate::value::Type::Regex) => Operator::Regex,
        _ => Operator::Eq,
    };
    vec![Test { operator, argument: value.clone(), options: None, span: value.span }]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Value;

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

    fn term(json: &str) -> Term {
        Term::from(of(&serde_json::from_str(json).unwrap()))
    }

    #[test]
    fn predicates_and_tests() {
        let filter = Filter::read(&term(
            r#"{"a": 1, "b": {"$gt": 1, "$lt": 5}, "$and": [{"c": {"$in": [1]}}], "$or": [{"d": 1}, {"e": null}]}"#,
        ));
        let found: Vec<String> =
            filter.conjuncts().iter().map(|(path, test)| format!("{path} {}", test.operator.name())).collect();
        assert_eq!(found, ["c $in", "a $eq", "b $gt", "b $lt"]);
        assert_eq!(filter.paths(), ["c", "d", "e", "a", "b"]);
        assert!(!filter.open && !filter.matches_all());
        assert!(Filter::read(&term("{}")).matches_all());
        assert!(Filter::read(&Term::hole()).open);
    }

    #[test]
    fn element_filters() {
        let filter =
            Filter::read(&term(r#"{"a": {"$elemMatch": {"x": 1, "y": {"$gt": 2}}}, "b": {"$elemMatch": {"$gt": 5}}}"#));
        let tests = filter.conjuncts();
        assert_eq!(tests[0].1.element_filter().unwrap().paths(), ["x", "y"]);
        assert!(tests[1].1.element_filter().is_none());
        assert_eq!(tests[1].1.inner_tests()[0].operator, Operator::Gt);
    }

    #[test]
    fn the_last_of_equal_keys_counts() {
        let mut object = term(r#"{"a": 1}"#);
        let again = term(r#"{"a": {"$lt": 5}}"#);
        if let (What::Object(members), What::Object(more)) = (&mut object.what, again.what) {
            members.extend(more);
        }
        let filter = Filter::read(&object);
        assert_eq!(filter.conjuncts().len(), 1);
        assert_eq!(filter.conjuncts()[0].1.operator, Operator::Lt);
    }
}
