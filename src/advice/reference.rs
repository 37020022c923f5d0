//! Decisions about documents that refer to each other: together, apart as today, or a form in between.
//!
//! The order of the decision is that of the knowledge base: what cannot last is out, what leads a life of its own stays
//! apart, and among the rest today's form stays unless another one is known to read and write a fifth less.

use serde_json::{Map, Value};

use super::declared::{Answer, Declared, EMBEDDING, REFERENCING};
use super::family::{Families, Form, Holder, Weights};
use super::names::{RelationNames, keys_of};
use super::relationship::{AHEAD, Decision, FEW, KIND, MANY, TOO_MANY, UNKNOWN, WORTH_KEEPING, criterion, evidence};
use super::simulate::{YEAR, YEARS, tenths};
use crate::config::intent::{Bound, Ownership, ReadTogether};
use crate::facts::limits;
use crate::finding::{Alternative, Certainty, Criterion, Recommendation};
use crate::locale::{Lang, ReferenceSentences, template};
use crate::model::relation::{DeclaredRelation, Load, Shown, links};
use crate::model::{self, Collection, Copied, Model, Relation};
use crate::workload::{Update, Verb, update};

/// Share of the operations on a child that need no parent, from which on it is not embedded.
const ALONE: f64 = 0.1;
/// Share of the reads of a child that bring its parent too, from which on both are read together.
const TOGETHER: f64 = 0.9;
/// What an alternative must save of the bytes read and written.
const SAVES: f64 = 0.2;
/// Fields that an extended reference copies at most, and bytes of them.
const COPIES: usize = 4;
const COPIES_BYTES: f64 = 256.0;
/// Share of the joins that the copies must serve.
const SERVED: f64 = 0.5;
/// Children shown with their parent in a subset where no join says how many.
const NEWEST: u64 = 10;
/// Children of a parent up to which a list without a bound is small.
const SMALL_LIST: u64 = 20;

/// Why a decision was made: picks the sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reason {
    /// Nothing speaks for another form.
    Silent,
    /// The child is read or written without its parent.
    Alone,
    /// Other collections refer to the child, or it is declared shared.
    Shared,
    /// Permissions, retention or lifecycle differ.
    Different,
    /// Too many children for any form in the parent.
    Many,
    /// Copies stand beside the reference already.
    Copied,
    /// A list of keys that is bounded and followed forwards.
    Listed,
    /// Parts of a document name what has documents of its own.
    Within,
    /// Both sides hold many, or the link has attributes.
    Linked,
    /// Always read with the parent, few, never alone.
    Together,
    /// A join brings few small fields.
    FewFields,
    /// Joins bring the newest children only.
    NewestShown,
    /// Joins only count.
    Counted,
    /// A list of keys grows without a bound.
    ListGrows,
    /// A link without attributes, few on both sides.
    BareLink,
    /// Another form would save less than a fifth.
    NotWorth,
}

/// One relationship with all that is measured on it.
pub(super) struct Case<'a> {
    pub(super) model: &'a Model,
    pub(super) relation: &'a Relation,
    /// The other reference, where the collection that refers is an association.
    pub(super) link: Option<&'a Relation>,
    pub(super) holder: Holder,
    pub(super) parents: Option<&'a Collection>,
    pub(super) children: Option<&'a Collection>,
    pub(super) names: RelationNames,
    pub(super) families: Option<Families>,
    /// Fields of the parent that joins from a child show.
    pub(super) shown: Vec<String>,
    /// Copies that stand beside the reference today.
    pub(super) copies: Vec<Copied>,
    pub(super) newest: u64,
    declared: Option<DeclaredRelation<'a>>,
    weights: Weights,
    /// Whether a workload or the declared model tells how often what runs.
    weighed: bool,
}

/// The decisions about the references of a collection.
pub(super) fn decide(model: &Model, collection: &Collection, lang: Lang) -> Vec<Recommendation> {
    let own: Vec<&Relation> = model.relations.iter().filter(|relation| relation.from == collection.ns).collect();
    let links = links(model, collection);
    let mut out = Vec::new();
    for relation in own.into_iter().filter(|relation| !is_subset_key(model, relation)) {
        let link = links.as_ref().and_then(|[a, b]| {
            let other = |one: &Relation, other| (relation.path == one.path).then_some(other);
            other(a, *b).or_else(|| other(b, *a))
        });
        out.extend(Case::new(model, relation, link).recommendation(lang));
    }
    out
}

/// Whether a reference is the key of a copy in a subset: its target names the document back, and the decision about the
/// array is the one about both.
fn is_subset_key(model: &Model, relation: &Relation) -> bool {
    let names_back = |other: &Relation| other.from == relation.to && other.to == relation.from;
    relation.many
        && matches!(relation.path.as_str().rsplit_once('.'), Some((_, "_id" | "id")))
        && model.relations.iter().any(names_back)
}

