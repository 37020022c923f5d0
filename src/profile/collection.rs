//! The profile of one collection: a tree of fields that each document is walked along.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::field::{Field, FieldId, FieldKind, KeyStats};
use super::sample::Sample;
use super::shape::KeyShape;
use super::sketch::Histogram;
use crate::facts::geometry;
use crate::order::Ordered;
use crate::value::event::{Document, Fidelity, Item, Type};
use crate::value::path::FieldPath;
use crate::value::time::object_id_seconds;

/// Distinct names of one object beyond which all of them count as data.
const MAX_NAMES: usize = 1_024;
/// Fields of one collection beyond which every new name counts as data: hostile input must not grow the profile.
const MAX_FIELDS: usize = 1 << 16;
/// Levels that are profiled; the server refuses documents that nest deeper than 180.
const MAX_LEVELS: usize = 200;
/// Names like an object's own count as data from this many siblings on, if each is rare and all are alike.
const MIN_DATA_NAMES: usize = 20;
/// Such names occur in at most one of this many documents.
const RARE_NAME: u64 = 5;

/// Everything that was counted on the documents of one collection.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CollectionProfile {
    /// Documents read.
    pub documents: u64,
    /// Sizes of the documents as BSON, in bytes.
    pub sizes: Histogram,
    /// Nesting levels of the documents; a flat document has one.
    pub levels: Histogram,
    /// Distinct field paths that each document uses.
    pub paths: Histogram,
    /// Bytes that field names take, array indexes and the NUL behind each not counted.
    pub name_bytes: u64,
    /// Documents by how much of their types the input form kept.
    pub fidelity: BTreeMap<Fidelity, u64>,
    /// When the documents were created, by the time in their ObjectId `_id`.
    pub created: Created,
    /// Bounded sample of whole documents.
    pub sample: Sample,
    fields: Vec<Field>,
    #[serde(skip)]
    walk: Walk,
}

/// Creation times.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Created {
    /// Earliest, in seconds since the Unix epoch.
    pub min: Option<u32>,
    /// Latest, in seconds since the Unix epoch.
    pub max: Option<u32>,
    /// Documents by 30-day period since the Unix epoch.
    pub periods: BTreeMap<u32, u64>,
}

/// Scratch of the running walk, kept to save allocations; no knowledge.
#[derive(Debug, Clone, Default)]
struct Walk {
    open: Vec<Open>,
    objects: u64,
}

impl PartialEq for Walk {
    fn eq(&self, _: &Walk) -> bool {
        true
    }
}

/// A container whose entries are being walked.
#[derive(Debug, Clone, Copy)]
struct Open {
    start: usize,
    end: usize,
    field: FieldId,
    /// Child that is expected next.
    next: usize,
    object: u64,
    /// The field of the elements, once the first was met.
    element: Option<FieldId>,
    array: bool,
    numbers: u32,
    elements: u32,
}

impl Default for CollectionProfile {
    fn default() -> Self {
        CollectionProfile {
            documents: 0,
            sizes: Histogram::default(),
            levels: Histogram::default(),
            paths: Histogram::default(),
            name_bytes: 0,
            fidelity: BTreeMap::new(),
            created: Created::default(),
            sample: Sample::default(),
            fields: vec![Field::new("", FieldKind::Root, FieldId::ROOT)],
            walk: Walk::default(),
        }
    }
}

impl CollectionProfile {
    /// Counts one document.
    pub fn add(&mut self, document: &Document<'_>) {
        if document.entries.is_empty() {
            return;
        }
        self.documents += 1;
        self.sizes.add(u64::from(document.bytes()));
        *self.fidelity.entry(document.fidelity).or_default() += 1;
        let (levels, paths) = self.walk(document);
        self.levels.add(levels);
        self.paths.add(paths);
        let id = document.children(0).find(|(_, e)| e.key == "_id");
        if let Some((_, entry)) = id
            && let Item::ObjectId(id) = entry.item
        {
            self.created.add(object_id_seconds(id));
        }
        self.sample.offer(Sample::place(document), document);
    }

