//! Spellings of one name that never stand in one object. Words, reasons and examples: similar-names.md.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::facts::spelling::{Difference, difference, folded};
use crate::finding::Remedy;
use crate::model::{Collection, Model};
use crate::profile::{CollectionProfile, Field, FieldId, FieldKind};
use crate::remedy::field;
use crate::rules::{Findings, Place};
use crate::value::event::{Document, Type};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Options {
    /// How alike the objects with one spelling and those with the other must be in their other fields, from 0 to 1.
    likeness: f64,
    /// How likely it may be that two names that differ by a letter or in number miss each other by chance.
    chance: f64,
    /// Names of one object up to which all pairs are compared.
    names: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options { likeness: 0.75, chance: 0.05, names: 500 }
    }
}

/// Two spellings below one object.
struct Pair<'a> {
    rare: &'a Field,
    rare_id: FieldId,
    common: &'a Field,
    common_id: FieldId,
    difference: Difference,
    seen: Seen,
}

/// What the sampled objects show of a pair.
#[derive(Default)]
struct Seen {
    both: u64,
    rare: u64,
    common: u64,
    /// The other names, with how many objects of each spelling have them.
    others: BTreeMap<String, (u64, u64)>,
}

/// Pairs below one object that are looked at; so many spellings at once are no slips.
const MAX_PAIRS: usize = 100;

pub(crate) fn check(model: &Model, options: &Options, findings: &mut Findings) {
    for (collection, profile) in model.with_documents() {
        let (parents, mut pairs): (Vec<FieldId>, Vec<Vec<Pair<'_>>>) = profile
            .fields()
            .map(|(parent, _)| (parent, pairs(profile, parent, options)))
            .filter(|(_, pairs)| !pairs.is_empty())
            .unzip();
        collection.each_at_any(&parents, |which, document, place| {
            for pair in pairs.get_mut(which).into_iter().flatten() {
                pair.see(document, place);
            }
        });
        let complete = collection.complete && collection.sampled() == profile.documents;
        for (parent, mut pairs) in parents.into_iter().zip(pairs) {
            pairs.retain(|pair| pair.is_one_name(options) && !is_explained(collection, parent, pair));
            for pair in best(pairs) {
                let objects = pair.seen.rare + pair.seen.common;
                let draft = findings
                    .measured(Place::path(&collection.ns, profile.path(pair.rare_id)), objects)
                    .text("other", profile.path(pair.common_id))
                    .number("times", pair.rare.count)
                    .number("otherTimes", pair.common.count)
                    .none_of(objects, complete)
                    .variant(match pair.difference {
                        Difference::Case => "case",
                        Difference::Plural => "plural",
                        Difference::Letter => "letter",
                    });
                if let Some(remedy) = remedy(collection, profile, &pair) {
                    draft.remedy(remedy);
                }
            }
        }
    }
}

/// The pairs below one object that are alike in spelling and not so frequent that they must meet.
fn pairs<'a>(profile: &'a CollectionProfile, parent: FieldId, options: &Options) -> Vec<Pair<'a>> {
    let named: Vec<(FieldId, &Field, String)> = profile
        .children(parent)
        .filter(|(_, f)| f.kind == FieldKind::Named && 0 < f.count)
        .map(|(id, f)| (id, f, folded(&f.name)))
        .collect();
    let objects = profile.field(parent).map_or(0, |f| f.count_of(Type::Object));
    if options.names < named.len() {
        return Vec::new();
    }
    let mut pairs = Vec::new();
    for (at, (a_id, a, a_folded)) in named.iter().enumerate() {
        for (b_id, b, b_folded) in named.iter().skip(at + 1) {
            if objects < occurrences(a) + occurrences(b) || MAX_PAIRS <= pairs.len() {
                continue;
            }
            let Some(difference) = difference(a_folded, b_folded) else { continue };
            let swap = b.count < a.count;
            let (rare_id, rare, common_id, common) = if swap { (*b_id, *b, *a_id, *a) } else { (*a_id, *a, *b_id, *b) };
            let chance = chance(objects, occurrences(common), occurrences(rare));
            let by_chance = difference != Difference::Case && options.chance < chance;
            if !by_chance && (difference == Difference::Case || share_a_type(a, b, difference)) {
                pairs.push(Pair { rare, rare_id, common, common_id, difference, seen: Seen::default() });
            }
        }
    }
    pairs
}

fn occurrences(field: &Field) -> u64 {
    field.count.saturating_sub(field.duplicates)
}

