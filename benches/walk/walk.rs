//! The bare walk over BSON: every element is stepped over, nothing is learned. It is the limit of what a profile
//! in WebAssembly can reach. Built by run.mjs with rustc alone, for WebAssembly and natively.

/// Counts the elements of the documents that lie one after another.
///
/// # Safety
/// `pointer` must point to `length` readable bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn walk(pointer: *const u8, length: usize) -> u64 {
    // SAFETY: the caller vouches for the range.
    elements(unsafe { std::slice::from_raw_parts(pointer, length) })
}

/// Room for so many bytes, never given back.
#[unsafe(no_mangle)]
pub extern "C" fn room(length: usize) -> *mut u8 {
    vec![0_u8; length].leak().as_mut_ptr()
}

pub fn elements(bytes: &[u8]) -> u64 {
    let mut count = 0;
    let mut at = 0;
    let mut depth = 0_u32;
    while at < bytes.len() {
        if depth == 0 {
            at += 4;
            depth = 1;
            continue;
        }
        let kind = bytes[at];
        at += 1;
        if kind == 0 {
            depth -= 1;
            continue;
        }
        while bytes[at] != 0 {
            at += 1;
        }
        at += 1;
        count += 1;
        at += match kind {
            0x03 | 0x04 => {
                depth += 1;
                4
            }
            0x02 => 4 + int(bytes, at),
            0x05 => 5 + int(bytes, at),
            0x01 | 0x09 | 0x11 | 0x12 => 8,
            0x07 => 12,
            0x08 => 1,
            0x10 => 4,
            0x13 => 16,
            _ => 0,
        };
    }
    count
}

fn int(bytes: &[u8], at: usize) -> usize {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]) as usize
}