    /// Whether documents nest deeper than fields are told apart, so that there are more paths than were counted.
    pub fn is_cut(&self) -> bool {
        self.levels.max() > MAX_LEVELS as u64
    }

    fn walk(&mut self, document: &Document<'_>) -> (u64, u64) {
        let mut open = std::mem::take(&mut self.walk.open);
        let mut paths = 0;
        let mut levels = 1;
        let mut at = 0;
        while let Some(entry) = document.entries.get(at) {
            while let Some(top) = open.last().copied()
                && top.end <= at
            {
                self.close(top);
                open.pop();
            }
            let named = open.last().is_some_and(|top| !top.array);
            let field = match open.last_mut() {
                None => FieldId::ROOT,
                Some(top) if top.array => {
                    top.elements += 1;
                    top.numbers += u32::from(entry.item.bson_type().is_number());
                    if let Some(known) = top.element {
                        known
                    } else {
                        let element = self.element(top.field);
                        top.element = Some(element);
                        element
                    }
                }
                Some(top) => {
                    self.name_bytes += entry.key.len() as u64;
                    self.child(top, entry.key)
                }
            };
            let object = open.last().map_or(0, |o| o.object);
            let Some(slot) = self.fields.get_mut(field.0 as usize) else { break };
            // Elements share the path of their array.
            paths += u64::from(slot.touch(self.documents, object) && named);
            slot.observe(&entry.item);
            at += 1;
            let (end, array) = match entry.item {
                Item::Object { end, .. } => (end as usize, false),
                Item::Array { end, len, bytes } => {
                    if !entry.item.is_left_out() {
                        let arrays = slot.arrays.get_or_insert_default();
                        arrays.lengths.add(u64::from(len));
                        arrays.sizes.add(u64::from(bytes));
                    }
                    if matches!(entry.key, "coordinates" | "geometries")
                        && let Some(top) = open.last()
                        && let Some(verdict) = geometry::judge(document, top.start)
                        && let Some(around) = self.fields.get_mut(top.field.0 as usize)
                    {
                        around.geometries.get_or_insert_default().add(verdict);
                    }
                    (end as usize, true)
                }
                _ => continue,
            };
            levels = levels.max(open.len() as u64 + 1);
            if open.len() < MAX_LEVELS {
                self.walk.objects += 1;
                let object = self.walk.objects;
                open.push(Open {
                    start: at - 1,
                    end,
                    field,
                    next: 0,
                    object,
                    element: None,
                    array,
                    numbers: 0,
                    elements: 0,
                });
            } else {
                // Deeper levels are counted, not profiled.
                levels = levels.max(deepest(document, at, end, open.len() as u64 + 1));
                at = end;
            }
        }
        while let Some(top) = open.pop() {
            self.close(top);
        }
        self.walk.open = open;
        (levels, paths)
    }

    fn close(&mut self, top: Open) {
        let Some(field) = self.fields.get_mut(top.field.0 as usize) else { return };
        if top.array
            && 0 < top.elements
            && top.numbers == top.elements
            && let Some(arrays) = &mut field.arrays
        {
            arrays.number_lengths.add(u64::from(top.elements));
        }
    }

    fn element(&mut self, parent: FieldId) -> FieldId {
        let known = self.fields.get(parent.0 as usize).and_then(|f| {
            f.children
                .iter()
                .copied()
                .find(|c| self.fields.get(c.0 as usize).is_some_and(|f| f.kind == FieldKind::Element))
        });
        known.unwrap_or_else(|| self.insert(parent, "", FieldKind::Element))
    }

    #[inline]
    fn child(&mut self, top: &mut Open, name: &str) -> FieldId {
        let parent = top.field;
        if let Some(field) = self.fields.get(parent.0 as usize) {
            // Documents of a collection mostly have the same fields in the same order, some left out.
            for ahead in 0..2 {
                let Some(candidate) = field.children.get(top.next + ahead).copied() else { break };
                if self
                    .fields
                    .get(candidate.0 as usize)
                    .is_some_and(|f| f.kind == FieldKind::Named && same(&f.name, name))
                {
                    top.next += ahead + 1;
                    return candidate;
                }
            }
        }
        let found = self.named(parent, name).unwrap_or_else(|| self.add_name(parent, name));
        if let Some(field) = self.fields.get(parent.0 as usize)
            && let Some(place) = field.children.iter().position(|c| *c == found)
        {
            top.next = place + 1;
        }
        found
    }

