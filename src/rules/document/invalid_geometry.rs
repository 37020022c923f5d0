//! Geometries that no geospatial index takes. Words, reasons and examples: invalid-geometry.md.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

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
        let found: Vec<(FieldRef<'_>, Form)> = collection
            .fields()
            .filter_map(|at| {
                let form = Form::of(collection, profile, &at)?;
                Some((at, form))
            })
            .collect();
        let ids: Vec<FieldId> = found.iter().map(|(at, form)| form.looked_at(at)).collect();
        let mut seen: Vec<Seen> = found.iter().map(|_| Seen::default()).collect();
        collection.each_at_any(&ids, |which, document, place| {
            if let (Some((at, form)), Some(seen)) = (found.get(which), seen.get_mut(which))
                && let Some(verdict) = form.judge(profile, at, document, place)
            {
                seen.count(verdict);
            }
        });
        for ((at, form), seen) in found.iter().zip(seen) {
            let faulty = seen.faulty();
            let main = seen.faults.iter().max_by_key(|(fault, count)| (**count, std::cmp::Reverse(**fault)));
            let Some((main, _)) = main.filter(|_| form.is_believable(&seen, options)) else { continue };
            let kinds: Map<String, Value> =
                seen.faults.iter().map(|(fault, count)| (fault.name().to_owned(), (*count).into())).collect();
            findings
                .measured(Place::path(&collection.ns, form.place(profile, at)), seen.judged)
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

impl Seen {
    fn count(&mut self, verdict: Result<(), Fault>) {
        self.judged += 1;
        if let Err(fault) = verdict {
            *self.faults.entry(fault).or_default() += 1;
        }
    }

    fn faulty(&self) -> u64 {
        self.faults.values().sum()
    }

    fn is_mostly_good(&self, options: &Options) -> bool {
        options.positions * self.judged as f64 <= (self.judged - self.faulty()) as f64
    }

    fn is_all_swapped(&self) -> bool {
        self.faults.keys().all(|fault| *fault == Fault::Swapped)
    }
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

    /// Whose values are looked at: a latitude is judged with its longitude, at the object around both.
    fn looked_at(self, at: &FieldRef<'_>) -> FieldId {
        match self {
            Form::GeoJson | Form::Pair { .. } => at.id,
            Form::Latitude { .. } => at.field.parent,
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
            Form::GeoJson => geometry::judge(document, place),
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
    fn is_believable(self, seen: &Seen, options: &Options) -> bool {
        match self {
            Form::GeoJson | Form::Pair { indexed: true } => true,
            // By the name alone: only a swapped pair among good ones is more likely than another meaning.
            Form::Pair { indexed: false } => seen.is_mostly_good(options) && seen.is_all_swapped(),
            Form::Latitude { .. } => seen.is_mostly_good(options) || seen.is_all_swapped(),
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
