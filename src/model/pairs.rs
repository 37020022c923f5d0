//! Pairs of documents of which one refers to the other, and how many references find their target.
//!
//! What is told of presence rests on the values that were asked for, or on collections that were read whole: that a
//! value is not in a sample says nothing.

use std::collections::BTreeMap;

use super::{Collection, Model, Reference};
use crate::catalogue::Namespace;
use crate::facts::names;
use crate::order::Ordered;
use crate::profile::fetched::Answer;
use crate::profile::{Distinct, Field, Histogram, Kept, Sample, Shape};
use crate::value::event::{Document, Item, Type};
use crate::value::hash::{hash_key, hash_scalar, other_forms};
use crate::value::path::reach;
use crate::value::{Value, write};

/// The documents on both sides of a reference, as far as samples, fetched documents and whole collections hold them.
#[derive(Debug)]
pub struct Pairs<'m> {
    /// The collection that refers.
    pub child: &'m Collection,
    /// The field that refers.
    pub path: String,
    /// The collection that is referred to.
    pub parent: &'m Collection,
    /// The field of it that holds the same values: `_id`, or another unique key.
    pub target: String,
    targets: Targets<'m>,
}

/// A document and one that it refers to.
#[derive(Debug, Clone, Copy)]
pub struct Pair<'a> {
    /// The document that refers. Long strings and arrays are cut in it; arrays tell their true length.
    pub child: &'a Document<'a>,
    /// The place of the value that refers.
    pub value: usize,
    /// The document that is referred to.
    pub parent: &'a Document<'a>,
    /// True sizes of both as BSON, whatever was cut in them.
    pub bytes: Sizes,
    /// Whether the server takes the two values for equal; else they are forms of one id, and a join finds nothing.
    pub same_type: bool,
    /// Whether the child is of the sample; else it was fetched because of its parent, and no share may rest on it.
    pub sampled: bool,
}

/// Sizes of a pair as BSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sizes {
    /// Of the document that refers.
    pub child: u64,
    /// Of the document that is referred to.
    pub parent: u64,
}

/// How the references of the sampled children fared; array elements are references each.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// Documents that hold a reference of which it is known whether it finds its target.
    pub documents: u64,
    /// Of these, how many hold one that finds nothing in any form.
    pub orphans: u64,
    /// Of these, how many hold one whose target is there in another type only, so that a join never matches.
    pub mismatched: u64,
    /// References that find their target.
    pub found: u64,
    /// References whose target is there in another type only.
    pub other_type: u64,
    /// References that find nothing in any form; values that stand for none (`0`, `-1`, `""`) are no references.
    pub missing: u64,
    /// References of which nothing is known: they were not asked for.
    pub unknown: u64,
    /// Whether these are all references of the collection, and none is unknown.
    pub exact: bool,
}

/// The values that find nothing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Lost {
    /// Distinct values that find nothing in any form.
    pub values: u64,
    /// Of these, how many are keys of another collection.
    pub elsewhere: u64,
    /// Whether a field beside the reference tells them from those that are found: the kind of thing that it names.
    pub explained: bool,
}

/// How many children the sampled parents have.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Children {
    /// Children of each parent whose children all came.
    pub counts: Histogram,
    /// Parents with more children than came.
    pub more: u64,
}

impl Model {
    /// The pairs of a reference.
    pub fn pairs(&self, reference: &Reference) -> Option<Pairs<'_>> {
        self.pairs_between(&reference.from, reference.path.as_str(), &reference.to, reference.target.as_str())
    }

    /// The pairs of any two fields, such as those of a declared relationship.
    pub fn pairs_between(&self, from: &Namespace, path: &str, to: &Namespace, target: &str) -> Option<Pairs<'_>> {
        let (child, parent) = (self.collection(from)?, self.collection(to)?);
        let targets = Targets::of(parent, target);
        Some(Pairs { child, path: path.to_owned(), parent, target: target.to_owned(), targets })
    }
}

