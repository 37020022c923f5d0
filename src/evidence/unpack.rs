//! gz, unpacked on the way in. What is not packed passes through untouched.

use std::io::Write;

use flate2::write::MultiGzDecoder;

use super::ProblemKind;

/// Packed bytes that are unpacked at once: one byte can become a thousand.
const STEP: usize = 16 * 1024;

/// The first bytes of gz: magic number and the only method there is.
const MAGIC: [u8; 3] = [0x1f, 0x8b, 8];

/// Unpacks gz, also several members one after another.
pub(super) enum Unpacker {
    /// Too few bytes to tell.
    Undecided(Vec<u8>),
    Plain,
    /// With the packed bytes that do not fill a step: what can be had of damaged data depends on the steps, so these
    /// must not depend on the pieces.
    Packed(Box<MultiGzDecoder<Vec<u8>>>, Vec<u8>),
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
    pub(super) fn write(&mut self, bytes: &[u8], sink: &mut dyn FnMut(&[u8])) -> Result<(), ProblemKind> {
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
                    Unpacker::Packed(Box::new(MultiGzDecoder::new(Vec::new())), Vec::new())
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
            Unpacker::Packed(decoder, pending) => {
                let mut rest = bytes;
                while pending.len() + rest.len() >= STEP {
                    let (first, behind) = rest.split_at(STEP - pending.len());
                    pending.extend_from_slice(first);
                    rest = behind;
                    let written = decoder.write_all(pending);
                    pending.clear();
                    sink(decoder.get_ref());
                    decoder.get_mut().clear();
                    if written.is_err() {
                        *self = Unpacker::Failed;
                        return Err(ProblemKind::Broken);
                    }
                }
                pending.extend_from_slice(rest);
                Ok(())
            }
            Unpacker::Failed => Ok(()),
        }
    }
    /// Hands over what is left at the end of the input. The error says that something is missing there.
    pub(super) fn finish(&mut self, sink: &mut dyn FnMut(&[u8])) -> Result<(), ProblemKind> {
        match std::mem::replace(self, Unpacker::Plain) {
            Unpacker::Undecided(head) => {
                sink(&head);
                Ok(())
            }
            Unpacker::Packed(mut decoder, pending) => {
                let written = decoder.write_all(&pending).map_err(|_| ProblemKind::Broken);
                let finished = written.and_then(|()| decoder.try_finish().map_err(|_| ProblemKind::Truncated));
                sink(decoder.get_ref());
                finished
            }
            Unpacker::Plain | Unpacker::Failed => Ok(()),
        }
    }
}