    fn named(&self, parent: FieldId, name: &str) -> Option<FieldId> {
        let by_name = &self.fields.get(parent.0 as usize)?.by_name;
        let name_of = |id: &FieldId| self.fields.get(id.0 as usize).map_or("", |f| &*f.name);
        by_name.binary_search_by(|id| name_of(id).cmp(name)).ok().and_then(|at| by_name.get(at).copied())
    }

    /// Whether an object has a field of this name that is no data.
    pub(crate) fn has_name(&self, parent: FieldId, name: &str) -> bool {
        self.named(parent, name).is_some()
    }

    fn add_name(&mut self, parent: FieldId, name: &str) -> FieldId {
        let folded = self.folded(parent);
        let all_data = self.fields.get(parent.0 as usize).is_some_and(|f| f.names_are_data);
        if all_data || KeyShape::of(name).is_some() || MAX_FIELDS <= self.fields.len() {
            let folded = folded.unwrap_or_else(|| self.insert(parent, "", FieldKind::Folded));
            if let Some(field) = self.fields.get_mut(folded.0 as usize) {
                field.keys.get_or_insert_with(KeyStats::boxed).add(name, 1);
            }
            return folded;
        }
        if MAX_NAMES <= self.fields.get(parent.0 as usize).map_or(0, |f| f.by_name.len()) {
            self.fold(parent);
            return self.add_name(parent, name);
        }
        self.insert(parent, name, FieldKind::Named)
    }

    fn folded(&self, parent: FieldId) -> Option<FieldId> {
        let children = &self.fields.get(parent.0 as usize)?.children;
        children.iter().copied().find(|c| self.fields.get(c.0 as usize).is_some_and(|f| f.kind == FieldKind::Folded))
    }

    fn insert(&mut self, parent: FieldId, name: &str, kind: FieldKind) -> FieldId {
        let id = FieldId(self.fields.len() as u32);
        self.fields.push(Field::new(name, kind, parent));
        let place = self.fields.get(parent.0 as usize).map_or(0, |f| {
            f.by_name.partition_point(|c| self.fields.get(c.0 as usize).is_some_and(|f| *f.name < *name))
        });
        if let Some(field) = self.fields.get_mut(parent.0 as usize) {
            field.children.push(id);
            if kind == FieldKind::Named {
                field.by_name.insert(place, id);
            }
        }
        id
    }

    /// Merges all named children of an object into one field for all names, and marks the object so.
    fn fold(&mut self, parent: FieldId) {
        let Some(field) = self.fields.get_mut(parent.0 as usize) else { return };
        // The mark: every later name of this object is data too.
        field.names_are_data = true;
        let named = std::mem::take(&mut field.by_name);
        field.children.retain(|c| !named.contains(c));
        let folded = self.folded(parent).unwrap_or_else(|| self.insert(parent, "", FieldKind::Folded));
        for child in named {
            let Some(source) = self.fields.get(child.0 as usize).cloned() else { continue };
            if let Some(target) = self.fields.get_mut(folded.0 as usize) {
                target.keys.get_or_insert_with(KeyStats::boxed).add(&source.name, source.count);
                target.merge(&source);
            }
            self.graft(folded, &source.children);
        }
    }

    /// Merges the given subtrees of this profile below another field of it.
    fn graft(&mut self, target: FieldId, sources: &[FieldId]) {
        let mut work: Vec<(FieldId, FieldId)> = sources.iter().map(|s| (target, *s)).collect();
        while let Some((target, source)) = work.pop() {
            let Some(from) = self.fields.get(source.0 as usize).cloned() else { continue };
            let into = self.counterpart(target, &from);
            if let Some(field) = self.fields.get_mut(into.0 as usize) {
                field.merge(&from);
            }
            work.extend(from.children.iter().map(|c| (into, *c)));
        }
    }

