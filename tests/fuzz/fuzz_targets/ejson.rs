//! Any bytes as Extended JSON: no panic, and sizes that agree with BSON.
#![no_main]

use bumpalo::Bump;
use libfuzzer_sys::fuzz_target;
use mongovet::value::{Document, Value, bson, ejson, write};

fuzz_target!(|data: &[u8]| {
    let arena = Bump::new();
    let mut entries = Vec::new();
    let read = ejson::decode(data, &arena, &mut entries);
    if let Ok((size, form)) = read {
        assert!(size <= data.len());
        let document = Document { entries: &entries, fidelity: form.fidelity(false) };
        let bytes = write::bson(&Value::from_document(&document)).expect("a document is an object");
        let arena = Bump::new();
        let mut again = Vec::new();
        bson::decode(&bytes, &arena, &mut again).expect("what was written can be read");
    }
});
