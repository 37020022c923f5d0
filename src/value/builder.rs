//! What the two text decoders share: the event list while it grows, with BSON sizes counted on the way.

use bumpalo::Bump;

use super::bson::MAX_DEPTH;
use super::event::{DecodeError, Entry, Fidelity, Item};
use crate::order::Ordered;

/// What the form of a document in text tells about the types that it was stored with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Form {
    /// Type wrappers or constructors that were read.
    pub typed: u32,
    /// Numbers that were written bare, so that their type is a guess.
    pub bare_numbers: u32,
    /// Whether `_id` is a string of 24 hex digits, as an ObjectId that has lost its type.
    pub hex_id: bool,
    /// Whether the shell had cut something out of it.
    pub cut: bool,
}

impl Form {
    /// The fidelity of this document taken alone. Only the view of the whole input can tell whether types are lost,
    /// so `plain` says whether other documents of it had no wrapper either.
    pub fn fidelity(&self, plain: bool) -> Fidelity {
        if plain && self.typed == 0 {
            Fidelity::TypesLost
        } else if self.bare_numbers > 0 {
            Fidelity::NumbersLost
        } else {
            Fidelity::Exact
        }
    }
}

/// An open container.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Frame<'a> {
    /// Its event.
    pub(crate) event: usize,
    /// Where it starts in the input.
    pub(crate) start: usize,
    /// Key that it stands under.
    pub(crate) key: &'a str,
    /// Its bytes as BSON so far, without length and terminator.
    bytes: u32,
    /// Elements so far.
    elements: u32,
    /// Elements that the shell left out.
    pub(crate) left_out: u32,
    /// Bare numbers before it.
    bare_numbers: u32,
    pub(crate) array: bool,
    /// Whether its first key may begin a type wrapper.
    pub(crate) maybe_wrapper: bool,
}

impl Frame<'_> {
    /// Whether nothing has been read in it yet.
    pub(crate) fn is_empty(&self) -> bool {
        self.elements == 0
    }
}

/// The event list while it grows.
pub(crate) struct Builder<'a, 'v> {
    pub(crate) arena: &'a Bump,
    pub(crate) entries: &'v mut Vec<Entry<'a>>,
    pub(crate) frames: Vec<Frame<'a>>,
    pub(crate) form: Form,
}

impl<'a, 'v> Builder<'a, 'v> {
    pub(crate) fn new(arena: &'a Bump, entries: &'v mut Vec<Entry<'a>>) -> Self {
        entries.clear();
        Builder { arena, entries, frames: Vec::with_capacity(8), form: Form::default() }
    }

    pub(crate) fn open(&mut self, key: &'a str, array: bool, start: usize) -> Result<(), DecodeError> {
        if self.frames.len() >= MAX_DEPTH as usize {
            return Err(fault(start, "documents and arrays are nested too deeply"));
        }
        self.frames.push(Frame {
            event: self.entries.len(),
            start,
            key,
            bytes: 0,
            elements: 0,
            left_out: 0,
            bare_numbers: self.form.bare_numbers,
            array,
            maybe_wrapper: false,
        });
        let item = if array { Item::Array { end: 0, bytes: 0, len: 0 } } else { Item::Object { end: 0, bytes: 0 } };
        self.entries.push(Entry { key, item });
        Ok(())
    }

    #[inline]
    pub(crate) fn scalar(&mut self, key: &'a str, item: Item<'a>) {
        self.entries.push(Entry { key, item });
        self.count(key, item.bytes());
    }

    /// Closes the innermost container and leaves its event in place.
    pub(crate) fn close(&mut self, frame: Frame<'a>) {
        self.frames.pop();
        let behind = self.entries.len() as u32;
        let size = frame.bytes.saturating_add(5);
        if let Some(entry) = self.entries.get_mut(frame.event) {
            match &mut entry.item {
                Item::Object { end, bytes } => (*end, *bytes) = (behind, size),
                Item::Array { end, bytes, len } => {
                    (*end, *bytes, *len) = (behind, size, frame.elements.saturating_add(frame.left_out));
                }
                _ => {}
            }
        }
        self.count(frame.key, size);
    }

    /// Closes the innermost container, which stood for a typed value.
    pub(crate) fn replace(&mut self, frame: Frame<'a>, item: Item<'a>) {
        self.frames.pop();
        self.entries.truncate(frame.event);
        self.form.bare_numbers = frame.bare_numbers;
        self.form.typed += 1;
        self.scalar(frame.key, item);
    }

