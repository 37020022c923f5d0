//! A Mermaid entity diagram: collections, what they embed, what they refer to.

use std::fmt::Write as _;

use super::type_name;
use crate::model::Model;
use crate::profile::{CollectionProfile, FieldId, FieldKind};
use crate::value::event::Type;

/// Fields that one entity lists; the rest is counted.
const MAX_FIELDS: usize = 30;
/// Levels of embedded documents that become entities of their own.
const MAX_LEVELS: usize = 6;

/// The diagram of all collections with documents.
pub(crate) fn mermaid(model: &Model) -> String {
    let mut out = "erDiagram\n".to_owned();
    let mut links = String::new();
    for (collection, profile) in model.with_documents() {
        let mut work = vec![(FieldId::ROOT, type_name(&collection.ns.collection), 0)];
        while let Some((id, entity, level)) = work.pop() {
            let mut rows = Vec::new();
            for (child, field) in profile.children(id) {
                let name = if field.kind == FieldKind::Folded { "key".to_owned() } else { field.name.to_string() };
                if field.kind == FieldKind::Element {
                    continue;
                }
                rows.push(format!("    {} {}", kind(profile, child), attribute(&name)));
                let (part, many) = match profile.elements(child) {
                    Some((element, f)) if 0 < f.count_of(Type::Object) => (element, true),
                    _ if 0 < field.count_of(Type::Object) => (child, field.kind == FieldKind::Folded),
                    _ => continue,
                };
                if level < MAX_LEVELS {
                    let inner = format!("{entity}_{}", type_name(&name));
                    let link = if many { "||--o{" } else { "||--o|" };
                    // Writing to a string succeeds, here and below.
                    let _ = writeln!(links, "  {entity} {link} {inner} : embeds");
                    work.push((part, inner, level + 1));
                }
            }
            let hidden = rows.len().saturating_sub(MAX_FIELDS);
            let _ = writeln!(out, "  {entity} {{");
            for row in rows.iter().take(MAX_FIELDS) {
                let _ = writeln!(out, "{row}");
            }
            if 0 < hidden {
                let _ = writeln!(out, "    more fields_{hidden}");
            }
            out.push_str("  }\n");
        }
    }
    for reference in &model.references {
        let (from, to) = (type_name(&reference.from.collection), type_name(&reference.to.collection));
        let link = if reference.many { "}o--o{" } else { "}o--||" };
        let _ = writeln!(links, "  {from} {link} {to} : \"{}\"", label(reference.path.as_str()));
    }
    out + &links
}

/// The type of an attribute: one word of letters, digits, `_`, `-`, `[]`.
fn kind(profile: &CollectionProfile, id: FieldId) -> String {
    let Some(field) = profile.field(id) else { return "unknown".to_owned() };
    let types: Vec<&str> = field
        .types_found()
        .into_iter()
        .filter(|(t, _)| *t != Type::Null)
        .map(|(t, _)| match (t, profile.elements(id)) {
            (Type::Array, Some((_, element))) => match element.types_found().first() {
                Some((inner, _)) => inner.alias(),
                None => "array",
            },
            _ => t.alias(),
        })
        .collect();
    let many = if 0 < field.count_of(Type::Array) { "[]" } else { "" };
    if types.is_empty() { "null".to_owned() } else { types.join("_") + many }
}

/// A name that Mermaid takes as an attribute: anything else than word characters becomes `_`.
fn attribute(name: &str) -> String {
    let out: String = name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' }).collect();
    match out.chars().next() {
        None => "_".to_owned(),
        Some(first) if first.is_ascii_digit() => format!("_{out}"),
        Some(_) => out,
    }
}

/// Text inside a quoted label.
fn label(text: &str) -> String {
    text.chars().filter(|c| !c.is_control() && !matches!(c, '"' | '<' | '>' | ';' | '#')).collect()
}