impl<'a> Case<'a> {
    fn new(model: &'a Model, relation: &'a Relation, link: Option<&'a Relation>) -> Case<'a> {
        let from = model.collection(&relation.from);
        // A list of keys, not keys in a list of objects.
        let is_list = from.is_some_and(|c| c.arrays().iter().any(|array| array.path == relation.path));
        let is_one = relation.per_target(model).is_some_and(|(counts, _)| counts.max() <= 1);
        // One to one, and followed from here alone: this side is the whole, the other its part.
        let is_part =
            !relation.many && is_one && relation.uses.backward.is_empty() && !relation.uses.forward.is_empty();
        let holder = if relation.many && is_list || is_part { Holder::Parent } else { Holder::Child };
        let to = model.collection(&relation.to);
        let (parents, children) = if holder == Holder::Child { (to, from) } else { (from, to) };
        let (of_parents, of_children) = match holder {
            Holder::Child => (&relation.to, &relation.from),
            Holder::Parent => (&relation.from, &relation.to),
        };
        let today = (relation.path.as_str(), holder == Holder::Child);
        let one = is_one && !relation.many;
        let names = RelationNames::new(model, of_parents, of_children, today, one);
        let shown = shown(relation);
        let copies = relation.pairs(model).map(|pairs| model::copied(&pairs)).unwrap_or_default();
        let newest = relation.uses.backward.iter().filter_map(|join| join.first).max().unwrap_or(NEWEST);
        let within = relation.many && holder == Holder::Child;
        let families = if within || relation.is_self() {
            None
        } else {
            Families::new(model, relation, holder, names.clone(), &shown, newest)
        };
        let declared = relation.declared(model);
        let mut names = names;
        if let Some(other) = link {
            names.child_ids = keys_of(model, &relation.to, &other.to);
        }
        let mut case = Case {
            model,
            relation,
            link,
            holder,
            parents,
            children,
            names,
            families,
            shown,
            copies,
            newest,
            declared,
            weights: Weights::default(),
            weighed: false,
        };
        case.weigh();
        case
    }

    fn recommendation(self, lang: Lang) -> Option<Recommendation> {
        let (decision, reason) = self.decide();
        if reason == Reason::BareLink && !self.is_list_side() {
            return None;
        }
        let referring = self.model.collection(&self.relation.from).map_or(0, Collection::documents);
        let is_told = self.declared.is_some() || self.weighed;
        if decision == Decision::Keep && !is_told && (referring < WORTH_KEEPING || !self.is_measured()) {
            return None;
        }
        let sentences = &lang.sentences().references;
        let figures = self.told();
        let mut why = template::fill(because(reason, sentences), &figures, lang);
        if let Some(then) = then(decision, sentences) {
            why.push(' ');
            why.push_str(&template::fill(then, &figures, lang));
        }
        let collection = match (self.link, self.holder) {
            (Some(_), _) | (None, Holder::Parent) => &self.relation.from,
            (None, Holder::Child) => &self.relation.to,
        };
        let asks = self.asks(decision, sentences);
        Some(Recommendation {
            kind: KIND.to_owned(),
            subject: format!("{}.{}", self.relation.from, self.relation.path),
            collection: Some(collection.to_string()),
            today: self.today().to_owned(),
            decision: decision.word().to_owned(),
            certainty: if self.is_measured() { Certainty::Measured } else { Certainty::Inferred },
            why,
            criteria: self.criteria(),
            alternatives: self.alternatives(decision, sentences, &figures, lang),
            asks: asks.into_iter().map(|ask| template::fill(ask, &figures, lang)).collect(),
            scripts: super::scripts::of_reference(&self, decision, &figures, lang),
        })
    }

    /// The word for the present form.
    fn today(&self) -> &'static str {
        if self.link.is_some() {
            Decision::Association.word()
        } else if !self.copies.is_empty() {
            Decision::ExtendedReference.word()
        } else if self.relation.many {
            Decision::ChildReferences.word()
        } else {
            Decision::ParentReference.word()
        }
    }

    /// Whether the values of both sides were compared.
    fn is_measured(&self) -> bool {
        self.relation.known_by.values.is_some()
    }

    fn decide(&self) -> (Decision, Reason) {
        if self.relation.is_self() {
            return (Decision::Keep, Reason::Silent);
        }
        if self.holder == Holder::Parent && (self.relation.many || self.apart().is_none() && self.is_together()) {
            return self.decide_list();
        }
        if let Some(other) = self.link
            && self.is_bare_link(other)
        {
            return (Decision::ChildReferences, Reason::BareLink);
        }
        let within = self.holder == Holder::Child && self.relation.many;
        let apart = self.apart();
        if self.holder == Holder::Child && !within && apart.is_none() && self.is_together() {
            return self.if_saves(Form::Embed, (Decision::Embed, Reason::Together));
        }
        if self.link.is_some() {
            return (Decision::Keep, Reason::Linked);
        }
        if !self.copies.is_empty() {
            return (Decision::Keep, Reason::Copied);
        }
        if self.is_shown_in_few_fields() {
            return (Decision::ExtendedReference, Reason::FewFields);
        }
        if within {
            return (Decision::Keep, Reason::Within);
        }
        let backward = &self.relation.uses.backward;
        let count = backward.iter().filter(|join| join.shown == Shown::Count);
        let counted = count.fold(Load::default(), |sum, join| sum.and(join.load));
        let is_known = self.weights.added.max(self.weights.both) > 0.0 && self.has_frequencies();
        let many = FEW < self.counts().1;
        if is_known && many && counted.share_of(self.relation.uses.backward_load()).is_some_and(|share| SERVED <= share)
        {
            return self.if_saves(Form::Computed, (Decision::Computed, Reason::Counted));
        }
        let first = backward.iter().filter(|join| join.first.is_some());
        let first = first.fold(Load::default(), |sum, join| sum.and(join.load));
        if is_known && many && first.share_of(self.relation.uses.backward_load()).is_some_and(|share| SERVED <= share) {
            return self.if_saves(Form::Subset, (Decision::Subset, Reason::NewestShown));
        }
        (Decision::Keep, apart.unwrap_or(Reason::Silent))
    }

