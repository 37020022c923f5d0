//! The scripts of a decision: into the new form and back, the check, what holds the form. mongovet never runs them.

mod referring;

pub(super) use referring::{of_object, of_reference};

use super::names::{is_addressable, path_beside};
use super::relationship::{Case, Decision};
use super::simulate::{Order, child_indexes};
use crate::catalogue::{Index, IndexKind, Namespace, Origin};
use crate::finding::{Safety, Script};
use crate::locale::Lang;
use crate::order::Ordered;
use crate::remedy::demand::{self, Demand};
use crate::remedy::migration::{Apart, Outlier, Shared, Step, Subset, TimeSeries};
use crate::remedy::{comment, index};
use crate::value::event::Type;
use serde_json::{Map, Value};

/// What a bound leaves above the longest array of today.
const HEADROOM: u64 = 2;

pub(super) fn of(case: &Case<'_>, decision: Decision, told: &Map<String, Value>, lang: Lang) -> Vec<Script> {
    if !is_addressable(case.array.path.as_str()) {
        return Vec::new();
    }
    let words = Words { told, lang };
    match decision {
        Decision::Keep => bound(case, &words).into_iter().collect(),
        Decision::ParentReference => {
            let mut scripts = apart(case, None, &words);
            // The answer to whether the newest are shown decides: both ways are ready.
            let subset = apart(case, Some(subset(case)), &words);
            scripts.extend(subset.into_iter().map(|s| Script { name: format!("subset {}", s.name), ..s }));
            scripts
        }
        Decision::Subset => apart(case, Some(subset(case)), &words),
        Decision::Outlier => outlier(case, &words),
        Decision::ChildReferences => shared(case, &words),
        Decision::TimeSeries => time_series(case, &words).into_iter().collect(),
        Decision::Association | Decision::Embed | Decision::ExtendedReference | Decision::Computed => Vec::new(),
    }
}

/// What the headers say.
struct Words<'a> {
    told: &'a Map<String, Value>,
    lang: Lang,
}

impl Words<'_> {
    fn step(&self, step: Step) -> String {
        let sentences = &self.lang.sentences().advice;
        let template = match step {
            Step::Migrate => sentences.script_migrate,
            Step::Check => sentences.script_check,
            Step::Back => sentences.script_back,
            Step::Finish => sentences.script_finish,
            Step::Propagate => sentences.script_propagate,
            Step::Reconcile => sentences.script_reconcile,
        };
        self.fill(template)
    }

    fn fill(&self, template: &str) -> String {
        crate::locale::template::fill(template, self.told, self.lang)
    }

    fn commands(&self, name: &str, safety: Safety, template: &str, commands: &str) -> Script {
        Script { name: name.to_owned(), safety, script: comment(&self.fill(template)) + commands }
    }
}

/// A validator that holds the array to what it needs, where nothing does and it is no small list.
fn bound(case: &Case<'_>, words: &Words<'_>) -> Option<Script> {
    let longest = case.array.stats.lengths.max();
    if case.bound.is_some() || longest < 10 {
        return None;
    }
    let demand = Demand { max_items: Some(round(longest * HEADROOM)), ..array(case.array.path.as_str(), false) };
    let command = demand::change(&case.collection.ns, case.collection.validator(), &[demand]);
    let sentences = &words.lang.sentences().advice;
    Some(words.commands("validator", Safety::Review, sentences.script_validator, &command))
}

