//! What the application does with an embedded part: read with its document, left out, cut to its newest, read alone.

use crate::model::relation::Load;
use crate::model::{Collection, Model};
use crate::order::Ordered;
use crate::workload::pipeline::{Change, Pipeline, is_within, overlap};
use crate::workload::{Operation, Term, Update, Verb};

/// How often operations do what with the part at a path.
#[derive(Debug, Clone, Default)]
pub(super) struct PartUses {
    /// Reads that bring the part.
    pub(super) with: Load,
    /// Of these, reads that bring only so many elements of it (`$slice`).
    pub(super) sliced: Load,
    /// Of these, reads that bring only some of its fields.
    pub(super) parts_only: Load,
    /// These fields, by their paths within the part, sorted.
    pub(super) parts: Vec<String>,
    /// Reads of the document that leave the part out.
    pub(super) without: Load,
    /// Reads of single elements without the rest of the document.
    pub(super) alone: Load,
    /// Pipelines that take the part apart and sum it up.
    pub(super) reports: Load,
    /// Changes of the part alone.
    pub(super) part_written: Load,
    /// Changes of the part and of other fields in one step.
    pub(super) both_written: Load,
    /// Elements that a `$slice` brings at most.
    pub(super) newest: Option<u64>,
}

/// What one read brings of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Brought {
    With,
    Sliced(u64),
    Without,
    Alone,
    Report,
    Unknown,
}

impl PartUses {
    /// What the workload does with the part at a path.
    pub(super) fn of(model: &Model, collection: &Collection, path: &str) -> PartUses {
        let mut uses = PartUses::default();
        for operation in model.workload.of(&collection.ns) {
            let load = Load::of(operation);
            match operation.verb {
                Verb::Find | Verb::FindOne | Verb::Aggregate => uses.read(operation, path, load),
                Verb::Update | Verb::FindAndUpdate => uses.write(operation, path, load),
                _ => {}
            }
        }
        uses
    }

    /// All reads of documents with the part, as far as it is known what they bring.
    pub(super) fn reads(&self) -> Load {
        self.with.and(self.without).and(self.alone)
    }

    fn read(&mut self, operation: &Operation, path: &str, load: Load) {
        let brought = match operation.verb {
            Verb::Aggregate => of_pipeline(operation, path),
            _ => of_projection(operation, path),
        };
        match brought {
            Brought::With => {
                self.with.add(load);
                if let Some(parts) = parts_of(operation, path) {
                    self.parts_only.add(load);
                    self.parts.extend(parts);
                    self.parts.order();
                    self.parts.dedup();
                }
            }
            Brought::Sliced(newest) => {
                self.with.add(load);
                self.sliced.add(load);
                self.newest = self.newest.max(Some(newest));
            }
            Brought::Without => self.without.add(load),
            Brought::Alone => self.alone.add(load),
            Brought::Report => self.reports.add(load),
            Brought::Unknown => {}
        }
    }

    fn write(&mut self, operation: &Operation, path: &str, load: Load) {
        let Some(update) = Update::of(operation).filter(|update| !update.open) else { return };
        let fields: Vec<String> = update.changes.iter().map(crate::workload::Change::field).collect();
        let inside = fields.iter().any(|field| overlap(field, path));
        match (inside, fields.iter().all(|field| is_within(field, path))) {
            (true, true) => self.part_written.add(load),
            (true, false) => self.both_written.add(load),
            _ => {}
        }
    }
}

/// The fields of a part that a find includes by their paths, where it includes no more of it.
fn parts_of(operation: &Operation, path: &str) -> Option<Vec<String>> {
    let shown = match operation.verb {
        Verb::Aggregate => return None,
        _ => crate::model::covering::returned(operation)?,
    };
    let inside: Vec<&str> = shown.into_iter().filter(|shown| overlap(shown, path)).collect();
    let parts = inside.iter().map(|shown| shown.strip_prefix(path)?.strip_prefix('.').map(str::to_owned));
    parts.collect::<Option<Vec<String>>>().filter(|parts| !parts.is_empty())
}

fn of_projection(operation: &Operation, path: &str) -> Brought {
    let Some(projection) = &operation.projection else { return Brought::With };
    let Some(members) = projection.members().filter(|_| projection.is_closed()) else { return Brought::Unknown };
    let mut includes = None;
    let mut own = None;
    for member in members {
        let Some(name) = member.name() else { return Brought::Unknown };
        let (field, positional) = name.strip_suffix(".$").map_or((name, false), |field| (field, true));
        let touches = overlap(field, path);
        if positional || member.value.get("$elemMatch").is_some() {
            own = own.or(touches.then_some(Brought::Alone));
            continue;
        }
        if let Some(slice) = member.value.get("$slice") {
            if touches {
                own = Some(slice_of(slice).map_or(Brought::With, Brought::Sliced));
            }
            continue;
        }
        let keeps = match member.value.as_scalar() {
            Some(value) => value.as_f64().map_or_else(|| member.value.as_bool() == Some(true), |n| n != 0.0),
            None => true,
        };
        if name != "_id" {
            includes = Some(keeps);
        }
        if touches {
            own = Some(if keeps { Brought::With } else { Brought::Without });
        }
    }
    let others = members
        .iter()
        .filter_map(crate::workload::Member::name)
        .any(|name| !overlap(name.trim_end_matches(".$"), path) && name != "_id");
    match (own, includes) {
        // An element with fields of its document is a read of both.
        (Some(Brought::Alone), _) if others => Brought::With,
        (Some(own), _) => own,
        (None, Some(true)) => Brought::Without,
        (None, _) => Brought::With,
    }
}

/// Elements that a `$slice` brings, where it takes them from one end.
fn slice_of(slice: &Term) -> Option<u64> {
    match slice.elements() {
        None => slice.as_i64().map(i64::unsigned_abs),
        Some([_, count]) => count.as_i64().map(i64::unsigned_abs),
        Some(_) => None,
    }
}

fn of_pipeline(operation: &Operation, path: &str) -> Brought {
    let Some(pipeline) = operation.pipeline.as_ref().map(Pipeline::read).filter(|pipeline| !pipeline.open) else {
        return Brought::Unknown;
    };
    let mut unwound = false;
    let mut touched = false;
    let mut is_whole = true;
    for stage in &pipeline.stages {
        let reads = stage.reads();
        let reads_part = reads.whole || reads.open || reads.paths.iter().any(|(read, _)| overlap(read, path));
        unwound |= stage.is("$unwind") && reads.paths.iter().any(|(read, _)| read == path);
        if unwound && stage.is_any(&["$group", "$sortByCount", "$bucket", "$bucketAuto", "$count"]) {
            return Brought::Report;
        }
        touched |= reads_part && !stage.is("$match");
        match stage.change() {
            Change::Unknown => return Brought::Unknown,
            Change::Only(left) => {
                if left.iter().any(|made| overlap(&made.path, path)) {
                    touched = true;
                }
                is_whole = false;
            }
            Change::Some { removed, .. } => {
                if removed.iter().any(|gone| is_within(path, gone)) {
                    is_whole = false;
                }
            }
        }
    }
    if touched || is_whole { Brought::With } else { Brought::Without }
}
