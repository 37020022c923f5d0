//! What a server tells of single runs: entries of `system.profile`, and the lines of its log that say the same in
//! other words.

use xxhash_rust::xxh3::xxh3_64;

use crate::catalogue::Namespace;
use crate::value::Value;
use crate::workload::{Hole, Key, Member, Operation, Origin, Runs, Spread, Term, Verb, What, command};

/// One run as a server tells of it.
pub(super) struct Run<'v> {
    /// The entry, or the attributes of the log line.
    pub(super) figures: &'v Value,
    /// What was done: `command`, `update`, `remove`, `getmore`, …
    pub(super) kind: &'v str,
    /// When, in milliseconds since the Unix epoch.
    pub(super) time: Option<i64>,
    /// The connection or session, as well as it is told.
    pub(super) connection: &'v str,
    /// Whether the server has left out a part of the command.
    pub(super) cut: bool,
}

/// The operations of a document of `system.profile`.
pub fn read(entry: &Value) -> Vec<Operation> {
    let Some(kind) = entry.get("op").and_then(Value::as_str) else { return Vec::new() };
    let time = entry.get("ts").and_then(date);
    let session = entry.get("command").and_then(|command| command.get("lsid")?.get("id"));
    let session = session.map(|id| format!("{id:?}"));
    let client = entry.get("client").and_then(Value::as_str).unwrap_or_default();
    let connection = session.as_deref().unwrap_or(client);
    Run { figures: entry, kind, time, connection, cut: false }.operations()
}

impl Run<'_> {
    /// What was done, without the values that it was done with; nothing where it concerns the server itself.
    pub(super) fn operations(&self) -> Vec<Operation> {
        let Some(ns) = self.figures.get("ns").and_then(Value::as_str) else { return Vec::new() };
        let ns = Namespace::parse(ns);
        let Some(database) = ns.database.as_deref() else { return Vec::new() };
        let more = self.kind.eq_ignore_ascii_case("getmore");
        let told = if more { "originatingCommand" } else { "command" };
        let Some(told) = self.figures.get(told).filter(|told| told.as_object().is_some()) else { return Vec::new() };
        let told = Term::from(told.clone());
        let mut operations = match self.kind {
            "update" | "remove" if told.get("q").is_some() => {
                let name = if self.kind == "update" { "update" } else { "delete" };
                command::statement(ns, name, &told).into_iter().collect()
            }
            _ => command::read(&told, Some(database)),
        };
        operations.retain(|operation| operation.ns.as_ref().is_some_and(|ns| !is_internal(ns)));
        // Figures of a command that did several things belong to none of them.
        let single = operations.len() == 1;
        for operation in &mut operations {
            operation.runs = Some(if single { self.runs(operation) } else { Runs { count: 1, ..Runs::default() } });
            if self.cut {
                open(operation);
            }
            operation.forget_values();
        }
        operations
    }

    fn runs(&self, operation: &Operation) -> Runs {
        let number = |names: &[&str]| names.iter().find_map(|name| number(self.figures.get(name)?));
        let text = |name: &str| self.figures.get(name).and_then(Value::as_str);
        let is = |name: &str| self.figures.get(name).and_then(Value::as_bool) == Some(true);
        let spread = |names: &[&str]| {
            let mut spread = Spread::default();
            if let Some(value) = number(names) {
                spread.add(value);
            }
            spread
        };
        let mut runs = Runs {
            count: 1,
            docs_examined: spread(&["docsExamined"]),
            keys_examined: spread(&["keysExamined"]),
            returned: spread(&["nreturned", "nMatched", "ndeleted", "ninserted"]),
            bytes: spread(&["reslen", "responseLength"]),
            write_conflicts: spread(&["writeConflicts"]),
            shards: spread(&["nShards"]),
            sorted: u64::from(is("hasSortStage")),
            spilled: u64::from(is("usedDisk")),
            ..Runs::default()
        };
        // Waiting in queues is no plan's fault.
        if let Some(millis) = number(&["workingMillis", "durationMillis", "millis"]) {
            runs.micros.add(millis.saturating_mul(1_000));
        }
        if let Some(plan) = text("planSummary") {
            runs.plans.insert(plan.to_owned(), 1);
        }
        if let Some(application) = text("appName") {
            runs.applications.insert(application.to_owned(), 1);
        }
        if let Some(time) = self.time {
            runs.at(xxh3_64(self.connection.as_bytes()), time);
        }
        if let Some(id) = operation.filter.as_ref().and_then(named_id) {
            runs.ids.add(id);
        }
        runs.asked.extend(operation.filter.as_ref().and_then(hash));
        runs
    }
}

/// A hash of the `_id` that a filter names.
pub(super) fn named_id(filter: &Term) -> Option<u64> {
    let id = filter.get("_id")?;
    let id = id.get("$eq").unwrap_or(id);
    if id.is_operators() {
        return None;
    }
    hash(id)
}

/// A hash of a value; nothing where a part of it is not known.
fn hash(term: &Term) -> Option<u64> {
    postcard::to_allocvec(&term.value()?).ok().map(|bytes| xxh3_64(&bytes))
}

