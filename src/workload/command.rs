//! Commands as the server takes them, as operations: those of the profiler, of logs, of query statistics, of explain
//! outputs and of a script's `runCommand` alike.

use super::operation::{Api, Operation, Verb};
use super::term::{Key, Member, Term, What};
use crate::catalogue::Namespace;
use crate::value::Value;

/// What drivers and the server add to every command: nothing of it tells what the command does.
const ABOUT_THE_CALL: &[&str] = &[
    "lsid",
    "txnNumber",
    "autocommit",
    "startTransaction",
    "stmtId",
    "stmtIds",
    "cursor",
    "apiVersion",
    "apiStrict",
    "apiDeprecationErrors",
    "shardVersion",
    "databaseVersion",
    "clientOperationKey",
    "fromMongos",
    "fromRouter",
    "needsMerge",
    "maxTimeMSOpOnly",
    "mayBypassWriteBlocking",
    "runtimeConstants",
    "use44SortKeys",
    "useNewUpsert",
    "querySettings",
    "includeQueryStatsMetrics",
];

/// The operations of a command; none where it is no command on documents. `database` is the one that it runs in, where
/// it does not say so itself.
pub fn read(command: &Term, database: Option<&str>) -> Vec<Operation> {
    let Some(name) = command.members().and_then(|members| members.first()?.name()) else { return Vec::new() };
    let database = command.get("$db").and_then(Term::as_str).or(database);
    if name == "explain" {
        let inner = command.get(name).filter(|inner| inner.get("explain").is_none());
        return inner.map(|inner| read(inner, database)).unwrap_or_default();
    }
    if name == "bulkWrite" {
        return bulk_write(command);
    }
    let Some(collection) = command.get(name).and_then(Term::as_str).filter(|name| !name.starts_with("$cmd")) else {
        return Vec::new();
    };
    let ns = Namespace { database: database.map(str::to_owned), collection: collection.to_owned() };
    let new = |verb: Verb| Operation { api: Api::Command, ..Operation::new(Some(ns.clone()), verb, name) };
    let one = |operation| vec![operation];
    match name {
        "find" => one(find(new(Verb::Find), command)),
        "aggregate" => one(aggregate(new(Verb::Aggregate), command)),
        "count" => {
            let mut operation = new(Verb::Count);
            take(&mut operation, command, &["count"]);
            let all = operation.filter.as_ref().and_then(Term::members).is_none_or(<[Member]>::is_empty);
            if all && operation.filter.as_ref().is_none_or(|filter| filter.as_hole().is_none()) {
                operation.verb = Verb::EstimatedCount;
            }
            operation.many = true;
            one(operation)
        }
        "distinct" => {
            let mut operation = new(Verb::Distinct);
            take(&mut operation, command, &["distinct", "key"]);
            operation.field = command.get("key").cloned();
            operation.many = true;
            one(operation)
        }
        "insert" => {
            let mut operation = new(Verb::Insert);
            take(&mut operation, command, &["insert", "documents"]);
            operation.documents = command.get("documents").cloned();
            let documents = operation.documents.as_ref().and_then(Term::elements);
            operation.many = documents.is_none_or(|documents| documents.len() != 1);
            one(operation)
        }
        "update" | "delete" => {
            let (list, read): (_, fn(Operation, &Term) -> Operation) =
                if name == "update" { ("updates", update) } else { ("deletes", delete) };
            let statements = command.get(list).and_then(Term::elements).unwrap_or_default();
            let mut operations = Vec::with_capacity(statements.len());
            for statement in statements {
                let mut operation = read(new(Verb::Update), statement);
                take(&mut operation, command, &[name, list]);
                operations.push(operation);
            }
            operations
        }
        "findAndModify" | "findandmodify" => {
            let mut operation = new(Verb::FindAndUpdate);
            take(&mut operation, command, &[name, "update"]);
            operation.update = command.get("update").cloned();
            if command.get("remove").and_then(Term::as_bool) == Some(true) {
                operation.verb = Verb::FindAndDelete;
            } else if operation.update.as_ref().is_some_and(is_replacement) {
                operation.verb = Verb::FindAndReplace;
            }
            one(operation)
        }
        _ => Vec::new(),
    }
}

