//! Design patterns as the documents show them: what is a bucket, a list of attributes, a flag of an outlier, a version
//! of the shape, a collection of revisions. Rules and advice judge; here it is only recognised and measured, once.

pub mod attribute;
pub mod bucket;
pub mod outlier;
pub mod preallocated;
pub mod reading;
pub mod revision;
pub mod variant;
pub mod version;

use std::collections::BTreeMap;

pub use attribute::{Attributes, SparseFields};
pub use bucket::Bucket;
pub use outlier::{Far, Outlier, OverflowFlag};
pub use preallocated::Preallocated;
pub use reading::Readings;
pub use revision::{EmbeddedRevisions, Revisions};
pub use variant::Variants;
pub use version::SchemaVersion;

use super::declared::is_named;
use super::{Collection, Model};
use crate::catalogue::{CollectionKind, Namespace};
use crate::config::intent::{Card, Pattern};
use crate::profile::CollectionProfile;
use crate::value::event::{Document, Item, Type};
use crate::value::time::{parse_iso, parse_loose};

/// The patterns of all collections.
#[derive(Debug, Default)]
pub struct Patterns {
    forms: BTreeMap<Namespace, Forms>,
    /// Collections that keep the revisions of another one's documents.
    pub revisions: Vec<Revisions>,
}

/// The patterns of one collection.
#[derive(Debug, Default)]
pub struct Forms {
    /// Arrays that make each document a bucket of events.
    pub buckets: Vec<Bucket>,
    /// Arrays of key and value.
    pub attributes: Vec<Attributes>,
    /// Objects with many like fields that few of them have.
    pub sparse: Vec<SparseFields>,
    /// Fields that say that a document has more than it holds.
    pub flags: Vec<OverflowFlag>,
    /// Shapes that exclude each other.
    pub variants: Option<Variants>,
    /// The field that tells the version of the shape.
    pub version: Option<SchemaVersion>,
    /// Arrays that keep earlier states of their own document.
    pub embedded_revisions: Vec<EmbeddedRevisions>,
    /// Places that are reserved and mostly empty.
    pub preallocated: Vec<Preallocated>,
    /// What makes each document a single reading.
    pub readings: Option<Readings>,
}

impl Patterns {
    pub(super) fn find(model: &Model) -> Patterns {
        let mut forms = BTreeMap::new();
        for (collection, profile) in model.with_documents() {
            // A view shows what lies elsewhere, and the server itself lays out a time series.
            let stored = collection.options().is_none_or(|options| options.kind == CollectionKind::Collection);
            if profile.documents == 0 || !stored {
                continue;
            }
            forms.insert(collection.ns.clone(), Forms::find(model, collection, profile));
        }
        Patterns { forms, revisions: revision::find(model) }
    }

    /// The patterns of a collection; none without documents.
    pub fn of(&self, ns: &Namespace) -> Option<&Forms> {
        self.forms.get(ns)
    }
}

impl Forms {
    fn find(model: &Model, collection: &Collection, profile: &CollectionProfile) -> Forms {
        let cards: Vec<&Card> = model.cards_of(&collection.ns).collect();
        let buckets = bucket::find(collection, profile, &cards);
        let variants = variant::find(collection, profile);
        let version = version::find(collection, profile, variants.as_ref(), &cards);
        Forms {
            attributes: attribute::find(collection, profile),
            sparse: attribute::sparse(collection, profile),
            flags: outlier::flags(model, collection, profile, &cards),
            embedded_revisions: revision::embedded(collection, profile),
            preallocated: preallocated::find(collection, profile),
            readings: reading::find(collection, profile, &buckets),
            buckets,
            variants,
            version,
        }
    }
}

impl Model {
    /// The patterns that the documents show; found when they are first asked for.
    pub fn patterns(&self) -> &Patterns {
        self.patterns.get_or_init(|| Patterns::find(self))
    }

    /// The cards of patterns that are declared for a collection.
    pub fn cards_of<'a>(&'a self, ns: &'a Namespace) -> impl Iterator<Item = &'a Card> {
        self.intent.patterns.iter().filter(|card| is_named(ns, &card.collection))
    }
}

/// The card of a pattern that speaks of a path, or of no path at all.
fn card_of<'c>(cards: &[&'c Card], pattern: Pattern, path: &str) -> Option<&'c Card> {
    cards.iter().copied().find(|card| card.pattern == pattern && card.path.as_deref().is_none_or(|own| own == path))
}

/// The family of a type: what compares with each other is one, and null is none.
pub(crate) fn family(kind: Type) -> Option<Type> {
    match kind {
        Type::Null | Type::Undefined => None,
        kind if kind.is_number() => Some(Type::Double),
        kind => Some(kind),
    }
}

/// The place of the value at a dotted path that passes no array.
pub(crate) fn place_of(document: &Document<'_>, path: &str) -> Option<usize> {
    let mut at = 0;
    for name in path.split('.') {
        let is_object = matches!(document.entries.get(at).map(|entry| entry.item), Some(Item::Object { .. }));
        at = document.children(at).find(|(_, entry)| is_object && entry.key == name)?.0;
    }
    Some(at)
}

/// The value there.
pub(crate) fn item_of<'a>(document: &Document<'a>, path: &str) -> Option<Item<'a>> {
    document.entries.get(place_of(document, path)?).map(|entry| entry.item)
}

/// A time in milliseconds: a date, or a text that is one.
pub(crate) fn time_of(item: &Item<'_>) -> Option<i64> {
    match item {
        Item::Date(time) => Some(*time),
        Item::String(text) => parse_iso(text).or_else(|| parse_loose(text)),
        _ => None,
    }
}

/// A whole number, whatever its type.
pub(crate) fn whole(item: &Item<'_>) -> Option<i64> {
    match item {
        Item::Int(value) => Some(i64::from(*value)),
        Item::Long(value) => Some(*value),
        Item::Double(value) if value.trunc() == *value && value.abs() < 9_007_199_254_740_992.0 => Some(*value as i64),
        Item::Decimal(_) => match crate::value::hash::representative(item) {
            crate::value::Value::Int(value) => Some(i64::from(value)),
            crate::value::Value::Long(value) => Some(value),
            _ => None,
        },
        _ => None,
    }
}