impl Pairs<'_> {
    /// Hands every pair to `read`: those of the sampled children first, in the order of the sample.
    pub fn each(&self, mut read: impl FnMut(&Pair<'_>)) {
        let held = self.held();
        let find = |key: u64| held.binary_search_by_key(&key, |(key, _)| *key).ok().and_then(|at| held.get(at));
        for (kept, sampled) in self.children_at_hand() {
            kept.with(|child| {
                for value in reach(child, &self.path) {
                    let Some(referring) = child.entries.get(value).and_then(|e| Referring::of(&e.item)) else {
                        continue;
                    };
                    let same = find(referring.key).map(|(_, kept)| (kept, true));
                    let other = || referring.others.iter().find_map(|o| find(o.key)).map(|(_, kept)| (kept, false));
                    let Some((parent, same_type)) = same.or_else(other) else { continue };
                    let bytes = Sizes { child: u64::from(kept.bytes()), parent: u64::from(parent.bytes()) };
                    parent.with(|parent| read(&Pair { child, value, parent, bytes, same_type, sampled }));
                }
            });
        }
    }

    /// Hands every sampled child whose reference finds nothing to `read`, with the place of the reference.
    pub fn each_lost(&self, mut read: impl FnMut(&Document<'_>, usize)) {
        for (_, kept) in samples(self.child) {
            kept.with(|child| {
                for at in reach(child, &self.path) {
                    let Some(value) = child.entries.get(at).and_then(|entry| Referring::of(&entry.item)) else {
                        continue;
                    };
                    if self.targets.presence(&value) == Presence::Missing && !value.stands_for_none() {
                        read(child, at);
                    }
                }
            });
        }
    }

    /// How the references of the sampled children fared.
    pub fn tally(&self) -> Tally {
        let mut tally = Tally::default();
        let mut none = 0;
        for (_, kept) in samples(self.child) {
            kept.with(|child| {
                let places = reach(child, &self.path);
                let values = places.into_iter().filter_map(|at| Referring::of(&child.entries.get(at)?.item));
                let (mut known, mut orphan, mut mismatch) = (false, false, false);
                for value in values {
                    let presence = self.targets.presence(&value);
                    if presence == Presence::Missing && value.stands_for_none() {
                        none += 1;
                        continue;
                    }
                    match presence {
                        Presence::Found => tally.found += 1,
                        Presence::OtherType => tally.other_type += 1,
                        Presence::Missing => tally.missing += 1,
                        Presence::Unknown => tally.unknown += 1,
                    }
                    known |= presence != Presence::Unknown;
                    orphan |= presence == Presence::Missing;
                    mismatch |= presence == Presence::OtherType;
                }
                tally.documents += u64::from(known);
                tally.orphans += u64::from(orphan);
                tally.mismatched += u64::from(mismatch);
            });
        }
        let looked_at = tally.found + tally.other_type + tally.missing + none;
        tally.exact =
            self.child.complete && self.parent.complete && tally.unknown == 0 && looked_at == self.references();
        tally
    }

    /// The values of the sampled children that find nothing, and what else may be said of them.
    pub fn lost(&self, model: &Model) -> Lost {
        const MOST_KINDS: usize = 20;
        let (holder, leaf) = self.path.rsplit_once('.').map_or(("", self.path.as_str()), |split| split);
        let mut lost: BTreeMap<u64, u64> = BTreeMap::new();
        // By name and value of a field that tells kinds: how many references are found, and how many are not.
        let mut kinds: BTreeMap<(String, u64), (u64, u64)> = BTreeMap::new();
        for (_, kept) in samples(self.child) {
            kept.with(|child| {
                let holders = if holder.is_empty() { vec![0] } else { reach(child, holder) };
                for holder in holders {
                    let (mut found, mut missing) = (0, 0);
                    for at in child.children(holder).filter(|(_, e)| e.key == leaf).map(|(at, _)| at) {
                        let is_list = matches!(child.entries.get(at).map(|e| e.item), Some(Item::Array { .. }));
                        let places: Vec<usize> =
                            if is_list { child.children(at).map(|(at, _)| at).collect() } else { vec![at] };
                        for value in places.into_iter().filter_map(|at| Referring::of(&child.entries.get(at)?.item)) {
                            match self.targets.presence(&value) {
                                Presence::Found | Presence::OtherType => found += 1,
                                Presence::Missing if !value.stands_for_none() => {
                                    missing += 1;
                                    lost.insert(value.key, value.hash);
                                }
                                _ => {}
                            }
                        }
                    }
                    for (_, entry) in child.children(holder) {
                        let Item::String(kind) = entry.item else { continue };
                        if kind.len() <= MAX_KEY && entry.key != leaf && names::is_kind(entry.key) {
                            let counts = kinds.entry((entry.key.to_owned(), hash_key(&entry.item))).or_default();
                            counts.0 += found;
                            counts.1 += missing;
                        }
                    }
                }
            });
        }
        let mut by_name: BTreeMap<&str, Vec<(u64, u64)>> = BTreeMap::new();
        for ((name, _), counts) in &kinds {
            by_name.entry(name).or_default().push(*counts);
        }
        let explained = by_name.values().any(|counts| {
            counts.len() <= MOST_KINDS
                && counts.iter().all(|(found, missing)| *found == 0 || *missing == 0)
                && counts.iter().any(|(found, _)| 0 < *found)
                && counts.iter().any(|(_, missing)| 0 < *missing)
        });
        let others: Vec<&Distinct> = model
            .collections
            .iter()
            .filter(|other| other.ns != self.parent.ns)
            .flat_map(|other| fields(other, "_id").filter_map(|field| field.distinct.as_deref()))
            .collect();
        let elsewhere = lost.values().filter(|hash| others.iter().any(|ids| ids.contains(**hash))).count() as u64;
        Lost { values: lost.len() as u64, elsewhere, explained }
    }

    /// How many children the sampled parents have, where the children were asked for by the values of the parents.
    pub fn children(&self) -> Children {
        let mut children = Children::default();
        let Some(asked) = self.child.fetched.answers(&self.path) else { return children };
        for (_, kept) in samples(self.parent) {
            let values = kept.with(|parent| {
                let places = reach(parent, &self.target);
                places.into_iter().filter_map(|at| Referring::of(&parent.entries.get(at)?.item)).collect::<Vec<_>>()
            });
            for value in values.unwrap_or_default() {
                let answers: Vec<&Answer> = value.forms().filter_map(|key| asked.get(&key)).collect();
                if answers.iter().any(|answer| !answer.whole) {
                    children.more += u64::from(answers.iter().any(|answer| 0 < answer.documents));
                } else if !answers.is_empty() {
                    children.counts.add(answers.iter().map(|answer| u64::from(answer.documents)).sum());
                }
            }
        }
        children
    }

    /// The references of all documents read.
    fn references(&self) -> u64 {
        fields(self.child, &self.path).map(|f| KEY_TYPES.iter().map(|kind| f.count_of(*kind)).sum::<u64>()).sum()
    }

    /// The children at hand, and whether each is of the sample.
    fn children_at_hand(&self) -> impl Iterator<Item = (&Kept, bool)> {
        let sample = self.child.profile.as_ref().map(|profile| &profile.sample);
        let fetched = self.child.fetched.documents().iter();
        let fetched = fetched.filter(move |(hash, _)| !sample.is_some_and(|sample| sample.holds(*hash)));
        samples(self.child).map(|(_, kept)| (kept, true)).chain(fetched.map(|(_, kept)| (kept, false)))
    }

    /// The parents at hand by the keys of their values, sorted; one document for each key.
    fn held(&self) -> Vec<(u64, &Kept)> {
        let mut held = Vec::new();
        for (_, kept) in samples(self.parent).chain(self.parent.fetched.documents().iter()) {
            kept.with(|parent| {
                let places = reach(parent, &self.target).into_iter();
                let values = places.filter_map(|at| parent.entries.get(at)).filter(|e| is_key(&e.item));
                held.extend(values.map(|entry| (hash_key(&entry.item), kept)));
            });
        }
        // The sort is stable: of a document that was both sampled and fetched the sampled state stays.
        held.order_by_key(|(key, _)| *key);
        held.dedup_by_key(|(key, _)| *key);
        held
    }
}

fn samples(collection: &Collection) -> impl Iterator<Item = (u64, &Kept)> {
    collection.profile.iter().map(|profile| &profile.sample).flat_map(Sample::iter)
}

/// The types of values that refer.
const KEY_TYPES: [Type; 6] = [Type::ObjectId, Type::BinData, Type::String, Type::Int, Type::Long, Type::Double];
/// Bytes of the longest text and the longest binary that refer; what the sample cuts is longer.
const MAX_KEY: usize = 256;

fn is_key(item: &Item<'_>) -> bool {
    match item {
        Item::ObjectId(_) | Item::Int(_) | Item::Long(_) => true,
        Item::String(text) => !text.is_empty() && text.len() <= MAX_KEY,
        Item::BinData { data, .. } => !data.is_empty() && data.len() <= MAX_KEY,
        Item::Double(value) => value.is_finite() && value.trunc() == *value,
        _ => false,
    }
}

/// The types that the server compares with each other, by one of them.
pub(super) fn class(kind: Type) -> Type {
    if kind.is_number() { Type::Double } else { kind }
}

/// The classes of the values that a path holds.
pub(super) fn classes(collection: &Collection, path: &str) -> Vec<Type> {
    classes_of(fields(collection, path))
}

/// The fields of a path, the elements of an array at its end included.
pub(super) fn fields<'m>(collection: &'m Collection, path: &str) -> impl Iterator<Item = &'m Field> + use<'m> {
    let profile = collection.profile.as_ref();
    let at = profile.map(|profile| profile.resolve(path)).unwrap_or_default();
    let with_elements = at.into_iter().flat_map(move |id| {
        let elements = profile.and_then(|p| p.elements(id)).map(|(_, field)| field);
        [profile.and_then(|p| p.field(id)), elements]
    });
    with_elements.flatten()
}