fn apart(case: &Case<'_>, subset: Option<Subset>, words: &Words<'_>) -> Vec<Script> {
    let names = &case.names;
    let own_id = case.child.key_apart() == Some("_id");
    let mut added = vec![names.parent_id.clone(), names.place.clone()];
    if !own_id {
        added.push("_id".to_owned());
    }
    let ns = &case.collection.ns;
    let plan = Apart {
        database: ns.database.clone(),
        parents: ns.collection.clone(),
        path: case.array.path.to_string(),
        children: names.children.collection.clone(),
        parent_id: names.parent_id.clone(),
        place: names.place.clone(),
        place_is_temporary: case.child.time.is_some(),
        own_id,
        added,
        indexes: indexes(case).iter().map(|key| key.iter().map(direction).collect()).collect(),
        subset,
    };
    let script = |step| plan.script(step, &words.step(step));
    let mut scripts = vec![script(Step::Migrate), script(Step::Check), script(Step::Back), script(Step::Finish)];
    if plan.subset.is_some() {
        scripts.extend([script(Step::Propagate), script(Step::Reconcile)]);
    }
    let sentences = &words.lang.sentences().advice;
    let mut of_parents = Vec::new();
    let mut of_children =
        vec![Demand { path: names.parent_id.clone(), required: true, types: id_types(case), max_items: None }];
    if let Some(time) = case.child.time.filter(|name| is_addressable(name)) {
        of_children.push(Demand { path: time.to_owned(), required: true, types: vec!["date"], max_items: None });
    }
    match &plan.subset {
        Some(subset) => {
            of_parents.push(Demand { max_items: Some(subset.newest), ..array(&subset.field, true) });
            let types = vec!["int", "long"];
            of_parents.push(Demand { path: subset.count_field.clone(), required: true, types, max_items: None });
        }
        // An empty array may stay until the end; nothing is pushed into it any more.
        None => of_parents.push(Demand { max_items: Some(0), ..array(&plan.path, false) }),
    }
    let commands =
        demand::change(ns, case.collection.validator(), &of_parents) + &demand::set(&names.children, &of_children);
    scripts.push(words.commands("validator", Safety::Review, sentences.script_validator, &commands));
    let mut commands: String = indexes(case).iter().map(|key| create(&names.children, key, false)).collect();
    for old in child_indexes(case.collection, case.array) {
        commands.push_str(&(index::drop(ns, old).script + ";\n"));
    }
    scripts.push(words.commands("indexes", Safety::Review, sentences.script_indexes, &commands));
    scripts
}

/// The index on the parent with the order in which its children are shown, and those that held fields of the children.
fn indexes(case: &Case<'_>) -> Vec<Vec<(String, IndexKind)>> {
    let names = &case.names;
    let order = case.child.time.filter(|name| is_addressable(name)).unwrap_or(&names.place).to_owned();
    let mut out = vec![vec![(names.parent_id.clone(), IndexKind::Ascending), (order, IndexKind::Descending)]];
    let path = format!("{}.", case.array.path);
    let moved = |index: &Index| {
        let field = |(name, kind): &(String, IndexKind)| Some((name.strip_prefix(&path)?.to_owned(), kind.clone()));
        let key: Option<Vec<_>> = index.key.iter().map(field).collect();
        key.filter(|key| key.iter().all(|(_, kind)| kind.is_sorted()) && key.iter().all(|(name, _)| name != "_id"))
    };
    out.extend(child_indexes(case.collection, case.array).filter_map(moved));
    out
}

fn direction((name, kind): &(String, IndexKind)) -> (String, i32) {
    (name.clone(), if *kind == IndexKind::Descending { -1 } else { 1 })
}

pub(super) fn subset(case: &Case<'_>) -> Subset {
    let names = &case.names;
    let path = case.array.path.as_str();
    let newest_first = case.simulation.order == Order::NewestFirst;
    // Of equal times, and without times, what stands later in the array is newer, unless the newest stand first.
    let place = (names.place.clone(), if newest_first { 1 } else { -1 });
    let time = case.child.time.filter(|name| is_addressable(name)).map(|time| (time.to_owned(), -1));
    let count = path_beside(path, &names.count);
    Subset {
        field: path_beside(path, &names.newest),
        count: names.count_is_new.then(|| count.clone()),
        count_field: count,
        newest: case.simulation.newest,
        sort: time.into_iter().chain([place]).collect(),
    }
}

