//! Two styles of names in one collection. Words, reasons and examples: inconsistent-naming.md.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::facts::spelling::{Style, style};
use crate::model::Model;
use crate::profile::{CollectionProfile, FieldId, FieldKind};
use crate::rules::{Findings, Place};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Share of the objects that must have a name for it to count: a stray name is another matter.
    share: f64,
}

impl Default for Options {
    fn default() -> Self {
        Options { share: 0.01 }
    }
}

/// A name with a style: its place, its parent, and the field at the top of the document that it lies in.
struct Name {
    id: FieldId,
    parent: FieldId,
    top: FieldId,
    style: Style,
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for (collection, profile) in model.with_documents() {
        let names = names(profile, options);
        let of = |wanted: Style| names.iter().filter(move |name| name.style == wanted);
        let (camel, snake) = (of(Style::Camel).count(), of(Style::Snake).count());
        if camel == 0 || snake == 0 {
            continue;
        }
        let minority = if snake <= camel { Style::Snake } else { Style::Camel };
        let parents = |wanted: Style| of(wanted).map(|name| name.parent).collect::<BTreeSet<_>>();
        let siblings = parents(Style::Camel).intersection(&parents(Style::Snake)).next().is_some();
        let tops = |wanted: Style| of(wanted).map(|name| name.top).collect::<BTreeSet<_>>().len();
        // An embedded object in a style of its own is what another system sent, kept as it came.
        if !siblings && tops(Style::Camel).min(tops(Style::Snake)) < 2 {
            continue;
        }
        findings
            .measured(Place::collection(&collection.ns), profile.documents)
            .number("camel", camel)
            .number("snake", snake)
            .list("others", of(minority).map(|name| profile.path(name.id)))
            .variant(if minority == Style::Snake { "snake" } else { "camel" });
    }
}

fn names(profile: &CollectionProfile, options: &Options) -> Vec<Name> {
    let mut names = Vec::new();
    for (id, field) in profile.fields() {
        let seen = options.share * profile.parent_objects(id) as f64 <= field.count as f64;
        if field.kind != FieldKind::Named || !seen {
            continue;
        }
        let Some(style) = style(&field.name) else { continue };
        let mut top = id;
        while let Some(above) = profile.field(top).map(|f| f.parent).filter(|parent| *parent != FieldId::ROOT) {
            top = above;
        }
        names.push(Name { id, parent: field.parent, top, style });
    }
    names
}
