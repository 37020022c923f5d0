//! Collections whose names hold a value: a date, a tenant, a number. Words, reasons and examples:
//! collection-per-value.md.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::Deserialize;

use crate::model::{Collection, Model};
use crate::profile::{FieldId, KeyShape};
use crate::rules::{Findings, Place};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Collections that differ by a date or an id from which on the rule speaks.
    collections: usize,
    /// The same for collections that differ by a plain number.
    numbered: usize,
    /// Tenants that must each have the same collections.
    tenants: usize,
    /// Share of the names that collections of tenants must have in common; half of it for all others.
    likeness: f64,
}

impl Default for Options {
    fn default() -> Self {
        Options { collections: 3, numbered: 5, tenants: 3, likeness: 0.8 }
    }
}

/// What the names of a group of collections differ by; also the variant of the words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Value {
    Date,
    Id,
    Number,
    Tenant,
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    let mut groups: BTreeMap<(Option<&str>, Value, String), Vec<&Collection>> = BTreeMap::new();
    let mut plain: BTreeMap<Option<&str>, Vec<&Collection>> = BTreeMap::new();
    for collection in &model.collections {
        let name = &collection.ns.collection;
        let database = collection.ns.database.as_deref();
        // The server's own (`system.buckets.…`) and those of GridFS are not named by the application.
        let last = name.rsplit('.').next().unwrap_or_default();
        if name.starts_with("system.") || ["chunks", "files"].contains(&last) {
            continue;
        }
        match template(name) {
            Some((value, template)) => groups.entry((database, value, template)).or_default().push(collection),
            None => plain.entry(database).or_default().push(collection),
        }
    }
    for (database, collections) in plain {
        for (template, members) in tenants(&collections, options.tenants) {
            groups.insert((database, Value::Tenant, template), members);
        }
    }
    for ((database, value, template), members) in groups {
        let least = match value {
            Value::Date | Value::Id => options.collections,
            Value::Number => options.numbered,
            Value::Tenant => options.tenants,
        };
        // Words before a word are as often things as tenants (`user_events`, `page_events`): only documents tell.
        let known = members.iter().filter(|collection| 0 < collection.documents()).count();
        let told = value != Value::Tenant || least <= known;
        let likeness = if value == Value::Tenant { options.likeness } else { options.likeness / 2.0 };
        if members.len() < least || !told || !are_alike(&members, likeness) {
            continue;
        }
        findings
            .inferred(Place::none(), "names")
            .cause(&template)
            .number("collections", members.len())
            .text("template", database.map(|database| format!("{database}.{template}")).unwrap_or(template))
            .list("names", members.iter().map(|collection| &collection.ns))
            .variant(match value {
                Value::Date => "date",
                Value::Id | Value::Tenant => "tenant",
                Value::Number => "number",
            });
    }
}

/// The name with its value replaced, and what the value is: the most telling one where it holds several.
fn template(name: &str) -> Option<(Value, String)> {
    let mut found: Option<Value> = None;
    let mut out = String::new();
    for part in parts(name) {
        let value = match KeyShape::of(part) {
            Some(KeyShape::ObjectId | KeyShape::Uuid) => Some(Value::Id),
            _ => digits(part),
        };
        match value {
            Some(value) => {
                found = Some(found.map_or(value, |known| known.min(value)));
                if !out.ends_with('*') {
                    out.push('*');
                }
            }
            // A separator between two values belongs to the value, as in `2026-01`.
            None if out.ends_with('*') && part.len() == 1 => out.push_str(part),
            None => out.push_str(part),
        }
    }
    for joined in ["*_*", "*-*", "*.*"] {
        while out.contains(joined) {
            out = out.replace(joined, "*");
        }
    }
    found.filter(|_| out.bytes().any(|b| b.is_ascii_alphabetic())).map(|value| (value, out))
}

