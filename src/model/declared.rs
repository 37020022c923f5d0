//! What the team declares about the collections, as `mongovet.json` says it.

use super::Model;
use crate::catalogue::Namespace;
use crate::config::intent::{Bound, Pattern};

/// What is declared about the number of elements of an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DeclaredBound {
    /// Whether something bounds it; absent where nobody says.
    pub bounded: Option<bool>,
    /// The largest number that there can be: of the relationship, or of the card of a pattern that limits it.
    pub max: Option<u64>,
}

impl DeclaredBound {
    /// Whether a declared bound holds for arrays of which the longest has `longest` elements.
    pub fn holds(&self, longest: u64) -> bool {
        self.bounded == Some(true) || self.max.is_some_and(|max| longest <= max)
    }
}

impl Model {
    /// What is declared about the number of elements of an array.
    pub fn declared_bound(&self, ns: &Namespace, path: &str) -> DeclaredBound {
        let mut out = DeclaredBound::default();
        let mut most = |max: u64| out.max = Some(out.max.map_or(max, |known| known.min(max)));
        let mut bounded = None;
        for relationship in &self.intent.relationships {
            let own = relationship.path == path && is_named(ns, &relationship.parent);
            let Some(cardinality) = relationship.cardinality.as_ref().filter(|_| own) else { continue };
            bounded = bounded.or(cardinality.growth.map(|growth| growth == Bound::Bounded));
            if let Some(max) = cardinality.max {
                most(max.max(0.0) as u64);
            }
        }
        for card in &self.intent.patterns {
            let limits = matches!(card.pattern, Pattern::Bucket | Pattern::Outlier | Pattern::Subset);
            let own = card.path.as_deref() == Some(path) && is_named(ns, &card.collection);
            if let Some(limit) = card.limit.filter(|_| limits && own) {
                most(limit);
            }
        }
        out.bounded = bounded;
        out
    }
}

/// Whether a declared `db.collection` means this collection; evidence may know no database.
pub fn is_named(ns: &Namespace, declared: &str) -> bool {
    match &ns.database {
        Some(database) => {
            let rest = declared.strip_prefix(database.as_str()).and_then(|rest| rest.strip_prefix('.'));
            rest == Some(ns.collection.as_str())
        }
        None => declared == ns.collection || declared.split_once('.').is_some_and(|(_, name)| name == ns.collection),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declared_names_meet_what_is_known_of_them() {
        let ns = |database: Option<&str>, collection: &str| Namespace {
            database: database.map(str::to_owned),
            collection: collection.to_owned(),
        };
        assert!(is_named(&ns(Some("shop"), "orders.archive"), "shop.orders.archive"));
        assert!(is_named(&ns(None, "orders"), "shop.orders"));
        assert!(!is_named(&ns(Some("shop"), "orders"), "crm.orders"));
        assert!(!is_named(&ns(None, "orders"), "shop.old.orders"));
    }

    #[test]
    fn a_limit_holds_while_nothing_passes_it() {
        let limit = DeclaredBound { bounded: None, max: Some(20) };
        assert!(limit.holds(20) && !limit.holds(21));
        assert!(DeclaredBound { bounded: Some(true), max: Some(20) }.holds(21));
        assert!(!DeclaredBound::default().holds(0));
    }
}
