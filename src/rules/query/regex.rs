//! Patterns that no index narrows. Words, reasons and examples: unanchored-regex.md, case-insensitive-regex.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Asked, each_test, filters, positive, stored};
use crate::facts::pattern;
use crate::finding::Severity;
use crate::model::{Collection, Model};
use crate::rules::Findings;
use crate::value::Value;
use crate::workload::{Operator, Term, Test};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

/// Why an index cannot seek to the matches.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fault {
    /// They may start with anything.
    Unanchored { ignores_case: bool },
    /// They start in one way, in capitals or not.
    IgnoresCase,
}

pub(crate) fn unanchored(model: &Model, _: &Options, findings: &mut Findings) {
    each_pattern(model, |asked, path, fault| {
        if let Fault::Unanchored { ignores_case } = fault {
            say(model, asked, path, ignores_case.then_some("case"), findings);
        }
    });
}

pub(crate) fn case_insensitive(model: &Model, _: &Options, findings: &mut Findings) {
    each_pattern(model, |asked, path, fault| {
        if fault == Fault::IgnoresCase {
            let collates = asked.collection(model).is_some_and(|collection| has_collated_index(collection, path));
            say(model, asked, path, collates.then_some("index"), findings);
        }
    });
}

fn say(model: &Model, asked: &Asked<'_>, path: &str, variant: Option<&'static str>, findings: &mut Findings) {
    let narrowed = narrowed(model, asked, path);
    if narrowed == Some(true) {
        return;
    }
    let draft = findings.certain(asked.place(model).with_path(path));
    if let Some(variant) = variant {
        draft.variant(variant);
    }
    // An equality beside it may have an index that is not in the evidence.
    if narrowed.is_none() {
        draft.severity(Severity::Info);
    }
    if let Some(documents) = stored(asked, model) {
        draft.documents(documents);
    }
}

fn each_pattern(model: &Model, mut say: impl FnMut(&Asked<'_>, &str, Fault)) {
    for asked in filters(model).filter(|asked| asked.stored) {
        let mut told: Vec<String> = Vec::new();
        each_test(asked.filter, &mut |path, test, is_negated| {
            let fault = if is_negated { None } else { fault(test) };
            if let Some(fault) = fault.filter(|_| !told.iter().any(|known| known == path)) {
                told.push(path.to_owned());
                say(&asked, path, fault);
            }
        });
    }
}

fn fault(test: &Test) -> Option<Fault> {
    match test.operator {
        Operator::Regex => {
            if let Some((pattern, flags)) = test.pattern() {
                return judge(pattern, flags);
            }
            // The pattern is not known, and that it ignores case is.
            let options = test.options.as_ref().and_then(Term::as_str);
            options.is_some_and(|flags| flags.contains('i')).then_some(Fault::IgnoresCase)
        }
        Operator::In => test.argument.elements()?.iter().find_map(|element| match element.as_scalar()? {
            Value::Regex(pattern, flags) => judge(pattern, flags),
            _ => None,
        }),
        _ => None,
    }
}

fn judge(pattern: &str, flags: &str) -> Option<Fault> {
    let ignores_case = flags.contains('i');
    match (pattern::is_anchored(pattern), ignores_case) {
        (false, _) => Some(Fault::Unanchored { ignores_case }),
        (true, true) => Some(Fault::IgnoresCase),
        (true, false) => None,
    }
}

/// Whether a condition on another field narrows what the pattern is tried on; `None` where its index is not known.
fn narrowed(model: &Model, asked: &Asked<'_>, path: &str) -> Option<bool> {
    let others: Vec<&str> = positive(asked.filter)
        .filter(|(other, test)| {
            *other != path
                && !matches!(test.operator, Operator::Regex | Operator::Exists | Operator::Type | Operator::Ne)
        })
        .map(|(other, _)| other)
        .collect();
    if others.is_empty() {
        return Some(false);
    }
    let collection = asked.collection(model);
    let leads =
        |index: &crate::catalogue::Index| index.key.first().is_some_and(|(first, _)| others.contains(&first.as_str()));
    if others.contains(&"_id") || collection.is_some_and(|collection| collection.indexes().iter().any(leads)) {
        return Some(true);
    }
    collection.is_some_and(|collection| collection.catalogue.indexes_known).then_some(false)
}

/// Whether an index that ignores case lies over a path.
fn has_collated_index(collection: &Collection, path: &str) -> bool {
    collection.indexes().iter().any(|index| {
        let strength =
            index.effective_collation().and_then(|collation| collation.get("strength")).and_then(Value::as_i64);
        strength.is_some_and(|strength| strength <= 2) && index.key.first().is_some_and(|(first, _)| first == path)
    })
}
