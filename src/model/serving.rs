//! Serving: what an index does for an access, by the planner's documented rules.
//!
//! Manual: tutorial/equality-sort-range-guideline, tutorial/sort-results-with-indexes, core/indexes/index-types,
//! core/index-partial, core/index-sparse, reference/collation.

use super::Collection;
use super::access::{Access, Branch, SortKey};
use super::partial;
use crate::catalogue::index::same_collation;
use crate::catalogue::{Index, IndexKind};
use crate::facts::limits::MOST_SORTED_SCANS;
use crate::value::Type;

/// What an index does for one branch of an access.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Served {
    /// How many leading fields of the key an equality fixes.
    pub points: usize,
    /// Whether a range bounds the field behind them.
    pub range: bool,
    /// How the sort comes out of it.
    pub sort: SortServed,
}

/// How a sort comes out of an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SortServed {
    /// There is none, or the index walks in its order.
    InOrder,
    /// The fields stand in its order, and the directions fit neither way.
    WrongDirection,
    /// The documents must be sorted in memory.
    Blocks,
}

/// How an access stands with the indexes of its collection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Standing {
    /// An index serves it, or none is needed. Positions of the indexes, one for each branch.
    Served(Vec<usize>),
    /// No index narrows it (or gives its order).
    Missing,
    /// An index narrows it and does not give its order.
    Unsorted(usize),
    /// An index has its fields in an order that overscans or sorts in memory.
    Order(usize),
    /// An index has its sort with directions that fit neither way.
    Direction(usize),
    /// An index would serve it, were its strings compared by the index's collation.
    Collation(usize),
    /// An index would serve it, did its filter imply the one of the partial index.
    Partial(usize),
    /// An index holds hashes where it wants a range or an order.
    Hashed(usize),
    /// Some branches of its `$or` are served and others not.
    Branches,
    /// Nothing that an index of this kind serves, or not known well enough.
    Unjudged,
}

impl Served {
    /// Whether the index bounds anything.
    pub fn narrows(self) -> bool {
        self.points > 0 || self.range
    }
}

/// How an access stands with indexes.
pub fn standing(access: &Access, collection: &Collection, indexes: &[Index]) -> Standing {
    if access.hinted || access.branches.iter().any(|branch| branch.special) {
        return Standing::Unjudged;
    }
    let unbounded = access.branches.iter().all(Branch::is_unbounded);
    if unbounded && (access.sort.is_empty() || !access.limited) {
        return Standing::Unjudged;
    }
    let by_branch: Vec<Option<(usize, Served)>> =
        access.branches.iter().map(|branch| best(access, branch, collection, indexes)).collect();
    let fits = |served: Served| served.sort == SortServed::InOrder && (unbounded || served.narrows());
    let chosen: Vec<usize> =
        by_branch.iter().filter_map(|found| found.filter(|(_, served)| fits(*served)).map(|(at, _)| at)).collect();
    if let ([Some((at, served))], [branch]) = (by_branch.as_slice(), access.branches.as_slice())
        && fits(*served)
        && served.points == 0
        && indexes.get(*at).is_some_and(|index| overscans(index, access, branch))
    {
        return Standing::Order(*at);
    }
    if chosen.len() == by_branch.len() {
        return Standing::Served(chosen);
    }
    if access.open {
        return Standing::Unjudged;
    }
    if let [found] = by_branch.as_slice() {
        let [branch] = access.branches.as_slice() else { return Standing::Unjudged };
        if let Some(withheld) = withheld(access, branch, collection, indexes) {
            return withheld;
        }
        return alone(access, branch, *found, collection, indexes);
    }
    let narrowed = by_branch.iter().flatten().filter(|(_, served)| served.narrows()).count();
    match narrowed {
        0 => Standing::Missing,
        all if all == by_branch.len() => {
            by_branch.first().copied().flatten().map_or(Standing::Missing, |(at, _)| Standing::Unsorted(at))
        }
        _ => Standing::Branches,
    }
}

