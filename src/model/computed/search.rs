//! The formulas that the documents of a sample show: names propose, arithmetic decides.

use super::Tally;
use super::formula::{Base, Formula, Less, Outcome, Part, Rate};
use crate::facts::names::{self, Money};
use crate::profile::{CollectionProfile, FieldId, FieldKind};
use crate::value::event::{Document, Item, Type};
use crate::value::number::Number;
use crate::value::path::{FieldPath, reach};

/// Documents on which formulas are tried.
const TRIED: usize = 200;
/// Numbers of one object, arrays of one document and numbers of one element that are looked at.
const MAX_NUMBERS: usize = 40;
const MAX_ARRAYS: usize = 8;
const MAX_FACTORS: usize = 8;
/// What is added or taken away: so many at once, of so many.
const MAX_PARTS: usize = 3;
const MAX_ADDED: usize = 6;
/// Share that must agree before a formula is taken for meant, where the names say so and where they do not.
const NAMED: f64 = 0.6;
const UNNAMED: f64 = 0.9;
/// Comparisons that must agree at least, and those that names alone do not vouch for.
const MIN_AGREE: u64 = 3;
const MIN_UNNAMED: u64 = 20;
/// Distinct values among those that agree: constants agree by chance.
const MIN_DISTINCT: usize = 3;

/// A number that may be computed or play in.
struct Column {
    path: String,
    leaf: String,
    rounding: Rounding,
    is_whole: bool,
}

/// The decimal places that numbers are rounded to.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Rounding {
    /// Absent where they are not rounded.
    pub(super) decimals: Option<u32>,
}

impl Rounding {
    /// Whether two numbers are one, as far as this rounding tells.
    pub(super) fn is_close(self, stored: f64, computed: f64) -> bool {
        let gap = (stored - computed).abs();
        let exact = stored.abs().max(computed.abs()).max(1e-6) * 1e-9;
        let slack = self.decimals.map_or(0.0, |decimals| 0.500_001 / libm::pow(10.0, f64::from(decimals)));
        gap <= exact.max(slack)
    }
}

/// An array over whose elements a number may be computed.
struct List {
    path: String,
    leaf: String,
    /// Numbers of its elements; the empty one is the element itself.
    numbers: Vec<String>,
}

/// What one scope holds.
struct Scope {
    path: String,
    numbers: Vec<Column>,
    arrays: Vec<List>,
    doubts: Vec<String>,
}

/// The formulas, each with whether the names say so too.
pub(super) fn find(profile: &CollectionProfile) -> Vec<(Formula, bool)> {
    let scopes = scopes(profile);
    let mut found = Vec::new();
    for scope in &scopes {
        for target in scope.numbers.iter().filter(|column| may_be_computed(column)) {
            let candidates = candidates(scope, target);
            found.extend(best(profile, target, candidates, scope));
        }
    }
    found
}

/// Whether a number may follow from others; identifiers, versions and places do not.
fn may_be_computed(column: &Column) -> bool {
    let name = column.leaf.as_str();
    !names::is_version(name) && !names::is_latitude(name) && !names::is_longitude(name) && name != "_id"
}

/// The decimal places of the numbers of a path: those that four of five fractions keep to.
pub(super) fn rounding(profile: &CollectionProfile, path: &FieldPath) -> Rounding {
    let mut places = [0_u64; MOST_DECIMALS as usize + 2];
    for (_, kept) in profile.sample.iter().take(TRIED) {
        kept.with(|document| {
            for at in reach(document, path.as_str()) {
                let decimals = document.entries.get(at).and_then(|entry| decimals(&entry.item));
                if let Some(slot) = decimals.and_then(|n| places.get_mut(n.min(MOST_DECIMALS + 1) as usize)) {
                    *slot += 1;
                }
            }
        });
    }
    let all: u64 = places.iter().sum();
    let fractions: u64 = places.iter().skip(1).sum();
    if fractions == 0 {
        // Whole numbers are rounded only where what they follow from is not whole.
        return Rounding { decimals: (0 < all).then_some(0) };
    }
    let mut kept = 0;
    for (decimals, count) in places.iter().enumerate().skip(1).take(MOST_DECIMALS as usize) {
        kept += count;
        if fractions * 4 <= kept * 5 {
            return Rounding { decimals: Some(decimals as u32) };
        }
    }
    Rounding::default()
}

