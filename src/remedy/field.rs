//! Changes of single fields in place: another name, no empty values, numbers the right way round.

use super::{collection, mongosh};
use crate::catalogue::Namespace;
use crate::catalogue::index::script_string;
use crate::facts::Version;
use crate::facts::document::TS_SECOND;
use crate::finding::{Remedy, Safety};
use crate::model::FieldRef;
use crate::profile::CollectionProfile;

/// How two numbers that stand the wrong way round are stored.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Position<'a> {
    /// In a GeoJSON point at this path.
    Point(&'a str),
    /// As an array at this path.
    Pair(&'a str),
    /// In two fields.
    Fields {
        /// Path of the latitude.
        latitude: &'a str,
        /// Path of the longitude.
        longitude: &'a str,
    },
}

/// Whether an update reaches the field by its path: no array lies above it, and no name on the way has a dot, a dollar
/// sign in front, or is data.
pub(crate) fn is_reachable(profile: &CollectionProfile, at: &FieldRef<'_>) -> bool {
    let mut id = at.id;
    let mut names = 0;
    while let Some(field) = profile.field(id).filter(|field| field.parent != id) {
        if field.name.is_empty() || field.name.contains('.') || field.name.starts_with('$') {
            return false;
        }
        names += 1;
        id = field.parent;
    }
    names == at.path.as_str().split('.').count()
}

/// Gives a field another name in the documents that do not have one under it.
pub(crate) fn rename(ns: &Namespace, path: &str, to: &str) -> Remedy {
    let (from, to) = (script_string(path), script_string(to));
    let update = format!("{{$rename: {{{from}: {to}}}}}");
    update_many(ns, &format!("{{{from}: {{$exists: true}}, {to}: {{$exists: false}}}}"), &update)
}

/// Makes a list of one out of a value, under the name of the list.
pub(crate) fn wrap(ns: &Namespace, path: &str, list: &str) -> Remedy {
    let (from, to) = (script_string(path), script_string(list));
    let value = script_string(&format!("${path}"));
    let update = format!("[{{$set: {{{to}: [{value}]}}}}, {{$unset: {from}}}]");
    update_many(ns, &format!("{{{from}: {{$exists: true}}, {to}: {{$exists: false}}}}"), &update)
}

/// Takes fields away where they say nothing; the flag tells whether null says nothing either.
pub(crate) fn unset_empty<'a>(ns: &Namespace, fields: impl IntoIterator<Item = (&'a str, bool)>) -> Remedy {
    let mut script = String::new();
    for (path, with_null) in fields {
        let field = script_string(path);
        let nothing = if with_null { "$exists: true, $in: [\"\", {}, null]" } else { "$in: [\"\", {}]" };
        let one = update_many(ns, &format!("{{{field}: {{{nothing}}}}}"), &format!("{{$unset: {{{field}: \"\"}}}}"));
        script.push_str(&one.script);
    }
    mongosh(Safety::Review, script)
}

/// Takes a date away where it stands for none: on these days, or in these years.
pub(crate) fn unset_dates<'a>(ns: &Namespace, path: &str, days: impl IntoIterator<Item = &'a str>) -> Remedy {
    let field = script_string(path);
    let one = |day: &str| {
        if day.len() == 4 {
            format!(
                "{{{field}: {{$gte: ISODate(\"{day}-01-01T00:00:00Z\"), $lte: ISODate(\"{day}-12-31T23:59:59.999Z\")}}}}"
            )
        } else {
            format!("{{{field}: ISODate(\"{day}T00:00:00Z\")}}")
        }
    };
    let days: Vec<String> = days.into_iter().map(one).collect();
    update_many(ns, &format!("{{$or: [{}]}}", days.join(", ")), &format!("{{$unset: {{{field}: \"\"}}}}"))
}

/// Takes a field away where it holds a type.
pub(crate) fn unset_type(ns: &Namespace, path: &str, alias: &str) -> Remedy {
    let field = script_string(path);
    let update = format!("{{$unset: {{{field}: \"\"}}}}");
    update_many(ns, &format!("{{{field}: {{$type: {}}}}}", script_string(alias)), &update)
}

/// Makes dates of internal timestamps. None where the server does not know how.
pub(crate) fn dates_of_timestamps(ns: &Namespace, path: &str, server: Version) -> Option<Remedy> {
    let (field, value) = (script_string(path), script_string(&format!("${path}")));
    let update = format!("[{{$set: {{{field}: {{$toDate: {{$multiply: [1000, {{$tsSecond: {value}}}]}}}}}}}}]");
    (TS_SECOND <= server).then(|| update_many(ns, &format!("{{{field}: {{$type: \"timestamp\"}}}}"), &update))
}

