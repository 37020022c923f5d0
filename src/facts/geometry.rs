//! What the server takes for a geometry (manual: reference/geojson, core/indexes/index-types/geospatial/2dsphere).

use serde::{Deserialize, Serialize};

use crate::value::event::{Document, Item};
use crate::value::number::Number;

/// Why a geospatial index refuses a geometry, the most telling fault first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Fault {
    /// The second number is no latitude, but the two would be a position the other way round.
    Swapped,
    /// A longitude beyond ±180 or a latitude beyond ±90.
    OutOfRange,
    /// A ring of a polygon that does not end where it starts.
    Unclosed,
    /// Too few numbers or positions, or values that are no numbers.
    Malformed,
}

impl Fault {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Fault::Swapped => "swapped",
            Fault::OutOfRange => "range",
            Fault::Unclosed => "unclosed",
            Fault::Malformed => "malformed",
        }
    }
}

/// The types of GeoJSON and how many arrays their positions lie in.
const TYPES: &[(&str, u32)] =
    &[("Point", 0), ("MultiPoint", 1), ("LineString", 1), ("MultiLineString", 2), ("Polygon", 2), ("MultiPolygon", 3)];

/// The type that holds geometries instead of coordinates.
const COLLECTION: &str = "GeometryCollection";

/// Positions of a closed ring: three corners and the first one again.
const RING: usize = 4;

/// Judges the object at `place` if it is GeoJSON.
pub fn judge(document: &Document<'_>, place: usize) -> Option<Result<(), Fault>> {
    let field = |name: &str| document.children(place).find(|(_, e)| e.key == name);
    let Item::String(kind) = field("type")?.1.item else { return None };
    if kind == COLLECTION {
        let (at, _) = field("geometries")?;
        // The parts cannot be collections again: the server takes no nested ones.
        let parts = document.children(at).filter_map(|(part, _)| judge_coordinates(document, part));
        return Some(parts.collect());
    }
    judge_coordinates(document, place)
}

fn judge_coordinates(document: &Document<'_>, place: usize) -> Option<Result<(), Fault>> {
    let field = |name: &str| document.children(place).find(|(_, e)| e.key == name);
    let Item::String(kind) = field("type")?.1.item else { return None };
    let (_, depth) = TYPES.iter().find(|(name, _)| *name == kind)?;
    let (at, coordinates) = field("coordinates")?;
    Some(match coordinates.item {
        Item::Array { .. } => judge_array(document, at, *depth, kind.ends_with("Polygon"), kind == "LineString"),
        Item::Null | Item::Undefined => return None,
        _ => Err(Fault::Malformed),
    })
}

/// `depth` arrays of positions below this one; at most three.
fn judge_array(document: &Document<'_>, at: usize, depth: u32, rings: bool, line: bool) -> Result<(), Fault> {
    if depth == 0 {
        return judge_pair(document, at).unwrap_or(Err(Fault::Malformed));
    }
    let parts: Vec<usize> = document.children(at).map(|(part, _)| part).collect();
    // In a sample long arrays are cut: their ends are unknown, their length is not.
    let Some(Item::Array { len, .. }) = document.entries.get(at).map(|e| e.item) else {
        return Err(Fault::Malformed);
    };
    let least = match (depth, rings, line) {
        (1, true, _) => RING,
        (1, false, true) => 2,
        _ => 1,
    };
    if (len as usize) < least {
        return Err(Fault::Malformed);
    }
    for part in &parts {
        judge_array(document, *part, depth - 1, rings, line)?;
    }
    let whole = parts.len() == len as usize;
    if depth == 1
        && rings
        && whole
        && let (Some(first), Some(last)) = (parts.first(), parts.last())
        && position(document, *first) != position(document, *last)
    {
        return Err(Fault::Unclosed);
    }
    Ok(())
}

/// Judges an array as one position; none where it is no array.
pub fn judge_pair(document: &Document<'_>, at: usize) -> Option<Result<(), Fault>> {
    let Some(Item::Array { .. }) = document.entries.get(at).map(|e| e.item) else { return None };
    let Some((longitude, latitude)) = position(document, at) else { return Some(Err(Fault::Malformed)) };
    Some(judge_position(longitude, latitude))
}

/// Judges two numbers as a position.
pub fn judge_position(longitude: f64, latitude: f64) -> Result<(), Fault> {
    let valid = |longitude: f64, latitude: f64| longitude.abs() <= 180.0 && latitude.abs() <= 90.0;
    if longitude.is_nan() || latitude.is_nan() {
        Err(Fault::Malformed)
    } else if valid(longitude, latitude) {
        Ok(())
    } else if valid(latitude, longitude) {
        Err(Fault::Swapped)
    } else {
        Err(Fault::OutOfRange)
    }
}

fn position(document: &Document<'_>, at: usize) -> Option<(f64, f64)> {
    let mut numbers = document.children(at).map(|(_, e)| number(e.item));
    Some((numbers.next()??, numbers.next()??))
}

/// The value as a floating-point number, if it is a number.
pub fn number(item: Item<'_>) -> Option<f64> {
    match item {
        Item::Double(value) => Some(value),
        Item::Int(value) => Some(f64::from(value)),
        Item::Long(value) => Some(value as f64),
        Item::Decimal(bytes) => match Number::from_decimal(bytes) {
            Number::Finite { negative, coefficient, exponent } => {
                let sign = if negative { "-" } else { "" };
                format!("{sign}{coefficient}e{exponent}").parse().ok()
            }
            _ => Some(f64::NAN),
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions() {
        assert_eq!(judge_position(139.7, 35.6), Ok(()));
        assert_eq!(judge_position(35.6, 139.7), Err(Fault::Swapped));
        assert_eq!(judge_position(200.0, 10.0), Err(Fault::OutOfRange));
        assert_eq!(judge_position(120.0, 95.0), Err(Fault::OutOfRange));
        assert_eq!(judge_position(f64::NAN, 0.0), Err(Fault::Malformed));
        assert_eq!(judge_position(-180.0, -90.0), Ok(()));
    }
}
