//! The scripts of decisions about documents that refer to each other.

use serde_json::{Map, Value};

use super::{HEADROOM, Words, array, create, round};
use crate::advice::family::Holder;
use crate::advice::names::copy_beside;
use crate::advice::object;
use crate::advice::reference::Case;
use crate::advice::relationship::Decision;
use crate::catalogue::{IndexKind, Namespace};
use crate::finding::{Safety, Script};
use crate::locale::Lang;
use crate::model::Collection;
use crate::remedy::demand::{self, Demand};
use crate::remedy::migration::{Associated, ExtendedReference, Extracted, Kept, Listed, Reversed, Step, Together};

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
        (Decision::Embed, Holder::Child, _) if !case.relation.many => {
            let relation = case.relation;
            let (path, target) = (relation.path.as_str(), relation.target.as_str());
            together(case, (&relation.to, target), (&relation.from, path), &words)
        }
        (Decision::Embed, Holder::Parent, _) if case.relation.many => listed_together(case, &words),
        (Decision::Subset | Decision::Computed, Holder::Child, _) => kept(case, decision, &words),
        (Decision::Keep, Holder::Child, _) if case.lacks_index() => {
            Some(vec![indexes(&case.relation.from, &[&[case.relation.path.as_str()]], false, &words)])
        }
        (Decision::ExtendedReference, Holder::Child, _) => extended(case, &words),
        (Decision::ChildReferences, Holder::Child, Some(_)) => listed(case, &words),
        (Decision::ParentReference, Holder::Parent, _) => reversed(case, &words),
        (Decision::Association, Holder::Parent, _) => associated(case, &words),
        _ => None,
    };
    scripts.unwrap_or_default()
}

/// The scripts of a decision about a shared object.
pub(in crate::advice) fn of_object(
    case: &object::Case<'_>,
    decision: Decision,
    told: &Map<String, Value>,
    lang: Lang,
) -> Vec<Script> {
    let words = Words { told, lang };
    let names = &case.names;
    let copies: &[(String, String)] = match decision {
        Decision::ParentReference => &[],
        Decision::ExtendedReference => &names.copies,
        _ => return Vec::new(),
    };
    let parents = &case.collection.ns;
    let (path, key) = (case.shared.path.as_str(), case.shared.key.as_str());
    let Some(plan) = Extracted::new(parents, path, &names.children, key, &names.reference, copies) else {
        return Vec::new();
    };
    let mut scripts = steps(|step| plan.script(step, &words.fill(Extracted::words(step, lang))));
    if let Some(kept) = plan.copies() {
        let steps = [Step::Propagate, Step::Reconcile].into_iter();
        scripts.extend(steps.filter_map(|s| kept.script(s, &words.fill(ExtendedReference::words(s, lang)))));
    }
    let reference = match path.rsplit_once('.') {
        Some((holder, _)) => format!("{holder}.{}", names.reference),
        None => names.reference.clone(),
    };
    scripts.push(indexes(parents, &[&[&reference]], false, &words));
    scripts
}

/// Children that become elements of their parents.
fn together(
    case: &Case<'_>,
    (parents, target): (&Namespace, &str),
    (children, parent_id): (&Namespace, &str),
    words: &Words<'_>,
) -> Option<Vec<Script>> {
    let names = &case.names;
    let mut plan = Together::new(parents, &names.list, target, children, parent_id)?;
    plan.one = names.one;
    plan.before = case.children.map(|children| before(children, parent_id)).unwrap_or_default();
    let mut scripts = steps(|step| plan.script(step, &words.fill(Together::words(step, words.lang))));
    let demand = if names.one {
        Demand { path: names.list.clone(), required: false, types: vec!["object"], max_items: None }
    } else {
        let most = words.told.get("max").and_then(Value::as_u64).unwrap_or_default();
        Demand { max_items: Some(round(most.saturating_mul(HEADROOM))), ..array(&names.list, false) }
    };
    scripts.push(validator(parents, case.parents, demand, words));
    let mut moved = String::new();
    for old in case.children.into_iter().flat_map(Collection::indexes) {
        let leads = old.key.first().is_some_and(|(path, _)| path == parent_id);
        let is_sorted = old.key.iter().all(|(_, kind)| kind.is_sorted());
        // What is unique among all children is unique among documents, not within one of them.
        if !old.is_id() && !leads && old.is_plain() && is_sorted {
            let key = old.key.iter().map(|(path, kind)| (format!("{}.{path}", names.list), kind.clone()));
            moved.push_str(&create(parents, &key.collect::<Vec<_>>(), old.unique));
        }
    }
    if !moved.is_empty() {
        let sentences = &words.lang.sentences().advice;
        scripts.push(words.commands("indexes", Safety::Review, sentences.script_indexes, &moved));
    }
    Some(scripts)
}

/// The children that a list names become elements: the list is turned round, then both are brought together.
fn listed_together(case: &Case<'_>, words: &Words<'_>) -> Option<Vec<Script>> {
    let relation = case.relation;
    let named = |prefix: &str, scripts: Vec<Script>| -> Vec<Script> {
        scripts.into_iter().map(|s| Script { name: format!("{prefix} {}", s.name), ..s }).collect()
    };
    let mut scripts = named("reverse", reversed(case, words)?);
    let children = (&relation.to, case.names.parent_id.as_str());
    scripts.extend(named("embed", together(case, (&relation.from, "_id"), children, words)?));
    Some(scripts)
}

/// What the parents keep of children that stay apart: their number, and the newest of them.
fn kept(case: &Case<'_>, decision: Decision, words: &Words<'_>) -> Option<Vec<Script>> {
    let relation = case.relation;
    let names = &case.names;
    let (path, target) = (relation.path.as_str(), relation.target.as_str());
    let mut plan = Kept::new(&relation.to, target, &relation.from, path, &names.count)?;
    if decision == Decision::Subset {
        plan = plan.with_copies(&names.recent, case.newest, case.newest_first())?;
    }
    let mut scripts = steps(|step| plan.script(step, &words.fill(Kept::words(step, words.lang))));
    scripts.push(indexes(&relation.from, &[&[path]], false, words));
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
    let place = &case.names.place;
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
    let place = &names.place;
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