    /// The child of `parent` that a field like `from` belongs to, made where it is missing.
    fn counterpart(&mut self, parent: FieldId, from: &Field) -> FieldId {
        match from.kind {
            FieldKind::Root => FieldId::ROOT,
            FieldKind::Element => self.element(parent),
            FieldKind::Folded => self.folded(parent).unwrap_or_else(|| self.insert(parent, "", FieldKind::Folded)),
            FieldKind::Named => {
                if let Some(known) = self.named(parent, &from.name) {
                    return known;
                }
                let all_data = self.fields.get(parent.0 as usize).is_some_and(|f| f.names_are_data);
                let full = MAX_NAMES <= self.fields.get(parent.0 as usize).map_or(0, |f| f.by_name.len());
                if full && !all_data {
                    self.fold(parent);
                }
                if full || all_data {
                    let folded = self.folded(parent).unwrap_or_else(|| self.insert(parent, "", FieldKind::Folded));
                    if let Some(field) = self.fields.get_mut(folded.0 as usize) {
                        field.keys.get_or_insert_with(KeyStats::boxed).add(&from.name, from.count);
                    }
                    return folded;
                }
                self.insert(parent, &from.name, FieldKind::Named)
            }
        }
    }

    /// Adds all that another profile of the same collection counted.
    pub fn merge(&mut self, other: &CollectionProfile) {
        self.documents += other.documents;
        self.sizes.merge(&other.sizes);
        self.levels.merge(&other.levels);
        self.paths.merge(&other.paths);
        self.name_bytes += other.name_bytes;
        for (fidelity, count) in &other.fidelity {
            *self.fidelity.entry(*fidelity).or_default() += count;
        }
        self.created.merge(&other.created);
        self.sample.merge(other.sample.clone());
        let mut work = vec![(FieldId::ROOT, FieldId::ROOT)];
        while let Some((mine, theirs)) = work.pop() {
            let Some(from) = other.fields.get(theirs.0 as usize) else { continue };
            if from.names_are_data && !self.fields.get(mine.0 as usize).is_some_and(|f| f.names_are_data) {
                self.fold(mine);
            }
            if let Some(field) = self.fields.get_mut(mine.0 as usize) {
                field.merge(from);
            }
            for child in &from.children {
                let Some(source) = other.fields.get(child.0 as usize) else { continue };
                let into = self.counterpart(mine, source);
                work.push((into, *child));
            }
        }
    }

    /// Folds names that are data by their number, once all documents were read: what rules and advice look at.
    pub fn conclude(&mut self) {
        self.fold_rare_names();
        self.settle();
    }

    /// Whether there are names that are data by their number alone, which concluding folds.
    pub fn has_rare_names(&self) -> bool {
        self.fields().any(|(id, field)| self.is_rarely_named(id, field))
    }

    /// Keeps types and lengths alone, without documents and values.
    pub fn forget_values(&mut self) {
        self.sample.clear();
        self.fields.iter_mut().for_each(Field::forget_values);
    }

    /// Brings the profile into the one form that its knowledge has, whatever the order of the documents.
    pub fn settle(&mut self) {
        // Numbered anew, breadth first with sorted children, so that equal knowledge is equal bytes.
        let mut order = vec![FieldId::ROOT];
        let mut fields: Vec<Field> = Vec::new();
        let mut next = 0;
        while let Some(id) = order.get(next).copied() {
            next += 1;
            let Some(mut children) = self.fields.get(id.0 as usize).map(|f| f.children.clone()) else { continue };
            children.order_by(|a, b| self.sort_key(*a).cmp(&self.sort_key(*b)));
            let Some(slot) = self.fields.get_mut(id.0 as usize) else { continue };
            // A parent comes before its children and has asked for their names already, so a field can be moved out.
            let mut field = std::mem::replace(slot, Field::new("", FieldKind::Root, FieldId::ROOT));
            field.children = Vec::new();
            for child in children {
                field.children.push(FieldId(order.len() as u32));
                order.push(child);
            }
            field.seen = super::field::Seen::default();
            field.settle();
            fields.push(field);
        }
        for at in 0..fields.len() {
            let children = fields.get(at).map(|f| f.children.clone()).unwrap_or_default();
            for child in children {
                if let Some(field) = fields.get_mut(child.0 as usize) {
                    field.parent = FieldId(at as u32);
                }
            }
        }
        self.fields = fields;
        self.bound_documents();
        self.index_names();
    }

