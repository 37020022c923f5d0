//! A bounded sample of whole documents: the longest prefix in the order of their key hashes.

use std::collections::BTreeMap;
use std::io::Write;

use serde::{Deserialize, Serialize};

use crate::order::Ordered;
use crate::value::event::{Document, Item};
use crate::value::hash::hash_entry;

/// Documents kept for one collection.
const MAX_DOCUMENTS: usize = 2_000;
/// Bytes kept for one collection.
const MAX_BYTES: usize = 16 << 20;
/// Bytes kept for all collections together once a run is read.
pub const MAX_SHARED: usize = 64 << 20;
/// A document that is still larger than this when cut is not kept: one giant would crowd out all others.
const MAX_DOCUMENT: usize = 1 << 20;
/// Strings and binaries are cut to this many bytes.
pub(crate) const MAX_TEXT: usize = 1_024;
/// Arrays are cut to this many elements.
const MAX_ELEMENTS: usize = 200;

/// A sample that depends on the documents alone, never on their order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Default)]
pub struct Sample {
    kept: BTreeMap<u64, Vec<Kept>>,
    bytes: usize,
    documents: usize,
    /// Hashes from here on were dropped once: the prefix ends before them.
    bound: Option<u64>,
}

/// One kept document: as BSON, with the true lengths of what was cut.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Kept {
    bson: Vec<u8>,
    /// Event index of each array that was cut (or that the input had cut), and its true length.
    cuts: Vec<(u32, u32)>,
    /// True size of the whole document as BSON.
    bytes: u32,
}

impl Sample {
    /// The hash that places a document: that of its `_id`, else that of the whole.
    #[inline]
    pub fn place(document: &Document<'_>) -> u64 {
        let id = document.children(0).find(|(_, entry)| entry.key == "_id");
        hash_entry(document, id.map_or(0, |(at, _)| at))
    }

    /// Takes a document whose key hashes to `hash`, if it belongs to the sample.
    #[inline]
    pub fn offer(&mut self, hash: u64, document: &Document<'_>) {
        if self.bound.is_some_and(|bound| bound <= hash) {
            return;
        }
        if MAX_DOCUMENTS <= self.documents && self.kept.last_key_value().is_some_and(|(last, _)| last < &hash) {
            self.bound = Some(hash);
            return;
        }
        let kept = Kept::cut(document);
        if kept.bson.len() <= MAX_DOCUMENT {
            self.insert(hash, kept);
        }
    }

    fn insert(&mut self, hash: u64, kept: Kept) {
        self.bytes += kept.bson.len();
        self.documents += 1;
        let group = self.kept.entry(hash).or_default();
        let at = group.partition_point(|k| k < &kept);
        group.insert(at, kept);
        while MAX_DOCUMENTS < self.documents || MAX_BYTES < self.bytes {
            // Documents of one hash go together: which of them came first must not matter.
            let Some((last, group)) = self.kept.pop_last() else { return };
            self.documents -= group.len();
            self.bytes -= group.iter().map(|k| k.bson.len()).sum::<usize>();
            self.bound = Some(last);
        }
    }

    /// Takes a document that may come several times and is kept once.
    pub fn offer_once(&mut self, hash: u64, document: &Document<'_>) {
        if self.holds(hash) {
            self.replace(hash, Kept::cut(document));
        } else {
            self.offer(hash, document);
        }
    }

    /// Of several states of one document the least is kept: which of them came first must not matter.
    fn replace(&mut self, hash: u64, kept: Kept) {
        let Some(mine) = self.kept.get_mut(&hash).and_then(|group| group.first_mut()) else { return };
        if kept < *mine && kept.bson.len() <= MAX_DOCUMENT {
            self.bytes -= mine.bson.len();
            self.bytes += kept.bson.len();
            *mine = kept;
        }
    }

    /// Adds another sample of documents that are kept once.
    pub fn merge_once(&mut self, mut other: Sample) {
        let known: Vec<u64> = other.kept.keys().copied().filter(|hash| self.kept.contains_key(hash)).collect();
        for hash in known {
            for kept in other.kept.remove(&hash).unwrap_or_default() {
                self.replace(hash, kept);
            }
        }
        self.merge(other);
    }

    /// Whether a document of this hash is kept.
    pub fn holds(&self, hash: u64) -> bool {
        self.kept.contains_key(&hash)
    }

    /// Adds another sample of the same collection.
    pub fn merge(&mut self, other: Sample) {
        if let Some(theirs) = other.bound {
            self.bound = Some(self.bound.map_or(theirs, |mine| mine.min(theirs)));
        }
        for (hash, group) in other.kept {
            for kept in group {
                if self.bound.is_none_or(|bound| hash < bound) {
                    self.insert(hash, kept);
                }
            }
        }
        if let Some(bound) = self.bound {
            self.end_before(bound);
        }
    }

    /// Ends the prefix before a hash.
    fn end_before(&mut self, bound: u64) {
        self.bound = Some(self.bound.map_or(bound, |mine| mine.min(bound)));
        for group in self.kept.split_off(&bound).into_values() {
            self.documents -= group.len();
            self.bytes -= group.iter().map(|k| k.bson.len()).sum::<usize>();
        }
    }

