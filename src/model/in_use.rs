//! Patterns in use on a collection, as documents and cards show them, with what each needs to stay right.

use super::computed::Source;
use super::declared::is_named;
use super::{Collection, Copied, Model, copied};
use crate::catalogue::{CollectionKind, Namespace};
use crate::config::intent::{Card, Derived, DerivedKind, Pattern, Precision};
use crate::facts::names;
use crate::profile::Histogram;
use crate::value::path::FieldPath;

/// A pattern in use.
#[derive(Debug, Clone)]
pub struct InUse {
    /// Which.
    pub pattern: Pattern,
    /// The path that it is about; none where it is about the collection.
    pub path: Option<String>,
    /// Place of its card among the declared ones.
    card: Option<usize>,
    /// Whether documents show it; else its card alone says so.
    pub seen: bool,
    /// Fields that hold what it adds: computed values, copies, flags.
    pub fields: Vec<String>,
    /// Where the truth lies, as far as the evidence tells: a collection, or what a value follows from.
    pub source: Option<String>,
    /// How many there may be of what it bounds, where the evidence tells.
    pub limit: Option<u64>,
    /// How many there are.
    pub lengths: Option<Histogram>,
    /// Documents that were compared with what the pattern promises, and those that break it.
    pub compared: u64,
    /// Documents that break it.
    pub broken: u64,
    /// Whether it holds data that also lies elsewhere, or follows from it.
    pub duplicates: bool,
    /// Whether all that it duplicates is in the declared registry with a source, and with what repairs it.
    registered: Registered,
}

/// What the registry of derived data says of the fields of a pattern.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Registered {
    source: bool,
    repair: bool,
}

/// What a card must say so that others can keep a pattern right.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Need {
    /// How many there may be.
    Limit,
    /// Where the truth lies.
    SourceOfTruth,
    /// Who or what repairs it.
    Repair,
    /// The way out.
    Exit,
}

impl Need {
    /// Its key in a card.
    pub fn name(self) -> &'static str {
        match self {
            Need::Limit => "limit",
            Need::SourceOfTruth => "sourceOfTruth",
            Need::Repair => "repair",
            Need::Exit => "migration.out",
        }
    }
}

impl InUse {
    /// Its card.
    pub fn card<'m>(&self, model: &'m Model) -> Option<&'m Card> {
        model.intent.patterns.get(self.card?)
    }

    /// What its card lacks; without a card, all that it needs and that no registry says.
    pub fn lacks(&self, model: &Model) -> Vec<Need> {
        let card = self.card(model);
        let bounds =
            matches!(self.pattern, Pattern::Bucket | Pattern::Subset | Pattern::Outlier | Pattern::Preallocation);
        let derives = matches!(
            self.pattern,
            Pattern::Computed | Pattern::ExtendedReference | Pattern::Subset | Pattern::Approximation
        );
        let mut lacks = Vec::new();
        let declared_bound = || self.path.as_ref().is_some_and(|_| self.limit.is_some() && card.is_none());
        if bounds && card.is_none_or(|card| card.limit.is_none()) && !declared_bound() {
            lacks.push(Need::Limit);
        }
        if derives && !self.registered.source && card.is_none_or(|card| card.source_of_truth.is_none()) {
            lacks.push(Need::SourceOfTruth);
        }
        let splits = self.pattern == Pattern::Outlier;
        if (derives || splits) && !self.registered.repair && card.is_none_or(|card| card.repair.is_none()) {
            lacks.push(Need::Repair);
        }
        // What the registry keeps has its own way out: the copy is dropped.
        let has_exit = card.is_some_and(|card| card.migration.as_ref().is_some_and(|way| way.out.is_some()));
        let ends_with_entry = card.is_none() && self.registered.source;
        if !(has_exit || ends_with_entry) {
            lacks.push(Need::Exit);
        }
        lacks
    }

    /// Whether someone or something is named that repairs it.
    pub fn is_repaired(&self, model: &Model) -> bool {
        self.registered.repair || self.card(model).is_some_and(|card| card.repair.is_some())
    }

    /// A pattern that is not in use yet.
    pub fn proposed(pattern: Pattern, path: Option<&str>) -> InUse {
        InUse { seen: false, ..InUse::new(pattern, path) }
    }

    fn new(pattern: Pattern, path: Option<&str>) -> InUse {
        InUse {
            pattern,
            path: path.map(str::to_owned),
            card: None,
            seen: true,
            fields: Vec::new(),
            source: None,
            limit: None,
            lengths: None,
            compared: 0,
            broken: 0,
            duplicates: false,
            registered: Registered::default(),
        }
    }
}