/// One update or delete as the profiler and logs show it: `{q, u, multi, upsert}`, `{q, limit}`.
pub fn statement(ns: Namespace, name: &str, statement: &Term) -> Option<Operation> {
    statement.get("q")?;
    let operation = Operation { api: Api::Command, ..Operation::new(Some(ns), Verb::Update, name) };
    Some(match name {
        "update" => update(operation, statement),
        _ => delete(operation, statement),
    })
}

fn find(mut operation: Operation, command: &Term) -> Operation {
    take(&mut operation, command, &["find", "singleBatch"]);
    let single = command.get("singleBatch").and_then(Term::as_bool) == Some(true);
    // Drivers send `findOne` so.
    if single && operation.limit.as_ref().and_then(Term::as_i64).is_some_and(|limit| limit.abs() == 1) {
        operation.verb = Verb::FindOne;
        operation.limit = None;
    } else {
        operation.many = true;
    }
    operation
}

fn aggregate(mut operation: Operation, command: &Term) -> Operation {
    take(&mut operation, command, &["aggregate", "pipeline"]);
    operation.many = true;
    let pipeline = command.get("pipeline").cloned();
    let stages = pipeline.as_ref().and_then(Term::elements).unwrap_or_default();
    if stages.first().is_some_and(|stage| stage.get("$changeStream").is_some()) {
        operation.verb = Verb::Watch;
    } else if let Some(filter) = counted(stages) {
        operation.verb = Verb::Count;
        operation.filter = Some(filter);
        return operation;
    }
    operation.pipeline = pipeline;
    operation
}

/// The filter of a pipeline that is `countDocuments`, as drivers send it.
fn counted(stages: &[Term]) -> Option<Term> {
    let [first, group] = stages else { return None };
    let (filter, group) = (first.get("$match")?, group.get("$group")?);
    let [id, count] = group.members()? else { return None };
    let constant = id.name() == Some("_id") && id.value.members().is_none();
    let sums_one = count.name() == Some("n") && count.value.get("$sum").and_then(Term::as_i64) == Some(1);
    (constant && sums_one).then(|| filter.clone())
}

fn update(mut operation: Operation, statement: &Term) -> Operation {
    let names = ["u", "updateMods"];
    take(&mut operation, statement, &["u", "updateMods", "multi", "update"]);
    operation.many = statement.get("multi").and_then(Term::as_bool) == Some(true);
    operation.update = names.into_iter().find_map(|name| statement.get(name)).cloned();
    operation.verb = if operation.update.as_ref().is_some_and(is_replacement) { Verb::Replace } else { Verb::Update };
    operation
}

fn delete(mut operation: Operation, statement: &Term) -> Operation {
    take(&mut operation, statement, &["limit", "multi", "delete"]);
    let all = statement.get("limit").and_then(Term::as_i64) == Some(0);
    operation.many = all || statement.get("multi").and_then(Term::as_bool) == Some(true);
    operation.verb = Verb::Delete;
    operation
}

/// Writes to several collections in one command (8.0); each names its collection by position.
fn bulk_write(command: &Term) -> Vec<Operation> {
    let names = command.get("nsInfo").and_then(Term::elements).unwrap_or_default();
    let mut out = Vec::new();
    for write in command.get("ops").and_then(Term::elements).unwrap_or_default() {
        let Some(kind) = write.members().and_then(|members| members.first()?.name()) else { continue };
        let Some(at) = write.get(kind).and_then(Term::as_i64).and_then(|at| usize::try_from(at).ok()) else { continue };
        let Some(ns) = names.get(at).and_then(|named| named.get("ns")?.as_str()).map(Namespace::parse) else {
            continue;
        };
        let new = Operation { api: Api::Command, ..Operation::new(Some(ns), Verb::Insert, "bulkWrite") };
        out.push(match kind {
            "update" => update(new, write),
            "delete" => delete(new, write),
            "insert" => {
                let documents = write.get("document").cloned().into_iter().collect();
                Operation { documents: Some(Term::new(What::Array(documents))), ..new }
            }
            _ => continue,
        });
    }
    out
}

/// Whether an update is a whole document: no operator first, and no pipeline.
fn is_replacement(update: &Term) -> bool {
    update.is_closed() && !update.is_operators()
}