/// How likely two fields, strewn over the objects by chance, never meet.
fn chance(objects: u64, common: u64, rare: u64) -> f64 {
    let mut chance = 1.0;
    for nth in 0..rare {
        let (free, all) = (objects.saturating_sub(common + nth), objects.saturating_sub(nth));
        chance *= free as f64 / all.max(1) as f64;
        if chance < 1e-6 {
            break;
        }
    }
    chance
}

/// Whether both hold the same kind of value. A list may be the plural of a scalar.
fn share_a_type(a: &Field, b: &Field, difference: Difference) -> bool {
    let main = |field: &Field| field.types_found().into_iter().map(|(kind, _)| kind).find(|kind| *kind != Type::Null);
    match (main(a), main(b)) {
        (Some(a), Some(b)) => {
            a == b
                || (a.is_number() && b.is_number())
                || (difference == Difference::Plural && (a == Type::Array) != (b == Type::Array))
        }
        _ => true,
    }
}

impl Pair<'_> {
    fn see(&mut self, document: &Document<'_>, place: usize) {
        let has = |name: &str| document.children(place).any(|(_, e)| e.key == name);
        let (rare, common) = (has(&self.rare.name), has(&self.common.name));
        self.seen.both += u64::from(rare && common);
        self.seen.rare += u64::from(rare);
        self.seen.common += u64::from(common);
        if rare == common {
            return;
        }
        for (_, entry) in document.children(place) {
            if *entry.key == *self.rare.name || *entry.key == *self.common.name {
                continue;
            }
            let (with_rare, with_common) = self.seen.others.entry(entry.key.to_owned()).or_default();
            *with_rare += u64::from(rare);
            *with_common += u64::from(common);
        }
    }

    /// Whether the two never meet and stand in objects that are alike otherwise.
    fn is_one_name(&self, options: &Options) -> bool {
        let seen = &self.seen;
        if 0 < seen.both || seen.rare == 0 || seen.common == 0 {
            return false;
        }
        if seen.others.is_empty() {
            return self.difference == Difference::Case;
        }
        // Shares on one scale: each count times the number of objects of the other spelling.
        let (mut shared, mut all) = (0u64, 0u64);
        for (rare, common) in seen.others.values() {
            let (rare, common) = (rare * seen.common, common * seen.rare);
            shared += rare.min(common);
            all += rare.max(common);
        }
        options.likeness * all as f64 <= shared as f64
    }
}

/// Whether a field of the documents says which of the two names an object has: two variants, or two versions.
fn is_explained(collection: &Collection, parent: FieldId, pair: &Pair<'_>) -> bool {
    let explained = collection.explained_by(parent, &[pair.rare_id, pair.common_id], |document, place| {
        let mut names = document.children(place).map(|(_, e)| e.key);
        names.find(|name| **name == *pair.rare.name || **name == *pair.common.name).map(|name| {
            // The class is which of the two it is.
            u64::from(*name == *pair.rare.name)
        })
    });
    explained.is_some()
}

/// The script that brings the rare name to the common one.
fn remedy(collection: &Collection, profile: &CollectionProfile, pair: &Pair<'_>) -> Option<Remedy> {
    let (from, to) = (collection.field(pair.rare_id)?, collection.field(pair.common_id)?);
    if !field::is_reachable(profile, &from) || !field::is_reachable(profile, &to) {
        return None;
    }
    let (from_path, to_path) = (from.path.as_str(), to.path.as_str());
    match (from.has(Type::Array), to.has(Type::Array)) {
        (false, true) => Some(field::wrap(&collection.ns, from_path, to_path)),
        // Which of several values would be the one is not for a script to say.
        (true, false) => None,
        _ => Some(field::rename(&collection.ns, from_path, to_path)),
    }
}

/// One finding a name: against its most frequent other spelling.
fn best(pairs: Vec<Pair<'_>>) -> Vec<Pair<'_>> {
    let mut best: BTreeMap<FieldId, Pair<'_>> = BTreeMap::new();
    for pair in pairs {
        match best.get(&pair.rare_id) {
            Some(known) if pair.common.count <= known.common.count => {}
            _ => {
                best.insert(pair.rare_id, pair);
            }
        }
    }
    best.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_miss_each_other_by_chance() {
        assert!(chance(1000, 999, 1) < 0.01, "the one document that lacks the name has the other");
        assert!(0.5 < chance(1000, 20, 20), "rare fields seldom meet");
        assert!(chance(1000, 500, 500) < 1e-5);
        assert!((chance(0, 0, 0) - 1.0).abs() < f64::EPSILON);
    }
}