    /// The decision about a list of keys.
    fn decide_list(&self) -> (Decision, Reason) {
        let (_, p99, max) = self.counts();
        let grows = self.list_grows();
        let soon = self.forecast();
        let is_unbounded = self.declared_bound() == Some(false);
        if TOO_MANY <= p99 || grows && MANY <= soon || is_unbounded {
            return (
                if self.has_many_parents() { Decision::Association } else { Decision::ParentReference },
                Reason::ListGrows,
            );
        }
        if self.apart().is_none() && !self.has_many_parents() && max <= SMALL_LIST && self.is_together() {
            return self.if_saves(Form::Embed, (Decision::Embed, Reason::Together));
        }
        (Decision::Keep, Reason::Listed)
    }

    /// Why the child must stay apart, where it must.
    fn apart(&self) -> Option<Reason> {
        let declared = self.declared.map(|declared| declared.relationship);
        let (_, p99, max) = self.counts();
        if TOO_MANY <= p99 || f64::from(limits::DOCUMENT_BYTES) <= self.largest_embedded() || MANY <= self.forecast() {
            return Some(Reason::Many);
        }
        if self.declared_bound() == Some(false) || SMALL_LIST < max && self.declared_bound() != Some(true) {
            return Some(Reason::Many);
        }
        if self.is_shared() {
            return Some(Reason::Shared);
        }
        if self.lifecycle().0 == "different" {
            return Some(Reason::Different);
        }
        let is_alone = declared.and_then(|r| r.child_read_alone) == Some(true)
            || declared.and_then(|r| r.child_written_alone) == Some(true)
            || self.alone().is_some_and(|share| ALONE <= share);
        is_alone.then_some(Reason::Alone)
    }

    /// Whether a child is read with its parent nearly always, never alone, and few belong to one parent.
    fn is_together(&self) -> bool {
        let declared = self.declared.map(|declared| declared.relationship);
        let told = declared.and_then(|r| r.read_together) == Some(ReadTogether::Always)
            && declared.and_then(|r| r.child_read_alone) == Some(false);
        let is_seen = self.together().is_some_and(|share| TOGETHER <= share);
        let (_, _, max) = self.counts();
        let is_owned = declared.and_then(|r| r.ownership).is_none_or(|whose| whose == Ownership::Owned);
        let is_counted = self.families.is_some() && (!self.is_part() || self.declared_bound() == Some(true));
        is_owned && is_counted && 0 < max && (told || is_seen)
    }

    /// Whether the counts are too low: only a part of the documents that refer was read, and no children were fetched.
    fn is_part(&self) -> bool {
        let Some(from) = self.model.collection(&self.relation.from) else { return true };
        let is_counted = self.relation.per_target(self.model).is_some_and(|(_, whole)| whole);
        !is_counted && from.documents() < from.stored()
    }

    /// Whether several collections or declared parents share the children.
    fn is_shared(&self) -> bool {
        if self.declared.is_some_and(|declared| declared.is_shared()) {
            return true;
        }
        let children = if self.holder == Holder::Child { &self.relation.from } else { &self.relation.to };
        let is_other = |other: &&Relation| {
            other.to == *children && !(other.from == self.relation.from && other.path == self.relation.path)
        };
        self.model.relations.iter().any(|other| is_other(&other))
            || self.holder == Holder::Parent && self.has_many_parents()
    }

    /// Whether one child in ten stands in the lists of several parents.
    fn has_many_parents(&self) -> bool {
        let declared = self.declared.filter(|declared| declared.parent_refers);
        if let Some(parents) = declared.and_then(|d| d.relationship.parents_per_child.as_ref()) {
            return parents.p99.or(parents.max).or(parents.typical).is_some_and(|count| 1.0 < count);
        }
        self.relation.per_target(self.model).is_some_and(|(counts, _)| counts.count() <= counts.at_least(2) * 10)
    }

    /// Children of a parent: median, 99th percentile and most, as declared or counted.
    fn counts(&self) -> (u64, u64, u64) {
        let counted = self.families.as_ref().map_or((0, 0, 0), Families::counts);
        let counted = match self.relation.per_target(self.model) {
            Some((counts, _)) if self.holder == Holder::Child => (counts.median(), counts.p99(), counts.max()),
            _ => counted,
        };
        let Some(cardinality) = self.declared_cardinality() else { return counted };
        let told = |value: Option<f64>, counted: u64| value.map_or(counted, |value| counted.max(value.max(0.0) as u64));
        (
            told(cardinality.typical, counted.0),
            told(cardinality.p99.or(cardinality.typical), counted.1),
            told(cardinality.max.or(cardinality.p99), counted.2),
        )
    }

    fn declared_cardinality(&self) -> Option<&crate::config::intent::Cardinality> {
        let declared = self.declared?;
        // Children of one parent, whichever side the declaration calls the parent.
        let is_inverse = declared.parent_refers == (self.holder == Holder::Child);
        if is_inverse {
            declared.relationship.parents_per_child.as_ref()
        } else {
            declared.relationship.cardinality.as_ref()
        }
    }

