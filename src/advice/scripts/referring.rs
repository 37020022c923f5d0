//! The scripts of decisions about documents that refer to each other.

use serde_json::{Map, Value};

use super::{HEADROOM, Words, array, create, round};
use crate::advice::family::Holder;
use crate::advice::names::copy_beside;
use crate::advice::reference::Case;
use crate::advice::relationship::Decision;
use crate::catalogue::{IndexKind, Namespace};
use crate::finding::{Safety, Script};
use crate::locale::Lang;
use crate::model::Collection;
use crate::remedy::demand::{self, Demand};
use crate::remedy::migration::{Associated, ExtendedReference, Listed, Reversed, Step, Together};

/// Names for the place of a child in a list, which the way back needs.
const PLACES: &[&str] = &["place", "placeInList", "mongovetPlace"];
/// Other names that are tried for a copy whose name is taken.
const ATTEMPTS: usize = 8;

/// The scripts of a decision about a reference.
pub(in crate::advice) fn of_reference(
    case: &Case<'_>,
    decision: Decision,
    told: &Map<String, Value>,
    lang: Lang,
) -> Vec<Script> {
    let words = Words { told, lang };
    let scripts = match (decision, case.holder, case.link) {
        (Decision::Embed, Holder::Child, _) if !case.relation.many => together(case, &words),
        (Decision::ExtendedReference, Holder::Child, _) => extended(case, &words),
        (Decision::ChildReferences, Holder::Child, Some(_)) => listed(case, &words),
        (Decision::ParentReference, Holder::Parent, _) => reversed(case, &words),
        (Decision::Association, Holder::Parent, _) => associated(case, &words),
        _ => None,
    };
    scripts.unwrap_or_default()
}

fn together(case: &Case<'_>, words: &Words<'_>) -> Option<Vec<Script>> {
    let relation = case.relation;
    let names = &case.names;
    let (path, target) = (relation.path.as_str(), relation.target.as_str());
    let mut plan = Together::new(&relation.to, &names.list, target, &relation.from, path)?;
    plan.one = names.one;
    plan.before = case.children.map(|children| before(children, path)).unwrap_or_default();
    let mut scripts = steps(|step| plan.script(step, &words.fill(Together::words(step, words.lang))));
    let demand = if names.one {
        Demand { path: names.list.clone(), required: false, types: vec!["object"], max_items: None }
    } else {
        let most = words.told.get("max").and_then(Value::as_u64).unwrap_or_default();
        Demand { max_items: Some(round(most.saturating_mul(HEADROOM))), ..array(&names.list, false) }
    };
    scripts.push(validator(&relation.to, case.parents, demand, words));
    Some(scripts)
}

fn extended(case: &Case<'_>, words: &Words<'_>) -> Option<Vec<Script>> {
    let relation = case.relation;
    let path = relation.path.as_str();
    let holders = case.children;
    let within = holders.into_iter().flat_map(Collection::arrays).filter_map(|array| {
        let inside = path.strip_prefix(array.path.as_str())?.strip_prefix('.')?;
        Some((array.path.as_str(), inside))
    });
    // The innermost array; one within another has no single place for its copies.
    let arrays: Vec<_> = within.collect();
    let (array, reference) = match arrays.as_slice() {
        [] if relation.many => return None,
        [] => (None, path),
        [(array, inside)] => (Some(*array), *inside),
        _ => return None,
    };
    let mut taken = Vec::new();
    let mut fields = Vec::new();
    for source in &case.shown {
        let copy = (0..ATTEMPTS).find_map(|_| {
            let copy = copy_beside(path, source, &taken);
            let leaf = copy.rsplit('.').next().unwrap_or(&copy).to_owned();
            taken.push(leaf.clone());
            let profile = holders.and_then(|c| c.profile.as_ref());
            profile.is_none_or(|profile| profile.resolve(&copy).is_empty()).then_some(leaf)
        })?;
        fields.push((source.clone(), copy));
    }
    let target = relation.target.as_str();
    let plan = ExtendedReference::new(&relation.from, array, reference, &relation.to, target, &fields)?;
    let mut scripts = steps(|step| plan.script(step, &words.fill(ExtendedReference::words(step, words.lang))));
    scripts.push(indexes(&relation.from, &[&[path]], false, words));
    Some(scripts)
}

