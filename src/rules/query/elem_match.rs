//! Conditions on the elements of one array that different elements may meet. Words, reasons and examples:
//! elem-match.md.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use super::{DEEPEST, filters, is_position, joined};
use crate::model::{Collection, Model};
use crate::order::Ordered;
use crate::rules::Findings;
use crate::value::Type;
use crate::workload::{Filter, Operator, Predicate, Test};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for asked in filters(model) {
        let Some(collection) = asked.collection(model) else { continue };
        let mut split = Split { collection, by_array: BTreeMap::new(), ranges: Vec::new() };
        split.read(asked.filter, "", DEEPEST);
        for (array, paths) in split.several() {
            split.ranges.retain(|(within, path)| *within != array && !paths.contains(path));
            let draft = findings.certain(asked.place(model).with_path(&array));
            draft.list("paths", paths).variant("fields");
        }
        split.ranges.order();
        split.ranges.dedup();
        for (array, path) in split.ranges {
            let draft = findings.certain(asked.place(model).with_path(&array));
            draft.text("bounded", path).variant("range");
        }
    }
}

/// The conditions of a filter by the array whose elements they test.
struct Split<'m> {
    collection: &'m Collection,
    by_array: BTreeMap<String, Vec<String>>,
    /// Arrays with a path that is bounded from both sides.
    ranges: Vec<(String, String)>,
}

impl Split<'_> {
    fn read(&mut self, filter: &Filter, prefix: &str, depth: u32) {
        let Some(depth) = depth.checked_sub(1) else { return };
        let mut branches = Vec::new();
        self.conditions(filter, prefix, depth, &mut branches);
        for branch in branches {
            // What holds in one branch says nothing about another.
            let mut own = Split { collection: self.collection, by_array: BTreeMap::new(), ranges: Vec::new() };
            own.read(branch, prefix, depth);
            self.ranges.append(&mut own.ranges);
            for (array, paths) in own.several() {
                self.by_array.entry(array).or_insert(paths);
            }
        }
    }

    fn conditions<'f>(&mut self, filter: &'f Filter, prefix: &str, depth: u32, branches: &mut Vec<&'f Filter>) {
        let Some(depth) = depth.checked_sub(1) else { return };
        for predicate in &filter.all {
            match predicate {
                Predicate::Path { path, certain: true, tests, .. } => self.path(prefix, path, tests, depth),
                Predicate::And(parts, _) => {
                    for part in parts {
                        self.conditions(part, prefix, depth, branches);
                    }
                }
                Predicate::Or(parts, _) => branches.extend(parts),
                _ => {}
            }
        }
    }

    fn path(&mut self, prefix: &str, path: &str, tests: &[Test], depth: u32) {
        let whole = joined(prefix, path);
        let arrays = self.arrays(prefix, &whole);
        if tests.iter().any(tests_an_element) {
            for array in &arrays {
                let paths = self.by_array.entry(array.clone()).or_default();
                if *array != whole && !paths.contains(&whole) {
                    paths.push(whole.clone());
                }
            }
        }
        let has = |one: Operator, other: Operator| tests.iter().any(|t| t.operator == one || t.operator == other);
        if let Some(array) = arrays.last()
            && has(Operator::Gt, Operator::Gte)
            && has(Operator::Lt, Operator::Lte)
        {
            self.ranges.push((array.clone(), whole.clone()));
        }
        for test in tests {
            if let Some(inner) = test.element_filter() {
                self.read(&inner, &whole, depth);
            }
        }
    }

    /// The arrays on the way to a path and at its end, outermost first. Those that an `$elemMatch` around it or the
    /// place of an element fixes are none.
    fn arrays(&self, prefix: &str, path: &str) -> Vec<String> {
        let ends = path.match_indices('.').map(|(at, _)| at).chain([path.len()]);
        let ends = ends.filter(|end| prefix.len() < *end);
        let behind = |end: usize| path.get(end + 1..).and_then(|rest| rest.split('.').next());
        let free = ends.filter(|end| !behind(*end).is_some_and(is_position));
        free.filter_map(|end| path.get(..end))
            .filter(|array| shows_array(self.collection, array))
            .map(str::to_owned)
            .collect()
    }

    /// Arrays of which more than one path is tested, the innermost of those with the same paths.
    fn several(&self) -> Vec<(String, Vec<String>)> {
        let several = self.by_array.iter().filter(|(_, paths)| paths.len() > 1);
        let inner = |array: &str, paths: &Vec<String>| {
            self.by_array
                .iter()
                .any(|(other, same)| same == paths && other.len() > array.len() && other.starts_with(array))
        };
        several.filter(|(array, paths)| !inner(array, paths)).map(|(a, p)| (a.clone(), p.clone())).collect()
    }
}

/// Whether a test is met by one element: not one about the array as a whole, nor about all of its elements.
fn tests_an_element(test: &Test) -> bool {
    matches!(
        test.operator,
        Operator::Eq
            | Operator::Gt
            | Operator::Gte
            | Operator::Lt
            | Operator::Lte
            | Operator::In
            | Operator::Regex
            | Operator::Mod
            | Operator::ElemMatch
    ) && test.argument.as_scalar() != Some(&crate::value::Value::Null)
}

/// Whether documents hold an array of more than one element at a path, or the validator demands an array.
fn shows_array(collection: &Collection, path: &str) -> bool {
    if collection.documents() > 0 {
        let longest = collection.arrays().iter().filter(|array| array.path.as_str() == path);
        return longest.map(|array| array.stats.lengths.max()).max().is_some_and(|longest| longest > 1);
    }
    let fields = collection.validator().map(crate::catalogue::Validator::fields).unwrap_or_default();
    fields.iter().any(|field| {
        let only =
            field.types.as_ref().is_some_and(|types| types.iter().all(|t| matches!(t, Type::Array | Type::Null)));
        field.path == path && only && !field.conditional && field.max_items != Some(1)
    })
}
