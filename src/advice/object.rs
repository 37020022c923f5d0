//! Decisions about embedded objects: one thing that many documents hold a copy of.

use serde_json::{Map, Value};

use super::declared::{Answer, EMBEDDING, REFERENCING};
use super::names::ObjectNames;
use super::relationship::{Decision, KIND, UNKNOWN, criterion, evidence};
use super::simulate::{field, tenths};
use super::uses::PartUses;
use crate::finding::{Alternative, Certainty, Criterion, Recommendation};
use crate::locale::{Lang, template};
use crate::model::shared::{Limits, Shared, shared};
use crate::model::{Collection, Model};
use crate::profile::FieldKind;
use crate::value::event::Item;
use crate::value::path::reach;

/// Fields of the object that are copied beside its reference at most.
const COPIES: usize = 4;
/// Share of the reads that these must serve.
const SERVED: f64 = 0.5;

/// One shared object with what is measured on it.
pub(super) struct Case<'a> {
    pub(super) collection: &'a Collection,
    pub(super) shared: &'a Shared,
    pub(super) names: ObjectNames,
    /// Fields of the object that reads show, where they show few.
    pub(super) shown: Vec<String>,
    uses: PartUses,
    sizes: Sizes,
}

/// Mean sizes over the sampled documents that hold the object, in bytes of BSON.
#[derive(Debug, Clone, Copy, Default)]
struct Sizes {
    documents: u64,
    /// The document.
    whole: f64,
    /// The object with its name.
    object: f64,
    /// Its key alone.
    key: f64,
}

/// The decisions about the objects that one collection embeds.
pub(super) fn decide(model: &Model, collection: &Collection, lang: Lang) -> Vec<Recommendation> {
    if collection.ns.is_internal() {
        return Vec::new();
    }
    let is_object = |shared: &&Shared| {
        let profile = collection.profile.as_ref();
        profile.is_some_and(|p| {
            !p.in_array(shared.field) && p.field(shared.field).is_some_and(|f| f.kind == FieldKind::Named)
        })
    };
    let all = shared(model, collection, &Limits::default());
    all.iter().filter(is_object).map(|shared| Case::new(model, collection, shared).recommendation(lang)).collect()
}

