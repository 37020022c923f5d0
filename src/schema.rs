//! Schemas from a profile: a `$jsonSchema` validator, TypeScript types, a Mermaid entity diagram.

mod initial;
mod json_schema;
mod mermaid;
mod typescript;

pub(crate) use initial::initial;
pub(crate) use json_schema::json_schema;
pub(crate) use mermaid::mermaid;
pub(crate) use typescript::typescript;

use crate::locale::Lang;
use crate::model::Collection;

/// A name such as `OrderItems` of words such as `order_items`, for types and entities; never empty, ASCII only.
fn type_name(words: &str) -> String {
    let mut out = String::new();
    let mut upper = true;
    for c in words.chars() {
        if !c.is_ascii_alphanumeric() {
            upper = true;
            continue;
        }
        if out.is_empty() && c.is_ascii_digit() {
            out.push('N');
        }
        out.push(if upper { c.to_ascii_uppercase() } else { c });
        upper = false;
    }
    if out.is_empty() { "Unnamed".to_owned() } else { out }
}

/// How sure a schema is: the documents it rests on.
fn basis(collection: &Collection, lang: Lang) -> String {
    let words = lang.sentences();
    lang.counted(if collection.complete { words.from_all } else { words.from_sample }, collection.documents())
}
