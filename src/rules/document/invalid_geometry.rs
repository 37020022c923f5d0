//! Geometries that no geospatial index takes. Words, reasons and examples: invalid-geometry.md.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::catalogue::IndexKind;
use crate::facts::geometry::{self, Fault};
use crate::facts::names;
use crate::finding::Remedy;
use crate::model::{Collection, FieldRef, Model};
use crate::profile::field::GeometryStats;
use crate::profile::{CollectionProfile, Field, FieldId};
use crate::remedy::field::{self, Position};
use crate::rules::{Findings, Place};
use crate::value::event::Document;

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
        let found: Vec<(FieldRef<'_>, Form)> = collection
            .fields()
            .filter_map(|at| {
                let form = Form::of(collection, profile, &at)?;
                Some((at, form))
            })
            .collect();
        // GeoJSON was counted while the documents were read; of the rest the sample tells.
        let counted = |at: &FieldRef<'_>| at.field.geometries.as_deref().cloned();
        let mut seen: Vec<GeometryStats> = found.iter().map(|(at, _)| counted(at).unwrap_or_default()).collect();
        let (open, ids): (Vec<usize>, Vec<FieldId>) =
            found.iter().enumerate().filter_map(|(which, (at, form))| Some((which, form.looked_at(at)?))).unzip();
        collection.each_at_any(&ids, |nth, document, place| {
            let Some(which) = open.get(nth).copied() else { return };
            if let (Some((at, form)), Some(seen)) = (found.get(which), seen.get_mut(which))
                && let Some(verdict) = form.judge(profile, at, document, place)
            {
                seen.add(verdict);
            }
        });
        for ((at, form), seen) in found.iter().zip(seen) {
            let faulty: u64 = seen.faults.values().sum();
            let main = seen.faults.iter().max_by_key(|(fault, count)| (**count, std::cmp::Reverse(**fault)));
            let Some((main, _)) = main.filter(|_| form.is_believable(&seen, options)) else { continue };
            let kinds: Map<String, Value> =
                seen.faults.iter().map(|(fault, count)| (fault.name().to_owned(), (*count).into())).collect();
            let draft = findings
                .measured(Place::path(&collection.ns, form.place(profile, at)), seen.judged)
                .number("faulty", faulty)
                .list("faults", seen.faults.keys().map(|fault| fault.name()))
                .figure("kinds", kinds)
                .variant(main.name());
            if seen.faults.contains_key(&Fault::Swapped) && field::is_reachable(profile, at) {
                draft.remedy(form.swap(collection, at));
            }
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

impl Form {
    fn of(collection: &Collection, profile: &CollectionProfile, at: &FieldRef<'_>) -> Option<Form> {
        if at.field.geometries.is_some() {
            // The parts of a geometry collection are judged as a whole with it.
            let array = profile.field(at.field.parent);
            let around = array.and_then(|array| profile.field(array.parent));
            let part = array.is_some_and(|array| &*array.name == "geometries")
                && around.is_some_and(|around| around.geometries.is_some());
            return (!part).then_some(Form::GeoJson);
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

    /// Whose sampled values are looked at: a latitude is judged with its longitude, at the object around both.
    fn looked_at(self, at: &FieldRef<'_>) -> Option<FieldId> {
        match self {
            Form::GeoJson => None,
            Form::Pair { .. } => Some(at.id),
            Form::Latitude { .. } => Some(at.field.parent),
        }
    }

    fn judge(
        self,
        profile: &CollectionProfile,
        at: &FieldRef<'_>,
        document: &Document<'_>,
        place: usize,
    ) -> Option<Result<(), Fault>> {
        match self {
            Form::GeoJson => None,
            Form::Pair { .. } => geometry::judge_pair(document, place),
            Form::Latitude { longitude } => {
                let number = |name: &str| {
                    let found = document.children(place).find(|(_, e)| e.key == name);
                    found.and_then(|(_, e)| geometry::number(e.item))
                };
                let longitude = number(&profile.field(longitude)?.name)?;
                Some(geometry::judge_position(longitude, number(at.leaf())?))
            }
        }
    }

    /// Whether the values are what they seem to be.
    fn is_believable(self, seen: &GeometryStats, options: &Options) -> bool {
        let good = seen.judged - seen.faults.values().sum::<u64>();
        let mostly_good = options.positions * seen.judged as f64 <= good as f64;
        let all_swapped = seen.faults.keys().all(|fault| *fault == Fault::Swapped);
        match self {
            Form::GeoJson | Form::Pair { indexed: true } => true,
            // By the name alone: only a swapped pair among good ones is more likely than another meaning.
            Form::Pair { indexed: false } => mostly_good && all_swapped,
            Form::Latitude { .. } => mostly_good || all_swapped,
        }
    }

    /// The script that turns swapped positions round.
    fn swap(self, collection: &Collection, at: &FieldRef<'_>) -> Remedy {
        let path = at.path.as_str();
        let longitude = match self {
            Form::Latitude { longitude } => collection.field(longitude),
            Form::GeoJson | Form::Pair { .. } => None,
        };
        let position = match (self, &longitude) {
            (Form::GeoJson, _) => Position::Point(path),
            (_, None) => Position::Pair(path),
            (_, Some(longitude)) => Position::Fields { latitude: path, longitude: longitude.path.as_str() },
        };
        field::swap(&collection.ns, position)
    }

    /// The field that must change: an object of latitude and longitude as a whole, at the top of a document the latitude.
    fn place(self, profile: &CollectionProfile, at: &FieldRef<'_>) -> String {
        match self {
            Form::Latitude { .. } if at.field.parent != FieldId::ROOT => profile.path(at.field.parent).to_string(),
            _ => at.path.to_string(),
        }
    }
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