/// The classes in which the values of a field may be stored elsewhere: its own, and what its texts spell.
pub(super) fn forms(field: &Field) -> Vec<Type> {
    let spelled = [(Shape::ObjectId, Type::ObjectId), (Shape::Uuid, Type::BinData), (Shape::Number, Type::Double)];
    let mut forms = classes_of(std::iter::once(field));
    forms.extend(spelled.into_iter().filter(|(shape, _)| 0 < field.shape_count(*shape)).map(|(_, class)| class));
    forms
}

/// The classes of the values that refer in some fields.
pub(super) fn classes_of<'f>(fields: impl Iterator<Item = &'f Field>) -> Vec<Type> {
    let of = |field: &'f Field| KEY_TYPES.into_iter().filter(|kind| 0 < field.count_of(*kind)).map(class);
    let mut classes: Vec<Type> = fields.flat_map(of).collect();
    classes.order();
    classes.dedup();
    classes
}

/// A value that may refer, as it is compared.
#[derive(Debug, Clone)]
pub(super) struct Referring {
    pub(super) key: u64,
    pub(super) value: Value,
    pub(super) class: Type,
    pub(super) others: Vec<OtherForm>,
    hash: u64,
}

/// Another form of the same id or number.
#[derive(Debug, Clone)]
pub(super) struct OtherForm {
    pub(super) key: u64,
    pub(super) value: Value,
    pub(super) class: Type,
    pub(super) hash: u64,
}