    fn declared_bound(&self) -> Option<bool> {
        self.declared_cardinality().and_then(|c| c.growth).map(|growth| growth == Bound::Bounded)
    }

    fn list_grows(&self) -> bool {
        let collection = self.model.collection(&self.relation.from);
        let array = collection.and_then(|c| c.arrays().iter().find(|array| array.path == self.relation.path));
        let bound = array.zip(collection).and_then(|(array, c)| c.validator()?.array_bound(array.path.as_str()));
        bound.is_none() && self.declared_bound() != Some(true) && array.is_some_and(model::Array::grows)
    }

    /// Children at the 99th percentile in three years.
    fn forecast(&self) -> f64 {
        self.families.as_ref().map_or(0.0, |families| families.forecast(AHEAD * YEAR))
    }

    fn largest_embedded(&self) -> f64 {
        self.families.as_ref().map_or(0.0, |families| families.largest_embedded(AHEAD * YEAR))
    }

    /// Which part of the reads of children brings their parent too.
    fn together(&self) -> Option<f64> {
        let uses = &self.relation.uses;
        match self.holder {
            Holder::Child => uses.backward_load().share_of(self.relation.reads_of_referring()),
            Holder::Parent => {
                let forward = uses.forward_load();
                forward.share_of(forward.and(uses.target_alone))
            }
        }
    }

    /// Which part of the reads and changes of children needs no parent.
    fn alone(&self) -> Option<f64> {
        let uses = &self.relation.uses;
        let alone = if self.holder == Holder::Child { uses.referring_alone } else { uses.target_alone };
        let all = match self.holder {
            Holder::Child => self.relation.reads_of_referring(),
            Holder::Parent => uses.forward_load().and(uses.target_alone),
        };
        alone.share_of(all)
    }

    /// Whether the joins from children show few small fields of the parent, which change less than they are read.
    fn is_shown_in_few_fields(&self) -> bool {
        let uses = &self.relation.uses;
        if self.shown.is_empty() || COPIES < self.shown.len() {
            return false;
        }
        let serves = |shown: &Shown| matches!(shown, Shown::Fields(fields) if fields.iter().all(|f| self.shown.contains(f) || f == self.relation.target.as_str()));
        let served = uses.forward.iter().filter(|join| serves(&join.shown));
        let served = served.fold(Load::default(), |sum, join| sum.and(join.load));
        let enough = served.share_of(uses.forward_load()).is_some_and(|share| SERVED <= share);
        let is_small = self.families.as_ref().is_none_or(|families| families.shown() <= COPIES_BYTES);
        let (changes, is_known) = self.changes_of_shown();
        let copies = self.relation.per_target(self.model).map_or(1.0, |(counts, _)| counts.mean() as f64).max(1.0);
        // Without frequencies every place in the source counts once, which says nothing: then it must never change.
        let pays = if is_known {
            changes.per_day.max(changes.runs as f64) * copies < served.per_day.max(served.runs as f64)
        } else {
            changes.is_none()
        };
        enough && is_small && pays
    }

    /// Changes of what is shown of the parent, and whether it is known how often they and the joins run.
    fn changes_of_shown(&self) -> (Load, bool) {
        let mut load = Load::default();
        for operation in self.model.workload.of(&self.relation.to).filter(|operation| operation.verb.is_write()) {
            let touches = match Update::of(operation) {
                None => !matches!(operation.verb, Verb::Insert | Verb::Delete | Verb::FindAndDelete),
                Some(update) => {
                    let changes = update
                        .changes
                        .iter()
                        .any(|change| self.shown.iter().any(|path| update::overlap(&change.field(), path)));
                    changes || update.open || update.replacement().is_some() || update.stages().is_some()
                }
            };
            if touches {
                load.add(Load::of(operation));
            }
        }
        let served = self.relation.uses.forward_load();
        (load, 0.0 < served.per_day || 0 < served.runs)
    }

    /// Whether a link has nothing but its references, and both sides few.
    fn is_bare_link(&self, other: &Relation) -> bool {
        let Some(children) = self.children else { return false };
        let attributes = model::relation::attributes(children, &[self.relation, other]);
        let few =
            |relation: &Relation| relation.per_target(self.model).is_some_and(|(counts, _)| counts.max() <= SMALL_LIST);
        !self.is_part() && attributes.is_some_and(|fields| fields.is_empty()) && few(self.relation) && few(other)
    }

    /// Whether this side of a bare link takes the list: the one that is followed more, else the one with fewer.
    fn is_list_side(&self) -> bool {
        let Some(other) = self.link else { return true };
        let followed = |relation: &Relation| {
            relation.reads_of_referring().operations
                - relation.uses.referring_alone.operations.min(relation.reads_of_referring().operations)
        };
        let most = |relation: &Relation| relation.per_target(self.model).map_or(0, |(counts, _)| counts.max());
        let key =
            |relation: &Relation| (std::cmp::Reverse(followed(relation)), most(relation), relation.path.to_string());
        key(self.relation) <= key(other)
    }

    /// The decision for a form where it is worth it, else for today's.
    fn if_saves(&self, form: Form, decision: (Decision, Reason)) -> (Decision, Reason) {
        if self.saves(form) { decision } else { (Decision::Keep, Reason::NotWorth) }
    }