fn listed(case: &Case<'_>, words: &Words<'_>) -> Option<Vec<Script>> {
    let relation = case.relation;
    let other = case.link?;
    let names = &case.names;
    if relation.target.as_str() != "_id" {
        return None;
    }
    let sides = [relation.path.as_str(), other.path.as_str()];
    let plan = Listed::new(&relation.to, &names.child_ids, &relation.from, sides)?;
    let mut scripts = steps(|step| plan.script(step, &words.fill(Listed::words(step, words.lang))));
    let most = words.told.get("max").and_then(Value::as_u64).unwrap_or_default();
    let demand = Demand { max_items: Some(round(most.saturating_mul(HEADROOM))), ..array(&names.child_ids, false) };
    scripts.push(validator(&relation.to, case.parents, demand, words));
    scripts.push(indexes(&relation.to, &[&[&names.child_ids]], false, words));
    Some(scripts)
}

fn reversed(case: &Case<'_>, words: &Words<'_>) -> Option<Vec<Script>> {
    let relation = case.relation;
    if relation.target.as_str() != "_id" {
        return None;
    }
    let parent_id = &case.names.parent_id;
    let place = place(case.children)?;
    let plan = Reversed::new(&relation.from, relation.path.as_str(), &relation.to, parent_id, place)?;
    let mut scripts = steps(|step| plan.script(step, &words.fill(Reversed::words(step, words.lang))));
    scripts.push(emptied(case, words));
    scripts.push(indexes(&relation.to, &[&[parent_id]], false, words));
    Some(scripts)
}

fn associated(case: &Case<'_>, words: &Words<'_>) -> Option<Vec<Script>> {
    let relation = case.relation;
    let names = &case.names;
    let sides = [names.parent_id.as_str(), names.child_id.as_str()];
    let place = PLACES.iter().find(|name| !sides.contains(*name))?;
    let plan = Associated::new(&relation.from, relation.path.as_str(), &names.links, sides, place)?;
    let mut scripts = steps(|step| plan.script(step, &words.fill(Associated::words(step, words.lang))));
    scripts.push(emptied(case, words));
    let [owner, other] = sides;
    let inverse = create(&names.links, &[ascending(other), ascending(owner)], false);
    let unique = indexes(&names.links, &[&[owner, other]], true, words);
    scripts.push(Script { script: unique.script + &inverse, ..unique });
    Some(scripts)
}

fn steps(script: impl FnMut(Step) -> Option<Script>) -> Vec<Script> {
    Step::ALL.into_iter().filter_map(script).collect()
}

/// What an emptied list may hold: nothing is added to it any more.
fn emptied(case: &Case<'_>, words: &Words<'_>) -> Script {
    let relation = case.relation;
    let demand = Demand { max_items: Some(0), ..array(relation.path.as_str(), false) };
    validator(&relation.from, case.parents, demand, words)
}

fn validator(ns: &Namespace, collection: Option<&Collection>, demand: Demand, words: &Words<'_>) -> Script {
    let command = demand::change(ns, collection.and_then(Collection::validator), &[demand]);
    words.commands("validator", Safety::Review, words.lang.sentences().advice.script_validator, &command)
}

fn indexes(ns: &Namespace, keys: &[&[&str]], unique: bool, words: &Words<'_>) -> Script {
    let key = |key: &&[&str]| create(ns, &key.iter().map(|name| ascending(name)).collect::<Vec<_>>(), unique);
    let commands: String = keys.iter().map(key).collect();
    words.commands("indexes", Safety::Safe, words.lang.sentences().advice.script_indexes, &commands)
}

fn ascending(name: &str) -> (String, IndexKind) {
    (name.to_owned(), IndexKind::Ascending)
}

/// A name that no field of the children has.
fn place(children: Option<&Collection>) -> Option<&'static str> {
    let profile = children.and_then(|c| c.profile.as_ref());
    PLACES.iter().copied().find(|name| profile.is_none_or(|profile| profile.resolve(name).is_empty()))
}

/// The fields that stand before the reference in every child that was kept.
fn before(children: &Collection, reference: &str) -> Vec<String> {
    let mut common: Option<Vec<String>> = None;
    for (_, kept) in children.profile.iter().flat_map(|profile| profile.sample.iter()) {
        let names = kept.with(|document| {
            let names: Vec<String> = document.children(0).map(|(_, entry)| entry.key.to_string()).collect();
            let at = names.iter().position(|name| name == reference)?;
            Some(names.into_iter().take(at).filter(|name| name != "_id").collect::<Vec<_>>())
        });
        let Some(names) = names.flatten() else { continue };
        match &mut common {
            None => common = Some(names),
            Some(common) => common.retain(|name| names.contains(name)),
        }
    }
    common.unwrap_or_default()
}
