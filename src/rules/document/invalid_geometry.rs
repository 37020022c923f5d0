//! Geometries that no geospatial index takes. Words, reasons and examples: invalid-geometry.md.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::catalogue::IndexKind;
use crate::facts::geometry::{self, Fault};
use crate::facts::names;
use crate::model::{Collection, FieldRef, Model};
use crate::profile::{CollectionProfile, Field, FieldId, FieldKind};
use crate::rules::{Findings, Place};
use crate::value::event::{Document, Type};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Share of the pairs of numbers of a path that must be positions on Earth before its name alone makes the others
    /// faults: pairs may be pixels.
    positions: f64,
}

impl Default for Options {
    fn default() -> Self {
        Options { positions: 0.5 }
    }
}

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for (collection, profile) in model.with_documents() {
        for at in collection.fields() {
            let Some(form) = Form::of(collection, profile, &at) else { continue };
            let seen = form.judge(collection, &at);
            let faulty: u64 = seen.faults.values().sum();
            if faulty == 0 || !form.is_believable(&seen, options) {
                continue;
            }
            let main = seen.faults.iter().max_by_key(|(fault, count)| (**count, std::cmp::Reverse(**fault)));
            let Some((main, _)) = main else { continue };
            let path = form.place(profile, &at);
            let kinds: serde_json::Map<String, serde_json::Value> =
                seen.faults.iter().map(|(fault, count)| (fault.name().to_owned(), (*count).into())).collect();
            findings
                .measured(Place::path(&collection.ns, path), seen.judged)
                .number("faulty", faulty)
                .list("faults", seen.faults.keys().map(|fault| fault.name()))
                .figure("kinds", kinds)
                .variant(main.name());
        }
    }
}

/// How a path holds geometries.
#[derive(Debug, Clone, Copy)]
enum Form {
    /// `{type: "Point", coordinates: […]}`.
    GeoJson,
    /// `[longitude, latitude]`; by an index, or by the name alone.
    Pair { indexed: bool },
    /// A latitude with a longitude beside it, here at the latitude.
    Latitude { longitude: FieldId },
}

/// What the sampled values of a path are.
#[derive(Debug, Default)]
struct Seen {
    judged: u64,
    faults: BTreeMap<Fault, u64>,
}

impl Form {
    fn of(collection: &Collection, profile: &CollectionProfile, at: &FieldRef<'_>) -> Option<Form> {
        let child = |name: &str| profile.children(at.id).find(|(_, f)| f.kind == FieldKind::Named && &*f.name == name);
        if at.has(Type::Object) {
            let body = child("coordinates").or_else(|| child("geometries")).filter(|(_, f)| f.arrays.is_some());
            let kind = child("type").filter(|(_, f)| 0 < f.count_of(Type::String));
            return body.and(kind).map(|_| Form::GeoJson);
        }
        if let Some(arrays) = &at.field.arrays {
            let pairs = arrays.is_numeric() && arrays.lengths.at_least(1) == arrays.lengths.at_least(2);
            let in_geojson =
                profile.children(at.field.parent).any(|(_, f)| &*f.name == "type") && at.leaf() == "coordinates";
            if !pairs || in_geojson || 3 < arrays.lengths.max() {
                return None;
            }
            let indexed = is_indexed(collection, at.path.as_str());
            return (indexed || names::is_position(at.leaf())).then_some(Form::Pair { indexed });
        }
        if names::is_latitude(at.leaf()) && only_numbers(at.field) {
            let beside = |(_, f): &(FieldId, &Field)| names::is_longitude(&f.name) && only_numbers(f);
            let (longitude, _) = profile.children(at.field.parent).find(beside)?;
            return Some(Form::Latitude { longitude });
        }
        None
    }

    /// Looks at every sampled value of the path.
    fn judge(self, collection: &Collection, at: &FieldRef<'_>) -> Seen {
        let mut seen = Seen::default();
        let mut count = |verdict: Option<Result<(), Fault>>| {
            let Some(verdict) = verdict else { return };
            seen.judged += 1;
            if let Err(fault) = verdict {
                *seen.faults.entry(fault).or_default() += 1;
            }
        };
        match self {
            Form::GeoJson => collection.each_sampled_object(at.id, |document, place| {
                count(geometry::judge(document, place));
            }),
            Form::Pair { .. } => collection.each_sampled_value(at.id, |document, place| {
                count(geometry::judge_pair(document, place));
            }),
            Form::Latitude { longitude } => {
                let Some(longitude) = collection.field(longitude) else { return seen };
                collection.each_sampled_object(at.field.parent, |document, place| {
                    let number = |name: &str| find(document, place, name).and_then(geometry::number);
                    let verdict = number(longitude.leaf()).zip(number(at.leaf()));
                    count(verdict.map(|(longitude, latitude)| geometry::judge_position(longitude, latitude)));
                });
            }
        }
        seen
    }

    /// Whether the values are what they seem to be.
    fn is_believable(self, seen: &Seen, options: &Options) -> bool {
        match self {
            Form::GeoJson | Form::Pair { indexed: true } => true,
            // By the name alone: only a swapped pair among good ones is more likely than another meaning.
            Form::Pair { indexed: false } => {
                let faulty: u64 = seen.faults.values().sum();
                let good = seen.judged - faulty;
                options.positions * seen.judged as f64 <= good as f64
                    && seen.faults.keys().all(|fault| *fault == Fault::Swapped)
            }
            Form::Latitude { .. } => {
                let faulty: u64 = seen.faults.values().sum();
                options.positions * seen.judged as f64 <= (seen.judged - faulty) as f64 || is_all_swapped(seen)
            }
        }
    }

    /// The field that must change: an object of latitude and longitude as a whole, at the top of a document the latitude.
    fn place(self, profile: &CollectionProfile, at: &FieldRef<'_>) -> String {
        match self {
            Form::Latitude { .. } if at.field.parent != FieldId::ROOT => profile.path(at.field.parent).to_string(),
            _ => at.path.to_string(),
        }
    }
}

fn is_all_swapped(seen: &Seen) -> bool {
    seen.faults.keys().all(|fault| *fault == Fault::Swapped)
}

fn find<'a>(document: &Document<'a>, place: usize, name: &str) -> Option<crate::value::event::Item<'a>> {
    document.children(place).find(|(_, e)| e.key == name).map(|(_, e)| e.item)
}

fn only_numbers(field: &Field) -> bool {
    0 < field.number_count() && field.number_count() + field.nulls() == field.count
}

/// Whether a geospatial index with the bounds of the Earth is on the path.
fn is_indexed(collection: &Collection, path: &str) -> bool {
    collection.indexes().iter().any(|index| {
        let bounds = index.other.iter().any(|(option, _)| option == "min" || option == "max");
        let geo = |kind: &IndexKind| matches!(kind, IndexKind::Geo2d | IndexKind::Geo2dsphere);
        !bounds && index.key.iter().any(|(key, kind)| key == path && geo(kind))
    })
}