    /// Whether a form reads and writes a fifth less than today's, by what is known of the workload: of the bytes, or of
    /// the documents where it takes no more bytes, since each document is found by an index of its own.
    fn saves(&self, form: Form) -> bool {
        let Some(families) = &self.families else { return false };
        let (_, today) = families.figures(self.today_form(), &self.weights);
        let (_, then) = families.figures(form, &self.weights);
        let less = |then: f64, today: f64| 0.0 < today && then <= today * (1.0 - SAVES);
        less(then.1, today.1) || less(then.0, today.0) && then.1 <= today.1
    }

    fn today_form(&self) -> Form {
        match (self.link, self.holder) {
            (Some(_), _) => Form::ParentReference,
            (None, Holder::Parent) => Form::ChildReferences,
            (None, Holder::Child) if self.copies.is_empty() => Form::ParentReference,
            (None, Holder::Child) => Form::ExtendedReference,
        }
    }

    fn has_frequencies(&self) -> bool {
        let all = self.all_loads();
        0.0 < all.per_day || 0 < all.runs
    }

    fn all_loads(&self) -> Load {
        let uses = &self.relation.uses;
        [
            uses.forward_load(),
            uses.backward_load(),
            uses.by_reference,
            uses.referring_alone,
            uses.target_alone,
            uses.target_joined,
            uses.referring_written,
            uses.target_written,
            uses.referring_added,
        ]
        .into_iter()
        .fold(Load::default(), Load::and)
    }

    /// How often each pattern runs: as declared, as seen, else each place in the source once.
    fn weigh(&mut self) {
        let all = self.all_loads();
        let unit = |load: Load| {
            if 0.0 < all.per_day {
                load.per_day
            } else if 0 < all.runs {
                load.runs as f64
            } else {
                load.operations as f64
            }
        };
        let uses = &self.relation.uses;
        let changed = self.changes_of_shown().0;
        let mut weights = match self.holder {
            Holder::Child => Weights {
                parent: unit(uses.target_alone),
                both: unit(uses.backward_load()),
                children: unit(uses.by_reference),
                child: (unit(uses.referring_alone) - unit(uses.forward_load())).max(0.0),
                joined: unit(uses.forward_load()),
                added: unit(uses.referring_added),
                written: unit(uses.referring_written),
                changed: unit(changed),
            },
            Holder::Parent => Weights {
                parent: (unit(uses.referring_alone) - unit(uses.forward_load())).max(0.0),
                both: unit(uses.forward_load()),
                children: 0.0,
                child: unit(uses.target_alone),
                joined: unit(uses.backward_load()),
                added: 0.0,
                written: unit(uses.target_written),
                changed: unit(uses.referring_written),
            },
        };
        let declared = self.declared.map(|declared| declared.relationship);
        if let Some(reads) =
            declared.and_then(|r| r.parent_reads_per_day).filter(|_| all.is_none() || 0.0 < all.per_day)
        {
            let share = match declared.and_then(|r| r.read_together) {
                Some(ReadTogether::Always) => 1.0,
                Some(ReadTogether::Often) => 0.75,
                Some(ReadTogether::Rarely) => 0.1,
                Some(ReadTogether::Never) | None => 0.0,
            };
            weights.both += reads * share;
            weights.parent += reads * (1.0 - share);
            weights.written += declared.and_then(|r| r.child_updates_per_day).unwrap_or(0.0);
        }
        // Of a design nothing runs yet: what is declared to be read together is the one pattern that is known.
        if all.is_none() && declared.and_then(|r| r.read_together) == Some(ReadTogether::Always) && weights.both == 0.0
        {
            weights.both = 1.0;
        }
        self.weighed = !all.is_none() || 0.0 < weights.both + weights.parent;
        self.weights = weights;
    }

    /// The figures that sentences may name.
    fn told(&self) -> Map<String, Value> {
        let (median, p99, max) = self.counts();
        let quoted = |text: &str| {
            let mut out = String::new();
            template::quote(&mut out, text);
            Value::from(out)
        };
        let uses = &self.relation.uses;
        let backward = if self.holder == Holder::Child { &uses.backward } else { &uses.forward };
        let (compared, found) = self.relation.known_by.values.unwrap_or_default();
        let mut out = evidence([
            ("from", quoted(&self.relation.from.to_string())),
            ("to", quoted(&self.relation.to.to_string())),
            ("path", quoted(self.relation.path.as_str())),
            ("child", self.names.child.clone().into()),
            ("parent", self.names.parent.clone().into()),
            ("median", median.into()),
            ("p99", p99.into()),
            ("max", max.into()),
            ("in3Years", tenths(self.forecast().round())),
            ("joins", (backward.len() as u64).into()),
            ("fields", self.shown.iter().map(|f| Value::from(f.as_str())).collect::<Vec<_>>().into()),
            ("copies", self.copies.iter().map(|c| Value::from(c.path.as_str())).collect::<Vec<_>>().into()),
            ("newest", self.newest.into()),
            ("compared", compared.into()),
            ("found", found.into()),
            ("list", quoted(&self.names.list)),
            ("childIds", quoted(&self.names.child_ids)),
        ]);
        if let Some(alone) = self.alone() {
            out.insert("alone".to_owned(), alone.into());
        }
        if let Some(link) = self.link {
            out.insert("other".to_owned(), quoted(&link.to.to_string()));
            if let Some((counts, _)) = link.per_target(self.model) {
                out.insert("otherMax".to_owned(), counts.max().into());
            }
        }
        out
    }

