//! The shape of stored documents. One module a rule, or a family of ids.

pub(super) mod array_or_scalar;
pub(super) mod as_string;
pub(super) mod bloated;
pub(super) mod collection_per_value;
pub(super) mod data_in_keys;
pub(super) mod deep_nesting;
pub(super) mod deprecated_type;
pub(super) mod duplicate_key;
pub(super) mod empty_placeholders;
pub(super) mod illegal_name;
pub(super) mod inconsistent_naming;
pub(super) mod inline_file;
pub(super) mod internal_timestamp;
pub(super) mod invalid_geometry;
pub(super) mod large_array;
pub(super) mod long_names;
pub(super) mod mixed_array_elements;
pub(super) mod mixed_id;
pub(super) mod mixed_number_types;
pub(super) mod mixed_types;
pub(super) mod money_as_double;
pub(super) mod near_size_limit;
pub(super) mod not_a_number;
pub(super) mod null_and_missing;
pub(super) mod rare_field;
pub(super) mod second_key;
pub(super) mod sentinel_date;
pub(super) mod similar_names;
pub(super) mod split_date;
pub(super) mod too_many_collections;
pub(super) mod too_many_fields;
pub(super) mod unbounded_array;
pub(super) mod unsafe_integer;
pub(super) mod vector_length;

use serde_json::{Map, Value};

use crate::facts::Version;
use crate::finding::Remedy;
use crate::model::pattern::family;
use crate::model::{Collection, FieldRef};
use crate::profile::{CollectionProfile, FieldId, FieldKind};
use crate::remedy::convert::{self, Target};

/// The script that converts the strings of a field, where a path reaches each of its values.
fn conversion(collection: &Collection, field: &FieldRef<'_>, to: Target, server: Version) -> Option<Remedy> {
    let profile = collection.profile.as_ref()?;
    let is_reached = field.field.kind == FieldKind::Named && !profile.in_array(field.id);
    if is_reached { convert::strings(&collection.ns, field.path.as_str(), to, server) } else { None }
}

/// Whether the field is the `_id` of the document itself.
fn is_own_id(field: &FieldRef<'_>) -> bool {
    field.path.as_str() == "_id"
}

/// The counts of the field by type, as evidence.
fn type_table(field: &FieldRef<'_>) -> Map<String, Value> {
    field.field.types_found().into_iter().map(|(kind, count)| (kind.alias().to_owned(), count.into())).collect()
}

/// Whether the field lies in an entry of an oplog, wherever that was copied to: its names and types are the server's.
fn is_in_oplog_entry(profile: &CollectionProfile, id: FieldId) -> bool {
    let mut at = id;
    while let Some(field) = profile.field(at).filter(|f| f.kind != FieldKind::Root) {
        at = field.parent;
        if ["op", "ns", "o"].iter().all(|name| profile.has_name(at, name)) {
            return true;
        }
    }
    false
}

/// The field itself where there is one, else the deepest object that holds them all.
fn common_parent(profile: &CollectionProfile, ids: &[FieldId]) -> Option<FieldId> {
    let [first, rest @ ..] = ids else { return None };
    if rest.is_empty() {
        return Some(*first);
    }
    let mut common = ancestors(profile, *first);
    for id in rest {
        let others = ancestors(profile, *id);
        let same = common.iter().zip(&others).take_while(|(a, b)| a == b).count();
        common.truncate(same);
    }
    common.last().copied()
}

/// The objects and arrays around a field, outermost first.
fn ancestors(profile: &CollectionProfile, id: FieldId) -> Vec<FieldId> {
    let mut out = Vec::new();
    let mut at = id;
    while let Some(field) = profile.field(at).filter(|f| f.kind != FieldKind::Root) {
        at = field.parent;
        out.push(at);
    }
    out.reverse();
    out
}