fn outlier(case: &Case<'_>, words: &Words<'_>) -> Vec<Script> {
    let names = &case.names;
    let ns = &case.collection.ns;
    let path = case.array.path.as_str();
    let plan = Outlier {
        database: ns.database.clone(),
        parents: ns.collection.clone(),
        path: path.to_owned(),
        leaf: names.leaf.clone(),
        overflow: names.overflow.collection.clone(),
        parent_id: names.parent_id.clone(),
        flag: path_beside(path, &names.flag),
        cap: case.cap,
        page: case.page,
    };
    let sentences = &words.lang.sentences().advice;
    let steps = [Step::Migrate, Step::Check, Step::Back];
    let mut scripts: Vec<Script> = steps.iter().filter_map(|step| plan.script(*step, &words.step(*step))).collect();
    let of_parents = [Demand { max_items: Some(case.cap), ..array(path, false) }];
    let of_pages = [
        Demand { path: names.parent_id.clone(), required: true, types: id_types(case), max_items: None },
        Demand { path: "page".to_owned(), required: true, types: vec!["int", "long"], max_items: None },
        Demand { max_items: Some(case.page), ..array(&names.leaf, true) },
    ];
    let commands =
        demand::change(ns, case.collection.validator(), &of_parents) + &demand::set(&names.overflow, &of_pages);
    scripts.push(words.commands("validator", Safety::Review, sentences.script_validator, &commands));
    let key = [(names.parent_id.clone(), IndexKind::Ascending), ("page".to_owned(), IndexKind::Ascending)];
    let commands = create(&names.overflow, &key, true);
    scripts.push(words.commands("indexes", Safety::Safe, sentences.script_indexes, &commands));
    scripts
}

fn shared(case: &Case<'_>, words: &Words<'_>) -> Vec<Script> {
    let names = &case.names;
    let ns = &case.collection.ns;
    let path = case.array.path.as_str();
    let Some(key) = case.child.key.filter(|name| is_addressable(name)) else { return Vec::new() };
    let plan = Shared {
        database: ns.database.clone(),
        parents: ns.collection.clone(),
        path: path.to_owned(),
        children: names.children.collection.clone(),
        key: key.to_owned(),
        child_ids: path_beside(path, &names.child_ids),
    };
    let sentences = &words.lang.sentences().advice;
    let steps = [Step::Migrate, Step::Check, Step::Back];
    let mut scripts: Vec<Script> = steps.iter().filter_map(|step| plan.script(*step, &words.step(*step))).collect();
    let longest = case.array.stats.lengths.max();
    let demands = [Demand { max_items: Some(round(longest * HEADROOM)), ..array(&plan.child_ids, false) }];
    let commands = demand::change(ns, case.collection.validator(), &demands);
    scripts.push(words.commands("validator", Safety::Review, sentences.script_validator, &commands));
    let commands = create(ns, &[(plan.child_ids.clone(), IndexKind::Ascending)], false);
    scripts.push(words.commands("indexes", Safety::Safe, sentences.script_indexes, &commands));
    scripts
}

fn time_series(case: &Case<'_>, words: &Words<'_>) -> Option<Script> {
    let names = &case.names;
    let ns = &case.collection.ns;
    let plan = TimeSeries {
        database: ns.database.clone(),
        parents: ns.collection.clone(),
        path: case.array.path.to_string(),
        children: names.children.collection.clone(),
        parent_id: names.parent_id.clone(),
        time: case.child.time.filter(|name| is_addressable(name))?.to_owned(),
    };
    Some(plan.script(&words.fill(words.lang.sentences().advice.script_time_series)))
}

fn create(ns: &Namespace, key: &[(String, IndexKind)], unique: bool) -> String {
    let pattern: Vec<_> =
        key.iter().map(|field| (field.0.clone(), crate::value::Value::Int(direction(field).1))).collect();
    index::create(ns, &Index { unique, ..Index::of_key(&pattern, Origin::Wanted) }).script + ";\n"
}

fn array(path: &str, required: bool) -> Demand {
    Demand { path: path.to_owned(), required, types: vec!["array"], max_items: None }
}

/// The types of the parents' `_id`.
fn id_types(case: &Case<'_>) -> Vec<&'static str> {
    let profile = case.collection.profile.as_ref();
    let ids = profile.and_then(|p| p.resolve("_id").first().and_then(|id| p.field(*id)));
    let mut types: Vec<Type> = ids.map(|f| f.types_found().into_iter().map(|(t, _)| t).collect()).unwrap_or_default();
    types.order();
    types.into_iter().map(Type::alias).collect()
}

/// The next number with one leading figure that people would choose: 20, 50, 100, 200.
fn round(number: u64) -> u64 {
    let mut unit = 1u64;
    while unit.saturating_mul(10) < number {
        unit = unit.saturating_mul(10);
    }
    [1, 2, 5, 10].into_iter().map(|n| unit.saturating_mul(n)).find(|n| number <= *n).unwrap_or(number)
}
