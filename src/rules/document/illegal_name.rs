//! Names that operators stumble over: empty, with a dollar sign in front, with a dot inside. Words, reasons and
//! examples: illegal-name.md.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::Deserialize;

use super::is_in_oplog_entry;
use crate::facts::document::{ANY_NAME, DBREF};
use crate::model::Model;
use crate::profile::{CollectionProfile, Field, FieldId, FieldKind};
use crate::rules::{Findings, Place};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Options {}

/// What is wrong with a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Trouble {
    Empty,
    DollarAtTop,
    Dollar,
    Dot,
}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    let refused = model.server < ANY_NAME;
    for (collection, profile) in model.with_documents() {
        for (trouble, fields) in troubles(profile) {
            // The most frequent name stands for all: a common parent would be one place for several troubles.
            let most = fields.iter().max_by_key(|(id, field)| (field.documents, std::cmp::Reverse(profile.path(*id))));
            let Some((place, worst)) = most else { continue };
            let names: BTreeSet<&str> = fields.iter().map(|(_, field)| &*field.name).collect();
            findings
                .certain(Place::path(&collection.ns, profile.path(*place)))
                .list("names", names)
                .number("found", worst.documents)
                .number("read", profile.documents)
                .text("server", model.server)
                .cause(format!("{trouble:?}"))
                .variant(match (trouble, refused) {
                    (Trouble::Empty, _) => "empty",
                    (Trouble::Dollar | Trouble::DollarAtTop, true) => "dollar-refused",
                    (Trouble::DollarAtTop, false) => "dollar-top",
                    (Trouble::Dollar, false) => "dollar",
                    (Trouble::Dot, true) => "dot-refused",
                    (Trouble::Dot, false) => "dot",
                });
        }
    }
}

/// The names of each trouble: one finding tells of all of them.
fn troubles(profile: &CollectionProfile) -> BTreeMap<Trouble, Vec<(FieldId, &Field)>> {
    let mut found: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for (id, field) in profile.fields().filter(|(_, f)| f.kind == FieldKind::Named) {
        let trouble = match &*field.name {
            "" => Trouble::Empty,
            name if name.starts_with('$') && !is_dbref(profile, field) => {
                if field.parent == FieldId::ROOT {
                    Trouble::DollarAtTop
                } else {
                    Trouble::Dollar
                }
            }
            name if name.contains('.') => Trouble::Dot,
            _ => continue,
        };
        if !is_in_oplog_entry(profile, id) {
            found.entry(trouble).or_default().push((id, field));
        }
    }
    found
}

/// The three names that drivers give the parts of a DBRef are legal together.
fn is_dbref(profile: &CollectionProfile, field: &Field) -> bool {
    DBREF.contains(&&*field.name) && ["$ref", "$id"].iter().all(|name| profile.has_name(field.parent, name))
}