impl Referring {
    pub(super) fn of(item: &Item<'_>) -> Option<Referring> {
        if !is_key(item) {
            return None;
        }
        let others = other_forms(item).into_iter().map(|value| {
            let (key, hash) = with_item(&value, |item| (hash_key(item), hash_scalar(item)));
            OtherForm { key, hash, class: class(value.bson_type()), value }
        });
        Some(Referring {
            key: hash_key(item),
            hash: hash_scalar(item),
            class: class(item.bson_type()),
            value: Value::scalar(*item),
            others: others.collect(),
        })
    }

    /// Whether the value is one that programs write where there is nothing to refer to.
    fn stands_for_none(&self) -> bool {
        match &self.value {
            Value::ObjectId(id) => id.iter().all(|byte| *byte == 0),
            Value::BinData(_, data) => data.iter().all(|byte| *byte == 0),
            Value::Int(value) => matches!(value, 0 | -1),
            Value::Long(value) => matches!(value, 0 | -1),
            Value::Double(value) => *value == 0.0 || *value == -1.0,
            Value::String(text) => {
                let text = text.trim();
                let zeros = !text.is_empty() && text.chars().all(|letter| matches!(letter, '0' | '-'));
                zeros
                    || ["", "-1", "n/a", "na", "none", "null", "undefined", "ninguno"]
                        .iter()
                        .any(|none| text.eq_ignore_ascii_case(none))
            }
            _ => false,
        }
    }