/// The name of a pattern, as configuration and reports write it.
pub fn name(pattern: Pattern) -> &'static str {
    match pattern {
        Pattern::Attribute => "attribute",
        Pattern::Bucket => "bucket",
        Pattern::TimeSeries => "time-series",
        Pattern::Computed => "computed",
        Pattern::ExtendedReference => "extended-reference",
        Pattern::Subset => "subset",
        Pattern::Outlier => "outlier",
        Pattern::Polymorphic => "polymorphic",
        Pattern::SchemaVersion => "schema-version",
        Pattern::Approximation => "approximation",
        Pattern::Preallocation => "preallocation",
        Pattern::DocumentVersion => "document-version",
        Pattern::Tree => "tree",
        Pattern::Archive => "archive",
        Pattern::Separate => "separate",
    }
}

/// Share of the documents, in percent, that must agree before a number counts as computed.
const MEANT: u64 = 60;
/// Share of reserved places, in percent, that are empty.
const EMPTY: f64 = 0.5;

/// The patterns in use on a collection, by their names and paths.
pub(super) fn find(model: &Model, collection: &Collection) -> Vec<InUse> {
    let mut found = Vec::new();
    let ns = &collection.ns;
    if ns.is_internal() {
        return found;
    }
    let lengths = |path: &str| {
        collection.arrays().iter().find(|array| array.path.as_str() == path).map(|array| array.stats.lengths.clone())
    };
    if collection.options().is_some_and(|options| options.kind == CollectionKind::TimeSeries) {
        found.push(InUse::new(Pattern::TimeSeries, None));
    }
    let bound = |path: &str| collection.validator().and_then(|validator| validator.array_bound(path));
    if let Some(forms) = model.patterns().of(ns) {
        for bucket in &forms.buckets {
            let path = bucket.path.as_str();
            found.push(InUse {
                limit: bucket.capacity.map(|capacity| capacity.limit),
                lengths: lengths(path),
                compared: bucket.seen.counted,
                broken: bucket.seen.miscounted,
                fields: bucket.count.iter().map(ToString::to_string).collect(),
                ..InUse::new(Pattern::Bucket, Some(path))
            });
        }
        for list in &forms.attributes {
            let path = list.path.as_str();
            found.push(InUse {
                compared: list.lists,
                // A list may repeat several keys: the key that most of them repeat counts.
                broken: list.keys.values().map(|key| key.repeats).filter(|_| !list.scoped).max().unwrap_or(0),
                lengths: lengths(path),
                fields: vec![list.key.clone(), list.value.clone()],
                ..InUse::new(Pattern::Attribute, Some(path))
            });
        }
        for flag in &forms.flags {
            found.push(InUse {
                limit: flag.limit,
                lengths: lengths(flag.array.as_str()),
                compared: flag.documents,
                broken: flag.flagged_for_nothing + flag.not_flagged,
                fields: vec![flag.path.to_string()],
                source: flag.overflow.as_ref().map(ToString::to_string),
                ..InUse::new(Pattern::Outlier, Some(flag.array.as_str()))
            });
        }
        if let Some(variants) = forms.variants.as_ref().filter(|variants| variants.follow != Some(true))
            && let Some(path) = &variants.discriminator
        {
            found.push(InUse { compared: variants.documents, ..InUse::new(Pattern::Polymorphic, Some(path.as_str())) });
        }
        if let Some(version) = &forms.version {
            let path = Some(version.path.as_str());
            found.push(InUse {
                compared: version.documents,
                broken: version.without,
                ..InUse::new(Pattern::SchemaVersion, path)
            });
        }
        for reserved in forms.preallocated.iter().filter(|reserved| EMPTY <= reserved.share()) {
            found.push(InUse {
                limit: Some(reserved.capacity),
                lengths: lengths(reserved.path.as_str()),
                ..InUse::new(Pattern::Preallocation, Some(reserved.path.as_str()))
            });
        }
    }
    for revisions in model.patterns().revisions.iter().filter(|revisions| revisions.live == *ns) {
        found.push(InUse {
            compared: revisions.compared,
            broken: revisions.behind,
            source: Some(revisions.revisions.to_string()),
            ..InUse::new(Pattern::DocumentVersion, Some(revisions.live_number.as_str()))
        });
    }
    for subset in model.subsets.iter().filter(|subset| subset.parent == *ns) {
        let path = subset.path.as_str();
        found.push(InUse {
            limit: bound(path),
            lengths: lengths(path),
            compared: subset.parents,
            broken: subset.stale,
            source: Some(subset.child.to_string()),
            fields: vec![subset.order.clone()],
            duplicates: true,
            ..InUse::new(Pattern::Subset, Some(path))
        });
    }
    found.extend(computed(model, ns));
    found.extend(extended(model, ns));
    for tree in model.trees.iter().filter(|tree| tree.ns == *ns) {
        let fields = vec![tree.kind.name().to_owned()];
        found.push(InUse { fields, ..InUse::new(Pattern::Tree, Some(&tree.path)) });
    }
    add_cards(model, ns, &mut found);
    found.sort_by(|a, b| (a.pattern, &a.path).cmp(&(b.pattern, &b.path)));
    found
}

