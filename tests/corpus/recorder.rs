//! A consumer that writes down all it is told, one line each.

use mongovet::catalogue::Namespace;
use mongovet::evidence::{Consumer, Input, Kind, Options, Place, Problem, Summary};
use mongovet::facts::Version;
use mongovet::value::{Document, Value, write};
use mongovet::workload::Operation;

/// What was told.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Recorder {
    pub(crate) lines: Vec<String>,
    pub(crate) documents: Vec<(Option<Namespace>, Value, Place)>,
    pub(crate) values: Vec<(Kind, Option<Namespace>, Value)>,
    pub(crate) texts: Vec<(Kind, String)>,
    pub(crate) problems: Vec<Problem>,
}

impl Consumer for Recorder {
    fn document(&mut self, ns: Option<&Namespace>, document: &Document<'_>, place: Place) {
        let value = Value::from_document(document);
        self.lines.push(format!(
            "document {ns:?} {place:?} {:?} {} {}",
            document.fidelity,
            document.bytes(),
            write::canonical(&value)
        ));
        self.documents.push((ns.cloned(), value, place));
    }

    fn value(&mut self, kind: Kind, ns: Option<&Namespace>, value: Value, place: Place) {
        self.lines.push(format!("value {kind:?} {ns:?} {place:?} {}", write::canonical(&value)));
        self.values.push((kind, ns.cloned(), value));
    }

    fn text(&mut self, kind: Kind, ns: Option<&Namespace>, text: &str) {
        self.lines.push(format!("text {kind:?} {ns:?} {text}"));
        self.texts.push((kind, text.to_owned()));
    }

    fn operation(&mut self, operation: Operation, place: Place) {
        self.lines.push(format!("operation {place:?} {operation:?}"));
    }

    fn version(&mut self, version: Version) {
        self.lines.push(format!("version {version}"));
    }

    fn problem(&mut self, problem: Problem) {
        self.lines.push(format!("{problem:?}"));
        self.problems.push(problem);
    }
}

/// Reads an input in one piece.
pub(crate) fn read(name: &str, bytes: &[u8], options: Options) -> (Recorder, Summary) {
    read_in(name, [bytes], options)
}

/// Reads an input in these pieces.
pub(crate) fn read_in<'a>(
    name: &str,
    pieces: impl IntoIterator<Item = &'a [u8]>,
    options: Options,
) -> (Recorder, Summary) {
    let mut recorder = Recorder::default();
    let mut input = Input::new(name, options);
    for piece in pieces {
        input.write(piece, &mut recorder);
    }
    let summary = input.close(&mut recorder);
    (recorder, summary)
}

/// An input that somebody has named.
pub(crate) fn named() -> Options {
    Options { named: true, ..Options::default() }
}