    fn sort_key(&self, id: FieldId) -> (FieldKind, &str) {
        self.fields.get(id.0 as usize).map_or((FieldKind::Root, ""), |f| (f.kind, &*f.name))
    }

    /// Unions of document sets are not known below merged names: the parent's count bounds them in any order.
    fn bound_documents(&mut self) {
        let mut work = vec![(FieldId::ROOT, false)];
        while let Some((id, inside)) = work.pop() {
            let Some(field) = self.fields.get(id.0 as usize) else { continue };
            let inside = inside || field.kind == FieldKind::Folded;
            let bound = self.fields.get(field.parent.0 as usize).map_or(0, |p| p.documents);
            work.extend(field.children.iter().map(|c| (*c, inside)));
            if inside && let Some(field) = self.fields.get_mut(id.0 as usize) {
                field.documents = field.count.min(bound);
                field.duplicates = 0;
            }
        }
    }

    fn index_names(&mut self) {
        for at in 0..self.fields.len() {
            let Some(field) = self.fields.get(at) else { continue };
            let mut named: Vec<FieldId> = field
                .children
                .iter()
                .copied()
                .filter(|c| self.fields.get(c.0 as usize).is_some_and(|f| f.kind == FieldKind::Named))
                .collect();
            named.order_by(|a, b| self.sort_key(*a).cmp(&self.sort_key(*b)));
            if let Some(field) = self.fields.get_mut(at) {
                field.by_name = named;
            }
        }
    }

    /// Folds objects below the root with many siblings, each rare and all alike.
    fn fold_rare_names(&mut self) {
        let mut work = vec![FieldId::ROOT];
        while let Some(id) = work.pop() {
            let Some(field) = self.fields.get(id.0 as usize) else { continue };
            if self.is_rarely_named(id, field) {
                self.fold(id);
            }
            if let Some(field) = self.fields.get(id.0 as usize) {
                work.extend(field.children.iter().copied());
            }
        }
    }

    fn is_rarely_named(&self, id: FieldId, field: &Field) -> bool {
        // The fields of a document are its model, however rare; names that are data hang below one of them.
        if id == FieldId::ROOT || field.names_are_data || field.by_name.len() < MIN_DATA_NAMES {
            return false;
        }
        let siblings: Vec<&Field> = field.by_name.iter().filter_map(|c| self.fields.get(c.0 as usize)).collect();
        let objects = field.count_of(Type::Object);
        let shape = |f: &Field| {
            let types: Vec<Type> = f.types_found().into_iter().map(|(t, _)| t).filter(|t| *t != Type::Null).collect();
            let names: Vec<&str> =
                f.by_name.iter().filter_map(|c| self.fields.get(c.0 as usize)).map(|f| &*f.name).collect();
            (types, names)
        };
        siblings.iter().all(|f| f.count * RARE_NAME <= objects)
            && siblings.windows(2).all(|pair| matches!(pair, [a, b] if shape(a) == shape(b)))
    }

    /// Makes a profile that was read back fit for adding and merging.
    pub fn restore(&mut self) {
        for field in &mut self.fields {
            field.restore();
        }
        self.index_names();
    }

    /// Every field with its place, parents before children.
    pub fn fields(&self) -> impl Iterator<Item = (FieldId, &Field)> {
        self.fields.iter().enumerate().map(|(at, field)| (FieldId(at as u32), field))
    }

