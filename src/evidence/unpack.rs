//! gz, unpacked on the way in. What is not packed passes through untouched.

use std::io::Write;

use flate2::write::MultiGzDecoder;

/// Packed bytes that are unpacked at once: one byte can become a thousand.
const STEP: usize = 16 * 1024;

/// The first bytes of gz: magic number and the only method there is.
const MAGIC: [u8; 3] = [0x1f, 0x8b, 8];

/// Unpacks gz, also several members one after another.
pub(super) enum Unpacker {
    /// Too few bytes to tell.
    Undecided(Vec<u8>),
    Plain,
    Packed(Box<MultiGzDecoder<Vec<u8>>>),
    /// Damaged: what follows is not read.
    Failed,
}

impl Default for Unpacker {
    fn default() -> Self {
        Unpacker::Undecided(Vec::new())
    }
}

impl Unpacker {
    /// Hands the unpacked bytes to `sink`, in pieces. The error says that the rest cannot be unpacked.
    pub(super) fn write(&mut self, bytes: &[u8], sink: &mut dyn FnMut(&[u8])) -> Result<(), &'static str> {
        match self {
            Unpacker::Undecided(head) => {
                // Only what decides is kept, however large the first piece is.
                let missing = MAGIC.len() - head.len().min(MAGIC.len());
                let (first, rest) = bytes.split_at(missing.min(bytes.len()));
                head.extend_from_slice(first);
                if head.len() < MAGIC.len() && MAGIC.starts_with(head) {
                    return Ok(());
                }
                let head = std::mem::take(head);
                *self = if head == MAGIC {
                    Unpacker::Packed(Box::new(MultiGzDecoder::new(Vec::new())))
                } else {
                    Unpacker::Plain
                };
                self.write(&head, sink)?;
                self.write(rest, sink)
            }
            Unpacker::Plain => {
                sink(bytes);
                Ok(())
            }
            Unpacker::Packed(decoder) => {
                for step in bytes.chunks(STEP) {
                    let written = decoder.write_all(step);
                    sink(decoder.get_ref());
                    decoder.get_mut().clear();
                    if written.is_err() {
                        *self = Unpacker::Failed;
                        return Err("the rest of the gz data is damaged");
                    }
                }
                Ok(())
            }
            Unpacker::Failed => Ok(()),
        }
    }
    /// Hands over what is left at the end of the input. The error says that something is missing there.
    pub(super) fn finish(&mut self, sink: &mut dyn FnMut(&[u8])) -> Result<(), &'static str> {
        match std::mem::replace(self, Unpacker::Plain) {
            Unpacker::Undecided(head) => {
                sink(&head);
                Ok(())
            }
            Unpacker::Packed(mut decoder) => {
                let finished = decoder.try_finish();
                sink(decoder.get_ref());
                finished.map_err(|_| "the gz data is cut")
            }
            Unpacker::Plain | Unpacker::Failed => Ok(()),
        }
    }
}