    fn criteria(&self) -> Vec<Criterion> {
        let declared = Declared::of_relationship(self.declared.map(|declared| declared.relationship));
        let uses = &self.relation.uses;
        let share = |name: &str, value: Option<f64>| match value {
            Some(value) => evidence([(name, tenths(value * 100.0))]),
            None => Map::new(),
        };
        let told = |answer: Option<Answer>, measured: Answer, mut figures: Map<String, Value>| match answer {
            Some(answer) => {
                figures.insert("declared".to_owned(), true.into());
                (answer, figures)
            }
            None => (measured, figures),
        };
        let together = self.together();
        let read_together = match together {
            Some(share) if TOGETHER <= share => ("nearly always", Some(EMBEDDING)),
            Some(0.0) => ("never", Some(REFERENCING)),
            Some(_) => ("sometimes", None),
            None => (UNKNOWN, None),
        };
        let alone = self.alone();
        let read_alone = match alone {
            Some(share) if ALONE <= share => ("often", Some(REFERENCING)),
            Some(0.0) => ("never", Some(EMBEDDING)),
            Some(_) => ("rarely", Some(EMBEDDING)),
            None => (UNKNOWN, None),
        };
        let writes = if self.holder == Holder::Child { uses.referring_written } else { uses.target_written };
        let updated = if 0 < uses.written_together {
            ("yes", Some(EMBEDDING))
        } else if !writes.is_none() {
            ("no", Some(REFERENCING))
        } else {
            (UNKNOWN, None)
        };
        let reads = if self.holder == Holder::Child {
            self.relation.reads_of_referring()
        } else {
            uses.forward_load().and(uses.target_alone)
        };
        let rate = match writes.share_of(reads) {
            Some(share) if 1.0 <= share => ("often", Some(REFERENCING)),
            Some(_) => ("rarely", Some(EMBEDDING)),
            None => (UNKNOWN, None),
        };
        let measured_ownership = if self.is_shared() { ("shared", Some(REFERENCING)) } else { (UNKNOWN, None) };
        let (size, size_evidence) = self.size();
        let mut out = Vec::new();
        let mut put = |name: &str, weight: u8, (answer, figures): (Answer, Map<String, Value>)| {
            out.push(criterion(name, answer, weight, figures));
        };
        put("ownership", 3, told(declared.ownership(), measured_ownership, Map::new()));
        put("growth", 3, (self.growth(), self.growth_evidence()));
        put("read together", 3, told(declared.read_together(), read_together, share("percentOfReads", together)));
        put("read alone", 3, told(declared.read_alone(), read_alone, share("percentOfReads", alone)));
        put("updated together", 2, told(declared.updated_together(), updated, Map::new()));
        put("rate of change", 2, (rate, share("writesPer100Reads", writes.share_of(reads))));
        put("history", 2, told(declared.semantics(), (UNKNOWN, None), self.copies_evidence()));
        put("size", 2, (size, size_evidence));
        put("indexes", 1, self.indexes());
        let lifecycle = self.lifecycle();
        put("lifecycle", 2, (lifecycle, Map::new()));
        put("sharding", 1, (self.sharding(), Map::new()));
        put("analytics", 1, told(declared.analytics(), (UNKNOWN, None), Map::new()));
        put("staleness", 1, told(declared.staleness(), (UNKNOWN, None), Map::new()));
        out
    }

    fn growth(&self) -> Answer {
        let grows = match self.holder {
            Holder::Parent => self.list_grows(),
            Holder::Child => self.families.as_ref().and_then(|f| f.growth).is_some_and(|growth| growth.is_steady()),
        };
        let telling = self.families.as_ref().and_then(|f| f.growth).is_some_and(|growth| growth.is_telling());
        match (self.declared_bound(), grows) {
            (Some(true), _) => ("bounded", Some(EMBEDDING)),
            (Some(false), _) | (None, true) => ("unbounded", Some(REFERENCING)),
            (None, false) if telling => ("stable", Some(EMBEDDING)),
            (None, false) => (UNKNOWN, None),
        }
    }

    fn growth_evidence(&self) -> Map<String, Value> {
        let (median, p99, max) = self.counts();
        let mut out = evidence([
            ("kind", self.kind().into()),
            ("median", median.into()),
            ("p99", p99.into()),
            ("max", max.into()),
        ]);
        let Some(families) = &self.families else { return out };
        if let Some(growth) = families.growth {
            out.extend(evidence([
                ("documentsCompared", growth.points.into()),
                ("days", growth.days.into()),
                ("tau", (growth.tau as f64 / 1000.0).into()),
            ]));
            if growth.is_steady() {
                out.insert("perMonth".to_owned(), tenths(growth.per_month as f64 / 1000.0));
                for years in YEARS {
                    let unit = if years == 1 { "Year" } else { "Years" };
                    let ahead = families.forecast(f64::from(years) * YEAR);
                    out.insert(format!("p99In{years}{unit}"), tenths(ahead.round()));
                }
            }
        }
        out
    }