/// Computed values: those of the documents themselves together, those of other collections by their source.
fn computed(model: &Model, ns: &Namespace) -> Vec<InUse> {
    let mut found: Vec<InUse> = Vec::new();
    let counts_buckets = |path: &str| {
        let forms = model.patterns().of(ns);
        forms.is_some_and(|forms| {
            forms.buckets.iter().any(|b| b.count.as_ref().is_some_and(|count| count.as_str() == path))
        })
    };
    for computed in model.computed_of(ns).filter(|computed| !counts_buckets(computed.path.as_str())) {
        let tally = computed.tally;
        if tally.judged() * MEANT > tally.agree * 100 || !computed.named {
            continue;
        }
        let source = match &computed.source {
            Source::Own(_) => None,
            Source::Children(children) => Some(children.collection.to_string()),
        };
        let broken = if computed.drifts() { tally.differ } else { 0 };
        let registered = registered(model, ns, std::slice::from_ref(&computed.path.to_string()));
        let add = |known: &mut InUse| {
            known.fields.push(computed.path.to_string());
            known.compared = known.compared.max(tally.judged());
            known.broken += broken;
            known.registered.source &= registered.source;
            known.registered.repair &= registered.repair;
        };
        if let Some(known) = found.iter_mut().find(|known| known.source == source) {
            add(known);
        } else {
            let mut new = InUse { source, duplicates: true, registered, ..InUse::new(Pattern::Computed, None) };
            add(&mut new);
            found.push(new);
        }
    }
    for new in &mut found {
        if let [only] = new.fields.as_slice() {
            new.path = Some(only.clone());
        }
        if new.source.is_none() {
            // Its parts lie in the same document: nothing else is the source.
            new.registered.source = true;
        }
    }
    found
}