    /// One field.
    pub fn field(&self, id: FieldId) -> Option<&Field> {
        self.fields.get(id.0 as usize)
    }

    /// The document itself as a field.
    pub fn root(&self) -> Option<&Field> {
        self.fields.first()
    }

    /// The fields directly below one.
    pub fn children(&self, id: FieldId) -> impl Iterator<Item = (FieldId, &Field)> {
        let ids = self.field(id).map(|f| f.children.as_slice()).unwrap_or_default();
        ids.iter().filter_map(|c| self.field(*c).map(|f| (*c, f)))
    }

    /// The elements of an array field.
    pub fn elements(&self, id: FieldId) -> Option<(FieldId, &Field)> {
        self.children(id).find(|(_, f)| f.kind == FieldKind::Element)
    }

    /// The path of a field in dot notation: array levels are left out, names that are data read `<key>`.
    pub fn path(&self, id: FieldId) -> FieldPath {
        let mut names: Vec<&str> = Vec::new();
        let mut at = id;
        while let Some(field) = self.field(at) {
            match field.kind {
                FieldKind::Root => break,
                FieldKind::Element => {}
                FieldKind::Named => names.push(&field.name),
                FieldKind::Folded => names.push("<key>"),
            }
            at = field.parent;
        }
        names.reverse();
        FieldPath::new(names.join("."))
    }

    /// The fields that a dotted path reaches, through arrays as queries do; names that are data match any name.
    pub fn resolve(&self, path: &str) -> Vec<FieldId> {
        let mut at = vec![FieldId::ROOT];
        for name in path.split('.') {
            let mut next = Vec::new();
            let mut work = at;
            while let Some(id) = work.pop() {
                for (child, field) in self.children(id) {
                    match field.kind {
                        FieldKind::Named if *field.name == *name => next.push(child),
                        FieldKind::Folded if name == "<key>" || KeyShape::of(name).is_some() => next.push(child),
                        FieldKind::Element => {
                            work.push(child);
                            // A number behind an array is the place of an element.
                            if !name.is_empty() && name.bytes().all(|b| b.is_ascii_digit()) {
                                next.push(child);
                            }
                        }
                        _ => {}
                    }
                }
            }
            next.order();
            next.dedup();
            at = next;
        }
        at
    }

    /// In how many objects the field could stand: its parent's objects (documents, embedded ones, elements).
    pub fn parent_objects(&self, id: FieldId) -> u64 {
        self.field(id).and_then(|f| self.field(f.parent)).map_or(0, |p| p.count_of(Type::Object))
    }

    /// In how many of the objects that could have the field it is missing; 0 for elements and folded names.
    pub fn missing(&self, id: FieldId) -> u64 {
        match self.field(id) {
            Some(field) if field.kind == FieldKind::Named => {
                self.parent_objects(id).saturating_sub(field.count.saturating_sub(field.duplicates))
            }
            _ => 0,
        }
    }

    /// Whether the field lies below an array (its own being one does not count).
    pub fn in_array(&self, id: FieldId) -> bool {
        let mut at = id;
        while let Some(field) = self.field(at) {
            match field.kind {
                FieldKind::Root => return false,
                FieldKind::Element => return true,
                _ => at = field.parent,
            }
        }
        false
    }
}

/// Whether two names are equal. Names are short, and WebAssembly compares slices byte by byte: eight at a time is
/// faster there, the last eight overlapping those before.
#[inline]
fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    if let (Some(last_a), Some(last_b)) = (a.last_chunk::<8>(), b.last_chunk::<8>()) {
        let blocks = a.chunks_exact(8).zip(b.chunks_exact(8));
        return u64::from_ne_bytes(*last_a) == u64::from_ne_bytes(*last_b)
            && blocks.map(|(a, b)| (a.first_chunk::<8>(), b.first_chunk::<8>())).all(|(a, b)| a == b);
    }
    if let (Some(first_a), Some(first_b), Some(last_a), Some(last_b)) =
        (a.first_chunk::<4>(), b.first_chunk::<4>(), a.last_chunk::<4>(), b.last_chunk::<4>())
    {
        return u32::from_ne_bytes(*first_a) == u32::from_ne_bytes(*first_b)
            && u32::from_ne_bytes(*last_a) == u32::from_ne_bytes(*last_b);
    }
    a.iter().zip(b).all(|(a, b)| a == b)
}

