//! Access: how an operation reaches its documents, as the planner sees it. Operations of one query shape are one access.

use std::collections::BTreeMap;

use crate::catalogue::Namespace;
use crate::facts::pattern;
use crate::order::Ordered;
use crate::value::{Type, Value};
use crate::workload::{Filter, Operation, Operations, Operator, Origin, Predicate, Runs, Term, Test, Verb, What};

/// What an access is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Purpose {
    /// Documents are read.
    Read,
    /// Documents are changed or removed.
    Write,
    /// Documents are joined from another collection (`$lookup`).
    Join,
}

/// How operations of one query shape reach the documents of a collection.
#[derive(Debug, Clone)]
pub struct Access {
    /// The collection.
    pub ns: Namespace,
    /// What it is for.
    pub purpose: Purpose,
    /// The shape for readers, without literals: `{ state: =, at: > } sort { at: -1 }`.
    pub shape: String,
    /// Positions of its operations in the order of [`Operations::iter`].
    pub operations: Vec<usize>,
    /// The branches of its `$or`, of which each must be served; one where there is none.
    pub branches: Vec<Branch>,
    /// The sort, without fields that equality fixes.
    pub sort: Vec<SortKey>,
    /// Whether only the first documents of the order are wanted.
    pub limited: bool,
    /// The collation of the operation, where it sets one.
    pub collation: Option<Value>,
    /// Whether filter, sort or options may hold more than the text tells.
    pub open: bool,
    /// Whether it names its index itself.
    pub hinted: bool,
    /// How it ran, where it was seen running.
    pub runs: Option<Runs>,
    /// Runs a day that intent declares, of all its access patterns.
    pub declared_per_day: Option<f64>,
}

/// A field of a sort.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct SortKey {
    /// Its path.
    pub path: String,
    /// Whether downwards.
    pub descending: bool,
}

/// Conditions that hold together.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Branch {
    /// Equalities, in the order of the text.
    pub points: Vec<Point>,
    /// Paths that a range bounds, in the order of the text.
    pub ranges: Vec<String>,
    /// Paths with tests that narrow little or nothing: negations, `$exists`, unanchored patterns.
    pub weak: Vec<String>,
    /// Whether a special index decides: text or geometry.
    pub special: bool,
    /// The tests of paths, for the filters of partial indexes.
    pub tests: Vec<(String, Test)>,
}

/// An equality.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// Its path.
    pub path: String,
    /// How many values it names: 1, or the length of an `$in`; absent where that is not known.
    pub values: Option<u64>,
    /// The type of the value, where it is known and one.
    pub kind: Option<Type>,
}

/// Branches that are followed; an `$or` of more is open.
const MOST_BRANCHES: usize = 16;

/// The accesses of a workload, one for each shape, in the order of their namespaces and shapes.
pub fn all(workload: &Operations) -> Vec<Access> {
    let mut shapes: BTreeMap<(Namespace, Purpose, String), Access> = BTreeMap::new();
    for (number, operation) in workload.iter().enumerate() {
        for access in of(operation) {
            let key = (access.ns.clone(), access.purpose, format!("{}{}", access.shape, access.open));
            let known = shapes.entry(key).or_insert_with(|| Access { runs: None, ..access.clone() });
            known.operations.push(number);
            known.limited |= access.limited;
            let declared = operation.demand.as_ref().and_then(|demand| demand.per_day);
            known.declared_per_day =
                [known.declared_per_day, declared].into_iter().flatten().reduce(|sum, more| sum + more);
            match (&mut known.runs, access.runs) {
                (Some(runs), Some(more)) => runs.merge(&more),
                (none, Some(more)) => *none = Some(more),
                (_, None) => {}
            }
        }
    }
    shapes.into_values().collect()
}

/// How one operation reaches documents: its own collection, and those that it joins.
fn of(operation: &Operation) -> Vec<Access> {
    let Some(ns) = &operation.ns else { return Vec::new() };
    let mut found = Vec::new();
    let (filter, sort, limited) = match operation.verb {
        Verb::Insert | Verb::EstimatedCount | Verb::Watch | Verb::Populate => return found,
        Verb::Aggregate => {
            let Some(stages) = operation.pipeline.as_ref().and_then(Term::elements) else { return found };
            found.extend(joins(ns, stages, operation));
            head(stages)
        }
        Verb::Find | Verb::Count | Verb::Distinct => {
            (operation.conditions(), operation.sort.clone(), operation.limit.is_some())
        }
        Verb::FindOne
        | Verb::Update
        | Verb::Replace
        | Verb::Delete
        | Verb::FindAndUpdate
        | Verb::FindAndReplace
        | Verb::FindAndDelete => (operation.conditions(), operation.sort.clone(), !operation.many),
    };
    let writes = matches!(operation.verb, Verb::Update | Verb::Replace | Verb::Delete);
    let mut access = Access {
        ns: ns.clone(),
        purpose: if writes { Purpose::Write } else { Purpose::Read },
        shape: String::new(),
        operations: Vec::new(),
        branches: Vec::new(),
        sort: Vec::new(),
        limited,
        collation: operation.option("collation").and_then(Term::value),
        open: filter.open || operation.options.as_ref().is_some_and(|options| !options.is_closed()),
        hinted: operation.option("hint").is_some(),
        runs: operation.runs.clone(),
        declared_per_day: None,
    };
    access.open |= operation.option("collation").is_some() && access.collation.is_none();
    match branches(&filter) {
        Some(branches) => access.branches = branches,
        None => access.open = true,
    }
    match sort.as_ref().map(sort_keys) {
        None => {}
        Some(Some(keys)) => {
            let fixed = |path: &str| {
                !access.branches.is_empty()
                    && access.branches.iter().all(|b| b.points.iter().any(|p| p.path == path && p.values == Some(1)))
            };
            access.sort = keys.into_iter().filter(|key| !fixed(&key.path)).collect();
        }
        Some(None) => access.open = true,
    }
    access.shape = access.describe();
    found.push(access);
    found
}