    /// The keys of all its forms.
    fn forms(&self) -> impl Iterator<Item = u64> {
        std::iter::once(self.key).chain(self.others.iter().map(|o| o.key))
    }
}

/// The distinct values of a path in the sampled documents, in the order of the sample.
pub(super) fn referring(collection: &Collection, path: &str, most: usize) -> Vec<Referring> {
    let mut seen = std::collections::BTreeSet::new();
    let mut out = Vec::new();
    for (_, kept) in samples(collection) {
        if most <= out.len() {
            break;
        }
        kept.with(|document| {
            for at in reach(document, path) {
                let Some(item) = document.entries.get(at).map(|e| e.item).filter(is_key) else { continue };
                if out.len() < most && seen.insert(hash_key(&item)) {
                    out.extend(Referring::of(&item));
                }
            }
        });
    }
    out
}

/// The value as an item; those that refer are scalars.
fn with_item<R>(value: &Value, read: impl FnOnce(&Item<'_>) -> R) -> R {
    read(&match value {
        Value::ObjectId(id) => Item::ObjectId(*id),
        Value::String(text) => Item::String(text),
        Value::BinData(subtype, data) => Item::BinData { subtype: *subtype, data },
        Value::Int(value) => Item::Int(*value),
        Value::Long(value) => Item::Long(*value),
        Value::Double(value) => Item::Double(*value),
        _ => Item::Null,
    })
}

/// Whether a reference finds its target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Presence {
    Found,
    /// In another form of the same id or number only.
    OtherType,
    Missing,
    Unknown,
}

/// What is known of the values of a field: which are there, which are not.
#[derive(Debug)]
pub(super) struct Targets<'m> {
    asked: Option<&'m BTreeMap<u64, Answer>>,
    /// The hashes of all values, of a collection that was read whole, and up to which hash they are kept.
    all: Option<(&'m Distinct, u64)>,
    classes: Vec<Type>,
}