    /// Cuts the samples of all collections to so many bytes together, all before one hash.
    pub fn share<'a>(samples: impl IntoIterator<Item = &'a mut Sample>, bytes: usize) {
        let samples: Vec<&mut Sample> = samples.into_iter().collect();
        if samples.iter().map(|s| s.bytes).sum::<usize>() <= bytes {
            return;
        }
        let groups = samples.iter().flat_map(|s| s.kept.iter());
        let mut sizes: Vec<(u64, usize)> =
            groups.map(|(hash, group)| (*hash, group.iter().map(|k| k.bson.len()).sum())).collect();
        sizes.order();
        let mut total = 0;
        let bound = sizes.into_iter().find(|(_, size)| {
            total += size;
            bytes < total
        });
        if let Some((bound, _)) = bound {
            for sample in samples {
                sample.end_before(bound);
            }
        }
    }

    /// How many documents are kept.
    pub fn len(&self) -> usize {
        self.documents
    }

    /// Whether no document is kept.
    pub fn is_empty(&self) -> bool {
        self.documents == 0
    }

    /// How many bytes the kept documents take.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// The kept documents, in the order of their hashes.
    pub fn iter(&self) -> impl Iterator<Item = (u64, &Kept)> {
        self.kept.iter().flat_map(|(hash, group)| group.iter().map(move |kept| (*hash, kept)))
    }

    /// Forgets the documents, for profiles that are saved without them.
    pub fn clear(&mut self) {
        *self = Sample { bound: Some(0), ..Sample::default() };
    }
}

impl Kept {
    /// True size of the document as BSON, in bytes, before cutting.
    pub fn bytes(&self) -> u32 {
        self.bytes
    }