/// Filter, sort and limit at the head of a pipeline, where they apply to stored documents.
fn head(stages: &[Term]) -> (Filter, Option<Term>, bool) {
    let (mut filter, mut sort, mut limited) = (Filter::default(), None, false);
    for stage in stages {
        let Some((name, argument)) = stage.only_member() else {
            filter.open |= stage.as_hole().is_some();
            break;
        };
        match name {
            "$match" if sort.is_none() && !limited => {
                let more = Filter::read(argument);
                filter.open |= more.open;
                filter.all.extend(more.all);
            }
            "$sort" if sort.is_none() && !limited => sort = Some(argument.clone()),
            "$limit" => limited = true,
            "$skip" => {}
            _ => break,
        }
    }
    (filter, sort, limited)
}

/// The foreign sides of `$lookup` stages.
fn joins(ns: &Namespace, stages: &[Term], operation: &Operation) -> Vec<Access> {
    let mut found = Vec::new();
    for stage in stages {
        let Some(("$lookup", argument)) = stage.only_member() else { continue };
        let (Some(from), Some(path)) =
            (argument.get("from").and_then(Term::as_str), argument.get("foreignField").and_then(Term::as_str))
        else {
            continue;
        };
        let point = Point { path: path.to_owned(), values: Some(1), kind: None };
        let mut access = Access {
            ns: Namespace { database: ns.database.clone(), collection: from.to_owned() },
            purpose: Purpose::Join,
            shape: String::new(),
            operations: Vec::new(),
            branches: vec![Branch { points: vec![point], ..Branch::default() }],
            sort: Vec::new(),
            limited: false,
            collation: operation.option("collation").and_then(Term::value),
            open: false,
            hinted: false,
            runs: None,
            declared_per_day: None,
        };
        access.shape = access.describe();
        found.push(access);
    }
    found
}

/// The fields of a sort in any of the forms that shells, drivers and Mongoose take.
pub(crate) fn sort_keys(sort: &Term) -> Option<Vec<SortKey>> {
    let direction = |term: &Term| match term.as_scalar()? {
        Value::String(word) => match word.as_str() {
            "asc" | "ascending" | "1" => Some(false),
            "desc" | "descending" | "-1" => Some(true),
            _ => None,
        },
        number => number.as_f64().map(|number| number < 0.0),
    };
    match &sort.what {
        What::Object(members) => members
            .iter()
            .map(|member| Some(SortKey { path: member.name()?.to_owned(), descending: direction(&member.value)? }))
            .collect(),
        // `-createdAt name`, as Mongoose takes it; a single name in the driver.
        What::Value(Value::String(text)) => Some(
            text.split_whitespace()
                .map(|name| SortKey {
                    path: name.trim_start_matches(['-', '+']).to_owned(),
                    descending: name.starts_with('-'),
                })
                .collect(),
        ),
        What::Array(pairs) => pairs
            .iter()
            .map(|pair| match pair.elements()? {
                [path, way] => Some(SortKey { path: path.as_str()?.to_owned(), descending: direction(way)? }),
                _ => None,
            })
            .collect(),
        _ => None,
    }
}

/// The branches of a filter; `None` where there are more than are followed.
fn branches(filter: &Filter) -> Option<Vec<Branch>> {
    let mut branches = vec![Branch::default()];
    add(filter, &mut branches)?;
    Some(branches)
}

