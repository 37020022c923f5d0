//! The bytes of an input that are in memory: what a reader has not yet consumed, and no more.

use super::tally::Teller;

/// A reader that takes whole things off the front of what is there.
pub(super) trait Part {
    /// Reads from `data`, whose first byte is byte `base` of the input, and returns how many bytes are done with.
    /// Once `eof` is set nothing follows and everything is done with.
    fn process(&mut self, data: &[u8], base: u64, eof: bool, teller: &mut Teller<'_>) -> usize;
}

/// Keeps the tail that a reader has not consumed. The reader is not asked again before the tail has doubled, so
/// that a document in many pieces costs no more than a few looks at it.
#[derive(Default)]
pub(super) struct Window {
    tail: Vec<u8>,
    wanted: usize,
    /// Byte of the input at which the tail begins.
    base: u64,
}

impl Window {
    /// A window whose first byte is byte `base` of the input.
    pub(super) fn at(base: u64) -> Window {
        Window { tail: Vec::new(), wanted: 0, base }
    }

    /// Byte of the input that follows what has come so far.
    pub(super) fn end(&self) -> u64 {
        self.base + self.tail.len() as u64
    }

    pub(super) fn write(&mut self, bytes: &[u8], part: &mut dyn Part, teller: &mut Teller<'_>) {
        if self.tail.is_empty() {
            let used = part.process(bytes, self.base, false, teller).min(bytes.len());
            self.base += used as u64;
            self.tail.extend_from_slice(bytes.get(used..).unwrap_or_default());
        } else {
            self.tail.extend_from_slice(bytes);
            if self.tail.len() < self.wanted {
                return;
            }
            let used = part.process(&self.tail, self.base, false, teller).min(self.tail.len());
            self.base += used as u64;
            self.tail.drain(..used);
        }
        self.wanted = self.tail.len().saturating_mul(2);
    }

    pub(super) fn close(&mut self, part: &mut dyn Part, teller: &mut Teller<'_>) {
        let tail = std::mem::take(&mut self.tail);
        part.process(&tail, self.base, true, teller);
        self.base += tail.len() as u64;
    }
}