/// The index that would serve a branch but for its collation, its partial filter or its hashes.
fn withheld(access: &Access, branch: &Branch, collection: &Collection, indexes: &[Index]) -> Option<Standing> {
    let fits = |index: &Index| {
        let served = serve(access, branch, collection, index);
        served.narrows() && served.sort == SortServed::InOrder
    };
    for (at, index) in indexes.iter().enumerate().filter(|(_, index)| !index.hidden && !index.is_text()) {
        if let [(path, IndexKind::Hashed), ..] = index.key.as_slice()
            && (branch.ranges.contains(path) || access.sort.iter().any(|key| key.path == *path))
            && branch.points.is_empty()
        {
            return Some(Standing::Hashed(at));
        }
        if !fits(index) {
            continue;
        }
        if collates_otherwise(access, branch, collection, index) {
            return Some(Standing::Collation(at));
        }
        let implied = index.partial_filter.as_ref().map(|filter| partial::implied(filter, &branch.tests));
        if implied == Some(Some(false)) {
            return Some(Standing::Partial(at));
        }
    }
    None
}

/// Whether a range leads the key and a field that is compared for equality stands behind it.
fn overscans(index: &Index, access: &Access, branch: &Branch) -> bool {
    let leads = index.key.first().is_some_and(|(path, _)| branch.ranges.contains(path));
    let mut behind = index.key.iter().skip(1);
    let is_late = |path: &str| {
        // A list that is sorted by can stand nowhere else.
        branch.points.iter().any(|point| point.path == path) && !access.sort.iter().any(|key| key.path == path)
    };
    leads && index.is_plain() && behind.any(|(path, _)| is_late(path))
}

fn alone(
    access: &Access,
    branch: &Branch,
    found: Option<(usize, Served)>,
    collection: &Collection,
    indexes: &[Index],
) -> Standing {
    let usable = |index: &&(usize, &Index)| is_usable(access, branch, collection, index.1);
    let all: Vec<(usize, &Index)> = indexes.iter().enumerate().collect();
    for (at, index) in all.iter().filter(usable) {
        let served = serve(access, branch, collection, index);
        if served.sort == SortServed::WrongDirection && (branch.is_unbounded() || served.narrows()) {
            return Standing::Direction(*at);
        }
    }
    // An index that holds every field that is compared or sorted by, and that the access leads into.
    let wanted =
        branch.points.iter().map(|point| point.path.as_str()).chain(access.sort.iter().map(|key| key.path.as_str()));
    let wanted: Vec<&str> = wanted.collect();
    let holds = |index: &Index| wanted.iter().all(|path| index.key.iter().any(|(held, _)| held == path));
    for (at, index) in all.iter().filter(usable) {
        let served = serve(access, branch, collection, index);
        let multikey = || index.key.iter().any(|(path, _)| is_array(collection, path));
        if index.is_plain() && served.narrows() && holds(index) && !multikey() {
            return Standing::Order(*at);
        }
    }
    match found {
        Some((at, served)) if served.narrows() && served.sort != SortServed::InOrder => Standing::Unsorted(at),
        _ => Standing::Missing,
    }
}

/// The index that does the most for a branch.
fn best(access: &Access, branch: &Branch, collection: &Collection, indexes: &[Index]) -> Option<(usize, Served)> {
    let usable = indexes.iter().enumerate().filter(|(_, index)| is_usable(access, branch, collection, index));
    usable
        .map(|(at, index)| (at, serve(access, branch, collection, index)))
        .filter(|(_, served)| served.narrows() || (branch.is_unbounded() && served.sort != SortServed::Blocks))
        .max_by_key(|(at, served)| {
            let fits = served.sort == SortServed::InOrder;
            (fits && served.narrows(), served.points, served.range, fits, std::cmp::Reverse(*at))
        })
}

/// Whether the planner may use an index for a branch at all.
pub fn is_usable(access: &Access, branch: &Branch, collection: &Collection, index: &Index) -> bool {
    if index.hidden || index.is_text() {
        return false;
    }
    if index.partial_filter.as_ref().is_some_and(|filter| partial::implied(filter, &branch.tests) == Some(false)) {
        return false;
    }
    if index.sparse && index.key.len() == 1 {
        let Some((path, _)) = index.key.first() else { return false };
        let tested =
            branch.points.iter().any(|p| p.path == *path && p.kind != Some(Type::Null)) || branch.ranges.contains(path);
        if !tested {
            return false;
        }
    }
    !collates_otherwise(access, branch, collection, index)
}

