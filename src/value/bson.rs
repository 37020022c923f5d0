//! BSON: one document into events, in one pass, borrowing keys and strings from the input.
//!
//! This is the hot path of a dump. Open containers keep the byte where they start in their own event until they
//! close, so the walk needs no stack and nesting costs nothing but its events.

use bumpalo::Bump;

use super::builder::sorted_options;
use super::event::{DecodeError, Entry, Item};

/// Containers inside one another that are still read; the server refuses far fewer (`document/nesting`).
pub const MAX_DEPTH: u32 = 100_000;

/// Size of the smallest document: its length and its terminator.
pub const MIN_SIZE: usize = 5;

/// The stated size of the document at the start of `input`: nothing while fewer than four bytes are there,
/// an error where no document can have that size.
pub fn stated_size(input: &[u8]) -> Result<Option<usize>, DecodeError> {
    let Some(head) = input.first_chunk::<4>() else { return Ok(None) };
    let size = i32::from_le_bytes(*head);
    match usize::try_from(size) {
        Ok(size) if size >= MIN_SIZE => Ok(Some(size)),
        _ => Err(fault(0, "the stated size of the document is smaller than a document can be")),
    }
}

/// Decodes the document at the start of `input` into `entries` (cleared first) and returns its size in bytes.
///
/// Everything that the BSON specification demands is checked: sizes, terminators, UTF-8, boolean bytes, types.
/// Keys of array elements are not: only their order counts, as drivers read them.
pub fn decode<'a>(input: &'a [u8], arena: &'a Bump, entries: &mut Vec<Entry<'a>>) -> Result<usize, DecodeError> {
    entries.clear();
    let size = match stated_size(input)? {
        Some(size) if size <= input.len() => size,
        _ => return Err(DecodeError { offset: input.len(), reason: "the document is cut", incomplete: true }),
    };
    let Some(bytes) = input.get(..size) else { return Err(fault(0, "the document is cut")) };
    let scopes = Vec::new();
    Walk { bytes, arena, entries, scopes, at: 4, end: size, parent: 0, depth: 1, in_array: false, elements: 0 }
        .document()
}

/// The state of one walk.
struct Walk<'a, 'v> {
    bytes: &'a [u8],
    arena: &'a Bump,
    entries: &'v mut Vec<Entry<'a>>,
    /// The next byte.
    at: usize,
    /// The byte behind the innermost open container.
    end: usize,
    /// The event of the innermost open container.
    parent: usize,
    depth: u32,
    in_array: bool,
    /// Elements of the innermost open array so far.
    elements: u32,
    /// Open scopes of code, innermost last.
    scopes: Vec<Scope<'a>>,
}

/// The scope of a code value while it is read: checked and counted, but not kept.
struct Scope<'a> {
    code: &'a str,
    /// The event that stands for the scope until it closes.
    event: usize,
    /// The byte where the whole value ends.
    end: usize,
}