/// Copies beside references.
fn extended(model: &Model, ns: &Namespace) -> Vec<InUse> {
    let mut found = Vec::new();
    for relation in model.relations.iter().filter(|relation| relation.from == *ns && !relation.is_self()) {
        let Some(pairs) = relation.pairs(model) else { continue };
        let copies: Vec<Copied> = copied(&pairs);
        // A key that both sides have, of a tenant say, is no copy that someone reads.
        let is_shown = |copy: &&Copied| copy.named && !names::is_event_or_id(FieldPath::new(copy.path.as_str()).leaf());
        let fields: Vec<String> = copies.iter().filter(is_shown).map(|copy| copy.path.clone()).collect();
        if fields.is_empty() {
            continue;
        }
        found.push(InUse {
            // Whether a copy that differs is wrong depends on whether it is history: nothing is compared.
            source: Some(relation.to.to_string()),
            duplicates: true,
            registered: registered(model, ns, &fields),
            fields,
            ..InUse::new(Pattern::ExtendedReference, Some(relation.path.as_str()))
        });
    }
    // A copied key of the same document is no reference of its own.
    let copied: Vec<(Option<String>, String)> =
        found.iter().flat_map(|used| used.fields.iter().map(|field| (used.source.clone(), field.clone()))).collect();
    found.retain(|used| !copied.iter().any(|(to, field)| *to == used.source && Some(field) == used.path.as_ref()));
    found
}

/// What the registry says of fields: their source, and what repairs each that is not history.
fn registered(model: &Model, ns: &Namespace, fields: &[String]) -> Registered {
    let entry = |field: &String| -> Option<&Derived> {
        model.intent.derived.iter().find(|derived| {
            derived
                .field
                .strip_suffix(field.as_str())
                .and_then(|rest| rest.strip_suffix('.'))
                .is_some_and(|name| is_named(ns, name))
        })
    };
    let entries: Vec<Option<&Derived>> = fields.iter().map(entry).collect();
    let all =
        |holds: &dyn Fn(&Derived) -> bool| !entries.is_empty() && entries.iter().all(|entry| entry.is_some_and(holds));
    Registered {
        source: all(&|derived| derived.source.is_some()),
        repair: all(&|derived| derived.reconciliation.is_some() || derived.kind == DerivedKind::Snapshot),
    }
}

/// Ties patterns to their cards, and adds those that only a card or the registry tells.
fn add_cards(model: &Model, ns: &Namespace, found: &mut Vec<InUse>) {
    for (at, card) in model.intent.patterns.iter().enumerate().filter(|(_, card)| is_named(ns, &card.collection)) {
        let mut tied = false;
        for known in found.iter_mut().filter(|known| known.pattern == card.pattern && known.card.is_none()) {
            let about =
                card.path.as_ref().is_none_or(|path| known.path.as_ref() == Some(path) || known.fields.contains(path));
            if about {
                known.card = Some(at);
                known.limit = card.limit.or(known.limit);
                tied = true;
            }
        }
        if !tied {
            found.push(InUse {
                card: Some(at),
                seen: false,
                limit: card.limit,
                source: card.source_of_truth.clone(),
                duplicates: matches!(
                    card.pattern,
                    Pattern::Computed | Pattern::ExtendedReference | Pattern::Subset | Pattern::Approximation
                ),
                ..InUse::new(card.pattern, card.path.as_deref())
            });
        }
    }
    for derived in model.intent.derived.iter().filter(|derived| derived.precision == Some(Precision::Approximate)) {
        let names = derived
            .field
            .match_indices('.')
            .filter_map(|(at, _)| Some((derived.field.get(..at)?, derived.field.get(at + 1..)?)));
        let Some((_, path)) = names.into_iter().find(|(name, _)| is_named(ns, name)) else { continue };
        let known = |known: &InUse| known.pattern == Pattern::Approximation && known.path.as_deref() == Some(path);
        if !found.iter().any(known) {
            let fields = vec![path.to_owned()];
            found.push(InUse {
                seen: false,
                source: derived.source.clone(),
                registered: registered(model, ns, &fields),
                duplicates: true,
                fields,
                ..InUse::new(Pattern::Approximation, Some(path))
            });
        }
    }
}

impl Model {
    /// The patterns in use on a collection; found when they are first asked for.
    pub fn in_use(&self, ns: &Namespace) -> &[InUse] {
        let all = self.in_use.get_or_init(|| self.collections.iter().map(|c| (c.ns.clone(), find(self, c))).collect());
        all.get(ns).map_or(&[], Vec::as_slice)
    }
}