fn deepest(document: &Document<'_>, from: usize, to: usize, base: u64) -> u64 {
    let mut ends: Vec<usize> = Vec::new();
    let mut deepest = base;
    for at in from..to {
        while ends.last().is_some_and(|end| *end <= at) {
            ends.pop();
        }
        if let Some(Item::Object { end, .. } | Item::Array { end, .. }) = document.entries.get(at).map(|e| e.item) {
            ends.push(end as usize);
            deepest = deepest.max(base + ends.len() as u64);
        }
    }
    deepest
}

const PERIOD: u32 = 30 * 86_400;

impl Created {
    fn add(&mut self, seconds: u32) {
        self.min = Some(self.min.map_or(seconds, |m| m.min(seconds)));
        self.max = Some(self.max.map_or(seconds, |m| m.max(seconds)));
        *self.periods.entry(seconds / PERIOD).or_default() += 1;
    }

    fn merge(&mut self, other: &Created) {
        self.min = match (self.min, other.min) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        self.max = self.max.max(other.max);
        for (period, count) in &other.periods {
            *self.periods.entry(*period).or_default() += count;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn add(profile: &mut CollectionProfile, json: &str) {
        let arena = bumpalo::Bump::new();
        let mut entries = Vec::new();
        let (_, form) = crate::value::ejson::decode(json.as_bytes(), &arena, &mut entries).expect("valid JSON");
        profile.add(&Document { entries: &entries, fidelity: form.fidelity(false) });
    }

    fn profile(documents: &[String]) -> CollectionProfile {
        let mut profile = CollectionProfile::default();
        for document in documents {
            add(&mut profile, document);
        }
        profile
    }

    fn field<'a>(profile: &'a CollectionProfile, path: &str) -> &'a Field {
        let id = *profile.resolve(path).first().expect("the path is there");
        profile.field(id).expect("it has a field")
    }

    #[test]
    fn names_are_equal_when_every_byte_is() {
        let names =
            ["", "a", "b", "abc", "abd", "name", "nams", "number", "numbel", "createdAt", "createdAs", "xreatedAt"];
        let long = ["a rather long name of a field", "a rather long name of a fiele", "a rather lomg name of a field"];
        for a in names.into_iter().chain(long) {
            for b in names.into_iter().chain(long) {
                assert_eq!(same(a, b), a == b, "{a:?} and {b:?}");
            }
        }
    }

    #[test]
    fn presence_is_counted_in_objects_and_documents() {
        let mut profile = profile(&[
            r#"{"_id": 1, "items": [{"sku": "a", "n": 1}, {"sku": "b"}]}"#.to_owned(),
            r#"{"_id": 2, "items": [], "note": null}"#.to_owned(),
        ]);
        profile.conclude();
        let sku = field(&profile, "items.sku");
        assert_eq!((sku.count, sku.documents), (2, 1));
        let n = *profile.resolve("items.n").first().expect("there");
        assert_eq!((profile.missing(n), profile.parent_objects(n)), (1, 2));
        assert_eq!(field(&profile, "note").nulls(), 1);
        assert_eq!(profile.paths.max(), 4, "_id, items, items.sku and items.n");
    }

