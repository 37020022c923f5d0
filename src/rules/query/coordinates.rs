//! Positions with latitude and longitude the wrong way round. Words, reasons and examples: coordinates.md.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Asked, DEEPEST, each_test, filters};
use crate::facts::geometry::{self, Fault};
use crate::facts::names;
use crate::finding::Severity;
use crate::model::{Collection, Model};
use crate::rules::{Findings, Place};
use crate::value::event::{Document, Item};
use crate::workload::{Operator, Origin, Term};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {}

/// Two numbers of a query, in their order.
struct Pair<'t> {
    first: &'t Term,
    second: &'t Term,
}

pub(crate) fn check(model: &Model, _: &Options, findings: &mut Findings) {
    for asked in filters(model).filter(Asked::is_written) {
        each_test(asked.filter, &mut |path, test, _| {
            let Operator::Other(operator) = &test.operator else { return };
            let is_geo = matches!(
                operator.as_str(),
                "$near" | "$nearSphere" | "$geoWithin" | "$geoIntersects" | "$geoNear" | "$within"
            );
            if is_geo {
                let place = asked.place(model).with_path(path);
                judge(&shapes(operator, &test.argument), place, asked.collection(model), path, findings);
            }
        });
    }
    for operation in model.workload.iter().filter(|operation| operation.runs.is_none()) {
        let head = operation.pipeline.as_ref().and_then(Term::elements).and_then(|stages| stages.first());
        if let Some(("$geoNear", argument)) = head.and_then(Term::only_member)
            && let Some(near) = argument.get("near")
        {
            let place = Place::operation(model, operation, None).with_stage(0);
            let path = argument.get("key").and_then(Term::as_str).unwrap_or_default();
            let collection = operation.ns.as_ref().and_then(|ns| model.collection(ns));
            let pairs = if near.members().is_some() { of_geometry(near) } else { pairs(near, DEEPEST) };
            judge(&pairs, place, collection, path, findings);
        }
    }
}

/// One finding a shape, the worst that its positions show.
fn judge(pairs: &[Pair<'_>], place: Place, collection: Option<&Collection>, path: &str, findings: &mut Findings) {
    let faults: Vec<Fault> = pairs.iter().filter_map(Pair::fault).collect();
    if faults.contains(&Fault::Swapped) {
        findings.certain(place).severity(Severity::Error).variant("swapped");
    } else if faults.contains(&Fault::OutOfRange) {
        findings.certain(place).severity(Severity::Error).variant("range");
    } else if pairs.iter().any(Pair::is_named_latitude_first) {
        findings.inferred(place, "names").variant("names");
    } else if let Some(collection) = collection
        && let Some(found) = Bounds::of(collection, path)
        && !pairs.is_empty()
        && pairs.iter().all(|pair| pair.numbers().is_some_and(|(first, second)| found.only_swapped(first, second)))
    {
        findings.measured(place, found.positions).variant("documents");
    }
}

/// The positions of the argument of an operator whose plane is the Earth.
fn shapes<'t>(operator: &str, argument: &'t Term) -> Vec<Pair<'t>> {
    if let Some(geometry) = argument.get("$geometry") {
        return of_geometry(geometry);
    }
    if let Some(circle) = argument.get("$centerSphere").and_then(Term::elements) {
        return circle.first().map(|centre| pairs(centre, DEEPEST)).unwrap_or_default();
    }
    // Other shapes, and `$near` with a bare pair, lie on a plane that may be any.
    if operator == "$nearSphere" { pairs(argument, DEEPEST) } else { Vec::new() }
}

fn of_geometry(geometry: &Term) -> Vec<Pair<'_>> {
    geometry.get("coordinates").map(|coordinates| pairs(coordinates, DEEPEST)).unwrap_or_default()
}

/// The positions in nested arrays.
fn pairs(term: &Term, depth: u32) -> Vec<Pair<'_>> {
    let (Some(elements), Some(depth)) = (term.elements(), depth.checked_sub(1)) else { return Vec::new() };
    match elements {
        [first, second, ..] if first.elements().is_none() => vec![Pair { first, second }],
        parts => parts.iter().flat_map(|part| pairs(part, depth)).collect(),
    }
}

impl Pair<'_> {
    fn numbers(&self) -> Option<(f64, f64)> {
        Some((self.first.as_scalar()?.as_f64()?, self.second.as_scalar()?.as_f64()?))
    }

    fn fault(&self) -> Option<Fault> {
        let (first, second) = self.numbers()?;
        geometry::judge_position(first, second).err()
    }

    /// Whether variables say so.
    fn is_named_latitude_first(&self) -> bool {
        let name = |term: &Term| match &term.as_hole()?.origin {
            Origin::Parameter { name } | Origin::Request { text: name } => Some(leaf(name).to_owned()),
            Origin::Result { path, .. } => Some(leaf(path).to_owned()),
            _ => None,
        };
        name(self.first).is_some_and(|name| names::is_latitude(&name))
            && name(self.second).is_some_and(|name| names::is_longitude(&name))
    }
}

fn leaf(path: &str) -> &str {
    path.rsplit(['.', '?']).next().unwrap_or(path)
}

/// Where the positions of a collection lie.
struct Bounds {
    longitude: (f64, f64),
    latitude: (f64, f64),
    positions: u64,
}

impl Bounds {
    /// The bounds of the points at a path, from the sample.
    fn of(collection: &Collection, path: &str) -> Option<Bounds> {
        let profile = collection.profile.as_ref()?;
        let ids = profile.resolve(path);
        let mut found: Option<Bounds> = None;
        collection.each_at_any(&ids, |_, document, place| {
            let Some((longitude, latitude)) = point(document, place) else { return };
            let bounds = found.get_or_insert(Bounds {
                longitude: (longitude, longitude),
                latitude: (latitude, latitude),
                positions: 0,
            });
            bounds.longitude = (bounds.longitude.0.min(longitude), bounds.longitude.1.max(longitude));
            bounds.latitude = (bounds.latitude.0.min(latitude), bounds.latitude.1.max(latitude));
            bounds.positions += 1;
        });
        found
    }

    /// Whether a position lies far from all of them, and among them the other way round.
    fn only_swapped(&self, first: f64, second: f64) -> bool {
        let within =
            |bounds: (f64, f64), value: f64, margin: f64| bounds.0 - margin <= value && value <= bounds.1 + margin;
        let near = |longitude: f64, latitude: f64, margin: f64| {
            within(self.longitude, longitude, margin) && within(self.latitude, latitude, margin)
        };
        !near(first, second, FAR) && near(second, first, CLOSE)
    }
}

/// Degrees beyond the documents that no query about them goes.
const FAR: f64 = 10.0;

/// Degrees beyond the documents that a query about them may go.
const CLOSE: f64 = 1.0;

/// A GeoJSON point, or a pair.
fn point(document: &Document<'_>, place: usize) -> Option<(f64, f64)> {
    let array = match document.entries.get(place)?.item {
        Item::Array { .. } => place,
        _ => document.children(place).find(|(_, entry)| entry.key == "coordinates")?.0,
    };
    let mut numbers = document.children(array).map(|(_, entry)| geometry::number(entry.item));
    Some((numbers.next()??, numbers.next()??))
}