/// Swaps latitude and longitude where the one that stands for the latitude can be none and the other can.
pub(crate) fn swap(ns: &Namespace, position: Position<'_>) -> Remedy {
    let conditions = |longitude: &str, latitude: &str| {
        let (longitude, latitude) = (script_string(longitude), script_string(latitude));
        format!(
            "{longitude}: {{$gte: -90, $lte: 90}}, \
             $or: [{{{latitude}: {{$gt: 90, $lte: 180}}}}, {{{latitude}: {{$lt: -90, $gte: -180}}}}]"
        )
    };
    let reverse = |array: &str| {
        let (field, value) = (script_string(array), script_string(&format!("${array}")));
        let size = format!("{field}: {{$size: 2}}, {}", conditions(&format!("{array}.0"), &format!("{array}.1")));
        (size, format!("[{{$set: {{{field}: {{$reverseArray: {value}}}}}}}]"))
    };
    match position {
        Position::Point(path) => {
            let (filter, update) = reverse(&format!("{path}.coordinates"));
            let kind = script_string(&format!("{path}.type"));
            update_many(ns, &format!("{{{kind}: \"Point\", {filter}}}"), &update)
        }
        Position::Pair(path) => {
            let (filter, update) = reverse(path);
            update_many(ns, &format!("{{{filter}}}"), &update)
        }
        Position::Fields { latitude, longitude } => {
            let value = |path: &str| script_string(&format!("${path}"));
            let (a, b) = (script_string(latitude), script_string(longitude));
            let update = format!("[{{$set: {{{a}: {}, {b}: {}}}}}]", value(longitude), value(latitude));
            update_many(ns, &format!("{{{}}}", conditions(longitude, latitude)), &update)
        }
    }
}

fn update_many(ns: &Namespace, filter: &str, update: &str) -> Remedy {
    mongosh(Safety::Review, format!("{}.updateMany(\n  {filter},\n  {update}\n);\n", collection(ns)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shop() -> Namespace {
        Namespace { database: Some("shop".to_owned()), collection: "orders".to_owned() }
    }

    fn update(remedy: &Remedy) -> &str {
        assert_eq!(remedy.safety, Safety::Review);
        remedy.script.strip_prefix("db.getSiblingDB(\"shop\").getCollection(\"orders\").updateMany(\n  ").unwrap()
    }

    #[test]
    fn a_field_gets_its_other_name_only_where_that_is_free() {
        assert_eq!(
            update(&rename(&shop(), "to.recievedBy", "to.receivedBy")),
            "{\"to.recievedBy\": {$exists: true}, \"to.receivedBy\": {$exists: false}},\n  \
             {$rename: {\"to.recievedBy\": \"to.receivedBy\"}}\n);\n"
        );
        assert_eq!(
            update(&wrap(&shop(), "tag", "tags")),
            "{\"tag\": {$exists: true}, \"tags\": {$exists: false}},\n  \
             [{$set: {\"tags\": [\"$tag\"]}}, {$unset: \"tag\"}]\n);\n"
        );
    }

    #[test]
    fn null_goes_only_where_it_says_nothing() {
        let script = unset_empty(&shop(), [("a.b", true), ("c", false)]).script;
        assert_eq!(script.matches("updateMany").count(), 2);
        assert!(script.contains("{\"a.b\": {$exists: true, $in: [\"\", {}, null]}}"));
        assert!(script.contains("{\"c\": {$in: [\"\", {}]}}"));
    }

    #[test]
    fn only_swapped_pairs_are_swapped() {
        let point = swap(&shop(), Position::Point("place"));
        assert_eq!(
            update(&point),
            "{\"place.type\": \"Point\", \"place.coordinates\": {$size: 2}, \
             \"place.coordinates.0\": {$gte: -90, $lte: 90}, \
             $or: [{\"place.coordinates.1\": {$gt: 90, $lte: 180}}, \
             {\"place.coordinates.1\": {$lt: -90, $gte: -180}}]},\n  \
             [{$set: {\"place.coordinates\": {$reverseArray: \"$place.coordinates\"}}}]\n);\n"
        );
        let fields = swap(&shop(), Position::Fields { latitude: "lat", longitude: "lng" });
        assert!(fields.script.contains("[{$set: {\"lat\": \"$lng\", \"lng\": \"$lat\"}}]"), "{}", fields.script);
    }

    #[test]
    fn dates_for_none_and_timestamps() {
        let script = unset_dates(&shop(), "until", ["1970-01-01", "9999"]).script;
        assert!(script.contains("{\"until\": ISODate(\"1970-01-01T00:00:00Z\")}"), "{script}");
        assert!(script.contains("$gte: ISODate(\"9999-01-01T00:00:00Z\")"), "{script}");
        assert!(dates_of_timestamps(&shop(), "at", Version::new(5, 0)).is_none());
        assert!(dates_of_timestamps(&shop(), "at", Version::new(5, 1)).is_some());
    }
}
