//! What the readers of one input share: the consumer, what has been told so far, and the space to decode in.

use bumpalo::Bump;

use super::{Consumer, MAX_PROBLEMS, Place, Problem};
use crate::catalogue::Namespace;
use crate::value::{Document, Entry, Item};
use crate::workload::Operation;

/// What has been told of one input so far.
#[derive(Debug, Clone, Default)]
pub(super) struct Tally {
    /// Documents delivered.
    pub(super) documents: u64,
    /// Documents met, broken ones included; the number of the last one.
    pub(super) number: u64,
    pub(super) problems: u64,
    pub(super) cut: bool,
    /// Whether something was left unread.
    pub(super) lossy: bool,
    pub(super) collections: Vec<(Namespace, u64)>,
}

/// Where the readers tell what they find.
pub(super) struct Teller<'c> {
    pub(super) consumer: &'c mut dyn Consumer,
    pub(super) tally: &'c mut Tally,
}

impl Teller<'_> {
    pub(super) fn document(&mut self, ns: Option<&Namespace>, document: &Document<'_>, place: Place) {
        self.tally.documents += 1;
        self.tally.cut |= place.cut;
        self.consumer.document(ns, document, place);
    }

    pub(super) fn operation(&mut self, operation: Operation, place: Place) {
        self.consumer.operation(operation, place);
    }

    pub(super) fn problem(&mut self, problem: Problem) {
        self.tally.problems += 1;
        if self.tally.problems <= MAX_PROBLEMS {
            self.consumer.problem(problem);
        }
    }

    /// A part that is left unread.
    pub(super) fn lost(&mut self, problem: Problem) {
        self.tally.lossy = true;
        self.problem(problem);
    }

    /// At the end: how many problems were only counted.
    pub(super) fn finish(&mut self) {
        if let Some(more) = Problem::more(self.tally.problems) {
            self.consumer.problem(more);
        }
    }
}

/// Space to decode documents in, used again and again.
#[derive(Default)]
pub(super) struct Scratch {
    arena: Bump,
    entries: Vec<Entry<'static>>,
}

impl Scratch {
    /// Hands `data` and the space to `work` and clears the space afterwards.
    pub(super) fn with<R>(
        &mut self,
        data: &[u8],
        work: impl for<'a> FnOnce(&'a [u8], &'a Bump, &mut Vec<Entry<'a>>) -> R,
    ) -> R {
        let mut entries = recycle(std::mem::take(&mut self.entries));
        let result = work(data, &self.arena, &mut entries);
        self.entries = recycle(entries);
        self.arena.reset();
        result
    }
}

/// The same allocation for entries of another lifetime; collecting in place is what the standard library does here.
fn recycle<'b>(mut entries: Vec<Entry<'_>>) -> Vec<Entry<'b>> {
    entries.clear();
    entries.into_iter().map(|_| Entry { key: "", item: Item::Null }).collect()
}