    /// Closes the innermost container, an array, as an object whose fields have these names.
    pub(crate) fn close_as_object(&mut self, frame: Frame<'a>, names: &[&'static str]) {
        let (mut next, mut bytes) = (frame.event + 1, frame.bytes);
        for name in names {
            let behind = next + 1;
            let Some(entry) = self.entries.get_mut(next) else { break };
            entry.key = name;
            next = match entry.item {
                Item::Object { end, .. } | Item::Array { end, .. } => end as usize,
                _ => behind,
            };
            // The key of an array element of so few is one digit.
            bytes = bytes.saturating_add(name.len() as u32 - 1);
        }
        if let Some(entry) = self.entries.get_mut(frame.event) {
            entry.item = Item::Object { end: 0, bytes: 0 };
        }
        self.close(Frame { bytes, array: false, ..frame });
    }

    /// Counts a value into the size of the container around it.
    #[inline]
    fn count(&mut self, key: &str, bytes: u32) {
        if let Some(frame) = self.frames.last_mut() {
            let name = if frame.array { digits(frame.elements) } else { key.len() as u32 };
            frame.bytes = frame.bytes.saturating_add(name).saturating_add(bytes).saturating_add(2);
            frame.elements += 1;
        }
    }

    /// Looks at `_id`, once the document is complete.
    pub(crate) fn finish(&mut self) {
        let document = super::Document { entries: self.entries, fidelity: Fidelity::Exact };
        if let Some(Item::String(id)) = document.get("_id") {
            self.form.hex_id = id.len() == 24 && id.bytes().all(|b| b.is_ascii_hexdigit());
        }
    }
}

/// Length of the key of an array element.
fn digits(index: u32) -> u32 {
    index.checked_ilog10().map_or(1, |log| log + 1)
}

#[cold]
pub(crate) fn fault(offset: usize, reason: &'static str) -> DecodeError {
    DecodeError { offset, reason, incomplete: false }
}

/// 12 bytes from 24 hex digits.
pub fn object_id(text: &str) -> Option<[u8; 12]> {
    let mut id = [0; 12];
    hex_into(text, &mut id)?;
    Some(id)
}

/// Fills `out` from exactly twice as many hex digits.
pub(crate) fn hex_into(text: &str, out: &mut [u8]) -> Option<()> {
    let (pairs, []) = text.as_bytes().as_chunks::<2>() else { return None };
    if pairs.len() != out.len() {
        return None;
    }
    for (byte, [high, low]) in out.iter_mut().zip(pairs) {
        *byte = (char::from(*high).to_digit(16)? * 16 + char::from(*low).to_digit(16)?) as u8;
    }
    Some(())
}

/// 16 bytes of a UUID with its hyphens in place, or of 32 hex digits where `bare` allows them.
pub(crate) fn uuid(text: &str, bare: bool) -> Option<[u8; 16]> {
    let mut bytes = [0; 16];
    if bare && text.len() == 32 {
        hex_into(text, &mut bytes)?;
        return Some(bytes);
    }
    let hyphens = text.bytes().enumerate().filter(|(_, b)| *b == b'-').map(|(at, _)| at);
    if text.len() != 36 || !hyphens.eq([8, 13, 18, 23]) {
        return None;
    }
    let mut digits = String::with_capacity(32);
    digits.extend(text.chars().filter(|c| *c != '-'));
    hex_into(&digits, &mut bytes)?;
    Some(bytes)
}

/// The bytes of base64, standard or URL alphabet, padded or not.
pub(crate) fn base64(text: &str) -> Option<Vec<u8>> {
    let text = text.trim_end_matches('=');
    let mut out = Vec::with_capacity(text.len() / 4 * 3 + 2);
    let (mut bits, mut count) = (0_u32, 0);
    for byte in text.bytes() {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return None,
        };
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            out.push((bits >> count) as u8);
        }
    }
    // Six bits left over are half a byte too few.
    if count == 6 { None } else { Some(out) }
}

/// Options of a regular expression in the order that BSON wants.
pub(crate) fn sorted_options<'a>(arena: &'a Bump, options: &'a str) -> &'a str {
    if options.as_bytes().is_sorted() {
        return options;
    }
    let mut letters: Vec<char> = options.chars().collect();
    letters.order();
    arena.alloc_str(&letters.into_iter().collect::<String>())
}