/// Decimal places that somebody rounds to; what has more is not rounded.
const MOST_DECIMALS: u32 = 6;

fn decimals(item: &Item<'_>) -> Option<u32> {
    match item {
        Item::Int(_) | Item::Long(_) => Some(0),
        Item::Double(value) if value.is_finite() => {
            let text = format!("{value}");
            Some(text.split_once('.').map_or(0, |(_, places)| places.len() as u32))
        }
        Item::Decimal(bytes) => match Number::from_decimal(*bytes) {
            Number::Finite { exponent, .. } => Some(exponent.min(0).unsigned_abs()),
            _ => None,
        },
        _ => None,
    }
}

fn scopes(profile: &CollectionProfile) -> Vec<Scope> {
    let mut root = Scope { path: String::new(), numbers: Vec::new(), arrays: Vec::new(), doubts: Vec::new() };
    let mut scopes = Vec::new();
    for (id, field) in profile.fields() {
        if field.kind != FieldKind::Named || profile.in_array(id) {
            continue;
        }
        let path = profile.path(id).to_string();
        if path.contains(crate::value::path::ANY_NAME) {
            continue;
        }
        if 0 < field.number_count() && root.numbers.len() < MAX_NUMBERS {
            root.numbers.push(column(profile, id, path.clone()));
        }
        let plays_in = names::is_adjustment(&field.name) && field.number_count() * 2 < field.count;
        let marks = 0 < field.count_of(Type::Bool) && names::marks_more(&field.name);
        if plays_in || marks {
            root.doubts.push(path.clone());
        }
        if field.arrays.is_some() && root.arrays.len() < MAX_ARRAYS {
            let Some((element, elements)) = profile.elements(id) else { continue };
            let mut numbers = Vec::new();
            if elements.number_count() * 2 > elements.count {
                numbers.push(String::new());
            }
            let mut inside = Scope { path: path.clone(), numbers: Vec::new(), arrays: Vec::new(), doubts: Vec::new() };
            below(profile, element, "", 2, &mut |id, relative| {
                let Some(field) = profile.field(id) else { return };
                if 0 < field.number_count() {
                    if numbers.len() < MAX_FACTORS {
                        numbers.push(relative.to_owned());
                    }
                    if inside.numbers.len() < MAX_FACTORS {
                        inside.numbers.push(column(profile, id, relative.to_owned()));
                    }
                } else if names::is_adjustment(&field.name) {
                    inside.doubts.push(relative.to_owned());
                }
            });
            if 3 <= inside.numbers.len() {
                scopes.push(inside);
            }
            let leaf = field.name.to_string();
            root.arrays.push(List { path, leaf, numbers });
        }
    }
    scopes.insert(0, root);
    scopes
}

/// The named scalars below an object, through objects only.
fn below(profile: &CollectionProfile, id: FieldId, prefix: &str, depth: u32, visit: &mut impl FnMut(FieldId, &str)) {
    for (child, field) in profile.children(id).filter(|(_, field)| field.kind == FieldKind::Named) {
        let path = if prefix.is_empty() { field.name.to_string() } else { format!("{prefix}.{}", field.name) };
        if 1 < depth && 0 < field.count_of(Type::Object) {
            below(profile, child, &path, depth - 1, visit);
        } else {
            visit(child, &path);
        }
    }
}

fn column(profile: &CollectionProfile, id: FieldId, path: String) -> Column {
    let field = profile.field(id);
    let rounding = rounding(profile, &profile.path(id));
    Column {
        leaf: path.rsplit('.').next().unwrap_or_default().to_owned(),
        path,
        is_whole: field.is_some_and(|f| f.numbers.fractional == 0 && f.count_of(Type::Decimal) == 0),
        rounding,
    }
}

/// A formula to try, and whether the names say so.
type Candidate = (Formula, bool);