    /// The kind of relationship by its cardinality.
    fn kind(&self) -> &'static str {
        let (_, p99, max) = self.counts();
        if self.link.is_some() || self.holder == Holder::Parent && self.has_many_parents() {
            "many-to-many"
        } else if self.growth().0 == "unbounded" {
            "one-to-unbounded"
        } else if max == 1 {
            "one-to-one"
        } else if p99 <= FEW {
            "one-to-few"
        } else {
            "one-to-many"
        }
    }

    fn size(&self) -> (Answer, Map<String, Value>) {
        let Some(families) = &self.families else { return ((UNKNOWN, None), Map::new()) };
        let (child, parent) = families.sizes();
        let (_, p99, _) = self.counts();
        let all = child * p99 as f64;
        let figures = evidence([
            ("childBytes", tenths(child.round())),
            ("parentBytes", tenths(parent.round())),
            ("childrenBytesP99", tenths(all.round())),
            ("sampled", families.sampled().into()),
        ]);
        let answer = if parent * 10.0 <= all {
            ("large", Some(REFERENCING))
        } else if all <= parent {
            ("small", Some(EMBEDDING))
        } else {
            ("medium", None)
        };
        (answer, figures)
    }

    fn copies_evidence(&self) -> Map<String, Value> {
        if self.copies.is_empty() {
            return Map::new();
        }
        let list = |of: fn(&Copied) -> Value| Value::from(self.copies.iter().map(of).collect::<Vec<_>>());
        evidence([
            ("copies", list(|copied| copied.path.as_str().into())),
            ("equal", list(|copied| copied.equal.into())),
            ("pairs", list(|copied| copied.pairs.into())),
        ])
    }

    fn indexes(&self) -> (Answer, Map<String, Value>) {
        let Some(children) = self.children.filter(|c| c.knows_indexes()) else { return ((UNKNOWN, None), Map::new()) };
        let own = children.indexes().iter().filter(|index| {
            let path = self.relation.path.as_str();
            let leads = index.key.first().is_some_and(|(first, _)| first == path);
            let is_reference = self.holder == Holder::Child && leads;
            !index.is_id() && !is_reference
        });
        let own: Vec<Value> = own.map(|index| Value::from(index.name.as_str())).collect();
        let answer = if own.is_empty() { ("none", Some(EMBEDDING)) } else { ("own", Some(REFERENCING)) };
        (answer, evidence([("ofChildren", own.into())]))
    }

    fn lifecycle(&self) -> Answer {
        let declared = Declared::of_relationship(self.declared.map(|declared| declared.relationship));
        if let Some(answer) = declared.lifecycle() {
            return answer;
        }
        let expires = |collection: Option<&Collection>| {
            collection.is_some_and(|c| c.indexes().iter().any(|index| index.expire_after_seconds.is_some()))
        };
        match (expires(self.children), expires(self.parents)) {
            (true, false) | (false, true) => ("different", Some(REFERENCING)),
            _ => (UNKNOWN, None),
        }
    }

    /// Whether both sides lie together: their shard keys begin with the same field, or with the reference and the key
    /// that it names.
    fn sharding(&self) -> Answer {
        let first = |collection: Option<&Collection>| {
            collection.and_then(|c| self.model.shard_keys(c).next()?.key.first().map(|(path, _)| path.clone()))
        };
        let (from, to) = (self.model.collection(&self.relation.from), self.model.collection(&self.relation.to));
        if let (Some(from), Some(to)) = (first(from), first(to)) {
            let joined = from == self.relation.path.as_str() && to == self.relation.target.as_str();
            // Every collection has its own `_id`.
            let same = from == to && from != "_id";
            return if same || joined { ("same key", Some(EMBEDDING)) } else { ("other key", Some(REFERENCING)) };
        }
        let sharded = |collection: Option<&Collection>| collection?.catalogue.statistics.iter().find_map(|s| s.sharded);
        match (sharded(from), sharded(to)) {
            (Some(false), Some(false)) => ("not sharded", None),
            _ => (UNKNOWN, None),
        }
    }

    /// Today's form, the proposal, and what else a team would consider.
    fn alternatives(
        &self,
        decision: Decision,
        sentences: &ReferenceSentences,
        told: &Map<String, Value>,
        lang: Lang,
    ) -> Vec<Alternative> {
        let Some(families) = &self.families else { return Vec::new() };
        let (figures, cost) = families.figures(self.today_form(), &self.weights);
        let mut out = vec![Alternative { decision: self.today().to_owned(), out: None, figures }];
        let mut forms: Vec<(&str, Form)> = Vec::new();
        let mut consider = |decision: Decision, form: Form| {
            if !forms.iter().any(|(name, _)| *name == decision.word()) && decision.word() != self.today() {
                forms.push((decision.word(), form));
            }
        };
        match decision {
            Decision::ChildReferences => consider(decision, Form::ChildReferences),
            Decision::ParentReference => consider(decision, Form::ParentReference),
            Decision::Association => consider(decision, Form::Association),
            Decision::Computed => consider(decision, Form::Computed),
            Decision::Subset => consider(decision, Form::Subset),
            _ => {}
        }
        consider(Decision::Embed, Form::Embed);
        if self.holder == Holder::Child && !self.shown.is_empty() && self.shown.len() <= COPIES {
            consider(Decision::ExtendedReference, Form::ExtendedReference);
        }
        if self.holder == Holder::Child && FEW < self.counts().1 {
            consider(Decision::Subset, Form::Subset);
        }
        if self.holder == Holder::Parent {
            consider(Decision::ParentReference, Form::ParentReference);
        }
        for (name, form) in forms {
            let (mut figures, then) = families.figures(form, &self.weights);
            for (name, then, cost) in [("savedDocumentsShare", then.0, cost.0), ("savedBytesShare", then.1, cost.1)] {
                if 0.0 < cost {
                    let saved = 1.0 - then / cost;
                    figures.insert(name.to_owned(), ((saved * 100.0).round() / 100.0).into());
                }
            }
            let out_of = match (form, self.apart()) {
                (Form::Embed, Some(Reason::Many)) => Some(sentences.out_many),
                (Form::Embed, Some(Reason::Alone)) => Some(sentences.out_alone),
                (Form::Embed, Some(Reason::Shared)) => Some(sentences.out_shared),
                (Form::Embed, Some(Reason::Different)) => Some(sentences.out_different),
                _ => None,
            };
            let out_of = out_of.map(|sentence| template::fill(sentence, told, lang));
            out.push(Alternative { decision: name.to_owned(), out: out_of, figures });
        }
        out
    }

    /// Whether documents that refer are looked for by the reference and no index leads with it, for certain.
    pub(super) fn lacks_index(&self) -> bool {
        let path = self.relation.path.as_str();
        let from = self.model.collection(&self.relation.from).filter(|c| c.knows_indexes());
        let leads = |index: &crate::catalogue::Index| index.key.first().is_some_and(|(first, _)| first == path);
        from.is_some_and(|c| self.relation.uses.follows_backward() && !c.indexes().iter().any(leads))
    }

    /// The order that puts the newest children first: that of a join which brings the first, else their ids.
    pub(super) fn newest_first(&self) -> Vec<(String, i32)> {
        let of_join = self.relation.uses.backward.iter().find_map(|join| join.order.clone());
        let order = of_join.unwrap_or_default().into_iter().map(|key| (key.path, if key.descending { -1 } else { 1 }));
        order.chain([("_id".to_owned(), -1)]).collect()
    }

    /// What is unknown and would change the answer.
    fn asks<'s>(&self, decision: Decision, sentences: &'s ReferenceSentences) -> Vec<&'s str> {
        let declared = self.declared.map(|declared| declared.relationship);
        let few = self.counts().2 <= SMALL_LIST && self.families.is_some();
        let could_embed = decision == Decision::Keep && few && self.apart().is_none();
        let moves = decision == Decision::Embed;
        let copies = matches!(decision, Decision::ExtendedReference | Decision::Subset | Decision::Computed);
        let asks = [
            (
                could_embed && self.together().is_none() && declared.and_then(|r| r.read_together).is_none(),
                sentences.ask_together,
            ),
            (
                could_embed && self.alone().is_none() && declared.and_then(|r| r.child_read_alone).is_none(),
                sentences.ask_alone,
            ),
            ((moves || could_embed) && self.declared_bound().is_none(), sentences.ask_bound),
            (moves && self.lifecycle().0 == UNKNOWN, sentences.ask_lifecycle),
            (copies && declared.is_none_or(|r| r.staleness.is_none()), sentences.ask_staleness),
            (copies && !self.has_frequencies(), sentences.ask_changes),
        ];
        asks.into_iter().filter(|(open, _)| *open).map(|(_, ask)| ask).collect()
    }
}