impl<'a> Walk<'a, '_> {
    fn document(mut self) -> Result<usize, DecodeError> {
        self.entries.push(Entry { key: "", item: Item::Object { end: 0, bytes: 0 } });
        loop {
            let start = self.at;
            // The last byte of a container is its terminator, so an element begins before it.
            if self.at >= self.end {
                return Err(fault(start, "a document or array has no terminator"));
            }
            let tag = self.byte(start)?;
            self.at += 1;
            if tag == 0 {
                if self.at != self.end {
                    return Err(fault(start, "a document or array ends before its stated size"));
                }
                if self.close()? {
                    return Ok(self.at);
                }
                continue;
            }
            let key = if self.in_array {
                self.skip_key()?;
                self.elements += 1;
                ""
            } else {
                self.c_string("a field name is no UTF-8")?
            };
            let item = match tag {
                0x01 => Item::Double(f64::from_le_bytes(self.fixed()?)),
                0x02 => Item::String(self.string()?),
                0x03 | 0x04 => {
                    self.open(key, tag == 0x04)?;
                    continue;
                }
                0x05 => self.binary()?,
                0x06 => Item::Undefined,
                0x07 => Item::ObjectId(self.fixed()?),
                0x08 => match self.fixed::<1>()? {
                    [0] => Item::Bool(false),
                    [1] => Item::Bool(true),
                    _ => return Err(fault(self.at - 1, "a boolean is neither 0 nor 1")),
                },
                0x09 => Item::Date(i64::from_le_bytes(self.fixed()?)),
                0x0A => Item::Null,
                0x0B => {
                    let pattern = self.c_string("a regular expression is no UTF-8")?;
                    let options = self.c_string("a regular expression is no UTF-8")?;
                    Item::Regex(self.arena.alloc((pattern, sorted_options(self.arena, options))))
                }
                0x0C => {
                    let ns = self.string()?;
                    let id = self.fixed()?;
                    Item::DbPointer(self.arena.alloc((ns, id)))
                }
                0x0D => Item::Javascript(self.string()?),
                0x0E => Item::Symbol(self.string()?),
                0x0F => {
                    self.code_with_scope(key)?;
                    continue;
                }
                0x10 => Item::Int(i32::from_le_bytes(self.fixed()?)),
                0x11 => {
                    let ordinal = u32::from_le_bytes(self.fixed()?);
                    let seconds = u32::from_le_bytes(self.fixed()?);
                    Item::Timestamp { seconds, ordinal }
                }
                0x12 => Item::Long(i64::from_le_bytes(self.fixed()?)),
                0x13 => Item::Decimal(self.fixed()?),
                0xFF => Item::MinKey,
                0x7F => Item::MaxKey,
                _ => return Err(fault(start, "a value has a type that BSON does not know")),
            };
            self.entries.push(Entry { key, item });
        }
    }

    /// Opens a container; its event holds the parent's index and its own first byte until it closes.
    fn open(&mut self, key: &'a str, array: bool) -> Result<(), DecodeError> {
        let start = self.at;
        let size = self.size()?;
        if size < MIN_SIZE || size > self.end - 1 - start {
            return Err(fault(start, "a document or array does not fit into the one around it"));
        }
        if self.depth == MAX_DEPTH {
            return Err(fault(start, "documents and arrays are nested too deeply"));
        }
        if self.in_array
            && let Some(Entry { item: Item::Array { len, .. }, .. }) = self.entries.get_mut(self.parent)
        {
            *len = self.elements;
        }
        let (end, bytes) = (self.parent as u32, start as u32);
        self.parent = self.entries.len();
        let item = if array { Item::Array { end, bytes, len: 0 } } else { Item::Object { end, bytes } };
        self.entries.push(Entry { key, item });
        self.depth += 1;
        self.in_array = array;
        self.elements = 0;
        self.end = start + size;
        Ok(())
    }

    /// Closes the innermost container; true where that was the document itself.
    fn close(&mut self) -> Result<bool, DecodeError> {
        let behind = self.entries.len() as u32;
        let mut up = 0;
        match self.entries.get_mut(self.parent).map(|e| &mut e.item) {
            Some(Item::Object { end, bytes }) => {
                up = *end;
                (*end, *bytes) = (behind, self.at as u32 - *bytes);
            }
            Some(Item::Array { end, bytes, len }) => {
                up = *end;
                (*end, *bytes, *len) = (behind, self.at as u32 - *bytes, self.elements);
            }
            _ => {}
        }
        if self.scopes.last().is_some_and(|scope| scope.event == self.parent) {
            self.close_scope()?;
        }
        self.depth -= 1;
        if self.depth == 0 {
            return Ok(true);
        }
        self.parent = up as usize;
        let start = match self.entries.get(self.parent).map(|e| e.item) {
            Some(Item::Array { bytes, len, .. }) => {
                (self.in_array, self.elements) = (true, len);
                bytes as usize
            }
            Some(Item::Object { bytes, .. }) => {
                self.in_array = false;
                bytes as usize
            }
            _ => 0,
        };
        let size = self.bytes.get(start..).and_then(<[u8]>::first_chunk).map_or(0, |b| u32::from_le_bytes(*b));
        self.end = start + size as usize;
        Ok(false)
    }

    /// Opens code with scope: the scope is walked like any document and taken out when it closes.
    fn code_with_scope(&mut self, key: &'a str) -> Result<(), DecodeError> {
        let start = self.at;
        let size = self.size()?;
        if size > self.end - 1 - start {
            return Err(fault(start, "code with scope does not fit into its document"));
        }
        let code = self.string()?;
        let scope_at = self.at;
        self.scopes.push(Scope { code, event: self.entries.len(), end: start + size });
        self.open(key, false)?;
        if self.end != start + size {
            return Err(fault(scope_at, "the sizes of code with scope do not agree"));
        }
        Ok(())
    }

    fn close_scope(&mut self) -> Result<(), DecodeError> {
        let Some(Scope { code, event, end }) = self.scopes.pop() else { return Ok(()) };
        if self.at != end {
            return Err(fault(self.at, "the sizes of code with scope do not agree"));
        }
        self.entries.truncate(event + 1);
        if let Some(entry) = self.entries.get_mut(event) {
            entry.item = Item::JavascriptWithScope(self.arena.alloc((code, entry.item.bytes())));
        }
        Ok(())
    }

    fn byte(&self, at: usize) -> Result<u8, DecodeError> {
        self.bytes.get(at).copied().ok_or_else(|| fault(at, "a value reaches beyond its document"))
    }

    #[inline]
    fn fixed<const N: usize>(&mut self) -> Result<[u8; N], DecodeError> {
        // The terminator of the container does not belong to any value.
        match self.bytes.get(self.at..self.end - 1).and_then(<[u8]>::first_chunk::<N>) {
            Some(chunk) => {
                self.at += N;
                Ok(*chunk)
            }
            None => Err(fault(self.at, "a value reaches beyond its document")),
        }
    }

    fn size(&mut self) -> Result<usize, DecodeError> {
        let at = self.at;
        usize::try_from(i32::from_le_bytes(self.fixed()?)).map_err(|_| fault(at, "a size is negative"))
    }

    fn take(&mut self, size: usize) -> Result<&'a [u8], DecodeError> {
        match self.bytes.get(self.at..self.end - 1).and_then(|rest| rest.get(..size)) {
            Some(taken) => {
                self.at += size;
                Ok(taken)
            }
            None => Err(fault(self.at, "a value reaches beyond its document")),
        }
    }

    /// A string with its size before it.
    #[inline]
    fn string(&mut self) -> Result<&'a str, DecodeError> {
        let at = self.at;
        let size = self.size()?;
        if size == 0 {
            return Err(fault(at, "the size of a string is zero"));
        }
        let Some((0, text)) = self.take(size)?.split_last() else {
            return Err(fault(self.at - 1, "a string has no terminator"));
        };
        std::str::from_utf8(text).map_err(|e| fault(at + 4 + e.valid_up_to(), "a string is no UTF-8"))
    }

    /// A string that ends with a NUL.
    #[inline]
    fn c_string(&mut self, reason: &'static str) -> Result<&'a str, DecodeError> {
        let at = self.at;
        let rest = self.bytes.get(at..self.end - 1).unwrap_or_default();
        let Some(length) = position_of_nul(rest) else {
            return Err(fault(at, "a field name or pattern has no terminator"));
        };
        let text = rest.get(..length).unwrap_or_default();
        self.at = at + length + 1;
        std::str::from_utf8(text).map_err(|e| fault(at + e.valid_up_to(), reason))
    }

    #[inline]
    fn skip_key(&mut self) -> Result<(), DecodeError> {
        let rest = self.bytes.get(self.at..self.end - 1).unwrap_or_default();
        match rest.iter().position(|b| *b == 0) {
            Some(length) => {
                self.at += length + 1;
                Ok(())
            }
            None => Err(fault(self.at, "a field name or pattern has no terminator")),
        }
    }

    fn binary(&mut self) -> Result<Item<'a>, DecodeError> {
        let at = self.at;
        let size = self.size()?;
        let [subtype] = self.fixed()?;
        let data = self.take(size)?;
        if subtype != 2 {
            return Ok(Item::BinData { subtype, data });
        }
        // The old subtype repeats the size inside.
        match data.split_first_chunk::<4>() {
            Some((inner, rest)) if usize::try_from(i32::from_le_bytes(*inner)) == Ok(rest.len()) => {
                Ok(Item::BinData { subtype, data: rest })
            }
            _ => Err(fault(at + 5, "the inner size of old binary data is wrong")),
        }
    }
}

/// The position of the first NUL, eight bytes at a time.
#[inline]
fn position_of_nul(bytes: &[u8]) -> Option<usize> {
    const LOW: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let mut at = 0;
    while let Some(chunk) = bytes.get(at..).and_then(<[u8]>::first_chunk::<8>) {
        let word = u64::from_le_bytes(*chunk);
        let zeros = word.wrapping_sub(LOW) & !word & HIGH;
        if zeros != 0 {
            return Some(at + (zeros.trailing_zeros() / 8) as usize);
        }
        at += 8;
    }
    bytes.get(at..)?.iter().position(|b| *b == 0).map(|position| at + position)
}

#[cold]
fn fault(offset: usize, reason: &'static str) -> DecodeError {
    DecodeError { offset, reason, incomplete: false }
}