fn candidates(scope: &Scope, target: &Column) -> Vec<Candidate> {
    let mut out = Vec::new();
    let plain = |base: Base| Formula {
        scope: scope.path.clone(),
        target: target.path.clone(),
        base,
        parts: Vec::new(),
        rate: None,
        scale: 0,
        decimals: target.rounding.decimals,
        coarse: false,
        doubts: scope.doubts.clone(),
    };
    let others = || scope.numbers.iter().filter(|other| other.path != target.path);
    let beside = |a: &str, b: &str| holder(a) == holder(b);
    let is_mean = names::is_average(&target.leaf);
    if target.is_whole && names::is_count(&target.leaf) || names::is_depth(&target.leaf) {
        let counted = names::counted(&target.leaf);
        for array in &scope.arrays {
            let thing = names::words(&array.leaf);
            let same = names::names_thing(&counted, &thing) || names::names_thing(&thing, &counted);
            let alone = counted.is_empty() && (scope.arrays.len() == 1 || holder(&target.path) == array.path);
            let named =
                same || alone && names::is_plain_count(&target.leaf) && holder(&array.path) == holder(&target.path);
            out.push((plain(Base::Count { array: array.path.clone(), cap: None }), named));
        }
    }
    let money = names::money(&target.leaf);
    let sums = names::is_total(&target.leaf) || names::is_quantity(&target.leaf) || money != Money::No;
    for array in scope.arrays.iter().filter(|_| sums || is_mean) {
        let path = &array.path;
        if is_mean {
            for field in &array.numbers {
                out.push((plain(Base::Mean { array: path.clone(), field: field.clone() }), true));
            }
            continue;
        }
        let scales: &[i32] = if money == Money::No && !names::is_total(&target.leaf) { &[0] } else { &[0, -2, 2] };
        for (at, a) in array.numbers.iter().enumerate() {
            let single = [vec![a.clone()]];
            let products = array.numbers.iter().skip(at + 1).map(|b| vec![a.clone(), b.clone()]);
            for factors in single.into_iter().chain(products) {
                let is_price = |path: &String| names::is_price(leaf(path));
                let is_amount = |path: &String| names::is_units(leaf(path));
                let named = match factors.as_slice() {
                    [a] => is_price(a) || names::is_quantity(leaf(a)) || is_amount(a) || leaf(a) == target.leaf,
                    [a, b] => is_price(a) && is_amount(b) || is_amount(a) && is_price(b),
                    _ => false,
                };
                for scale in scales {
                    let sum = Base::Sum { array: path.clone(), factors: factors.clone(), less: None };
                    out.push((Formula { scale: *scale, ..plain(sum) }, named && *scale == 0));
                }
                let lowers =
                    array.numbers.iter().filter(|path| names::is_deduction(leaf(path)) && !factors.contains(path));
                for path_of_less in lowers {
                    for less in [Less::Amount, Less::Share, Less::Percent] {
                        let less = Some(less(path_of_less.clone()));
                        let sum = Base::Sum { array: path.clone(), factors: factors.clone(), less };
                        out.push((plain(sum), named));
                    }
                }
            }
        }
    }
    if is_mean || names::is_rating(&target.leaf) {
        for sum in others().filter(|o| beside(&o.path, &target.path)) {
            for count in others().filter(|o| o.path != sum.path && o.is_whole && beside(&o.path, &target.path)) {
                let named = names::is_total(&sum.leaf) && names::is_count(&count.leaf);
                if named || is_mean && names::is_count(&count.leaf) {
                    out.push((plain(Base::Quotient { sum: sum.path.clone(), count: count.path.clone() }), named));
                }
            }
        }
        return out;
    }
    if !sums {
        return out;
    }
    let is_amount = |leaf: &str| names::is_price(leaf) || names::is_before_adjustments(leaf);
    for a in others().filter(|o| is_amount(&o.leaf) && beside(&o.path, &target.path)) {
        for b in others().filter(|o| names::is_units(&o.leaf) && o.path != a.path && beside(&o.path, &target.path)) {
            let base = Base::Product([b.path.clone(), a.path.clone()]);
            out.push((plain(base), true));
        }
        if names::is_before_adjustments(&a.leaf) && !names::is_before_adjustments(&target.leaf) {
            out.push((plain(Base::Field(a.path.clone())), true));
        }
    }
    out
}

fn leaf(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or_default()
}

