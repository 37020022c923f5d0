//! Any bytes under any kind of name: no panic, and the same in pieces as at once. The first two bytes choose the name
//! and the size of the pieces.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mongovet::catalogue::Namespace;
use mongovet::evidence::{Consumer, Input, Kind, Options, Place, Problem};
use mongovet::value::{Document, Value, write};

const NAMES: [&str; 8] = [
    "d/c.bson", "c.json", "c.ndjson", "c.json5", "paste.txt", "c.indexes.json", "d/c.metadata.json", "a.mongodb.js",
];

#[derive(Default, PartialEq, Debug)]
struct Told(Vec<String>);

impl Consumer for Told {
    fn document(&mut self, ns: Option<&Namespace>, document: &Document<'_>, place: Place) {
        let value = Value::from_document(document);
        self.0.push(format!("{ns:?} {place:?} {:?} {}", document.fidelity, write::canonical(&value)));
    }

    fn value(&mut self, kind: Kind, ns: Option<&Namespace>, value: Value, place: Place) {
        self.0.push(format!("{kind:?} {ns:?} {place:?} {}", write::canonical(&value)));
    }

    fn text(&mut self, kind: Kind, ns: Option<&Namespace>, text: &str) {
        self.0.push(format!("{kind:?} {ns:?} {text}"));
    }

    fn problem(&mut self, problem: Problem) {
        self.0.push(format!("{problem:?}"));
    }
}

fn read(name: &str, bytes: &[u8], size: usize) -> (Told, String) {
    let mut told = Told::default();
    let mut input = Input::new(name, Options { named: true, ..Options::default() });
    for piece in bytes.chunks(size.max(1)) {
        input.write(piece, &mut told);
    }
    let summary = input.close(&mut told);
    (told, format!("{summary:?}"))
}

fuzz_target!(|data: &[u8]| {
    let [name, size, bytes @ ..] = data else { return };
    let name = NAMES[usize::from(*name) % NAMES.len()];
    assert_eq!(read(name, bytes, bytes.len()), read(name, bytes, usize::from(*size)));
});