/// The fields of the parent that joins from a child show, where each of them shows few: all together.
fn shown(relation: &Relation) -> Vec<String> {
    let mut fields = std::collections::BTreeSet::new();
    for join in &relation.uses.forward {
        if let Shown::Fields(shown) = &join.shown
            && shown.len() <= COPIES + 1
        {
            fields.extend(shown.iter().filter(|path| path.as_str() != relation.target.as_str()).cloned());
        }
    }
    fields.into_iter().collect()
}

fn because(reason: Reason, sentences: &ReferenceSentences) -> &'static str {
    match reason {
        Reason::Silent => sentences.silent,
        Reason::Alone => sentences.alone,
        Reason::Shared => sentences.shared,
        Reason::Different => sentences.different,
        Reason::Many => sentences.many,
        Reason::Copied => sentences.copied,
        Reason::Listed => sentences.listed,
        Reason::Within => sentences.within,
        Reason::Linked => sentences.linked,
        Reason::Together => sentences.together,
        Reason::FewFields => sentences.few_fields,
        Reason::NewestShown => sentences.newest_shown,
        Reason::Counted => sentences.counted,
        Reason::ListGrows => sentences.list_grows,
        Reason::BareLink => sentences.bare_link,
        Reason::NotWorth => sentences.not_worth,
    }
}

fn then(decision: Decision, sentences: &ReferenceSentences) -> Option<&'static str> {
    match decision {
        Decision::Embed => Some(sentences.then_embed),
        Decision::ParentReference => Some(sentences.then_parent_reference),
        Decision::ChildReferences => Some(sentences.then_child_references),
        Decision::Association => Some(sentences.then_association),
        Decision::ExtendedReference => Some(sentences.then_extended),
        Decision::Subset => Some(sentences.then_subset),
        Decision::Computed => Some(sentences.then_computed),
        Decision::Keep | Decision::Outlier | Decision::TimeSeries => None,
    }
}
