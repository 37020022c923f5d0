//! TypeScript types as the Node driver gives them.

use std::fmt::Write as _;

use super::{basis, type_name};
use crate::locale::Lang;
use crate::model::Model;
use crate::order::Ordered;
use crate::profile::{CollectionProfile, Field, FieldId, FieldKind};
use crate::value::event::Type;

/// One interface a collection, with what embedded documents look like inside it.
pub(crate) fn typescript(model: &Model, lang: Lang) -> String {
    let mut body = String::new();
    let mut imports: Vec<&'static str> = Vec::new();
    for (collection, profile) in model.with_documents() {
        let name = type_name(&collection.ns.collection);
        // Writing to a string succeeds, here and below.
        let _ = writeln!(body, "\n/** {}, {}. */", comment(&collection.ns.to_string()), basis(collection, lang));
        let _ = write!(body, "export interface {name} ");
        Writer { profile, imports: &mut imports }.object(FieldId::ROOT, 0, &mut body);
        body.push('\n');
    }
    imports.order();
    imports.dedup();
    if imports.is_empty() {
        return body.trim_start().to_owned();
    }
    format!("import type {{ {} }} from 'mongodb';\n{body}", imports.join(", "))
}

struct Writer<'a> {
    profile: &'a CollectionProfile,
    imports: &'a mut Vec<&'static str>,
}

const MAX_LEVELS: usize = 60;

impl Writer<'_> {
    fn object(&mut self, id: FieldId, level: usize, out: &mut String) {
        let children: Vec<(FieldId, &Field)> = self.profile.children(id).collect();
        if children.iter().all(|(_, f)| f.kind == FieldKind::Element) {
            out.push_str("Record<string, never>");
            return;
        }
        out.push_str("{\n");
        let indent = "  ".repeat(level + 1);
        for (child, field) in children {
            match field.kind {
                FieldKind::Named => {
                    let optional = if self.profile.missing(child) == 0 { "" } else { "?" };
                    let _ = write!(out, "{indent}{}{optional}: ", property(&field.name));
                }
                FieldKind::Folded => {
                    let _ = write!(out, "{indent}[key: string]: ");
                }
                FieldKind::Root | FieldKind::Element => continue,
            }
            self.value(child, field, level + 1, out);
            out.push_str(";\n");
        }
        let _ = write!(out, "{}}}", "  ".repeat(level));
    }

    fn value(&mut self, id: FieldId, field: &Field, level: usize, out: &mut String) {
        let mut names: Vec<String> = Vec::new();
        for (found, _) in field.types_found() {
            let name = match found {
                Type::Object if MAX_LEVELS <= level => "Record<string, unknown>".to_owned(),
                Type::Object => {
                    let mut inner = String::new();
                    self.object(id, level, &mut inner);
                    inner
                }
                Type::Array => {
                    let mut inner = String::new();
                    match self.profile.elements(id) {
                        Some((child, element)) if level < MAX_LEVELS => self.value(child, element, level, &mut inner),
                        _ => inner.push_str("unknown"),
                    }
                    format!("Array<{inner}>")
                }
                Type::Double | Type::Int => "number".to_owned(),
                // The driver promotes longs within 2^53 to number.
                Type::Long => self.import("Long") + " | number",
                Type::String | Type::Symbol => "string".to_owned(),
                Type::Bool => "boolean".to_owned(),
                Type::Date => "Date".to_owned(),
                Type::Null | Type::Undefined => "null".to_owned(),
                Type::ObjectId => self.import("ObjectId"),
                Type::Decimal => self.import("Decimal128"),
                Type::BinData => self.import("Binary"),
                Type::Timestamp => self.import("Timestamp"),
                Type::Regex => "RegExp".to_owned(),
                Type::DbPointer => self.import("DBRef"),
                Type::Javascript | Type::JavascriptWithScope => self.import("Code"),
                Type::MinKey => self.import("MinKey"),
                Type::MaxKey => self.import("MaxKey"),
            };
            if !names.contains(&name) {
                names.push(name);
            }
        }
        out.push_str(&if names.is_empty() { "unknown".to_owned() } else { names.join(" | ") });
    }

    fn import(&mut self, name: &'static str) -> String {
        self.imports.push(name);
        name.to_owned()
    }
}

/// A property name: as it is where it is an identifier, else a string literal.
fn property(name: &str) -> String {
    let mut chars = name.chars();
    let first = chars.next().is_some_and(|c| c.is_ascii_alphabetic() || matches!(c, '_' | '$'));
    if first && chars.all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '$')) {
        return name.to_owned();
    }
    // JSON strings are TypeScript strings; a string serialises.
    crate::report::escape_json(serde_json::to_string(name).unwrap_or_default())
}

/// Text inside a comment: one line that cannot end it.
fn comment(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect::<String>().replace("*/", "* /")
}