/// Whether strings are compared by another collation than the index's, for certain.
pub fn collates_otherwise(access: &Access, branch: &Branch, collection: &Collection, index: &Index) -> bool {
    let default = collection.options().and_then(|options| options.collation.as_ref());
    let used = access.collation.as_ref().or(default);
    let held = index.effective_collation();
    let simple = |collation: Option<&crate::value::Value>| {
        collation.is_none_or(|c| c.get("locale").and_then(crate::value::Value::as_str) == Some("simple"))
    };
    if (simple(used) && simple(held)) || same_collation(used, held) {
        return false;
    }
    let Some((first, _)) = index.key.first() else { return false };
    branch.points.iter().any(|point| point.path == *first && point.kind == Some(Type::String))
}

/// What an index does for a branch.
pub fn serve(access: &Access, branch: &Branch, collection: &Collection, index: &Index) -> Served {
    if index.is_wildcard() {
        return wildcard(access, branch, index);
    }
    let point = |path: &str| branch.points.iter().find(|point| point.path == path);
    let mut served = Served { points: 0, range: false, sort: SortServed::Blocks };
    let mut scans: u64 = 1;
    let mut left = access.sort.as_slice();
    let mut reversed = None;
    let mut direction_fits = true;
    let mut ordered = true;
    for (path, kind) in &index.key {
        if !kind.is_sorted() {
            // A hash serves equality and nothing else; geometry ends the prefix.
            if *kind == IndexKind::Hashed && point(path).is_some() {
                served.points += 1;
                continue;
            }
            break;
        }
        let fixed = point(path);
        if let Some(point) = fixed
            && !left.iter().any(|key| key.path == *path)
        {
            scans = scans.saturating_mul(point.values.unwrap_or(1).max(1));
            // Too many scans to be merged in order: the field is one more range.
            if !access.sort.is_empty() && scans > MOST_SORTED_SCANS {
                ordered = false;
            }
            served.points += usize::from(!served.range);
            continue;
        }
        if let Some((key, rest)) = left.split_first()
            && key.path == *path
            && ordered
        {
            let flips = key.descending != (*kind == IndexKind::Descending);
            direction_fits &= *reversed.get_or_insert(flips) == flips;
            left = rest;
            served.range |= branch.ranges.contains(path) || fixed.is_some();
            continue;
        }
        if branch.ranges.contains(path) {
            served.range = true;
            ordered &= left.is_empty();
            continue;
        }
        break;
    }
    // The keys of an array are no order of documents where a bound leaves some of them out.
    let array = access.sort.iter().any(|key| is_array(collection, &key.path) && !branch.is_unbounded());
    served.sort = match (left.is_empty() && !array, direction_fits) {
        (true, true) => SortServed::InOrder,
        (true, false) => SortServed::WrongDirection,
        (false, _) => SortServed::Blocks,
    };
    served
}

/// A wildcard index serves one field, and a sort by that field.
fn wildcard(access: &Access, branch: &Branch, index: &Index) -> Served {
    let covers = |path: &str| {
        index.key.iter().any(|(pattern, _)| match pattern.strip_suffix("$**") {
            Some(prefix) => path.starts_with(prefix),
            None => false,
        })
    };
    let points = usize::from(branch.points.iter().any(|point| covers(&point.path)));
    let range = points == 0 && branch.ranges.iter().any(|path| covers(path));
    let by_it = |key: &SortKey| branch.ranges.contains(&key.path) && covers(&key.path);
    let in_order = match access.sort.as_slice() {
        [] => true,
        [key] => points == 0 && by_it(key),
        _ => false,
    };
    Served { points, range, sort: if in_order { SortServed::InOrder } else { SortServed::Blocks } }
}

/// Whether documents or the validator show an array at a path or on the way to it.
pub fn is_array(collection: &Collection, path: &str) -> bool {
    collection.arrays().iter().any(|array| {
        path.strip_prefix(array.path.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    })
}