    #[test]
    fn names_that_are_data_fold_at_once_and_by_number() {
        let id = |n: usize| format!("651f000102030405060{n:05x}");
        let documents: Vec<String> = (0..200)
            .map(|n| format!(r#"{{"_id": {n}, "scores": {{"{}": 5}}, "tags": {{"tag{}": true}}}}"#, id(n), n % 100))
            .collect();
        let mut profile = profile(&documents);
        profile.conclude();
        assert_eq!(field(&profile, "scores.<key>").count, 200);
        assert_eq!(field(&profile, "tags.<key>").keys.as_ref().expect("folded").distinct.estimate(), 100);
        assert_eq!(profile.fields().count(), 6, "root, _id, scores, its key, tags, its key");
    }

    #[test]
    fn a_hundred_thousand_names_do_not_grow_the_profile() {
        let documents: Vec<String> = (0..100)
            .map(|d| {
                let names: Vec<String> = (0..1000).map(|n| format!(r#""name-{d}-{n}": {n}"#)).collect();
                format!(r#"{{"_id": {d}, "by": {{{}}}}}"#, names.join(","))
            })
            .collect();
        let profile = profile(&documents);
        assert!(profile.fields().count() < 5_000, "{}", profile.fields().count());
        assert_eq!(field(&profile, "by.<key>").count, 100_000);
    }

    #[test]
    fn a_name_that_occurs_twice_in_an_object_is_counted() {
        let profile = profile(&[r#"{"_id": 1, "a": 1, "b": {"c": 1, "c": 2}, "l": [{"c": 1}, {"c": 1}]}"#.to_owned()]);
        assert_eq!((field(&profile, "b.c").duplicates, field(&profile, "l.c").duplicates), (1, 0));
    }

    #[test]
    fn deep_nesting_is_measured_and_bounded() {
        let deep = format!("{}1{}", r#"{"a":"#.repeat(1000), "}".repeat(1000));
        let profile = profile(&[deep]);
        assert_eq!(profile.levels.max(), 1000);
        assert!(profile.fields().count() <= MAX_LEVELS + 2);
    }

    fn documents() -> impl Strategy<Value = Vec<String>> {
        let scalar = prop_oneof![
            (0i64..40).prop_map(|n| n.to_string()),
            any::<f64>().prop_filter("JSON has no NaN", |f| f.is_finite()).prop_map(|f| format!("{f:?}")),
            "[a-c]{0,3}".prop_map(|s| format!("{s:?}")),
            Just("null".to_owned()),
            Just(r#"{"$date": "2026-01-01T00:00:00Z"}"#.to_owned()),
            (0u32..99).prop_map(|n| format!(r#"{{"$oid": "651f0001020304050607{n:04x}"}}"#)),
        ];
        let value = scalar.prop_recursive(3, 24, 5, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(|v| format!("[{}]", v.join(","))),
                prop::collection::vec(("[a-e]|[0-9]{1,2}", inner), 0..4).prop_map(|fields| {
                    let fields: Vec<String> = fields.into_iter().map(|(k, v)| format!("{k:?}:{v}")).collect();
                    format!("{{{}}}", fields.join(","))
                }),
            ]
        });
        prop::collection::vec(prop::collection::vec(("_id|[a-d]", value), 0..6), 0..30).prop_map(|documents| {
            let object = |fields: Vec<(String, String)>| {
                let fields: Vec<String> = fields.into_iter().map(|(k, v)| format!("{k:?}:{v}")).collect();
                format!("{{{}}}", fields.join(","))
            };
            documents.into_iter().map(object).collect()
        })
    }

    proptest! {
        #[test]
        fn merged_parts_equal_the_whole_in_any_order(documents in documents(), cut in 0usize..30) {
            let cut = cut.min(documents.len());
            let mut whole = profile(&documents);
            let mut reversed = profile(&documents.iter().rev().cloned().collect::<Vec<_>>());
            let (left, right) = documents.split_at(cut);
            let mut merged = profile(right);
            merged.merge(&profile(left));
            whole.settle();
            reversed.settle();
            merged.settle();
            prop_assert_eq!(&merged, &whole);
            prop_assert_eq!(&reversed, &whole);
            let saved = postcard::to_allocvec(&whole).expect("a profile serialises");
            let mut restored: CollectionProfile = postcard::from_bytes(&saved).expect("and comes back");
            restored.restore();
            prop_assert_eq!(postcard::to_allocvec(&restored).expect("a profile serialises"), saved);
            whole.conclude();
            merged.conclude();
            prop_assert_eq!(&merged, &whole);
        }
    }
}