fn add(filter: &Filter, branches: &mut Vec<Branch>) -> Option<()> {
    for predicate in &filter.all {
        match predicate {
            Predicate::Path { path, certain, tests, .. } => {
                for branch in branches.iter_mut() {
                    for test in tests {
                        if *certain {
                            branch.test(path, test);
                        }
                    }
                }
            }
            Predicate::And(parts, _) => parts.iter().try_for_each(|part| add(part, branches))?,
            Predicate::Or(parts, _) => {
                let mut spread = Vec::new();
                for part in parts {
                    let mut own = branches.clone();
                    add(part, &mut own)?;
                    spread.extend(own);
                }
                if spread.is_empty() || spread.len() > MOST_BRANCHES {
                    return None;
                }
                *branches = spread;
            }
            Predicate::Nor(..) => {}
            Predicate::Top { operator, .. } => {
                if operator == "$text" {
                    for branch in branches.iter_mut() {
                        branch.special = true;
                    }
                }
            }
        }
    }
    Some(())
}

impl Branch {
    fn test(&mut self, path: &str, test: &Test) {
        self.tests.push((path.to_owned(), test.clone()));
        match &test.operator {
            Operator::Eq => self.point(path, Some(1), test.argument.bson_type()),
            Operator::In => {
                let values = match (&test.argument.what, test.argument.as_hole().map(|hole| &hole.origin)) {
                    (What::Array(elements), _) => Some(elements.len() as u64),
                    (_, Some(Origin::Many(count))) => Some(u64::from(*count)),
                    _ => None,
                };
                let mut kinds: Vec<Option<Type>> =
                    test.argument.elements().unwrap_or_default().iter().map(Term::bson_type).collect();
                kinds.dedup();
                self.point(path, values, if let [Some(kind)] = kinds.as_slice() { Some(*kind) } else { None });
            }
            Operator::All => match test.argument.elements().and_then(<[Term]>::first) {
                Some(first) if first.is_operators() => {
                    if let Some(inner) = first.get("$elemMatch") {
                        self.elements(path, inner);
                    }
                }
                _ => self.point(path, Some(1), None),
            },
            Operator::Exists if test.argument.as_bool() == Some(false) => self.point(path, Some(1), Some(Type::Null)),
            operator if operator.is_range() => self.range(path),
            Operator::Regex
                if test.pattern().is_some_and(|(pattern, flags)| pattern::prefix(pattern, flags).is_some()) =>
            {
                self.range(path);
            }
            Operator::ElemMatch => self.elements(path, &test.argument),
            Operator::Other(name) if name.starts_with("$geo") || name.contains("near") || name == "$within" => {
                self.special = true;
            }
            Operator::Other(name) if name.to_lowercase().contains("near") => self.special = true,
            _ => {
                if !self.weak.iter().any(|known| known == path) {
                    self.weak.push(path.to_owned());
                }
            }
        }
    }

    fn elements(&mut self, path: &str, inner: &Term) {
        if inner.is_operators() {
            let whole = Test::new(Operator::ElemMatch, inner.clone());
            for test in whole.inner_tests() {
                self.test(path, &test);
            }
            return;
        }
        for (name, test) in Filter::read(inner).conjuncts() {
            self.test(&format!("{path}.{name}"), test);
        }
    }

    fn point(&mut self, path: &str, values: Option<u64>, kind: Option<Type>) {
        if !self.points.iter().any(|point| point.path == path) {
            self.ranges.retain(|known| known != path);
            self.points.push(Point { path: path.to_owned(), values, kind });
        }
    }

    fn range(&mut self, path: &str) {
        let fixed = self.points.iter().any(|point| point.path == path);
        if !fixed && !self.ranges.iter().any(|known| known == path) {
            self.ranges.push(path.to_owned());
        }
    }

    /// Whether nothing in it bounds an index.
    pub fn is_unbounded(&self) -> bool {
        self.points.is_empty() && self.ranges.is_empty()
    }
}

impl Access {
    /// The shape for readers.
    fn describe(&self) -> String {
        let one = |branch: &Branch| {
            let mut parts: Vec<String> = Vec::new();
            for point in &branch.points {
                let many = point.values != Some(1);
                parts.push(format!("{}: {}", point.path, if many { "in" } else { "=" }));
            }
            parts.extend(branch.ranges.iter().map(|path| format!("{path}: range")));
            parts.extend(branch.weak.iter().map(|path| format!("{path}: test")));
            if branch.special {
                parts.push("special".to_owned());
            }
            parts.order();
            if parts.is_empty() { "{}".to_owned() } else { format!("{{ {} }}", parts.join(", ")) }
        };
        let mut text = self.branches.iter().map(one).collect::<Vec<_>>().join(" or ");
        if !self.sort.is_empty() {
            let keys = self.sort.iter().map(|key| format!("{}: {}", key.path, if key.descending { -1 } else { 1 }));
            text.push_str(" sort { ");
            text.push_str(&keys.collect::<Vec<_>>().join(", "));
            text.push_str(" }");
        }
        text
    }

    /// Runs a day, where times or intent tell them.
    pub fn per_day(&self) -> Option<f64> {
        let seen = |runs: &Runs| {
            let span = runs.last?.checked_sub(runs.first?)?;
            (span > 0).then(|| runs.count as f64 * crate::value::time::DAY as f64 / span as f64)
        };
        self.runs.as_ref().and_then(seen).or(self.declared_per_day)
    }
}