impl<'m> Targets<'m> {
    pub(super) fn of(collection: &'m Collection, path: &str) -> Targets<'m> {
        let mut values = fields(collection, path).filter_map(|field| field.distinct.as_deref());
        let all = match (values.next().filter(|_| collection.complete), values.next()) {
            (Some(distinct), None) => Some((distinct, distinct.kept_below())),
            _ => None,
        };
        Targets { asked: collection.fetched.answers(path), all, classes: classes(collection, path) }
    }

    pub(super) fn presence(&self, value: &Referring) -> Presence {
        if let Some((distinct, below)) = self.all
            && value.hash <= below
        {
            let there = |hash: u64| hash <= below && distinct.contains(hash);
            if there(value.hash) {
                return if self.classes.contains(&value.class) { Presence::Found } else { Presence::OtherType };
            }
            if value.others.iter().any(|o| there(o.hash)) {
                return Presence::OtherType;
            }
            if value.others.iter().all(|o| o.hash <= below || !self.classes.contains(&o.class)) {
                return Presence::Missing;
            }
        }
        let Some(asked) = self.asked else { return Presence::Unknown };
        let there = |key: u64| asked.get(&key).is_some_and(|answer| 0 < answer.documents);
        let gone = |key: u64| asked.get(&key).is_some_and(|answer| answer.whole && answer.documents == 0);
        if there(value.key) {
            Presence::Found
        } else if value.others.iter().any(|o| there(o.key)) {
            Presence::OtherType
        } else if gone(value.key) && value.others.iter().all(|o| gone(o.key) || !self.classes.contains(&o.class)) {
            Presence::Missing
        } else {
            Presence::Unknown
        }
    }
}

/// A value as canonical Extended JSON.
pub(super) fn as_json(value: &Value) -> serde_json::Value {
    // What our own writer makes is JSON.
    serde_json::from_str(&write::canonical(value)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::Known;
    use super::*;
    use crate::config::Intent;
    use crate::evidence::pairs::{Asked, Reply};
    use crate::facts::Version;
    use crate::profile::{CollectionProfile, Fetched};

    fn each_document(json: &[String], mut read: impl FnMut(&Document<'_>)) {
        for json in json {
            let arena = bumpalo::Bump::new();
            let mut entries = Vec::new();
            let (_, form) = crate::value::ejson::decode(json.as_bytes(), &arena, &mut entries).expect("valid JSON");
            read(&Document { entries: &entries, fidelity: form.fidelity(false) });
        }
    }

    fn sampled(json: &[String]) -> Known {
        let mut profile = CollectionProfile::default();
        each_document(json, |document| profile.add(document));
        profile.conclude();
        Known { profile: Some(Arc::new(profile)), ..Known::default() }
    }

    /// What comes of asking for values of a path, when these documents come back.
    fn fetched(path: &str, values: &[String], json: &[String], whole: bool) -> Fetched {
        let filter = format!("{{\"{path}\": {{\"$in\": [{}]}}}}", values.join(","));
        let filter = serde_json::from_str(&filter).expect("valid JSON");
        let mut asked = Asked::new(&Reply { filter, limit: 1_000, whole });
        let mut fetched = Fetched::default();
        each_document(json, |document| {
            asked.count(document);
            fetched.add(document);
        });
        let (path, answers) = asked.answers(true);
        fetched.answer(&path, answers);
        fetched
    }

    fn model(orders: Known, customers: Known) -> Model {
        let known = [("orders", orders), ("customers", customers)].map(|(name, k)| (Namespace::new("shop", name), k));
        Model::new(known.into(), BTreeMap::new(), Version::DEFAULT, None, Intent::default())
    }

    fn pairs(model: &Model) -> Pairs<'_> {
        let [from, to] = ["orders", "customers"].map(|name| Namespace::new("shop", name));
        model.pairs_between(&from, "customer", &to, "_id").expect("both are there")
    }

    fn id(number: u32) -> String {
        format!("{{\"$oid\": \"65f00000000000000000{number:04x}\"}}")
    }

    fn order(number: u32, customer: &str) -> String {
        format!("{{\"_id\": {number}, \"customer\": {customer}, \"name\": \"copied {number}\"}}")
    }

    fn customer(id: &str) -> String {
        format!("{{\"_id\": {id}, \"name\": \"own\"}}")
    }

    #[test]
    fn what_was_not_asked_for_is_unknown_and_what_did_not_come_is_missing() {
        let text = "\"65f000000000000000000003\"".to_owned();
        let orders =
            sampled(&[order(1, &id(1)), order(2, &id(2)), order(3, &text), order(4, &id(4)), order(5, "null")]);
        // The sample of the parents knows the fourth by chance: of that nothing follows for the share.
        let mut customers = sampled(&[customer(&id(4)), customer(&id(900))]);
        customers.fetched = fetched("_id", &[id(1), id(2), text, id(3)], &[customer(&id(1)), customer(&id(3))], true);
        let model = model(orders, customers);
        let tally = pairs(&model).tally();
        assert_eq!((tally.found, tally.other_type, tally.missing, tally.unknown), (1, 1, 1, 1));
        assert_eq!((tally.documents, tally.orphans, tally.mismatched, tally.exact), (3, 1, 1, false));
    }

    #[test]
    fn a_reply_that_was_cut_leaves_what_did_not_come_unknown() {
        let orders = sampled(&[order(1, &id(1)), order(2, &id(2))]);
        let mut customers = sampled(&[customer(&id(900))]);
        customers.fetched = fetched("_id", &[id(1), id(2)], &[customer(&id(1))], false);
        let tally = pairs(&model(orders, customers)).tally();
        assert_eq!((tally.found, tally.missing, tally.unknown), (1, 0, 1));
    }

    #[test]
    fn whole_collections_need_no_asking() {
        let mut orders = sampled(&[order(1, &id(1)), order(2, &id(2)), order(3, &format!("[{}, {}]", id(1), id(3)))]);
        let mut customers = sampled(&[customer(&id(1)), customer(&id(2))]);
        (orders.complete, customers.complete) = (true, true);
        let tally = pairs(&model(orders, customers)).tally();
        assert_eq!((tally.found, tally.missing, tally.orphans, tally.exact), (3, 1, 1, true));
    }

    #[test]
    fn pairs_come_from_samples_and_from_what_was_fetched() {
        let mut orders = sampled(&[order(1, &id(1)), order(2, &id(2)), order(3, "\"65f000000000000000000003\"")]);
        let mut customers = sampled(&[customer(&id(2))]);
        customers.fetched = fetched("_id", &[id(1), id(3)], &[customer(&id(1)), customer(&id(3))], true);
        // The second order was sampled too: it is one document.
        orders.fetched = fetched("customer", &[id(2)], &[order(2, &id(2)), order(7, &id(2))], true);
        let model = model(orders, customers);
        let mut found = Vec::new();
        pairs(&model).each(|pair| {
            let Some(Item::String(name)) = pair.child.get("name") else { panic!("every order has a name") };
            assert!(matches!(pair.parent.get("name"), Some(Item::String("own"))));
            assert!(pair.child.entries.get(pair.value).is_some_and(|entry| entry.key == "customer"));
            found.push((name.to_owned(), pair.sampled, pair.same_type));
        });
        found.sort();
        let expected = [(1, true, true), (2, true, true), (3, true, false), (7, false, true)];
        assert_eq!(found, expected.map(|(number, sampled, same)| (format!("copied {number}"), sampled, same)));
        assert_eq!(model.references.len(), 1, "{:?}", model.references);
    }

    #[test]
    fn children_are_counted_by_parent() {
        let parents: Vec<String> = (1..=4).map(|number| customer(&id(number))).collect();
        let mut orders = sampled(&[order(1, &id(1))]);
        let children: Vec<String> = (0..5).map(|number| order(10 + number, &id(1 + number / 4))).collect();
        orders.fetched = fetched("customer", &[id(1), id(2), id(3)], &children, true);
        orders.fetched.merge(fetched("customer", &[id(4)], &[order(20, &id(4))], false));
        let model = model(orders, sampled(&parents));
        let children = pairs(&model).children();
        assert_eq!(
            (children.counts.count(), children.counts.sum(), children.counts.max(), children.more),
            (3, 5, 4, 1)
        );
    }
}
