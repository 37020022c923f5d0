//! What the team declares about an embedded relationship: it answers criteria that documents cannot.

use crate::config::Staleness;
use crate::config::intent::{Frequency, Ownership as Whose, ReadTogether, Relationship, Semantics, Sharing};
use crate::model::declared::{DeclaredBound, is_named};
use crate::model::{Array, Collection, Model};

/// An answer with the side that it favours.
pub(super) type Answer = (&'static str, Option<&'static str>);

/// A criterion favours all children in their parent.
pub(super) const EMBEDDING: &str = "embedding";
/// A criterion favours documents of their own.
pub(super) const REFERENCING: &str = "referencing";

/// The declared side of one relationship.
#[derive(Debug, Clone, Copy)]
pub(super) struct Declared<'a> {
    relationship: Option<&'a Relationship>,
    /// What is declared about the number of children.
    pub(super) bound: DeclaredBound,
}

impl<'a> Declared<'a> {
    pub(super) fn of(model: &'a Model, collection: &Collection, array: &Array) -> Declared<'a> {
        let path = array.path.as_str();
        let is_this = |r: &&Relationship| r.path == path && is_named(&collection.ns, &r.parent);
        Declared {
            relationship: model.intent.relationships.iter().find(is_this),
            bound: model.declared_bound(&collection.ns, path),
        }
    }

    /// What is declared of a relationship between documents of two collections.
    pub(super) fn of_relationship(relationship: Option<&'a Relationship>) -> Declared<'a> {
        Declared { relationship, bound: DeclaredBound::default() }
    }

    /// The declared numbers of children: typical, 99th percentile, most.
    pub(super) fn numbers(&self) -> Option<[u64; 3]> {
        let cardinality = self.relationship?.cardinality.as_ref()?;
        let told = [cardinality.typical, cardinality.p99, cardinality.max];
        let first = told.into_iter().flatten().next()?;
        let mut known = first;
        // What is not said is at least what is said of fewer.
        Some(told.map(|number| {
            known = number.unwrap_or(known).max(known);
            known.max(0.0) as u64
        }))
    }

    pub(super) fn ownership(&self) -> Option<Answer> {
        self.relationship?.ownership.map(|whose| match whose {
            Whose::Owned => ("owned", Some(EMBEDDING)),
            Whose::Shared => ("shared", Some(REFERENCING)),
            Whose::Independent => ("independent", Some(REFERENCING)),
        })
    }

    pub(super) fn read_together(&self) -> Option<Answer> {
        self.relationship?.read_together.map(|often| match often {
            ReadTogether::Always => ("always", Some(EMBEDDING)),
            ReadTogether::Often => ("often", Some(EMBEDDING)),
            ReadTogether::Rarely => ("rarely", Some(REFERENCING)),
            ReadTogether::Never => ("never", Some(REFERENCING)),
        })
    }

    pub(super) fn read_alone(&self) -> Option<Answer> {
        self.relationship?.child_read_alone.map(|alone| yes(alone, REFERENCING, EMBEDDING))
    }

    pub(super) fn updated_together(&self) -> Option<Answer> {
        let relationship = self.relationship?;
        let alone = relationship.child_written_alone.map(|alone| !alone);
        relationship.updated_together.or(alone).map(|together| yes(together, EMBEDDING, REFERENCING))
    }

    pub(super) fn semantics(&self) -> Option<Answer> {
        self.relationship?.semantics.map(|semantics| match semantics {
            Semantics::Snapshot => ("snapshot", Some(EMBEDDING)),
            Semantics::CurrentCopy => ("current", Some(REFERENCING)),
        })
    }

    /// Whether lifecycle, permissions and retention are the parent's.
    pub(super) fn lifecycle(&self) -> Option<Answer> {
        let relationship = self.relationship?;
        let told: Vec<Sharing> =
            [relationship.lifecycle, relationship.permissions, relationship.retention].into_iter().flatten().collect();
        if told.contains(&Sharing::Different) {
            return Some(("different", Some(REFERENCING)));
        }
        (!told.is_empty()).then_some(("shared", Some(EMBEDDING)))
    }

    pub(super) fn analytics(&self) -> Option<Answer> {
        self.relationship?.analytics.map(|often| match often {
            Frequency::Rare => ("rare", Some(EMBEDDING)),
            Frequency::Frequent => ("frequent", Some(REFERENCING)),
        })
    }

    pub(super) fn staleness(&self) -> Option<Answer> {
        match self.relationship?.staleness.as_ref()? {
            Staleness::Direct => Some(("exact", Some(EMBEDDING))),
            Staleness::Within(_) | Staleness::BeforeClose => Some(("tolerated", None)),
            // What nobody can check answers nothing.
            Staleness::Vague(_) => None,
        }
    }

    /// Whether a read of the parent mostly needs children.
    pub(super) fn shows_children(&self) -> bool {
        self.read_together().is_some_and(|(_, favours)| favours == Some(EMBEDDING))
    }

    /// Whether the children lead a life of their own: read or written alone, other permissions or retention.
    pub(super) fn is_apart(&self) -> bool {
        let Some(relationship) = self.relationship else { return false };
        relationship.child_read_alone == Some(true)
            || relationship.child_written_alone == Some(true)
            || relationship.permissions == Some(Sharing::Different)
            || relationship.retention == Some(Sharing::Different)
            || relationship.ownership == Some(Whose::Independent)
    }
}

fn yes(answer: bool, favours: &'static str, otherwise: &'static str) -> Answer {
    if answer { ("yes", Some(favours)) } else { ("no", Some(otherwise)) }
}
