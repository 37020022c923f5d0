//! Any bytes as BSON: no panic, and what is read can be written and read again.
#![no_main]

use bumpalo::Bump;
use libfuzzer_sys::fuzz_target;
use mongovet::value::event::Fidelity;
use mongovet::value::{Document, Value, bson, write};

fuzz_target!(|data: &[u8]| {
    let arena = Bump::new();
    let mut entries = Vec::new();
    if let Ok(size) = bson::decode(data, &arena, &mut entries) {
        let document = Document { entries: &entries, fidelity: Fidelity::Exact };
        assert_eq!(document.bytes() as usize, size);
        let value = Value::from_document(&document);
        let bytes = write::bson(&value).expect("a document is an object");
        let arena = Bump::new();
        let mut again = Vec::new();
        bson::decode(&bytes, &arena, &mut again).expect("what was written can be read");
    }
});
