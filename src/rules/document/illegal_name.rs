//! Names that operators stumble over: empty, with a dollar sign in front, with a dot inside. Words, reasons and
//! examples: illegal-name.md.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use super::is_in_oplog_entry;
use crate::facts::document::{ANY_NAME, DBREF};
use crate::model::{Collection, Model};
use crate::profile::{CollectionProfile, Field, FieldId, FieldKind};
use crate::rules::{Findings, Place};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Options {}

/// What is wrong with a name; also the variant of the words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Trouble {
    Empty,
    Dollar,
    Dot,
}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    let refused = model.server < ANY_NAME;
    for (collection, profile) in model.with_documents() {
        for ((parent, trouble), names) in troubles(profile) {
            let place = place(collection, profile, parent, &names);
            let times: u64 = names.iter().map(|(_, field)| field.count).sum();
            let draft = findings.certain(place);
            draft
                .list("names", names.iter().map(|(_, field)| &field.name))
                .number("times", times)
                .text("server", model.server)
                .variant(match (trouble, refused) {
                    (Trouble::Empty, _) => "empty",
                    (Trouble::Dollar, true) => "dollar-refused",
                    (Trouble::Dollar, false) if parent == FieldId::ROOT => "dollar-top",
                    (Trouble::Dollar, false) => "dollar",
                    (Trouble::Dot, true) => "dot-refused",
                    (Trouble::Dot, false) => "dot",
                });
        }
    }
}

/// The names of each object and trouble: one finding tells of all of them.
fn troubles(profile: &CollectionProfile) -> BTreeMap<(FieldId, Trouble), Vec<(FieldId, &Field)>> {
    let mut found: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for (id, field) in profile.fields().filter(|(_, f)| f.kind == FieldKind::Named) {
        let trouble = match &*field.name {
            "" => Trouble::Empty,
            name if name.starts_with('$') && !is_dbref(profile, field) => Trouble::Dollar,
            name if name.contains('.') => Trouble::Dot,
            _ => continue,
        };
        if is_in_oplog_entry(profile, id) {
            continue;
        }
        found.entry((field.parent, trouble)).or_default().push((id, field));
    }
    found
}

/// The three names that drivers give the parts of a DBRef are legal together.
fn is_dbref(profile: &CollectionProfile, field: &Field) -> bool {
    let has = |name: &str| profile.children(field.parent).any(|(_, f)| &*f.name == name);
    DBREF.contains(&&*field.name) && has("$ref") && has("$id")
}

/// A single name is the place itself; of several the object that holds them is.
fn place(collection: &Collection, profile: &CollectionProfile, parent: FieldId, names: &[(FieldId, &Field)]) -> Place {
    match names {
        [(id, _)] => Place::path(&collection.ns, profile.path(*id)),
        _ => Place::path(&collection.ns, profile.path(parent)),
    }
}
