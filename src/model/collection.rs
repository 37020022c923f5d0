//! One collection as rules and advice see it.

use std::cell::OnceCell;
use std::sync::Arc;

use super::array::{self, Array};
use super::sensitive::Held;
use super::{Answers, Known};
use crate::catalogue::{self, CollectionOptions, Index, Namespace, Validator};
use crate::profile::{CollectionProfile, Fetched, Field, FieldId, FieldKind};
use crate::value::event::{Document, Fidelity, Type};
use crate::value::path::FieldPath;

/// A collection: its documents as they were counted, its catalogue, and exact answers where they were asked for.
#[derive(Debug)]
pub struct Collection {
    /// Its name.
    pub ns: Namespace,
    /// What was counted on its documents.
    pub profile: Option<Arc<CollectionProfile>>,
    /// Its indexes, options and statistics.
    pub catalogue: catalogue::Collection,
    /// Whether all of its documents were read: a dump read to its end, a count that agrees, or the user's word.
    pub complete: bool,
    /// What the second pass counted, or the sample where none was possible.
    pub answers: Answers,
    /// Documents that were fetched for pairs, which count for nothing else.
    pub fetched: Fetched,
    arrays: Vec<Array>,
    /// The path of every field, by its place in the profile: nearly every rule asks for all of them.
    paths: Vec<FieldPath>,
    /// The fields that hold personal data or secrets, once somebody has asked.
    pub(super) held: OnceCell<Vec<Held>>,
}

/// A field of a collection with its path.
#[derive(Debug, Clone)]
pub struct FieldRef<'a> {
    /// Its place in the profile.
    pub id: FieldId,
    /// What was counted on it.
    pub field: &'a Field,
    /// Its path in dot notation; names that are data read `<key>`.
    pub path: FieldPath,
}

impl Collection {
    pub(super) fn new(ns: Namespace, known: Known, answers: Answers) -> Collection {
        let Known { profile, catalogue, complete, fetched } = known;
        let (arrays, paths) = (Vec::new(), Vec::new());
        let held = OnceCell::new();
        let mut out = Collection { ns, profile, catalogue, complete, answers, fetched, arrays, paths, held };
        out.paths = out.profile.iter().flat_map(|p| p.fields().map(|(id, _)| p.path(id))).collect();
        out.arrays = array::measure(&out);
        out
    }

    /// Documents read; 0 without a profile.
    pub fn documents(&self) -> u64 {
        self.profile.as_ref().map_or(0, |p| p.documents)
    }

    /// Documents stored, as far as the evidence tells: the statistics' count, else the number read.
    pub fn stored(&self) -> u64 {
        self.catalogue.count().unwrap_or(0).max(self.documents())
    }