/// Whether a namespace is the server's own: its databases and collections, and what clients never name.
pub(super) fn is_internal(ns: &Namespace) -> bool {
    ns.is_internal() || ns.collection.starts_with("system.") || ns.collection.starts_with('$')
}

/// Marks what may lack a part: more conditions, more stages.
fn open(operation: &mut Operation) {
    let unknown = || Term::new(What::Hole(Hole { kind: None, origin: Origin::Hidden }));
    for part in [&mut operation.filter, &mut operation.update, &mut operation.projection].into_iter().flatten() {
        if let What::Object(members) = &mut part.what {
            members.push(Member { key: Key::Spread, value: unknown(), span: None, spread: false });
        }
    }
    let reads = matches!(operation.verb, Verb::Find | Verb::FindOne | Verb::Count | Verb::Distinct | Verb::Delete);
    if reads && operation.filter.is_none() {
        operation.filter = Some(unknown());
    }
    if let Some(Term { what: What::Array(stages), .. }) = &mut operation.pipeline {
        stages.push(unknown());
    }
}

/// A figure that is no less than 0, also as JavaScript prints a long.
pub(super) fn number(value: &Value) -> Option<u64> {
    let whole = |value: &Value| match value {
        // Beyond what a double counts exactly a figure is still a figure.
        Value::Double(number) if *number >= 0.0 => Some(*number as u64),
        value => value.as_i64().and_then(|number| u64::try_from(number).ok()),
    };
    if let (Some(low), Some(high)) = (value.get("low"), value.get("high")) {
        let low = u64::from(low.as_i64()? as u32);
        return whole(high)?.checked_mul(1 << 32)?.checked_add(low);
    }
    whole(value)
}

/// A time in milliseconds since the Unix epoch.
pub(super) fn date(value: &Value) -> Option<i64> {
    match value {
        Value::Date(time) => Some(*time),
        Value::String(text) => text.parse::<jiff::Timestamp>().ok().map(jiff::Timestamp::as_millisecond),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::samples::literal;

    fn only(text: &str) -> Operation {
        let operations = read(&literal(text));
        assert_eq!(operations.len(), 1, "{text}");
        operations.into_iter().next().unwrap()
    }

    #[test]
    fn an_entry_of_each_kind() {
        let find = only(
            "{op: 'query', ns: 'shop.orders', command: {find: 'orders', filter: {a: 5}, sort: {b: 1}, $db: 'shop'},
              keysExamined: 10, docsExamined: {low: 7, high: 1, unsigned: true}, nreturned: 2, hasSortStage: true,
              responseLength: 400, millis: 9, workingMillis: 3, planSummary: 'IXSCAN { a: 1 }',
              ts: ISODate('2026-10-20T05:05:55.537Z'), client: '10.0.0.1:5', appName: 'web'}",
        );
        let runs = find.runs.unwrap();
        assert_eq!((runs.docs_examined.sum, runs.keys_examined.sum, runs.returned.sum), (4_294_967_303, 10, 2));
        assert_eq!((runs.micros.sum, runs.sorted, runs.bytes.max, runs.last), (3_000, 1, 400, Some(1_792_472_755_537)));
        let more = only(
            "{op: 'getmore', ns: 'shop.orders', command: {getMore: 5, collection: 'orders'}, nreturned: 9,
              originatingCommand: {aggregate: 'orders', pipeline: [{$match: {a: 1}}], $db: 'shop'}, ts: 1}",
        );
        assert_eq!((more.verb, more.runs.unwrap().returned.sum), (Verb::Aggregate, 9));
        let update = only(
            "{op: 'update', ns: 'shop.orders', command: {q: {_id: 5}, u: {$inc: {n: 1}}, multi: false, upsert: true},
              nMatched: 1, writeConflicts: 3, millis: 1, ts: ISODate('2026-10-20T05:05:55Z')}",
        );
        assert!(update.is_upsert() && !update.many);
        let runs = update.runs.unwrap();
        assert_eq!((runs.write_conflicts.sum, runs.ids.total()), (3, 1));
        let gone =
            only("{op: 'remove', ns: 'shop.orders', command: {q: {a: 1}, limit: 0}, ndeleted: 4, millis: 1, ts: 1}");
        assert!(gone.many && gone.verb == Verb::Delete);
    }

    #[test]
    fn what_concerns_the_server_itself_is_left_out() {
        for ns in ["local.oplog.rs", "config.chunks", "admin.system.users", "shop.system.buckets.x", "shop.$cmd"] {
            let collection = ns.split_once('.').unwrap().1;
            let text = format!("{{op: 'query', ns: '{ns}', command: {{find: '{collection}'}}, ts: 1, millis: 1}}");
            assert_eq!(read(&literal(&text)), [], "{ns}");
        }
        // The statements of this update have entries of their own.
        assert_eq!(
            read(&literal("{op: 'command', ns: 'shop.$cmd', command: {update: 'orders', ordered: true}, ts: 1}")),
            []
        );
    }
}