fn holder(path: &str) -> &str {
    path.rsplit_once('.').map_or("", |(holder, _)| holder)
}

/// What the documents that formulas are tried on say to one.
#[derive(Default)]
struct Trial {
    tally: Tally,
    distinct: Vec<u64>,
    /// Comparisons in which several numbers took part: one number equals itself.
    telling: u64,
}

fn trial(documents: &[&crate::profile::Kept], formula: &Formula, most: usize) -> Trial {
    let mut trial = Trial::default();
    for kept in documents.iter().take(most) {
        kept.with(|document| {
            for at in super::formula::objects(document, &formula.scope) {
                let Some(stored) = super::formula::number(document, at, &formula.target) else { continue };
                let Some((computed, summands)) = formula.compute(document, at) else {
                    trial.tally.add(Outcome::Unjudged);
                    continue;
                };
                if formula.is_close(stored, computed, summands) {
                    trial.tally.add(Outcome::Agrees);
                    trial.telling += u64::from(is_telling(formula, document, at, summands));
                    if !trial.distinct.contains(&stored.to_bits()) && trial.distinct.len() < MIN_DISTINCT {
                        trial.distinct.push(stored.to_bits());
                    }
                } else {
                    trial.tally.add(Outcome::Differs { above: computed < stored });
                }
            }
        });
    }
    trial
}

/// Whether the agreement of one object says more than that a number equals itself.
fn is_telling(formula: &Formula, document: &Document<'_>, at: usize, summands: u64) -> bool {
    let is_one = |path: &str| super::formula::number(document, at, path) == Some(1.0);
    match &formula.base {
        Base::Count { .. } => true,
        Base::Sum { factors, .. } => 2 <= summands || 2 <= factors.len() && 0 < summands,
        Base::Mean { .. } => 2 <= summands,
        Base::Field(_) => !formula.parts.is_empty(),
        Base::Quotient { count, .. } => !is_one(count),
        Base::Product([a, b]) => !is_one(a) && !is_one(b),
    }
}

/// The candidate that agrees most often, with what is added or taken away.
fn best(profile: &CollectionProfile, target: &Column, candidates: Vec<Candidate>, scope: &Scope) -> Option<Candidate> {
    if candidates.is_empty() {
        return None;
    }
    let documents: Vec<&crate::profile::Kept> = profile.sample.iter().map(|(_, kept)| kept).take(TRIED).collect();
    let mut best: Option<(Candidate, Trial)> = None;
    for (formula, named) in candidates {
        // A few tell which are out; sums to which something is added agree in none.
        let few = trial(&documents, &formula, 24);
        let adds = adjustments(scope, target, &formula);
        let is_out = few.tally.judged() == 0 || few.tally.agree * 4 < few.tally.judged();
        if is_out && adds.0.is_empty() && adds.1.is_empty() {
            continue;
        }
        let mut options = Vec::new();
        if !is_out {
            options.push(formula.clone());
        }
        if named {
            options.extend(adjusted(&formula, &adds.0, &adds.1));
        }
        for option in options {
            let tried = trial(&documents, &option, if named { TRIED } else { 60 });
            let least = if named { NAMED } else { UNNAMED };
            let distinct = if matches!(option.base, Base::Count { .. }) && named { 2 } else { MIN_DISTINCT };
            let fits = least <= tried.tally.agreement()
                && MIN_AGREE <= tried.telling
                && distinct <= tried.distinct.len()
                && (named || MIN_UNNAMED <= tried.tally.judged());
            let rank = |(_, named): &Candidate, trial: &Trial, formula: &Formula| {
                (trial.tally.agree, *named, usize::MAX - formula.parts.len(), is_product(formula))
            };
            let candidate = (option, named);
            let beats = |known: &(Candidate, Trial)| {
                rank(&known.0, &known.1, &known.0.0) < rank(&candidate, &tried, &candidate.0)
            };
            if fits && best.as_ref().is_none_or(beats) {
                best = Some((candidate, tried));
            }
        }
    }
    let ((mut formula, named), tried) = best?;
    if let Base::Count { array, .. } = &formula.base {
        let cap = cap(&documents, &formula, array);
        if let Base::Count { cap: known, .. } = &mut formula.base {
            *known = cap;
        }
    }
    if matches!(formula.base, Base::Quotient { .. } | Base::Mean { .. }) && 0 < tried.tally.differ {
        let coarse = Formula { coarse: true, ..formula.clone() };
        // Cut or rounded up throughout: then nearly all agree with the coarser measure, half at most with the finer.
        let other = trial(&documents, &coarse, TRIED);
        if tried.tally.agree * 3 < other.tally.agree * 2 {
            formula = coarse;
        }
    }
    let used = |path: &String| formula.parts.iter().any(|part| part.path == *path);
    let also = scope.numbers.iter().filter(|column| names::is_adjustment(&column.leaf) && column.path != target.path);
    let uses_money = matches!(formula.base, Base::Sum { .. } | Base::Field(_) | Base::Product(_));
    let doubts = also.map(|column| column.path.clone()).filter(|path| uses_money && !used(path));
    let doubts: Vec<String> = doubts.collect();
    formula.doubts.extend(doubts);
    Some((formula, named))
}