    /// Every field but the document itself, parents before children. Elements of arrays are fields of their own and
    /// share the path of their array.
    pub fn fields(&self) -> impl Iterator<Item = FieldRef<'_>> {
        self.profile.iter().flat_map(|profile| {
            let fields = profile.fields().zip(&self.paths).filter(|((_, f), _)| f.kind != FieldKind::Root);
            fields.map(|((id, field), path)| FieldRef { id, field, path: path.clone() })
        })
    }

    /// Every field that can hold scalars a query may name: fields and folded names, and elements of arrays.
    pub fn field(&self, id: FieldId) -> Option<FieldRef<'_>> {
        let profile = self.profile.as_ref()?;
        Some(FieldRef { id, field: profile.field(id)?, path: self.paths.get(id.0 as usize)?.clone() })
    }

    /// Whether any document that was read has something at a path, or might: names that are data can be any.
    pub fn may_have(&self, path: &str) -> bool {
        let Some(profile) = &self.profile else { return true };
        let ends = path.match_indices('.').map(|(at, _)| at).chain([path.len()]);
        let folded = ends.filter_map(|end| path.get(..end)).any(|prefix| {
            let mut fields = profile.resolve(prefix).into_iter();
            fields.any(|id| {
                let folds = profile.children(id).any(|(_, child)| child.kind == FieldKind::Folded);
                folds || profile.field(id).is_some_and(|field| field.names_are_data || field.kind == FieldKind::Folded)
            })
        });
        folded || profile.resolve(path).into_iter().any(|id| profile.field(id).is_some_and(|field| 0 < field.count))
    }

    /// The path that was probably meant: one that differs in a letter or two, or in how it joins its words.
    pub fn nearest_path(&self, path: &str) -> Option<String> {
        let plain = |text: &str| {
            text.chars().filter(|c| c.is_alphanumeric() || *c == '.').flat_map(char::to_lowercase).collect::<String>()
        };
        let wanted = plain(path);
        let paths = self.fields().filter(|at| at.field.kind == FieldKind::Named && 0 < at.field.documents);
        let near = paths.filter_map(|at| {
            let distance = strsim::osa_distance(&plain(at.path.as_str()), &wanted);
            (distance <= 2 && distance * 4 < wanted.chars().count()).then(|| (distance, at.path.to_string()))
        });
        near.min().map(|(_, path)| path)
    }

    /// The named fields right below a field.
    pub fn named_children(&self, id: FieldId) -> Vec<(FieldId, &Field)> {
        let fields = self.profile.iter().flat_map(|profile| profile.children(id));
        fields.filter(|(_, field)| field.kind == FieldKind::Named).collect()
    }

    /// The arrays, one for each path that ever holds one.
    pub fn arrays(&self) -> &[Array] {
        &self.arrays
    }

    /// The indexes that are known, present ones before wanted ones.
    pub fn indexes(&self) -> &[Index] {
        &self.catalogue.indexes
    }

    /// Whether the evidence tells all of its indexes, so that one that is not there is missing.
    pub fn knows_indexes(&self) -> bool {
        self.catalogue.indexes_known
    }

    /// The options, where they are known.
    pub fn options(&self) -> Option<&CollectionOptions> {
        self.catalogue.options.as_ref()
    }

    /// The validator, where there is one.
    pub fn validator(&self) -> Option<&Validator> {
        self.catalogue.validator()
    }

    /// Hands every sampled document to `read`, in the order of their key hashes. Long strings and arrays are cut in
    /// it; arrays tell their true length.
    pub fn each_sampled(&self, read: impl FnMut(&Document<'_>)) {
        self.each_sampled_of(usize::MAX, read);
    }

    /// The same for the first `most` of them, which are as fair a sample.
    pub fn each_sampled_of(&self, most: usize, mut read: impl FnMut(&Document<'_>)) {
        for (_, kept) in self.profile.iter().flat_map(|p| p.sample.iter()).take(most) {
            kept.with(&mut read);
        }
    }

    /// Whether every document came in a form that keeps the types of numbers.
    pub fn number_types_are_kept(&self) -> bool {
        self.fidelities().all(|fidelity| fidelity == Fidelity::Exact)
    }

    /// Whether dates and ids came as such. Plain JSON makes strings of them; so may any JSON in which no value at all
    /// has a type that JSON lacks.
    pub fn types_are_kept(&self) -> bool {
        let foreign = |kind: Type| {
            !matches!(kind, Type::Object | Type::Array | Type::String | Type::Bool | Type::Null)
                && !matches!(kind, Type::Int | Type::Long | Type::Double)
        };
        let mut fields = self.profile.iter().flat_map(|profile| profile.fields());
        self.fidelities().all(|fidelity| fidelity == Fidelity::Exact)
            || (self.fidelities().all(|fidelity| fidelity != Fidelity::TypesLost)
                && fields.any(|(_, field)| field.types_found().into_iter().any(|(kind, _)| foreign(kind))))
    }

    fn fidelities(&self) -> impl Iterator<Item = Fidelity> {
        self.profile.iter().flat_map(|profile| profile.fidelity.keys().copied())
    }

    /// How many documents the sample holds.
    pub fn sampled(&self) -> u64 {
        self.profile.as_ref().map_or(0, |p| p.sample.len() as u64)
    }

    /// How many objects hold the parent of this field: in how many it could stand.
    pub fn parent_objects(&self, id: FieldId) -> u64 {
        self.profile.as_ref().map_or(0, |p| p.parent_objects(id))
    }
}

impl FieldRef<'_> {
    /// The last name of the path; elements have their array's.
    pub fn leaf(&self) -> &str {
        self.path.leaf()
    }

    /// Whether the field holds this type at least once.
    pub fn has(&self, kind: Type) -> bool {
        0 < self.field.count_of(kind)
    }
}