/// Runs of digits, ids, and what stands between them.
fn parts(name: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    for word in name.split_inclusive(['_', '-', '.']) {
        let (word, separator) = match word.strip_suffix(['_', '-', '.']) {
            Some(stem) => (stem, word.get(stem.len()..)),
            None => (word, None),
        };
        if KeyShape::of(word).is_some() {
            parts.push(word);
        } else {
            // A word such as `orders2026` ends in digits; digits inside (`s3logs`, `oauth2tokens`) are spelling.
            let stem = word.trim_end_matches(|c: char| c.is_ascii_digit());
            parts.extend(Some(stem).filter(|s| !s.is_empty()));
            parts.extend(word.get(stem.len()..).filter(|s| !s.is_empty()));
        }
        parts.extend(separator);
    }
    parts
}

/// What a run of digits is: a year, a month with its year, or a day; else a number.
fn digits(part: &str) -> Option<Value> {
    if part.is_empty() || !part.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let year = part.get(..4).and_then(|year| year.parse::<u32>().ok()).is_some_and(|y| (1990..2100).contains(&y));
    let month = |at: usize| {
        part.get(at..at + 2).and_then(|month| month.parse::<u32>().ok()).is_some_and(|m| (1..=12).contains(&m))
    };
    Some(match part.len() {
        4 if year => Value::Date,
        6 | 8 if year && month(4) => Value::Date,
        _ => Value::Number,
    })
}

/// Groups by tenant: first words that each stand before the same two or more last words.
fn tenants<'a>(collections: &[&'a Collection], least: usize) -> Vec<(String, Vec<&'a Collection>)> {
    let mut by_tenant: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for collection in collections {
        if let Some((tenant, thing)) = collection.ns.collection.split_once(['_', '-', '.']) {
            by_tenant.entry(tenant).or_default().insert(thing);
        }
    }
    let mut by_things: BTreeMap<&BTreeSet<&str>, Vec<&str>> = BTreeMap::new();
    for (tenant, things) in by_tenant.iter().filter(|(_, things)| 2 <= things.len()) {
        by_things.entry(things).or_default().push(tenant);
    }
    let mut out = Vec::new();
    for (things, tenants) in by_things.iter().filter(|(_, tenants)| least <= tenants.len()) {
        for thing in *things {
            let members = collections.iter().copied().filter(|collection| {
                let name = collection.ns.collection.split_once(['_', '-', '.']);
                name.is_some_and(|(tenant, own)| tenants.contains(&tenant) && own == *thing)
            });
            out.push((format!("*_{thing}"), members.collect()));
        }
    }
    out
}

/// Whether the collections hold the same kind of document, as far as their documents are known: so large a share of the
/// names of two neighbours is common to both.
fn are_alike(members: &[&Collection], likeness: f64) -> bool {
    let names: Vec<BTreeSet<&str>> = members
        .iter()
        .filter_map(|collection| collection.profile.as_ref())
        .filter(|profile| 0 < profile.documents)
        .map(|profile| profile.children(FieldId::ROOT).map(|(_, field)| &*field.name).collect())
        .collect();
    names.windows(2).all(|pair| {
        let [a, b] = pair else { return true };
        likeness * a.union(b).count() as f64 <= a.intersection(b).count() as f64
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_in_names() {
        for (name, expected) in [
            ("events_2026_01", Some((Value::Date, "events_*"))),
            ("events-2026-01-31", Some((Value::Date, "events-*"))),
            ("logs20260131", Some((Value::Date, "logs*"))),
            ("orders2026", Some((Value::Date, "orders*"))),
            ("tenant_12_orders", Some((Value::Number, "tenant_*_orders"))),
            ("cart_651f000102030405060708ff", Some((Value::Id, "cart_*"))),
            ("oauth2tokens", None),
            ("users", None),
            ("2026", None),
        ] {
            assert_eq!(template(name), expected.map(|(v, t)| (v, t.to_owned())), "{name}");
        }
    }
}