fn is_product(formula: &Formula) -> bool {
    matches!(&formula.base, Base::Sum { factors, .. } if 1 < factors.len())
}

/// The numbers that may be added to a formula, and the rates that may raise it.
fn adjustments(scope: &Scope, target: &Column, formula: &Formula) -> (Vec<Part>, Vec<Rate>) {
    if !matches!(formula.base, Base::Sum { .. } | Base::Field(_) | Base::Product(_)) {
        return (Vec::new(), Vec::new());
    }
    let is_base = |path: &str| match &formula.base {
        Base::Field(base) => base == path,
        Base::Product(factors) => factors.iter().any(|factor| factor == path),
        _ => false,
    };
    let (mut parts, mut rates) = (Vec::new(), Vec::new());
    for column in scope.numbers.iter().filter(|column| column.path != target.path && !is_base(&column.path)) {
        if !names::is_adjustment(&column.leaf) && !names::is_adjustment(leaf(holder(&column.path))) {
            continue;
        }
        let negative = names::is_deduction(&column.leaf) || names::is_deduction(leaf(holder(&column.path)));
        if names::is_rate(&column.leaf) {
            for percent in [false, true] {
                rates.push(Rate { path: column.path.clone(), negative, percent });
            }
        } else if parts.len() < MAX_ADDED {
            parts.push(Part { path: column.path.clone(), negative });
        }
    }
    (parts, rates)
}

/// A formula with every choice of up to three parts, and with each rate.
fn adjusted(formula: &Formula, parts: &[Part], rates: &[Rate]) -> Vec<Formula> {
    let mut out = Vec::new();
    for choice in 1_u32..1 << parts.len().min(MAX_ADDED) {
        if choice.count_ones() as usize <= MAX_PARTS {
            let chosen = parts.iter().enumerate().filter(|(at, _)| choice >> at & 1 == 1).map(|(_, part)| part.clone());
            out.push(Formula { parts: chosen.collect(), ..formula.clone() });
        }
    }
    let negatives: Vec<Part> = parts.iter().filter(|part| part.negative).cloned().collect();
    for rate in rates {
        out.push(Formula { rate: Some(rate.clone()), ..formula.clone() });
        if let [one, ..] = negatives.as_slice() {
            out.push(Formula { rate: Some(rate.clone()), parts: vec![one.clone()], ..formula.clone() });
        }
    }
    out
}

/// The length at which arrays are cut, while the count beside them goes on.
fn cap(documents: &[&crate::profile::Kept], formula: &Formula, array: &str) -> Option<u64> {
    let mut lengths = Vec::new();
    for kept in documents {
        kept.with(|document| {
            let stored = super::formula::number(document, 0, &formula.target);
            lengths.extend(super::formula::array_at(document, 0, array).map(|(_, length)| length).zip(stored));
        });
    }
    let longest = lengths.iter().map(|(length, _)| *length).max()?;
    let at_longest = || lengths.iter().filter(|(length, _)| *length == longest);
    let beyond = at_longest().filter(|(length, stored)| (*length as f64) < *stored).count();
    (2 <= beyond && at_longest().count() <= beyond * 2).then_some(longest)
}