/// Takes the parts that all commands name alike; what is not known and not in `done` becomes an option.
fn take(operation: &mut Operation, command: &Term, done: &[&str]) {
    for member in command.members().unwrap_or_default() {
        let Some(name) = member.name() else { continue };
        let value = || member.value.clone();
        match name {
            "filter" | "query" | "q" => operation.filter = Some(value()),
            "projection" | "fields" => operation.projection = Some(value()),
            "sort" => operation.sort = Some(value()).filter(|sort| sort.members().is_none_or(|keys| !keys.is_empty())),
            "limit" if !done.contains(&"limit") => operation.limit = some_number(value()),
            "skip" => operation.skip = some_number(value()),
            "$readPreference" => option(operation, "readPreference", value()),
            _ if name.starts_with('$') || done.contains(&name) || ABOUT_THE_CALL.contains(&name) => {}
            _ => option(operation, name, value()),
        }
    }
}

/// A limit or a skip of 0 is none.
fn some_number(term: Term) -> Option<Term> {
    Some(term).filter(|term| term.as_i64() != Some(0))
}

fn option(operation: &mut Operation, name: &str, value: Term) {
    let options = operation.options.get_or_insert_with(|| Term::from(Value::Object(Vec::new())));
    if let What::Object(members) = &mut options.what {
        let span = value.span;
        members.push(Member { key: Key::Name(name.to_owned()), value, span, spread: false });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(text: &str) -> Vec<Operation> {
        read(&Term::from(crate::value::samples::literal(text)), Some("shop"))
    }

    #[test]
    fn reads_and_counts() {
        let [find] = command("{find: 'orders', filter: {a: 1}, sort: {}, limit: 0, skip: 5, lsid: 1, $db: 'web'}")
            .try_into()
            .unwrap();
        assert_eq!((find.verb, find.ns.unwrap().to_string().as_str()), (Verb::Find, "web.orders"));
        assert_eq!((find.sort, find.limit, find.skip.unwrap().as_i64()), (None, None, Some(5)));
        let verb = |text: &str| command(text).first().map(|operation| (operation.verb, operation.many));
        assert_eq!(verb("{find: 'a', limit: 1, singleBatch: true}"), Some((Verb::FindOne, false)));
        assert_eq!(verb("{count: 'a', query: {b: 1}}"), Some((Verb::Count, true)));
        assert_eq!(verb("{count: 'a'}"), Some((Verb::EstimatedCount, true)));
        assert_eq!(verb("{aggregate: 1, pipeline: []}"), None);
        assert_eq!(verb("{ping: 1}"), None);
        let counted = "{aggregate: 'a', pipeline: [{$match: {b: 2}}, {$group: {_id: 1, n: {$sum: 1}}}], cursor: {}}";
        assert_eq!(verb(counted), Some((Verb::Count, true)));
        assert_eq!(verb("{aggregate: 'a', pipeline: [{$changeStream: {}}]}"), Some((Verb::Watch, true)));
        assert_eq!(verb("{explain: {distinct: 'a', key: 'b'}}"), Some((Verb::Distinct, true)));
    }

    #[test]
    fn writes() {
        let told = |text: &str| -> Vec<(Verb, bool)> {
            command(text).into_iter().map(|operation| (operation.verb, operation.many)).collect()
        };
        let updates = "{update: 'a', updates: [{q: {b: 1}, u: {$set: {c: 1}}, multi: true}, {q: {}, u: {c: 1}}]}";
        assert_eq!(told(updates), [(Verb::Update, true), (Verb::Replace, false)]);
        assert_eq!(told("{update: 'a', ordered: true}"), []);
        assert_eq!(
            told("{delete: 'a', deletes: [{q: {}, limit: 0}, {q: {}, limit: 1}]}"),
            [(Verb::Delete, true), (Verb::Delete, false)]
        );
        assert_eq!(told("{findAndModify: 'a', query: {b: 1}, remove: true}"), [(Verb::FindAndDelete, false)]);
        assert_eq!(told("{findAndModify: 'a', query: {}, update: [{$set: {c: 1}}]}"), [(Verb::FindAndUpdate, false)]);
        let bulk =
            "{bulkWrite: 1, ops: [{insert: 0, document: {}}, {update: 1, filter: {}, updateMods: {$inc: {a: 1}}},
            {delete: 1, filter: {}, multi: true}, {insert: 7}], nsInfo: [{ns: 'x.a'}, {ns: 'x.b'}]}";
        assert_eq!(told(bulk), [(Verb::Insert, false), (Verb::Update, false), (Verb::Delete, true)]);
    }
}
