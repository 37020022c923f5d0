//! A `$jsonSchema` validator: as tight as the documents allow, and honest about how many they were.

use serde_json::{Map, Value as Json, json};

use super::basis;
use crate::locale::Lang;
use crate::locale::template::fill;
use crate::model::{Collection, Model};
use crate::order::Ordered;
use crate::profile::field::Values;
use crate::profile::{CollectionProfile, Field, FieldId, FieldKind};
use crate::value::event::{Fidelity, Type};

/// Documents from which on "always present" and "no other field" are more than an accident.
const MIN_SURE: u64 = 100;
/// Strings of more values than this are no enumeration.
const MAX_ENUM: usize = 12;
/// Every value of an enumeration must occur this often on average.
const MIN_REPEATS: u64 = 10;

/// The validators of all collections with documents, as one JSON object by namespace.
pub(crate) fn json_schema(model: &Model, lang: Lang) -> String {
    let mut all = Map::new();
    for (collection, profile) in model.with_documents() {
        all.insert(collection.ns.to_string(), json!({ "$jsonSchema": schema(collection, profile, lang) }));
    }
    // Maps and strings serialise.
    serde_json::to_string_pretty(&Json::Object(all)).unwrap_or_default() + "\n"
}

/// The schema of one collection.
pub(crate) fn schema(collection: &Collection, profile: &CollectionProfile, lang: Lang) -> Json {
    let exact = profile.fidelity.keys().all(|f| *f == Fidelity::Exact);
    let writer = Writer { collection, profile, exact };
    let mut out = writer.object(FieldId::ROOT, 0);
    let words = lang.sentences();
    let sure = if collection.documents() < MIN_SURE {
        lang.counted(words.unsure, MIN_SURE)
    } else if collection.complete {
        String::new()
    } else {
        // "None of N" leaves 3/N at 95 % confidence.
        let bound = 3.0 / collection.documents().max(1) as f64;
        fill(words.may_differ, &Map::from_iter([("share".to_owned(), bound.into())]), lang)
    };
    let mut described = Map::new();
    described.insert("bsonType".to_owned(), "object".into());
    described.insert("description".to_owned(), format!("{} {}{sure}", words.inferred, basis(collection, lang)).into());
    if let Some(object) = out.as_object_mut() {
        object.remove("bsonType");
        described.append(object);
    }
    Json::Object(described)
}

struct Writer<'a> {
    collection: &'a Collection,
    profile: &'a CollectionProfile,
    exact: bool,
}

/// Levels that are described; the server refuses documents beyond 180, and no person reads so far.
const MAX_LEVELS: usize = 60;

impl Writer<'_> {
    fn object(&self, id: FieldId, level: usize) -> Json {
        let mut out = Map::new();
        out.insert("bsonType".to_owned(), "object".into());
        let mut required = Vec::new();
        let mut properties = Map::new();
        let mut others = None;
        let mut open = false;
        for (child, field) in self.profile.children(id) {
            match field.kind {
                // No property of `$jsonSchema` reaches such a name; the schema must then not forbid other names either.
                FieldKind::Named if !can_be_named(&field.name) => open = true,
                FieldKind::Named => {
                    if self.profile.missing(child) == 0 {
                        required.push(Json::from(&*field.name));
                    }
                    properties.insert(field.name.to_string(), self.value(child, field, level + 1));
                }
                FieldKind::Folded => others = Some(self.value(child, field, level + 1)),
                FieldKind::Root | FieldKind::Element => {}
            }
        }
        if !required.is_empty() {
            out.insert("required".to_owned(), required.into());
        }
        if !properties.is_empty() {
            out.insert("properties".to_owned(), properties.into());
        }
        match others {
            // Names that are data: any name, one form.
            Some(form) => {
                out.insert("additionalProperties".to_owned(), form);
            }
            None if !open && self.collection.complete && MIN_SURE <= self.collection.documents() => {
                out.insert("additionalProperties".to_owned(), false.into());
            }
            None => {}
        }
        out.into()
    }

    fn value(&self, id: FieldId, field: &Field, level: usize) -> Json {
        let types = self.types(field);
        let mut out = Map::new();
        match types.as_slice() {
            [] => return json!({}),
            [one] => out.insert("bsonType".to_owned(), (*one).into()),
            many => out.insert("bsonType".to_owned(), many.into()),
        };
        if MAX_LEVELS <= level {
            return out.into();
        }
        if 0 < field.count_of(Type::Object) {
            let Json::Object(mut object) = self.object(id, level) else { return out.into() };
            object.remove("bsonType");
            out.append(&mut object);
        }
        if let Some((child, element)) = self.profile.elements(id) {
            out.insert("items".to_owned(), self.value(child, element, level + 1));
        }
        if let Some(values) = enumeration(field) {
            out.insert("enum".to_owned(), values);
        }
        let missing = self.profile.missing(id);
        if 0 < missing {
            let of = self.profile.parent_objects(id);
            out.insert("description".to_owned(), format!("in {} of {of}", of.saturating_sub(missing)).into());
        }
        out.into()
    }

    /// The types to allow. Whole numbers come as int or long from one writer and as double from another, so a path
    /// of whole numbers allows int and long, and one with doubles any number.
    fn types(&self, field: &Field) -> Vec<&'static str> {
        let mut out: Vec<&'static str> = Vec::new();
        let found = field.types_found();
        let doubles = 0 < field.count_of(Type::Double);
        let whole = 0 < field.count_of(Type::Int) + field.count_of(Type::Long);
        let decimals = 0 < field.count_of(Type::Decimal);
        if doubles || ((whole || decimals) && !self.exact) || (whole && decimals) {
            out.push("number");
        } else if whole {
            out.extend(["int", "long"]);
        } else if decimals {
            out.push("decimal");
        }
        out.extend(found.into_iter().map(|(t, _)| t).filter(|t| !t.is_number()).map(Type::alias));
        out
    }
}

/// Whether a schema can speak of a field of this name.
fn can_be_named(name: &str) -> bool {
    !name.is_empty() && !name.starts_with('$') && !name.contains(['.', '\0'])
}

/// The values of a string field that is an enumeration: few, each repeated, nothing but strings and nulls.
fn enumeration(field: &Field) -> Option<Json> {
    let Values::All(values) = &field.values else { return None };
    let strings = field.count_of(Type::String);
    if strings == 0 || strings + field.nulls() != field.count || MAX_ENUM < values.len() {
        return None;
    }
    if strings < MIN_SURE || strings < MIN_REPEATS * values.len() as u64 {
        return None;
    }
    let shares = field.distinct.as_deref()?.smallest();
    // A discriminator's values may be shown; each stands in at least one of a hundred.
    if shares.iter().any(|(_, count)| count * 100 < strings) {
        return None;
    }
    let mut names: Vec<&str> = values.iter().filter_map(|(_, v)| v.as_str()).collect();
    if names.iter().any(|n| 40 < n.len() || n.contains('@')) {
        return None;
    }
    names.order();
    let mut all: Vec<Json> = names.into_iter().map(Json::from).collect();
    if 0 < field.nulls() {
        all.push(Json::Null);
    }
    Some(all.into())
}