    /// Reads the document back and hands it to `read`; arrays that were cut tell their true length.
    pub fn with<R>(&self, read: impl FnOnce(&Document<'_>) -> R) -> Option<R> {
        let arena = bumpalo::Bump::new();
        let mut entries = Vec::new();
        crate::value::bson::decode(&self.bson, &arena, &mut entries).ok()?;
        for (at, true_length) in &self.cuts {
            if let Some(Item::Array { len, .. }) = entries.get_mut(*at as usize).map(|e| &mut e.item) {
                *len = *true_length;
            }
        }
        Some(read(&Document { entries: &entries, fidelity: crate::value::event::Fidelity::Exact }))
    }

    fn cut(document: &Document<'_>) -> Kept {
        let bytes = document.bytes();
        let room = (bytes as usize).min(MAX_DOCUMENT);
        let mut out = Kept { bson: Vec::with_capacity(room), cuts: Vec::new(), bytes };
        // Where the length of each open container stands, its last event, and elements seen so far in an array.
        let mut open: Vec<(usize, usize, Option<usize>)> = Vec::new();
        let mut at = 0;
        let mut written = 0u32;
        while at < document.entries.len() || !open.is_empty() {
            if let Some((start, end, _)) = open.last().copied()
                && end <= at
            {
                out.bson.push(0);
                let size = (out.bson.len() - start) as u32;
                if let Some(slot) = out.bson.get_mut(start..start + 4) {
                    slot.copy_from_slice(&size.to_le_bytes());
                }
                open.pop();
                continue;
            }
            let Some(entry) = document.entries.get(at) else { break };
            if let Some((_, end, seen)) = open.last_mut() {
                if let Some(seen) = seen {
                    if MAX_ELEMENTS <= *seen {
                        at = *end;
                        continue;
                    }
                    out.bson.push(tag(&entry.item));
                    // Writing to memory cannot fail.
                    let _ = write!(out.bson, "{seen}");
                    *seen += 1;
                } else {
                    out.bson.push(tag(&entry.item));
                    out.bson.extend_from_slice(entry.key.as_bytes());
                }
                out.bson.push(0);
            }
            match entry.item {
                Item::Object { end, .. } => {
                    open.push((out.bson.len(), end as usize, None));
                    out.bson.extend_from_slice(&[0; 4]);
                }
                Item::Array { end, len, .. } => {
                    let present = document.children(at).count();
                    if MAX_ELEMENTS < present || present < len as usize {
                        out.cuts.push((written, len));
                    }
                    open.push((out.bson.len(), end as usize, Some(0)));
                    out.bson.extend_from_slice(&[0; 4]);
                }
                ref scalar => write_scalar(scalar, &mut out.bson),
            }
            written += 1;
            at += 1;
        }
        out
    }
}

fn tag(item: &Item<'_>) -> u8 {
    match item {
        Item::Double(_) => 0x01,
        Item::String(_) => 0x02,
        Item::Object { .. } => 0x03,
        Item::Array { .. } => 0x04,
        Item::BinData { .. } => 0x05,
        Item::Undefined => 0x06,
        Item::ObjectId(_) => 0x07,
        Item::Bool(_) => 0x08,
        Item::Date(_) => 0x09,
        Item::Null => 0x0a,
        Item::Regex(_) => 0x0b,
        Item::DbPointer(_) => 0x0c,
        // The scope is not kept, so code with scope is kept as code.
        Item::Javascript(_) | Item::JavascriptWithScope(_) => 0x0d,
        Item::Symbol(_) => 0x0e,
        Item::Int(_) => 0x10,
        Item::Timestamp { .. } => 0x11,
        Item::Long(_) => 0x12,
        Item::Decimal(_) => 0x13,
        Item::MinKey => 0xff,
        Item::MaxKey => 0x7f,
    }
}

fn write_scalar(item: &Item<'_>, out: &mut Vec<u8>) {
    match item {
        Item::Double(v) => out.extend_from_slice(&v.to_le_bytes()),
        Item::String(text) | Item::Javascript(text) | Item::Symbol(text) | Item::JavascriptWithScope((text, _)) => {
            write_text(text, out);
        }
        Item::BinData { subtype, data } => {
            let data = data.get(..data.len().min(MAX_TEXT)).unwrap_or_default();
            let inner = if *subtype == 2 { 4 } else { 0 };
            out.extend_from_slice(&(data.len() as u32 + inner).to_le_bytes());
            out.push(*subtype);
            if *subtype == 2 {
                out.extend_from_slice(&(data.len() as u32).to_le_bytes());
            }
            out.extend_from_slice(data);
        }
        Item::ObjectId(id) => out.extend_from_slice(id),
        Item::Bool(v) => out.push(u8::from(*v)),
        Item::Date(v) | Item::Long(v) => out.extend_from_slice(&v.to_le_bytes()),
        Item::Regex((pattern, options)) => {
            for part in [pattern, options] {
                out.extend_from_slice(part.as_bytes());
                out.push(0);
            }
        }
        Item::DbPointer((ns, id)) => {
            write_text(ns, out);
            out.extend_from_slice(id);
        }
        Item::Int(v) => out.extend_from_slice(&v.to_le_bytes()),
        Item::Timestamp { seconds, ordinal } => {
            out.extend_from_slice(&ordinal.to_le_bytes());
            out.extend_from_slice(&seconds.to_le_bytes());
        }
        Item::Decimal(v) => out.extend_from_slice(v),
        Item::Object { .. } | Item::Array { .. } | Item::Undefined | Item::Null | Item::MinKey | Item::MaxKey => {}
    }
}

fn write_text(text: &str, out: &mut Vec<u8>) {
    let mut end = text.len().min(MAX_TEXT);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let text = text.get(..end).unwrap_or_default();
    out.extend_from_slice(&(text.len() as u32 + 1).to_le_bytes());
    out.extend_from_slice(text.as_bytes());
    out.push(0);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(ids: std::ops::Range<i32>) -> Sample {
        let mut sample = Sample::default();
        for id in ids {
            let json = format!("{{\"_id\": {id}, \"text\": \"{}\"}}", "x".repeat(500));
            let arena = bumpalo::Bump::new();
            let mut entries = Vec::new();
            let (_, form) = crate::value::ejson::decode(json.as_bytes(), &arena, &mut entries).expect("valid JSON");
            let document = Document { entries: &entries, fidelity: form.fidelity(false) };
            sample.offer(crate::value::hash::hash_entry(&document, 1), &document);
        }
        sample
    }

    #[test]
    fn the_sample_is_the_same_in_any_order_and_bounded() {
        let whole = sample(0..5_000);
        assert_eq!(whole.len(), MAX_DOCUMENTS);
        let mut merged = sample(3_000..5_000);
        merged.merge(sample(0..1_000));
        merged.merge(sample(1_000..3_000));
        assert_eq!(merged.kept, whole.kept);
    }

    #[test]
    fn collections_share_what_may_be_kept() {
        let mut samples = [sample(0..1_000), sample(1_000..3_000)];
        let before: usize = samples.iter().map(Sample::bytes).sum();
        Sample::share(&mut samples, before / 2);
        let after: usize = samples.iter().map(Sample::bytes).sum();
        assert!(before / 2 - 2_000 < after && after <= before / 2, "{after} of {before}");
        let [a, b] = &samples;
        assert!(a.bound == b.bound && !a.is_empty() && a.len() < b.len(), "both end before one hash");
    }

    #[test]
    fn cut_documents_tell_their_true_lengths() {
        let json = format!("{{\"_id\": 1, \"list\": [{}]}}", vec!["7"; 450].join(","));
        let arena = bumpalo::Bump::new();
        let mut entries = Vec::new();
        crate::value::ejson::decode(json.as_bytes(), &arena, &mut entries).expect("valid JSON");
        let document = Document { entries: &entries, fidelity: crate::value::event::Fidelity::Exact };
        let kept = Kept::cut(&document);
        assert_eq!(kept.bytes(), document.bytes());
        let read = kept.with(|cut| {
            let list = cut.get("list").expect("it is there");
            (matches!(list, Item::Array { len: 450, .. }), cut.entries.len())
        });
        assert_eq!(read, Some((true, MAX_ELEMENTS + 3)));
    }
}