impl<'a> Case<'a> {
    fn new(model: &'a Model, collection: &'a Collection, shared: &'a Shared) -> Case<'a> {
        let path = shared.path.as_str();
        let uses = PartUses::of(model, collection, path);
        let mut sizes = Sizes::default();
        for (_, kept) in collection.profile.iter().flat_map(|profile| profile.sample.iter()) {
            kept.with(|document| {
                let Some(at) = reach(document, path).first().copied() else { return };
                let Some(Item::Object { bytes, .. }) = document.entries.get(at).map(|entry| entry.item) else { return };
                let key = document.children(at).find(|(_, entry)| entry.key == shared.key);
                sizes.documents += 1;
                sizes.whole += f64::from(kept.bytes());
                sizes.object += field(shared.path.leaf(), u64::from(bytes)) as f64;
                sizes.key += key.map_or(0.0, |(_, entry)| f64::from(entry.item.bytes()));
            });
        }
        let count = sizes.documents.max(1) as f64;
        let sizes = Sizes { whole: sizes.whole / count, object: sizes.object / count, key: sizes.key / count, ..sizes };
        let served = uses.parts_only.share_of(uses.with);
        let shown = match served {
            Some(share) if SERVED <= share && uses.parts.len() <= COPIES => uses.parts.clone(),
            _ => Vec::new(),
        };
        let names = ObjectNames::new(model, collection, path, &shown);
        Case { collection, shared, names, shown, uses, sizes }
    }

    fn decision(&self) -> Decision {
        if self.shared.is_event {
            Decision::Keep
        } else if self.shown.is_empty() {
            Decision::ParentReference
        } else {
            Decision::ExtendedReference
        }
    }

    fn recommendation(self, lang: Lang) -> Recommendation {
        let sentences = &lang.sentences().references;
        let decision = self.decision();
        let figures = self.told();
        let because = if self.shared.is_event { sentences.object_event } else { sentences.object_shared };
        let mut why = template::fill(because, &figures, lang);
        let then = match decision {
            Decision::ParentReference => Some(sentences.then_object),
            Decision::ExtendedReference => Some(sentences.then_object_extended),
            _ => None,
        };
        if let Some(then) = then {
            why.push(' ');
            why.push_str(&template::fill(then, &figures, lang));
        }
        let asks: Vec<&str> = if self.shared.is_event {
            vec![sentences.ask_semantics]
        } else if decision == Decision::ExtendedReference {
            vec![sentences.ask_semantics, sentences.ask_staleness]
        } else {
            vec![sentences.ask_semantics]
        };
        Recommendation {
            kind: KIND.to_owned(),
            subject: format!("{}.{}", self.collection.ns, self.shared.path),
            collection: Some(self.collection.ns.to_string()),
            today: Decision::Embed.word().to_owned(),
            decision: decision.word().to_owned(),
            certainty: Certainty::Measured,
            why,
            criteria: self.criteria(),
            alternatives: self.alternatives(),
            asks: asks.into_iter().map(|ask| template::fill(ask, &figures, lang)).collect(),
            scripts: super::scripts::of_object(&self, decision, &figures, lang),
        }
    }

    fn told(&self) -> Map<String, Value> {
        let quoted = |text: &str| {
            let mut out = String::new();
            template::quote(&mut out, text);
            Value::from(out)
        };
        evidence([
            ("path", quoted(self.shared.path.as_str())),
            ("from", quoted(&self.collection.ns.to_string())),
            ("to", quoted(&self.names.children.to_string())),
            ("child", self.names.child.clone().into()),
            ("parent", self.names.parent.clone().into()),
            ("key", self.shared.key.clone().into()),
            ("children", self.shared.children.into()),
            ("shared", self.shared.shared.into()),
            ("most", self.shared.most.into()),
            ("drifted", self.shared.drifted.into()),
            ("fields", self.shown.iter().map(|f| Value::from(f.as_str())).collect::<Vec<_>>().into()),
        ])
    }

    fn criteria(&self) -> Vec<Criterion> {
        let reads = self.uses.reads();
        let with = self.uses.with.share_of(reads);
        let together: Answer = match with {
            Some(share) if 0.9 <= share => ("nearly always", Some(EMBEDDING)),
            Some(0.0) => ("never", Some(REFERENCING)),
            Some(_) => ("sometimes", None),
            None => (UNKNOWN, None),
        };
        let percent = |share: Option<f64>| match share {
            Some(share) => evidence([("percentOfReads", tenths(share * 100.0))]),
            None => Map::new(),
        };
        let history: Answer = if self.shared.is_event {
            (UNKNOWN, None)
        } else if self.shared.is_updated || 0 < self.shared.drifted {
            ("current", Some(REFERENCING))
        } else {
            (UNKNOWN, None)
        };
        let rate = self.uses.part_written.and(self.uses.both_written).share_of(reads);
        let rate_answer: Answer = match rate {
            Some(rate) if 1.0 <= rate => ("constantly", Some(REFERENCING)),
            Some(_) => ("rarely", None),
            None => (UNKNOWN, None),
        };
        let Sizes { documents, whole, object, .. } = self.sizes;
        let size = evidence([
            ("objectBytes", tenths(object.round())),
            ("documentBytes", tenths(whole.round())),
            ("sampled", documents.into()),
        ]);
        let sharing = evidence([
            ("children", self.shared.children.into()),
            ("inThreeOrMore", self.shared.shared.into()),
            ("most", self.shared.most.into()),
        ]);
        vec![
            criterion("ownership", ("shared", Some(REFERENCING)), 3, sharing),
            criterion("growth", (UNKNOWN, None), 3, Map::new()),
            criterion("read together", together, 3, percent(with)),
            criterion("read alone", (UNKNOWN, None), 3, Map::new()),
            criterion("updated together", (UNKNOWN, None), 2, Map::new()),
            criterion("rate of change", rate_answer, 2, percent(rate)),
            criterion("history", history, 2, evidence([("drifted", self.shared.drifted.into())])),
            criterion("size", (UNKNOWN, None), 2, size),
            criterion("indexes", (UNKNOWN, None), 1, Map::new()),
            criterion("lifecycle", (UNKNOWN, None), 2, Map::new()),
            criterion("sharding", (UNKNOWN, None), 1, Map::new()),
            criterion("analytics", (UNKNOWN, None), 1, Map::new()),
            criterion("staleness", (UNKNOWN, None), 1, Map::new()),
        ]
    }

    /// Today's form and the two others: what a read and a change of one shared thing cost, and what all of it takes.
    fn alternatives(&self) -> Vec<Alternative> {
        let Sizes { documents, whole, object, key } = self.sizes;
        let scale = self.collection.stored() as f64 / (self.collection.sampled().max(1)) as f64;
        let children = self.shared.children.max(1) as f64;
        let copies = documents as f64 * scale / children;
        let reference = field(&self.names.reference, 0) as f64 + key;
        let kept = self.shown.len() as f64 / self.shared_fields().max(1) as f64 * object;
        let form = |name: &str, document: f64, joined: f64, changed: (f64, f64), apart: f64| Alternative {
            decision: name.to_owned(),
            out: None,
            figures: evidence([
                ("bytesReadToShowParent", tenths(document.round())),
                ("bytesReadToShowBoth", tenths(joined.round())),
                ("documentsWrittenToChangeOne", tenths(changed.0)),
                ("bytesWrittenToChangeOne", tenths(changed.1.round())),
                ("storedBytes", tenths((document * documents as f64 * scale + apart).round())),
            ]),
        };
        let bare = whole - object + reference;
        let mut out = vec![form("embed", whole, whole, (copies, copies * whole), 0.0)];
        out.push(form("parent-reference", bare, bare + object, (1.0, object), object * children));
        if !self.shown.is_empty() {
            let extended = bare + kept;
            out.push(form(
                "extended-reference",
                extended,
                extended,
                (1.0 + copies, object + copies * extended),
                object * children,
            ));
        }
        out
    }

    fn shared_fields(&self) -> usize {
        self.collection.named_children(self.shared.field).len()
    }
}
